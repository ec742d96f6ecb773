//! Estimates of the work for a board, without solving it.
//!
//! The search has an iteration for each bound. An estimate needs two numbers: the growth of the
//! iterations from bound to bound, and the last bound. [`sampling`] measures the growth. The last
//! bound is the length of a shortest path, which is approximated by the length of a good path. A
//! short beam search usually finds a shortest path. If its path is two moves too long, the estimate
//! is about five times too high on 5×5, and about three times on 4×4.
//!
//! The estimate is for one heuristic, which it names: the requested one, or the best tables that
//! can be built in a second or two ([`Engines::sampling_engine`]). A run may use better tables
//! later.
//!
//! [`sampling`]: crate::engine::sampling
//! [`Engines::sampling_engine`]: super::engines::Engines::sampling_engine

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::handle::Solver;
use super::prepared_goal::PreparedGoal;
use crate::board::Board;
use crate::board::frame::Space;
use crate::engine::contract::{Engine, Job, Problem, WorkDone};
use crate::engine::sampling::{SampleRequest, Sampled};
use crate::engine::{EngineKind, Outcome, ThreadShare, TieBreak};
use crate::system::{Budget, InputPosition, Limit, Limits};

/// The estimated work for a board.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Estimate {
    /// The board has no solution.
    Unsolvable,
    /// The board is answered without a search: from a table of all states, or because it is a line.
    AtOnce,
    /// The board is searched by iterative deepening.
    #[non_exhaustive]
    Search {
        /// The number of generated nodes. It is the same on every machine and for any number of
        /// threads, unless the memory is small. It is usually between half and twice the true
        /// number if `moves` is right.
        nodes: u64,
        /// The estimated length of a shortest path. It is right for nearly all 15-puzzles and for
        /// four out of five 24-puzzles, and otherwise too high.
        moves: u64,
        /// The heuristic that guides the search.
        heuristic: String,
        /// The search time on one thread of this machine, extrapolated from the sample. It varies
        /// from run to run.
        time: Duration,
    },
    /// There is no estimate, for one of these reasons: good paths were requested, the board is too
    /// large to be searched for a shortest path, its engine does not search by iterative deepening,
    /// the memory is too small, or the call was cancelled or reached the time limit.
    Unknown,
}

impl Estimate {
    /// Returns the expected number of generated nodes, or `None` if it is not known.
    pub fn nodes(&self) -> Option<u64> {
        match self {
            Estimate::Unsolvable | Estimate::AtOnce => Some(0),
            Estimate::Search { nodes, .. } => Some(*nodes),
            Estimate::Unknown => None,
        }
    }
}

impl Solver {
    /// Estimates the work for a board and a prepared goal, on the calling thread.
    ///
    /// # Errors
    /// The limit that ended the call, such as the time limit of the board or a cancellation.
    /// ([`Worker::estimate`](super::Worker::estimate) then returns [`Estimate::Unknown`].)
    pub(crate) fn estimate_prepared(
        &self,
        prepared: &PreparedGoal,
        board: &Board,
        limits: &Limits,
        stop: &AtomicBool,
    ) -> Result<Estimate, Limit> {
        let Some(admitted) = prepared.admit(board) else { return Ok(Estimate::Unsolvable) };
        let budget = Budget::start(&Limits { nodes: None, ..*limits }, stop);
        match (prepared.kind, prepared.space()) {
            (EngineKind::Line | EngineKind::Lookup, _) => Ok(Estimate::AtOnce),
            (EngineKind::IdaStar, Some(space)) if self.engines.may_build_full_table(space) => Ok(Estimate::AtOnce),
            (EngineKind::IdaStar, Some(space)) => self.sample(space, &prepared.problem(board, &admitted), &budget),
            _ => Ok(Estimate::Unknown),
        }
    }

    fn sample(&self, space: &Space, problem: &Problem<'_>, budget: &Budget<'_>) -> Result<Estimate, Limit> {
        // The maximum number of nodes sampled from each layer (`SampleRequest::population`), and
        // the effort (from 1 to 9) of the beams that find a good path. The beams take 20 ms on 4×4
        // and a little more than a second on 5×5. They find shortest paths for 98 of Korf's hundred
        // 15-puzzles and for 41 of Korf and Felner's fifty 24-puzzles.
        let (population, effort) = if space.shape.cells() <= 16 { (1_000, 2) } else { (10_000, 5) };
        let Some(beam) = self.engines.estimate_beam(problem.goal, effort) else { return Ok(Estimate::Unknown) };
        let max_moves = self.path_length(&*beam, problem, budget)?;
        let engine = self.engines.sampling_engine(space);
        let request = SampleRequest { population, max_moves, budget };
        let began = Instant::now();
        let Some(sampled) = engine.sample(problem, &request) else { return Ok(Estimate::Unknown) };
        let (took, sampled) = (began.elapsed(), sampled?);
        let nodes = expected_nodes(&sampled, self.engines.settings.preference.tie_break);
        Ok(Estimate::Search {
            nodes,
            moves: sampled.first_bound + 2 * (sampled.layers.len() as u64).saturating_sub(1),
            heuristic: engine.heuristic().unwrap_or_default().to_string(),
            time: took.mul_f64(nodes as f64 / sampled.generated.max(1) as f64),
        })
    }

