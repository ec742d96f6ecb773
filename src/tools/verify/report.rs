//! The report: what is proven, what is not, and every doubt.

use std::collections::BTreeSet;
use std::fmt;

use parking_lot::Mutex;

use super::finding::FindingCounts;
use crate::format::fields::{Field, FieldSet};
use crate::tools::text::counted as number_of;

/// Doubts that are reported one by one; the rest are counted.
const MAX_REPORTED: usize = 20;

/// Fields whose values are held against the schema and each other, and not proven.
const UNPROVEN: [Field; 12] = [
    Field::Limit,
    Field::EstimatedNodes,
    Field::EstimatedTimeUs,
    Field::EstimatedMoves,
    Field::EstimatedBy,
    Field::DuplicateOf,
    Field::ReflectionOf,
    Field::Engine,
    Field::Heuristic,
    Field::Nodes,
    Field::TimeUs,
    Field::Iterations,
];

/// Where there is a doubt; they are reported in this order.
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
        let mut doubts = self.0.lock();
        doubts.0 += 1;
        let first = &mut doubts.1;
        if first.len() < MAX_REPORTED || first.last().is_some_and(|(last, _)| place < *last) {
            first.insert((place, what.into()));
            if first.len() > MAX_REPORTED {
                first.pop_last();
            }
        }
    }

    /// How many there are, and the first of them.
    pub fn take(self) -> (u64, Vec<String>) {
        let (count, first) = self.0.into_inner();
        (count, first.into_iter().map(|(place, what)| format!("{place} {what}")).collect())
    }
}

/// Boards of a sample that were solved again.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SampleReport {
    /// Another engine found the same path.
    pub agreed: u64,
    /// Of these, what their results say of all shortest paths was counted again.
    pub counted: u64,
    /// A limit came before it found any.
    pub unsettled: u64,
    /// Lower bounds that another engine proved.
    pub bounds: u64,
    /// Boards too large for a search, and lower bounds that no search within its limits reached: no path was found that
    /// contradicts them.
    pub uncontradicted: u64,
}

/// What was found.
#[derive(Debug)]
pub struct Report {
    /// Inputs that could not be read, or not to their end.
    pub failed_inputs: u64,
    /// Records of the inputs.
    pub records: u64,
    /// Lines of the results.
    pub lines: u64,
    /// Results that hold, by kind.
    pub findings: FindingCounts,
    /// The sample, if one was asked for.
    pub sample: Option<SampleReport>,
    /// The fields of which lines have a value.
    pub fields: FieldSet,
    /// How many doubts there are.
    pub doubts: u64,
    /// The first of them, in order.
    pub first_doubts: Vec<String>,
}

