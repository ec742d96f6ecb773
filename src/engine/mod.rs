//! Searches for shortest paths, all behind one question: from this solvable state to the goal.
//!
//! Engines know spaces and states only – nothing of files, JSON, the command line or goals as they
//! were given – and all of them answer with the canonical path (see [`crate::frame`]). How many
//! threads there are they learn from a [`Crew`], and no answer depends on it.

pub mod astar;
pub mod automaton;
pub mod bidirectional;
mod crew;
mod deal;
pub mod descent;
mod enlarge;
pub mod idastar;
mod limits;
pub mod line;
pub mod lookup;
pub mod paths;
mod pieces;
mod retrace;
mod sync;
pub mod waves;
mod word;

#[cfg(all(test, not(loom)))]
mod agreement;

pub use crew::{Crew, Helper, Parallel, Task};
pub use limits::{Budget, Limit, Limits};

use crate::board::Path;

/// How a search ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The canonical shortest path, in the letters of the board as given.
    Solved(Path),
    /// A limit ended the search; no path is shorter than `lower_bound` plies.
    Unsolved {
        /// Proven: every solution has at least this many moves.
        lower_bound: u16,
        /// What ended it.
        limit: Limit,
    },
}

/// What a search did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// States whose moves were tried.
    pub expanded: u64,
    /// States that were reached by a move, the start included.
    pub generated: u64,
}
