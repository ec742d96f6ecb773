//! What results are found to be, and how many of each.

/// What a result was found to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finding {
    /// The path was replayed: it leads to the goal.
    Solved,
    /// Parity proves it.
    Unsolvable,
    /// The record cannot be read, for the reason given.
    Invalid,
    /// Too large to be searched, as it says; the lower bound is the sum of the tiles' distances.
    TooLarge,
    /// A limit ended the search: the board is solvable, and nothing else can be proven.
    Unsolved,
    /// The program failed on it: nothing can be proven.
    Failed,
}

/// The number of results by what they were found to be.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct FindingCounts {
    /// Their path was replayed: it leads to the goal.
    pub solved: u64,
    /// Parity proves it.
    pub unsolvable: u64,
    /// The record cannot be read, for the reason given.
    pub invalid: u64,
    /// Too large to be searched, as they say.
    pub too_large: u64,
    /// A limit ended the search: solvable, and nothing else can be proven.
    pub unsolved: u64,
    /// The program failed on them: nothing can be proven.
    pub failed: u64,
}

impl FindingCounts {
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

    pub(super) fn merge(&mut self, other: &FindingCounts) {
        self.solved += other.solved;
        self.unsolvable += other.unsolvable;
        self.invalid += other.invalid;
        self.too_large += other.too_large;
        self.unsolved += other.unsolved;
        self.failed += other.failed;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_add_up() {
        let each = [1, 2, 3, 4, 5, 6];
        let [solved, unsolvable, invalid, too_large, unsolved, failed] = each;
        let some = FindingCounts { solved, unsolvable, invalid, too_large, unsolved, failed };
        let mut sum = some;
        sum.merge(&some);
        sum.merge(&some);
        let [solved, unsolvable, invalid, too_large, unsolved, failed] = each.map(|count| 3 * count);
        assert_eq!(sum, FindingCounts { solved, unsolvable, invalid, too_large, unsolved, failed });
    }
}
