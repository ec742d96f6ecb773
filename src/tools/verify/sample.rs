//! A sample of the results that claim a shortest path. The boards are solved again with another
//! engine, to prove or refute the claims.
//!
//! The sample depends on the numbers of the records alone, not on the order in which threads offer
//! records: it consists of the records with the smallest scrambled numbers.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use parking_lot::Mutex;

use super::report::{Finding, FindingCounts, ProblemPlace, Problems};
use crate::board::{Board, Goal};
use crate::engine::{EngineKind, Parallel, lookup};
use crate::solver::{Answer, EnginePreference, Settings, Solver, Threads, Worker};
use crate::system::scramble;

/// A result in the sample.
pub struct SampledResult {
    /// The line of the result, and its record.
    pub place: ProblemPlace,
    /// The board and its goal.
    pub puzzle: (Board, Board),
    /// The letters of the path.
    pub path: Box<[u8]>,
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
        if chosen.len() == self.capacity && chosen.last_key_value().is_some_and(|(last, _)| order > *last) {
            return;
        }
        chosen.extend(result().map(|result| (order, result)));
        if chosen.len() > self.capacity {
            chosen.pop_last();
        }
    }
}

/// The options for solving a sample again.
#[derive(Clone, Debug)]
pub struct SampleOptions {
    /// The maximum number of boards.
    pub boards: usize,
    /// The settings, except for the engine.
    pub solving: Settings,
    /// True if every shortest path is accepted, not only the canonical one.
    pub any_shortest: bool,
}

/// The engines that solve a sample, one board after another on all threads.
struct SampleEngines {
    /// For boards of up to 10 cells, which a normal run usually looks up in a table.
    bidirectional: Worker,
    /// For larger boards, most of which a normal run searches depth-first.
    astar: Worker,
}

/// Solves the sample again, and replaces the findings about what was unproven.
pub fn solve_again(sample: Sample, options: &SampleOptions, findings: &mut FindingCounts, problems: &Problems) {
    let mut engines = SampleEngines::new(&options.solving);
    for result in sample.chosen.into_inner().into_values() {
        match engines.check(&result, options) {
            Ok(finding) => findings.replace(Finding::ShortestUnproven, finding),
            Err(wrong) => problems.add(result.place, wrong),
        }
    }
}

impl SampleEngines {
    fn new(solving: &Settings) -> SampleEngines {
        // Both workers may keep tables at the same time, so they share the memory.
        let worker = |engine| {
            let preference = EnginePreference { engine: Some(engine), ..solving.preference.clone() };
            let (parallel, memory) = (Parallel::Auto, solving.memory / 2);
            Solver::with(Settings { preference, parallel, memory, ..solving.clone() }).worker_on(Threads::Pool)
        };
        SampleEngines { bidirectional: worker(EngineKind::Bidirectional), astar: worker(EngineKind::AStar) }
    }

    /// Solves the board of a result again.
    ///
    /// # Errors
    /// If the answer refutes the result, or the board cannot be solved again.
    fn check(&mut self, result: &SampledResult, options: &SampleOptions) -> Result<Finding, String> {
        let SampledResult { puzzle: (board, goal), path, .. } = result;
        let is_small = board.shape().cells() <= lookup::MAX_INSTANT_CELLS;
        let worker = if is_small { &mut self.bidirectional } else { &mut self.astar };
        match worker.answer(board, &Goal::from(goal), &options.solving.limits, &AtomicBool::new(false)) {
            Ok(Answer::Solved(found)) if found.moves() < path.len() => {
                Err(format!("has {} moves, but there is a path of {}", path.len(), found.moves()))
            }
            Ok(Answer::Solved(found)) if found.is_optimal() && found.moves() > path.len() => {
                Err("has a shorter path than another engine finds: please report this with the board".into())
            }
            Ok(Answer::Solved(found)) if found.is_optimal() => {
                let is_accepted = options.any_shortest && found.moves() == path.len();
                if is_accepted || *found.path.to_string().as_bytes() == **path {
                    return Ok(Finding::Confirmed);
                }
                Err(format!("has a path that differs from another engine's: {}", found.path))
            }
            Ok(Answer::Unsolvable) => Err("the solver calls this board unsolvable".into()),
            Ok(Answer::Solved(_) | Answer::Unsolved { .. }) => Ok(Finding::Unsettled),
            Err(error) => Err(format!("could not be solved again: {error}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Shape;

    fn offer_to(sample: &Sample, index: u64, chosen: &mut Vec<u64>) {
        let goal = Goal::BlankLast.on(Shape::new(2, 2).unwrap()).unwrap();
        sample.offer(index, || {
            chosen.push(index);
            let (place, puzzle) = (ProblemPlace::Line(1, Some(index)), (goal.clone(), goal.clone()));
            Some(SampledResult { place, puzzle, path: [].into() })
        });
    }

    /// Returns the numbers of the records in a sample.
    fn indices(sample: &Sample) -> Vec<u64> {
        sample.chosen.lock().keys().map(|&(_, index)| index).collect()
    }

    #[test]
    fn the_sample_does_not_depend_on_the_order_of_offers() {
        let chosen = |offered: &mut dyn Iterator<Item = u64>| {
            let sample = Sample::new(7);
            offered.for_each(|index| offer_to(&sample, index, &mut Vec::new()));
            indices(&sample)
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
        assert_eq!(indices(&sample), chosen_of_first(40));
        assert_eq!(copied, offered.filter(|index| chosen_of_first(*index).contains(index)).collect::<Vec<_>>());
    }
}
