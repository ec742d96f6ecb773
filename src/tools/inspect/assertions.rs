//! What is asserted of a set of boards, and what violates it.

use std::ops::RangeInclusive;
use std::sync::Arc;

use super::duplicates::{Occurrence, Place};
use super::facts::{Requested, Status};
use super::sink::Examined;
use crate::board::Shape;
use crate::tools::labels::PathCount;
use crate::tools::text::counted;

/// What is asserted. Every record is to be a board in any case.
#[derive(Clone, Default, Debug)]
pub struct Assertions {
    /// Every board has this shape.
    pub shape: Option<Shape>,
    /// Every board has a solution.
    pub solvable: bool,
    /// The fewest moves of every board that has one are in this range.
    pub moves: Option<RangeInclusive<u64>>,
    /// So is the number of its shortest solutions.
    pub solutions: Option<RangeInclusive<u64>>,
    /// No board occurs again.
    pub unique: Option<Uniqueness>,
    /// The number of records is in this range.
    pub count: Option<RangeInclusive<u64>>,
}

/// When a board counts as a duplicate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Uniqueness {
    /// With the same goal.
    Boards,
    /// Or as a reflection that keeps the goal.
    Reflections,
}

/// A thing that is asserted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Condition {
    /// Every record is a board.
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
    /// Every one that is about single records, in the order in which they are checked.
    pub const OF_RECORDS: [Condition; 6] = [
        Condition::Valid,
        Condition::Shape,
        Condition::Solvable,
        Condition::Moves,
        Condition::Solutions,
        Condition::Unique,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Condition::Valid => "valid",
            Condition::Shape => "shape",
            Condition::Solvable => "solvable",
            Condition::Moves => "moves",
            Condition::Solutions => "solutions",
            Condition::Unique => "unique",
            Condition::Count => "count",
        }
    }
}

/// An assertion that does not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// What does not hold.
    pub condition: Condition,
    /// The record; `None`: all of them together.
    pub place: Option<Place>,
    /// In one sentence.
    pub message: String,
}

impl Assertions {
    /// What has to be found out of every record.
    pub fn requested(&self) -> Requested {
        Requested {
            path: self.moves.is_some() || self.solutions.is_some(),
            canonical: false,
            path_count: self.solutions.is_some(),
            most_moves: self.moves.as_ref().map(|range| *range.end()),
            bounds: false,
            digests: self.unique.is_some(),
            estimate: false,
        }
    }

    /// Where a count of solutions may end: behind the last number that is right.
    pub fn count_cap(&self) -> Option<u64> {
        self.solutions.as_ref().map(|range| *range.end()).filter(|&most| most < u64::MAX)
    }

    /// True for what is asserted.
    pub fn has(&self, condition: Condition) -> bool {
        match condition {
            Condition::Valid => true,
            Condition::Shape => self.shape.is_some(),
            Condition::Solvable => self.solvable,
            Condition::Moves => self.moves.is_some(),
            Condition::Solutions => self.solutions.is_some(),
            Condition::Unique => self.unique.is_some(),
            Condition::Count => self.count.is_some(),
        }
    }

    /// Reports every violation by a record, in the order of [`Condition::OF_RECORDS`].
    pub fn check(&self, examined: &Examined<'_>, report: &mut dyn FnMut(Violation)) {
        let mut violation = |condition, message| report(Violation { condition, place: Some(examined.place), message });
        let facts = examined.facts;
        match &facts.status {
            Status::Invalid(why) => return violation(Condition::Valid, format!("no board: {why}")),
            Status::Failed(why) => {
                return violation(Condition::Valid, format!("not checked, by a fault of ours: {why}"));
            }
            _ => {}
        }
        if let (Some(expected), Some((board, _))) = (self.shape, &facts.puzzle)
            && board.shape() != expected
        {
            violation(Condition::Shape, format!("a {} board, expected {expected}", board.shape()));
        }
        if self.solvable && facts.status == Status::Unsolvable {
            violation(Condition::Solvable, "no moves lead to the goal".into());
        }
        if let Some(range) = &self.moves
            && let Some(why) = moves_violation(&facts.status, range)
        {
            violation(Condition::Moves, why);
        }
        if let Some(range) = &self.solutions
            && let Some(why) = solutions_violation(&facts.status, range)
        {
            violation(Condition::Solutions, why);
        }
        if let (Some(uniqueness), Some(occurrence)) = (self.unique, examined.occurrence)
            && let Some(why) = duplicate(occurrence, uniqueness, examined.sources)
        {
            violation(Condition::Unique, why);
        }
    }

    /// What is wrong with the number of records. A set without records is an error unless that was asserted.
    pub fn check_count(&self, records: u64) -> Option<Violation> {
        let message = match &self.count {
            Some(range) if range.contains(&records) => return None,
            Some(range) => format!("{}, expected {}", counted(records, "record"), shown(range)),
            None if records > 0 => return None,
            None => "no records: nothing was checked (--count 0 where there are to be none)".into(),
        };
        Some(Violation { condition: Condition::Count, place: None, message })
    }
}

