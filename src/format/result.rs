//! Reads a line of a results file; the inverse of [`super::output`].
//!
//! Names and types are defined by the table of fields. `verify` reads strictly: an unknown field, a
//! value that the schema does not allow, or null instead of a value is an error. Only the fields
//! that define a record may have any value if they may be copies of the record's. A report reads
//! only the fields that it uses and skips all others, so it can read the results of later versions.
//! Both `verify` and the report reject duplicates of the fields that they read, and data after the
//! object. Text is borrowed from the line unless it is escaped.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use serde::Deserialize;
use serde::de::{self, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::field_table::ValueType;
use super::fields::{Field, FieldSet};
use super::input::number;
use super::passthrough::RECORD_FIELDS;
use super::schema::is_heuristic;
use super::status::Status;
use crate::board::Shape;

/// The fields of a result.
#[derive(Debug)]
pub struct ResultLine<'a> {
    values: [ReadValue<'a>; Field::COUNT],
    /// The passthrough fields, if the line was read with them, and the fields that may be copies of
    /// the record's ([`ReadMode::may_copy`]), which are in `values` as well.
    passthrough: Vec<(Cow<'a, str>, &'a RawValue)>,
}

impl<'a> ResultLine<'a> {
    /// Reads a line.
    ///
    /// # Errors
    /// The reason why it is not a result.
    pub fn read(line: &'a [u8], mode: ReadMode) -> Result<ResultLine<'a>, String> {
        if line.trim_ascii_start().first() != Some(&b'{') {
            return Err("is not a result: it is not a JSON object".into());
        }
        let mut json = serde_json::Deserializer::from_slice(line);
        let read = json.deserialize_map(LineVisitor(mode)).and_then(|read| json.end().map(|()| read));
        read.map_err(|error| {
            // The column is dropped, so that the same error in many lines has the same text.
            let text = error.to_string();
            format!("is not a result: {}", text.rsplit_once(" at line ").map_or(&*text, |(reason, _)| reason))
        })
    }

    /// Returns the status of the record, or `None` if it is not known. Without the field `status`,
    /// a path implies that the record was solved.
    ///
    /// # Errors
    /// The value of the field `status`, if it is not a status.
    pub fn status(&self) -> Result<Option<Status>, &str> {
        match self.text(Field::Status) {
            Some(name) => Status::named(name).map(Some).ok_or(name),
            None => Ok(self.has(Field::Path).then_some(Status::Solved)),
        }
    }

    /// Returns the value of a number field.
    pub fn number(&self, field: Field) -> Option<u64> {
        let ReadValue::Number(number) = self.values[field as usize] else { return None };
        Some(number)
    }

    /// Returns the value of a boolean field.
    pub fn flag(&self, field: Field) -> Option<bool> {
        let ReadValue::Flag(flag) = self.values[field as usize] else { return None };
        Some(flag)
    }

    /// Returns the value of a text field.
    pub fn text(&self, field: Field) -> Option<&str> {
        let ReadValue::Text(text) = &self.values[field as usize] else { return None };
        Some(text)
    }

    /// Returns the JSON of a field that is a string or a number.
    pub fn json(&self, field: Field) -> Option<&'a str> {
        let ReadValue::Raw(json) = self.values[field as usize] else { return None };
        Some(json.get())
    }

    /// Returns the labels of a board field.
    pub fn tiles(&self, field: Field) -> Option<&[u64]> {
        let ReadValue::Tiles(labels) = &self.values[field as usize] else { return None };
        Some(labels)
    }

    /// Returns the lists of a field: the labels of several boards, or pairs of numbers.
    pub fn number_lists(&self, field: Field) -> Option<&[Vec<u64>]> {
        let ReadValue::NumberLists(lists) = &self.values[field as usize] else { return None };
        Some(lists)
    }

    /// Returns the texts of a field with several paths.
    pub fn texts(&self, field: Field) -> Option<&[Text<'a>]> {
        let ReadValue::Texts(texts) = &self.values[field as usize] else { return None };
        Some(texts)
    }

    /// Returns the names of the passthrough fields, and their values as JSON. The fields that may be
    /// copies of the record's are included.
    pub fn passthrough(&self) -> impl Iterator<Item = (&str, &'a str)> {
        self.passthrough.iter().map(|(name, value)| (&**name, value.get()))
    }

    /// Returns the fields that the line has although a result of this status cannot have them.
    pub fn misplaced(&self, status: Status) -> impl Iterator<Item = Field> {
        Field::ALL.into_iter().filter(move |&field| !field.row().presence.allows(status) && self.has(field))
    }

    /// Returns the JSON of a field that the reader did not accept as a value of the field, because it
    /// may be a copy of the record's.
    pub fn foreign(&self, field: Field) -> Option<&'a str> {
        let ReadValue::Foreign(json) = self.values[field as usize] else { return None };
        Some(json.get())
    }

    /// Returns true if a field has a value, or a null that means *unknown*.
    pub fn has(&self, field: Field) -> bool {
        !matches!(self.values[field as usize], ReadValue::Absent)
    }
}

