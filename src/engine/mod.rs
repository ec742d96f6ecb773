//! The search engines. Each finds a path from a solvable state to the goal, most of them a shortest
//! one.
//!
//! Engines know nothing about files, JSON or the command line. Most of them search in the canonical
//! frame of a board ([`crate::board::frame`]). The path of [`Outcome::Solved`] is the canonical
//! one, the lexicographically smallest of the shortest paths, unless any shortest path will do
//! ([`TieBreak`]). A [`ThreadShare`] sets the number of threads. No answer depends on this number,
//! unless a time or memory limit affects a search, or any shortest path will do.
//!
//! To add an engine, add a file here, a variant and a row to [`EngineKind`], and an arm in
//! `solver/engines.rs` that builds the engine. If the variant is added to `EngineKind::SEARCHES`,
//! users can request the engine by name. `solver/plan.rs` chooses the engine if none is requested.

pub mod astar;
pub mod automaton;
pub mod beam;
pub mod bidirectional;
pub mod combined;
pub mod constructive;
pub mod contract;
pub mod full_table;
pub mod good;
pub mod ida;
pub mod line;
pub mod lookup;
mod ordered_chunks;
mod outcome;
pub mod path_table;
pub mod polish;
pub mod sampling;
mod search_log;
pub mod staged;
mod state_sets;
#[cfg(test)]
mod test_support;
mod thread_share;
pub mod visited;
mod word;
mod work_queue;

#[cfg(all(test, not(loom)))]
mod agreement;

use std::fmt;

use crate::board::{MAX_SEARCH_CELLS, Shape};

pub use outcome::{Outcome, Proof, Stats, TieBreak};
pub use search_log::{SearchLog, SearchProgress, SearchSnapshot};
pub use thread_share::{Helper, Parallel, Task, ThreadShare};

/// The kinds of engines. All but `Line` and `Good` can be requested by name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum EngineKind {
    /// One row or column: no search is needed.
    Line,
    /// A table of all states, from one search of the whole graph.
    Lookup,
    /// Breadth-first search from both ends, with a backward frontier that all boards share.
    Bidirectional,
    /// Best-first search in layers of equal f, the moves made plus the heuristic.
    AStar,
    /// Iterative deepening A*.
    IdaStar,
    /// Good paths without proof: constructed, then improved by beam search.
    Good,
}

/// The properties of an engine that are known before it is built.
struct EngineRow {
    name: &'static str,
    /// The maximum number of cells of a board.
    max_cells: usize,
    /// True if the engine stores the visited states, so that memory limits the search.
    keeps_visited: bool,
}

impl EngineKind {
    /// The engines for shortest paths that can be chosen. For lines there is no choice.
    pub(crate) const SEARCHES: [EngineKind; 4] =
        [EngineKind::Lookup, EngineKind::Bidirectional, EngineKind::AStar, EngineKind::IdaStar];

    const fn row(self) -> EngineRow {
        const fn named(name: &'static str) -> EngineRow {
            EngineRow { name, max_cells: MAX_SEARCH_CELLS, keeps_visited: false }
        }
        match self {
            EngineKind::Line => named("line"),
            EngineKind::Lookup => EngineRow { max_cells: full_table::MAX_CELLS, ..named("lookup") },
            EngineKind::Bidirectional => EngineRow { keeps_visited: true, ..named("bidirectional") },
            EngineKind::AStar => EngineRow { keeps_visited: true, ..named("astar") },
            EngineKind::IdaStar => named("idastar"),
            EngineKind::Good => {
                EngineRow { max_cells: Shape::MAX_SIDE * Shape::MAX_SIDE, keeps_visited: true, ..named("good") }
            }
        }
    }

    /// Returns the engine's name in options and results.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns the maximum number of cells of a board.
    pub(crate) const fn max_cells(self) -> usize {
        self.row().max_cells
    }

    /// Returns whether the engine stores the visited states, so that memory limits the search.
    pub(crate) const fn keeps_visited(self) -> bool {
        self.row().keeps_visited
    }
}

impl fmt::Display for EngineKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
