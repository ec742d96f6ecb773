//! What a parser makes of a record.

use crate::board::Board;
use crate::format::input::record::{ParseError, Puzzle};
use crate::format::passing::Passed;

/// A record that was parsed.
pub struct Parsed {
    /// Its id, as JSON.
    pub id: Option<Box<str>>,
    /// Its own fields that go into its result.
    pub passed: Passed,
    /// The board and its goal, or why they cannot be read.
    pub puzzle: Result<Puzzle, ParseError>,
}

impl From<Result<Puzzle, ParseError>> for Parsed {
    #[inline]
    fn from(puzzle: Result<Puzzle, ParseError>) -> Parsed {
        Parsed { id: None, passed: Passed::default(), puzzle }
    }
}

impl Puzzle {
    /// A board whose goal is the source's.
    #[inline]
    pub(super) fn of(board: Board) -> Puzzle {
        Puzzle { board, goal: None }
    }
}
