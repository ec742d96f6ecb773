//! The JSON Schema (draft 2020-12) of a result, generated from the table of fields.

use super::field_table::ValueType;
use super::fields::Field;
use super::json_text::json_string;
use super::passthrough::{Pass, RECORD_FIELDS};

/// Maximum length in bytes of a property on one line.
const WIDTH: usize = 200;

/// The rules that the type of a single field cannot express: the fields allowed for each status.
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

/// Returns the JSON Schema of a line that `taquin solve` writes with these passthrough columns,
/// indented for human readers.
pub fn schema(pass: Option<&Pass>) -> String {
    let is_open = pass.is_some_and(Pass::is_all);
    let copied = |name: &str| {
        let meaning = json_string("A field of the record, as it was read.");
        format!("    {}: {{ \"description\": {meaning} }}", json_string(name))
    };
    let ours = Field::ALL.map(Field::row).into_iter().map(|row| match is_open && RECORD_FIELDS.contains(&row.name) {
        true => copied(row.name),
        false => property(row.name, row.value, row.meaning),
    });
    let theirs = pass.into_iter().flat_map(Pass::names).map(copied);
    let properties: Vec<String> = ours.chain(theirs).collect();
    let properties = properties.join(",\n");
    format!(
        r#"{{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "taquin result",
  "description": "One line of the output of `taquin solve`: the result of one record. With --fields, only the requested fields are present.",
  "type": "object",
  "additionalProperties": {is_open},
  "properties": {{
{properties}
  }},
{RULES}  "$defs": {{
    "tiles": {{ "type": "array", "items": {{ "type": "integer", "minimum": 0 }}, "description": "Tiles row by row, 0 the blank." }}
  }}
}}
"#
    )
}

/// Returns a field's name and the schema of its value.
fn property(name: &str, value: ValueType, meaning: &str) -> String {
    let mut members = value.schema();
    if !value.is_self_explanatory() {
        members.push(format!("\"description\": {}", json_string(meaning)));
    }
    let line = format!("    \"{name}\": {{ {} }}", members.join(", "));
    if line.len() <= WIDTH { line } else { format!("    \"{name}\": {{\n      {}\n    }}", members.join(",\n      ")) }
}
