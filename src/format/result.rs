//! A line of a results file, read back: the inverse of [`super::output`].
//!
//! Names are resolved by the table of fields. `verify` reads strictly: an unknown field, a wrong type or an unknown
//! status is an error. A report reads only the fields that it uses, and passes over all others, so that it can be made of
//! the results of later versions. A repeated field and anything behind the object are errors to both. Text is borrowed
//! from the line unless it is escaped.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{self, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::fields::{Field, FieldSet};
use super::status::Status;

/// The fields of a result, as they stand on its line.
#[derive(Default, Debug)]
#[allow(missing_docs, reason = "each is the field of its name in the table")]
pub struct ResultLine<'a> {
    pub index: Option<u64>,
    pub source: Option<Text<'a>>,
    pub line: Option<u64>,
    pub id: Option<&'a RawValue>,
    pub rows: Option<u64>,
    pub cols: Option<u64>,
    pub board: Option<Vec<u64>>,
    pub goal: Option<Vec<u64>>,
    pub status: Option<Text<'a>>,
    pub moves: Option<u64>,
    pub path: Option<Text<'a>>,
    pub optimal: Option<bool>,
    pub limit: Option<Text<'a>>,
    pub lower_bound: Option<u64>,
    pub error: Option<Text<'a>>,
    pub states: Option<Vec<Vec<u64>>>,
    pub engine: Option<Text<'a>>,
    pub heuristic: Option<Text<'a>>,
    pub nodes: Option<u64>,
    pub time_us: Option<u64>,
}

/// A text of the line.
#[derive(Deserialize, Debug)]
pub struct Text<'a>(#[serde(borrow)] pub Cow<'a, str>);

/// What is read of a line.
#[derive(Clone, Copy, Debug)]
pub enum Reading {
    /// All of it; a field or a status that is not known is an error.
    Strict,
    /// These fields; all others are passed over, whatever their values are.
    Only(FieldSet),
}

impl<'a> ResultLine<'a> {
    /// Reads a line.
    ///
    /// # Errors
    /// Why it is no result.
    pub fn read(line: &'a [u8], reading: Reading) -> Result<ResultLine<'a>, String> {
        if line.trim_ascii_start().first() != Some(&b'{') {
            return Err("is no result: it is no JSON object".into());
        }
        let mut json = serde_json::Deserializer::from_slice(line);
        let read = json.deserialize_map(LineVisitor(reading)).and_then(|read| json.end().map(|()| read));
        read.map_err(|error| format!("is no result: {error}"))
    }

    /// What became of the record. Without the field `status`, a path says that it was solved; `None`: nothing says it.
    ///
    /// # Errors
    /// The status, if it is none of those that there are.
    pub fn verdict(&self) -> Result<Option<Status>, &str> {
        match &self.status {
            Some(Text(name)) => Status::named(name).map(Some).ok_or(name),
            None => Ok(self.path.is_some().then_some(Status::Solved)),
        }
    }

    /// The first of its fields that cannot be on a result of this status.
    pub fn misplaced(&self, status: Status) -> Option<Field> {
        Field::ALL.into_iter().find(|&field| !field.row().presence.allows(status) && self.has(field))
    }

    /// Whether a field is on the line.
    pub fn has(&self, field: Field) -> bool {
        match field {
            Field::Index => self.index.is_some(),
            Field::Source => self.source.is_some(),
            Field::Line => self.line.is_some(),
            Field::Id => self.id.is_some(),
            Field::Rows => self.rows.is_some(),
            Field::Cols => self.cols.is_some(),
            Field::Board => self.board.is_some(),
            Field::Goal => self.goal.is_some(),
            Field::Status => self.status.is_some(),
            Field::Moves => self.moves.is_some(),
            Field::Path => self.path.is_some(),
            Field::Optimal => self.optimal.is_some(),
            Field::Limit => self.limit.is_some(),
            Field::LowerBound => self.lower_bound.is_some(),
            Field::Error => self.error.is_some(),
            Field::States => self.states.is_some(),
            Field::Engine => self.engine.is_some(),
            Field::Heuristic => self.heuristic.is_some(),
            Field::Nodes => self.nodes.is_some(),
            Field::TimeUs => self.time_us.is_some(),
        }
    }

    fn read_value<A: MapAccess<'a>>(&mut self, field: Field, map: &mut A) -> Result<(), A::Error> {
        match field {
            Field::Index => self.index = map.next_value()?,
            Field::Source => self.source = map.next_value()?,
            Field::Line => self.line = map.next_value()?,
            Field::Id => self.id = map.next_value()?,
            Field::Rows => self.rows = map.next_value()?,
            Field::Cols => self.cols = map.next_value()?,
            Field::Board => self.board = map.next_value()?,
            Field::Goal => self.goal = map.next_value()?,
            Field::Status => self.status = map.next_value()?,
            Field::Moves => self.moves = map.next_value()?,
            Field::Path => self.path = map.next_value()?,
            Field::Optimal => self.optimal = map.next_value()?,
            Field::Limit => self.limit = map.next_value()?,
            Field::LowerBound => self.lower_bound = map.next_value()?,
            Field::Error => self.error = map.next_value()?,
            Field::States => self.states = map.next_value()?,
            Field::Engine => self.engine = map.next_value()?,
            Field::Heuristic => self.heuristic = map.next_value()?,
            Field::Nodes => self.nodes = map.next_value()?,
            Field::TimeUs => self.time_us = map.next_value()?,
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
        let (mut line, mut seen) = (ResultLine::default(), FieldSet::default());
        while let Some(field) = map.next_key_seed(KeyVisitor(self.0))? {
            match (field, self.0) {
                (Some(field), _) if !seen.insert(field) => return Err(de::Error::duplicate_field(field.name())),
                (Some(Field::Status), Reading::Strict) => {
                    let status: Option<Status> = map.next_value()?;
                    line.status = status.map(|status| Text(status.name().into()));
                }
                (Some(field), _) => line.read_value(field, &mut map)?,
                (None, _) => _ = map.next_value::<IgnoredAny>()?,
            }
        }
        Ok(line)
    }
}

/// Resolves the name of a field; `None` for one that is to be passed over.
struct KeyVisitor(Reading);

impl<'de> DeserializeSeed<'de> for KeyVisitor {
    type Value = Option<Field>;

