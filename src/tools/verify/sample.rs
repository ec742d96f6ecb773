//! A sample of the solved records whose results make claims that only a search can prove. The
//! boards are solved again with another engine, to prove or refute the claims.
//!
//! The sample depends on the numbers of the records alone, not on the order in which threads offer
//! records: it consists of the records with the smallest scrambled numbers.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use parking_lot::Mutex;

use super::paths::letters_of;
use super::report::{Finding, FindingCounts, ProblemPlace, Problems};
use crate::board::{Board, Goal, MAX_SEARCH_CELLS};
use crate::engine::{EngineKind, Parallel, lookup};
use crate::format::fields::Field;
use crate::format::result::ResultLine;
use crate::format::spelling::Spelling;
use crate::solver::{Aim, Answer, EnginePreference, Quality, Settings, Solver, Threads, Worker};
use crate::system::{Limits, scramble};

/// A result in the sample.
pub struct SampledResult {
    /// The line of the result, and its record.
    pub place: ProblemPlace,
    /// The board and its goal.
    pub puzzle: (Board, Board),
    /// The letters of the path.
    pub path: Box<[u8]>,
    /// The result claims that no path has fewer moves than this.
    pub bound: u64,
    /// True if the result claims that its path is a shortest one.
    pub is_shortest: bool,
}

impl SampledResult {
    /// Returns a result whose path was replayed; `None` if it makes no claim about the length.
    pub fn new(
        place: ProblemPlace,
        puzzle: (Board, Board),
        claim: &ResultLine<'_>,
        spelling: Spelling,
    ) -> Option<SampledResult> {
        let path: Box<[u8]> = letters_of(claim.text(Field::Path)?, &puzzle.0, spelling).ok()?.into();
        let is_shortest = claim.flag(Field::Optimal) != Some(false);
        let bound = if is_shortest { path.len() as u64 } else { claim.number(Field::LowerBound)? };
        Some(SampledResult { place, puzzle, path, bound, is_shortest })
    }
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

/// The node limit of the proof of a lower bound if no limit was given. Some proofs would take days.
const PROOF_NODES: u64 = 20_000_000;

/// The engines that solve a sample, one board after another on all threads.
struct SampleEngines {
    /// For boards of up to 10 cells, which a normal run usually looks up in a table.
    bidirectional: Worker,
    /// For larger boards, most of which a normal run searches depth-first.
    astar: Worker,
    /// For good paths: a shorter path refutes a claim, and no proof is needed.
    good: Worker,
}

/// Solves the sample again, and replaces the findings about what was unproven.
pub fn solve_again(sample: Sample, options: &SampleOptions, findings: &mut FindingCounts, problems: &Problems) {
    let mut engines = SampleEngines::new(&options.solving);
    for result in sample.chosen.into_inner().into_values() {
        let unproven = if result.is_shortest { Finding::ShortestUnproven } else { Finding::BoundUnproven };
        match engines.check(&result, options) {
            Ok(finding) => findings.replace(unproven, finding),
            Err(wrong) => problems.add(result.place, wrong),
        }
    }
}

impl SampleEngines {
    fn new(solving: &Settings) -> SampleEngines {
        // All three workers may keep tables at the same time, so they share the memory.
        let worker = |preference, aim| {
            let (parallel, memory) = (Parallel::Auto, solving.memory / 3);
            Solver::with(Settings { preference, parallel, aim, memory, ..solving.clone() }).worker_on(Threads::Pool)
        };
        let preference = |engine| EnginePreference { engine: Some(engine), ..solving.preference.clone() };
        let good = Aim { quality: Some(Quality::Good), fallback: false, effort: solving.aim.effort };
        SampleEngines {
            bidirectional: worker(preference(EngineKind::Bidirectional), solving.aim),
            astar: worker(preference(EngineKind::AStar), solving.aim),
            good: worker(EnginePreference::default(), good),
        }
    }

    /// Solves the board again to check the claim about the length of its path.
    fn check(&mut self, result: &SampledResult, options: &SampleOptions) -> Result<Finding, String> {
        let (limits, cells) = (options.solving.limits, result.puzzle.0.shape().cells());
        let can_prove = cells <= MAX_SEARCH_CELLS;
        if !can_prove || !result.is_shortest {
            // A search for any shorter path is quick. The limit on nodes is only for proofs.
            answer(result, &mut self.good, &Limits { nodes: None, ..limits })?;
        }
        if !can_prove {
            return Ok(Finding::Uncontradicted);
        }
        let worker = if cells <= lookup::MAX_INSTANT_CELLS { &mut self.bidirectional } else { &mut self.astar };
        if !result.is_shortest {
            let limits = Limits { nodes: limits.nodes.or(Some(PROOF_NODES)), ..limits };
            let proven = match answer(result, worker, &limits)? {
                Answer::Solved(found) => found.lower_bound(),
                Answer::Unsolved { lower_bound, .. } => lower_bound,
                Answer::Unsolvable => 0,
            };
            return Ok(if proven >= result.bound { Finding::Confirmed } else { Finding::Uncontradicted });
        }
        match answer(result, worker, &limits)? {
            Answer::Solved(found) if found.is_optimal() => {
                let is_accepted = options.any_shortest && found.moves() == result.path.len();
                if is_accepted || *found.path.to_string().as_bytes() == *result.path {
                    return Ok(Finding::Confirmed);
                }
                Err(format!("has a path that differs from another engine's: {}", found.path))
            }
            _ => Ok(Finding::Unsettled),
        }
    }
}

/// Solves the board of a result again.
///
/// # Errors
/// If the answer refutes the result, or the board cannot be solved again.
fn answer(result: &SampledResult, worker: &mut Worker, limits: &Limits) -> Result<Answer, String> {
    let SampledResult { puzzle: (board, goal), bound, .. } = result;
    match worker.answer(board, &Goal::from(goal), limits, &AtomicBool::new(false)) {
        Ok(Answer::Unsolvable) => Err("the solver calls this board unsolvable".into()),
        Ok(Answer::Solved(found)) if (found.moves() as u64) < *bound => {
            Err(format!("says that no path is shorter than {bound} moves, but there is one of {}", found.moves()))
        }
        Ok(answer) => Ok(answer),
        Err(error) => Err(format!("could not be solved again: {error}")),
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
            Some(SampledResult { place, puzzle, path: [].into(), bound: 0, is_shortest: true })
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
