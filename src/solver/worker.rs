//! Workers, which solve boards one by one with the steps of [`PreparedGoal`].

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::answer::{Answer, Solution};
use super::estimate::{Estimate, Estimator};
use super::last_goal::LastGoal;
use super::options::SolveOptions;
use super::prepared_goal::{Admitted, FirstStep, PreparedGoal};
use super::shared::Shared;
use crate::board::{Board, Error, ErrorKind, Goal, Path};
use crate::engine::contract::{Effort, Scratch};
use crate::engine::{Outcome, Proof, SearchLog, ThreadShare};
use crate::system::{Budget, InputPosition, Limit, Limits};

/// A worker that solves boards one by one on the calling thread.
///
/// Workers are for callers with their own threads. Other callers should use
/// [`Solver`](super::Solver) directly. A worker shares all tables with its solver and the other
/// workers, and keeps its own scratch memory from board to board. Use at most as many workers at
/// once as the solver has threads, because its memory is divided among that many.
///
/// ```
/// use taquin::{Board, Goal, Solver};
///
/// let solver = Solver::builder().threads(2).build()?;
/// let boards: Vec<Board> = ["1 2 3/4 5 6/0 7 8", "1 2 3/0 5 6/4 7 8"].iter().map(|text| text.parse()).collect::<Result<_, _>>()?;
/// let moves: Vec<_> = std::thread::scope(|scope| {
///     let threads: Vec<_> = boards.iter().map(|board| {
///         let mut worker = solver.worker();
///         scope.spawn(move || worker.solve(board, &Goal::BlankLast).map(|answer| answer.moves()))
///     }).collect();
///     threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Result<_, _>>()
/// })?;
/// assert_eq!(moves, [Some(2), Some(3)]);
/// # Ok::<(), taquin::Error>(())
/// ```
#[derive(Debug)]
pub struct Worker {
    shared: Arc<Shared>,
    threads: Threads,
    /// Scratch memory for searches on the calling thread, taken from the solver at the first search
    /// and returned when the worker is dropped.
    scratch: Option<Scratch>,
    path: Path,
    last_goal: LastGoal,
    /// The position of the current board in its input.
    input_position: InputPosition,
}

/// The threads that search.
#[derive(Debug)]
enum Threads {
    /// Only the calling thread.
    Caller(ThreadShare),
    /// The threads of the solver's pool.
    Pool,
    /// The threads of the pool, called from a thread that already counts as busy.
    PoolTask,
}

/// An answer and the effort spent on it.
#[derive(Debug)]
pub struct Answered {
    /// The answer.
    pub answer: Answer,
    /// The work done; `None` if no search was needed.
    pub effort: Option<Effort>,
}

impl Answered {
    fn at_once(answer: Answer) -> Answered {
        Answered { answer, effort: None }
    }
}

impl Worker {
    /// Creates a worker that searches on the calling thread.
    pub(super) fn alone(shared: &Arc<Shared>) -> Worker {
        Worker::new(shared, Threads::Caller(ThreadShare::alone()))
    }

    /// Creates a worker whose searches run in the solver's pool, with the help of its idle threads.
    pub(super) fn pooled(shared: &Arc<Shared>) -> Worker {
        Worker::new(shared, Threads::Pool)
    }

    /// Creates a worker like [`Self::pooled`] for a job of the pool that already counts as a task.
    pub(super) fn in_task(shared: &Arc<Shared>) -> Worker {
        Worker::new(shared, Threads::PoolTask)
    }

    fn new(shared: &Arc<Shared>, threads: Threads) -> Worker {
        let (path, last_goal, input_position) = (Path::new(), LastGoal::default(), InputPosition::END);
        Worker { shared: Arc::clone(shared), threads, scratch: None, path, last_goal, input_position }
    }

    /// Sets the position of the next board in its input.
    pub(super) fn set_input_position(&mut self, input_position: InputPosition) {
        self.input_position = input_position;
    }

