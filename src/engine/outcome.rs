//! How a search ends, and what it cost.

use serde::{Deserialize, Serialize};

use crate::board::Path;
use crate::system::Limit;

/// How a search ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The canonical shortest path, proven, in the letters of the board as given.
    Solved(Path),
    /// A path that was not searched for as the first of all shortest ones: proven shortest only where the bound is its
    /// length.
    Found {
        /// The path, in the letters of the board as given.
        path: Path,
        /// Proven: every path has at least this many moves.
        lower_bound: u64,
    },
    /// A limit ended the search before a path was found.
    Unsolved {
        /// Proven: every path has at least this many moves.
        lower_bound: u64,
        /// What ended it.
        limit: Limit,
    },
}

/// What is proven of a path that was found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Proof {
    /// No path is shorter; of all that are as short it is the lexicographically smallest.
    Optimal,
    /// No path has fewer moves than this.
    AtLeast(u64),
}

/// What a search did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stats {
    /// States whose moves were tried.
    pub expanded: u64,
    /// States that were reached by a move, the start included.
    pub generated: u64,
}

impl Stats {
    /// What was done since it had done this.
    pub(super) fn since(&self, before: &Stats) -> Stats {
        Stats { expanded: self.expanded - before.expanded, generated: self.generated - before.generated }
    }

    /// Adds what another search did.
    pub fn add(&mut self, other: &Stats) {
        self.expanded += other.expanded;
        self.generated += other.generated;
    }
}
