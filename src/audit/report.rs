//! What an audit found: what is proven, what is not, and every doubt.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use super::check::Finding;

/// Doubts that are told one by one; the rest are counted.
const MOST_TOLD: usize = 20;

/// Where there is a doubt; in this order they are told.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Place {
    /// A line of the results, from 1.
    Line(u64),
    /// A record of the inputs, from 1, for which there is no line.
    Record(u64),
    /// The results as a whole.
    Whole,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Line(line) => write!(f, "results line {line}"),
            Place::Record(record) => write!(f, "record {record}"),
            Place::Whole => f.write_str("results"),
        }
    }
}

/// Doubts, as threads find them: all are counted, the first are kept.
#[derive(Default)]
pub struct Doubts(Mutex<(u64, BTreeSet<(Place, String)>)>);

impl Doubts {
    /// Adds one.
    pub fn add(&self, place: Place, what: impl Into<String>) {
        let mut doubts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        doubts.0 += 1;
        let told = &mut doubts.1;
        if told.len() < MOST_TOLD || told.last().is_some_and(|(last, _)| place < *last) {
            told.insert((place, what.into()));
            if told.len() > MOST_TOLD {
                told.pop_last();
            }
        }
    }

    /// How many there are, and the first of them.
    pub fn take(self) -> (u64, Vec<String>) {
        let (count, told) = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        (count, told.into_iter().map(|(place, what)| format!("{place} {what}")).collect())
    }
}

/// How many results were found to be what.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Findings {
    /// Their path was replayed: it leads to the goal.
    pub solved: u64,
    /// Parity proves it.
    pub unsolvable: u64,
    /// The record cannot be read, for the reason given.
    pub invalid: u64,
    /// Too large to be searched, as they say.
    pub too_large: u64,
    /// A limit ended the search: solvable, and nothing else can be told.
    pub unsolved: u64,
    /// The program failed on them: nothing can be told.
    pub failed: u64,
}

impl Findings {
    pub(super) fn add(&mut self, finding: Finding) {
        *match finding {
            Finding::Solved => &mut self.solved,
            Finding::Unsolvable => &mut self.unsolvable,
            Finding::Invalid => &mut self.invalid,
            Finding::TooLarge => &mut self.too_large,
            Finding::Unsolved => &mut self.unsolved,
            Finding::Failed => &mut self.failed,
        } += 1;
    }

    pub(super) fn merge(&mut self, other: &Findings) {
        self.solved += other.solved;
        self.unsolvable += other.unsolvable;
        self.invalid += other.invalid;
        self.too_large += other.too_large;
        self.unsolved += other.unsolved;
        self.failed += other.failed;
    }
}

/// Boards of a sample that were solved again.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Resolved {
    /// Another engine found the same path.
    pub agreed: u64,
    /// A limit came before it found any.
    pub unsettled: u64,
}

/// What an audit found.
#[derive(Debug)]
pub struct Report {
    /// Inputs that could not be read, or not to their end.
    pub failed_inputs: u64,
    /// Records of the inputs.
    pub records: u64,
    /// Lines of the results.
    pub lines: u64,
    /// Results that hold, by kind.
    pub findings: Findings,
    /// The sample, if one was asked for.
    pub resolved: Option<Resolved>,
    /// How many doubts there are.
    pub doubts: u64,
    /// The first of them, in order.
    pub told: Vec<String>,
}

