//! The JSON Schema (draft 2020-12) of a result, generated from the table of fields.

use super::field_table::ValueType;
use super::fields::Field;
use super::passthrough::{Pass, RECORD_FIELDS};
use super::text::json_string;

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
    "tiles": {{ "type": "array", "items": {{ "type": "integer", "minimum": 0 }}, "description": "Tiles row by row; 0 is the blank." }}
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

/// A JSON Schema pattern of moves in any notation of `--notation`.
const SPELLED: &str =
    "\"^([DLRU]*|[dlru]*|(UP|DOWN|LEFT|RIGHT)( (UP|DOWN|LEFT|RIGHT))*|[0-9]+( [0-9]+)*|([DLRU]([1-9][0-9]*)?)*)$\"";

/// A JSON Schema pattern of names of heuristics: words, or the sizes or cells of pattern databases.
const HEURISTIC: &str = "\"^([a-z]+(-[a-z]+)*|[0-9]+([-,;/x][0-9]+)*)$\"";

/// Returns true if a text matches [`HEURISTIC`].
pub fn is_heuristic(text: &str) -> bool {
    let is_word = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    text.split('-').all(is_word) || text.split(['-', ',', ';', '/', 'x']).all(is_number)
}

impl ValueType {
    /// Returns the members of the JSON Schema object for a value of this type.
    pub(super) fn schema(self) -> Vec<String> {
        let member = |name: &str, json: &str| format!("\"{name}\": {json}");
        let of_type = |json: &str| member("type", json);
        let min = |bound: u32| member("minimum", &bound.to_string());
        let one_of = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
            vec![member("enum", &format!("[{}]", words.join(", ")))]
        };
        let tiles = r##""$ref": "#/$defs/tiles""##;
        match self {
            ValueType::Ordinal => vec![of_type("\"integer\""), min(1)],
            ValueType::OrdinalOrNull => vec![of_type(r#"["integer", "null"]"#), min(1)],
            ValueType::Count => vec![of_type("\"integer\""), min(0)],
            ValueType::Side => vec![of_type("\"integer\""), min(1), member("maximum", "255")],
            ValueType::Text => vec![of_type("\"string\"")],
            ValueType::Heuristic => vec![of_type("\"string\""), member("pattern", HEURISTIC)],
            ValueType::TextOrNumber => vec![of_type(r#"["string", "number"]"#)],
            ValueType::Flag => vec![of_type("\"boolean\"")],
            ValueType::Tiles => vec![tiles.into()],
            ValueType::Boards => vec![of_type("\"array\""), member("items", &format!("{{ {tiles} }}"))],
            ValueType::Iterations => {
                let number = r#"{ "type": "integer", "minimum": 0 }"#;
                let pair = format!(r#"{{ "type": "array", "items": {number}, "minItems": 2, "maxItems": 2 }}"#);
                vec![of_type("\"array\""), member("items", &pair)]
            }
            ValueType::SpelledMoves => vec![of_type("\"string\""), member("pattern", SPELLED)],
            ValueType::SpelledPaths => {
                let each = format!("{{ \"type\": \"string\", \"pattern\": {SPELLED} }}");
                vec![of_type("\"array\""), member("items", &each)]
            }
            ValueType::Moves => vec![of_type("\"string\""), member("pattern", "\"^[DLRU]*$\"")],
            ValueType::Status(words) | ValueType::Word(words) => one_of(words),
        }
    }

    /// Returns true if a field of this type needs no description in the schema.
    pub(super) fn is_self_explanatory(self) -> bool {
        matches!(self, ValueType::Side | ValueType::Tiles | ValueType::Heuristic | ValueType::Status(_))
    }
}
