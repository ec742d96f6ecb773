//! Searches for shortest paths, all behind one question: from this solvable state to the goal.
//!
//! Engines know spaces and states only – nothing of files, JSON, the command line or goals as they
//! were given – and all of them answer with the canonical path (see [`crate::board::frame`]). How many
//! threads there are they learn from a [`ThreadShare`], and no answer depends on it.
//!
//! A new engine is a file here, a variant and a row of [`EngineKind`], and an arm in `solver/engines.rs`, which builds it. It
//! is then taken where it is asked for; `solver/plan.rs` says what is taken where nothing is.

pub mod astar;
pub mod automaton;
pub mod beam;
pub mod bidirectional;
pub mod constructive;
pub mod contract;
pub mod fallback;
pub mod full_table;
pub mod good;
pub mod ida;
pub mod in_turns;
pub mod line;
pub mod lookup;
pub mod only_proven;
mod ordered_chunks;
mod outcome;
pub mod path_table;
pub mod polish;
mod reconstruction;
mod rehash;
pub mod sampling;
mod search_log;
pub mod staged;
mod sync;
#[cfg(test)]
mod test_boards;
mod thread_share;
mod tie_break;
pub mod visited;
mod word;
mod work_queue;

#[cfg(all(test, not(loom)))]
mod agreement;

use std::fmt;

use crate::board::{MAX_SEARCH_CELLS, Shape};

pub use outcome::{Outcome, Proof, Stats};
pub use search_log::{SearchLog, SearchProgress, SearchSnapshot};
pub use thread_share::{Helper, Parallel, Task, ThreadShare};
pub use tie_break::TieBreak;

/// The engines, by the names under which they can be asked for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum EngineKind {
    /// One row or column: nothing to search.
    Line,
    /// The whole graph searched once.
    Lookup,
    /// Breadth-first from both ends, the goal's end shared by all boards.
    Bidirectional,
    /// Best-first in layers of equal f.
    AStar,
    /// Iterative deepening A*.
    IdaStar,
    /// Paths that are good and not proven: constructed, then improved by beams.
    Good,
}

/// What is known of an engine before it is built.
struct EngineRow {
    name: &'static str,
    /// It is taken for boards of this number of cells at most.
    most_cells: usize,
    /// It keeps the states that it has visited: how far it comes depends on the memory.
    keeps_visited: bool,
}

impl EngineKind {
    /// The engines that compete where shortest paths must be searched. [`EngineKind::Line`] has none to compete with.
    pub(crate) const SEARCHES: [EngineKind; 4] =
        [EngineKind::Lookup, EngineKind::Bidirectional, EngineKind::AStar, EngineKind::IdaStar];

    const fn row(self) -> EngineRow {
        const fn named(name: &'static str) -> EngineRow {
            EngineRow { name, most_cells: MAX_SEARCH_CELLS, keeps_visited: false }
        }
        match self {
            EngineKind::Line => named("line"),
            EngineKind::Lookup => EngineRow { most_cells: full_table::CELLS, ..named("lookup") },
            EngineKind::Bidirectional => EngineRow { keeps_visited: true, ..named("bidirectional") },
            EngineKind::AStar => EngineRow { keeps_visited: true, ..named("astar") },
            EngineKind::IdaStar => named("idastar"),
            EngineKind::Good => {
                EngineRow { most_cells: Shape::MAX_SIDE * Shape::MAX_SIDE, keeps_visited: true, ..named("good") }
            }
        }
    }

    /// Its name in options and results.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// It is taken for boards of this number of cells at most.
    pub(crate) const fn most_cells(self) -> usize {
        self.row().most_cells
    }

    /// Whether it keeps the states that it has visited, so that the memory decides how far it comes.
    pub(crate) const fn keeps_visited(self) -> bool {
        self.row().keeps_visited
    }
}

impl fmt::Display for EngineKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
