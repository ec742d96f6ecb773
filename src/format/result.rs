//! Reads a line of a results file; the inverse of [`super::output`].
//!
//! Names and types are defined by the table of fields. `verify` reads strictly: an unknown field, a
//! value that the schema does not allow, or null instead of a value is an error. A report reads
//! only the fields that it uses and skips all others, so it can read the results of later versions.
//! Both reject duplicates of the fields that they read, and data after the object. Text is borrowed
//! from the line unless it is escaped.

#[cfg(test)]
mod tests;
mod value;

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use serde::de::{self, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use self::value::Value;
pub use self::value::{Reading, Text};
use super::fields::{Field, FieldSet};
use super::status::Status;

/// The fields of a result.
#[derive(Debug)]
pub struct ResultLine<'a> {
    values: [Value<'a>; Field::COUNT],
    /// The fields that are present in the line, even as null or as an empty column.
    named: FieldSet,
    /// The passthrough fields, if the line was read with them.
    passthrough: Vec<(Cow<'a, str>, &'a RawValue)>,
}

impl<'a> ResultLine<'a> {
    /// Reads a line.
    ///
    /// # Errors
    /// The reason why it is not a result.
    pub fn read(line: &'a [u8], reading: Reading) -> Result<ResultLine<'a>, String> {
        if line.trim_ascii_start().first() != Some(&b'{') {
            return Err("is not a result: it is not a JSON object".into());
        }
        let mut json = serde_json::Deserializer::from_slice(line);
        let read = json.deserialize_map(LineVisitor(reading)).and_then(|read| json.end().map(|()| read));
        read.map_err(|error| format!("is not a result: {error}"))
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
        match self.values[field as usize] {
            Value::Number(number) => Some(number),
            _ => None,
        }
    }

    /// Returns the value of a boolean field.
    pub fn flag(&self, field: Field) -> Option<bool> {
        match self.values[field as usize] {
            Value::Flag(flag) => Some(flag),
            _ => None,
        }
    }

    /// Returns the value of a text field.
    pub fn text(&self, field: Field) -> Option<&str> {
        match &self.values[field as usize] {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the JSON of a field that is a text or a number.
    pub fn json(&self, field: Field) -> Option<&'a str> {
        match self.values[field as usize] {
            Value::Raw(json) => Some(json.get()),
            _ => None,
        }
    }

    /// Returns the labels of a board field.
    pub fn tiles(&self, field: Field) -> Option<&[u64]> {
        match &self.values[field as usize] {
            Value::Tiles(labels) => Some(labels),
            _ => None,
        }
    }

    /// Returns the numbers of a field with several boards, or with pairs of numbers.
    pub fn boards(&self, field: Field) -> Option<&[Vec<u64>]> {
        match &self.values[field as usize] {
            Value::Boards(boards) => Some(boards),
            _ => None,
        }
    }

    /// Returns the texts of a field with several paths.
    pub fn texts(&self, field: Field) -> Option<&[Text<'a>]> {
        match &self.values[field as usize] {
            Value::Texts(texts) => Some(texts),
            _ => None,
        }
    }

    /// Returns the names of the passthrough fields, and their values as JSON.
    pub fn passthrough(&self) -> impl Iterator<Item = (&str, &'a str)> {
        self.passthrough.iter().map(|(name, value)| (&**name, value.get()))
    }

    /// Returns the first field that a result of this status cannot have.
    pub fn misplaced(&self, status: Status) -> Option<Field> {
        Field::ALL.into_iter().find(|&field| !field.row().presence.allows(status) && self.has(field))
    }

    /// Returns true if a field has a value.
    pub fn has(&self, field: Field) -> bool {
        !matches!(self.values[field as usize], Value::Absent)
    }

    /// Returns the fields that are present in the line, even as null or as an empty column.
    pub fn named(&self) -> FieldSet {
        self.named
    }
}

struct LineVisitor(Reading);

impl<'de> Visitor<'de> for LineVisitor {
    type Value = ResultLine<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a result")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ResultLine<'de>, A::Error> {
        let values = [const { Value::Absent }; Field::COUNT];
        let mut line = ResultLine { values, named: FieldSet::default(), passthrough: Vec::new() };
        let mut seen_names = HashSet::new();
        while let Some(Text(name)) = map.next_key()? {
            match (Field::named(&name), self.0) {
                (field, Reading::Only(wanted)) if !field.is_some_and(|field| wanted.contains(field)) => {
                    map.next_value::<IgnoredAny>()?;
                }
                (Some(field), _) if !line.named.insert(field) => return Err(de::Error::duplicate_field(field.name())),
                (Some(field), reading) => {
                    let value_type = field.row().value;
                    let value = Value::read(value_type, &mut map, reading)?;
                    if !value.is_accepted(value_type, reading) {
                        let schema = value_type.schema().join(", ");
                        return Err(de::Error::custom(format_args!("`{field}` does not match its schema: {schema}")));
                    }
                    line.values[field as usize] = value;
                }
                (None, Reading::Strict { passthrough: true, .. }) => {
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
    let read = ResultLine::read(line, Reading::Only(FieldSet::of(|field| field == Field::Index)))?;
    Ok(read.number(Field::Index).filter(|&index| index > 0))
}

/// Returns the record number if it is the first field, which is the usual case.
fn index_at_start(line: &[u8]) -> Option<u64> {
    let rest = line.strip_prefix(b"{\"index\":")?;
    let digits = rest.iter().position(|byte| !byte.is_ascii_digit())?;
    // A number of 18 digits cannot overflow. The general reader reads longer numbers.
    if !(1..=18).contains(&digits) || !matches!(rest[digits], b',' | b'}') || !line.ends_with(b"}\n") {
        return None;
    }
    let number = rest[..digits].iter().fold(0, |number, digit| number * 10 + u64::from(digit - b'0'));
    (number > 0).then_some(number)
}
