//! [`Solver`]: the way in.

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
use crate::system::{Limit, Limits, allowed_memory};

/// Solves boards: with proven shortest paths, on all processors, within bounded memory.
///
/// A solver is made once and used for everything: the tables that it builds when they pay serve all boards that follow.
/// It can be used from many threads at once, and a clone is the same solver.
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
    /// A solver on all processors that this process may use, within a quarter of the memory that it may use.
    pub fn new() -> Solver {
        Solver::with(SolverBuilder::new().settings())
    }

    /// A solver that is set up differently.
    pub fn builder() -> SolverBuilder {
        SolverBuilder::new()
    }

    pub(crate) fn with(settings: Settings) -> Solver {
        Solver(Arc::new(Shared::new(settings)))
    }

    /// Solves a board to the goal `1 2 3 … 0`, its blank last.
    ///
    /// All threads help with a hard one. (Threads of other rayon pools should use [`Solver::worker`] or
    /// [`Solver::solve_all`]: while they wait here they run other jobs of their pool, one within the other.)
    ///
    /// # Errors
    /// By a fault of the program, or when the system refuses threads. That a board cannot be solved is an [`Answer`].
    pub fn solve(&self, board: &Board) -> Result<Answer, Error> {
        self.solve_to(board, &Goal::BlankLast)
    }

    /// Solves a board to any goal.
    ///
    /// # Errors
    /// As [`Solver::solve`], and when the goal does not fit the board's shape.
    pub fn solve_to(&self, board: &Board, goal: &Goal) -> Result<Answer, Error> {
        self.solve_with(board, goal, &SolveOptions::default())
    }

    /// Solves a board with limits of its own, and in such a way that another thread can end the call.
    ///
    /// # Errors
    /// As [`Solver::solve_to`].
    pub fn solve_with(&self, board: &Board, goal: &Goal, options: &SolveOptions) -> Result<Answer, Error> {
        self.pooled_worker().solve_with(board, goal, options)
    }

    /// Solves all boards of an iterator: in parallel, in their order, lazily, in bounded memory.
    ///
    /// An item is a board, whose goal is then `1 2 3 … 0`, or a board and its [`Goal`]. Answers are as
    /// [`Solver::solve_to`] gives them. The iterator is asked for boards only when an answer is asked for, but then for
    /// many before the first answer is given: from 32 to some [thousands](SolveAll::MOST_AHEAD) ahead of it. An iterator that waits for
    /// answers before it goes on wants a [`Worker`] instead. Answers that are not asked for any more are not searched for.
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

    /// Solves all boards of an iterator with limits of their own, and in such a way that another thread can end it:
    /// boards that are not solved by then are [`Answer::Unsolved`].
    pub fn solve_all_with<I>(&self, puzzles: I, options: &SolveOptions) -> SolveAll<I::IntoIter>
    where
        I: IntoIterator<Item: Into<Puzzle>>,
    {
        SolveAll::new(&self.0, puzzles.into_iter(), options)
    }

    /// A worker for one thread of the caller's.
    pub fn worker(&self) -> Worker {
        Worker::alone(&self.0)
    }

    /// What the boards of a goal would be solved by, and why, without building anything.
    pub fn plan(&self, goal: &Board) -> Plan {
        self.engines().plan(goal)
    }

    /// How much work a board will be to the goal `1 2 3 … 0`, without solving it: some hundredths of a second for a 15-puzzle, a
    /// second or two for a 24-puzzle, and the time for tables once.
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

    /// How much work a board will be to any goal.
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

    /// Does the same work for every item on the solver's threads; the results are in the items' order. The work must not
    /// wait for this solver. (With [`Parallel::Within`] the items are done one after the other.)
    ///
    /// ```
    /// let squares = taquin::Solver::new().map(&[1, 2, 3], |number| number * number)?;
    /// assert_eq!(squares, [1, 4, 9]);
    /// # Ok::<(), taquin::Error>(())
    /// ```
    ///
    /// # Errors
    /// When the system refuses threads.
    pub fn map<T: Sync, R: Send>(&self, items: &[T], work: impl Fn(&T) -> R + Sync) -> Result<Vec<R>, Error> {
        self.0.map(items, work)
    }

    /// How many threads it has.
    pub fn threads(&self) -> usize {
        self.0.settings().threads
    }
}

