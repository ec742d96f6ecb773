//! The values of the fields in a results file.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::board::Shape;
use crate::format::field_table::{ValueType, is_heuristic};
use crate::format::fields::FieldSet;

/// The value of a field, by its type in the table.
#[derive(Debug)]
pub(super) enum Value<'a> {
    /// The field is absent or null.
    Absent,
    /// Null, in a field where null means unknown.
    Unknown,
    Number(u64),
    Flag(bool),
    Text(Cow<'a, str>),
    /// A text or a number, as JSON.
    Raw(&'a RawValue),
    Tiles(Box<[u64]>),
    Boards(Box<[Vec<u64>]>),
    Texts(Box<[Text<'a>]>),
}

/// A string in a line.
#[derive(Deserialize, Debug)]
pub struct Text<'a>(#[serde(borrow)] pub Cow<'a, str>);

/// The fields of a line that are read, and how strictly.
#[derive(Clone, Copy, Debug)]
pub enum Reading {
    /// Everything; an unknown field or a value that the schema does not allow is an error.
    Strict {
        /// True if passthrough fields are read as well.
        passthrough: bool,
        /// True if the line was converted from CSV, where null stands for an empty column.
        csv: bool,
    },
    /// Only these fields; all others are skipped, whatever their values are.
    Only(FieldSet),
}

impl Reading {
    /// JSON Lines without passthrough fields.
    pub const STRICT: Reading = Reading::Strict { passthrough: false, csv: false };
}

impl<'a> Value<'a> {
    /// Reads the value of a field. A value of another JSON type is an error.
    pub(super) fn read<A: MapAccess<'a>>(
        value_type: ValueType,
        map: &mut A,
        reading: Reading,
    ) -> Result<Value<'a>, A::Error> {
        let is_csv = matches!(reading, Reading::Strict { csv: true, .. });
        let value = match value_type {
            ValueType::OrdinalOrNull if !is_csv => {
                Some(map.next_value::<Option<u64>>()?.map_or(Value::Unknown, Value::Number))
            }
            ValueType::Ordinal | ValueType::OrdinalOrNull | ValueType::Count | ValueType::Side => {
                map.next_value::<Option<u64>>()?.map(Value::Number)
            }
            ValueType::Text
            | ValueType::Heuristic
            | ValueType::SpelledMoves
            | ValueType::Moves
            | ValueType::Status(_)
            | ValueType::Word(_) => map.next_value::<Option<Text<'a>>>()?.map(|text| Value::Text(text.0)),
            ValueType::TextOrNumber => map.next_value::<Option<&'a RawValue>>()?.map(Value::Raw),
            ValueType::Flag => map.next_value::<Option<bool>>()?.map(Value::Flag),
            ValueType::Tiles => map.next_value_seed(Labels(Vec::new()))?,
            ValueType::SpelledPaths => map.next_value::<Option<Box<[Text<'a>]>>>()?.map(Value::Texts),
            ValueType::Boards | ValueType::Iterations => {
                map.next_value::<Option<Box<[Vec<u64>]>>>()?.map(Value::Boards)
            }
        };
        Ok(value.unwrap_or(Value::Absent))
    }

    /// Returns true if a field of this type may have this value, given how it is read.
    pub(super) fn is_accepted(&self, value_type: ValueType, reading: Reading) -> bool {
        match reading {
            // A board that was copied from a record may be text or null.
            Reading::Strict { passthrough, csv } => match (self, value_type) {
                (Value::Absent, ValueType::Tiles) => csv || passthrough,
                (Value::Absent, _) => csv,
                (Value::Text(_), ValueType::Tiles) => passthrough,
                _ => self.is_allowed(value_type),
            },
            Reading::Only(_) => true,
        }
    }

    /// Returns true if the schema allows this value, whose JSON type is correct. Paths are not
    /// checked here, because they depend on their boards.
    fn is_allowed(&self, value_type: ValueType) -> bool {
        match (self, value_type) {
            (&Value::Number(number), ValueType::Ordinal | ValueType::OrdinalOrNull) => number >= 1,
            (Value::Number(number), ValueType::Side) => (1..=Shape::MAX_SIDE as u64).contains(number),
            (Value::Text(text), ValueType::Status(words) | ValueType::Word(words)) => words.contains(&&**text),
            (Value::Text(text), ValueType::Heuristic) => is_heuristic(text),
            (Value::Text(text), ValueType::Moves) => text.bytes().all(|letter| b"DLRU".contains(&letter)),
            (Value::Boards(pairs), ValueType::Iterations) => pairs.iter().all(|pair| pair.len() == 2),
            (Value::Raw(json), ValueType::TextOrNumber) => {
                matches!(json.get().as_bytes().first(), Some(b'"' | b'-' | b'0'..=b'9'))
            }
            _ => true,
        }
    }
}

/// A reader of the labels of a board: an array, or an array of rows. Text is also accepted, because
/// a board that was copied from the record may be text.
struct Labels(Vec<u64>);

impl<'de> DeserializeSeed<'de> for Labels {
    type Value = Option<Value<'de>>;

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<Self::Value, D::Error> {
        value.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Labels {
    type Value = Option<Value<'de>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the tiles of a board")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut values: A) -> Result<Self::Value, A::Error> {
        while values.next_element_seed(Label(&mut self.0))?.is_some() {}
        Ok(Some(Value::Tiles(self.0.into())))
    }

    fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Some(Value::Text(text.to_owned().into())))
    }
}

/// A reader of a label, or of the labels of a row.
struct Label<'a>(&'a mut Vec<u64>);

impl<'de> DeserializeSeed<'de> for Label<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<(), D::Error> {
        value.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Label<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a tile")
    }

    fn visit_u64<E: de::Error>(self, label: u64) -> Result<(), E> {
        self.0.push(label);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut row: A) -> Result<(), A::Error> {
        while let Some(label) = row.next_element()? {
            self.0.push(label);
        }
        Ok(())
    }
}
