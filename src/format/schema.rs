//! JSON Schemas (draft 2020-12) of lines whose fields stand in a table.

use super::field_table::{FieldRow, ValueType};
use super::json_object::json_string;
use super::passing::Pass;

/// What a schema says beside its fields.
#[derive(Clone, Copy, Debug)]
pub struct Schema {
    /// Its name.
    pub title: &'static str,
    /// What it describes.
    pub description: &'static str,
    /// Further members of the object, each on lines of its own with a comma behind it.
    pub rules: &'static str,
}

/// A property that is wider is broken into lines.
const WIDTH: usize = 200;

impl Schema {
    /// Returns the schema of lines with these fields and the passthrough columns, as text that people read too.
    pub fn of<P>(&self, rows: impl IntoIterator<Item = FieldRow<P>>, pass: Option<&Pass>) -> String {
        let Schema { title, description, rules } = self;
        let is_open = pass.is_some_and(Pass::is_all);
        let (title, description) = (json_string(title), json_string(description));
        let ours = rows.into_iter().map(|row| property(row.name, row.value, row.meaning));
        let theirs = pass.into_iter().flat_map(Pass::names).map(|name| {
            let meaning = json_string("A field of the record, as it was read.");
            format!("    {}: {{ \"description\": {meaning} }}", json_string(name))
        });
        let properties: Vec<String> = ours.chain(theirs).collect();
        let properties = properties.join(",\n");
        format!(
            r#"{{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": {title},
  "description": {description},
  "type": "object",
  "additionalProperties": {is_open},
  "properties": {{
{properties}
  }},
{rules}  "$defs": {{
    "tiles": {{ "type": "array", "items": {{ "type": "integer", "minimum": 0 }}, "description": "Tiles row by row, 0 the blank." }}
  }}
}}
"#
        )
    }
}

/// A field's name and what its value may be.
fn property(name: &str, value: ValueType, meaning: &str) -> String {
    let mut members = value.schema();
    if !value.is_self_explanatory() {
        members.push(format!("\"description\": {}", json_string(meaning)));
    }
    let line = format!("    \"{name}\": {{ {} }}", members.join(", "));
    if line.len() <= WIDTH { line } else { format!("    \"{name}\": {{\n      {}\n    }}", members.join(",\n      ")) }
}
