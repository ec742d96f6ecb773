//! Records and their sources. A record is one entry of a file: a board, and perhaps an id and a
//! goal. The source of a record consists of the properties of its file that are known before the
//! records are read. They include the columns that `csv.rs` finds in the header of a CSV file.

use std::fmt::Display;
use std::sync::Arc;

use super::layout::Layout;
use super::options::InputOptions;
use crate::board::{Board, Goal, Shape};
use crate::format::passthrough::{BOARD_FIELDS, Pass, Passthrough};

/// A record: a puzzle, or the reason why it cannot be parsed.
#[derive(Clone, Debug)]
pub struct Record {
    /// The record's number, counted from 1 over all files.
    pub index: u64,
    /// The line on which the record begins, counted from 1 in its file.
    pub line: u64,
    /// The record's id, if it has one, as JSON: a string or a number.
    pub id: Option<Box<str>>,
    /// The record's passthrough columns.
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

/// The properties of a file that its parsers need. All its chunks share them.
#[derive(Clone, Debug)]
pub struct Source {
    /// The name shown in results: the path as given, or `-` for standard input.
    pub name: Arc<str>,
    /// The layout of the records.
    pub layout: Layout,
    /// The goal of boards without their own goal.
    pub goal: Goal,
    /// The shape of boards without their own shape. `None`: boards are square.
    pub shape: Option<Shape>,
    /// True if lines begin with the number of their record.
    pub numbered: bool,
    /// The effort that the file requests for good paths.
    pub effort: Option<u8>,
    /// The passthrough columns.
    pub pass: Arc<Pass>,
    /// The field of JSON objects that holds the board.
    pub board_field: Arc<str>,
    /// The columns of a `csv` file, or the reason why they are unknown; `Ok(None)` for other
    /// layouts.
    pub columns: Result<Option<CsvColumns>, ParseError>,
    /// The reason why all records are invalid, if a setting of the file is invalid.
    pub fault: Option<ParseError>,
    /// The maximum number of bytes of a record.
    pub max_record_bytes: usize,
}

impl Source {
    /// Returns a source of this layout with these options. Its columns are not known yet.
    pub(super) fn new(name: Arc<str>, layout: Layout, options: InputOptions) -> Source {
        let InputOptions { goal, shape, numbered, effort, pass, board_field, max_record_bytes, .. } = options;
        let board_field = board_field.unwrap_or_else(|| BOARD_FIELDS[0].into());
        let (goal, columns, fault) = (goal.unwrap_or_default(), Ok(None), None);
        Source { name, layout, goal, shape, numbered, effort, pass, board_field, columns, fault, max_record_bytes }
    }
}

/// The columns of a CSV file, counted from 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CsvColumns {
    /// The character between two fields.
    pub delimiter: u8,
    /// The number of columns.
    pub count: usize,
    /// The columns of the [`RECORD_FIELDS`](crate::format::passthrough::RECORD_FIELDS), in the
    /// order of that list. The first is the column that contains the board, whatever its name.
    pub record_fields: [Option<usize>; 5],
    /// The passthrough columns, with their names in the results.
    pub passthrough: Vec<(usize, Arc<str>)>,
}
