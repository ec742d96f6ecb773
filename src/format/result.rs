//! Reads a line of a results file; the inverse of [`super::output`].
//!
//! Names and types are defined by the table of fields. `verify` reads strictly: an unknown field, a
//! value that the schema does not allow, or null instead of a value is an error. A report reads
//! only the fields that it uses and skips all others, so it can read the results of later versions.
//! Both reject duplicate fields and data after the object. Text is borrowed from the line unless it
//! is escaped.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use serde::Deserialize;
use serde::de::{self, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::field_table::{ValueType, is_heuristic};
use super::fields::{Field, FieldSet};
use super::status::Status;
use crate::board::Shape;

/// The fields of a result.
#[derive(Debug)]
pub struct ResultLine<'a> {
    values: [Value<'a>; Field::COUNT],
    /// The fields that are present in the line, even as null or as an empty column.
    named: FieldSet,
    /// Passthrough fields, if they are read.
    own: Vec<(Cow<'a, str>, &'a RawValue)>,
}

/// The value of a field, by its type in the table.
#[derive(Debug)]
enum Value<'a> {
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

/// A text of the line.
#[derive(Deserialize, Debug)]
pub struct Text<'a>(#[serde(borrow)] pub Cow<'a, str>);

/// The parts of a line that are read.
#[derive(Clone, Copy, Debug)]
pub enum Reading {
    /// Everything; an unknown field or a value that the schema does not allow is an error.
    Strict {
        /// True if passthrough fields are read as well.
        own: bool,
        /// True if the line was converted from CSV, so that null is an empty column.
        csv: bool,
    },
    /// These fields; all others are skipped, whatever their values are.
    Only(FieldSet),
}

impl Reading {
    /// JSON Lines without passthrough fields.
    pub const STRICT: Reading = Reading::Strict { own: false, csv: false };
}

