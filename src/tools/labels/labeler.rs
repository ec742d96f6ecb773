//! Labels of one board after the other.

use std::sync::atomic::AtomicBool;

use super::bound::{BoundSource, ExactDistance, HeuristicBound, PatternBound};
use super::count::count;
use super::heuristics::{HeuristicBounds, HeuristicCache};
use super::memo::CountMemo;
use super::shortest_paths::ShortestPaths;
use crate::board::frame::Frame;
use crate::board::{Board, Error, Goal, Path};
use crate::engine::{full_table, lookup};
use crate::solver::{Answer, CancelToken, PreparedGoal, Solver, Worker};
use crate::system::{Budget, Limits};

/// The most cells of boards of which all shortest paths are counted, however many there are.
pub const COUNTED_CELLS: usize = full_table::CELLS;

/// How boards are labelled; what several labelers share.
#[derive(Clone, Debug)]
pub struct LabelOptions<'a> {
    /// Solves the boards.
    pub(crate) solver: &'a Solver,
    /// What may be spent on solving a board, and again on counting its paths.
    pub(crate) limits: Limits,
    /// The most shortest paths that are counted of boards of more than [`COUNTED_CELLS`] cells.
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
    /// The last goal whose bounds were asked for, and its frame; in most sets there is one goal for all.
    goal: Option<(Board, Option<Frame>)>,
}

/// What counting keeps from board to board.
#[derive(Default)]
struct PathCounter {
    heuristics: HeuristicCache,
    memo: Option<CountMemo>,
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
        Labeler { options, worker, counter: PathCounter::default(), goal: None }
    }

    /// Lower bounds by simple heuristics.
    ///
    /// # Panics
    /// When board and goal have different shapes.
    pub fn bounds(&mut self, board: &Board, goal: &Board) -> HeuristicBounds {
        let known = self.goal.take().filter(|(known, _)| known == goal);
        let (_, frame) = self.goal.insert(known.unwrap_or_else(|| (goal.clone(), Frame::new(goal))));
        self.counter.heuristics.bounds(frame.as_ref(), board, goal)
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
        let shortest_paths = optimal.map(|solution| {
            let prepared = self.worker.prepare(goal);
            self.counter.shortest_paths(self.options, &prepared, board, solution.path())
        });
        Ok(Labels { answer, shortest_paths })
    }
}

impl PathCounter {
    /// Counts the shortest paths of a board, one of which is `path`.
    fn shortest_paths(
        &mut self,
        options: &LabelOptions<'_>,
        prepared: &PreparedGoal,
        board: &Board,
        path: &Path,
    ) -> ShortestPaths {
        // A line has one path at most, and of a board that is too large to be searched only the goal is solved.
        let framed = prepared.frame().filter(|_| !board.shape().is_line());
        let Some((frame, start)) = framed.and_then(|frame| Some((frame, frame.admit(board)?))) else {
            return ShortestPaths::only(path);
        };
        let LabelOptions { limits, count_cap, memo_bytes, stop, .. } = options;
        let (space, start) = (frame.space(), start.state());
        let conflict = || self.heuristics.walking_conflict(space);
        let source = BoundSource::of(&**prepared.engine(), limits.nodes.is_some(), conflict);
        let cap = (space.shape.cells() > COUNTED_CELLS).then_some(*count_cap);
        // With exact distances nothing is searched in vain: there are no nodes to limit.
        let nodes = limits.nodes.filter(|_| !source.is_exact());
        let budget = &Budget::start(&Limits { nodes, ..*limits }, stop);
        let memo = self.memo.get_or_insert_with(|| CountMemo::new(*memo_bytes));
        if source.is_exact() {
            memo.continue_in(space)
        } else {
            memo.clear()
        }
        match source {
            BoundSource::Lookup(table) => {
                count(space, start, path, &mut ExactDistance::lookup(space, table), memo, budget, cap)
            }
            BoundSource::Full(table) => {
                count(space, start, path, &mut ExactDistance::full(space, table), memo, budget, cap)
            }
            BoundSource::Patterns(sum) => count(space, start, path, &mut PatternBound(sum), memo, budget, cap),
            BoundSource::Conflict(heuristic) => {
                let bound = &mut HeuristicBound { shape: space.shape, heuristic };
                count(space, start, path, bound, memo, budget, cap)
            }
        }
    }
}

// Where distances are exact there is no cap, and keys of the memo have room for the shape.
const _: () = assert!(COUNTED_CELLS > lookup::MAX_CELLS);
