//! A sample of the solved records that nothing but a search can prove.
//!
//! Which records are in the sample depends on their numbers alone, not on the order in which threads
//! offer them: those whose numbers, scrambled, are the smallest.

use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;

use super::all_paths::Told;
use crate::board::{Board, Path};
use crate::system::scramble;

/// The records that are in the sample so far.
pub struct Sample {
    chosen: Mutex<BinaryHeap<Chosen>>,
    capacity: usize,
    /// Records that scramble to more than this are not in it.
    bound: AtomicU64,
}

/// A board with the path that a result claims.
pub struct SolvedPuzzle {
    pub board: Board,
    pub goal: Board,
    pub path: Path,
    pub claimed: Claimed,
}

/// What a result says of all other paths.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Claimed {
    /// None is shorter; and, where it was not counted again, what is said of all that are as short.
    Shortest(Option<Told>),
    /// None has fewer moves than these.
    Bound(u64),
}

/// A result in the sample.
pub struct SampledResult {
    /// The number of its record.
    pub index: u64,
    /// Its line in the results.
    pub line: u64,
    pub puzzle: SolvedPuzzle,
}

struct Chosen {
    /// The scrambled number, and the number.
    order: (u64, u64),
    result: SampledResult,
}

impl PartialEq for Chosen {
    fn eq(&self, other: &Chosen) -> bool {
        self.order == other.order
    }
}

impl Eq for Chosen {}

impl PartialOrd for Chosen {
    fn partial_cmp(&self, other: &Chosen) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Chosen {
    fn cmp(&self, other: &Chosen) -> std::cmp::Ordering {
        self.order.cmp(&other.order)
    }
}

impl Sample {
    pub fn new(capacity: usize) -> Sample {
        Sample { chosen: Mutex::default(), capacity, bound: AtomicU64::new(if capacity > 0 { u64::MAX } else { 0 }) }
    }

    /// Offers a solved record; `puzzle` is called only if it may be taken.
    pub fn offer(&self, index: u64, line: u64, puzzle: impl FnOnce() -> Option<SolvedPuzzle>) {
        let order = (scramble(0, index), index);
        // An old bound is too large, which does no harm: the heap drops what is not among the smallest.
        if self.capacity == 0 || order.0 > self.bound.load(Ordering::Relaxed) {
            return;
        }
        let Some(puzzle) = puzzle() else { return };
        let mut chosen = self.chosen.lock();
        chosen.push(Chosen { order, result: SampledResult { index, line, puzzle } });
        if chosen.len() > self.capacity {
            chosen.pop();
            if let Some(last) = chosen.peek() {
                self.bound.store(last.order.0, Ordering::Relaxed);
            }
        }
    }

    /// The sample in the order of its scrambled numbers.
    pub fn into_results(self) -> impl Iterator<Item = SampledResult> {
        let chosen = self.chosen.into_inner();
        chosen.into_sorted_vec().into_iter().map(|chosen| chosen.result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Goal, Move, Shape};

    #[test]
    fn the_sample_does_not_depend_on_the_order_of_offers() {
        let goal = Goal::BlankLast.on(Shape::new(2, 2).unwrap()).unwrap();
        let board = goal.after(Move::Up).unwrap();
        let chosen = |indices: &mut dyn Iterator<Item = u64>| {
            let sample = Sample::new(7);
            for index in indices {
                let path = "D".parse().unwrap();
                sample.offer(index, index, || {
                    let claimed = Claimed::Shortest(None);
                    Some(SolvedPuzzle { board: board.clone(), goal: goal.clone(), path, claimed })
                });
            }
            sample.into_results().map(|result| result.index).collect::<Vec<_>>()
        };
        let forwards = chosen(&mut (1..=1000));
        assert_eq!(forwards.len(), 7);
        assert_eq!(forwards, chosen(&mut (1..=1000).rev()));
        assert_eq!(chosen(&mut (1..=3)).len(), 3);
    }

    /// A record that cannot be chosen is not even copied.
    #[test]
    fn only_records_that_may_be_chosen_are_copied() {
        let goal = Goal::BlankLast.on(Shape::new(2, 2).unwrap()).unwrap();
        let sample = Sample::new(2);
        let mut asked = Vec::new();
        let offered: Vec<u64> = (1..=40).collect();
        for &index in &offered {
            sample.offer(index, index, || {
                asked.push(index);
                let (board, goal, path) = (goal.clone(), goal.clone(), Path::new());
                Some(SolvedPuzzle { board, goal, path, claimed: Claimed::Shortest(None) })
            });
        }
        let least = |of: &[u64]| {
            let mut of = of.to_vec();
            of.sort_by_key(|&index| scramble(0, index));
            of.truncate(2);
            of
        };
        let chosen: Vec<u64> = sample.into_results().map(|result| result.index).collect();
        assert_eq!(chosen, least(&offered));
        let expected: Vec<u64> =
            offered.iter().copied().filter(|&index| least(&offered[..index as usize]).contains(&index)).collect();
        assert_eq!(asked, expected);
    }
}
