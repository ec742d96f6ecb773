//! The JSON Schema of a result, put together from the table of fields.

use crate::format::fields::Field;
use crate::format::passing::Pass;
use crate::format::schema::Schema;

/// What a single field's type cannot say: which fields go with which status.
const RULES: &str = r#"  "allOf": [
    {
      "if": { "properties": { "status": { "const": "solved" } }, "required": ["status"] },
      "then": { "not": { "required": ["error"] } },
      "else": { "if": { "required": ["status"] }, "then": { "not": { "anyOf": [{ "required": ["moves"] }, { "required": ["path"] }, { "required": ["optimal"] }, { "required": ["paths"] }, { "required": ["solutions"] }, { "required": ["solutions_at_least"] }] } } }
    },
    {
      "if": { "properties": { "status": { "enum": ["solved", "unsolvable"] } }, "required": ["status"] },
      "then": { "not": { "required": ["error"] } }
    },
    {
      "if": { "properties": { "status": { "enum": ["solved", "unsolved"] } }, "required": ["status"] },
      "else": { "if": { "required": ["status"] }, "then": { "not": { "anyOf": [{ "required": ["limit"] }, { "required": ["lower_bound"] }] } } }
    }
  ],
"#;

/// The JSON Schema of a line of `taquin solve` with these passthrough columns.
pub fn schema(pass: Option<&Pass>) -> String {
    Schema {
        title: "taquin result",
        description: "One line of the output of `taquin solve`: what became of one record. With --fields only the fields asked for are there.",
        rules: RULES,
    }
    .of(Field::ALL.map(Field::row), pass)
}
