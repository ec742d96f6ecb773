//! The outcome of a search and its cost.

use serde::{Deserialize, Serialize};

use crate::board::Path;
use crate::system::Limit;

/// The outcome of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// A proven shortest path, in the letters of the original board: the canonical one, unless any
    /// shortest path will do ([`TieBreak`]).
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

/// The statement that is proven about a path: that it is a shortest path, or only a lower bound on
/// the length of all paths.
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

/// The choice among several shortest paths.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum TieBreak {
    /// The lexicographically smallest path (D < L < R < U). Every engine finds the same one.
    #[default]
    Canonical,
    /// Any shortest path. Searches with pattern databases find such a path sooner than the
    /// canonical one. With the same databases and the same amount of memory, the path does not
    /// depend on threads or instruction sets.
    Any,
    /// Like [`TieBreak::Any`], for callers that use only the length of the path.
    LengthOnly,
}

impl TieBreak {
    /// The values that can be requested.
    pub const OPTIONS: [TieBreak; 2] = [TieBreak::Canonical, TieBreak::Any];

    /// Returns the value's name in options.
    pub const fn name(self) -> &'static str {
        match self {
            TieBreak::Canonical => "canonical",
            TieBreak::Any => "any",
            TieBreak::LengthOnly => "length-only",
        }
    }

    /// Returns whether a search may end with the first shortest path that it finds.
    #[inline]
    pub const fn takes_any(self) -> bool {
        !matches!(self, TieBreak::Canonical)
    }
}
