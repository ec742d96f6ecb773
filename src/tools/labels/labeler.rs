//! Labels of one board after the other.

use std::sync::atomic::AtomicBool;

use crate::board::{Board, Error, Goal};
use crate::solver::shortest_paths::{CountMemo, CountOptions, Known, PathCounter, ShortestPaths};
use crate::solver::{Answer, CancelToken, Solver, Worker};
use crate::system::Limits;

/// How boards are labelled; what several labelers share.
#[derive(Clone, Debug)]
pub struct LabelOptions<'a> {
    /// Solves the boards.
    pub(crate) solver: &'a Solver,
    /// What may be spent on solving a board, and again on counting its paths.
    pub(crate) limits: Limits,
    /// The most shortest paths that are counted of boards of more than 12 cells.
    pub(crate) count_cap: u64,
    /// What a labeler may take to keep what was counted, in bytes; [`CountMemo::BYTES`] is enough.
    pub(crate) memo_bytes: u64,
    /// Raised to end the work on a board.
    pub(crate) stop: &'a AtomicBool,
}

impl<'a> LabelOptions<'a> {
    /// The most shortest paths that are counted of boards of more than 12 cells, unless another number is set.
    pub const COUNT_CAP: u64 = 1_000_000;

    /// Boards are solved by this solver, within its limits.
    pub fn new(solver: &'a Solver) -> LabelOptions<'a> {
        static NEVER: AtomicBool = AtomicBool::new(false);
        LabelOptions {
            solver,
            limits: solver.settings().limits,
            count_cap: Self::COUNT_CAP,
            memo_bytes: CountMemo::BYTES,
            stop: &NEVER,
        }
    }

    /// The most shortest paths that are counted of boards of more than 12 cells. (Of smaller ones all are counted.)
    #[must_use]
    pub fn count_cap(mut self, most: u64) -> LabelOptions<'a> {
        self.count_cap = most;
        self
    }

    /// A token by which another thread can end the work on boards.
    #[must_use]
    pub fn cancel(mut self, token: &'a CancelToken) -> LabelOptions<'a> {
        self.stop = token.flag();
        self
    }
}

/// What is found out of a board that can be solved.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Labels {
    /// A path, or how far the search came.
    pub answer: Answer,
    /// All shortest paths, where one was found and proven.
    pub shortest_paths: Option<ShortestPaths>,
}

/// Labels boards. It keeps what serves the next board, so that each thread should have its own and keep it.
pub struct Labeler<'a> {
    options: &'a LabelOptions<'a>,
    worker: Worker,
    counter: PathCounter,
}

impl<'a> Labeler<'a> {
    /// A labeler with nothing kept yet.
    pub fn new(options: &'a LabelOptions<'a>) -> Labeler<'a> {
        Labeler::with(options, options.solver.pooled_worker())
    }

    /// The same for use inside [`Solver::map`].
    pub fn in_task(options: &'a LabelOptions<'a>) -> Labeler<'a> {
        Labeler::with(options, options.solver.task_worker())
    }

    fn with(options: &'a LabelOptions<'a>, worker: Worker) -> Labeler<'a> {
        Labeler { options, worker, counter: PathCounter::new(options.memo_bytes) }
    }

    /// The labels of a board.
    ///
    /// # Errors
    /// When the goal does not fit the board's shape, or by a fault of the program.
    pub fn label(&mut self, board: &Board, goal: &Goal) -> Result<Labels, Error> {
        self.label_board(board, &goal.on(board.shape())?)
    }

    /// The solver's answer for a board.
    ///
    /// # Errors
    /// How the program failed on the board.
    pub(crate) fn solve(&mut self, board: &Board, goal: &Board) -> Result<Answer, Error> {
        let LabelOptions { limits, stop, .. } = self.options;
        Ok(self.worker.answer(board, goal, limits, stop)?.answer)
    }

    /// The labels of a board to a goal of its shape.
    ///
    /// # Errors
    /// How the program failed on the board.
    pub(crate) fn label_board(&mut self, board: &Board, goal: &Board) -> Result<Labels, Error> {
        let answer = self.solve(board, goal)?;
        let optimal = answer.solution().filter(|solution| solution.is_optimal());
        let shortest_paths = optimal.and_then(|solution| {
            let (prepared, LabelOptions { limits, count_cap, stop, .. }) = (self.worker.prepare(goal), self.options);
            let options = CountOptions { limits, cap: *count_cap, stop };
            let path = solution.path();
            let known = Known::new(path, prepared.finds_first());
            self.counter.count(&options, &prepared, board, known)
        });
        Ok(Labels { answer, shortest_paths })
    }
}