    /// Solves a board.
    ///
    /// # Errors
    /// If the goal does not fit the board's shape, or on a bug in the program. A board that is
    /// unsolvable, or not solved within the limits, is not an error but an [`Answer`].
    pub fn solve(&mut self, board: &Board, goal: &Goal) -> Result<Answer, Error> {
        self.solve_with(board, goal, &SolveOptions::default())
    }

    /// Solves a board with separate limits and a token by which another thread can cancel the call.
    ///
    /// # Errors
    /// As [`Worker::solve`].
    pub fn solve_with(&mut self, board: &Board, goal: &Goal, options: &SolveOptions) -> Result<Answer, Error> {
        Ok(self.answer_safely(board, goal, options)?.answer)
    }

    /// Estimates the work for a board without solving it, as
    /// [`Solver::estimate`](super::Solver::estimate) does. Also returns [`Estimate::Unknown`] if
    /// the time limit was reached or the call was cancelled. If the solver was built with a node
    /// limit, however high, the numbers do not depend on its number of threads, even if its memory
    /// is small.
    ///
    /// ```
    /// use taquin::{Goal, SolveOptions, Solver};
    ///
    /// let solver = Solver::builder().threads(1).memory(1 << 30).heuristic("6-6-3".parse()?).node_limit(u64::MAX).build()?;
    /// let mut worker = solver.worker();
    /// let near = worker.estimate_with(&"5 1 2 4/9 6 3 8/0 10 7 11/13 14 15 12".parse()?, &Goal::BlankLast, &SolveOptions::new())?;
    /// assert_eq!(near.nodes(), Some(19));
    /// let unsolvable = worker.estimate_with(&"2 1/3 0".parse()?, &Goal::BlankLast, &SolveOptions::new())?;
    /// assert_eq!(unsolvable.nodes(), Some(0));
    /// # Ok::<(), taquin::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the goal does not fit the board's shape, or on a bug in the program.
    pub fn estimate_with(&mut self, board: &Board, goal: &Goal, options: &SolveOptions) -> Result<Estimate, Error> {
        let limits = options.limits_over(&self.shared.settings().limits);
        self.safely(board, |worker| {
            let shared = Arc::clone(&worker.shared);
            let prepared = Arc::clone(worker.last_goal.get(shared.engines(), goal, board.shape())?);
            let scratch = worker.scratch.take().unwrap_or_else(|| shared.take_scratch());
            let mut estimator = Estimator::new(shared.engines(), scratch, shared.settings().preference.tie_break);
            let estimate = estimator.estimate(&prepared, board, &limits, options.stop());
            worker.scratch = Some(estimator.into_scratch());
            Ok(estimate.unwrap_or(Estimate::Unknown))
        })
    }

    /// Solves a board and reports the effort. A panic becomes an error of this board only.
    pub(super) fn answer_safely(
        &mut self,
        board: &Board,
        goal: &Goal,
        options: &SolveOptions,
    ) -> Result<Answered, Error> {
        let limits = options.limits_over(&self.shared.settings().limits);
        self.safely(board, |worker| {
            let prepared = Arc::clone(worker.last_goal.get(worker.shared.engines(), goal, board.shape())?);
            worker.answer_prepared(&prepared, board, &limits, options.stop())
        })
    }

    /// Does the same as [`Self::answer_safely`] for a goal given as a board.
    pub(crate) fn answer(
        &mut self,
        board: &Board,
        goal: &Board,
        limits: &Limits,
        stop: &AtomicBool,
    ) -> Result<Answered, Error> {
        self.safely(board, |worker| {
            let prepared = worker.prepare(goal);
            worker.answer_prepared(&prepared, board, limits, stop)
        })
    }

