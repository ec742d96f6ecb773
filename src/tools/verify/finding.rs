//! What results are found to be, and how many of each.

use super::all_paths::AllPaths;

/// What a result was found to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finding {
    /// The path was replayed: it leads to the goal, and is said to be a shortest one.
    Solved,
    /// The same on a board that is too large for a search, and no path is shorter than a bound that is as long.
    ProvenByBound,
    /// The same, but for the bound: it is less than the path, and nothing else shows that none is shorter.
    ShortestUnproven,
    /// The path was replayed: it leads to the goal, and is not said to be a shortest one; no path is shorter than the bound.
    Bounded,
    /// The same, but for the bound: it is greater than what can be proven here.
    BoundUnproven,
    /// Parity proves it.
    Unsolvable,
    /// The record cannot be read, for the reason given.
    Invalid,
    /// A limit ended the search: the board is solvable, and nothing else can be proven.
    Unsolved,
    /// The program failed on it: nothing can be proven.
    Failed,
}

/// The number of results by what they were found to be.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct FindingCounts {
    /// Their path was replayed: it leads to the goal, and is said to be a shortest one.
    pub solved: u64,
    /// The same on boards that are too large for a search, and no path is shorter than a bound that is as long.
    pub proven_by_bound: u64,
    /// The same, but for the bound: it is less than the path, and nothing else shows that none is shorter.
    pub shortest_unproven: u64,
    /// Their path was replayed: it leads to the goal, and is not said to be a shortest one; no path is shorter than the
    /// bound.
    pub bounded: u64,
    /// The same, but for the bound: it is greater than what can be proven here.
    pub bound_unproven: u64,
    /// Parity proves it.
    pub unsolvable: u64,
    /// The record cannot be read, for the reason given.
    pub invalid: u64,
    /// A limit ended the search: solvable, and nothing else can be proven.
    pub unsolved: u64,
    /// The program failed on them: nothing can be proven.
    pub failed: u64,
    /// All their shortest paths were counted again.
    pub paths_counted: u64,
    /// What they say of all shortest paths was not counted again.
    pub paths_uncounted: u64,
}

impl FindingCounts {
    pub(super) fn add(&mut self, finding: Finding) {
        *match finding {
            Finding::Solved => &mut self.solved,
            Finding::ProvenByBound => &mut self.proven_by_bound,
            Finding::ShortestUnproven => &mut self.shortest_unproven,
            Finding::Bounded => &mut self.bounded,
            Finding::BoundUnproven => &mut self.bound_unproven,
            Finding::Unsolvable => &mut self.unsolvable,
            Finding::Invalid => &mut self.invalid,
            Finding::Unsolved => &mut self.unsolved,
            Finding::Failed => &mut self.failed,
        } += 1;
    }

    pub(super) fn add_all_paths(&mut self, proven: &AllPaths) {
        match proven {
            AllPaths::NotTold => {}
            AllPaths::Counted => self.paths_counted += 1,
            AllPaths::NotCounted(_) => self.paths_uncounted += 1,
        }
    }

    pub(super) fn merge(&mut self, other: &FindingCounts) {
        self.solved += other.solved;
        self.proven_by_bound += other.proven_by_bound;
        self.shortest_unproven += other.shortest_unproven;
        self.unsolvable += other.unsolvable;
        self.invalid += other.invalid;
        self.bounded += other.bounded;
        self.bound_unproven += other.bound_unproven;
        self.unsolved += other.unsolved;
        self.failed += other.failed;
        self.paths_counted += other.paths_counted;
        self.paths_uncounted += other.paths_uncounted;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_add_up() {
        let of = |times: u64| FindingCounts {
            solved: times,
            proven_by_bound: 2 * times,
            shortest_unproven: 3 * times,
            bounded: 4 * times,
            bound_unproven: 5 * times,
            unsolvable: 6 * times,
            invalid: 7 * times,
            unsolved: 8 * times,
            failed: 9 * times,
            paths_counted: 10 * times,
            paths_uncounted: 11 * times,
        };
        let (some, mut sum) = (of(1), of(1));
        sum.merge(&some);
        sum.merge(&some);
        assert_eq!(sum, of(3));
    }
}
