//! The properties of a file that are known before its records are read.

use std::sync::Arc;

use super::layout::Layout;
use super::options::InputOptions;
use super::parse::CsvColumns;
use super::record::ParseError;
use crate::board::{Goal, Shape};
use crate::format::passthrough::{BOARD_FIELDS, Pass};

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
    /// The effort for good paths that the file requests.
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