    fn deserialize<D: Deserializer<'de>>(self, key: D) -> Result<Option<Field>, D::Error> {
        key.deserialize_identifier(self)
    }
}

impl Visitor<'_> for KeyVisitor {
    type Value = Option<Field>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a field")
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<Option<Field>, E> {
        match (Field::named(name), self.0) {
            (None, Reading::Strict) => Err(E::unknown_field(name, Field::NAMES)),
            (field, Reading::Strict) => Ok(field),
            (field, Reading::Only(wanted)) => Ok(field.filter(|&field| wanted.contains(field))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Goal, Move, Path, Shape};
    use crate::format::output::{Detail, Fields, Row, Verdict, json_string};
    use crate::system::Limit;
    use serde_json::{Value, json};

    /// A result with every field that its verdict can have.
    fn written(verdict: Verdict<'_>) -> String {
        let goal = Goal::BlankLast.on(Shape::new(2, 2).unwrap()).unwrap();
        let board = goal.after(Move::Up).unwrap();
        let searched = !matches!(verdict, Verdict::Invalid(_) | Verdict::Failed(_));
        let row = Row {
            index: 7,
            source: &json_string("a \"b\".txt"),
            line: 12,
            id: Some("\"x\""),
            puzzle: (!matches!(verdict, Verdict::Invalid(_))).then_some((&board, &goal)),
            verdict,
            detail: searched.then_some(Detail { engine: "idastar", heuristic: Some("7-8"), nodes: 1, time_us: 2 }),
        };
        let mut out = Vec::new();
        row.write_json(&Fields::new(Field::ALL), &mut out);
        String::from_utf8(out).unwrap()
    }

    fn verdicts(path: &Path) -> [Verdict<'_>; 5] {
        [
            Verdict::Solved(path),
            Verdict::Unsolvable,
            Verdict::Unsolved { lower_bound: 5, limit: Limit::Memory },
            Verdict::Invalid("no board"),
            Verdict::Failed("oh"),
        ]
    }

    /// What was read of a field, as JSON.
    fn read_back(line: &ResultLine<'_>, field: Field) -> Value {
        let text = |text: &Option<Text<'_>>| json!(text.as_ref().map(|text| &text.0));
        match field {
            Field::Index => json!(line.index),
            Field::Source => text(&line.source),
            Field::Line => json!(line.line),
            Field::Id => serde_json::from_str(line.id.map_or("null", RawValue::get)).unwrap(),
            Field::Rows => json!(line.rows),
            Field::Cols => json!(line.cols),
            Field::Board => json!(line.board),
            Field::Goal => json!(line.goal),
            Field::Status => text(&line.status),
            Field::Moves => json!(line.moves),
            Field::Path => text(&line.path),
            Field::Optimal => json!(line.optimal),
            Field::Limit => text(&line.limit),
            Field::LowerBound => json!(line.lower_bound),
            Field::Error => text(&line.error),
            Field::States => json!(line.states),
            Field::Engine => text(&line.engine),
            Field::Heuristic => text(&line.heuristic),
            Field::Nodes => json!(line.nodes),
            Field::TimeUs => json!(line.time_us),
        }
    }

    #[test]
    fn every_field_that_is_written_is_read_back() {
        let path = "D".parse().unwrap();
        for verdict in verdicts(&path) {
            let (text, status) = (written(verdict), verdict.status());
            let object: Value = serde_json::from_str(&text).unwrap();
            let strict = ResultLine::read(text.as_bytes(), Reading::Strict).unwrap();
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

    /// A field is written with exactly those verdicts that the table allows; boards, with those that have one.
    #[test]
    fn the_table_says_with_which_verdicts_a_field_is_written() {
        let path = "D".parse().unwrap();
        for verdict in verdicts(&path) {
            let object: Value = serde_json::from_str(&written(verdict)).unwrap();
            for field in Field::ALL {
                let presence = field.row().presence;
                let expected = match presence {
                    crate::format::fields::Presence::Board => verdict.status() != Status::Invalid,
                    _ => presence.allows(verdict.status()),
                };
                assert_eq!(object.get(field.name()).is_some(), expected, "{field} of {object}");
            }
        }
    }

    #[test]
    fn what_is_not_asked_for_is_passed_over() {
        let only = Reading::Only(FieldSet::of(|field| field == Field::Moves));
        let read = |line: &'static str| ResultLine::read(line.as_bytes(), only);
        let line = read(r#"{"nodes":{},"nodes":[1],"colour":[[]],"moves":3,"status":7}"#).unwrap();
        assert_eq!((line.moves, line.has(Field::Nodes)), (Some(3), false));
        assert!(read(r#"{"moves":3,"moves":3}"#).unwrap_err().contains("duplicate field `moves`"));
        assert!(read(r#"{"moves":3}}"#).is_err());
        assert!(read("[3]").unwrap_err().contains("no JSON object"));
    }
}
