//! The kinds of findings about results, and the number of each.
//!
//! A sample of the results is also solved again by another engine ([`super::sample`]). The last
//! findings are about it.

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
