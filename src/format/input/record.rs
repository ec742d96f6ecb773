//! A record: one entry of a file, with a board and perhaps an id and a goal.

use std::fmt;

use crate::board::{Board, Goal};
use crate::format::passing::Passed;

/// A record: a puzzle, or the reason that it cannot be read.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its number, counted from 1 over all files.
    pub index: u64,
    /// The line that it begins on, counted from 1 in its file.
    pub line: u64,
    /// Its own id: a JSON string or number, ready to be written.
    pub id: Option<Box<str>>,
    /// Its passthrough columns.
    pub passed: Passed,
    /// The board and its goal, or the reason that they cannot be read.
    pub puzzle: Result<Puzzle, ParseError>,
}

/// A board and its goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Puzzle {
    /// The start.
    pub board: Board,
    /// The record's own goal, which fits the board. `None`: the source's goal.
    pub goal: Option<Goal>,
}

/// The reason that a record cannot be read: what was found and what was expected, on one line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError(Box<str>);

impl ParseError {
    /// The maximum number of characters of a reason. Longer ones are truncated.
    const LONGEST: usize = 240;

    pub(super) fn new(reason: impl fmt::Display) -> ParseError {
        let reason = reason.to_string();
        let mut shown: String =
            reason.chars().take(Self::LONGEST).map(|sign| if sign.is_control() { ' ' } else { sign }).collect();
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
