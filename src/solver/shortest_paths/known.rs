//! Known facts about the shortest paths of a board: one of them, their number, and their beginning.

use crate::board::{Beginning, Path};
use crate::system::Limit;

/// A known shortest path.
#[derive(Clone, Copy, Debug)]
pub enum KnownPath<'a> {
    /// The smallest of all shortest paths.
    First(&'a Path),
    /// A shortest path that need not be the smallest.
    Any(&'a Path),
}

impl<'a> KnownPath<'a> {
    /// Creates a known path, which is the smallest if `is_first` is true.
    pub fn new(path: &'a Path, is_first: bool) -> KnownPath<'a> {
        if is_first { KnownPath::First(path) } else { KnownPath::Any(path) }
    }

    pub(super) fn path(self) -> &'a Path {
        match self {
            KnownPath::First(path) | KnownPath::Any(path) => path,
        }
    }
}

/// The shortest paths of a board.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ShortestPaths {
    /// The number of paths.
    pub count: PathCount,
    /// Their beginning, if known.
    pub beginning: Option<Beginning>,
}

impl ShortestPaths {
    /// Returns the result for a board whose only shortest path is this one.
    pub fn only(path: &Path) -> ShortestPaths {
        let beginning = Beginning { first_moves: path.moves().take(1).collect(), forced: path.len() };
        ShortestPaths { count: PathCount::Exactly(1), beginning: Some(beginning) }
    }
}

/// The number of shortest paths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PathCount {
    /// The exact number.
    Exactly(u64),
    /// A lower bound, because the count ended early.
    AtLeast(u64, CountLimit),
}

/// The reason why a count ended early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum CountLimit {
    /// The cap was reached.
    Cap,
    /// A limit of the run was reached.
    Limit(Limit),
}

impl CountLimit {
    /// Returns the name used in results.
    pub const fn name(self) -> &'static str {
        match self {
            CountLimit::Cap => "count-cap",
            CountLimit::Limit(limit) => limit.name(),
        }
    }
}