impl Report {
    /// Whether everything that the results claim is proven but that paths are shortest – and that too
    /// for the sample.
    pub fn is_sound(&self) -> bool {
        let FindingCounts { unsolved, failed, .. } = self.findings;
        self.doubts == 0 && unsolved == 0 && failed == 0 && self.sample.is_none_or(|sample| sample.unsettled == 0)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FindingCounts { solved, proven_by_bound, shortest_unproven, bounded, bound_unproven, .. } = self.findings;
        let FindingCounts { unsolvable, invalid, unsolved, failed, paths_counted, paths_uncounted, .. } = self.findings;
        for doubt in &self.first_doubts {
            writeln!(f, "{doubt}")?;
        }
        if self.doubts > self.first_doubts.len() as u64 {
            writeln!(f, "and {} more", self.doubts - self.first_doubts.len() as u64)?;
        }
        writeln!(f, "{}, {}", number_of(self.records, "record"), number_of(self.lines, "result"))?;
        let facts = [
            (solved, "solved: the path was replayed and leads to the goal"),
            (proven_by_bound, "solved, proven by a bound: the path was replayed, and is as short as the lower bound"),
            (shortest_unproven, "solved, and shortest by what the result says: the path was replayed"),
            (
                bounded,
                "solved, not proven shortest: the path was replayed, and no path is shorter than the lower bound",
            ),
            (bound_unproven, "solved, not proven shortest: the path was replayed"),
            (unsolvable, "unsolvable: proven by parity"),
            (invalid, "invalid: read again, with the same reason"),
            (paths_counted, "with what they say of all shortest paths: counted again over every board of their size"),
        ];
        for (count, what) in facts.into_iter().filter(|(count, _)| *count > 0) {
            writeln!(f, "  {count} {what}")?;
        }
        let SampleReport { agreed, counted, unsettled, bounds, uncontradicted } = self.sample.unwrap_or_default();
        if agreed + unsettled > 0 {
            writeln!(f, "  {agreed} of {} in the sample: another engine finds the same path", agreed + unsettled)?;
        }
        if counted > 0 {
            writeln!(f, "  {counted} of them with what they say of all shortest paths: counted again")?;
        }
        if bounds > 0 {
            writeln!(f, "  {bounds} lower bounds in the sample: proven by another engine")?;
        }
        let open = [
            (unsolved, "unsolved: solvable, but nothing shows that a limit came first, nor the lower bound"),
            (failed, "errors: the program failed on them"),
            (shortest_unproven, "said to be shortest: greater than the lower bounds that are found here"),
            (bound_unproven, "lower bounds: greater than those that are found again here"),
            (
                paths_uncounted.saturating_sub(counted),
                "lists or numbers of all shortest paths: that none is missing (more than 9 cells: --sample N; or a list that may be cut)",
            ),
            (uncontradicted, "of them in the sample: neither proven, nor is there a shorter path that a search found"),
            (unsettled, "in the sample: not solved again within the limits"),
        ];
        writeln!(f, "not proven:")?;
        for (count, what) in open.into_iter().filter(|(count, _)| *count > 0) {
            writeln!(f, "  {count} {what}")?;
        }
        let unproven: Vec<_> =
            UNPROVEN.iter().filter(|&&field| self.fields.contains(field)).map(|f| f.name()).collect();
        if !unproven.is_empty() {
            writeln!(f, "  the values of {}: no option proves them", unproven.join(", "))?;
        }
        match self.sample {
            _ if solved == 0 => writeln!(f, "  that the inputs were read as they are meant: by the same reader")?,
            Some(_) => writeln!(f, "  that paths outside the sample are shortest, and first of the shortest")?,
            None => writeln!(f, "  that paths are shortest, and first of the shortest (--sample N)")?,
        }
        match (self.doubts, self.is_sound()) {
            (0, true) => write!(f, "ok: {} verified", number_of(self.lines, "result")),
            (0, false) => write!(f, "no problems found, but some results could not be verified"),
            (1, _) => write!(f, "failed: 1 problem found"),
            (doubts, _) => write!(f, "failed: {doubts} problems found"),
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
        let (count, first) = doubts.take();
        assert_eq!((count, first.len()), (101, MAX_REPORTED));
        assert_eq!((&*first[0], &*first[19]), ("results line 1 is bad", "results line 20 is bad"));
    }

    /// The report, to the word.
    #[test]
    fn the_report_says_what_holds_and_what_is_not_proven() {
        let sound = Report {
            failed_inputs: 0,
            records: 7,
            lines: 7,
            findings: FindingCounts { solved: 4, unsolvable: 2, invalid: 1, ..FindingCounts::default() },
            sample: None,
            fields: FieldSet::default(),
            doubts: 0,
            first_doubts: Vec::new(),
        };
        let head = "7 records, 7 results\n  4 solved: the path was replayed and leads to the goal\n  2 unsolvable: proven by \
                    parity\n  1 invalid: read again, with the same reason\n";
        let expected = "not proven:\n  that paths are shortest, and first of the shortest (--sample N)\nok: 7 results \
                        verified";
        assert!(sound.is_sound());
        assert_eq!(sound.to_string(), format!("{head}{expected}"));

        let sample = Some(SampleReport { agreed: 2, unsettled: 1, ..SampleReport::default() });
        let sampled = Report { sample, ..sound };
        let expected = "  2 of 3 in the sample: another engine finds the same path\nnot proven:\n  1 in the sample: not \
                        solved again within the limits\n  that paths outside the sample are shortest, and first of the \
                        shortest\nno problems found, but some results could not be verified";
        assert!(!sampled.is_sound());
        assert_eq!(sampled.to_string(), format!("{head}{expected}"));

        let findings =
            FindingCounts { bounded: 1, bound_unproven: 2, unsolved: 3, failed: 2, ..FindingCounts::default() };
        let first_doubts = vec!["results line 5 is bad".to_string()];
        let doubtful = Report { sample: None, findings, doubts: 3, first_doubts, lines: 6, ..sampled };
        let expected = "results line 5 is bad\nand 2 more\n7 records, 6 results\n  1 solved, not proven shortest: the path was \
                        replayed, and no path is shorter than the lower bound\n  2 solved, not proven shortest: the path was \
                        replayed\nnot proven:\n  3 unsolved: solvable, but nothing shows that a \
                        limit came first, nor the lower bound\n  2 errors: the program failed on them\n  2 lower bounds: greater than those \
                        that are found again here\n  that the inputs were \
                        read as they are meant: by the same reader\nfailed: 3 problems found";
        assert!(!doubtful.is_sound());
        assert_eq!(doubtful.to_string(), expected);
        let findings = FindingCounts { solved: 2, paths_counted: 1, paths_uncounted: 1, ..FindingCounts::default() };
        let lists = Report {
            findings,
            doubts: 0,
            first_doubts: Vec::new(),
            records: 2,
            lines: 2,
            sample: None,
            fields: FieldSet::default(),
            failed_inputs: 0,
        };
        let expected = "2 records, 2 results\n  2 solved: the path was replayed and leads to the goal\n  1 with what they say of all \
                        shortest paths: counted again over every board of their size\nnot proven:\n  1 lists or numbers of all \
                        shortest paths: that none is missing (more than 9 cells: --sample N; or a list that may be cut)\n  that paths are shortest, and first of the \
                        shortest (--sample N)\nok: 2 results verified";
        assert_eq!(lists.to_string(), expected);
        let one = Report { findings: FindingCounts::default(), doubts: 1, ..doubtful };
        assert!(one.to_string().starts_with("results line 5 is bad\n7 records") && !one.is_sound());
        assert!(one.to_string().ends_with("failed: 1 problem found"));
        for findings in [
            FindingCounts { unsolved: 1, ..FindingCounts::default() },
            FindingCounts { failed: 1, ..FindingCounts::default() },
        ] {
            let open = Report { findings, doubts: 0, first_doubts: Vec::new(), sample: None, ..one };
            assert!(!open.is_sound() && open.to_string().ends_with("some results could not be verified"));
        }
    }
}
