//! The report: what is proven, what is not, and the first problems.
//!
//! The last variants of [`Finding`] are about the sample of results that another engine solves again
//! ([`super::sample`]).

use std::fmt;

use parking_lot::Mutex;

use crate::system::grouped;
use crate::tools::text::counted;

/// A finding about a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finding {
    /// The path was replayed.
    Solved,
    /// Proven by parity.
    Unsolvable,
    /// The record is invalid for the stated reason.
    Invalid,
    /// A limit ended the search. The board is solvable; nothing else can be proven.
    Unsolved,
    /// The program failed on the record; nothing can be proven.
    Failed,
    /// In addition to [`Finding::Solved`]: linear conflict proved the lower bound, or that the path
    /// is a shortest one.
    Bounded,
    /// In addition to [`Finding::Solved`]: the path is said to be a shortest one.
    ShortestUnproven,
    /// In addition to [`Finding::Solved`]: the lower bound was not proven.
    BoundUnproven,
    /// In addition to [`Finding::Solved`]: there are claims about all shortest paths.
    AllPathsUnproven,
    /// In the sample: another engine found the same path or, if every shortest path is accepted, one
    /// of the same length.
    Confirmed,
    /// In the sample: a limit ended the search before it confirmed or refuted that a path is
    /// shortest.
    Unsettled,
}

/// The findings that prove something, as they are reported.
const PROVEN: [(Finding, &str); 5] = [
    (Finding::Solved, "solved: the path was replayed and leads to the goal"),
    (Finding::Bounded, "shortest, or with a lower bound: proven by linear conflict"),
    (Finding::Unsolvable, "unsolvable: proven by parity"),
    (Finding::Invalid, "invalid: read again, with the same reason"),
    (Finding::Confirmed, "in the sample: confirmed by another engine"),
];

/// The findings that leave something unproven, as they are reported.
const UNPROVEN: [(Finding, &str); 6] = [
    (Finding::Unsolved, "unsolved: solvable, but neither the limit nor the lower bound is proven"),
    (Finding::Failed, "errors: the program failed on them"),
    (
        Finding::ShortestUnproven,
        "solved: that the path is shortest and canonical (--sample N solves N boards of up to 25 cells again)",
    ),
    (Finding::BoundUnproven, "with a lower bound: greater than the one found here"),
    (Finding::AllPathsUnproven, "with claims about all shortest paths: the paths are not counted again"),
    (Finding::Unsettled, "in the sample: not solved again within the limits"),
];

/// The number of findings of each kind.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct FindingCounts([u64; Finding::Unsettled as usize + 1]);

impl FindingCounts {
    /// Returns the number of findings of a kind.
    pub fn count(&self, finding: Finding) -> u64 {
        self.0[finding as usize]
    }

    /// Adds a finding.
    pub fn add(&mut self, finding: Finding) {
        self.0[finding as usize] += 1;
    }

    /// Replaces a finding by another.
    pub fn replace(&mut self, old: Finding, new: Finding) {
        self.0[old as usize] -= 1;
        self.add(new);
    }

    /// Adds the numbers of other findings.
    pub fn merge(&mut self, other: &FindingCounts) {
        self.0.iter_mut().zip(other.0).for_each(|(number, more)| *number += more);
    }
}

/// The maximum number of different problems that are printed.
const MAX_PRINTED: usize = 20;

/// The place of a problem. Problems are reported in this order.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ProblemPlace {
    /// A line of the results, and its record if it is known, both counted from 1.
    Line(u64, Option<u64>),
    /// A record without a line, counted from 1, and its input and line.
    Record(u64, String),
}

impl fmt::Display for ProblemPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProblemPlace::Line(line, None) => write!(f, "results line {line}"),
            ProblemPlace::Line(line, Some(record)) => write!(f, "results line {line} (record {record})"),
            ProblemPlace::Record(record, position) => write!(f, "record {record} ({position})"),
        }
    }
}

/// The problems of a run. Problems with the same text are one entry, because a forgotten option
/// may cause the same problem in every line. The order in which threads add problems makes no
/// difference.
#[derive(Default)]
pub struct Problems(Mutex<ProblemEntries>);

