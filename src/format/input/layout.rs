//! The names of the layouts.

use std::fmt;
use std::str::FromStr;

/// How records are laid out in a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Layout {
    /// One board on a line: `2 3 4 1 5 x 7 6 8`.
    Line,
    /// One board on a line, one character a tile: `283104765`.
    Digits,
    /// The rows of a board on lines of their own.
    Grid,
    /// A size line (`n` or `rows cols`), then that many tiles on any number of lines.
    Sized,
    /// A start and a goal on two lines, a size line before them or not.
    Pair,
    /// One JSON document on a line.
    Json,
    /// A header that names the columns, then a record on every line.
    Csv,
}

impl Layout {
    /// Every layout.
    pub const ALL: [Layout; 7] =
        [Layout::Line, Layout::Digits, Layout::Grid, Layout::Sized, Layout::Pair, Layout::Json, Layout::Csv];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Layout::Line => "line",
            Layout::Digits => "digits",
            Layout::Grid => "grid",
            Layout::Sized => "sized",
            Layout::Pair => "pair",
            Layout::Json => "json",
            Layout::Csv => "csv",
        }
    }

    /// True where the record's number can stand before its board.
    pub(super) const fn can_be_numbered(self) -> bool {
        matches!(self, Layout::Line | Layout::Digits)
    }

    /// True where tiles are split by separators and comments may follow them on their line.
    pub(super) const fn is_text(self) -> bool {
        !matches!(self, Layout::Json | Layout::Csv)
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Layout {
    type Err = String;

    fn from_str(text: &str) -> Result<Layout, String> {
        let named = Layout::ALL.into_iter().find(|layout| layout.name() == text);
        named.ok_or_else(|| format!("'{text}' is not a format: expected line, digits, grid, sized, pair, json or csv"))
    }
}
