//! What is asserted of a set of boards, and what contradicts it.

use std::ops::RangeInclusive;
use std::sync::Arc;

use super::{Again, Examined, Place, Solutions, Standing, Wanted};
use crate::board::Shape;

/// What is asserted. Every record is to be a board in any case.
#[derive(Clone, Default, Debug)]
pub struct Rules {
    /// Every board has this shape.
    pub shape: Option<Shape>,
    /// Every board has a solution.
    pub solvable: bool,
    /// The fewest moves of every board that has one are in this range.
    pub moves: Option<RangeInclusive<u64>>,
    /// So is the number of its shortest solutions.
    pub solutions: Option<RangeInclusive<u64>>,
    /// No board comes again.
    pub distinct: Option<Distinct>,
    /// The number of records is in this range.
    pub count: Option<RangeInclusive<u64>>,
}

/// When a board has come again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Distinct {
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
    /// See [`Rules::shape`].
    Shape,
    /// See [`Rules::solvable`].
    Solvable,
    /// See [`Rules::moves`].
    Moves,
    /// See [`Rules::solutions`].
    Solutions,
    /// See [`Rules::distinct`].
    Unique,
    /// See [`Rules::count`].
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

/// A contradiction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Breach {
    /// To what.
    pub condition: Condition,
    /// The record; `None`: all of them together.
    pub place: Option<Place>,
    /// In one sentence.
    pub why: String,
}

impl Rules {
    /// What has to be found out of every record.
    pub fn wanted(&self) -> Wanted {
        Wanted {
            paths: self.moves.is_some() || self.solutions.is_some(),
            ways: self.solutions.is_some(),
            bounds: false,
            keys: self.distinct.is_some(),
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
            Condition::Unique => self.distinct.is_some(),
            Condition::Count => self.count.is_some(),
        }
    }

    /// Tells every contradiction of a record, in the order of [`Condition::OF_RECORDS`].
    pub fn check(&self, examined: &Examined<'_>, tell: &mut dyn FnMut(Breach)) {
        let mut breach = |condition, why| tell(Breach { condition, place: Some(examined.place), why });
        let facts = examined.facts;
        match &facts.standing {
            Standing::Invalid(why) => return breach(Condition::Valid, format!("no board: {why}")),
            Standing::Failed(why) => {
                return breach(Condition::Valid, format!("not checked, by a fault of ours: {why}"));
            }
            _ => {}
        }
        if let (Some(expected), Some((board, _))) = (self.shape, &facts.puzzle)
            && board.shape() != expected
        {
            breach(Condition::Shape, format!("a {} board, expected {expected}", board.shape()));
        }
        if self.solvable && facts.standing == Standing::Unsolvable {
            breach(Condition::Solvable, "no moves lead to the goal".into());
        }
        if let Some(range) = &self.moves
            && let Some(why) = off_moves(&facts.standing, range)
        {
            breach(Condition::Moves, why);
        }
        if let Some(range) = &self.solutions
            && let Some(why) = off_solutions(&facts.standing, range)
        {
            breach(Condition::Solutions, why);
        }
        if let (Some(distinct), Some(again)) = (self.distinct, examined.again)
            && let Some(why) = twice(again, distinct, examined.sources)
        {
            breach(Condition::Unique, why);
        }
    }

    /// What is wrong with the number of records. None at all are a set only where that was said.
    pub fn check_count(&self, records: u64) -> Option<Breach> {
        let why = match &self.count {
            Some(range) if range.contains(&records) => return None,
            Some(range) => format!("{}, expected {}", counted(records, "record"), shown(range)),
            None if records > 0 => return None,
            None => "no records: nothing was checked (--count 0 where there are to be none)".into(),
        };
        Some(Breach { condition: Condition::Count, place: None, why })
    }
}

/// What is wrong with the moves of a board, if it has a solution.
fn off_moves(standing: &Standing, range: &RangeInclusive<u64>) -> Option<String> {
    match standing {
        Standing::Solved { path, .. } if range.contains(&(path.len() as u64)) => None,
        Standing::Solved { path, .. } => {
            Some(format!("needs {}, expected {}", counted(path.len() as u64, "move"), shown(range)))
        }
        Standing::Unsolved { lower_bound, .. } if lower_bound > range.end() => {
            Some(format!("needs at least {}, expected {}", counted(*lower_bound, "move"), shown(range)))
        }
        Standing::Unsolved { lower_bound, limit } => {
            Some(format!("not solved within its limit of {}: at least {}", limit.name(), counted(*lower_bound, "move")))
        }
        _ => None,
    }
}

/// What is wrong with the number of shortest solutions of a board, if it has any.
fn off_solutions(standing: &Standing, range: &RangeInclusive<u64>) -> Option<String> {
    let Standing::Solved { ways: Some(ways), .. } = standing else {
        return match standing {
            Standing::Unsolved { limit, .. } => Some(format!("not solved within its limit of {}", limit.name())),
            _ => None,
        };
    };
    match ways.solutions {
        Solutions::Exactly(paths) if range.contains(&paths) => None,
        Solutions::Exactly(paths) => {
            Some(format!("has {}, expected {}", counted(paths, "shortest solution"), shown(range)))
        }
        Solutions::AtLeast(paths, _) if paths >= *range.start() && *range.end() == u64::MAX => None,
        Solutions::AtLeast(paths, _) if paths > *range.end() => {
            Some(format!("has {} or more, expected {}", counted(paths, "shortest solution"), shown(range)))
        }
        Solutions::AtLeast(paths, ended) => {
            let why = ended.name();
            Some(format!(
                "{} were counted within the limit of {why}, expected {}",
                counted(paths, "shortest solution"),
                shown(range)
            ))
        }
    }
}