impl Report {
    /// Whether everything that the results claim is proven but that paths are shortest – and that too
    /// for the sample.
    pub fn is_sound(&self) -> bool {
        let Findings { unsolved, failed, .. } = self.findings;
        self.doubts == 0 && unsolved == 0 && failed == 0 && self.resolved.is_none_or(|sample| sample.unsettled == 0)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Findings { solved, unsolvable, invalid, too_large, unsolved, failed } = self.findings;
        for doubt in &self.told {
            writeln!(f, "{doubt}")?;
        }
        if self.doubts > self.told.len() as u64 {
            writeln!(f, "and {} more", self.doubts - self.told.len() as u64)?;
        }
        writeln!(f, "{} records, {} results", self.records, self.lines)?;
        let facts = [
            (solved, "solved: the path was replayed and leads to the goal"),
            (unsolvable, "unsolvable: proven by parity"),
            (invalid, "invalid: read again, with the same reason"),
            (too_large, "too large to be searched: solvable, and no path is shorter than the lower bound"),
        ];
        for (count, what) in facts.into_iter().filter(|(count, _)| *count > 0) {
            writeln!(f, "  {count} {what}")?;
        }
        if let Some(Resolved { agreed, unsettled }) = self.resolved {
            writeln!(f, "  {agreed} of {} in the sample: another engine finds the same path", agreed + unsettled)?;
        }
        let unsettled = self.resolved.map_or(0, |sample| sample.unsettled);
        let open = [
            (unsolved, "unsolved: solvable, but nothing shows that a limit came first, nor the lower bound"),
            (failed, "errors: the program failed on them"),
            (unsettled, "in the sample: not solved again within the limits"),
        ];
        writeln!(f, "not proven:")?;
        for (count, what) in open.into_iter().filter(|(count, _)| *count > 0) {
            writeln!(f, "  {count} {what}")?;
        }
        match self.resolved {
            _ if solved == 0 => writeln!(f, "  that the inputs were read as they are meant: by the same reader")?,
            Some(_) => writeln!(f, "  that paths outside the sample are shortest, and first of the shortest")?,
            None => writeln!(f, "  that paths are shortest, and first of the shortest (--sample N)")?,
        }
        match (self.doubts, self.is_sound()) {
            (0, true) => write!(f, "sound: every record has its one result"),
            (0, false) => write!(f, "no result is wrong, but some prove nothing"),
            (1, _) => write!(f, "NOT SOUND: 1 doubt"),
            (doubts, _) => write!(f, "NOT SOUND: {doubts} doubts"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_doubts_are_kept_in_whatever_order_they_come() {
        let doubts = Doubts::default();
        for line in (1..=100).rev() {
            doubts.add(Place::Line(line), "is bad");
        }
        doubts.add(Place::Record(1), "is missing");
        let (count, told) = doubts.take();
        assert_eq!((count, told.len()), (101, MOST_TOLD));
        assert_eq!((&*told[0], &*told[19]), ("results line 1 is bad", "results line 20 is bad"));
    }

    /// What is told, to the word.
    #[test]
    fn what_holds_is_told_and_what_is_not_proven() {
        let sound = Report {
            failed_inputs: 0,
            records: 7,
            lines: 7,
            findings: Findings { solved: 4, unsolvable: 2, invalid: 1, ..Findings::default() },
            resolved: None,
            doubts: 0,
            told: Vec::new(),
        };
        let head = "7 records, 7 results\n  4 solved: the path was replayed and leads to the goal\n  2 unsolvable: proven by \
                    parity\n  1 invalid: read again, with the same reason\n";
        let expected = "not proven:\n  that paths are shortest, and first of the shortest (--sample N)\nsound: every record \
                        has its one result";
        assert!(sound.is_sound());
        assert_eq!(sound.to_string(), format!("{head}{expected}"));

        let resolved = Some(Resolved { agreed: 2, unsettled: 1 });
        let sampled = Report { resolved, ..sound };
        let expected = "  2 of 3 in the sample: another engine finds the same path\nnot proven:\n  1 in the sample: not \
                        solved again within the limits\n  that paths outside the sample are shortest, and first of the \
                        shortest\nno result is wrong, but some prove nothing";
        assert!(!sampled.is_sound());
        assert_eq!(sampled.to_string(), format!("{head}{expected}"));

        let findings = Findings { too_large: 1, unsolved: 3, failed: 2, ..Findings::default() };
        let told = vec!["results line 5 is bad".to_string()];
        let doubtful = Report { resolved: None, findings, doubts: 3, told, lines: 6, ..sampled };
        let expected = "results line 5 is bad\nand 2 more\n7 records, 6 results\n  1 too large to be searched: solvable, and no \
                        path is shorter than the lower bound\nnot proven:\n  3 unsolved: solvable, but nothing shows that a \
                        limit came first, nor the lower bound\n  2 errors: the program failed on them\n  that the inputs were \
                        read as they are meant: by the same reader\nNOT SOUND: 3 doubts";
        assert!(!doubtful.is_sound());
        assert_eq!(doubtful.to_string(), expected);
        let one = Report { findings: Findings::default(), doubts: 1, ..doubtful };
        assert!(one.to_string().starts_with("results line 5 is bad\n7 records") && !one.is_sound());
        assert!(one.to_string().ends_with("NOT SOUND: 1 doubt"));
        for findings in [Findings { unsolved: 1, ..Findings::default() }, Findings { failed: 1, ..Findings::default() }]
        {
            let open = Report { findings, doubts: 0, told: Vec::new(), resolved: None, ..one };
            assert!(!open.is_sound() && open.to_string().ends_with("some prove nothing"));
        }
    }

    #[test]
    fn findings_add_up() {
        let each = [1, 2, 3, 4, 5, 6];
        let [solved, unsolvable, invalid, too_large, unsolved, failed] = each;
        let some = Findings { solved, unsolvable, invalid, too_large, unsolved, failed };
        let mut sum = some;
        sum.merge(&some);
        sum.merge(&some);
        let [solved, unsolvable, invalid, too_large, unsolved, failed] = each.map(|count| 3 * count);
        assert_eq!(sum, Findings { solved, unsolvable, invalid, too_large, unsolved, failed });
    }
}
