//! The text of a chunk's results, with gaps for unfinished searches.

use super::earlier::Digests;
use super::totals::Counts;
use crate::format::output::Row;
use crate::format::passthrough::Passthrough;
use crate::format::style::Style;

/// The known results of a chunk, in order.
#[derive(Default, Debug)]
pub struct ChunkText {
    /// Result lines.
    pub text: Vec<u8>,
    /// The number of records in `text`, by status.
    pub counts: Counts,
    /// The missing results, in order.
    pub gaps: Vec<Gap>,
    /// The digests of the chunk's boards, each with the index of its record, if boards are compared
    /// with earlier ones.
    pub digests: Vec<(u64, Digests)>,
}

/// A missing result.
#[derive(Clone, Copy, Debug)]
pub struct Gap {
    /// The number of bytes before it in the text.
    pub at: usize,
    /// The number of records before it in the text, by status.
    pub before: Counts,
}

/// The parts of a record's result that are known before its board is solved.
#[derive(Debug)]
pub struct RecordHeader {
    /// The number of the record in the whole run.
    pub index: u64,
    /// The line on which it begins.
    pub line: u64,
    /// The id given in the record, if any.
    pub id: Option<Box<str>>,
    /// The passthrough columns.
    pub passthrough: Passthrough,
    /// The linear-conflict bound, if requested.
    pub linear_conflict: Option<u64>,
}

impl ChunkText {
    /// Creates an empty text in this empty buffer.
    pub fn new(text: Vec<u8>) -> ChunkText {
        ChunkText { text, counts: Counts::default(), gaps: Vec::new(), digests: Vec::new() }
    }

    /// Writes and counts a result.
    #[inline]
    pub fn add(&mut self, row: &Row<'_>, style: &Style) {
        self.counts.add(&row.verdict);
        row.write(style, &mut self.text);
    }

    /// Adds a gap for a result that is not yet known.
    pub fn add_gap(&mut self) {
        self.gaps.push(Gap { at: self.text.len(), before: self.counts });
    }
}
