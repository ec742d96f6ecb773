//! Distances of boards from their goals. No other file of the module solves boards.

use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use crossbeam::queue::ArrayQueue;

use super::spec::Error;
use crate::board::{Board, MAX_SEARCH_CELLS};
use crate::solver::{Answer, CancelToken, Solver, Threads, Worker};
use crate::system::{Limit, Limits};

/// The node limit of the small search of [`DistanceSolver::moves_within`]. The limit suffices to
/// prove that most boards are too far. The small search is a few times as fast as solving the
/// boards (measured with `--moves 30..40` and `--moves ..45` of 4×4). Limits from 500 to 8,000
/// nodes make little difference.
const SMALL_SEARCH_NODES: u64 = 1 << 11;

/// The flag used without a token. It is never set.
static NEVER: AtomicBool = AtomicBool::new(false);

/// A solver for distances, used in tasks of [`Solver::map`].
pub struct DistanceSolver<'a> {
    /// The solver. Its limits do not apply: each call has its own.
    pub solver: &'a Solver,
    workers: ArrayQueue<Worker>,
    /// The token with which another thread can stop the work.
    cancel: OnceLock<CancelToken>,
}

impl<'a> DistanceSolver<'a> {
    /// Creates a distance solver that uses this solver without its limits.
    pub fn new(solver: &'a Solver) -> DistanceSolver<'a> {
        let workers = ArrayQueue::new(solver.threads());
        DistanceSolver { solver, workers, cancel: OnceLock::new() }
    }

    /// Sets the token with which another thread can stop the work. Later calls are ignored.
    pub fn cancel_by(&self, token: &CancelToken) {
        self.cancel.get_or_init(|| token.clone());
    }

    /// Returns true if the work was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.get().is_some_and(CancelToken::is_cancelled)
    }

    /// Returns the fewest moves from a board to a goal that it can reach, or `None` if that is more
    /// than `max_moves`. This is faster than [`Self::moves`] if nearly all boards need more,
    /// because a small search usually proves that they do.
    ///
    /// # Errors
    /// As [`Self::moves`].
    pub fn moves_within(&self, board: &Board, goal: &Board, max_moves: u16) -> Result<Option<u16>, Error> {
        let limits = Limits { nodes: Some(SMALL_SEARCH_NODES), ..Limits::default() };
        match self.answer(board, goal, &limits) {
            Ok(Answer::Unsolved { lower_bound, .. }) if lower_bound > u64::from(max_moves) => Ok(None),
            _ => Ok(Some(self.moves(board, goal)?).filter(|&moves| moves <= max_moves)),
        }
    }

    /// Returns the fewest moves from a board to a goal that it can reach.
    ///
    /// # Errors
    /// When the board is too large to search, the work was cancelled, or an internal error occurs.
    pub fn moves(&self, board: &Board, goal: &Board) -> Result<u16, Error> {
        if board.shape().cells() > MAX_SEARCH_CELLS && !board.shape().is_line() {
            return Err(Error::too_large(board.shape()));
        }
        let message = match self.answer(board, goal, &Limits::default()) {
            Ok(Answer::Solved(solution)) if solution.is_optimal() => return Ok(solution.moves() as u16),
            Ok(Answer::Solved(_)) => "found a path without a proof".to_string(),
            Ok(Answer::Unsolved { limit: Limit::Cancelled, .. }) => return Err(Error::Cancelled),
            Ok(Answer::Unsolved { limit, .. }) => {
                format!("the search ended without a path (limit: {})", limit.name())
            }
            Ok(Answer::Unsolvable) => "two parity checks disagree".to_string(),
            Err(error) => error.to_string(),
        };
        Err(Error::Internal { board: board.to_string(), message })
    }

    fn answer(&self, board: &Board, goal: &Board, limits: &Limits) -> Result<Answer, crate::board::Error> {
        let mut worker = self.workers.pop().unwrap_or_else(|| self.solver.worker_on(Threads::PoolTask));
        let answer = worker.answer(board, &goal.into(), limits, self.cancel.get().map_or(&NEVER, CancelToken::flag));
        // This cannot fail: the queue has a slot per thread.
        let _ = self.workers.push(worker);
        answer
    }
}
