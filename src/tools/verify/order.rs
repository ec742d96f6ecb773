//! Whether the indices of all lines rise, when blocks of lines are read by many threads.

use parking_lot::Mutex;
use std::collections::BTreeMap;

/// The first and the greatest index of a block.
#[derive(Clone, Copy, Default, Debug)]
pub struct IndexSpan(Option<(u64, u64)>);

impl IndexSpan {
    /// Adds the next index; `false` when it is not above all before it.
    pub fn add(&mut self, index: u64) -> bool {
        match &mut self.0 {
            Some((_, greatest)) if index <= *greatest => false,
            Some((_, greatest)) => {
                *greatest = index;
                true
            }
            None => {
                self.0 = Some((index, index));
                true
            }
        }
    }
}

/// Checks blocks in their order, in whatever order threads add them.
#[derive(Default)]
pub struct OrderCheck(Mutex<State>);

#[derive(Default)]
struct State {
    /// The number of the next block to be checked.
    next: u64,
    /// The greatest index before it.
    greatest: u64,
    /// Blocks that were added before their turn.
    waiting: BTreeMap<u64, (u64, IndexSpan)>,
}

impl OrderCheck {
    /// Adds a block by its number, from 0; returns the first line of a block whose first index is not
    /// above all before it, if one is found.
    pub fn add(&self, number: u64, first_line: u64, span: IndexSpan) -> Option<u64> {
        let mut state = self.0.lock();
        state.waiting.insert(number, (first_line, span));
        let mut wrong = None;
        loop {
            let next = state.next;
            let Some((line, IndexSpan(span))) = state.waiting.remove(&next) else { return wrong };
            state.next += 1;
            if let Some((first, greatest)) = span {
                if first <= state.greatest {
                    wrong = wrong.or(Some(line));
                }
                state.greatest = state.greatest.max(greatest);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(indices: &[u64]) -> (IndexSpan, usize) {
        let mut span = IndexSpan::default();
        let wrong = indices.iter().filter(|&&index| !span.add(index)).count();
        (span, wrong)
    }

    #[test]
    fn descents_are_found_within_and_between_blocks() {
        assert_eq!(span(&[1, 2, 5, 9]).1, 0);
        assert_eq!(span(&[1, 2, 2, 3]).1, 1);
        assert_eq!(span(&[3, 1, 2, 4]).1, 2);
        let order = OrderCheck::default();
        assert_eq!(order.add(1, 4, span(&[4, 5]).0), None);
        assert_eq!(order.add(2, 6, span(&[5, 6]).0), None);
        assert_eq!(order.add(0, 1, span(&[1, 2, 3]).0), Some(6));
        assert_eq!(order.add(3, 8, span(&[]).0), None);
        assert_eq!(order.add(4, 8, span(&[7]).0), None);
    }
}
