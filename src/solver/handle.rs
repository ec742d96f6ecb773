//! [`Solver`], the entry point of the library.

use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::aim::{Aim, Quality};
use super::answer::Answer;
use super::engines::Engines;
use super::estimate::{Estimate, Estimator};
use super::heuristic_choice::HeuristicChoice;
use super::memory_plan::MemoryPlan;
use super::options::SolveOptions;
use super::plan::{EnginePreference, Plan};
use super::prepared_goal::PreparedGoal;
use super::settings::Settings;
use super::shared::Shared;
use super::solve_all::{Puzzle, SolveAll};
use super::worker::Worker;
use crate::board::{Board, Error, ErrorKind, Goal};
use crate::engine::contract::Scratch;
use crate::engine::{EngineKind, Parallel, ThreadShare};
use crate::heuristic::learned::Available;
use crate::system::{Building, Limit, Limits, allowed_memory};

/// A solver that finds proven shortest paths, on all processors and within bounded memory.
///
/// Create one solver and use it for everything, because its tables serve all later boards. It can
/// be used from many threads at once, and clones share everything.
///
/// ```
/// use taquin::{Answer, Board, Goal, Solver};
///
/// let solver = Solver::new();
/// let board: Board = "2 3 4/1 5 0/7 6 8".parse()?;
/// let answer = solver.solve(&board)?;
/// assert_eq!(answer.moves(), Some(19));
/// match solver.solve_to(&board, &Goal::Snail)? {
///     Answer::Solved(solution) => println!("{} moves: {}", solution.moves(), solution.letters()),
///     Answer::Unsolvable => println!("half of all boards have no solution, and this is one of them"),
///     Answer::Unsolved { lower_bound, .. } => println!("at least {lower_bound} moves"),
///     _ => unreachable!("there is no other answer yet"),
/// }
/// # Ok::<(), taquin::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Solver(Arc<Shared>);

impl Default for Solver {
    fn default() -> Solver {
        Solver::new()
    }
}

impl Solver {
    /// Creates a solver that uses all processors and a quarter of the memory available to this
    /// process.
    pub fn new() -> Solver {
        Solver::with(SolverBuilder::new().settings())
    }

    /// Returns a builder for a solver with other settings.
    pub fn builder() -> SolverBuilder {
        SolverBuilder::new()
    }

    pub(crate) fn with(settings: Settings) -> Solver {
        Solver(Arc::new(Shared::new(settings)))
    }

    /// Solves a board to the goal `1 2 3 … 0`, with the blank last.
    ///
    /// All threads work on a hard board. Threads of other rayon pools should use [`Solver::worker`]
    /// or [`Solver::solve_all`] instead. If they wait in this call, they run other jobs of their
    /// pool meanwhile, nested in one another.
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

    /// Solves a board with separate limits and a token by which another thread can cancel the call.
    ///
    /// # Errors
    /// As [`Solver::solve_to`].
    pub fn solve_with(&self, board: &Board, goal: &Goal, options: &SolveOptions) -> Result<Answer, Error> {
        self.pooled_worker().solve_with(board, goal, options)
    }

    /// Solves all boards of an iterator: in parallel, in order, lazily, and in bounded memory.
    ///
    /// An item is a board, whose goal is then `1 2 3 … 0`, or a board and its [`Goal`]. The answers
    /// equal the answers of [`Solver::solve_to`]. The iterator is read only when an answer is
    /// requested, but then up to [several thousand](SolveAll::MOST_AHEAD) boards ahead of the
    /// answer. If the iterator itself waits for answers, use a [`Worker`] instead. Dropping the
    /// returned iterator ends the searches.
    ///
    /// ```
    /// use taquin::{Board, Solver};
    ///
    /// let boards = ["1 2 3/4 5 6/0 7 8", "1 2 3/0 5 6/4 7 8", "1 2 3/4 5 6/8 7 0"];
    /// let boards = boards.map(|text| text.parse::<Board>().unwrap());
    /// let moves: Vec<_> = Solver::new().solve_all(boards).map(|answer| answer.unwrap().moves()).collect();
    /// assert_eq!(moves, [Some(2), Some(3), None]);
    /// ```
    pub fn solve_all<I>(&self, puzzles: I) -> SolveAll<I::IntoIter>
    where
        I: IntoIterator<Item: Into<Puzzle>>,
    {
        self.solve_all_with(puzzles, &SolveOptions::default())
    }