/// That a board has come again, or that it is not known.
fn twice(again: Again, distinct: Distinct, sources: &[Arc<str>]) -> Option<String> {
    let at = |place: Place| format!("record {} ({}:{})", place.index, sources[place.source as usize], place.line);
    match (again, distinct) {
        (Again::Same(first), _) => Some(format!("the same board as {}", at(first))),
        (Again::Reflected(first), Distinct::Reflections) => Some(format!("a reflection of the board of {}", at(first))),
        (Again::Unknown, _) => {
            Some("not compared with all boards before it: there is no room to keep more (--memory)".into())
        }
        (Again::New | Again::Reflected(_), _) => None,
    }
}

fn counted(number: u64, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
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

/// The most contradictions to one condition that are kept of a file; the rest are counted.
const MOST_KEPT: usize = 20;

/// What was found of each file and condition.
#[derive(Clone, Default, Debug)]
pub struct Tally {
    /// The files that were read, in order.
    pub files: Vec<File>,
    /// What is wrong with all together.
    pub of_all: Vec<Breach>,
}

/// What was found of a file.
#[derive(Clone, Debug)]
pub struct File {
    /// As it is shown.
    pub source: Arc<str>,
    /// Its records.
    pub records: u64,
    /// The contradictions to each of [`Condition::OF_RECORDS`].
    pub breaches: [Kept; 6],
}

/// Contradictions to one condition.
#[derive(Clone, Default, Debug)]
pub struct Kept {
    /// The first of them.
    pub first: Vec<Breach>,
    /// How many there are.
    pub number: u64,
}

impl File {
    /// Nothing was found of it yet.
    pub fn without_records(source: &str) -> File {
        File { source: source.into(), records: 0, breaches: Default::default() }
    }
}

impl Tally {
    /// Takes in a record and what contradicts it.
    pub fn add(&mut self, examined: &Examined<'_>, breaches: &[Breach]) {
        let place = examined.place.source as usize;
        while self.files.len() <= place {
            let source = Arc::clone(&examined.sources[self.files.len()]);
            self.files.push(File { source, records: 0, breaches: Default::default() });
        }
        let file = &mut self.files[place];
        file.records += 1;
        for breach in breaches {
            let at = Condition::OF_RECORDS.iter().position(|&condition| condition == breach.condition);
            let Some(kept) = at.and_then(|at| file.breaches.get_mut(at)) else { continue };
            kept.number += 1;
            if kept.first.len() < MOST_KEPT {
                kept.first.push(breach.clone());
            }
        }
    }

    /// All records.
    pub fn records(&self) -> u64 {
        self.files.iter().map(|file| file.records).sum()
    }

    /// How many contradictions there are to a condition.
    pub fn number(&self, condition: Condition) -> u64 {
        match Condition::OF_RECORDS.iter().position(|&each| each == condition) {
            Some(at) => self.files.iter().map(|file| file.breaches[at].number).sum(),
            None => self.of_all.iter().filter(|breach| breach.condition == condition).count() as u64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Ended, Fork, Ways};
    use super::*;
    use crate::engine::Limit;

    #[test]
    fn ranges_are_shown_as_they_are_typed() {
        let all = [3..=3, 3..=9, 3..=u64::MAX, 0..=9].map(|range| shown(&range));
        assert_eq!(all, ["3", "3..9", "3..", "..9"]);
    }

    #[test]
    fn moves_are_those_of_boards_with_a_solution() {
        let solved = |letters: &str| Standing::Solved { path: letters.parse().unwrap(), ways: None };
        let told = |standing: Standing| off_moves(&standing, &(2..=4));
        assert_eq!((told(solved("DL")), told(Standing::Unsolvable)), (None, None));
        assert_eq!(told(solved("D")).unwrap(), "needs 1 move, expected 2..4");
        assert_eq!(told(solved("DLDLD")).unwrap(), "needs 5 moves, expected 2..4");
        let unsolved = |lower_bound| told(Standing::Unsolved { lower_bound, limit: Limit::Time }).unwrap();
        assert_eq!(unsolved(5), "needs at least 5 moves, expected 2..4");
        assert_eq!(unsolved(4), "not solved within its limit of time: at least 4 moves");
    }

    #[test]
    fn what_was_not_counted_to_the_end_proves_what_it_can() {
        let told = |solutions, range: RangeInclusive<u64>| {
            let fork = Some(Fork { first: Vec::new(), forced: 0 });
            let ways = Some(Ways { solutions, fork });
            off_solutions(&Standing::Solved { path: Default::default(), ways }, &range)
        };
        assert_eq!(told(Solutions::Exactly(1), 1..=1), None);
        assert_eq!(told(Solutions::Exactly(2), 1..=1).unwrap(), "has 2 shortest solutions, expected 1");
        assert_eq!(
            told(Solutions::AtLeast(2, Ended::Cap), 1..=1).unwrap(),
            "has 2 shortest solutions or more, expected 1"
        );
        assert_eq!(told(Solutions::AtLeast(7, Ended::Cap), 5..=u64::MAX), None);
        assert!(told(Solutions::AtLeast(7, Ended::Limit(Limit::Time)), 9..=20).unwrap().contains("limit of time"));
    }
}
