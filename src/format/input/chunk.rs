//! Chunks: whole records as raw bytes, to be parsed by a worker with the parser of their layout.

use std::ops::Range;
use std::sync::Arc;

use super::layout::Layout;
use super::record::{ParseError, Record, Source};
use super::split::{Lead, count_newlines, lead};
use super::{csv, json, text};
use crate::system::InputPosition;

impl Layout {
    /// Parses a record. If this fails, the record contains the error instead of a puzzle.
    #[inline]
    pub(super) fn parse(self, record: &[u8], source: &Source) -> Record {
        match self {
            Layout::Line | Layout::Digits => text::line(record, source),
            Layout::Grid | Layout::Blocks => text::grid(record, source).into(),
            Layout::Sized => text::sized(record).into(),
            Layout::Pair => text::pair(record, source).into(),
            Layout::Json | Layout::JsonValues | Layout::JsonElements => json::record(record, source),
            Layout::Csv => csv::record(record, source).unwrap_or_else(|error| Err(error).into()),
        }
    }
}

/// Records of one file, not parsed yet.
#[derive(Clone, Debug)]
pub struct Chunk {
    /// The properties of the file that contains the records.
    pub source: Arc<Source>,
    /// The number of the first record, counted from 1 over all files.
    pub first_index: u64,
    /// The line of the chunk's first byte, counted from 1 in the file.
    pub first_line: u64,
    /// The number of records: at least one.
    pub record_count: usize,
    /// The bytes of the records, with the blank lines and comments before and between them. Empty
    /// if the only record is longer than allowed.
    pub bytes: Vec<u8>,
    /// The ranges of the records. Empty in layouts with one record per line.
    pub spans: Vec<Range<usize>>,
    /// The position of the chunk's end: the amounts of input before and after it.
    pub input_position: InputPosition,
}

impl Chunk {
    /// Parses the records. Yields exactly [`Chunk::record_count`] of them.
    pub fn records(&self) -> Records<'_> {
        Records { chunk: self, spans: self.spans.iter(), at: 0, line: self.first_line, index: self.first_index }
    }
}

/// The records of a chunk, in order.
pub struct Records<'a> {
    chunk: &'a Chunk,
    spans: std::slice::Iter<'a, Range<usize>>,
    /// The offset of the first byte that was neither returned nor skipped.
    at: usize,
    /// The line of the byte at `at`.
    line: u64,
    index: u64,
}

impl Iterator for Records<'_> {
    type Item = Record;

    #[inline]
    fn next(&mut self) -> Option<Record> {
        let (chunk, source, at) = (self.chunk, &*self.chunk.source, self.at);
        if chunk.bytes.is_empty() {
            return self.too_long();
        }
        let span = if source.layout.has_record_per_line() {
            let Lead::Record(start) = lead(source.layout, &chunk.bytes[at..], true, source.max_record_bytes) else {
                return None;
            };
            let start = at + start;
            let rest = &chunk.bytes[start..];
            start..start + memchr::memchr(b'\n', rest).map_or(rest.len(), |newline| newline + 1)
        } else {
            self.spans.next()?.clone()
        };
        if span.start > at {
            self.line += count_newlines(&chunk.bytes[at..span.start]);
        }
        let record = &chunk.bytes[span.clone()];
        let mut found = Record { index: self.index, line: self.line, ..source.layout.parse(record, source) };
        if let Some(fault) = &source.fault {
            found.puzzle = Err(fault.clone());
        }
        self.line += if source.layout.has_record_per_line() { 1 } else { count_newlines(record) };
        (self.at, self.index) = (span.end, self.index + 1);
        Some(found)
    }
}

impl<'a> Records<'a> {
    /// Returns the bytes after the records returned or skipped so far, the index of the next
    /// record, and the line on which the bytes begin. Returns `None` if the layout is not `line`,
    /// `digits` or JSON Lines.
    pub fn rest(&self) -> Option<(&'a [u8], u64, u64)> {
        let is_supported = matches!(self.chunk.source.layout, Layout::Line | Layout::Digits | Layout::Json);
        is_supported.then(|| (&self.chunk.bytes[self.at..], self.index, self.line))
    }

    /// Returns the number of bytes of the chunk after the records returned or skipped so far.
    pub fn bytes_left(&self) -> u64 {
        (self.chunk.bytes.len() - self.at) as u64
    }

    /// Skips `records` records of one line each, of `bytes` bytes in total.
    pub fn skip_lines(&mut self, records: usize, bytes: usize) {
        self.at += bytes;
        self.line += records as u64;
        self.index += records as u64;
    }

    fn too_long(&mut self) -> Option<Record> {
        let (index, line) = (self.index, self.line);
        self.index += 1;
        let error = ParseError::new(format_args!("longer than {} bytes", self.chunk.source.max_record_bytes));
        (index == self.chunk.first_index).then(|| Record { index, line, ..Err(error).into() })
    }
}
