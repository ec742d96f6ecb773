//! Solves the boards of a sample again with another engine, to prove or refute the claims that need
//! a search.

use std::cmp::Ordering;
use std::sync::atomic::AtomicBool;

use super::all_paths::PathClaims;
use super::finding::{Finding, FindingCounts};
use super::report::{Place, Problems};
use super::sample::{PathClaim, Sample, SampledResult};
use crate::board::{Board, MAX_SEARCH_CELLS};
use crate::engine::{EngineKind, Parallel, lookup};
use crate::solver::shortest_paths::{self, CountMemo, CountOptions, KnownPath};
use crate::solver::{Aim, Answer, Answered, EnginePreference, Quality, Settings, Solver, Worker};
use crate::system::Limits;

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

/// The engines that solve a sample.
struct Engines {
    /// For boards that a normal run may look up in a table.
    bidirectional: Worker,
    /// For larger boards, which a normal run searches depth-first.
    astar: Worker,
    /// For good paths, which may refute a claim without a proof.
    good: Worker,
}

impl Engines {
    fn new(solving: &Settings) -> Engines {
        // All three may keep tables at the same time, so they share the memory.
        let worker = |preference, aim| {
            let (parallel, memory) = (Parallel::Auto, solving.memory / 3);
            Solver::with(Settings { preference, parallel, aim, memory, ..solving.clone() }).pooled_worker()
        };
        let preference = |engine| EnginePreference { engine: Some(engine), ..solving.preference.clone() };
        let good = Aim { quality: Some(Quality::Good), fallback: false, effort: solving.aim.effort };
        Engines {
            bidirectional: worker(preference(EngineKind::Bidirectional), solving.aim),
            astar: worker(preference(EngineKind::AStar), solving.aim),
            good: worker(EnginePreference::default(), good),
        }
    }

    /// Returns a worker that can prove paths to this goal shortest; `None` if boards of the goal's
    /// shape are too large for a proof.
    fn prover(&mut self, goal: &Board) -> Option<&mut Worker> {
        match goal.shape().cells() {
            cells if cells <= lookup::MAX_CELLS => Some(&mut self.bidirectional),
            cells if cells <= MAX_SEARCH_CELLS => Some(&mut self.astar),
            _ => None,
        }
    }
}

/// Solves the sample again, one board after another on all threads, and counts the findings.
pub fn solve_again(sample: Sample, sampling: &SampleOptions, findings: &mut FindingCounts, problems: &Problems) {
    let mut engines = Engines::new(&sampling.solving);
    for result in sample.into_results() {
        let checked = match (&result.claim, engines.prover(&result.goal)) {
            (PathClaim::Shortest(claims), Some(worker)) => {
                check_path(&result, claims.as_ref(), worker, sampling, findings)
            }
            (PathClaim::Shortest(_), None) => refute(&result, result.path.len() as u64, &mut engines.good, sampling),
            (&PathClaim::Bound(bound), _) => check_bound(&result, bound, &mut engines, sampling),
        };
        match checked {
            Ok(finding) => findings.add(finding),
            Err(wrong) => problems.add(Place::Line(result.line), format!("(record {}) {wrong}", result.index)),
        }
    }
}

fn answer(result: &SampledResult, worker: &mut Worker, limits: &Limits) -> Result<Answer, String> {
    match worker.answer(&result.board, &result.goal, limits, &AtomicBool::new(false)) {
        Ok(Answered { answer: Answer::Unsolvable, .. }) => Err("the solver calls this board unsolvable".into()),
        Ok(answered) => Ok(answered.answer),
        Err(error) => Err(format!("could not be solved again: {error}")),
    }
}

/// Solves the board again to check the claim that a path is shortest, and counts the shortest paths
/// to check the claims about all of them.
fn check_path(
    result: &SampledResult,
    claims: Option<&PathClaims>,
    worker: &mut Worker,
    sampling: &SampleOptions,
    findings: &mut FindingCounts,
) -> Result<Finding, String> {
    let path = &result.path;
    let found = match answer(result, worker, &sampling.solving.limits)? {
        Answer::Solved(found) if found.is_optimal() || found.path() == path => found,
        _ => return Ok(Finding::Unsettled),
    };
    let engine = worker.prepare(&result.goal).engine().name();
    match found.moves().cmp(&path.len()) {
        Ordering::Less => return Err(format!("has {} moves, but {engine} needs {}", path.len(), found.moves())),
        Ordering::Greater => {
            return Err(format!("has a shorter path than {engine} finds: please report this with the board"));
        }
        Ordering::Equal if found.path() != path && !sampling.any_shortest => {
            return Err(format!("has a path that differs from {engine}'s: {}", found.path()));
        }
        Ordering::Equal => {}
    }
    if let Some(claims) = claims
        && count_paths(result, claims, worker, sampling)?
    {
        findings.add(Finding::PathsCountedAgain);
    }
    Ok(Finding::Agreed)
}

/// Counts the shortest paths of a board with the worker's heuristic, as far as the claims require.
/// Returns true if the claims are proven.
fn count_paths(
    result: &SampledResult,
    claims: &PathClaims,
    worker: &mut Worker,
    sampling: &SampleOptions,
) -> Result<bool, String> {
    let (limits, stop) = (&sampling.limits_of_proofs(), &AtomicBool::new(false));
    let prepared = worker.prepare(&result.goal);
    let options = CountOptions { limits, cap: claims.cap(), max_listed: 0, stop };
    let (mut memo, known) = (CountMemo::new(CountMemo::BYTES), KnownPath { path: &result.path, is_first: false });
    let found = shortest_paths::count(&mut memo, &options, &prepared, &result.board, known);
    found.map_or(Ok(false), |(found, _)| claims.check(&found))
}

/// Checks a lower bound that the heuristics did not prove: first by searching for a shorter path,
/// which is quick, then by a proof if the board is small enough.
fn check_bound(
    result: &SampledResult,
    bound: u64,
    engines: &mut Engines,
    sampling: &SampleOptions,
) -> Result<Finding, String> {
    let finding = refute(result, bound, &mut engines.good, sampling)?;
    let Some(worker) = engines.prover(&result.goal) else { return Ok(finding) };
    match answer(result, worker, &sampling.limits_of_proofs())? {
        Answer::Solved(solution) if (solution.moves() as u64) < bound => {
            Err(refutation(result, bound, solution.moves()))
        }
        Answer::Solved(solution) if solution.lower_bound() >= bound => Ok(Finding::BoundProven),
        Answer::Unsolved { lower_bound, .. } if lower_bound >= bound => Ok(Finding::BoundProven),
        _ => Ok(finding),
    }
}

/// Searches for a good path with fewer moves than `bound`, which would refute the claim.
fn refute(result: &SampledResult, bound: u64, good: &mut Worker, sampling: &SampleOptions) -> Result<Finding, String> {
    // The limit on nodes is only for proofs.
    match answer(result, good, &Limits { nodes: None, ..sampling.solving.limits })? {
        Answer::Solved(found) if (found.moves() as u64) < bound => Err(refutation(result, bound, found.moves())),
        _ => Ok(Finding::Uncontradicted),
    }
}

/// Describes the error in a claim that no path has fewer moves than `bound`.
fn refutation(result: &SampledResult, bound: u64, moves: usize) -> String {
    match result.claim {
        PathClaim::Shortest(_) => format!("has {bound} moves, but there is a path of {moves}"),
        PathClaim::Bound(_) => format!("says that no path is shorter than {bound} moves, but there is one of {moves}"),
    }
}