    /// Returns the length of the path that an engine finds.
    fn path_length(&self, engine: &dyn Engine, problem: &Problem<'_>, budget: &Budget<'_>) -> Result<u64, Limit> {
        let (thread_share, input_position) = (&ThreadShare::alone(), &InputPosition::END);
        // A search with a deadline would widen its beam until the deadline. So this search gets no
        // deadline, and the deadline of `budget` is checked afterwards.
        let untimed = Budget::start(&Limits::default(), budget.stop());
        let job = Job { problem: *problem, budget: &untimed, thread_share, input_position, beam: None };
        match self.with_scratch(|scratch| engine.solve(&job, scratch, &mut WorkDone::default())) {
            Outcome::Solved(path) | Outcome::Found { path, .. } => {
                budget.interrupted().map_or(Ok(path.len() as u64), Err)
            }
            Outcome::Unsolved { limit, .. } => Err(limit),
        }
    }
}

/// Returns the expected number of nodes of a search with these layers.
///
/// The layer of an iteration is the set of nodes that it adds to those of the previous iteration.
/// An iteration generates its layer, and regenerates all earlier nodes that the search has not
/// kept.
fn expected_nodes(sampled: &Sampled, tie_break: TieBreak) -> u64 {
    let Some((last, before)) = sampled.layers.split_last() else { return 0 };
    // The fraction of the last iteration that is searched before the first solution, or a mean
    // fraction if the true one is not known. If the deepest nodes come first, the mean is 0.08,
    // measured on some of Korf and Felner's 24-puzzles. In canonical order, the mean is 0.3,
    // measured on Korf's 15-puzzles with 7-8.
    let fraction = match sampled.until_solution {
        Some(until) if sampled.is_exact => until / last,
        _ if tie_break.takes_any() => 0.08,
        _ => 0.3,
    };
    let (mut nodes, mut earlier) = (0.0, 0.0);
    let iteration = |layer: f64, earlier: f64| layer + (earlier - sampled.list_capacity).max(0.0);
    for layer in before {
        nodes += iteration(*layer, earlier);
        earlier += layer;
    }
    nodes += fraction * iteration(*last, earlier);
    if sampled.is_exact { nodes.round() as u64 } else { three_digits(nodes) }
}

/// Rounds a number to three significant digits, the precision of an estimate.
fn three_digits(number: f64) -> u64 {
    let number = number.min(1e18).round() as u64;
    let unit = 10u64.pow((number.checked_ilog10().unwrap_or(0)).saturating_sub(2));
    (number + unit / 2) / unit * unit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_to_three_digits() {
        for (number, expected) in
            [(0.0, 0), (0.6, 1), (999.4, 999), (1234.0, 1230), (99_950.0, 100_000), (1e30, 10u64.pow(18))]
        {
            assert_eq!(three_digits(number), expected, "{number}");
        }
    }

    /// Layers of 10, 70 and 490 nodes, with a list that has room for all, none, or the first.
    #[test]
    fn nodes_that_are_not_kept_are_generated_again() {
        let sampled = |list_capacity| Sampled {
            first_bound: 10,
            layers: vec![10.0, 70.0, 490.0],
            until_solution: None,
            is_exact: false,
            list_capacity,
            generated: 570,
        };
        let searched = |last: f64| (0.08 * last).round() as u64;
        assert_eq!(expected_nodes(&sampled(1e9), TieBreak::Any), 80 + searched(490.0));
        assert_eq!(expected_nodes(&sampled(0.0), TieBreak::Any), 10 + 80 + searched(570.0));
        assert_eq!(expected_nodes(&sampled(10.0), TieBreak::Any), 10 + 70 + searched(560.0));
        let exact = Sampled { until_solution: Some(49.0), is_exact: true, ..sampled(1e9) };
        assert_eq!(expected_nodes(&exact, TieBreak::Canonical), 80 + 49);
    }
}
