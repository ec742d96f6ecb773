//! A record: one entry of a file, with a board and perhaps an id and a goal.

use std::fmt::Display;

use crate::board::{Board, Goal};
use crate::format::passthrough::Passthrough;

/// A record: a puzzle, or the reason why it cannot be parsed.
#[derive(Clone, Debug)]
pub struct Record {
    /// The record's number, counted from 1 over all files.
    pub index: u64,
    /// The line on which the record begins, counted from 1 in its file.
    pub line: u64,
    /// Its id, if it has one, as JSON: a string or a number.
    pub id: Option<Box<str>>,
    /// Its passthrough columns.
    pub passthrough: Passthrough,
    /// The board and its goal, or the reason why they cannot be parsed.
    pub puzzle: Result<Puzzle, ParseError>,
}

/// A board and its goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Puzzle {
    /// The start.
    pub board: Board,
    /// The record's own goal. `None`: the source's goal.
    pub goal: Option<Goal>,
}

impl Puzzle {
    /// Returns the puzzle of a board without its own goal.
    #[inline]
    pub(super) fn of(board: Board) -> Puzzle {
        Puzzle { board, goal: None }
    }
}

impl From<Result<Puzzle, ParseError>> for Record {
    /// Returns a record without an id and without its place in the file.
    #[inline]
    fn from(puzzle: Result<Puzzle, ParseError>) -> Record {
        Record { index: 0, line: 0, id: None, passthrough: Passthrough::default(), puzzle }
    }
}

/// The reason why a record cannot be parsed: what was found and what was expected, on one line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct ParseError(Box<str>);

impl ParseError {
    /// The maximum number of characters. Longer reasons are truncated.
    const MAX_CHARS: usize = 240;

    pub(super) fn new(reason: impl Display) -> ParseError {
        let reason = reason.to_string();
        let mut shown: String =
            reason.chars().take(Self::MAX_CHARS).map(|c| if c.is_control() { ' ' } else { c }).collect();
        if shown.len() < reason.len() {
            shown.push('…');
        }
        ParseError(shown.into())
    }
}
