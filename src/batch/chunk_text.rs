//! The text of a chunk's results, with gaps where searches have not ended yet.

use super::earlier::Digests;
use super::totals::Counts;
use crate::format::output::Row;
use crate::format::passing::Passed;
use crate::format::style::Style;

/// The results of a chunk that are known, in order.
#[derive(Default, Debug)]
pub struct ChunkText {
    /// Result lines.
    pub text: Vec<u8>,
    /// Their records by status.
    pub counts: Counts,
    /// Where results are missing, in order.
    pub gaps: Vec<Gap>,
    /// The boards of all its records, with their indices, where they are compared with earlier ones.
    pub boards: Vec<(u64, Digests)>,
}

/// Where a result is missing.
#[derive(Clone, Copy, Debug)]
pub struct Gap {
    /// How many bytes of the text go before it.
    pub at: usize,
    /// The records of that text by status.
    pub before: Counts,
}

/// What a result repeats of its record.
#[derive(Debug)]
pub struct RecordHeader {
    /// The number of the record in the whole run.
    pub index: u64,
    /// The line it begins on.
    pub line: u64,
    /// Its own name, where it has one.
    pub id: Option<Box<str>>,
    /// Its own fields that go into the result.
    pub passed: Passed,
    /// The bound by linear conflicts, where it is requested.
    pub linear_conflict: Option<u64>,
}

impl ChunkText {
    /// No results yet; they will be written to this buffer.
    pub fn new(text: Vec<u8>) -> ChunkText {
        ChunkText { text, counts: Counts::default(), gaps: Vec::new(), boards: Vec::new() }
    }

    /// Writes and counts a result.
    #[inline]
    pub fn add(&mut self, row: &Row<'_>, style: &Style) {
        self.counts.add(&row.verdict);
        row.write(style, &mut self.text);
    }

    /// Leaves out a result that is to come.
    pub fn add_gap(&mut self) {
        self.gaps.push(Gap { at: self.text.len(), before: self.counts });
    }
}
