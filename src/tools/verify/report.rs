//! The report: what is proven, what is not, and the first problems.
//!
//! The last variants of [`Finding`] are about the sample of results that is also solved again by
//! another engine ([`super::sample`]).

use std::collections::BTreeSet;
use std::fmt;

use parking_lot::Mutex;

use crate::system::grouped;
use crate::tools::text::counted;

/// A finding about a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finding {
    /// The path was replayed, and the result claims that it is a shortest one.
    Solved,
    /// As [`Finding::Solved`], for a board too large for a search: a lower bound proves the claim.
    ProvenByBound,
    /// As [`Finding::Solved`], for a board too large for a search: no lower bound proves the claim.
    ShortestUnproven,
    /// The path was replayed. The result claims only a lower bound, which was proven.
    Bounded,
    /// As [`Finding::Bounded`], but the lower bound was not proven.
    BoundUnproven,
    /// The path was replayed. The result claims neither a shortest path nor a lower bound.
    OnlyReplayed,
    /// Proven by parity.
    Unsolvable,
    /// The record is invalid for the stated reason.
    Invalid,
    /// A limit ended the search. The board is solvable; nothing else can be proven.
    Unsolved,
    /// The program failed on the record; nothing can be proven.
    Failed,
    /// The claims about all shortest paths were proven by counting the paths.
    PathsCounted,
    /// The result has claims about all shortest paths that were not proven.
    PathsUncounted,
    /// In the sample: another engine found the same path or, if every shortest path is accepted,
    /// one of the same length.
    Agreed,
    /// In the sample, in addition to [`Finding::Agreed`]: the claims about all shortest paths were
    /// proven by counting the paths.
    PathsCountedAgain,
    /// In the sample: another engine proved the lower bound.
    BoundProven,
    /// In the sample: a claimed lower bound, or a path said to be shortest on a board too large for
    /// a proof, was neither proven nor refuted by a shorter path.
    Uncontradicted,
    /// In the sample: a limit ended the search before it confirmed or refuted that a path is
    /// shortest.
    Unsettled,
}

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

    /// Adds the numbers of other findings.
    pub fn merge(&mut self, other: &FindingCounts) {
        self.0.iter_mut().zip(other.0).for_each(|(number, more)| *number += more);
    }
}

/// The maximum number of problems that are printed; the rest are counted.
const MAX_PRINTED: usize = 20;

/// The place of a problem. Problems are reported in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ProblemPlace {
    /// The results as a whole, if they are a shard of a run. A problem with the whole may explain
    /// all others.
    Results,
    /// A line of the results, counted from 1.
    Line(u64),
    /// A record without a line, counted from 1.
    Record(u64),
}

impl fmt::Display for ProblemPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProblemPlace::Results => f.write_str("results"),
            ProblemPlace::Line(line) => write!(f, "results line {line}"),
            ProblemPlace::Record(record) => write!(f, "record {record}"),
        }
    }
}

/// The number of problems, and the first of them by place. The order in which threads add them
/// makes no difference.
#[derive(Default)]
pub struct Problems(Mutex<(u64, BTreeSet<(ProblemPlace, String)>)>);

impl Problems {
    /// Adds a problem.
    pub fn add(&self, place: ProblemPlace, what: impl Into<String>) {
        let (number, first) = &mut *self.0.lock();
        *number += 1;
        if first.len() < MAX_PRINTED || first.last().is_some_and(|(last, _)| place < *last) {
            first.insert((place, what.into()));
            if first.len() > MAX_PRINTED {
                first.pop_last();
            }
        }
    }

    /// Returns the number of problems, and the first of them.
    pub fn take(self) -> (u64, Vec<String>) {
        let (number, first) = self.0.into_inner();
        (number, first.into_iter().map(|(place, what)| format!("{place} {what}")).collect())
    }
}

/// The outcome of a run.
#[derive(Debug)]
pub struct Report {
    /// The number of inputs that could not be read completely.
    pub failed_inputs: u64,
    /// The number of records.
    pub records: u64,
    /// The number of results.
    pub results: u64,
    pub(super) findings: FindingCounts,
    /// True if a sample was solved again.
    pub(super) is_sampled: bool,
    /// The number of problems.
    pub problems: u64,
    /// The first problems, in order.
    pub first_problems: Vec<String>,
}