    /// Solves all boards of an iterator with separate limits and a token by which another thread
    /// can cancel the call. Boards not solved before the cancellation get [`Answer::Unsolved`].
    pub fn solve_all_with<I>(&self, puzzles: I, options: &SolveOptions) -> SolveAll<I::IntoIter>
    where
        I: IntoIterator<Item: Into<Puzzle>>,
    {
        SolveAll::new(&self.0, puzzles.into_iter(), options)
    }

    /// Creates a worker for one of the caller's threads.
    pub fn worker(&self) -> Worker {
        Worker::alone(&self.0)
    }

    /// Returns the plan for the boards of a goal and the reason for it, without building anything.
    pub fn plan(&self, goal: &Board) -> Plan {
        self.engines().plan(goal)
    }

    /// Estimates the work for a board and the goal `1 2 3 … 0` without solving the board. This
    /// takes a few hundredths of a second for a 15-puzzle and a second or two for a 24-puzzle, plus
    /// the time to build tables once.
    ///
    /// ```
    /// let solver = taquin::Solver::builder().threads(1).memory(64 << 20).heuristic("6-6-3".parse()?).build()?;
    /// let estimate = solver.estimate(&"5 1 2 4/9 6 3 8/0 10 7 11/13 14 15 12".parse()?)?;
    /// assert!(estimate.nodes().is_some_and(|nodes| (1..1000).contains(&nodes)));
    /// # Ok::<(), taquin::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Solver::solve`].
    pub fn estimate(&self, board: &Board) -> Result<Estimate, Error> {
        self.estimate_to(board, &Goal::BlankLast)
    }

    /// Estimates the work for a board and any goal.
    ///
    /// # Errors
    /// As [`Solver::solve_to`].
    pub fn estimate_to(&self, board: &Board, goal: &Goal) -> Result<Estimate, Error> {
        let goal = goal.on(board.shape())?;
        let never = AtomicBool::new(false);
        let prepared = self.prepare(&goal);
        let limits = Limits::default();
        let estimated = catch_unwind(AssertUnwindSafe(|| self.estimate_prepared(&prepared, board, &limits, &never)));
        estimated.map(|estimate| estimate.unwrap_or(Estimate::Unknown)).map_err(|_| {
            let message = format!("the program failed on the board {board}; please report this with the board");
            Error::new(ErrorKind::Fault, message)
        })
    }

    /// Applies a function to every item on the solver's threads and returns the results in the
    /// order of the items. The function must not wait for this solver. With [`Parallel::Within`]
    /// the items are processed one by one.
    ///
    /// ```
    /// let squares = taquin::Solver::new().map(&[1, 2, 3], |number| number * number)?;
    /// assert_eq!(squares, [1, 4, 9]);
    /// # Ok::<(), taquin::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the system refuses threads.
    pub fn map<T: Sync, R: Send>(&self, items: &[T], work: impl Fn(&T) -> R + Sync) -> Result<Vec<R>, Error> {
        self.0.map(items, work)
    }

    /// Returns the number of threads.
    pub fn threads(&self) -> usize {
        self.0.settings().threads
    }
}

/// The interface for the program's own tools.
impl Solver {
    /// Creates a worker whose searches run on the solver's threads.
    pub(crate) fn pooled_worker(&self) -> Worker {
        Worker::pooled(&self.0)
    }

    /// Creates a worker for use inside [`Solver::map`], where the thread already counts as busy.
    pub(crate) fn task_worker(&self) -> Worker {
        Worker::in_task(&self.0)
    }

