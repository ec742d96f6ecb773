//! The results of a chunk: their text, with holes for results that are not known yet.
//!
//! Boards in full tables are looked up together at the end of their chunk, and searches end later,
//! or never if the run is stopped. Until a result is known, it is a hole. The results before and
//! after a hole are written once, and copied once when the hole is filled.

use std::sync::{Arc, OnceLock};

use super::earlier::Digests;
use super::solve::BoardSearch;
use super::totals::Counts;
use crate::format::output::{Row, Verdict};
use crate::format::passthrough::Passthrough;
use crate::format::style::Style;

/// Results of a chunk, in the order of the records.
#[derive(Default, Debug)]
pub struct ChunkResults {
    /// The result lines.
    pub text: Vec<u8>,
    /// The number of records in `text` after the last hole, by status.
    pub counts: Counts,
    /// The missing results.
    holes: Vec<Hole>,
    /// The digests of the chunk's boards, each with the index of its record, if boards are compared
    /// with earlier ones.
    pub digests: Vec<(u64, Digests)>,
}

/// A missing result.
#[derive(Clone, Copy, Debug)]
struct Hole {
    /// The number of bytes before it in the text.
    at: usize,
    /// The number of records between the previous hole and this one, by status.
    before: Counts,
}

impl ChunkResults {
    /// Creates empty results in this empty buffer.
    pub fn new(text: Vec<u8>) -> ChunkResults {
        ChunkResults { text, ..ChunkResults::default() }
    }

    /// Writes and counts a result.
    #[inline]
    pub fn add(&mut self, row: &Row<'_>, style: &Style) {
        self.counts.add(&row.verdict);
        row.write(style, &mut self.text);
    }

    /// Adds a hole for a result that is not known yet, and returns its number.
    pub fn add_hole(&mut self) -> usize {
        self.holes.push(Hole { at: self.text.len(), before: std::mem::take(&mut self.counts) });
        self.holes.len() - 1
    }

    /// Moves these results to `buffer`. For each hole, `fill` adds the result or a new hole, and
    /// returns true. If it returns false, the text ends at this hole.
    pub fn filled(&mut self, buffer: Vec<u8>, mut fill: impl FnMut(usize, &mut ChunkResults) -> bool) -> ChunkResults {
        let mut filled = ChunkResults { digests: std::mem::take(&mut self.digests), ..ChunkResults::new(buffer) };
        let mut copied = 0;
        for (number, Hole { at, before }) in self.holes.drain(..).enumerate() {
            filled.text.extend_from_slice(&self.text[copied..at]);
            filled.counts.merge(&before);
            copied = at;
            if !fill(number, &mut filled) {
                return filled;
            }
        }
        filled.text.extend_from_slice(&self.text[copied..]);
        filled.counts.merge(&self.counts);
        filled
    }

    /// Takes the known results, without the holes.
    fn take_known(&mut self) -> ChunkResults {
        let mut known = ChunkResults { counts: self.counts, ..ChunkResults::new(std::mem::take(&mut self.text)) };
        self.holes.iter().for_each(|hole| known.counts.merge(&hole.before));
        known
    }
}

/// The parts of a record's result that are known before its board is solved.
#[derive(Debug)]
pub struct RecordHeader {
    /// The number of the record in the whole run.
    pub index: u64,
    /// The line on which the record begins.
    pub line: u64,
    /// The id given in the record, if any.
    pub id: Option<Box<str>>,
    /// The passthrough columns.
    pub passthrough: Passthrough,
    /// The linear-conflict bound, if requested.
    pub linear_conflict: Option<u64>,
}

impl RecordHeader {
    /// Returns a row with these parts and a verdict. `source` is the source's name as a JSON
    /// string.
    #[inline]
    pub fn row<'a>(&'a self, source: &'a str, verdict: Verdict<'a>) -> Row<'a> {
        let &RecordHeader { index, line, ref id, ref passthrough, linear_conflict } = self;
        Row { id: id.as_deref(), passthrough, linear_conflict, ..Row::bare(index, source, line, verdict) }
    }
}