#[derive(Default)]
struct ProblemEntries {
    /// The number of problems.
    total: u64,
    /// The first place of each problem, its text, and how often it was added, in order.
    first: Vec<(ProblemPlace, String, u64)>,
    /// True if there were more than [`MAX_PRINTED`] texts. An entry may then have been dropped and
    /// added again, so how often each was added is not known.
    is_cut: bool,
}

impl Problems {
    /// Adds a problem.
    pub fn add(&self, place: ProblemPlace, what: impl Into<String>) {
        let (entries, what) = (&mut *self.0.lock(), what.into());
        entries.total += 1;
        match entries.first.iter_mut().find(|(_, text, _)| *text == what) {
            Some((first, _, times)) => {
                *times += 1;
                if place < *first {
                    *first = place;
                }
            }
            None => entries.first.push((place, what, 1)),
        }
        entries.first.sort_unstable();
        entries.is_cut |= entries.first.len() > MAX_PRINTED;
        entries.first.truncate(MAX_PRINTED);
    }

    /// Returns the number of problems, and a line of text for each of the first ones.
    pub fn take(self) -> (u64, Vec<String>) {
        let ProblemEntries { total, first, is_cut } = self.0.into_inner();
        let line = |(place, what, times)| match times {
            2.. if !is_cut => format!("{place} {what} (and {} more with this problem)", grouped(times - 1)),
            _ => format!("{place} {what}"),
        };
        let rest = is_cut.then(|| format!("and {} more", grouped(total - first.len() as u64)));
        (total, first.into_iter().map(line).chain(rest).collect())
    }
}

/// What was read.
#[derive(Default, Debug)]
pub struct ReadTotals {
    /// The number of inputs that could not be read completely.
    pub failed_inputs: u64,
    /// The number of records.
    pub records: u64,
    /// The number of results.
    pub results: u64,
}

/// The outcome of a run.
#[derive(Debug)]
pub struct Report {
    /// What was read.
    pub totals: ReadTotals,
    pub(super) findings: FindingCounts,
    /// The number of problems.
    pub problems: u64,
    /// The lines that list the problems.
    pub problem_lines: Vec<String>,
}

impl Report {
    /// Returns true if there are no problems, and no record is unsolved, failed, or unsettled.
    pub fn is_sound(&self) -> bool {
        let undecided = [Finding::Unsolved, Finding::Failed, Finding::Unsettled];
        self.problems == 0 && undecided.iter().all(|&finding| self.findings.count(finding) == 0)
    }

