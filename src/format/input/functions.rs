//! The functions of each layout: the splitter, the parser and the writer of its records.

use super::layout::Layout;
use super::parse;
use super::record::Record;
use super::source::Source;
use super::split::{self, NeedMore, Split};
use super::write::{self, Write};
use crate::board::Shape;

struct Functions {
    split: Split,
    parse: fn(&[u8], &Source) -> Record,
    write: Write,
}

impl Layout {
    const fn functions(self) -> Functions {
        const JSON: Functions = Functions { split: split::line, parse: parse::json, write: write::json };
        match self {
            Layout::Line => Functions { split: split::line, parse: parse::line, write: write::line },
            Layout::Digits => Functions { split: split::line, parse: parse::line, write: write::digits },
            Layout::Grid => Functions { split: split::grid, parse: parse::grid, write: write::rows },
            Layout::Blocks => Functions { split: split::block, parse: parse::grid, write: write::rows },
            Layout::Sized => Functions { split: split::sized, parse: parse::sized, write: write::sized },
            Layout::Pair => Functions { split: split::pair, parse: parse::pair, write: write::pair },
            Layout::Json => JSON,
            Layout::JsonValues | Layout::JsonElements => Functions { split: split::value, ..JSON },
            Layout::Csv => Functions { split: split::line, parse: parse::csv, write: write::csv },
        }
    }

    /// Returns the end of the record at the start of the bytes.
    #[inline]
    pub(super) fn split(self, bytes: &[u8], ended: bool, shape: Option<Shape>) -> Result<usize, NeedMore> {
        (self.functions().split)(bytes, ended, shape)
    }

    /// Parses a record.
    #[inline]
    pub(super) fn parse(self, record: &[u8], source: &Source) -> Record {
        (self.functions().parse)(record, source)
    }

    /// Returns the function that writes a record.
    pub(in crate::format) fn write(self) -> Write {
        self.functions().write
    }
}
