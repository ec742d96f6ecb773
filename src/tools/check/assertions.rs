//! Conditions on a set of boards, and their violations.

use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::board::Shape;
use crate::format::output::{Field, Fields};
use crate::format::result::ResultLine;
use crate::format::status::Status;
use crate::tools::generate::Repeats;
use crate::tools::text::counted;

/// The conditions on a set of boards. In addition, every record must be a valid board.
#[derive(Clone, Default, Debug)]
pub struct Assertions {
    /// The required shape of every board.
    pub shape: Option<Shape>,
    /// True if every board must have a solution.
    pub solvable: bool,
    /// The allowed lengths of shortest solutions, for boards that have one.
    pub moves: Option<RangeInclusive<u64>>,
    /// The allowed numbers of shortest solutions, for boards that have one.
    pub solutions: Option<RangeInclusive<u64>>,
    /// The rule against duplicates.
    pub unique: Repeats,
    /// The allowed numbers of records.
    pub count: Option<RangeInclusive<u64>>,
}

/// A condition on a set of boards or on each board of the set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Condition {
    /// Every record is a valid board.
    Valid,
    /// See [`Assertions::shape`].
    Shape,
    /// See [`Assertions::solvable`].
    Solvable,
    /// See [`Assertions::moves`].
    Moves,
    /// See [`Assertions::solutions`].
    Solutions,
    /// See [`Assertions::unique`].
    Unique,
    /// See [`Assertions::count`].
    Count,
}

impl Condition {
    /// All conditions, in the order in which they are checked. Each has its name and the words that
    /// follow the number of its violations, as in `3 invalid`. All but the last are about single
    /// records.
    pub const ALL: [(Condition, &'static str, &'static str); 7] = [
        (Condition::Valid, "valid", "invalid"),
        (Condition::Shape, "shape", "wrong shape"),
        (Condition::Solvable, "solvable", "unsolvable"),
        (Condition::Moves, "moves", "wrong length"),
        (Condition::Solutions, "solutions", "wrong number of solutions"),
        (Condition::Unique, "unique", "duplicate"),
        (Condition::Count, "count", "wrong count"),
    ];

    /// Returns the condition's name.
    pub const fn name(self) -> &'static str {
        Condition::ALL[self as usize].1
    }
}

/// The place of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordPlace {
    /// The file's name as shown.
    pub source: Arc<str>,
    /// The line on which the record starts.
    pub line: u64,
    /// The record's id as text, if it has one.
    pub id: Option<Arc<str>>,
}

impl RecordPlace {
    /// Returns the record's name within its file.
    pub fn short_name(&self) -> String {
        self.id.as_ref().map_or_else(|| format!("line {}", self.line), |id| id.to_string())
    }
}

/// Formats the file and the line, and the id if there is one.
impl fmt::Display for RecordPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.source, self.line)?;
        self.id.as_ref().map_or(Ok(()), |id| write!(f, ": {id}"))
    }
}

/// A violation of a condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The violated condition.
    pub condition: Condition,
    /// The place of the record, or `None` if the condition is about the whole set.
    pub place: Option<RecordPlace>,
    /// The message in one sentence.
    pub message: String,
}

impl Assertions {
    /// Returns the fields of results that the conditions need.
    pub fn fields(&self) -> Fields {
        let mut fields = vec![Field::Index, Field::Source, Field::Line, Field::Id, Field::Error];
        if self.shape.is_some() {
            fields.extend([Field::Rows, Field::Cols]);
        }
        if self.solvable {
            fields.push(Field::Solvable);
        }
        if self.moves.is_some() || self.solutions.is_some() {
            fields.extend([Field::Status, Field::Moves, Field::Optimal, Field::Limit, Field::LowerBound]);
        }
        if self.solutions.is_some() {
            fields.extend([Field::Solutions, Field::SolutionsAtLeast]);
        }
        match self.unique {
            Repeats::Allowed => {}
            Repeats::ExactAvoided => fields.push(Field::DuplicateOf),
            Repeats::ReflectionsAvoided => fields.extend([Field::DuplicateOf, Field::ReflectionOf]),
        }
        Fields::new(fields)
    }

    /// Returns the number of moves above which the exact length does not matter.
    pub fn max_moves(&self) -> Option<u64> {
        self.moves.as_ref().map(|range| *range.end())
    }

    /// Returns the cap for counting solutions: the largest allowed number, because a count ends
    /// when it exceeds its cap. `None` if the number has no upper limit.
    pub fn count_cap(&self) -> Option<u64> {
        self.solutions.as_ref().map(|range| *range.end()).filter(|&max| max < u64::MAX)
    }

