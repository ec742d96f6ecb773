//! What is found out about one record.

use crate::board::{Board, Path};
use crate::solver::Estimate;
use crate::system::Limit;
use crate::tools::labels::{CountLimit, HeuristicBounds, PathCount, ShortestPaths};

use super::duplicates::Digests;

/// What is asked for of every record; what is not costs nothing.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Requested {
    /// A shortest path.
    pub path: bool,
    /// That it is the canonical one.
    pub canonical: bool,
    /// The number of shortest paths, and how they begin.
    pub path_count: bool,
    /// Paths of more moves than these are all one: a board that is seen to need more is not searched.
    pub most_moves: Option<u64>,
    /// Lower bounds by heuristics.
    pub bounds: bool,
    /// Digests, to find duplicates.
    pub digests: bool,
    /// How much work it would be to solve it.
    pub estimate: bool,
}

/// What is known of a record.
#[derive(Clone, Debug)]
pub struct Facts {
    /// Its number in the run.
    pub index: u64,
    /// The line it began on.
    pub line: u64,
    /// Its own id, as JSON text.
    pub id: Option<Box<str>>,
    /// Board and goal, where there is a board.
    pub puzzle: Option<(Board, Board)>,
    /// What became of it.
    pub status: Status,
    /// Lower bounds on the moves.
    pub bounds: Option<HeuristicBounds>,
    /// Digests.
    pub digests: Option<Digests>,
    /// How much work it is expected to be; `None` also where a limit came first.
    pub estimate: Option<Estimate>,
}

impl Facts {
    /// The bound by the Manhattan distance.
    pub fn manhattan(&self) -> Option<u64> {
        self.bounds.map(|bounds| bounds.manhattan)
    }

    /// The bound by linear conflicts.
    pub fn linear_conflict(&self) -> Option<u64> {
        self.bounds?.linear_conflict
    }

    /// True for a record that was given up because the run is to end.
    pub fn is_cancelled(&self) -> bool {
        match &self.status {
            Status::Unsolved { limit: Limit::Cancelled, .. } => true,
            Status::Solved { shortest_paths: Some(paths), .. } => {
                matches!(paths.count, PathCount::AtLeast(_, CountLimit::Limit(Limit::Cancelled)))
            }
            _ => false,
        }
    }
}

/// What became of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Status {
    /// No board could be read.
    Invalid(String),
    /// The program failed on it.
    Failed(String),
    /// No moves lead to the goal.
    Unsolvable,
    /// Some do; how many was not asked for.
    Solvable,
    /// Not solved within its limits.
    Unsolved {
        /// No path is shorter.
        lower_bound: u64,
        /// What ended the search.
        limit: Limit,
    },
    /// Solved by a shortest path, which was replayed.
    Solved {
        /// The canonical one.
        path: Path,
        /// All of them, where they were asked for.
        shortest_paths: Option<ShortestPaths>,
    },
}