impl Report {
    /// Returns true if there are no problems, and no record is unsolved, failed, or unsettled.
    pub fn is_sound(&self) -> bool {
        let undecided = [Finding::Unsolved, Finding::Failed, Finding::Unsettled];
        self.problems == 0 && undecided.iter().all(|&finding| self.findings.count(finding) == 0)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |finding| self.findings.count(finding);
        for problem in &self.first_problems {
            writeln!(f, "{problem}")?;
        }
        if self.problems > self.first_problems.len() as u64 {
            writeln!(f, "and {} more", self.problems - self.first_problems.len() as u64)?;
        }
        writeln!(f, "{}, {}", counted(self.records, "record"), counted(self.results, "result"))?;
        let proven = [
            (number(Finding::Solved), "solved: the path was replayed and leads to the goal"),
            (
                number(Finding::ProvenByBound),
                "solved, proven by a bound: the path was replayed, and is as short as the lower bound",
            ),
            (number(Finding::ShortestUnproven), "solved, shortest according to the result: the path was replayed"),
            (
                number(Finding::Bounded),
                "solved, not proven shortest: the path was replayed, and no path is shorter than the lower bound",
            ),
            (
                number(Finding::BoundUnproven) + number(Finding::OnlyReplayed),
                "solved, not proven shortest: the path was replayed",
            ),
            (number(Finding::Unsolvable), "unsolvable: proven by parity"),
            (number(Finding::Invalid), "invalid: read again, with the same reason"),
            (number(Finding::PathsCounted), "with claims about all shortest paths: recounted by an exhaustive search"),
        ];
        list(f, &proven)?;
        let (agreed, paths_counted) = (number(Finding::Agreed), number(Finding::PathsCountedAgain));
        let in_sample = agreed + number(Finding::Unsettled);
        if in_sample > 0 {
            writeln!(f, "  {agreed} of {in_sample} in the sample: confirmed by another engine")?;
        }
        let proven_in_sample = [
            (paths_counted, "of these, with claims about all shortest paths: recounted"),
            (number(Finding::BoundProven), "with a lower bound, in the sample: proven by another engine"),
        ];
        list(f, &proven_in_sample)?;
        writeln!(f, "not proven:")?;
        let unproven = [
            (number(Finding::Unsolved), "unsolved: solvable, but neither the limit nor the lower bound is proven"),
            (number(Finding::Failed), "errors: the program failed on them"),
            (number(Finding::ShortestUnproven), "said to be shortest: longer than the lower bounds found here"),
            (number(Finding::BoundUnproven), "with a lower bound: greater than the one found here"),
            (
                number(Finding::PathsUncounted).saturating_sub(paths_counted),
                "with claims about all shortest paths: not proven (boards of more than 9 cells need --sample N; a list \
                 without `solutions` may be incomplete)",
            ),
            (number(Finding::Uncontradicted), "in the sample: not proven, but no search found a shorter path"),
            (number(Finding::Unsettled), "in the sample: not solved again within the limits"),
        ];
        list(f, &unproven)?;
        let last_line = match self.is_sampled {
            _ if number(Finding::Solved) == 0 => "that the inputs were read correctly: verify uses the same reader",
            true => "that paths outside the sample are shortest and canonical",
            false => "that paths are shortest and canonical (--sample N)",
        };
        writeln!(f, "  {last_line}")?;
        match self.problems {
            0 if self.is_sound() => write!(f, "ok: {} verified", counted(self.results, "result")),
            0 => write!(f, "no problems found, but some results could not be verified"),
            problems => write!(f, "failed: {} found", counted(problems, "problem")),
        }
    }
}