/// What the program's own tools need beyond the interface.
impl Solver {
    /// A worker whose searches run on the solver's threads.
    pub(crate) fn pooled_worker(&self) -> Worker {
        Worker::pooled(&self.0)
    }

    /// A worker for use inside [`Solver::map`], where the thread counts as busy already.
    pub(crate) fn task_worker(&self) -> Worker {
        Worker::in_task(&self.0)
    }

    /// Estimates the work of a board to a prepared goal.
    ///
    /// # Errors
    /// The limit that came first.
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

    /// Scratch memory for a search.
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
        let shared = Arc::get_mut(&mut self.0).expect("a trap is set before the solver is shared");
        shared.engines_mut().trap = Some(board);
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

/// Sets up a [`Solver`].
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
    /// What this process may use where the system does not say.
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

    /// Threads that solve boards and build tables. By default as many as this process may use.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> SolverBuilder {
        self.threads = Some(threads);
        self
    }

    /// How threads are shared among boards. By default each solves a board of its own while there are enough, and
    /// then helps with those that are left.
    #[must_use]
    pub fn parallel(mut self, parallel: Parallel) -> SolverBuilder {
        self.parallel = parallel;
        self
    }

    /// Bytes that everything may take together: tables, visited states, lists of searches. By default a quarter of
    /// what this process may use: of the machine's memory, or of its control group's. Some 30 MB are taken in any case.
    #[must_use]
    pub fn memory(mut self, bytes: u64) -> SolverBuilder {
        self.memory = Some(bytes);
        self
    }

    /// The engine that searches. By default whatever is best for a board's shape.
    #[must_use]
    pub fn engine(mut self, engine: EngineKind) -> SolverBuilder {
        self.engine = Some(engine);
        self
    }

    /// The heuristic that guides the search. By default whatever pays.
    #[must_use]
    pub fn heuristic(mut self, heuristic: HeuristicChoice) -> SolverBuilder {
        self.heuristic = heuristic;
        self
    }

    /// What paths are wanted: shortest ones with their proof, or good ones soon. By default shortest ones of boards of up
    /// to 25 cells, and good ones of larger boards. Insisted on, [`Quality::Shortest`] leaves nearly all of the larger
    /// ones [`Answer::Unsolved`], with [`Limit::Effort`](crate::Limit::Effort).
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

    /// Whether a board whose proof does not come to its end within its limits gets a good path, if no shortest one.
    #[must_use]
    pub fn fall_back(mut self, to_good: bool) -> SolverBuilder {
        self.aim.fallback = to_good;
        self
    }

    /// The work for a good path, from 1, some milliseconds a board, to 9, a minute; by default 5, about a second for a
    /// board of 6×6. The same work gives the same path on every machine. With a time limit a good path is the best that
    /// was found in that time.
    #[must_use]
    pub fn effort(mut self, effort: u8) -> SolverBuilder {
        self.aim.effort = Some(effort);
        self
    }

    /// The longest time for one board. What is reached in it differs from run to run. It does not hold for the building of
    /// tables that were asked for by name, which is once for all boards.
    #[must_use]
    pub fn time_limit(mut self, time: Duration) -> SolverBuilder {
        self.limits.time = Some(time);
        self
    }

    /// The most nodes for one board. The same number gives the same answers on every machine, with the same memory; such a board is searched
    /// by one thread.
    #[must_use]
    pub fn node_limit(mut self, nodes: u64) -> SolverBuilder {
        self.limits.nodes = Some(nodes);
        self
    }

    /// The solver. Nothing is built and no thread is started before it is needed.
    ///
    /// # Errors
    /// When there are to be no threads, or more than a pool can have, or the effort is none.
    pub fn build(self) -> Result<Solver, Error> {
        let most = rayon::max_num_threads();
        match self.threads {
            Some(0) => Err(Error::new(ErrorKind::Option, "a solver needs a thread, and 0 were asked for")),
            Some(threads) if threads > most => {
                let message = format!("a solver has {most} threads at most, and {threads} were asked for");
                Err(Error::new(ErrorKind::Option, message))
            }
            _ if self.aim.effort.is_some_and(|effort| !Aim::EFFORTS.contains(&effort)) => {
                Err(Error::new(ErrorKind::Option, "the effort for a good path is a number from 1 to 9"))
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
                limited: self.limits.nodes.is_some(),
                ..EnginePreference::default()
            },
            aim: self.aim,
            weights: Available::default(),
            limits: self.limits,
        }
    }
}