/// The results that a worker hands to the writer: all of a chunk, or in unordered runs those that
/// are available.
#[derive(Debug)]
pub struct ChunkOutput {
    /// The results, without holes.
    pub results: ChunkResults,
    /// The records whose results these are.
    pub coverage: Coverage,
    /// True if more outputs of this chunk will follow, so that its permit is still needed. Only in
    /// unordered runs.
    pub more_follows: bool,
    /// The bytes that the window counts for this output.
    pub held_bytes: usize,
    /// The stack of the buffer pool that the text's memory is returned to, if any.
    pub stack: Option<usize>,
}

/// The records of a chunk whose results are in an output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Coverage {
    /// All records.
    All,
    /// All records except these (in ascending order).
    AllBut(Vec<u64>),
    /// Only this record.
    One(u64),
    /// The run was stopped within this chunk. In ordered runs, the output has the results of the
    /// first records, and all later output is dropped. In unordered runs, the output is empty.
    Cut,
}

impl ChunkOutput {
    /// Creates the last output of a chunk.
    pub fn new(results: ChunkResults, coverage: Coverage, held_bytes: usize) -> ChunkOutput {
        ChunkOutput { results, coverage, more_follows: false, held_bytes, stack: None }
    }
}

/// A chunk whose searches have not all ended. Each of these searches owns a reference to the chunk.
/// The search that ends last gets the output of the chunk.
#[derive(Debug)]
pub struct PendingChunk {
    /// The number of the chunk in the run.
    pub number: u64,
    results: ChunkResults,
    /// The result of each search; none if the run was stopped before the search ended.
    fillings: Box<[OnceLock<ChunkResults>]>,
    /// The bytes that the window counts for the missing results, until the last of them is written.
    reserved: usize,
}

impl PendingChunk {
    /// Creates a pending chunk. Each hole of `results` waits for a search.
    pub fn new(number: u64, results: ChunkResults, reserved: usize) -> PendingChunk {
        let fillings = results.holes.iter().map(|_| OnceLock::new()).collect();
        PendingChunk { number, results, fillings, reserved }
    }

    /// Takes the known results, which need not wait for the others in an unordered run. `searched`
    /// are the indices of the other records.
    pub fn take_known(&mut self, searched: Vec<u64>, stack: usize) -> ChunkOutput {
        let results = self.results.take_known();
        let (coverage, held_bytes) = (Coverage::AllBut(searched), results.text.len());
        ChunkOutput { more_follows: true, stack: Some(stack), ..ChunkOutput::new(results, coverage, held_bytes) }
    }

    /// Ends the search of a hole with its result, or without one if the run was stopped. Returns
    /// the output of the chunk if this was the last search.
    pub fn end_search(self: Arc<Self>, hole: usize, result: Option<ChunkResults>) -> Option<ChunkOutput> {
        if let Some(result) = result {
            let is_first = self.fillings[hole].set(result).is_ok();
            debug_assert!(is_first, "a hole was filled twice");
        }
        // Exactly one of the searches gets the chunk, and sees what all others filled in.
        Arc::into_inner(self).map(PendingChunk::output)
    }

    /// Does the same as [`Self::end_search`] in an unordered run, where each result is an output.
    /// `index` is the index of the record.
    pub fn end_unordered_search(self: Arc<Self>, index: u64, result: Option<ChunkResults>) -> ChunkOutput {
        let coverage = if result.is_some() { Coverage::One(index) } else { Coverage::Cut };
        let last = Arc::into_inner(self);
        let (more_follows, held_bytes) = (last.is_none(), last.map_or(0, |chunk| chunk.reserved));
        ChunkOutput { more_follows, ..ChunkOutput::new(result.unwrap_or_default(), coverage, held_bytes) }
    }

    /// Joins the results in order, up to the first that is missing.
    fn output(self) -> ChunkOutput {
        let PendingChunk { mut results, fillings, reserved, .. } = self;
        let lines = fillings.iter().filter_map(|filling| Some(filling.get()?.text.len()));
        let buffer = Vec::with_capacity(results.text.len() + lines.sum::<usize>());
        let (held_bytes, mut coverage) = (results.text.len() + reserved, Coverage::All);
        let filled = results.filled(buffer, |hole, filled| match fillings[hole].get() {
            Some(line) => {
                filled.text.extend_from_slice(&line.text);
                filled.counts.merge(&line.counts);
                true
            }
            None => {
                coverage = Coverage::Cut;
                false
            }
        });
        ChunkOutput::new(filled, coverage, held_bytes)
    }
}