/// Writes a line for each number that is not 0.
fn list(f: &mut fmt::Formatter<'_>, lines: &[(u64, &str)]) -> fmt::Result {
    lines
        .iter()
        .filter(|(number, _)| *number > 0)
        .try_for_each(|(number, what)| writeln!(f, "  {} {what}", grouped(*number)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_problems_are_kept_in_whatever_order_they_come() {
        let problems = Problems::default();
        for line in (1..=100).rev() {
            problems.add(ProblemPlace::Line(line), "is bad");
        }
        problems.add(ProblemPlace::Record(1), "is missing");
        let (count, first) = problems.take();
        assert_eq!((count, first.len()), (101, MAX_PRINTED));
        assert_eq!((&*first[0], &*first[19]), ("results line 1 is bad", "results line 20 is bad"));
    }

    /// The report, word for word.
    #[test]
    fn the_report_lists_what_is_proven_and_what_is_not() {
        let report = |findings: &[(Finding, u64)], is_sampled, problems: &[&str]| {
            let mut counts = FindingCounts::default();
            for &(finding, times) in findings {
                (0..times).for_each(|_| counts.add(finding));
            }
            Report {
                failed_inputs: 0,
                records: 7,
                results: 7,
                findings: counts,
                is_sampled,
                problems: 3 * problems.len() as u64,
                first_problems: problems.iter().map(ToString::to_string).collect(),
            }
        };
        let sound = [(Finding::Solved, 4), (Finding::Unsolvable, 2), (Finding::Invalid, 1)];
        let head = "7 records, 7 results\n  4 solved: the path was replayed and leads to the goal\n  2 unsolvable: \
                    proven by parity\n  1 invalid: read again, with the same reason\n";
        let expected = "not proven:\n  that paths are shortest and canonical (--sample N)\nok: 7 results \
                        verified";
        assert!(report(&sound, false, &[]).is_sound());
        assert_eq!(report(&sound, false, &[]).to_string(), format!("{head}{expected}"));

        let sampled = report(&[&sound[..], &[(Finding::Agreed, 2), (Finding::Unsettled, 1)]].concat(), true, &[]);
        let expected = "  2 of 3 in the sample: confirmed by another engine\nnot proven:\n  1 in the sample: \
                        not solved again within the limits\n  that paths outside the sample are shortest and \
                        canonical\nno problems found, but some results could not be verified";
        assert!(!sampled.is_sound());
        assert_eq!(sampled.to_string(), format!("{head}{expected}"));

        let findings = [
            (Finding::Bounded, 1),
            (Finding::BoundUnproven, 2),
            (Finding::OnlyReplayed, 1),
            (Finding::Unsolved, 3),
            (Finding::Failed, 2),
        ];
        let failing = report(&findings, false, &["results line 5 is bad"]);
        let expected = "results line 5 is bad\nand 2 more\n7 records, 7 results\n  1 solved, not proven shortest: the \
                        path was replayed, and no path is shorter than the lower bound\n  3 solved, not proven \
                        shortest: the path was replayed\nnot proven:\n  3 unsolved: solvable, but neither the limit \
                        nor the lower bound is proven\n  2 errors: the program failed on them\n  2 with a lower bound: \
                        greater than the one found here\n  that the inputs were read correctly: verify uses the \
                        same reader\nfailed: 3 problems found";
        assert!(!failing.is_sound());
        assert_eq!(failing.to_string(), expected);

        let findings = [(Finding::Solved, 2), (Finding::PathsCounted, 1), (Finding::PathsUncounted, 1)];
        let expected = "7 records, 7 results\n  2 solved: the path was replayed and leads to the goal\n  1 with claims \
                        about all shortest paths: recounted by an exhaustive search\nnot proven:\n  1 with claims \
                        about all shortest paths: not proven (boards of more than 9 cells need --sample N; a list \
                        without `solutions` may be incomplete)\n  that paths are shortest and canonical (--sample \
                        N)\nok: 7 results verified";
        assert_eq!(report(&findings, false, &[]).to_string(), expected);
        let one = Report { problems: 1, ..report(&[], false, &["results line 5 is bad"]) };
        assert!(one.to_string().starts_with("results line 5 is bad\n7 records") && !one.is_sound());
        assert!(one.to_string().ends_with("failed: 1 problem found"));
        for finding in [Finding::Unsolved, Finding::Failed] {
            let undecided = report(&[(finding, 1)], false, &[]);
            assert!(!undecided.is_sound() && undecided.to_string().ends_with("some results could not be verified"));
        }
    }
}
