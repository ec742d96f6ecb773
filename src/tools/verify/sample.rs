//! A sample of the solved records whose results make claims that only a search can prove. The
//! boards are solved again with another engine, to prove or refute the claims.
//!
//! The sample depends on the numbers of the records alone, not on the order in which threads offer
//! records: it consists of the records with the smallest scrambled numbers.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use parking_lot::Mutex;

use super::paths::AllPathsClaims;
use super::report::{Finding, FindingCounts, ProblemPlace, Problems};
use crate::board::{Board, Goal, MAX_SEARCH_CELLS, Path};
use crate::engine::{EngineKind, Parallel, lookup};
use crate::solver::shortest_paths::{self, CountMemo, CountOptions};
use crate::solver::{Aim, Answer, EnginePreference, PreparedGoal, Quality, Settings, Solver, Threads, Worker};
use crate::system::{Limits, scramble};

/// The claim that a result makes about its path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PathClaim {
    /// No path is shorter. There may be more claims about all shortest paths.
    Shortest(Option<AllPathsClaims>),
    /// No path has fewer moves than this.
    Bound(u64),
}

/// A result in the sample.
pub struct SampledResult {
    /// The number of the record.
    pub index: u64,
    /// The line of the result.
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

impl SampleOptions {
    /// The node limit of a proof or a count if no limit was given. Some proofs would take days.
    const PROOF_NODES: u64 = 20_000_000;

    /// Returns the limits of the proof of a lower bound, and of a count of all shortest paths.
    pub(super) fn limits_of_proofs(&self) -> Limits {
        let limits = self.solving.limits;
        let is_limited = limits.nodes.is_some() || limits.time.is_some();
        Limits { nodes: if is_limited { limits.nodes } else { Some(SampleOptions::PROOF_NODES) }, ..limits }
    }
}

/// The engines that solve a sample, one board after another on all threads.
struct SampleEngines<'a> {
    options: &'a SampleOptions,
    /// For boards of up to 10 cells, which a normal run usually looks up in a table.
    bidirectional: Worker,
    /// For larger boards, most of which a normal run searches depth-first.
    astar: Worker,
    /// For good paths: a shorter path refutes a claim, and no proof is needed.
    good: Worker,
}

/// Solves the sample again and counts the findings.
pub fn solve_again(sample: Sample, options: &SampleOptions, findings: &mut FindingCounts, problems: &Problems) {
    let mut engines = SampleEngines::new(options);
    for result in sample.into_results() {
        let checked = match &result.claim {
            PathClaim::Shortest(claims) => engines.check_path(&result, claims.as_ref()),
            &PathClaim::Bound(bound) => engines.check_bound(&result, bound).map(|finding| vec![finding]),
        };
        match checked {
            Ok(found) => found.into_iter().for_each(|finding| findings.add(finding)),
            Err(wrong) => problems.add(ProblemPlace::Line(result.line), format!("(record {}) {wrong}", result.index)),
        }
    }
}

