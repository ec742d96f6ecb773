//! Texts that are read once and kept until the program ends.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

/// Maximum length in bytes of a text that is repeated for every move, tile, row or board.
pub const MAX_SEPARATOR_BYTES: usize = 16;

/// Reads a text and leaks it.
pub fn text<'de, D: Deserializer<'de>>(from: D) -> Result<&'static str, D::Error> {
    String::deserialize(from).map(|text| &*text.leak())
}

/// Reads a text that is repeated for every move, tile, row or board.
pub fn separator<'de, D: Deserializer<'de>>(from: D) -> Result<&'static str, D::Error> {
    let text = text(from)?;
    if text.len() <= MAX_SEPARATOR_BYTES {
        return Ok(text);
    }
    Err(D::Error::custom(format!("expected at most {MAX_SEPARATOR_BYTES} bytes, found {}", text.len())))
}

/// Reads a separator for an optional key that is present.
pub fn some_separator<'de, D: Deserializer<'de>>(from: D) -> Result<Option<&'static str>, D::Error> {
    separator(from).map(Some)
}
