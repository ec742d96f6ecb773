//! A validator of JSON Schema for the keywords that `taquin schema` prints. It rejects a schema
//! with any other keyword or pattern. `scripts/check-python` checks the same schema and results
//! with Python's `jsonschema`.

use serde_json::Value;

use super::{run, stdout};

/// A schema that contains only known keywords.
pub struct Schema(Value);

impl Schema {
    pub fn new(schema: Value) -> Self {
        reject_unknown(&schema);
        Self(schema)
    }

    /// Returns the schema that `taquin schema` prints with these options.
    pub fn printed(options: &[&str]) -> Self {
        let text = stdout(&run(&[&["schema"], options].concat(), ""));
        Self::new(serde_json::from_str(&text).unwrap())
    }

    /// Checks a value. The error names the first rule that the value breaks.
    pub fn check(&self, value: &Value) -> Result<(), String> {
        self.check_against(&self.0, value)
    }

    fn check_against(&self, schema: &Value, value: &Value) -> Result<(), String> {
        let Value::Object(rules) = schema else {
            return if schema == &Value::Bool(true) { Ok(()) } else { Err(format!("{value} is not allowed")) };
        };
        let is_valid = |schema: &Value| self.check_against(schema, value).is_ok();
        for (keyword, rule) in rules {
            let is_satisfied = match keyword.as_str() {
                "$ref" => return self.check_against(self.definition(rule), value),
                "type" => listed(rule).iter().any(|name| is_of_type(value, name.as_str().unwrap())),
                "enum" => listed(rule).contains(value),
                "const" => rule == value,
                "minimum" => value.as_f64().is_none_or(|number| number >= rule.as_f64().unwrap()),
                "maximum" => value.as_f64().is_none_or(|number| number <= rule.as_f64().unwrap()),
                "pattern" => value.as_str().is_none_or(|text| matches_pattern(rule.as_str().unwrap(), text)),
                "minItems" => value.as_array().is_none_or(|items| items.len() as u64 >= rule.as_u64().unwrap()),
                "maxItems" => value.as_array().is_none_or(|items| items.len() as u64 <= rule.as_u64().unwrap()),
                "required" => value
                    .as_object()
                    .is_none_or(|members| listed(rule).iter().all(|name| members.contains_key(name.as_str().unwrap()))),
                "not" => !is_valid(rule),
                "anyOf" => listed(rule).iter().any(is_valid),
                "allOf" => {
                    listed(rule).iter().try_for_each(|part| self.check_against(part, value))?;
                    true
                }
                "items" => {
                    value.as_array().into_iter().flatten().try_for_each(|item| self.check_against(rule, item))?;
                    true
                }
                "properties" => {
                    for (name, part) in rule.as_object().unwrap() {
                        if let Some(member) = value.get(name) {
                            self.check_against(part, member).map_err(|fault| format!("{name}: {fault}"))?;
                        }
                    }
                    true
                }
                "additionalProperties" => {
                    for (name, member) in value.as_object().into_iter().flatten() {
                        if rules["properties"].get(name).is_none() {
                            self.check_against(rule, member).map_err(|fault| format!("{name}: {fault}"))?;
                        }
                    }
                    true
                }
                "if" => {
                    if let Some(branch) = rules.get(if is_valid(rule) { "then" } else { "else" }) {
                        self.check_against(branch, value)?;
                    }
                    true
                }
                // `then` and `else` are handled with `if`, `$defs` with `$ref`, and the rest are
                // annotations.
                _ => true,
            };
            if !is_satisfied {
                return Err(format!("{value} breaks {keyword} {rule}"));
            }
        }
        Ok(())
    }

    fn definition(&self, reference: &Value) -> &Value {
        let name = reference.as_str().unwrap().strip_prefix("#/$defs/").expect("a reference begins with #/$defs/");
        &self.0["$defs"][name]
    }
}

/// Returns the elements of an array, or a single value as an array.
fn listed(rule: &Value) -> &[Value] {
    rule.as_array().map_or(std::slice::from_ref(rule), Vec::as_slice)
}

fn reject_unknown(schema: &Value) {
    let Value::Object(rules) = schema else {
        assert!(schema.is_boolean(), "not a schema: {schema}");
        return;
    };
    for (keyword, rule) in rules {
        match keyword.as_str() {
            "$schema" => assert_eq!(rule, "https://json-schema.org/draft/2020-12/schema"),
            "title" | "description" | "enum" | "const" | "minimum" | "maximum" | "minItems" | "maxItems"
            | "required" => {}
            "type" => listed(rule).iter().for_each(|name| _ = is_of_type(&Value::Null, name.as_str().unwrap())),
            "pattern" => _ = matches_pattern(rule.as_str().unwrap(), ""),
            "$ref" => assert_eq!(rules.len(), 1, "$ref must be the only keyword"),
            "additionalProperties" => {
                assert!(rules.contains_key("properties"), "additionalProperties needs properties");
                reject_unknown(rule);
            }
            "not" | "if" | "then" | "else" | "items" => reject_unknown(rule),
            "anyOf" | "allOf" => listed(rule).iter().for_each(reject_unknown),
            "properties" | "$defs" => rule.as_object().unwrap().values().for_each(reject_unknown),
            _ => panic!("the keyword {keyword} is not supported here"),
        }
    }
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        _ => panic!("the type {name} is not supported here"),
    }
}

