//! A record: one entry of a file, with a board and perhaps an id and a goal.

use std::fmt;

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

/// The reason why a record cannot be parsed: what was found and what was expected, on one line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError(Box<str>);

impl ParseError {
    /// The maximum number of characters. Longer reasons are truncated.
    const MAX_CHARS: usize = 240;

    pub(super) fn new(reason: impl fmt::Display) -> ParseError {
        let reason = reason.to_string();
        let mut shown: String =
            reason.chars().take(Self::MAX_CHARS).map(|c| if c.is_control() { ' ' } else { c }).collect();
        if shown.len() < reason.len() {
            shown.push('…');
        }
        ParseError(shown.into())
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ParseError {}
