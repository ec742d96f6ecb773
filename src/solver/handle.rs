//! [`Solver`], the entry point of the library: engines, threads and memory that workers share.

use std::sync::Arc;
use std::time::Duration;

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::engines::Engines;
use super::plan::Plan;
use super::prepared_goal::PreparedGoal;
use super::settings::{Aim, HeuristicChoice, Quality, Settings};
use crate::board::{Board, Error, ErrorKind};
use crate::engine::contract::Scratch;
use crate::engine::{EngineKind, Parallel, Task};

/// A solver: proven shortest paths for boards of up to 25 cells, good paths for larger ones. By
/// default it uses all processors, and its memory is bounded.
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
pub struct Solver {
    /// The state shared by all clones of a solver and by their workers.
    pub(crate) engines: Arc<Engines>,
}

impl Default for Solver {
    fn default() -> Solver {
        Solver::new()
    }
}

impl Solver {
    /// Creates a solver that uses all processors and a quarter of the memory available to this
    /// process.
    pub fn new() -> Solver {
        Solver::with(Settings::default())
    }

    /// Returns a builder for a solver with other settings.
    pub fn builder() -> SolverBuilder {
        SolverBuilder(Settings::default())
    }

    pub(crate) fn with(settings: Settings) -> Solver {
        Solver { engines: Arc::new(Engines::new(settings)) }
    }

    /// Returns the plan for the boards of a goal and the reason for it, without building anything.
    pub fn plan(&self, goal: &Board) -> Plan {
        self.engines.plan(goal, None)
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
        let process = || match self.engines.settings.parallel {
            Parallel::Auto | Parallel::Across => {
                // Items that wait for a thread also count as tasks, so that no thread is lent to
                // another search.
                let busy: Vec<Task> = items.iter().map(|_| self.engines.thread_share.task()).collect();
                items.par_iter().zip(busy).map(|(item, _busy)| work(item)).collect()
            }
            Parallel::Within => items.iter().map(&work).collect(),
        };
        Ok(self.pool()?.install(process))
    }

    /// Returns the number of threads.
    pub fn threads(&self) -> usize {
        self.engines.settings.threads
    }

    /// Returns the solver's threads, which the first call starts.
    pub(crate) fn pool(&self) -> Result<Arc<ThreadPool>, Error> {
        let mut pool = self.engines.pool.lock();
        if let Some(pool) = &*pool {
            return Ok(Arc::clone(pool));
        }
        let started = ThreadPoolBuilder::new().num_threads(self.threads());
        let started = started.thread_name(|number| format!("worker-{number}")).build();
        // A failure is not stored, because the system may grant threads later.
        let started = started
            .map_err(|error| Error::new(ErrorKind::System, format!("cannot start the worker threads: {error}")))?;
        Ok(Arc::clone(pool.insert(Arc::new(started))))
    }

    /// Prepares a goal: finds or builds its engine.
    pub(crate) fn prepare(&self, goal: &Board) -> PreparedGoal {
        self.engines.prepare(goal, None)
    }

    /// Runs a search with scratch memory, and keeps this memory for a later search unless enough is
    /// already kept for every thread. If the search panics, its memory is dropped, because it may
    /// be in an inconsistent state.
    pub(crate) fn with_scratch<T>(&self, search: impl FnOnce(&mut Scratch) -> T) -> T {
        let unused = self.engines.scratch.lock().pop();
        let mut scratch = unused.unwrap_or_else(|| Scratch::new(self.engines.memory_plan.list));
        let result = search(&mut scratch);
        let mut kept = self.engines.scratch.lock();
        if kept.len() < self.engines.settings.threads {
            kept.push(scratch);
        }
        result
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
#[must_use]
pub struct SolverBuilder(Settings);

impl SolverBuilder {
    /// Sets the number of threads that solve boards and build tables. Default: all processors
    /// available to this process.
    pub fn threads(mut self, threads: usize) -> SolverBuilder {
        self.0.threads = threads;
        self
    }

    /// Sets how threads are shared among boards. By default each thread solves its own board while
    /// there are enough boards, and idle threads then help with the remaining ones.
    pub fn parallel(mut self, parallel: Parallel) -> SolverBuilder {
        self.0.parallel = parallel;
        self
    }

    /// Sets the maximum number of bytes for everything together, such as tables and the nodes that
    /// searches keep. Default: a quarter of the memory of the machine or of the process's control
    /// group. About 28 MB, plus 1 MB per thread, are used even if the maximum is smaller.
    pub fn memory(mut self, bytes: u64) -> SolverBuilder {
        self.0.memory = bytes;
        self
    }

    /// Sets the engine. Default: the best engine for a board's shape.
    pub fn engine(mut self, engine: EngineKind) -> SolverBuilder {
        self.0.preference.engine = Some(engine);
        self
    }

    /// Sets the heuristic. Default: chosen automatically.
    pub fn heuristic(mut self, heuristic: HeuristicChoice) -> SolverBuilder {
        self.0.preference.heuristic = heuristic;
        self
    }

    /// Sets the required quality: proven shortest paths, or good paths quickly. By default boards
    /// of up to 25 cells get shortest paths, and larger boards good ones. With
    /// [`Quality::Shortest`], nearly all of the larger boards remain
    /// [`Answer::Unsolved`](crate::Answer::Unsolved), with
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
    pub fn quality(mut self, quality: Quality) -> SolverBuilder {
        self.0.aim.quality = Some(quality);
        self
    }

    /// Sets whether a board gets a good path when its limits end the search for a shortest one.
    pub fn fall_back(mut self, to_good: bool) -> SolverBuilder {
        self.0.aim.fallback = to_good;
        self
    }

    /// Sets the effort for a good path, from 1 (a few milliseconds per board) to 9 (a minute). The
    /// default is 5, about a second for a 6×6 board. The same effort gives the same path on every
    /// machine with the same memory. With a time limit, the path is the best one found in that
    /// time.
    pub fn effort(mut self, effort: u8) -> SolverBuilder {
        self.0.aim.effort = Some(effort);
        self
    }

    /// Sets the time limit for each board. Results may then differ from run to run. Building tables
    /// that were requested by name is not limited, because they are built once for all boards.
    pub fn time_limit(mut self, time: Duration) -> SolverBuilder {
        self.0.limits.time = Some(time);
        self
    }

    /// Sets the node limit for each board. The same limit gives the same answers on every machine
    /// with the same memory. If the memory is small, the answers of A* and of the bidirectional
    /// engine may also depend on the number of threads. With a node limit, IDA* searches each board
    /// on one thread.
    pub fn node_limit(mut self, nodes: u64) -> SolverBuilder {
        self.0.limits.nodes = Some(nodes);
        self.0.preference.has_node_limit = true;
        self
    }

    /// Builds the solver. Tables and threads are created when they are first needed.
    ///
    /// # Errors
    /// If the number of threads is 0 or more than a pool can have, or if the effort is not between
    /// 1 and 9.
    pub fn build(self) -> Result<Solver, Error> {
        let (Settings { threads, aim, .. }, max_threads) = (&self.0, rayon::max_num_threads());
        let message = match *threads {
            0 => "a solver needs at least 1 thread; 0 were requested".to_string(),
            threads if threads > max_threads => {
                format!("a solver can have at most {max_threads} threads; {threads} were requested")
            }
            _ if aim.effort.is_some_and(|effort| !Aim::EFFORTS.contains(&effort)) => {
                "the effort must be from 1 to 9".to_string()
            }
            _ => return Ok(Solver::with(self.0)),
        };
        Err(Error::new(ErrorKind::Option, message))
    }
}
