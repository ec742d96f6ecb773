//! Pairs records with result lines: both are read side by side, in blocks.
//!
//! Results written out of order, and those shifted by a missing or duplicate line, are not at the
//! places of their records. Whichever of a record and its line is read first then waits for the
//! other. Nothing waits if the results are in order.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use parking_lot::Mutex;

use super::report::{ProblemPlace, Problems, ReadTotals};
use crate::format::input::{Chunk, Reader, Record, Source};
use crate::format::result_lines::{End, Lines};
use crate::tools::record::next_chunk;

/// The maximum number of records in a block. Their results fit in the cache of one core.
pub const BLOCK_RECORDS: usize = 512;
/// The approximate maximum size of the records of a block in bytes.
const BLOCK_BYTES: usize = 8 << 10;

/// Consecutive records, and lines that are usually the results of these records.
pub struct PairedBlock {
    /// The records; `None` if all records were read, but not all lines.
    chunk: Option<Chunk>,
    pub lines: Vec<u8>,
    /// The number of the first line.
    pub first_line: u64,
}

impl PairedBlock {
    /// Returns the records and their sources.
    pub fn records(&self) -> impl Iterator<Item = (Record, &Arc<Source>)> {
        self.chunk.iter().flat_map(|chunk| chunk.records().map(|record| (record, &chunk.source)))
    }
}

/// The records and lines of a run.
pub struct Blocks<'a> {
    pub reader: &'a mut Reader,
    pub lines: Lines,
    /// Receives warnings about the inputs.
    pub warn: &'a mut dyn FnMut(&str),
    pub totals: ReadTotals,
}

impl Blocks<'_> {
    /// Returns the next block and its size in bytes; `None` at the end.
    ///
    /// # Errors
    /// When the results cannot be read.
    pub fn next(&mut self) -> io::Result<Option<(PairedBlock, usize)>> {
        let limits = (BLOCK_RECORDS, BLOCK_BYTES);
        let chunk = next_chunk(self.reader, limits, &mut self.totals.failed_inputs, &mut *self.warn);
        let records = chunk.as_ref().map(|chunk| chunk.record_count);
        // CSV has a header.
        let (mut lines, first_line) = (Vec::new(), u64::from(self.lines.is_csv()) + self.totals.results + 1);
        let taken = self.lines.take(records.unwrap_or(BLOCK_RECORDS), &mut lines)?;
        self.totals.records += records.unwrap_or(0) as u64;
        self.totals.results += taken as u64;
        let bytes = lines.len() + chunk.as_ref().map_or(0, |chunk| chunk.bytes.len());
        Ok((chunk.is_some() || taken > 0).then_some((PairedBlock { chunk, lines, first_line }, bytes)))
    }

    /// Adds the problems with the results as a whole. Returns the totals.
    pub fn end(self, problems: &Problems) -> ReadTotals {
        let last = u64::from(self.lines.is_csv()) + self.totals.results;
        match self.lines.end() {
            End::Open | End::Whole => {}
            End::Torn => {
                problems.add(ProblemPlace::Line(last, None), "does not end with a line feed: the file was cut off")
            }
            End::TooLong => problems.add(ProblemPlace::Line(last + 1, None), "is too long; the rest was not read"),
        }
        self.totals
    }
}

/// The problem with a second line of a record.
pub const DUPLICATE: &str = "is one too many: its record has a result already";

/// A line without its record, or a record without its line.
#[derive(Debug)]
pub enum Stray {
    /// The line's number and text.
    Line(u64, Box<[u8]>),
    Record(Box<Record>, Arc<Source>),
}

impl Stray {
    /// Returns the place of a problem with a line or record. `index` is the number of the record.
    pub fn place(&self, index: u64) -> ProblemPlace {
        match self {
            &Stray::Line(number, _) => ProblemPlace::Line(number, Some(index)),
            Stray::Record(record, source) => ProblemPlace::Record(index, format!("{}:{}", source.name, record.line)),
        }
    }
}

/// A line and its record: the line's number and text, the record, and its source.
pub type Pair = (u64, Box<[u8]>, Box<Record>, Arc<Source>);

/// Lines and records that wait for each other, by the number of the record.
pub struct LineJoin {
    waiting: Mutex<HashMap<u64, Stray>>,
    capacity: usize,
}

impl LineJoin {
    /// Creates a join in which at most this number of lines and records wait.
    pub fn new(capacity: usize) -> LineJoin {
        LineJoin { waiting: Mutex::default(), capacity }
    }

    /// Adds a line or a record. Returns the pair if the counterpart was waiting.
    ///
    /// # Errors
    /// The problem with the line or record, if it is a duplicate or too many are waiting.
    pub fn add(&self, index: u64, stray: Stray) -> Result<Option<Pair>, (ProblemPlace, &'static str)> {
        let mut waiting = self.waiting.lock();
        let (stray, problem) = match (waiting.remove(&index), stray) {
            (Some(Stray::Line(number, text)), Stray::Record(record, source))
            | (Some(Stray::Record(record, source)), Stray::Line(number, text)) => {
                return Ok(Some((number, text, record, source)));
            }
            // Records are never duplicated.
            (Some(first), second) => (first, Some((second.place(index), DUPLICATE))),
            (None, stray) if waiting.len() == self.capacity => {
                return Err((stray.place(index), "is too far out of order to be compared"));
            }
            (None, stray) => (stray, None),
        };
        waiting.insert(index, stray);
        problem.map_or(Ok(None), Err)
    }

    /// Returns the lines and records that still wait, by the number of the record.
    pub fn end(self) -> HashMap<u64, Stray> {
        self.waiting.into_inner()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_most_capacity_entries_wait() {
        for (capacity, has_room) in [(2, false), (3, true)] {
            let join = LineJoin::new(capacity);
            let add = |index, number| join.add(index, Stray::Line(number, (*b"line").into()));
            assert!([add(1, 10), add(2, 20)].iter().all(|added| matches!(added, Ok(None))));
            assert_eq!(add(3, 30).is_ok(), has_room);
            // A second line for the same record takes no room.
            assert_eq!(add(1, 40).unwrap_err(), (ProblemPlace::Line(40, Some(1)), DUPLICATE));
            let waiting = join.end();
            assert_eq!(waiting.len(), capacity);
            assert!(matches!(waiting[&1], Stray::Line(10, _)));
        }
    }
}
