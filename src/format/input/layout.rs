//! The layouts of files: a splitter, a parser and a writer each, and a few properties.
//!
//! To add a layout, add a variant and a row here. `--format` accepts the layouts in
//! [`Layout::ALL`]; `detect.rs` decides which layouts are tried without it.

use std::fmt;
use std::str::FromStr;

use serde::Deserialize;

use super::parse;
use super::record::Record;
use super::source::Source;
use super::split::{self, NeedMore, Split};
use super::write::{self, Write};
use crate::board::{Error, ErrorKind, Shape};
use crate::format::choice::one_of;

/// The layout of the records in a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Layout {
    /// One board on a line: `2 3 4 1 5 x 7 6 8`.
    Line,
    /// One board on a line, one character per tile: `283104765`.
    Digits,
    /// One row of a board on a line.
    Grid,
    /// A size line (`n` or `rows cols`), then the tiles of a board of that size on any number of
    /// lines.
    Sized,
    /// A start and a goal on two lines, with or without a size line before them.
    Pair,
    /// One JSON document on a line.
    Json,
    /// A header that names the columns, then a record on every line.
    Csv,
    /// JSON documents that may span lines. The form of `json` for files that are not JSON Lines.
    JsonValues,
    /// The elements of one JSON array. The form of `json` for files that are one array.
    JsonElements,
    /// Blocks of rows between empty lines. The form of `grid` for files whose boards are separated
    /// by empty lines.
    Blocks,
}

/// The functions and properties of a layout.
struct Row {
    name: &'static str,
    split: Split,
    parse: fn(&[u8], &Source) -> Record,
    write: Write,
    /// True if a record shows the shape of its board, square or not.
    shows_shape: bool,
    /// True if a record can hold its own goal.
    holds_goal: bool,
}

impl Layout {
    /// Every layout that has its own name.
    pub const ALL: [Layout; 7] =
        [Layout::Line, Layout::Digits, Layout::Grid, Layout::Sized, Layout::Pair, Layout::Json, Layout::Csv];

    const fn row(self) -> Row {
        const fn row(name: &'static str, split: Split, parse: fn(&[u8], &Source) -> Record, write: Write) -> Row {
            Row { name, split, parse, write, shows_shape: false, holds_goal: false }
        }
        const JSON: Row =
            Row { shows_shape: true, holds_goal: true, ..row("json", split::line, parse::json, write::json) };
        match self {
            Layout::Line => row("line", split::line, parse::line, write::line),
            Layout::Digits => row("digits", split::line, parse::line, write::digits),
            Layout::Grid => row("grid", split::grid, parse::grid, write::rows),
            Layout::Blocks => Row { shows_shape: true, ..row("grid", split::block, parse::grid, write::rows) },
            Layout::Sized => Row { shows_shape: true, ..row("sized", split::sized, parse::sized, write::sized) },
            Layout::Pair => Row { holds_goal: true, ..row("pair", split::pair, parse::pair, write::pair) },
            Layout::Json => JSON,
            Layout::JsonValues | Layout::JsonElements => Row { split: split::value, ..JSON },
            Layout::Csv => Row { name: "csv", parse: parse::csv, write: write::csv, ..JSON },
        }
    }

    /// Returns the layout's name.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns the end of the record at the start of the bytes.
    #[inline]
    pub(super) fn split(self, bytes: &[u8], ended: bool, shape: Option<Shape>) -> Result<usize, NeedMore> {
        (self.row().split)(bytes, ended, shape)
    }

    /// Parses a record.
    #[inline]
    pub(super) fn parse(self, record: &[u8], source: &Source) -> Record {
        (self.row().parse)(record, source)
    }

    /// Returns the function that writes a record.
    pub(in crate::format) fn write(self) -> Write {
        self.row().write
    }

    /// Returns true if a record shows the shape of its board, square or not.
    pub const fn shows_shape(self) -> bool {
        self.row().shows_shape
    }

    /// Returns true if a record can hold its own goal.
    pub(in crate::format) const fn holds_goal(self) -> bool {
        self.row().holds_goal
    }

    /// Returns true if every line is a record, unless it is blank or a comment.
    #[inline]
    pub(super) const fn has_record_per_line(self) -> bool {
        matches!(self, Layout::Line | Layout::Digits | Layout::Json | Layout::Csv)
    }

    /// Returns true if records are JSON values that may span lines.
    #[inline]
    pub(super) const fn is_values(self) -> bool {
        matches!(self, Layout::JsonValues | Layout::JsonElements)
    }

    /// Returns true if the record's number can precede its board.
    pub(super) const fn can_be_numbered(self) -> bool {
        matches!(self, Layout::Line | Layout::Digits)
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Layout {
    type Err = Error;

    fn from_str(text: &str) -> Result<Layout, Error> {
        let named = Layout::ALL.into_iter().find(|layout| layout.name() == text);
        named.ok_or_else(|| {
            let names = one_of(Layout::ALL.map(Layout::name));
            Error::new(ErrorKind::Option, format!("'{text}' is not a format: expected {names}"))
        })
    }
}
