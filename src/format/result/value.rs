//! The values of the fields in a results file.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::{self, MapAccess};
use serde_json::value::RawValue;

use crate::board::Shape;
use crate::format::field_table::ValueType;
use crate::format::fields::FieldSet;
use crate::format::schema::is_heuristic;

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
            ValueType::Tiles => labels(map.next_value::<&'a RawValue>()?.get()).map_err(de::Error::custom)?,
            ValueType::SpelledPaths => map.next_value::<Option<Box<[Text<'a>]>>>()?.map(Value::Texts),
            ValueType::Boards | ValueType::Iterations => {
                map.next_value::<Option<Box<[Vec<u64>]>>>()?.map(Value::Boards)
            }
        };
        Ok(value.unwrap_or(Value::Absent))
    }

    /// Returns true if a field of this type may have this value, given how it is read. The JSON type
    /// of the value is correct. Paths are not checked here, because they depend on their boards.
    pub(super) fn is_accepted(&self, value_type: ValueType, reading: Reading) -> bool {
        let Reading::Strict { passthrough, csv } = reading else { return true };
        match (self, value_type) {
            // A board that was copied from a record may be text or null.
            (Value::Absent, ValueType::Tiles) => csv || passthrough,
            (Value::Absent, _) => csv,
            (Value::Text(_), ValueType::Tiles) => passthrough,
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

/// Reads the tiles of a board: an array of tiles or rows. Text is also accepted, because a board
/// that was copied from the record may be text.
fn labels<'a>(json: &'a str) -> Result<Option<Value<'a>>, String> {
    if let Ok(labels) = serde_json::from_str::<Option<Box<[u64]>>>(json) {
        return Ok(labels.map(Value::Tiles));
    }
    if let Ok(Text(text)) = serde_json::from_str(json) {
        return Ok(Some(Value::Text(text)));
    }
    let tiles = |part: &RawValue| match part.get().parse() {
        Ok(tile) => Ok(vec![tile]),
        Err(_) => serde_json::from_str::<Vec<u64>>(part.get()),
    };
    let parts = serde_json::from_str::<Vec<&RawValue>>(json);
    let rows = parts.and_then(|parts| parts.into_iter().map(tiles).collect::<Result<Vec<_>, _>>());
    rows.map(|rows| Some(Value::Tiles(rows.concat().into()))).map_err(|_| "expected the tiles of a board".into())
}