    fn safely<T>(&mut self, board: &Board, work: impl FnOnce(&mut Worker) -> Result<T, Error>) -> Result<T, Error> {
        let result = catch_unwind(AssertUnwindSafe(|| work(self)));
        result.unwrap_or_else(|_| {
            // The panic may have left these in an inconsistent state.
            (self.scratch, self.last_goal) = (None, LastGoal::default());
            let message = format!("the program failed on the board {board}; please report this with the board");
            Err(Error::new(ErrorKind::Fault, message))
        })
    }

    /// Returns the prepared goal, from the cache if it was the last one used.
    pub(crate) fn prepare(&mut self, goal: &Board) -> Arc<PreparedGoal> {
        Arc::clone(self.last_goal.get_board(self.shared.engines(), goal))
    }

    /// Admits the board, answers it at once or searches, and replays the path.
    fn answer_prepared(
        &mut self,
        prepared: &PreparedGoal,
        board: &Board,
        limits: &Limits,
        stop: &AtomicBool,
    ) -> Result<Answered, Error> {
        let Some(admitted) = prepared.admit(board) else { return Ok(Answered::at_once(Answer::Unsolvable)) };
        self.shared.engines().panic_if_trapped(board);
        let step = prepared.first_step(board, &admitted, limits, &mut self.path);
        if let FirstStep::InTable(start) = step {
            prepared.look_up(&[start], std::slice::from_mut(&mut self.path));
        }
        if !matches!(step, FirstStep::Search) {
            return checked(prepared, board, Outcome::Solved(self.path.clone()), None).map(Answered::at_once);
        }
        let mut effort = Effort { log: SearchLog::new(), ..Effort::default() };
        let outcome = self.search(prepared, board, &admitted, (limits, stop), &mut effort)?;
        Ok(Answered { answer: checked(prepared, board, outcome, effort.limit)?, effort: Some(effort) })
    }

    fn search(
        &mut self,
        prepared: &PreparedGoal,
        board: &Board,
        admitted: &Admitted,
        (limits, stop): (&Limits, &AtomicBool),
        effort: &mut Effort,
    ) -> Result<Outcome, Error> {
        match &self.threads {
            Threads::Caller(thread_share) => {
                let scratch = self.scratch.get_or_insert_with(|| self.shared.take_scratch());
                Ok(prepared.search(
                    board,
                    admitted,
                    &Budget::start(limits, stop),
                    (thread_share, &self.input_position),
                    scratch,
                    effort,
                ))
            }
            threads @ (Threads::Pool | Threads::PoolTask) => {
                let (thread_share, pool) = (self.shared.thread_share(), self.shared.pool()?);
                let _task = matches!(threads, Threads::Pool).then(|| thread_share.task());
                // The clock starts when a thread is available. Waiting callers hold no scratch
                // memory.
                Ok(pool.install(|| {
                    let mut scratch = self.shared.take_scratch();
                    let budget = Budget::start(limits, stop);
                    let context = (thread_share, &self.input_position);
                    let outcome = prepared.search(board, admitted, &budget, context, &mut scratch, effort);
                    self.shared.keep_scratch(scratch);
                    outcome
                }))
            }
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        if let Some(scratch) = self.scratch.take() {
            self.shared.keep_scratch(scratch);
        }
    }
}

/// Verifies the path of an outcome by replaying it, and converts the outcome into an answer.
fn checked(prepared: &PreparedGoal, board: &Board, outcome: Outcome, limit: Option<Limit>) -> Result<Answer, Error> {
    let (path, proof) = match outcome {
        Outcome::Solved(path) => (path, Proof::Optimal),
        Outcome::Found { path, lower_bound } => (path, Proof::AtLeast(lower_bound)),
        Outcome::Unsolved { lower_bound, limit } => return Ok(Answer::Unsolved { lower_bound, limit }),
    };
    match prepared.replay(board, &path) {
        Ok(()) => Ok(Answer::Solved(Solution::new(board.clone(), path, proof, limit))),
        Err(fault) => Err(Error::new(ErrorKind::Fault, format!("internal error: invalid path: {fault}"))),
    }
}
