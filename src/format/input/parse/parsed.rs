//! The result of parsing a record.

use crate::board::Board;
use crate::format::input::record::{ParseError, Puzzle};
use crate::format::passthrough::Passthrough;

/// A parsed record.
pub struct Parsed {
    /// The record's id, as JSON.
    pub id: Option<Box<str>>,
    /// The record's passthrough columns.
    pub passthrough: Passthrough,
    /// The board and its goal, or the reason why they cannot be parsed.
    pub puzzle: Result<Puzzle, ParseError>,
}

impl From<Result<Puzzle, ParseError>> for Parsed {
    #[inline]
    fn from(puzzle: Result<Puzzle, ParseError>) -> Parsed {
        Parsed { id: None, passthrough: Passthrough::default(), puzzle }
    }
}

impl Puzzle {
    /// Returns the puzzle of a board without its own goal.
    #[inline]
    pub(super) fn of(board: Board) -> Puzzle {
        Puzzle { board, goal: None }
    }
}
