//! A sample of the solved records that only a search can prove.
//!
//! The sample depends on the numbers of the records alone, not on the order in which threads offer
//! records: it consists of the records with the smallest scrambled numbers.

use std::collections::BTreeMap;

use parking_lot::Mutex;

use super::all_paths::PathClaims;
use crate::board::{Board, Path};
use crate::system::scramble;

/// The claim that a result makes about its path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PathClaim {
    /// No path is shorter. There may be more claims about all shortest paths.
    Shortest(Option<PathClaims>),
    /// No path has fewer moves than this.
    Bound(u64),
}

/// A result in the sample.
pub struct SampledResult {
    /// The number of its record.
    pub index: u64,
    /// Its line in the results.
    pub line: u64,
    pub board: Board,
    pub goal: Board,
    pub path: Path,
    pub claim: PathClaim,
}

/// The results in the sample so far.
pub struct Sample {
    /// The results by the record's scrambled number, then by its number.
    chosen: Mutex<BTreeMap<(u64, u64), SampledResult>>,
    capacity: usize,
}

impl Sample {
    /// Creates a sample of at most this number of records.
    pub fn new(capacity: usize) -> Sample {
        Sample { chosen: Mutex::default(), capacity }
    }

    /// Offers a solved record. Calls `result` only if the record is chosen.
    pub fn offer(&self, index: u64, result: impl FnOnce() -> Option<SampledResult>) {
        if self.capacity == 0 {
            return;
        }
        let (order, mut chosen) = ((scramble(0, index), index), self.chosen.lock());
        let is_full = chosen.len() == self.capacity;
        if is_full && chosen.last_key_value().is_some_and(|(last, _)| order > *last) {
            return;
        }
        let Some(result) = result() else { return };
        chosen.insert(order, result);
        if is_full {
            chosen.pop_last();
        }
    }

    /// Returns the sample in the order of its scrambled numbers.
    pub fn into_results(self) -> impl Iterator<Item = SampledResult> {
        self.chosen.into_inner().into_values()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Goal, Shape};

    fn offer_to(sample: &Sample, index: u64, chosen: &mut Vec<u64>) {
        let goal = Goal::BlankLast.on(Shape::new(2, 2).unwrap()).unwrap();
        sample.offer(index, || {
            chosen.push(index);
            let (board, claim) = (goal.clone(), PathClaim::Shortest(None));
            Some(SampledResult { index, line: index, board, goal, path: Path::new(), claim })
        });
    }

    #[test]
    fn the_sample_does_not_depend_on_the_order_of_offers() {
        let chosen = |indices: &mut dyn Iterator<Item = u64>| {
            let sample = Sample::new(7);
            indices.for_each(|index| offer_to(&sample, index, &mut Vec::new()));
            sample.into_results().map(|result| result.index).collect::<Vec<_>>()
        };
        let forwards = chosen(&mut (1..=1000));
        assert_eq!(forwards.len(), 7);
        assert_eq!(forwards, chosen(&mut (1..=1000).rev()));
        assert_eq!(chosen(&mut (1..=3)).len(), 3);
    }

    #[test]
    fn only_records_that_may_be_chosen_are_copied() {
        let (sample, offered, mut copied) = (Sample::new(2), 1..=40, Vec::new());
        offered.clone().for_each(|index| offer_to(&sample, index, &mut copied));
        let chosen_of_first = |last: u64| {
            let mut indices: Vec<u64> = (1..=last).collect();
            indices.sort_by_key(|&index| scramble(0, index));
            indices.truncate(2);
            indices
        };
        let chosen: Vec<u64> = sample.into_results().map(|result| result.index).collect();
        assert_eq!(chosen, chosen_of_first(40));
        assert_eq!(copied, offered.filter(|index| chosen_of_first(*index).contains(index)).collect::<Vec<_>>());
    }
}
