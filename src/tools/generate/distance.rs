//! How far boards are from their goals, by solving them. This is the only file of the module that solves boards.

use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use crossbeam::queue::ArrayQueue;

use super::error::Error;
use crate::board::{Board, MAX_SEARCH_CELLS};
use crate::solver::{Answer, CancelToken, Solver, Worker};
use crate::system::{Limit, Limits};

/// The nodes of a search that proves most boards too far: a few times as fast as solving them (`--moves 30..40` and
/// `--as uva10181` of 4×4; 500 to 8,000 nodes differ little).
const SMALL_SEARCH: u64 = 1 << 11;

/// Solves boards to know their distances, in the work of [`Solver::map`].
pub struct DistanceSolver<'a> {
    solver: &'a Solver,
    workers: ArrayQueue<Worker>,
    /// Ends the work from another thread, where there is one.
    cancel: OnceLock<CancelToken>,
    never: AtomicBool,
}

impl<'a> DistanceSolver<'a> {
    /// Solves by this solver, without its limits.
    pub fn new(solver: &'a Solver) -> DistanceSolver<'a> {
        let workers = ArrayQueue::new(solver.threads());
        DistanceSolver { solver, workers, cancel: OnceLock::new(), never: AtomicBool::new(false) }
    }

    /// Lets another thread end the work; the first token counts.
    pub fn cancel_by(&self, token: &CancelToken) {
        self.cancel.get_or_init(|| token.clone());
    }

    /// Whether the work was ended.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.get().is_some_and(CancelToken::is_cancelled)
    }

    /// Returns the fewest moves from a board to a goal that it can reach, if they are no more than `most`. Faster than
    /// [`Self::moves`] where most boards are farther: a small search mostly proves that.
    ///
    /// # Errors
    /// As [`Self::moves`].
    pub fn moves_within(&self, board: &Board, goal: &Board, most: u16) -> Result<Option<u16>, Error> {
        let limits = Limits { nodes: Some(SMALL_SEARCH), ..Limits::default() };
        match self.answer(board, goal, &limits) {
            Ok(Answer::Unsolved { lower_bound, .. }) if lower_bound > u64::from(most) => Ok(None),
            _ => Ok(Some(self.moves(board, goal)?).filter(|&moves| moves <= most)),
        }
    }

    /// Returns the fewest moves from a board to a goal that it can reach.
    ///
    /// # Errors
    /// When no engine searches boards so large, the work was cancelled, or the program fails on the board.
    pub fn moves(&self, board: &Board, goal: &Board) -> Result<u16, Error> {
        if board.shape().cells() > MAX_SEARCH_CELLS && !board.shape().is_line() {
            return Err(Error::TooLarge(board.shape()));
        }
        let message = match self.answer(board, goal, &Limits::default()) {
            Ok(Answer::Solved(solution)) if solution.is_optimal() => return Ok(solution.moves() as u16),
            Ok(Answer::Solved(_)) => "a path was found without its proof".to_string(),
            Ok(Answer::Unsolved { limit: Limit::Cancelled, .. }) => return Err(Error::Cancelled),
            Ok(Answer::Unsolved { limit, .. }) => {
                format!("the search came to an end without one, by its limit of {}", limit.name())
            }
            Ok(Answer::Unsolvable) => "two parity checks disagree".to_string(),
            Err(error) => error.to_string(),
        };
        Err(Error::Internal { board: board.to_string(), message })
    }

    fn answer(&self, board: &Board, goal: &Board, limits: &Limits) -> Result<Answer, crate::board::Error> {
        let mut worker = self.workers.pop().unwrap_or_else(|| self.solver.task_worker());
        let answered = worker.answer(board, goal, limits, self.cancel.get().map_or(&self.never, CancelToken::flag));
        // This cannot fail: at most one for each thread is kept.
        let _ = self.workers.push(worker);
        Ok(answered?.answer)
    }
}