/// What is wrong with the moves of a board, if it has a solution.
fn moves_violation(status: &Status, range: &RangeInclusive<u64>) -> Option<String> {
    match status {
        Status::Solved { path, .. } if range.contains(&(path.len() as u64)) => None,
        Status::Solved { path, .. } => {
            Some(format!("needs {}, expected {}", counted(path.len() as u64, "move"), shown(range)))
        }
        Status::Unsolved { lower_bound, .. } if lower_bound > range.end() => {
            Some(format!("needs at least {}, expected {}", counted(*lower_bound, "move"), shown(range)))
        }
        Status::Unsolved { lower_bound, limit } => {
            Some(format!("not solved within its limit of {}: at least {}", limit.name(), counted(*lower_bound, "move")))
        }
        _ => None,
    }
}

/// What is wrong with the number of shortest solutions of a board, if it has any.
fn solutions_violation(status: &Status, range: &RangeInclusive<u64>) -> Option<String> {
    let Status::Solved { shortest_paths: Some(paths), .. } = status else {
        return match status {
            Status::Unsolved { limit, .. } => Some(format!("not solved within its limit of {}", limit.name())),
            _ => None,
        };
    };
    match paths.count {
        PathCount::Exactly(paths) if range.contains(&paths) => None,
        PathCount::Exactly(paths) => {
            Some(format!("has {}, expected {}", counted(paths, "shortest solution"), shown(range)))
        }
        PathCount::AtLeast(paths, _) if paths >= *range.start() && *range.end() == u64::MAX => None,
        PathCount::AtLeast(paths, _) if paths > *range.end() => {
            Some(format!("has {} or more, expected {}", counted(paths, "shortest solution"), shown(range)))
        }
        PathCount::AtLeast(paths, limit) => {
            let why = limit.name();
            Some(format!(
                "{} were counted within the limit of {why}, expected {}",
                counted(paths, "shortest solution"),
                shown(range)
            ))
        }
    }
}

/// That a board is a duplicate, or that this is not known.
fn duplicate(occurrence: Occurrence, uniqueness: Uniqueness, sources: &[Arc<str>]) -> Option<String> {
    let at = |place: Place| format!("record {} ({}:{})", place.index, sources[place.source as usize], place.line);
    match (occurrence, uniqueness) {
        (Occurrence::DuplicateOf(first), _) => Some(format!("the same board as {}", at(first))),
        (Occurrence::ReflectionOf(first), Uniqueness::Reflections) => {
            Some(format!("a reflection of the board of {}", at(first)))
        }
        (Occurrence::Unknown, _) => {
            Some("not compared with all boards before it: there is no room to keep more (--memory)".into())
        }
        (Occurrence::New | Occurrence::ReflectionOf(_), _) => None,
    }
}

/// A range as it can be typed.
fn shown(range: &RangeInclusive<u64>) -> String {
    match (*range.start(), *range.end()) {
        (least, most) if least == most => least.to_string(),
        (least, u64::MAX) => format!("{least}.."),
        (0, most) => format!("..{most}"),
        (least, most) => format!("{least}..{most}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::Limit;
    use crate::tools::labels::{CountLimit, ShortestPaths};

    #[test]
    fn ranges_are_shown_as_they_are_typed() {
        let all = [3..=3, 3..=9, 3..=u64::MAX, 0..=9].map(|range| shown(&range));
        assert_eq!(all, ["3", "3..9", "3..", "..9"]);
    }

    #[test]
    fn moves_are_those_of_boards_with_a_solution() {
        let solved = |letters: &str| Status::Solved { path: letters.parse().unwrap(), shortest_paths: None };
        let violation = |status: Status| moves_violation(&status, &(2..=4));
        assert_eq!((violation(solved("DL")), violation(Status::Unsolvable)), (None, None));
        assert_eq!(violation(solved("D")).unwrap(), "needs 1 move, expected 2..4");
        assert_eq!(violation(solved("DLDLD")).unwrap(), "needs 5 moves, expected 2..4");
        let unsolved = |lower_bound| violation(Status::Unsolved { lower_bound, limit: Limit::Time }).unwrap();
        assert_eq!(unsolved(5), "needs at least 5 moves, expected 2..4");
        assert_eq!(unsolved(4), "not solved within its limit of time: at least 4 moves");
    }

    #[test]
    fn incomplete_counts_prove_what_they_can() {
        let violation = |count, range: RangeInclusive<u64>| {
            let shortest_paths = Some(ShortestPaths { count, beginning: None });
            solutions_violation(&Status::Solved { path: Default::default(), shortest_paths }, &range)
        };
        assert_eq!(violation(PathCount::Exactly(1), 1..=1), None);
        assert_eq!(violation(PathCount::Exactly(2), 1..=1).unwrap(), "has 2 shortest solutions, expected 1");
        assert_eq!(
            violation(PathCount::AtLeast(2, CountLimit::Cap), 1..=1).unwrap(),
            "has 2 shortest solutions or more, expected 1"
        );
        assert_eq!(violation(PathCount::AtLeast(7, CountLimit::Cap), 5..=u64::MAX), None);
        assert!(
            violation(PathCount::AtLeast(7, CountLimit::Limit(Limit::Time)), 9..=20).unwrap().contains("limit of time")
        );
    }
}
