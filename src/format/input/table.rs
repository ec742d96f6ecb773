//! The table of layouts: the name of each, and the splitter, the parser and the writer of its
//! records.

use super::layout::Layout;
use super::record::{ParseError, Record, Source};
use super::split::{self, NeedMore, Split};
use super::{csv, json, text};
use crate::board::Shape;
use crate::format::boards::{self, Write};

/// An entry of the table: a layout's name, and its splitter, parser and writer of records.
pub struct Entry {
    name: &'static str,
    split: Split,
    parse: fn(&[u8], &Source) -> Result<Record, ParseError>,
    pub write: Write,
}

impl Layout {
    /// Returns the layout's entry in the table.
    pub(in crate::format) const fn entry(self) -> Entry {
        const JSON: Entry = Entry { name: "json", split: split::line, parse: json::record, write: boards::json };
        match self {
            Layout::Line => Entry { name: "line", split: split::line, parse: text::line, write: boards::line },
            Layout::Digits => Entry { name: "digits", split: split::line, parse: text::line, write: boards::digits },
            Layout::Grid => Entry { name: "grid", split: split::grid, parse: text::grid, write: boards::rows },
            Layout::Blocks => Entry { name: "grid", split: split::block, parse: text::grid, write: boards::rows },
            Layout::Sized => Entry { name: "sized", split: split::sized, parse: text::sized, write: boards::sized },
            Layout::Pair => Entry { name: "pair", split: split::pair, parse: text::pair, write: boards::pair },
            Layout::Json => JSON,
            Layout::JsonValues | Layout::JsonElements => Entry { split: split::value, ..JSON },
            Layout::Csv => Entry { name: "csv", split: split::line, parse: csv::record, write: boards::csv },
        }
    }

    /// Returns the layout's name.
    pub const fn name(self) -> &'static str {
        self.entry().name
    }

    /// Returns the end of the record at the start of the bytes.
    #[inline]
    pub(super) fn split(self, bytes: &[u8], ended: bool, shape: Option<Shape>) -> Result<usize, NeedMore> {
        (self.entry().split)(bytes, ended, shape)
    }

    /// Parses a record. An error becomes a record without an id.
    #[inline]
    pub(super) fn parse(self, record: &[u8], source: &Source) -> Record {
        (self.entry().parse)(record, source).unwrap_or_else(|error| Err(error).into())
    }
}