impl<'a> ResultLine<'a> {
    /// Creates a line without fields.
    fn empty() -> ResultLine<'a> {
        ResultLine { values: [const { Value::Absent }; Field::COUNT], named: FieldSet::default(), own: Vec::new() }
    }

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
    pub fn verdict(&self) -> Result<Option<Status>, &str> {
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
    pub fn own(&self) -> impl Iterator<Item = (&str, &'a str)> {
        self.own.iter().map(|(name, value)| (&**name, value.get()))
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

    fn read_value<A: MapAccess<'a>>(&mut self, field: Field, map: &mut A, reading: Reading) -> Result<(), A::Error> {
        let row = field.row();
        let is_csv = matches!(reading, Reading::Strict { csv: true, .. });
        let value = match row.value {
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
        let value = value.unwrap_or(Value::Absent);
        let is_allowed = match reading {
            // A board that was copied from a record may be text.
            Reading::Strict { own, csv } => match (&value, row.value) {
                (Value::Absent, ValueType::Tiles) => csv || own,
                (Value::Absent, _) => csv,
                (Value::Text(_), ValueType::Tiles) => own,
                _ => value.is_allowed(row.value),
            },
            Reading::Only(_) => true,
        };
        if !is_allowed {
            let schema = row.value.schema().join(", ");
            return Err(de::Error::custom(format_args!("`{field}` does not match its schema: {schema}")));
        }
        self.values[field as usize] = value;
        Ok(())
    }
}

impl Value<'_> {
    /// Returns true if the schema allows this value, whose JSON type is correct. Paths are not
    /// checked here, because they depend on their boards.
    fn is_allowed(&self, schema: ValueType) -> bool {
        match (self, schema) {
            (Value::Absent, _) => false,
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

/// Reads the labels of a board: an array, or an array of rows. Text is a board that was copied from
/// the record.
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

/// Reads a label, or the labels of a row.
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

struct LineVisitor(Reading);

impl<'de> Visitor<'de> for LineVisitor {
    type Value = ResultLine<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a result")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ResultLine<'de>, A::Error> {
        let (mut line, mut seen_own) = (ResultLine::empty(), HashSet::new());
        while let Some(key) = map.next_key_seed(KeyVisitor(self.0))? {
            let field = match key {
                Key::Known(field) => Some(field),
                Key::Skipped => None,
                Key::Passthrough(name) => {
                    if !seen_own.insert(name.clone()) {
                        return Err(de::Error::custom(format_args!("duplicate field `{name}`")));
                    }
                    line.own.push((name, map.next_value()?));
                    continue;
                }
            };
            match field {
                Some(field) if !line.named.insert(field) => return Err(de::Error::duplicate_field(field.name())),
                Some(field) => line.read_value(field, &mut map, self.0)?,
                None => _ = map.next_value::<IgnoredAny>()?,
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
    let is_whole = (1..=18).contains(&digits) && matches!(rest[digits], b',' | b'}') && line.ends_with(b"}\n");
    let number = rest[..digits].iter().fold(0, |number, digit| number * 10 + u64::from(digit - b'0'));
    (is_whole && number > 0).then_some(number)
}

/// The name of a field.
enum Key<'a> {
    Known(Field),
    Skipped,
    Passthrough(Cow<'a, str>),
}

/// Resolves the name of a field.
struct KeyVisitor(Reading);

impl<'de> DeserializeSeed<'de> for KeyVisitor {
    type Value = Key<'de>;

    fn deserialize<D: Deserializer<'de>>(self, key: D) -> Result<Key<'de>, D::Error> {
        key.deserialize_identifier(self)
    }
}

impl<'de> Visitor<'de> for KeyVisitor {
    type Value = Key<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a field")
    }

    fn visit_borrowed_str<E: de::Error>(self, name: &'de str) -> Result<Key<'de>, E> {
        match (Field::named(name), self.0) {
            (None, Reading::Strict { own: true, .. }) => Ok(Key::Passthrough(name.into())),
            _ => self.visit_str(name),
        }
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<Key<'de>, E> {
        match (Field::named(name), self.0) {
            (None, Reading::Strict { own: false, .. }) => Err(E::unknown_field(name, Field::NAMES)),
            (None, Reading::Strict { own: true, .. }) => Ok(Key::Passthrough(name.to_owned().into())),
            (Some(field), Reading::Strict { .. }) => Ok(Key::Known(field)),
            (Some(field), Reading::Only(wanted)) if wanted.contains(field) => Ok(Key::Known(field)),
            (_, Reading::Only(_)) => Ok(Key::Skipped),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Value as Read;
    use super::*;
    use crate::board::{Beginning, Goal, Move, Path, PathList};
    use crate::format::field_table::Presence;
    use crate::format::output::{
        AllPaths, Detail, Expected, Fields, Occurrence, PathTotal, Row, Verdict, fill, json_string,
    };
    use crate::system::Limit;
    use serde_json::{Value, json};

    /// Writes a result with every field that its verdict can have.
    fn written(verdict: Verdict<'_>) -> String {
        let goal = Goal::BlankLast.on(Shape::new(2, 2).unwrap()).unwrap();
        let board = goal.after(Move::Up).unwrap();
        let all = match verdict {
            Verdict::Solved(path) => Some(AllPaths {
                count: PathTotal::Exactly(1),
                list: Some(PathList::only(path, usize::MAX)),
                beginning: Some(Beginning::new(path.moves().collect(), 1)),
            }),
            _ => None,
        };
        let searched = !matches!(verdict, Verdict::Invalid(_) | Verdict::Failed(_));
        let source = json_string("a \"b\".txt");
        let row = Row {
            id: Some("\"x\""),
            puzzle: (!matches!(verdict, Verdict::Invalid(_))).then_some((&board, &goal)),
            detail: searched.then_some(Detail {
                engine: "idastar",
                heuristic: Some("7-8"),
                nodes: 9,
                time_us: 2,
                iterations: &[(1, 2), (3, 7)],
            }),
            all: all.as_ref(),
            linear_conflict: searched.then_some(3),
            expected: searched.then_some(Expected { nodes: 5, search: Some((6, 7, "7-8")) }),
            ..Row::bare(7, &source, 12, verdict)
        };
        let mut out = Vec::new();
        let fields = Fields::new(Field::ALL);
        row.write_json(&fields, &mut out);
        let mut filled = Vec::new();
        fill(&out, false, fields.of_earlier_records(), || Occurrence::DuplicateOf(2), &mut filled);
        String::from_utf8(filled).unwrap()
    }

    fn verdicts(path: &Path) -> [Verdict<'_>; 6] {
        [
            Verdict::Solved(path),
            Verdict::Found { path, lower_bound: 0, limit: Some(Limit::Time) },
            Verdict::Unsolvable,
            Verdict::Unsolved { lower_bound: 5, limit: Limit::Memory },
            Verdict::Invalid("no board"),
            Verdict::Failed("oh"),
        ]
    }

    /// Returns the value read for a field, as JSON.
    fn read_back(line: &ResultLine<'_>, field: Field) -> Value {
        match &line.values[field as usize] {
            Read::Absent | Read::Unknown => Value::Null,
            Read::Number(number) => json!(number),
            Read::Flag(flag) => json!(flag),
            Read::Text(text) => json!(text),
            Read::Raw(raw) => serde_json::from_str(raw.get()).unwrap(),
            Read::Tiles(labels) => json!(labels),
            Read::Boards(boards) => json!(boards),
            Read::Texts(texts) => json!(texts.iter().map(|text| &*text.0).collect::<Vec<_>>()),
        }
    }

    #[test]
    fn every_field_that_is_written_is_read_back() {
        let path = "D".parse().unwrap();
        for verdict in verdicts(&path) {
            let (text, status) = (written(verdict), verdict.status());
            let object: Value = serde_json::from_str(&text).unwrap();
            let strict = ResultLine::read(text.as_bytes(), Reading::STRICT).unwrap();
            assert_eq!((strict.verdict(), strict.misplaced(status)), (Ok(Some(status)), None), "{text}");
            for field in Field::ALL {
                let expected = object.get(field.name()).unwrap_or(&Value::Null);
                assert_eq!(read_back(&strict, field), *expected, "{field} of {text}");
                let only = Reading::Only(FieldSet::of(|other| other == field));
                let only = ResultLine::read(text.as_bytes(), only).unwrap();
                assert_eq!(read_back(&only, field), *expected, "{field} of {text}");
                for other in Field::ALL {
                    assert_eq!(only.has(other), other == field && *expected != Value::Null, "{other} of {text}");
                }
            }
            assert_eq!(
                object.as_object().unwrap().len(),
                Field::ALL.into_iter().filter(|&field| strict.has(field)).count()
            );
        }
    }

    /// A field is written for exactly the verdicts that the table allows.
    #[test]
    fn fields_are_written_for_the_verdicts_in_the_table() {
        let path = "D".parse().unwrap();
        for verdict in verdicts(&path) {
            let object: Value = serde_json::from_str(&written(verdict)).unwrap();
            for field in Field::ALL {
                let presence = field.row().presence;
                let expected = match presence {
                    Presence::Board => verdict.status() != Status::Invalid,
                    // A proven result has no limit.
                    Presence::Proven => matches!(verdict, Verdict::Solved(_)),
                    Presence::Uncounted | Presence::Reflected => false,
                    Presence::Begun => matches!(verdict, Verdict::Solved(_)),
                    Presence::Solvable | Presence::Estimated | Presence::Sampled => {
                        !matches!(verdict.status(), Status::Invalid | Status::Error)
                    }
                    Presence::Repeated => verdict.status() != Status::Invalid,
                    Presence::Limited => presence.allows(verdict.status()) && !matches!(verdict, Verdict::Solved(_)),
                    _ => presence.allows(verdict.status()),
                };
                assert_eq!(object.get(field.name()).is_some(), expected, "{field} of {object}");
            }
        }
    }

    #[test]
    fn lines_that_are_not_results_are_refused() {
        let deep = format!("{{\"states\":{}", "[".repeat(100_000));
        let wrong = [
            "",
            "null",
            "[]",
            "{\"index\":-1}",
            "{\"index\":18446744073709551616}",
            "{\"index\":1.5}",
            "{\"status\":\"Solved\"}",
            "{\"status\":1}",
            "{\"moves\":null}",
            "{\"id\":null}",
            "{\"id\":true}",
            "{\"index\":0}",
            "{\"rows\":256}",
            "{\"solutions\":0}",
            "{\"engine\":\"nonsense\"}",
            "{\"heuristic\":\"7_8\"}",
            "{\"first_moves\":\"X\"}",
            "{\"limit\":\"fun\"}",
            "{\"iterations\":[[9]]}",
            "{\"colour\":1}",
            "{\"path\":\"U\",\"path\":\"D\"}",
            "{\"path\":null,\"path\":\"D\"}",
            "{\"path\":\"U\"}{}",
            "{\"path\":\"\\ud800\"}",
            "{\"path\":\"U",
            &deep,
        ];
        for line in wrong {
            assert!(read(line.as_bytes()).unwrap_err().contains("not a result"), "{line:.40}");
        }
        assert!(read(b"{\"path\":\"\xff\"}").is_err());
    }

    /// Errors have the words of a struct with derived `Deserialize`.
    #[test]
    fn unknown_and_repeated_fields_are_named() {
        let why = |line: &'static str| read(line.as_bytes()).unwrap_err();
        assert!(
            why("{\"colour\":1}")
                .starts_with("is not a result: unknown field `colour`, expected one of `index`, `source`")
        );
        assert!(why("{\"colour\":1}").ends_with("`iterations` at line 1 column 9"));
        assert_eq!(why("{\"line\":1,\"line\":2}"), "is not a result: duplicate field `line` at line 1 column 16");
        assert_eq!(
            why("{\"status\":\"Solved\"}"),
            "is not a result: `status` does not match its schema: \"enum\": [\"solved\", \"unsolvable\", \
             \"unsolved\", \"invalid\", \"error\"] at line 1 column 19"
        );
    }

    #[test]
    fn fields_belong_to_statuses() {
        let claim = |line: &'static str| read(line.as_bytes()).unwrap();
        assert_eq!(claim("{}").verdict(), Ok(None));
        assert_eq!(claim("{\"path\":\"U\"}").verdict(), Ok(Some(Status::Solved)));
        assert_eq!(claim("{\"path\":\"U\",\"moves\":1}").misplaced(Status::Solved), None);
        assert_eq!(claim("{\"path\":\"U\",\"moves\":1}").misplaced(Status::Unsolvable), Some(Field::Moves));
        assert_eq!(claim("{\"limit\":\"time\",\"error\":\"x\"}").misplaced(Status::Unsolved), Some(Field::Error));
        assert_eq!(claim("{\"error\":\"x\",\"engine\":\"good\"}").misplaced(Status::Invalid), Some(Field::Engine));
    }

    #[test]
    fn fields_that_are_not_requested_are_skipped() {
        let only = Reading::Only(FieldSet::of(|field| field == Field::Moves));
        let read = |line: &'static str| ResultLine::read(line.as_bytes(), only);
        let line = read(r#"{"nodes":{},"nodes":[1],"colour":[[]],"moves":3,"status":7}"#).unwrap();
        assert_eq!((line.number(Field::Moves), line.has(Field::Nodes)), (Some(3), false));
        assert!(read(r#"{"moves":3,"moves":3}"#).unwrap_err().contains("duplicate field `moves`"));
        assert!(read(r#"{"moves":3}}"#).is_err());
        assert!(read("[3]").unwrap_err().contains("not a JSON object"));
    }

    fn read(line: &[u8]) -> Result<ResultLine<'_>, String> {
        ResultLine::read(line, Reading::STRICT)
    }
}
