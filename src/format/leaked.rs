//! Texts from data that is read once and kept until the program ends.

use serde::{Deserialize, Deserializer};

/// Reads a text.
pub fn text<'de, D: Deserializer<'de>>(from: D) -> Result<&'static str, D::Error> {
    String::deserialize(from).map(|text| &*text.leak())
}

/// Reads a text that is present.
pub fn some_text<'de, D: Deserializer<'de>>(from: D) -> Result<Option<&'static str>, D::Error> {
    text(from).map(Some)
}
