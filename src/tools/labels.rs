//! Labels of boards for data sets of puzzles: a shortest path, the number of shortest paths, and
//! their first moves.

use std::sync::atomic::AtomicBool;

use crate::batch::Options;
pub use crate::board::Beginning;
use crate::board::{Board, Error, Goal};
use crate::solver::shortest_paths::{self, CountMemo, CountOptions};
pub use crate::solver::shortest_paths::{CountLimit, PathCount, ShortestPaths};
use crate::solver::{Answer, CancelToken, Solver, Threads, Worker};

/// The labels of a board.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Labels {
    /// The solver's answer.
    pub answer: Answer,
    /// The number of shortest paths, and their first moves. `None` if no path was proven shortest,
    /// or if the board is too large for a count.
    pub shortest_paths: Option<ShortestPaths>,
}

/// A labeler of boards. It caches data for the next board, so each thread should keep its own.
pub struct Labeler<'a> {
    solver: &'a Solver,
    count_cap: u64,
    stop: &'a AtomicBool,
    worker: Worker,
    memo: CountMemo,
}

impl<'a> Labeler<'a> {
    /// The default maximum number of shortest paths to count for boards of more than 12 cells.
    pub const COUNT_CAP: u64 = Options::COUNT_CAP;

    /// Creates a labeler with empty caches. The solver's limits apply to solving a board, and again
    /// to counting the board's shortest paths.
    pub fn new(solver: &'a Solver) -> Labeler<'a> {
        Labeler::with(solver, Threads::Pool)
    }

    /// Creates a labeler with empty caches for use inside [`Solver::map`].
    pub fn in_task(solver: &'a Solver) -> Labeler<'a> {
        Labeler::with(solver, Threads::PoolTask)
    }

    fn with(solver: &'a Solver, threads: Threads) -> Labeler<'a> {
        static NEVER: AtomicBool = AtomicBool::new(false);
        let (worker, memo) = (solver.worker_on(threads), CountMemo::new(CountMemo::BYTES));
        Labeler { solver, count_cap: Self::COUNT_CAP, stop: &NEVER, worker, memo }
    }

    /// Sets the maximum number of shortest paths to count for boards of more than 12 cells. On
    /// smaller boards, all shortest paths are counted.
    #[must_use]
    pub fn count_cap(mut self, cap: u64) -> Labeler<'a> {
        self.count_cap = cap;
        self
    }

    /// Sets the token with which another thread can stop the work on a board.
    #[must_use]
    pub fn cancel(mut self, token: &'a CancelToken) -> Labeler<'a> {
        self.stop = token.flag();
        self
    }

    /// Labels a board.
    ///
    /// # Errors
    /// When the goal does not fit the board's shape, or an internal error occurs.
    pub fn label(&mut self, board: &Board, goal: &Goal) -> Result<Labels, Error> {
        let &mut Labeler { solver, count_cap: cap, stop, .. } = self;
        let limits = &solver.engines.settings.limits;
        let answer = self.worker.answer(board, goal, limits, stop)?;
        let optimal = answer.solution().filter(|solution| solution.is_optimal());
        let shortest_paths = optimal.and_then(|solution| {
            let prepared = self.worker.prepare(goal, board.shape()).ok()?;
            let path_is_canonical = prepared.finds_canonical();
            let options = CountOptions { limits, cap, max_listed: 0, path_is_canonical, stop };
            Some(shortest_paths::count(&mut self.memo, &options, &prepared, board, &solution.path)?.0)
        });
        Ok(Labels { answer, shortest_paths })
    }
}
