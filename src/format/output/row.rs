//! Everything that can be written of one record.

use crate::board::{Beginning, Board, Path, PathList};
use crate::format::passing::Passed;
use crate::format::status::Status;
use crate::system::Limit;

/// What became of a record.
#[derive(Clone, Copy, Debug)]
pub enum Verdict<'a> {
    /// Solved by the first of all shortest paths, which was replayed.
    Solved(&'a Path),
    /// Solved by a path that was replayed, and that is proven shortest only where the bound says so.
    Found {
        /// The path.
        path: &'a Path,
        /// No path is shorter.
        lower_bound: u64,
        /// What kept it from being better.
        limit: Option<Limit>,
    },
    /// No sequence of moves leads to the goal: proven by parity.
    Unsolvable,
    /// Some moves lead to the goal; a solution was not requested.
    Solvable,
    /// Not settled within its limits.
    Unsolved {
        /// No path is shorter.
        lower_bound: u64,
        /// What ended the search.
        limit: Limit,
    },
    /// No board could be read.
    Invalid(&'a str),
    /// The program failed on this record.
    Failed(&'a str),
}

impl<'a> Verdict<'a> {
    /// The path that was found.
    #[inline]
    pub const fn path(&self) -> Option<&'a Path> {
        match *self {
            Verdict::Solved(path) | Verdict::Found { path, .. } => Some(path),
            _ => None,
        }
    }

    /// Whether there is a path that may not be a shortest one.
    #[inline]
    pub fn is_unproven(&self) -> bool {
        matches!(*self, Verdict::Found { path, lower_bound, .. } if lower_bound < path.len() as u64)
    }

    /// Returns its word in the field `status`; `solved` also where a solution exists and was not requested, of which no
    /// status is written.
    #[inline]
    pub const fn status(&self) -> Status {
        match self {
            Verdict::Solved(_) | Verdict::Found { .. } | Verdict::Solvable => Status::Solved,
            Verdict::Unsolvable => Status::Unsolvable,
            Verdict::Unsolved { .. } => Status::Unsolved,
            Verdict::Invalid(_) => Status::Invalid,
            Verdict::Failed(_) => Status::Error,
        }
    }
}

/// How a board was solved; differs between runs, and is only written on request.
#[derive(Clone, Copy, Default, Debug)]
pub struct Detail<'a> {
    /// Name of the engine.
    pub engine: &'a str,
    /// Name of its heuristic, where it has one.
    pub heuristic: Option<&'a str>,
    /// Nodes generated.
    pub nodes: u64,
    /// Microseconds.
    pub time_us: u64,
    /// Of a search by bounds that grow: each bound, and the nodes that it took.
    pub iterations: &'a [(u64, u64)],
}

/// The shortest paths of a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AllPaths {
    /// How many there are.
    pub count: PathTotal,
    /// The first of them; `None` where a limit came before the end of the list.
    pub list: Option<PathList>,
    /// How all of them begin, where that is known.
    pub beginning: Option<Beginning>,
}

/// The number of shortest paths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathTotal {
    /// All were counted.
    Exactly(u64),
    /// Counting was ended early, by what this word says.
    AtLeast(u64, &'static str),
}

/// The expected work of a search for a shortest path.
#[derive(Clone, Copy, Debug)]
pub struct Expected<'a> {
    /// Nodes that it generates; 0 if no search is needed.
    pub nodes: u64,
    /// Moves, time in microseconds, and the heuristic; `None` if no search is needed.
    pub search: Option<(u64, u64, &'a str)>,
}

/// Everything that can be written of one record.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// Number of the record in the run.
    pub index: u64,
    /// The source's name, as a JSON string (see [`json_string`](super::json_string)).
    pub source: &'a str,
    /// Line it began on.
    pub line: u64,
    /// The record's id as JSON text.
    pub id: Option<&'a str>,
    /// Its own fields that go into the result.
    pub passed: &'a Passed,
    /// Board and goal, where there was a board.
    pub puzzle: Option<(&'a Board, &'a Board)>,
    /// What became of it.
    pub verdict: Verdict<'a>,
    /// How.
    pub detail: Option<Detail<'a>>,
    /// All its shortest paths, where they were asked for.
    pub all: Option<&'a AllPaths>,
    /// The bound by linear conflicts, where it was requested and the board has a solution.
    pub linear_conflict: Option<u64>,
    /// The expected work, where it was requested and is known.
    pub expected: Option<Expected<'a>>,
}

impl<'a> Row<'a> {
    /// What there is of every record: nothing but its place and what became of it.
    pub fn bare(index: u64, source: &'a str, line: u64, verdict: Verdict<'a>) -> Row<'a> {
        let passed = Passed::nothing();
        let (id, puzzle, detail, all, linear_conflict, expected) = (None, None, None, None, None, None);
        Row { index, source, line, id, passed, puzzle, verdict, detail, all, linear_conflict, expected }
    }
}