    /// Writes a line for each of these findings that was made.
    fn list(&self, f: &mut fmt::Formatter<'_>, findings: &[(Finding, &str)]) -> fmt::Result {
        let counts = findings.iter().map(|&(finding, what)| (self.findings.count(finding), what));
        counts.filter(|&(count, _)| count > 0).try_for_each(|(count, what)| writeln!(f, "  {} {what}", grouped(count)))
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.problem_lines {
            writeln!(f, "{line}")?;
        }
        writeln!(f, "{}, {}", counted(self.totals.records, "record"), counted(self.totals.results, "result"))?;
        self.list(f, &PROVEN)?;
        writeln!(f, "not proven:")?;
        self.list(f, &UNPROVEN)?;
        writeln!(f, "  that the inputs were read correctly: verify uses the same reader")?;
        match self.problems {
            0 if self.is_sound() => write!(f, "ok: {} verified", counted(self.totals.results, "result")),
            0 => write!(f, "no problems found, but some results could not be verified"),
            problems => write!(f, "failed: {} found", counted(problems, "problem")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_of(problems: Vec<(ProblemPlace, String)>) -> (u64, Vec<String>) {
        let found = Problems::default();
        problems.into_iter().for_each(|(place, what)| found.add(place, what));
        found.take()
    }

    /// Whatever the order in which they come.
    #[test]
    fn equal_problems_are_one_entry_with_the_first_place() {
        let mut problems: Vec<_> =
            (1..=100).map(|line| (ProblemPlace::Line(line, Some(line + 1)), format!("is bad {}", line / 99))).collect();
        problems.push((ProblemPlace::Record(1, "FILE:1".into()), "is missing".into()));
        let expected = [
            "results line 1 (record 2) is bad 0 (and 97 more with this problem)",
            "results line 99 (record 100) is bad 1 (and 1 more with this problem)",
            "record 1 (FILE:1) is missing",
        ];
        assert_eq!(lines_of(problems.clone()), (101, expected.map(String::from).to_vec()));
        problems.reverse();
        assert_eq!(lines_of(problems), (101, expected.map(String::from).to_vec()));
    }

    #[test]
    fn the_first_of_many_different_problems_are_listed() {
        let problem = |line: u64| (ProblemPlace::Line(line, None), format!("is bad {}", line % 60));
        let expected: Vec<String> =
            (1..=20).map(|line| format!("results line {line} is bad {line}")).chain(["and 980 more".into()]).collect();
        assert_eq!(lines_of((1..=1000).map(problem).collect()), (1000, expected.clone()));
        assert_eq!(lines_of((1..=1000).rev().map(problem).collect()), (1000, expected));
    }

    /// The report, word for word.
    #[test]
    fn the_report_lists_what_is_proven_and_what_is_not() {
        let report = |findings: &[(Finding, u64)], problems: &[&str]| {
            let mut counts = FindingCounts::default();
            for &(finding, times) in findings {
                (0..times).for_each(|_| counts.add(finding));
            }
            Report {
                totals: ReadTotals { failed_inputs: 0, records: 7, results: 7 },
                findings: counts,
                problems: 3 * problems.len() as u64,
                problem_lines: problems.iter().map(ToString::to_string).collect(),
            }
        };
        let reader = "  that the inputs were read correctly: verify uses the same reader\n";
        let sound =
            [(Finding::Solved, 4), (Finding::ShortestUnproven, 4), (Finding::Unsolvable, 2), (Finding::Invalid, 1)];
        let head = "7 records, 7 results\n  4 solved: the path was replayed and leads to the goal\n  2 unsolvable: \
                    proven by parity\n  1 invalid: read again, with the same reason\n";
        let expected = "not proven:\n  4 solved: that the path is shortest and canonical (--sample N solves N boards \
                        of up to 25 cells again)\n";
        assert!(report(&sound, &[]).is_sound());
        assert_eq!(report(&sound, &[]).to_string(), format!("{head}{expected}{reader}ok: 7 results verified"));

        let mut sampled = report(&sound, &[]);
        sampled.findings.replace(Finding::ShortestUnproven, Finding::Confirmed);
        (0..3).for_each(|_| sampled.findings.replace(Finding::ShortestUnproven, Finding::Unsettled));
        let expected = "  1 in the sample: confirmed by another engine\nnot proven:\n  3 in the sample: not solved \
                        again within the limits\n";
        let end = "no problems found, but some results could not be verified";
        assert!(!sampled.is_sound());
        assert_eq!(sampled.to_string(), format!("{head}{expected}{reader}{end}"));

        let findings = [
            (Finding::Solved, 3),
            (Finding::Bounded, 1),
            (Finding::BoundUnproven, 2),
            (Finding::AllPathsUnproven, 1),
            (Finding::Unsolved, 3),
            (Finding::Failed, 2),
        ];
        let failing = report(&findings, &["results line 5 is bad"]);
        let expected = "results line 5 is bad\n7 records, 7 results\n  3 solved: the path was replayed and leads to \
                        the goal\n  1 shortest, or with a lower bound: proven by linear conflict\nnot proven:\n  3 \
                        unsolved: solvable, but neither the limit nor the lower bound is proven\n  2 errors: the \
                        program failed on them\n  2 with a lower bound: greater than the one found here\n  1 with \
                        claims about all shortest paths: the paths are not counted again\n";
        assert!(!failing.is_sound());
        assert_eq!(failing.to_string(), format!("{expected}{reader}failed: 3 problems found"));
        let one = Report { problems: 1, ..report(&[], &["results line 5 is bad"]) };
        assert!(!one.is_sound() && one.to_string().ends_with("failed: 1 problem found"));
        for finding in [Finding::Unsolved, Finding::Failed] {
            let undecided = report(&[(finding, 1)], &[]);
            assert!(!undecided.is_sound() && undecided.to_string().ends_with("some results could not be verified"));
        }
    }
}
