//! What is known of a file before its records are read.

use std::sync::Arc;

use super::layout::Layout;
use super::options::InputOptions;
use super::parse::CsvColumns;
use super::record::ParseError;
use crate::board::{Goal, Shape};
use crate::format::passing::{OWN, Pass};

/// How the records of a file are to be read: shared by all its chunks.
#[derive(Clone, Debug)]
pub struct Source {
    /// As it is shown in results: the path as it was given, `-` for standard input.
    pub name: Arc<str>,
    /// How its records are laid out.
    pub layout: Layout,
    /// The goal of those of its boards that do not bring their own.
    pub goal: Goal,
    /// The shape of those of its boards that do not bring their own; without it they are square.
    pub shape: Option<Shape>,
    /// Lines begin with the number of their record.
    pub numbered: bool,
    /// The work for good paths that the file asks for.
    pub effort: Option<u8>,
    /// The records' own fields that go into their results.
    pub pass: Arc<Pass>,
    /// The field of JSON objects that holds the board.
    pub board_field: Arc<str>,
    /// What the fields of a line are, for `csv`, or why that is not known.
    pub columns: Result<Option<CsvColumns>, ParseError>,
    /// Why all of its records are invalid: one of its settings cannot be obeyed.
    pub fault: Option<ParseError>,
    /// The most bytes of a record.
    pub max_line: usize,
}

impl Source {
    /// A source of this layout, read with these options; its header was not read yet.
    pub(super) fn new(name: Arc<str>, layout: Layout, options: InputOptions) -> Source {
        let InputOptions { goal, shape, numbered, effort, pass, board_field, max_line, .. } = options;
        let board_field = board_field.unwrap_or_else(|| OWN[0].into());
        let (goal, columns, fault) = (goal.unwrap_or_default(), Ok(None), None);
        Source { name, layout, goal, shape, numbered, effort, pass, board_field, columns, fault, max_line }
    }
}
