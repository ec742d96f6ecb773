//! Chunks: whole records as raw bytes, and how a worker turns them into puzzles.

use std::fmt;
use std::sync::Arc;

use super::cut::{Cut, Cutter};
use super::parse::{self, CsvColumns};
use super::{InputOptions, Layout};
use crate::board::{Board, GoalSpec, Shape};

/// What is known of a file before its records are read: one for all its chunks.
#[derive(Clone, Debug)]
pub struct Source {
    /// As it is shown in results: the path as it was given, `-` for standard input.
    pub name: Arc<str>,
    /// How its records are laid out.
    pub layout: Layout,
    /// The goal of its boards that bring none.
    pub goal: GoalSpec,
    /// The shape of its boards that bring none; without it they are square.
    pub shape: Option<Shape>,
    /// Lines begin with the number of their record.
    pub numbered: bool,
    /// What the fields of a line are, for `csv`; `None` when the header named no board.
    pub columns: Option<CsvColumns>,
    /// Why none of its records can be answered: a setting of its own that cannot be obeyed.
    pub fault: Option<ParseError>,
    /// The most bytes of a record.
    pub max_line: usize,
}

impl Source {
    /// A source that is read with these options as a layout, before its header was seen.
    pub(super) fn new(name: Arc<str>, layout: Layout, options: InputOptions) -> Source {
        let InputOptions { goal, shape, numbered, max_line, .. } = options;
        Source { name, layout, goal: goal.unwrap_or_default(), shape, numbered, columns: None, fault: None, max_line }
    }
}

/// What the bytes of a chunk are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// All the bytes of its records.
    Whole,
    /// The first few bytes of one record that is longer than allowed.
    TooLong,
}

/// Records of one file, not read yet.
#[derive(Clone, Debug)]
pub struct Chunk {
    /// The file.
    pub source: Arc<Source>,
    /// The number of its first record, counted from 1 over all files.
    pub first_index: u64,
    /// The line that its first byte is on, counted from 1 in the file.
    pub first_line: u64,
    /// How many records it holds: at least one.
    pub records: usize,
    /// Their bytes, with the blank lines and comments before and between them.
    pub bytes: Vec<u8>,
    /// Whether these are all of them.
    pub extent: Extent,
}

impl Chunk {
    /// Reads the records: exactly as many as were counted.
    pub fn records(&self) -> Records<'_> {
        let cutter = Cutter::new(self.source.layout, self.source.shape, usize::MAX - 1);
        Records { chunk: self, cutter, at: 0, line: self.first_line, index: self.first_index }
    }
}

/// A record: a puzzle, or why there is none.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its number, counted from 1 over all files.
    pub index: u64,
    /// The line it began on, counted from 1 in its file.
    pub line: u64,
    /// What it calls itself: a JSON string or number, ready to be written.
    pub id: Option<Box<str>>,
    /// What it asks.
    pub puzzle: Result<Puzzle, ParseError>,
}

/// A board and where it is to go.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Puzzle {
    /// The start.
    pub board: Board,
    /// The goal that the record brought, known to fit the board; `None` for the source's.
    pub goal: Option<GoalSpec>,
}

/// Why a record cannot be read: what was found and what was expected, on one line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError(Box<str>);

impl ParseError {
    /// The most characters of a reason; what comes from the file is cut off there.
    const LONGEST: usize = 240;

    pub(super) fn new(reason: impl fmt::Display) -> ParseError {
        let reason = reason.to_string();
        let mut shown: String =
            reason.chars().take(Self::LONGEST).map(|sign| if sign.is_control() { ' ' } else { sign }).collect();
        if shown.len() < reason.len() {
            shown.push('…');
        }
        ParseError(shown.into())
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ParseError {}

/// The records of a chunk, in order.
pub struct Records<'a> {
    chunk: &'a Chunk,
    cutter: Cutter,
    at: usize,
    /// The line that the byte at `at` is on.
    line: u64,
    index: u64,
}

impl Iterator for Records<'_> {
    type Item = Record;

    #[inline]
    fn next(&mut self) -> Option<Record> {
        let chunk = self.chunk;
        if chunk.extent == Extent::TooLong {
            return self.too_long();
        }
        let rest = &chunk.bytes[self.at..];
        let Cut::Record(span) = self.cutter.next(rest, true) else {
            return None;
        };
        let parsed = parse::record(&rest[span.start..span.end], &chunk.source);
        let puzzle = match &chunk.source.fault {
            None => parsed.puzzle,
            Some(fault) => Err(fault.clone()),
        };
        let record = Record { index: self.index, line: self.line + span.lines_before, id: parsed.id, puzzle };
        self.at += span.end;
        self.line += span.lines;
        self.index += 1;
        Some(record)
    }
}

impl<'a> Records<'a> {
    /// The bytes of the records that are still to come, from the start of a line on; their index and line. `None`
    /// when they are not all there, or not one on a line.
    pub fn rest(&self) -> Option<(&'a [u8], u64, u64)> {
        let line_each = matches!(self.chunk.source.layout, Layout::Line | Layout::Digits);
        (line_each && self.chunk.extent == Extent::Whole).then(|| (&self.chunk.bytes[self.at..], self.index, self.line))
    }

    /// Passes over records, each on a line of its own, of so many bytes together.
    pub fn pass(&mut self, records: usize, bytes: usize) {
        self.at += bytes;
        self.line += records as u64;
        self.index += records as u64;
    }

    fn too_long(&mut self) -> Option<Record> {
        if self.index > self.chunk.first_index {
            return None;
        }
        self.index += 1;
        let reason = format!("longer than {} bytes (--max-line)", self.chunk.source.max_line);
        let Chunk { first_index: index, first_line: line, .. } = *self.chunk;
        Some(Record { index, line, id: None, puzzle: Err(ParseError::new(reason)) })
    }
}
