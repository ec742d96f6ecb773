//! Workers, which solve boards one by one with the steps of [`PreparedGoal`].

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::call::{Answer, Solution, SolveOptions};
use super::engines::LastGoal;
use super::estimate::Estimate;
use super::handle::Solver;
use super::prepared_goal::{FirstStep, PreparedGoal};
use crate::board::replay::replay;
use crate::board::{Board, Error, ErrorKind, Goal, Path, Shape};
use crate::engine::contract::{Job, WorkDone};
use crate::engine::{Outcome, Proof, SearchLog, ThreadShare};
use crate::system::{Budget, InputPosition, Limit, Limits};

/// Single boards.
impl Solver {
    /// Solves a board to the goal `1 2 3 … 0`, with the blank last.
    ///
    /// All threads work on a hard board. Threads of other rayon pools should use [`Solver::worker`]
    /// or [`Solver::solve_all`] instead. While such a thread waits in this call, rayon lets it
    /// start other jobs of its pool on the same stack. These may wait, too, so the stack may grow
    /// large.
    ///
    /// # Errors
    /// On a bug in the program, or if the system refuses threads. An unsolvable board is not an
    /// error but an [`Answer`].
    pub fn solve(&self, board: &Board) -> Result<Answer, Error> {
        self.solve_to(board, &Goal::BlankLast)
    }

    /// Solves a board to any goal.
    ///
    /// # Errors
    /// As [`Solver::solve`], and if the goal does not fit the board's shape.
    pub fn solve_to(&self, board: &Board, goal: &Goal) -> Result<Answer, Error> {
        self.solve_with(board, goal, &SolveOptions::default())
    }

    /// Solves a board with limits for this call and a token by which another thread can cancel it.
    ///
    /// # Errors
    /// As [`Solver::solve_to`].
    pub fn solve_with(&self, board: &Board, goal: &Goal, options: &SolveOptions) -> Result<Answer, Error> {
        self.worker_on(Threads::Pool).solve_with(board, goal, options)
    }

    /// Creates a worker for one of the caller's threads.
    pub fn worker(&self) -> Worker {
        self.worker_on(Threads::Caller)
    }

    /// Creates a worker whose searches run on these threads.
    pub(crate) fn worker_on(&self, threads: Threads) -> Worker {
        let (path, last_goal, input_position) = (Path::new(), LastGoal::default(), InputPosition::END);
        Worker { solver: self.clone(), threads, path, last_goal, input_position, has_searched: false }
    }
}

/// A worker that solves boards one by one.
///
/// A worker from [`Solver::worker`] searches on the calling thread. Such workers are for callers
/// with their own threads. Other callers should use [`Solver`](super::Solver) directly. A worker
/// shares all tables with its solver and the other workers, and borrows scratch memory from the
/// solver for each search. Use at most as many workers at once as the solver has threads, because
/// the solver's memory is divided by its number of threads.
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
    solver: Solver,
    threads: Threads,
    path: Path,
    last_goal: LastGoal,
    /// The position of the next board in its input.
    pub(super) input_position: InputPosition,
    /// True if the last board needed a search.
    pub(crate) has_searched: bool,
}

/// The threads on which a worker searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Threads {
    /// Only the calling thread.
    Caller,
    /// The threads of the solver's pool that are idle.
    Pool,
    /// The threads of the solver's pool that are idle, for a call from a job of the pool that is
    /// already counted as busy, for example inside [`Solver::map`].
    PoolTask,
}

impl Worker {
    /// Solves a board.
    ///
    /// # Errors
    /// If the goal does not fit the board's shape, or on a bug in the program. A board that is
    /// unsolvable, or not solved within the limits, is not an error but an [`Answer`].
    pub fn solve(&mut self, board: &Board, goal: &Goal) -> Result<Answer, Error> {
        self.solve_with(board, goal, &SolveOptions::default())
    }

    /// Solves a board with limits for this call and a token by which another thread can cancel it.
    ///
    /// # Errors
    /// As [`Worker::solve`].
    pub fn solve_with(&mut self, board: &Board, goal: &Goal, options: &SolveOptions) -> Result<Answer, Error> {
        let limits = options.limits_over(&self.solver.engines.settings.limits);
        self.answer(board, goal, &limits, options.cancel.flag())
    }