struct LineVisitor(ReadMode);

impl<'de> Visitor<'de> for LineVisitor {
    type Value = ResultLine<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a result")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ResultLine<'de>, A::Error> {
        let values = [const { ReadValue::Absent }; Field::COUNT];
        let mut line = ResultLine { values, passthrough: Vec::new() };
        let (mut seen_fields, mut seen_names) = (FieldSet::default(), HashSet::new());
        while let Some(Text(name)) = map.next_key()? {
            match (Field::named(&name), self.0) {
                (field, ReadMode::Only(wanted)) if !field.is_some_and(|field| wanted.contains(field)) => {
                    map.next_value::<IgnoredAny>()?;
                }
                (Some(field), _) if !seen_fields.insert(field) => return Err(de::Error::duplicate_field(field.name())),
                (Some(field), mode) if mode.may_copy(field) => {
                    let json: &RawValue = map.next_value()?;
                    let mut value = serde_json::Deserializer::from_str(json.get());
                    let value = ValueReader(field, mode).deserialize(&mut value);
                    line.values[field as usize] = value.unwrap_or(ReadValue::Foreign(json));
                    line.passthrough.push((name, json));
                }
                (Some(field), mode) => line.values[field as usize] = map.next_value_seed(ValueReader(field, mode))?,
                (None, ReadMode::Strict { passthrough: true, .. }) => {
                    if !seen_names.insert(name.clone()) {
                        return Err(de::Error::custom(format_args!("duplicate field `{name}`")));
                    }
                    line.passthrough.push((name, map.next_value()?));
                }
                (None, _) => return Err(de::Error::unknown_field(&name, Field::NAMES)),
            }
        }
        Ok(line)
    }
}

/// Returns the record number of a result, if the line has one.
///
/// # Errors
/// The reason why the line is not a result.
pub fn index_of(line: &[u8]) -> Result<Option<u64>, String> {
    if let Some(index) = index_at_start(line) {
        return Ok(Some(index));
    }
    let read = ResultLine::read(line, ReadMode::Only(FieldSet::of(|field| field == Field::Index)))?;
    Ok(read.number(Field::Index).filter(|&index| index > 0))
}

/// Returns the record number if it is the first field, which is the usual case.
fn index_at_start(line: &[u8]) -> Option<u64> {
    let rest = line.strip_prefix(b"{\"index\":")?;
    let digits = rest.iter().position(|byte| !byte.is_ascii_digit())?;
    if !matches!(rest[digits], b',' | b'}') || !line.ends_with(b"}\n") {
        return None;
    }
    // `number` reads at most 18 digits. Longer numbers are left to the general reader.
    number(&rest[..digits]).filter(|&number| number > 0)
}

