//! Small functions for text: names in messages, JSON as text, and the texts in profiles. Texts in
//! profiles are leaked, because a program reads few profiles and uses them until it ends.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

/// Formats names as `line, grid or csv`.
pub fn one_of<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    match names.split_last() {
        Some((last, [])) => (*last).to_string(),
        Some((last, before)) => format!("{} or {last}", before.join(", ")),
        None => String::new(),
    }
}

/// Returns a text as a JSON string, including quotes.
pub fn json_string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Returns the text of an id that is a JSON string or number.
pub fn id_text(json: &str) -> String {
    serde_json::from_str(json).unwrap_or_else(|_| json.into())
}

/// Returns a JSON value as it is written in CSV: the text of a string, nothing for null, or the
/// JSON of any other value.
pub fn plain(json: &str) -> String {
    if json == "null" { String::new() } else { id_text(json) }
}

/// Maximum length in bytes of a text that is repeated for every move, tile, row or board.
pub const MAX_SEPARATOR_BYTES: usize = 16;

/// Reads a text and leaks it.
pub fn leaked<'de, D: Deserializer<'de>>(from: D) -> Result<&'static str, D::Error> {
    String::deserialize(from).map(|text| &*text.leak())
}

/// Reads a text that is repeated for every move, tile, row or board.
pub fn separator<'de, D: Deserializer<'de>>(from: D) -> Result<&'static str, D::Error> {
    let text = leaked(from)?;
    if text.len() <= MAX_SEPARATOR_BYTES {
        return Ok(text);
    }
    Err(D::Error::custom(format!("expected at most {MAX_SEPARATOR_BYTES} bytes, found {}", text.len())))
}

/// Reads the separator of an optional key. Serde calls this only if the key is present.
pub fn some_separator<'de, D: Deserializer<'de>>(from: D) -> Result<Option<&'static str>, D::Error> {
    separator(from).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_name_follows_or() {
        for (names, text) in [(&["a", "b", "c"][..], "a, b or c"), (&["a", "b"], "a or b"), (&["a"], "a"), (&[], "")] {
            assert_eq!(one_of(names.iter().copied()), text);
        }
    }
}