    /// Estimates the work for a board without solving it. This takes a few hundredths of a second
    /// for a 15-puzzle and a second or two for a 24-puzzle, plus the time to build tables once.
    ///
    /// Returns [`Estimate::Unknown`] if the time limit was reached or the call was cancelled.
    ///
    /// If the solver's memory is small, the estimate depends on the memory that the threads leave
    /// for tables, and thus on the number of threads. If the solver was built with a node limit,
    /// however high, the memory is divided as for a fixed number of threads. Then the estimated
    /// nodes and moves are the same for any number of threads.
    ///
    /// ```
    /// use taquin::{Goal, SolveOptions, Solver};
    ///
    /// let solver = Solver::builder().threads(1).memory(1 << 30).heuristic("6-6-3".parse()?).node_limit(u64::MAX).build()?;
    /// let mut worker = solver.worker();
    /// let near = worker.estimate(&"5 1 2 4/9 6 3 8/0 10 7 11/13 14 15 12".parse()?, &Goal::BlankLast, &SolveOptions::new())?;
    /// assert_eq!(near.nodes(), Some(19));
    /// let unsolvable = worker.estimate(&"2 1/3 0".parse()?, &Goal::BlankLast, &SolveOptions::new())?;
    /// assert_eq!(unsolvable.nodes(), Some(0));
    /// # Ok::<(), taquin::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the goal does not fit the board's shape, or on a bug in the program.
    pub fn estimate(&mut self, board: &Board, goal: &Goal, options: &SolveOptions) -> Result<Estimate, Error> {
        let limits = options.limits_over(&self.solver.engines.settings.limits);
        self.safely(board, |worker| {
            let prepared = worker.prepare(goal, board.shape())?;
            let estimate = worker.solver.estimate_prepared(&prepared, board, &limits, options.cancel.flag());
            Ok(estimate.unwrap_or(Estimate::Unknown))
        })
    }

    /// Solves a board within these limits, until `stop` is set: admits it, answers it at once or
    /// searches, and replays the path.
    pub(crate) fn answer(
        &mut self,
        board: &Board,
        goal: &Goal,
        limits: &Limits,
        stop: &AtomicBool,
    ) -> Result<Answer, Error> {
        self.safely(board, |worker| {
            let prepared = worker.prepare(goal, board.shape())?;
            worker.has_searched = false;
            let Some(admitted) = prepared.admit(board) else { return Ok(Answer::Unsolvable) };
            let step = prepared.first_step(board, &admitted, limits, &mut worker.path);
            if let FirstStep::InTable(start) = step {
                prepared.look_up(&[start], std::slice::from_mut(&mut worker.path));
            }
            if !matches!(step, FirstStep::Search) {
                return checked(&prepared, board, Outcome::Solved(worker.path.clone()), None);
            }
            worker.has_searched = true;
            let (solver, input_position) = (&worker.solver, &worker.input_position);
            let (problem, beam) = (prepared.problem(board, &admitted), prepared.beam.as_deref());
            let mut work_done = WorkDone { log: SearchLog::new(), ..WorkDone::default() };
            // The clock starts when a thread is available. Waiting callers hold no scratch memory.
            let mut search = |thread_share: &ThreadShare| {
                solver.with_scratch(|scratch| {
                    let budget = &Budget::start(limits, stop);
                    let job = Job { problem, budget, thread_share, input_position, beam };
                    prepared.engine.solve(&job, scratch, &mut work_done)
                })
            };
            let outcome = match worker.threads {
                Threads::Caller => search(&ThreadShare::alone()),
                Threads::Pool | Threads::PoolTask => {
                    let (thread_share, pool) = (&solver.engines.thread_share, solver.pool()?);
                    let _task = (worker.threads == Threads::Pool).then(|| thread_share.task());
                    pool.install(|| search(thread_share))
                }
            };
            checked(&prepared, board, outcome, work_done.limit)
        })
    }

    /// Returns the prepared goal for a shape, from the cache if it was the last one used.
    ///
    /// # Errors
    /// If the goal does not fit the shape.
    pub(crate) fn prepare(&mut self, goal: &Goal, shape: Shape) -> Result<Arc<PreparedGoal>, Error> {
        self.last_goal.get(&self.solver.engines, goal, shape).map(Arc::clone)
    }

    /// Runs `work`, and converts a panic into an error of this board only.
    fn safely<T>(&mut self, board: &Board, work: impl FnOnce(&mut Worker) -> Result<T, Error>) -> Result<T, Error> {
        let result = catch_unwind(AssertUnwindSafe(|| work(self)));
        result.unwrap_or_else(|_| {
            // The panic may have left the last goal in an inconsistent state, and may have occurred
            // in a search.
            self.last_goal = LastGoal::default();
            self.has_searched = true;
            let message = format!("the program failed on the board {board}; please report this with the board");
            Err(Error::new(ErrorKind::Fault, message))
        })
    }
}

/// Verifies the path of an outcome by replaying it, and converts the outcome into an answer.
fn checked(prepared: &PreparedGoal, board: &Board, outcome: Outcome, limit: Option<Limit>) -> Result<Answer, Error> {
    let (path, proof) = match outcome {
        Outcome::Solved(path) => (path, Proof::Optimal),
        Outcome::Found { path, lower_bound } => (path, Proof::AtLeast(lower_bound)),
        Outcome::Unsolved { lower_bound, limit } => return Ok(Answer::Unsolved { lower_bound, limit }),
    };
    match replay(board, &prepared.goal, path.letters()) {
        Ok(()) => Ok(Answer::Solved(Solution { board: board.clone(), path, proof, limit })),
        Err(fault) => Err(Error::new(ErrorKind::Fault, format!("internal error: invalid path: {fault}"))),
    }
}