    /// Estimates the work for a board and a prepared goal.
    ///
    /// # Errors
    /// The limit that ended the call.
    pub(crate) fn estimate_prepared(
        &self,
        prepared: &PreparedGoal,
        board: &Board,
        limits: &Limits,
        stop: &AtomicBool,
    ) -> Result<Estimate, Limit> {
        let tie_break = self.settings().preference.tie_break;
        let mut estimator = Estimator::new(self.engines(), self.take_scratch(), tie_break);
        let estimate = estimator.estimate(prepared, board, limits, stop);
        self.keep_scratch(estimator.into_scratch());
        estimate
    }

    /// Returns scratch memory for a search.
    pub(crate) fn take_scratch(&self) -> Scratch {
        self.0.take_scratch()
    }

    /// Keeps scratch memory for the next search.
    pub(crate) fn keep_scratch(&self, scratch: Scratch) {
        self.0.keep_scratch(scratch);
    }

    pub(crate) fn engines(&self) -> &Engines {
        self.0.engines()
    }

    #[cfg(test)]
    pub(crate) fn set_trap(&mut self, board: Board) {
        let shared = Arc::get_mut(&mut self.0).expect("the trap must be set before the solver is shared");
        shared.engines_mut().trap = Some(board);
    }

    /// Returns the tables that are being built, if any.
    pub(crate) fn building(&self) -> Option<Building> {
        self.engines().building()
    }

    pub(crate) fn memory_plan(&self) -> &MemoryPlan {
        self.engines().memory_plan()
    }

    pub(crate) fn settings(&self) -> &Settings {
        self.0.settings()
    }

    pub(crate) fn thread_share(&self) -> &ThreadShare {
        self.0.thread_share()
    }

    pub(crate) fn pool(&self) -> Result<&rayon::ThreadPool, Error> {
        self.0.pool()
    }

    pub(crate) fn prepare(&self, goal: &Board) -> PreparedGoal {
        self.engines().prepare(goal)
    }
}

/// A builder for a [`Solver`].
///
/// ```
/// use std::time::Duration;
/// use taquin::{EngineKind, Solver};
///
/// let solver = Solver::builder()
///     .threads(2)
///     .memory(1 << 30)
///     .engine(EngineKind::IdaStar)
///     .heuristic("6-6-3".parse()?)
///     .time_limit(Duration::from_secs(10))
///     .build()?;
/// # let answer = solver.solve(&"1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15".parse()?)?;
/// # assert_eq!(answer.moves(), Some(1));
/// # Ok::<(), taquin::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct SolverBuilder {
    threads: Option<usize>,
    parallel: Parallel,
    memory: Option<u64>,
    engine: Option<EngineKind>,
    heuristic: HeuristicChoice,
    aim: Aim,
    limits: Limits,
}

impl SolverBuilder {
    /// The available memory in bytes that is assumed if the system does not report it.
    const ASSUMED_MEMORY: u64 = 8 << 30;

    fn new() -> SolverBuilder {
        SolverBuilder {
            threads: None,
            parallel: Parallel::Auto,
            memory: None,
            engine: None,
            heuristic: HeuristicChoice::default(),
            aim: Aim::default(),
            limits: Limits::default(),
        }
    }