const NOTATIONS: &str =
    "^([DLRU]*|[dlru]*|(UP|DOWN|LEFT|RIGHT)( (UP|DOWN|LEFT|RIGHT))*|[0-9]+( [0-9]+)*|([DLRU]([1-9][0-9]*)?)*)$";

const HEURISTIC: &str = "^([a-z]+(-[a-z]+)*|[0-9]+([-,;/x][0-9]+)*)$";

/// Returns true if a text matches a pattern. Supports only the patterns that `taquin schema`
/// prints.
fn matches_pattern(pattern: &str, text: &str) -> bool {
    let is_letter = |character: char| "DLRU".contains(character);
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    match pattern {
        HEURISTIC => {
            let is_word = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase());
            text.split('-').all(is_word) || text.split(['-', ',', ';', '/', 'x']).all(is_number)
        }
        "^[DLRU]*$" => text.chars().all(is_letter),
        NOTATIONS => {
            let mut counts = text.split(is_letter);
            text.chars().all(is_letter)
                || text.chars().all(|character| "dlru".contains(character))
                || text.split(' ').all(|word| matches!(word, "UP" | "DOWN" | "LEFT" | "RIGHT"))
                || text.split(' ').all(is_number)
                || counts.next() == Some("")
                    && counts.all(|count| count.is_empty() || is_number(count) && !count.starts_with('0'))
        }
        _ => panic!("the pattern {pattern} is not supported here"),
    }
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use serde_json::json;

    use super::*;

    /// Each keyword with a valid value and an invalid one.
    #[test]
    fn each_keyword_accepts_only_valid_values() {
        for (schema, right, wrong) in [
            (json!({"type": "integer"}), json!(2.0), json!(2.5)),
            (json!({"type": ["string", "null"]}), json!(null), json!(1)),
            (json!({"type": "boolean"}), json!(false), json!("false")),
            (json!({"type": "object"}), json!({}), json!([])),
            (json!({"type": "number", "minimum": 1, "maximum": 255}), json!(255), json!(256)),
            (json!({"minimum": 1}), json!("0"), json!(0)),
            (json!({"enum": ["a", 1]}), json!(1), json!("b")),
            (json!({"const": "a"}), json!("a"), json!(["a"])),
            (
                json!({"type": "array", "items": {"type": "array", "minItems": 2}}),
                json!([[1, 2]]),
                json!([[1, 2], [1]]),
            ),
            (json!({"maxItems": 2}), json!([1, 2]), json!([1, 2, 3])),
            (json!({"properties": {"a": {"const": 1}}}), json!({"b": 2}), json!({"a": 2})),
            (json!({"properties": {"a": true}, "additionalProperties": false}), json!({"a": 1}), json!({"b": 1})),
            (json!({"required": ["a", "b"]}), json!({"a": 1, "b": null}), json!({"a": 1})),
            (json!({"not": {"required": ["a"]}}), json!({"b": 1}), json!({"a": 1})),
            (json!({"anyOf": [{"const": 1}, {"const": 2}]}), json!(2), json!(3)),
            (json!({"allOf": [{"minimum": 1}, {"maximum": 2}]}), json!(1), json!(3)),
            (json!({"if": {"minimum": 5}, "then": {"const": 7}}), json!(4), json!(6)),
            (json!({"if": {"minimum": 5}, "else": {"const": 1}}), json!(6), json!(2)),
            (json!({"items": {"$ref": "#/$defs/one"}, "$defs": {"one": {"const": 1}}}), json!([1]), json!([1, 2])),
        ] {
            let schema = Schema::new(schema);
            assert_eq!(schema.check(&right), Ok(()), "{:?}", schema.0);
            assert!(schema.check(&wrong).is_err(), "{:?} accepts {wrong}", schema.0);
        }
    }

    #[test]
    fn notations_of_moves_are_recognised() {
        for right in ["", "DLRU", "dlru", "UP", "UP LEFT DOWN RIGHT", "0", "12 3 04", "D2L", "DL12R9"] {
            assert!(matches_pattern(NOTATIONS, right), "{right}");
        }
        for wrong in ["X", "DLru", "UP ", "UP,LEFT", " ", "up", "1  2", "1 x", "D0", "D02", "2D", "D 2", "D-1"] {
            assert!(!matches_pattern(NOTATIONS, wrong), "{wrong}");
        }
        assert!(!matches_pattern("^[DLRU]*$", "D2"));
    }

    /// Keywords, types and patterns that are not supported are rejected wherever they occur.
    #[test]
    fn unsupported_schemas_are_rejected() {
        for unknown in [
            json!({"maxLength": 3}),
            json!({"properties": {"a": {"items": {"format": "date"}}}}),
            json!({"allOf": [{"if": {}, "else": {"oneOf": []}}]}),
            json!({"pattern": "^a$"}),
            json!({"type": "text"}),
            json!({"$ref": "#/$defs/a", "minimum": 1}),
            json!({"not": 1}),
        ] {
            assert!(catch_unwind(|| Schema::new(unknown.clone())).is_err(), "{unknown}");
        }
    }
}