/// A search and the destination of its result: the record, the chunk and the hole.
#[derive(Debug)]
pub struct SearchTask {
    pub search: BoardSearch,
    pub header: RecordHeader,
    /// The source of the record.
    pub source: Arc<str>,
    pub chunk: Arc<PendingChunk>,
    pub hole: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn invalid(invalid: u64) -> Counts {
        Counts { invalid, ..Counts::default() }
    }

    fn result(text: &str) -> Option<ChunkResults> {
        let counts = Counts { solved: 1, ..Counts::default() };
        Some(ChunkResults { counts, ..ChunkResults::new(text.into()) })
    }

    /// Returns three references to a chunk of three invalid records, with a hole after each of
    /// these numbers of records.
    fn pending(holes: [usize; 3]) -> [Arc<PendingChunk>; 3] {
        let mut results = ChunkResults::default();
        for (number, letter) in (0..=3).zip(b"acd ") {
            holes.iter().filter(|&&hole| hole == number).for_each(|_| {
                results.add_hole();
            });
            if number < 3 {
                results.text.push(*letter);
                results.counts.merge(&invalid(1));
            }
        }
        let chunk = Arc::new(PendingChunk::new(0, results, 7));
        [Arc::clone(&chunk), Arc::clone(&chunk), chunk]
    }

    #[test]
    fn holes_are_filled_in_any_order() {
        let [first, second, third] = pending([1, 3, 3]);
        assert!(third.end_search(2, result("f")).is_none());
        assert!(first.end_search(0, result("b")).is_none());
        let output = second.end_search(1, result("e")).unwrap();
        assert_eq!(output.results.text, b"abcdef");
        let counts = output.results.counts;
        assert_eq!((counts.solved, counts.invalid, output.coverage), (3, 3, Coverage::All));
        // The three known results, and the bytes expected for the others.
        assert_eq!(output.held_bytes, 3 + 7);
    }

    #[test]
    fn a_cancelled_search_ends_the_chunk() {
        let [first, second, third] = pending([1, 2, 3]);
        assert!(second.end_search(1, None).is_none());
        assert!(third.end_search(2, result("e")).is_none());
        let output = first.end_search(0, result("b")).unwrap();
        assert_eq!((output.results.text.as_slice(), output.coverage), (&b"abc"[..], Coverage::Cut));
        assert_eq!((output.results.counts.invalid, output.results.counts.solved), (2, 1));
    }

    /// In an unordered run, known results do not wait, and the last search frees the permit.
    #[test]
    fn results_of_an_unordered_run_are_separate_outputs() {
        let [first, second, third] = pending([1, 2, 3]);
        drop((second, third));
        let mut chunk = Arc::into_inner(first).unwrap();
        let known = chunk.take_known(vec![2, 4, 6], 0);
        assert_eq!((known.results.text.as_slice(), known.results.counts), (&b"acd"[..], invalid(3)));
        assert!(known.more_follows && known.coverage == Coverage::AllBut(vec![2, 4, 6]));
        let chunk = Arc::new(chunk);
        let output = Arc::clone(&chunk).end_unordered_search(4, result("e"));
        assert!(output.more_follows && output.coverage == Coverage::One(4) && output.held_bytes == 0);
        let output = chunk.end_unordered_search(2, None);
        assert!(!output.more_follows && output.coverage == Coverage::Cut && output.held_bytes == 7);
    }

    /// Some holes are filled, others remain.
    #[test]
    fn holes_can_be_filled_in_two_steps() {
        let mut results = ChunkResults::default();
        for letter in b"abc" {
            results.text.push(*letter);
            results.counts.merge(&invalid(1));
            results.add_hole();
        }
        let mut half = results.filled(Vec::new(), |hole, filled| {
            match hole {
                1 => filled.text.push(b'-'),
                _ => _ = filled.add_hole(),
            }
            true
        });
        let whole = half.filled(Vec::new(), |hole, filled| {
            filled.text.push(b'0' + hole as u8);
            true
        });
        assert_eq!((whole.text.as_slice(), whole.counts), (&b"a0b-c1"[..], invalid(3)));
    }
}
