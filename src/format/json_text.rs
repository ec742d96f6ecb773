//! Texts as JSON, and JSON as text.

/// Returns a text as a JSON string, including quotes.
pub fn json_string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Returns the text of an id that is a JSON string or number.
pub fn id_text(json: &str) -> String {
    serde_json::from_str(json).unwrap_or_else(|_| json.into())
}

/// Returns a JSON value as it is written in CSV: the text of a string, nothing for null, or the
/// JSON of another value.
pub fn plain(json: &str) -> String {
    if json == "null" { String::new() } else { id_text(json) }
}