impl<'a> SampleEngines<'a> {
    fn new(options: &'a SampleOptions) -> SampleEngines<'a> {
        let solving = &options.solving;
        // All three workers may keep tables at the same time, so they share the memory.
        let worker = |preference, aim| {
            let (parallel, memory) = (Parallel::Auto, solving.memory / 3);
            Solver::with(Settings { preference, parallel, aim, memory, ..solving.clone() }).worker_on(Threads::Pool)
        };
        let preference = |engine| EnginePreference { engine: Some(engine), ..solving.preference.clone() };
        let good = Aim { quality: Some(Quality::Good), fallback: false, effort: solving.aim.effort };
        SampleEngines {
            options,
            bidirectional: worker(preference(EngineKind::Bidirectional), solving.aim),
            astar: worker(preference(EngineKind::AStar), solving.aim),
            good: worker(EnginePreference::default(), good),
        }
    }

    /// Returns a worker that can prove that a path to this goal is shortest; `None` if boards of
    /// the goal's shape are too large for a proof.
    fn prover(&mut self, goal: &Board) -> Option<&mut Worker> {
        match goal.shape().cells() {
            cells if cells <= lookup::MAX_INSTANT_CELLS => Some(&mut self.bidirectional),
            cells if cells <= MAX_SEARCH_CELLS => Some(&mut self.astar),
            _ => None,
        }
    }

    /// Solves the board again to check the claim that a path is shortest, and counts the shortest
    /// paths to check the claims about all of them.
    fn check_path(&mut self, result: &SampledResult, claims: Option<&AllPathsClaims>) -> Result<Vec<Finding>, String> {
        let (options, path) = (self.options, &result.path);
        let Some(worker) = self.prover(&result.goal) else { return Ok(vec![self.refute(result, path.len() as u64)?]) };
        let found = match answer(result, worker, &options.solving.limits)? {
            Answer::Solved(found) if found.is_optimal() || found.path == *path => found,
            _ => return Ok(vec![Finding::Unsettled]),
        };
        let prepared =
            worker.prepare(&Goal::from(&result.goal), result.goal.shape()).map_err(|error| error.to_string())?;
        let engine = prepared.engine.name();
        match found.moves().cmp(&path.len()) {
            Ordering::Less => return Err(format!("has {} moves, but {engine} needs {}", path.len(), found.moves())),
            Ordering::Greater => {
                return Err(format!("has a shorter path than {engine} finds: please report this with the board"));
            }
            Ordering::Equal if found.path != *path && !options.any_shortest => {
                return Err(format!("has a path that differs from {engine}'s: {}", found.path));
            }
            Ordering::Equal => {}
        }
        let limits = options.limits_of_proofs();
        let are_counted = claims.map_or(Ok(false), |claims| recount(result, claims, &prepared, &limits))?;
        Ok([Finding::Agreed].into_iter().chain(are_counted.then_some(Finding::PathsCountedAgain)).collect())
    }

    /// Checks a lower bound that linear conflict did not prove: first by searching for a shorter
    /// path, which is quick, then by a proof if the board is small enough.
    fn check_bound(&mut self, result: &SampledResult, bound: u64) -> Result<Finding, String> {
        let (options, finding) = (self.options, self.refute(result, bound)?);
        let Some(worker) = self.prover(&result.goal) else { return Ok(finding) };
        match answer(result, worker, &options.limits_of_proofs())? {
            Answer::Solved(solution) if (solution.moves() as u64) < bound => {
                Err(refutation(result, bound, solution.moves()))
            }
            Answer::Solved(solution) if solution.lower_bound() >= bound => Ok(Finding::BoundProven),
            Answer::Unsolved { lower_bound, .. } if lower_bound >= bound => Ok(Finding::BoundProven),
            _ => Ok(finding),
        }
    }

    /// Searches for a good path with fewer moves than `bound`, which would refute the claim.
    fn refute(&mut self, result: &SampledResult, bound: u64) -> Result<Finding, String> {
        // The limit on nodes is only for proofs.
        match answer(result, &mut self.good, &Limits { nodes: None, ..self.options.solving.limits })? {
            Answer::Solved(found) if (found.moves() as u64) < bound => Err(refutation(result, bound, found.moves())),
            _ => Ok(Finding::Uncontradicted),
        }
    }
}

fn answer(result: &SampledResult, worker: &mut Worker, limits: &Limits) -> Result<Answer, String> {
    match worker.answer(&result.board, &Goal::from(&result.goal), limits, &AtomicBool::new(false)) {
        Ok(Answer::Unsolvable) => Err("the solver calls this board unsolvable".into()),
        Ok(answer) => Ok(answer),
        Err(error) => Err(format!("could not be solved again: {error}")),
    }
}

/// Counts the shortest paths of a board, as far as the claims require. Returns true if the claims
/// are proven.
fn recount(
    result: &SampledResult,
    claims: &AllPathsClaims,
    goal: &PreparedGoal,
    limits: &Limits,
) -> Result<bool, String> {
    let stop = &AtomicBool::new(false);
    let counting = CountOptions { limits, cap: claims.cap(), max_listed: 0, path_is_canonical: false, stop };
    let mut memo = CountMemo::new(CountMemo::BYTES);
    let found = shortest_paths::count(&mut memo, &counting, goal, &result.board, &result.path);
    found.map_or(Ok(false), |(found, _)| claims.check(&found))
}

/// Describes the error in a claim that no path has fewer moves than `bound`.
fn refutation(result: &SampledResult, bound: u64, moves: usize) -> String {
    match result.claim {
        PathClaim::Shortest(_) => format!("has {bound} moves, but there is a path of {moves}"),
        PathClaim::Bound(_) => format!("says that no path is shorter than {bound} moves, but there is one of {moves}"),
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
