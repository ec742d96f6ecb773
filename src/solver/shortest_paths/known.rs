//! What is known of the shortest paths of a board: one of them, how many there are, and how they begin.

use crate::board::{Beginning, Path};
use crate::system::Limit;

/// A shortest path that is known.
#[derive(Clone, Copy, Debug)]
pub enum Known<'a> {
    /// The smallest of all.
    First(&'a Path),
    /// Any.
    Any(&'a Path),
}

impl<'a> Known<'a> {
    /// A path that is known, and whether it is the smallest.
    pub fn new(path: &'a Path, is_first: bool) -> Known<'a> {
        if is_first { Known::First(path) } else { Known::Any(path) }
    }

    pub(super) fn path(self) -> &'a Path {
        match self {
            Known::First(path) | Known::Any(path) => path,
        }
    }
}

/// The shortest paths of a board.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ShortestPaths {
    /// Their number.
    pub count: PathCount,
    /// How they begin; `None`: not known.
    pub beginning: Option<Beginning>,
}

impl ShortestPaths {
    /// Those of a board that has only this one.
    pub fn only(path: &Path) -> ShortestPaths {
        let beginning = Beginning { first_moves: path.moves().take(1).collect(), forced: path.len() };
        ShortestPaths { count: PathCount::Exactly(1), beginning: Some(beginning) }
    }
}

/// The number of shortest paths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PathCount {
    /// All were counted.
    Exactly(u64),
    /// Counting was ended early.
    AtLeast(u64, CountLimit),
}

/// Why not all paths were counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum CountLimit {
    /// The greatest number that was to be counted was reached.
    Cap,
    /// A limit of the run.
    Limit(Limit),
}

impl CountLimit {
    /// The word that is written for it.
    pub const fn name(self) -> &'static str {
        match self {
            CountLimit::Cap => "count-cap",
            CountLimit::Limit(limit) => limit.name(),
        }
    }
}