    /// Returns true if the condition is required.
    pub fn has(&self, condition: Condition) -> bool {
        match condition {
            Condition::Valid => true,
            Condition::Shape => self.shape.is_some(),
            Condition::Solvable => self.solvable,
            Condition::Moves => self.moves.is_some(),
            Condition::Solutions => self.solutions.is_some(),
            Condition::Unique => self.unique != Repeats::Allowed,
            Condition::Count => self.count.is_some(),
        }
    }

    /// Checks the result of a record, and returns the violations in the order of
    /// [`Condition::ALL`]. `name_of` returns the name of an earlier record for messages.
    pub fn check(
        &self,
        place: &RecordPlace,
        result: &ResultLine<'_>,
        name_of: &dyn Fn(u64) -> String,
    ) -> Vec<Violation> {
        let violation = |condition, message| Violation { condition, place: Some(place.clone()), message };
        if let Some(why) = result.text(Field::Error) {
            return vec![violation(Condition::Valid, format!("not a valid board: {why}"))];
        }
        let is_unsolvable = self.solvable && result.flag(Field::Solvable) == Some(false);
        let messages = [
            (Condition::Shape, self.shape.and_then(|shape| shape_violation(result, shape))),
            (Condition::Solvable, is_unsolvable.then(|| "unsolvable: the goal cannot be reached".into())),
            (Condition::Moves, self.moves.as_ref().and_then(|range| moves_violation(result, range))),
            (Condition::Solutions, self.solutions.as_ref().and_then(|range| solutions_violation(result, range))),
            (Condition::Unique, duplicate_violation(result, name_of)),
        ];
        messages.into_iter().filter_map(|(condition, message)| Some(violation(condition, message?))).collect()
    }

    /// Returns a violation if the number of records is not allowed. An empty set is a violation
    /// unless `count` allows it.
    pub fn check_count(&self, records: u64) -> Option<Violation> {
        let message = match &self.count {
            Some(range) if range.contains(&records) => return None,
            Some(range) => format!("{}, expected {}", counted(records, "record"), shown(range)),
            None if records > 0 => return None,
            None => "no records: nothing was checked (use --count 0 if none are expected)".into(),
        };
        Some(Violation { condition: Condition::Count, place: None, message })
    }
}

/// Returns the proven length of a board's shortest solutions, or the limit and the lower bound if
/// no solution is proven shortest. `None` if the board has no solution.
fn length<'a>(result: &'a ResultLine<'_>) -> Option<Result<u64, (&'a str, u64)>> {
    let bound = || result.number(Field::LowerBound).unwrap_or(0);
    let unsolved = || Some(Err((result.text(Field::Limit).unwrap_or("effort"), bound())));
    match result.status().ok()?? {
        Status::Solved if result.flag(Field::Optimal) == Some(false) => unsolved(),
        Status::Solved => result.number(Field::Moves).map(Ok),
        Status::Unsolved => unsolved(),
        _ => None,
    }
}

/// Returns a message if the shape of a board is not the expected one.
fn shape_violation(result: &ResultLine<'_>, expected: Shape) -> Option<String> {
    let (rows, cols) = (result.number(Field::Rows)?, result.number(Field::Cols)?);
    let is_right = (rows, cols) == (expected.rows() as u64, expected.cols() as u64);
    (!is_right).then(|| format!("a {rows}x{cols} board, expected {expected}"))
}

/// Returns a message if the length of a board's shortest solution is out of range or not proven.
fn moves_violation(result: &ResultLine<'_>, range: &RangeInclusive<u64>) -> Option<String> {
    match length(result)? {
        Ok(moves) if range.contains(&moves) => None,
        Ok(moves) => Some(format!("needs {}, expected {}", counted(moves, "move"), shown(range))),
        Err((_, bound)) if bound > *range.end() => {
            Some(format!("needs at least {}, expected {}", counted(bound, "move"), shown(range)))
        }
        Err((limit, bound)) => {
            let bound = counted(bound, "move");
            Some(format!("no proven shortest solution (limit: {limit}): needs at least {bound}"))
        }
    }
}

/// Returns a message if the number of a board's shortest solutions is out of range or not proven to
/// be in it.
fn solutions_violation(result: &ResultLine<'_>, range: &RangeInclusive<u64>) -> Option<String> {
    if let Err((limit, _)) = length(result)? {
        return Some(format!("no proven shortest solution (limit: {limit})"));
    }
    let solutions = |paths| counted(paths, "shortest solution");
    match (result.number(Field::Solutions), result.number(Field::SolutionsAtLeast)) {
        (Some(paths), _) if range.contains(&paths) => None,
        (Some(paths), _) => Some(format!("has {}, expected {}", solutions(paths), shown(range))),
        (None, Some(paths)) if paths >= *range.start() && *range.end() == u64::MAX => None,
        (None, Some(paths)) if paths > *range.end() => {
            Some(format!("has at least {}, expected {}", solutions(paths), shown(range)))
        }
        (None, paths) => {
            let found = solutions(paths.unwrap_or(0));
            Some(format!("has at least {found} (not all counted), expected {}", shown(range)))
        }
    }
}

