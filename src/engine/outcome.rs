//! The outcome of a search and its cost.

use serde::{Deserialize, Serialize};

use crate::board::Path;
use crate::system::Limit;

/// The outcome of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// A proven shortest path, in the letters of the original board: the canonical one, unless any
    /// shortest path will do ([`TieBreak`](super::TieBreak)).
    Solved(Path),
    /// A path that is proven shortest only if the lower bound equals its length.
    Found {
        /// The path, in the letters of the original board.
        path: Path,
        /// Proven: every path has at least this many moves.
        lower_bound: u64,
    },
    /// A limit ended the search without a path.
    Unsolved {
        /// Proven: every path has at least this many moves.
        lower_bound: u64,
        /// The limit that ended the search.
        limit: Limit,
    },
}

/// The lower bound that is proven for the length of a path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Proof {
    /// No path is shorter. The path is the canonical one, unless any shortest path was requested.
    Optimal,
    /// No path has fewer moves than this.
    AtLeast(u64),
}

/// The work of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stats {
    /// The number of states whose moves were tried.
    pub expanded: u64,
    /// The number of times that a move reached a state, plus one for the start.
    pub generated: u64,
}

impl Stats {
    /// Returns the work since `before`.
    pub(super) fn since(&self, before: &Stats) -> Stats {
        Stats { expanded: self.expanded - before.expanded, generated: self.generated - before.generated }
    }

    /// Adds the work of another search.
    pub fn add(&mut self, other: &Stats) {
        self.expanded += other.expanded;
        self.generated += other.generated;
    }
}
