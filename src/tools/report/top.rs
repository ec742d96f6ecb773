//! The boards to draw: those with the greatest keys. A key is a time or a number of nodes or moves.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::line::{Entry, Solution, Verdict};

/// A board that was hard to solve.
#[derive(Clone, Debug)]
pub struct HardBoard {
    pub entry: Entry,
    pub solution: Solution,
}

/// The results with the greatest keys. Among equal keys, the first results are kept.
#[derive(Default, Debug)]
pub struct Top {
    boards: BTreeMap<(Reverse<u64>, u64), HardBoard>,
}

/// The maximum number of boards to draw.
const MAX_BOARDS: usize = 6;

/// The limits on the size of a board and the length of its path. Anything larger would take up most
/// of the page.
const MAX_DRAWN_CELLS: usize = 36;
const MAX_DRAWN_MOVES: usize = 600;

impl Top {
    /// Adds a result if it can be drawn and its key is among the greatest. `order` is the result's
    /// place among all results.
    pub fn offer(&mut self, key: u64, order: u64, entry: &Entry) {
        let Verdict::Solved { solution: Some(solution), .. } = &entry.verdict else { return };
        if solution.board.shape().cells() > MAX_DRAWN_CELLS || solution.path.len() > MAX_DRAWN_MOVES {
            return;
        }
        let key = (Reverse(key), order);
        if self.boards.len() < MAX_BOARDS || self.boards.last_key_value().is_some_and(|(last, _)| key < *last) {
            self.boards.insert(key, HardBoard { entry: entry.clone(), solution: solution.clone() });
            if self.boards.len() > MAX_BOARDS {
                self.boards.pop_last();
            }
        }
    }

    pub fn is_empty(&self) -> bool {
        self.boards.is_empty()
    }

    /// Returns the boards, the greatest key first.
    pub fn iter(&self) -> impl Iterator<Item = &HardBoard> {
        self.boards.values()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::report::line::Assumptions;

    #[test]
    fn the_greatest_keys_are_kept_and_the_first_among_equal_ones() {
        let assumed = Assumptions { shape: "2x2".parse().ok(), ..Assumptions::default() };
        let mut top = Top::default();
        let keys = [5, 1, 9, 5, 9, 0, 5, 9, 1, 5];
        for (order, key) in (1..).zip(keys) {
            let line = format!(r#"{{"index":{order},"path":"D"}}"#);
            top.offer(key, order, &Entry::read(line.as_bytes(), &assumed).unwrap());
        }
        let indices: Vec<_> = top.iter().map(|hard| hard.entry.origin.index.unwrap()).collect();
        assert_eq!(indices, [3, 5, 8, 1, 4, 7]);
    }
}