    /// Sets the number of threads that solve boards and build tables. Default: all processors
    /// available to this process.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> SolverBuilder {
        self.threads = Some(threads);
        self
    }

    /// Sets how threads are shared among boards. By default each thread solves its own board while
    /// there are enough boards, and idle threads then help with the remaining ones.
    #[must_use]
    pub fn parallel(mut self, parallel: Parallel) -> SolverBuilder {
        self.parallel = parallel;
        self
    }

    /// Sets the maximum number of bytes for everything together: tables, visited states, lists of
    /// searches. Default: a quarter of the memory of the machine or of the process's control group.
    /// About 28 MB, plus 1 MB per thread, are used even if the maximum is smaller.
    #[must_use]
    pub fn memory(mut self, bytes: u64) -> SolverBuilder {
        self.memory = Some(bytes);
        self
    }

    /// Sets the engine. Default: the best engine for a board's shape.
    #[must_use]
    pub fn engine(mut self, engine: EngineKind) -> SolverBuilder {
        self.engine = Some(engine);
        self
    }

    /// Sets the heuristic. Default: chosen automatically.
    #[must_use]
    pub fn heuristic(mut self, heuristic: HeuristicChoice) -> SolverBuilder {
        self.heuristic = heuristic;
        self
    }

    /// Sets the required quality: proven shortest paths, or good paths quickly. By default boards
    /// of up to 25 cells get shortest paths, and larger boards good ones. With
    /// [`Quality::Shortest`], nearly all of the larger boards remain [`Answer::Unsolved`], with
    /// [`Limit::Effort`](crate::Limit::Effort).
    ///
    /// ```
    /// use taquin::{Quality, Solver};
    ///
    /// let solver = Solver::builder().quality(Quality::Good).effort(1).build()?;
    /// let answer = solver.solve(&"0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1".parse()?)?;
    /// let solution = answer.solution().unwrap();
    /// assert!(solution.lower_bound() <= 80 && solution.moves() >= 80);
    /// # Ok::<(), taquin::Error>(())
    /// ```
    #[must_use]
    pub fn quality(mut self, quality: Quality) -> SolverBuilder {
        self.aim.quality = Some(quality);
        self
    }

    /// Sets whether a board gets a good path when its limits end the search for a shortest one.
    #[must_use]
    pub fn fall_back(mut self, to_good: bool) -> SolverBuilder {
        self.aim.fallback = to_good;
        self
    }

    /// Sets the effort for a good path, from 1 (a few milliseconds per board) to 9 (a minute). The
    /// default is 5, about a second for a 6×6 board. The same effort gives the same path on every
    /// machine with the same memory. With a time limit, the path is the best one found in that
    /// time.
    #[must_use]
    pub fn effort(mut self, effort: u8) -> SolverBuilder {
        self.aim.effort = Some(effort);
        self
    }

    /// Sets the time limit for each board. Results then differ from run to run. Building tables
    /// that were requested by name is not limited, because they are built once for all boards.
    #[must_use]
    pub fn time_limit(mut self, time: Duration) -> SolverBuilder {
        self.limits.time = Some(time);
        self
    }

    /// Sets the node limit for each board. The same limit gives the same answers on every machine
    /// with the same memory. Each board is searched by one thread.
    #[must_use]
    pub fn node_limit(mut self, nodes: u64) -> SolverBuilder {
        self.limits.nodes = Some(nodes);
        self
    }

    /// Builds the solver. Tables and threads are created when they are first needed.
    ///
    /// # Errors
    /// If the number of threads is 0 or more than a pool can have, or if the effort is not between
    /// 1 and 9.
    pub fn build(self) -> Result<Solver, Error> {
        let max_threads = rayon::max_num_threads();
        match self.threads {
            Some(0) => Err(Error::new(ErrorKind::Option, "a solver needs at least 1 thread; 0 were requested")),
            Some(threads) if threads > max_threads => {
                let message = format!("a solver can have at most {max_threads} threads; {threads} were requested");
                Err(Error::new(ErrorKind::Option, message))
            }
            _ if self.aim.effort.is_some_and(|effort| !Aim::EFFORTS.contains(&effort)) => {
                Err(Error::new(ErrorKind::Option, "the effort must be from 1 to 9"))
            }
            _ => Ok(Solver::with(self.settings())),
        }
    }

    fn settings(self) -> Settings {
        let available = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let quarter = || allowed_memory().unwrap_or(SolverBuilder::ASSUMED_MEMORY) / 4;
        let (heuristic, partition) = self.heuristic.parts();
        Settings {
            threads: self.threads.unwrap_or_else(available),
            parallel: self.parallel,
            memory: self.memory.unwrap_or_else(quarter),
            preference: EnginePreference {
                engine: self.engine,
                heuristic,
                partition,
                has_node_limit: self.limits.nodes.is_some(),
                ..EnginePreference::default()
            },
            aim: self.aim,
            weights: Available::default(),
            limits: self.limits,
        }
    }
}