/// Returns a message if a board is a duplicate or could not be compared with all earlier boards.
fn duplicate_violation(result: &ResultLine<'_>, name_of: &dyn Fn(u64) -> String) -> Option<String> {
    if let Some(earlier) = result.number(Field::DuplicateOf) {
        Some(format!("the same board as {}", name_of(earlier)))
    } else if result.has(Field::DuplicateOf) {
        Some("not compared with all earlier boards: not enough memory (see --memory)".into())
    } else {
        result.number(Field::ReflectionOf).map(|earlier| format!("a reflection of the board of {}", name_of(earlier)))
    }
}

/// Formats a range as it is typed on the command line.
fn shown(range: &RangeInclusive<u64>) -> String {
    match (*range.start(), *range.end()) {
        (min, max) if min == max => min.to_string(),
        (min, u64::MAX) => format!("{min}.."),
        (0, max) => format!("..{max}"),
        (min, max) => format!("{min}..{max}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::result::ReadMode;

    #[test]
    fn conditions_are_in_the_order_of_their_table() {
        for (at, (condition, name, _)) in Condition::ALL.into_iter().enumerate() {
            assert_eq!((condition as usize, condition.name()), (at, name));
        }
    }

    #[test]
    fn ranges_are_shown_as_they_are_typed() {
        let texts = [3..=3, 3..=9, 3..=u64::MAX, 0..=9].map(|range| shown(&range));
        assert_eq!(texts, ["3", "3..9", "3..", "..9"]);
    }

    #[test]
    fn lengths_are_checked_for_boards_with_a_solution() {
        let violation = |line: &'static str| {
            moves_violation(&ResultLine::read(line.as_bytes(), ReadMode::STRICT).unwrap(), &(2..=4))
        };
        assert_eq!(violation(r#"{"status":"solved","moves":2,"optimal":true}"#), None);
        assert_eq!(violation(r#"{"status":"unsolvable"}"#), None);
        assert_eq!(violation(r#"{"status":"solved","moves":1}"#).unwrap(), "needs 1 move, expected 2..4");
        assert_eq!(violation(r#"{"status":"solved","moves":5}"#).unwrap(), "needs 5 moves, expected 2..4");
        let unsolved = r#"{"status":"unsolved","limit":"time","lower_bound":5}"#;
        assert_eq!(violation(unsolved).unwrap(), "needs at least 5 moves, expected 2..4");
        let unsolved = r#"{"status":"unsolved","limit":"time","lower_bound":4}"#;
        assert_eq!(violation(unsolved).unwrap(), "no proven shortest solution (limit: time): needs at least 4 moves");
        let unproven = r#"{"status":"solved","moves":3,"optimal":false,"lower_bound":1}"#;
        assert_eq!(violation(unproven).unwrap(), "no proven shortest solution (limit: effort): needs at least 1 move");
    }

    #[test]
    fn an_incomplete_count_is_a_lower_bound() {
        let violation = |fields: &str, range: RangeInclusive<u64>| {
            let line = format!("{{\"status\":\"solved\",\"moves\":3,{fields}}}");
            let result = ResultLine::read(line.as_bytes(), ReadMode::STRICT).unwrap();
            solutions_violation(&result, &range)
        };
        assert_eq!(violation(r#""solutions":1"#, 1..=1), None);
        assert_eq!(violation(r#""solutions":2"#, 1..=1).unwrap(), "has 2 shortest solutions, expected 1");
        let at_least = violation(r#""solutions_at_least":2"#, 1..=1);
        assert_eq!(at_least.unwrap(), "has at least 2 shortest solutions, expected 1");
        assert_eq!(violation(r#""solutions_at_least":7"#, 5..=u64::MAX), None);
        assert!(violation(r#""solutions_at_least":7"#, 9..=20).unwrap().contains("not all counted"));
    }

    #[test]
    fn a_board_that_was_not_compared_is_a_violation() {
        let found = |line: &'static str| {
            let result = ResultLine::read(line.as_bytes(), ReadMode::STRICT).unwrap();
            duplicate_violation(&result, &|index| format!("record {index}"))
        };
        assert_eq!(found(r#"{"index":4}"#), None);
        assert_eq!(found(r#"{"index":4,"duplicate_of":3}"#).unwrap(), "the same board as record 3");
        assert_eq!(found(r#"{"index":4,"reflection_of":3}"#).unwrap(), "a reflection of the board of record 3");
        assert!(found(r#"{"index":4,"duplicate_of":null}"#).unwrap().starts_with("not compared"));
    }
}
