//! The layouts: their names, and what distinguishes them before a record is read.
//!
//! A new layout is a variant and a row here, and an arm each for reading and writing in `layouts/mod.rs`, beside the file
//! with both. It is read where `--format` names it; `detect.rs` decides what is recognised without.

use serde::Deserialize;

use std::fmt;
use std::str::FromStr;

use crate::board::{Error, ErrorKind};
use crate::format::choice::one_of;

/// How records are laid out in a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
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
    /// JSON documents over any lines, one behind the other: how `json` reads what is not JSON Lines.
    JsonValues,
    /// The elements of one JSON array: how `json` reads a file that is one.
    JsonElements,
    /// Blocks of rows between empty lines: how `grid` reads a file whose boards are set apart.
    Blocks,
}

/// What distinguishes a layout before a record is read.
struct LayoutRow {
    name: &'static str,
    record: RecordLines,
    /// The record's number can stand before its board.
    can_be_numbered: bool,
    /// Tiles are split by separators, and comments may follow them on their line.
    is_text: bool,
    /// A record shows the shape of its board, square or not.
    shows_shape: bool,
    /// A record has room for a goal of its own.
    holds_goal: bool,
}

/// Which lines a record consists of: how `cut.rs` finds its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RecordLines {
    /// One.
    One,
    /// The rows of a board.
    Grid,
    /// A size line, and what it announces.
    Sized,
    /// A start and a goal, a size line before them or not.
    Pair,
    /// Rows up to an empty line.
    Block,
    /// Whatever lines a JSON value stands on.
    Values,
}

impl LayoutRow {
    /// A board on a line, as text.
    const LINE: LayoutRow = LayoutRow {
        name: "line",
        record: RecordLines::One,
        can_be_numbered: false,
        is_text: true,
        shows_shape: false,
        holds_goal: false,
    };
}

impl Layout {
    /// Every layout that can be named.
    pub const ALL: [Layout; 7] =
        [Layout::Line, Layout::Digits, Layout::Grid, Layout::Sized, Layout::Pair, Layout::Json, Layout::Csv];

    const fn row(self) -> LayoutRow {
        const LINE: LayoutRow = LayoutRow::LINE;
        const JSON: LayoutRow =
            LayoutRow { name: "json", is_text: false, shows_shape: true, holds_goal: true, ..LayoutRow::LINE };
        match self {
            Layout::Line => LayoutRow { can_be_numbered: true, ..LINE },
            Layout::Digits => LayoutRow { name: "digits", can_be_numbered: true, ..LINE },
            Layout::Grid => LayoutRow { name: "grid", record: RecordLines::Grid, ..LINE },
            Layout::Sized => LayoutRow { name: "sized", record: RecordLines::Sized, shows_shape: true, ..LINE },
            Layout::Pair => LayoutRow { name: "pair", record: RecordLines::Pair, holds_goal: true, ..LINE },
            Layout::Json => JSON,
            Layout::JsonValues | Layout::JsonElements => LayoutRow { record: RecordLines::Values, ..JSON },
            Layout::Blocks => LayoutRow { name: "grid", record: RecordLines::Block, shows_shape: true, ..LINE },
            Layout::Csv => LayoutRow { name: "csv", is_text: false, shows_shape: true, holds_goal: true, ..LINE },
        }
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// Which lines a record consists of.
    pub(super) const fn record_lines(self) -> RecordLines {
        self.row().record
    }

    /// True where the end of a record depends on what follows it, so that only the reader can find it.
    pub(super) const fn needs_spans(self) -> bool {
        matches!(self.record_lines(), RecordLines::Sized | RecordLines::Block)
    }

    /// True where the record's number can stand before its board.
    pub(super) const fn can_be_numbered(self) -> bool {
        self.row().can_be_numbered
    }

    /// True where tiles are split by separators and comments may follow them on their line.
    pub(super) const fn is_text(self) -> bool {
        self.row().is_text
    }

    /// True where a record shows the shape of its board, square or not.
    pub(in crate::format) const fn shows_shape(self) -> bool {
        self.row().shows_shape
    }

    /// True where a record has room for a goal of its own.
    pub(in crate::format) const fn holds_goal(self) -> bool {
        self.row().holds_goal
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