/// The value of a field, by its type in the table.
#[derive(Debug)]
enum ReadValue<'a> {
    /// The field is absent or null.
    Absent,
    /// Null, in a field where null means unknown.
    Unknown,
    /// JSON that was not accepted as a value of the field, but may be a copy of the record's.
    Foreign(&'a RawValue),
    Number(u64),
    Flag(bool),
    Text(Cow<'a, str>),
    /// A string or a number, as JSON.
    Raw(&'a RawValue),
    Tiles(Box<[u64]>),
    NumberLists(Box<[Vec<u64>]>),
    Texts(Box<[Text<'a>]>),
}

/// A string in a line.
#[derive(Deserialize, Debug)]
pub struct Text<'a>(#[serde(borrow)] pub Cow<'a, str>);

/// A mode of the reader: the fields that it reads, and its strictness.
#[derive(Clone, Copy, Debug)]
pub enum ReadMode {
    /// Everything. A value that the schema does not allow is an error, and so is an unknown field,
    /// unless passthrough fields are read as well.
    Strict {
        /// True if passthrough fields are read: all fields whose names are not in the table.
        passthrough: bool,
        /// True if the fields that define a record may be copies of the record's, which may be any
        /// JSON.
        copies: bool,
        /// True if the line was converted from CSV, where null stands for an empty column.
        csv: bool,
    },
    /// Only these fields; all others are skipped, whatever their values are. It is not known whether
    /// the fields that define a record are copies.
    Only(FieldSet),
}

impl ReadMode {
    /// JSON Lines without passthrough fields.
    pub const STRICT: ReadMode = ReadMode::Strict { passthrough: false, copies: false, csv: false };

    /// Returns true if the value of a field may be a copy of the record's.
    fn may_copy(self, field: Field) -> bool {
        !matches!(self, ReadMode::Strict { copies: false, .. }) && RECORD_FIELDS.contains(&field.name())
    }
}

/// Reads the value of a field.
struct ValueReader(Field, ReadMode);

impl<'a> DeserializeSeed<'a> for ValueReader {
    type Value = ReadValue<'a>;

    /// A value of another JSON type is an error. So is one that the schema does not allow, if the
    /// mode is strict.
    fn deserialize<D: Deserializer<'a>>(self, json: D) -> Result<ReadValue<'a>, D::Error> {
        let ValueReader(field, mode) = self;
        let value_type = field.row().value;
        let is_csv = matches!(mode, ReadMode::Strict { csv: true, .. });
        let value = match value_type {
            ValueType::OrdinalOrNull if !is_csv => {
                Some(Option::<u64>::deserialize(json)?.map_or(ReadValue::Unknown, ReadValue::Number))
            }
            ValueType::Ordinal | ValueType::OrdinalOrNull | ValueType::Count | ValueType::Side => {
                Option::<u64>::deserialize(json)?.map(ReadValue::Number)
            }
            ValueType::Text
            | ValueType::Heuristic
            | ValueType::SpelledMoves
            | ValueType::Moves
            | ValueType::Status(_)
            | ValueType::Word(_) => Option::<Text<'a>>::deserialize(json)?.map(|text| ReadValue::Text(text.0)),
            ValueType::TextOrNumber => Option::<&'a RawValue>::deserialize(json)?.map(ReadValue::Raw),
            ValueType::Flag => Option::<bool>::deserialize(json)?.map(ReadValue::Flag),
            ValueType::Tiles => labels(<&'a RawValue>::deserialize(json)?.get())
                .map_err(|_| de::Error::custom(format_args!("`{field}` is not an array of tiles or rows")))?,
            ValueType::SpelledPaths => Option::<Box<[Text<'a>]>>::deserialize(json)?.map(ReadValue::Texts),
            ValueType::Boards | ValueType::Iterations => {
                Option::<Box<[Vec<u64>]>>::deserialize(json)?.map(ReadValue::NumberLists)
            }
        };
        let value = value.unwrap_or(ReadValue::Absent);
        if value.is_accepted(value_type, mode) {
            return Ok(value);
        }
        let schema = value_type.schema().join(", ");
        Err(de::Error::custom(format_args!("`{field}` does not match its schema: {schema}")))
    }
}

impl ReadValue<'_> {
    /// Returns true if a field of this type may have this value, in this mode of the reader.
    /// The JSON type was already checked. Paths are not checked here, because they depend on their
    /// boards.
    fn is_accepted(&self, value_type: ValueType, mode: ReadMode) -> bool {
        let ReadMode::Strict { csv, .. } = mode else { return true };
        match (self, value_type) {
            (ReadValue::Absent, _) => csv,
            (&ReadValue::Number(number), ValueType::Ordinal | ValueType::OrdinalOrNull) => number >= 1,
            (ReadValue::Number(number), ValueType::Side) => (1..=Shape::MAX_SIDE as u64).contains(number),
            (ReadValue::Text(text), ValueType::Status(words) | ValueType::Word(words)) => words.contains(&&**text),
            (ReadValue::Text(text), ValueType::Heuristic) => is_heuristic(text),
            (ReadValue::Text(text), ValueType::Moves) => text.bytes().all(|letter| b"DLRU".contains(&letter)),
            (ReadValue::NumberLists(pairs), ValueType::Iterations) => pairs.iter().all(|pair| pair.len() == 2),
            (ReadValue::Raw(json), ValueType::TextOrNumber) => {
                matches!(json.get().as_bytes().first(), Some(b'"' | b'-' | b'0'..=b'9'))
            }
            _ => true,
        }
    }
}

/// Reads the tiles of a board: an array of tiles or rows.
fn labels<'a>(json: &'a str) -> serde_json::Result<Option<ReadValue<'a>>> {
    if let Ok(labels) = serde_json::from_str::<Option<Box<[u64]>>>(json) {
        return Ok(labels.map(ReadValue::Tiles));
    }
    let tiles = |part: &RawValue| match part.get().parse() {
        Ok(tile) => Ok(vec![tile]),
        Err(_) => serde_json::from_str::<Vec<u64>>(part.get()),
    };
    let parts = serde_json::from_str::<Vec<&RawValue>>(json);
    let rows = parts.and_then(|parts| parts.into_iter().map(tiles).collect::<Result<Vec<_>, _>>());
    rows.map(|rows| Some(ReadValue::Tiles(rows.concat().into())))
}
