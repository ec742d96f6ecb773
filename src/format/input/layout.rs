//! The layouts of files, and their properties.
//!
//! To add a layout, add a variant here. The compiler then asks for its name (here), its splitter
//! (`split.rs`), its parser (`chunk.rs`) and its writer (`boards.rs`). `--format` accepts the
//! layouts in [`Layout::ALL`]; `detect.rs` decides which layouts are tried without it.

use std::fmt;
use std::str::FromStr;

use serde::Deserialize;

use crate::board::{Error, ErrorKind};
use crate::format::text::one_of;

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

impl Layout {
    /// Every layout that has its own name.
    pub const ALL: [Layout; 7] =
        [Layout::Line, Layout::Digits, Layout::Grid, Layout::Sized, Layout::Pair, Layout::Json, Layout::Csv];

    /// Returns the layout's name.
    pub const fn name(self) -> &'static str {
        match self {
            Layout::Line => "line",
            Layout::Digits => "digits",
            Layout::Grid | Layout::Blocks => "grid",
            Layout::Sized => "sized",
            Layout::Pair => "pair",
            Layout::Json | Layout::JsonValues | Layout::JsonElements => "json",
            Layout::Csv => "csv",
        }
    }

    /// Returns true if every written record shows the shape of its board, square or not.
    pub const fn shows_shape(self) -> bool {
        !matches!(self, Layout::Line | Layout::Digits | Layout::Grid | Layout::Pair)
    }

    /// Returns true if a record can hold its own goal.
    pub(in crate::format) const fn holds_goal(self) -> bool {
        matches!(self, Layout::Pair | Layout::Csv | Layout::Json) || self.is_values()
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
