//! A chunk whose cheap results are known, and whose searches have not all ended.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::Mutex;

use super::chunk_output::ChunkOutput;
use super::chunk_text::{ChunkText, Gap};
use super::earlier::Digests;
use super::totals::Counts;

/// A chunk with missing results. The thread that fills the last gap gets the finished chunk.
#[derive(Debug)]
pub struct PendingChunk {
    /// Its number in the run.
    pub number: u64,
    /// The results that were known immediately, in order.
    text: Vec<u8>,
    /// The bytes that the window counts for the missing results, until the last of them is written.
    pub expected: usize,
    counts: Counts,
    digests: Mutex<Vec<(u64, Digests)>>,
    gaps: Vec<PendingGap>,
    missing: AtomicUsize,
}

#[derive(Debug)]
struct PendingGap {
    gap: Gap,
    result: OnceLock<GapResult>,
}

/// The result of a board that was searched.
#[derive(Debug)]
pub enum GapResult {
    /// Its result line, and its counts.
    Line(Vec<u8>, Counts),
    /// No result, because the run was stopped before its search ended.
    Cancelled,
}

impl PendingChunk {
    /// Creates a chunk whose gaps are still empty.
    pub fn new(number: u64, ChunkText { text, counts, gaps, digests }: ChunkText, expected: usize) -> PendingChunk {
        let gaps: Vec<_> = gaps.into_iter().map(|gap| PendingGap { gap, result: OnceLock::new() }).collect();
        let (missing, digests) = (AtomicUsize::new(gaps.len()), Mutex::new(digests));
        PendingChunk { number, expected, text, counts, digests, missing, gaps }
    }

    /// Fills a gap, and returns the output of the chunk if this was the last gap. Each gap must be
    /// filled exactly once.
    pub fn fill(&self, gap: usize, result: GapResult) -> Option<ChunkOutput> {
        let is_first = self.gaps[gap].result.set(result).is_ok();
        debug_assert!(is_first, "a gap was filled twice");
        self.count_down().then(|| self.assemble())
    }

    /// Counts a gap whose search has ended. Returns true for the last one.
    pub fn count_down(&self) -> bool {
        // `AcqRel`: the last thread sees the results that all other threads filled in.
        self.missing.fetch_sub(1, Ordering::AcqRel) == 1
    }

    /// Joins the results in order, up to the first cancelled one.
    fn assemble(&self) -> ChunkOutput {
        let lines = self.gaps.iter().filter_map(|gap| match gap.result.get() {
            Some(GapResult::Line(line, _)) => Some(line.len()),
            _ => None,
        });
        let digests = std::mem::take(&mut *self.digests.lock());
        let mut text = Vec::with_capacity(self.text.len() + lines.sum::<usize>());
        let (mut total, mut copied, held_bytes) = (Counts::default(), 0, self.text.len() + self.expected);
        for PendingGap { gap, result } in &self.gaps {
            text.extend_from_slice(&self.text[copied..gap.at]);
            copied = gap.at;
            let Some(GapResult::Line(line, counts)) = result.get() else {
                total.merge(&gap.before);
                let cut_short = true;
                return ChunkOutput { text, counts: total, digests, cut_short, held_bytes, ..ChunkOutput::default() };
            };
            text.extend_from_slice(line);
            total.merge(counts);
        }
        text.extend_from_slice(&self.text[copied..]);
        total.merge(&self.counts);
        ChunkOutput { text, counts: total, digests, held_bytes, ..ChunkOutput::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn invalid(invalid: u64) -> Counts {
        Counts { invalid, ..Counts::default() }
    }

    fn result(text: &str) -> GapResult {
        GapResult::Line(text.into(), Counts { solved: 1, ..Counts::default() })
    }

    /// Creates a chunk of three invalid records, with a gap after each of these numbers of records.
    fn pending(gaps: [u64; 3]) -> PendingChunk {
        let gaps = gaps.map(|records| Gap { at: records as usize, before: invalid(records) });
        PendingChunk::new(
            0,
            ChunkText { text: b"acd".to_vec(), counts: invalid(3), gaps: gaps.to_vec(), digests: Vec::new() },
            7,
        )
    }

    #[test]
    fn gaps_are_filled_in_any_order() {
        let pending = pending([1, 3, 3]);
        assert!(pending.fill(2, result("f")).is_none());
        assert!(pending.fill(0, result("b")).is_none());
        let output = pending.fill(1, result("e")).unwrap();
        assert_eq!(output.text, b"abcdef");
        assert_eq!((output.counts.solved, output.counts.invalid, output.cut_short), (3, 3, false));
        // The three known results, and the bytes expected for the others.
        assert_eq!(output.held_bytes, 3 + 7);
    }

    #[test]
    fn a_cancelled_board_ends_the_chunk() {
        let pending = pending([1, 2, 3]);
        pending.fill(1, GapResult::Cancelled);
        pending.fill(2, result("e"));
        let output = pending.fill(0, result("b")).unwrap();
        assert_eq!((output.text.as_slice(), output.cut_short), (&b"abc"[..], true));
        assert_eq!((output.counts.invalid, output.counts.solved), (2, 1));
    }
}
