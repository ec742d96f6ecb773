//! A chunk whose cheap results are written and whose expensive ones are still to come.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::delivery::Piece;
use super::totals::Counts;

/// A chunk of which some results are missing. Whoever fills the last gap gets the finished chunk.
#[derive(Debug)]
pub struct OpenChunk {
    /// Its number in the run.
    pub number: u64,
    /// The results that were there at once, in order.
    text: Vec<u8>,
    /// Bytes that the window counts for them.
    held: usize,
    counts: Counts,
    gaps: Vec<Gap>,
    missing: AtomicUsize,
}

/// Where a result is missing.
#[derive(Debug)]
struct Gap {
    /// How much of the text goes before it.
    at: usize,
    /// What that text says.
    before: Counts,
    filled: OnceLock<Filling>,
}

/// What came of a board.
#[derive(Debug)]
pub enum Filling {
    /// Its result line, and how it counts.
    Result(Vec<u8>, Counts),
    /// The run was stopped before it was settled: it has no result.
    Cancelled,
}

impl OpenChunk {
    /// A chunk with gaps in its text: each after so many bytes, which count as given.
    pub fn new(number: u64, text: Vec<u8>, counts: Counts, gaps: Vec<(usize, Counts)>) -> OpenChunk {
        let gaps: Vec<Gap> = gaps.into_iter().map(|(at, before)| Gap { at, before, filled: OnceLock::new() }).collect();
        OpenChunk { number, held: text.len(), text, counts, missing: AtomicUsize::new(gaps.len()), gaps }
    }

    /// Fills a gap; the last one to do so gets the whole chunk, put together.
    ///
    /// Each gap is filled exactly once.
    pub fn fill(&self, gap: usize, filling: Filling) -> Option<Piece> {
        let first = self.gaps[gap].filled.set(filling).is_ok();
        debug_assert!(first, "a gap was filled twice");
        self.one_less().then(|| self.assemble())
    }

    /// Counts a gap that somebody saw to; `true` for the last.
    pub fn one_less(&self) -> bool {
        // `AcqRel`: whoever comes last sees what all the others filled in.
        self.missing.fetch_sub(1, Ordering::AcqRel) == 1
    }

    /// Results in order, up to the first that never came.
    fn assemble(&self) -> Piece {
        let mut text = Vec::with_capacity(self.text.len() * 2);
        let (mut filled, mut copied) = (Counts::default(), 0);
        for gap in &self.gaps {
            text.extend_from_slice(&self.text[copied..gap.at]);
            copied = gap.at;
            let Some(Filling::Result(line, counts)) = gap.filled.get() else {
                filled.merge(&gap.before);
                return Piece { text, counts: filled, last: true, held: self.held, ..Piece::default() };
            };
            text.extend_from_slice(line);
            filled.merge(counts);
        }
        text.extend_from_slice(&self.text[copied..]);
        filled.merge(&self.counts);
        Piece { text, counts: filled, held: self.held, ..Piece::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn invalid(invalid: u64) -> Counts {
        Counts { invalid, ..Counts::default() }
    }

    fn result(text: &str) -> Filling {
        Filling::Result(text.into(), Counts { solved: 1, ..Counts::default() })
    }

    #[test]
    fn gaps_are_filled_in_any_order() {
        let open =
            OpenChunk::new(5, b"acd".to_vec(), invalid(3), vec![(1, invalid(1)), (3, invalid(3)), (3, invalid(3))]);
        assert!(open.fill(2, result("f")).is_none());
        assert!(open.fill(0, result("b")).is_none());
        let piece = open.fill(1, result("e")).unwrap();
        assert_eq!(piece.text, b"abcdef");
        assert_eq!((piece.counts.solved, piece.counts.invalid, piece.last), (3, 3, false));
    }

    #[test]
    fn a_cancelled_board_ends_the_chunk() {
        let gaps = vec![(1, invalid(1)), (2, invalid(2)), (3, invalid(3))];
        let open = OpenChunk::new(0, b"acd".to_vec(), invalid(3), gaps);
        open.fill(1, Filling::Cancelled);
        open.fill(2, result("e"));
        let piece = open.fill(0, result("b")).unwrap();
        assert_eq!((piece.text.as_slice(), piece.last), (&b"abc"[..], true));
        assert_eq!((piece.counts.invalid, piece.counts.solved), (2, 1));
    }
}
