//! How far boards are from their goals, by solving them. This is the only file of the module that solves boards.

use crossbeam::queue::ArrayQueue;

use super::error::Error;
use crate::board::{Board, MAX_SEARCH_CELLS};
use crate::solver::{Answer, CancelToken, Solver, Worker};
use crate::system::{Limit, Limits};

/// Solves boards to know their distances, in the work of [`Solver::map`].
pub struct DistanceSolver<'a> {
    solver: &'a Solver,
    workers: ArrayQueue<Worker>,
    /// Ends the work from another thread.
    pub cancel: CancelToken,
}

impl<'a> DistanceSolver<'a> {
    /// Solves by this solver, without its limits.
    pub fn new(solver: &'a Solver) -> DistanceSolver<'a> {
        DistanceSolver { solver, workers: ArrayQueue::new(solver.threads()), cancel: CancelToken::new() }
    }

    /// The fewest moves from a board to a goal that it can reach.
    ///
    /// # Errors
    /// When no engine searches boards so large, the work was cancelled, or the program fails on the board.
    pub fn moves(&self, board: &Board, goal: &Board) -> Result<u16, Error> {
        if board.shape().cells() > MAX_SEARCH_CELLS && !board.shape().is_line() {
            return Err(Error::TooLarge(board.shape()));
        }
        let mut worker = self.workers.pop().unwrap_or_else(|| self.solver.task_worker());
        let answered = worker.answer(board, goal, &Limits::default(), self.cancel.flag());
        // This cannot fail: at most one for each thread is kept.
        let _ = self.workers.push(worker);
        let message = match answered.map(|answered| answered.answer) {
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
}
