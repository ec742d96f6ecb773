//! The batch's interface to the solver, except for the fast path.
//!
//! Each board is solved in the cheapest possible way. [`BoardSolver::attempt`] settles cheap
//! boards. Boards in a full table are collected and solved together (`lookups`). The others are
//! searched ([`BoardSolver::search`]). Every path is replayed before it becomes a verdict.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::Options;
use super::active_searches::BoardKey;
use crate::board::replay::{Fault, replay};
use crate::board::{Board, Goal, Path, PathList, Shape};
use crate::engine::contract::{Job, WorkDone};
use crate::engine::full_table::Start;
use crate::engine::{Outcome, SearchLog};
use crate::format::fields::Need;
use crate::format::output::{AllPaths, Detail, Expected, Field, Fields, PathTotal, PathsRequest, Verdict};
use crate::solver::shortest_paths::{self, CountMemo, CountOptions, PathCount};
use crate::solver::{Admitted, AnswerSharing, Estimate, FirstStep, LastGoal, PreparedGoal, Solver};
use crate::system::{Budget, InputPosition, Limit, Limits};

/// The solver of a batch, shared by all threads.
pub struct BoardSolver<'a> {
    solver: &'a Solver,
    limits: Limits,
    stop: &'a AtomicBool,
    /// True if the time of every board is measured.
    wants_time: bool,
    /// True if results contain the engine, the heuristic, the nodes or the time, which all depend
    /// on which engine answers.
    wants_engine: bool,
    /// True if results list the iterations of searches.
    wants_iterations: bool,
    /// The requested information about all shortest paths.
    paths_request: Option<PathsRequest>,
    /// Maximum number of shortest paths counted for boards of more than 12 cells, unless more are
    /// listed.
    count_cap: u64,
    /// True if a solution of each board is required.
    needs_solution: bool,
    /// True if the work of each board is estimated.
    pub needs_estimate: bool,
    /// True if the linear-conflict bound is required.
    pub needs_linear_conflict: bool,
    /// Memos of path counts that no thread is using.
    memos: Mutex<Vec<CountMemo>>,
}

/// The outcome of an attempt to solve a board without a search.
pub enum Attempt<'a> {
    /// The board is settled.
    Settled(Verdict<'a>, Option<Detail<'a>>, Option<AllPaths>),
    /// The board is in a full table, where it is best looked up together with others.
    InFullTable(Start),
    /// The board needs a search.
    Search(Admitted),
}

/// A board that needs a search.
#[derive(Debug)]
pub struct BoardSearch {
    pub board: Board,
    pub goal: Arc<PreparedGoal>,
    pub admitted: Admitted,
    /// The position of the board in its input.
    pub input_position: InputPosition,
}

/// The key of a search. Boards whose searches have the same key can share one result.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum SearchKey {
    /// The key of a search for a shortest path.
    Proven(BoardKey),
    /// The key of a search for a good path: the shape, the effort, the board and its goal, as
    /// bytes.
    Good(Box<[u8]>),
}

/// Maximum number of bytes of the listed shortest paths of a board. It bounds the memory of a
/// result.
const MAX_LISTED_BYTES: usize = 16 << 20;

/// The outcome of a search, and its cost.
#[derive(Default, Debug)]
pub struct SearchResult {
    /// The outcome; `None` if no solution was requested.
    pub outcome: Option<Outcome>,
    /// The expected work, if it was requested and is known.
    pub estimate: Option<Estimate>,
    /// The work of the engine.
    pub work_done: WorkDone,
    /// The bound and the number of nodes of each iteration, if requested.
    pub iterations: Box<[(u64, u64)]>,
    /// All shortest paths, if requested.
    pub all_paths: Option<AllPaths>,
    /// The time in microseconds.
    pub time_us: u64,
}

impl<'a> BoardSolver<'a> {
    /// Creates a solver with these options. Its searches end when `stop` is set.
    pub fn new(solver: &'a Solver, options: &Options, stop: &'a AtomicBool) -> BoardSolver<'a> {
        let limits = solver.engines.settings.limits;
        let limits = Limits { nodes: limits.nodes.filter(|&nodes| nodes != Limits::UNREACHED), ..limits };
        let writes = |field| options.style.writes(field);
        let wants_time = writes(Field::TimeUs);
        let wants_engine = wants_time || [Field::Engine, Field::Heuristic, Field::Nodes].into_iter().any(writes);
        let wants_iterations = writes(Field::Iterations);
        let fields = options.style.fields();
        let contains = |field| fields.is_some_and(|fields| fields.contains(field));
        BoardSolver {
            solver,
            limits,
            stop,
            wants_time,
            wants_engine,
            wants_iterations,
            paths_request: options.style.paths_request(),
            count_cap: options.count_cap,
            needs_solution: fields.is_none_or(Fields::need_solving),
            needs_estimate: fields.is_some_and(|fields| fields.need(Need::Sample)),
            needs_linear_conflict: contains(Field::LinearConflict),
            memos: Mutex::default(),
        }
    }

    /// Returns the prepared goal on this shape: the cached one, or a new one that replaces it.
    ///
    /// # Errors
    /// If the goal does not fit this shape.
    #[inline]
    pub fn prepare<'c>(
        &self,
        goal: &Goal,
        shape: Shape,
        cache: &'c mut LastGoal,
    ) -> Result<&'c Arc<PreparedGoal>, String> {
        cache.get(&self.solver.engines, goal, shape).map_err(|error| format!("goal: {error}"))
    }

    /// Solves a board if this is cheap. `path` and `error` are buffers for the verdict.
    #[inline]
    pub fn attempt<'b>(
        &self,
        board: &Board,
        goal: &'b Arc<PreparedGoal>,
        path: &'b mut Path,
        error: &'b mut String,
    ) -> Attempt<'b> {
        let Some(admitted) = goal.admit(board) else { return Attempt::Settled(Verdict::Unsolvable, None, None) };
        if !self.needs_solution && !self.needs_estimate {
            return Attempt::Settled(Verdict::Solvable, None, None);
        }
        let all_paths = self.look_up_path_count(goal, &admitted);
        if self.needs_estimate || self.paths_request.is_some() && all_paths.is_none() {
            return Attempt::Search(admitted);
        }
        if self.wants_engine {
            // Builds the table, if there is one for the goal: the reported engine must not depend
            // on the number of boards solved before.
            goal.path_table();
        }
        let began = self.wants_time.then(Instant::now);
        match goal.first_step(board, &admitted, &self.limits, path) {
            FirstStep::Known => {}
            FirstStep::InTable(start) => return Attempt::InFullTable(start),
            FirstStep::Search => return Attempt::Search(admitted),
        }
        let time_us = began.map_or(0, |began| began.elapsed().as_micros() as u64);
        let (engine, heuristic) = (goal.engine.name(), goal.engine.heuristic());
        let detail = Some(Detail { engine, heuristic, nodes: 0, time_us, iterations: &[] });
        Attempt::Settled(replayed(board, goal, path, error), detail, all_paths)
    }

    /// Looks up the number of shortest paths, and how they begin, in a table of all states. Returns
    /// `None` if there is no table, if a list of the paths is requested, or if nothing about all
    /// shortest paths is requested.
    fn look_up_path_count(&self, goal: &PreparedGoal, admitted: &Admitted) -> Option<AllPaths> {
        if self.paths_request? != PathsRequest::Count {
            return None;
        }
        let (paths, beginning) = goal.engine.lookup()?.count_paths(admitted.start()?)?;
        Some(AllPaths { count: PathTotal::Exactly(paths), list: None, beginning: Some(beginning) })
    }

    /// Returns the expected work of a board that is settled without a search: 0 nodes if it has no
    /// solution; `None` for any other verdict, and if no estimate was requested.
    pub fn expected_without_search(&self, verdict: &Verdict<'_>) -> Option<Expected<'static>> {
        (self.needs_estimate && matches!(verdict, Verdict::Unsolvable)).then_some(Expected { nodes: 0, search: None })
    }

    /// Returns the new messages about how engines were built.
    pub fn take_notices(&self) -> Vec<String> {
        self.solver.engines.take_notices()
    }

    /// Returns the key of a search, if repeated boards can share its result. There is no key for
    /// good paths with a time limit or for large boards ([`BoardSearch::MAX_KEY_CELLS`]). There is
    /// also none if anything about all shortest paths is requested, because lists of paths may be
    /// too long to be kept.
    pub fn key(&self, search: &BoardSearch) -> Option<SearchKey> {
        let key = search.key().filter(|_| self.paths_request.is_none())?;
        // Good paths improve until the time limit is reached. Searches for shortest paths end with
        // the same outcome unless they reach the time limit; then the outcome is not kept
        // (`Memo::finish`).
        (self.limits.time.is_none() || matches!(key, SearchKey::Proven(_))).then_some(key)
    }

    /// Searches a board within the limits of the run, with the help of idle threads, and records
    /// the search in `log`.
    pub fn search(&self, search: &BoardSearch, log: SearchLog) -> SearchResult {
        let BoardSearch { board, goal, admitted, input_position } = search;
        let estimate = self.needs_estimate.then(|| self.solver.estimate_prepared(goal, board, &self.limits, self.stop));
        if !self.needs_solution || matches!(estimate, Some(Err(Limit::Cancelled))) {
            let cancelled = Outcome::Unsolved { lower_bound: 0, limit: Limit::Cancelled };
            let outcome = matches!(estimate, Some(Err(Limit::Cancelled))).then_some(cancelled);
            return SearchResult { outcome, estimate: estimate.and_then(Result::ok), ..SearchResult::default() };
        }
        let began = Instant::now();
        let mut work_done = WorkDone { log, ..WorkDone::default() };
        let (budget, thread_share) = (&Budget::start(&self.limits, self.stop), &self.solver.engines.thread_share);
        let (problem, beam) = (goal.problem(board, admitted), goal.beam.as_deref());
        let job = Job { problem, budget, thread_share, input_position, beam };
        let mut outcome = self.solver.with_scratch(|scratch| goal.engine.solve(&job, scratch, &mut work_done));
        let all_paths = self.all_paths(search, &outcome);
        let first = all_paths.as_ref().and_then(|paths| paths.list.as_ref()).and_then(|list| list.iter().next());
        if let (Outcome::Found { .. } | Outcome::Solved(_), Some(first)) = (&outcome, first) {
            // The result is the first path of the list, which is the canonical one.
            let mut path = Path::new();
            path.assign(first);
            outcome = Outcome::Solved(path);
        }
        // If the run was stopped, a path may be longer than without the interruption. Such a path
        // is dropped, so that a resumed run gives the same result.
        match &outcome {
            Outcome::Found { lower_bound, .. } if self.stop.load(Ordering::Relaxed) => {
                outcome = Outcome::Unsolved { lower_bound: *lower_bound, limit: Limit::Cancelled };
            }
            // A list may be incomplete for the same reason.
            Outcome::Solved(path) if self.paths_request.is_some() && self.stop.load(Ordering::Relaxed) => {
                outcome = Outcome::Unsolved { lower_bound: path.len() as u64, limit: Limit::Cancelled };
            }
            _ => {}
        }
        // The log is dropped here, because it contains more than the result needs.
        let log = std::mem::take(&mut work_done.log);
        let iterations = match self.wants_iterations {
            true => log.iterations().iter().map(|iteration| (iteration.bound, iteration.nodes)).collect(),
            false => Box::default(),
        };
        let (outcome, estimate) = (Some(outcome), estimate.and_then(Result::ok));
        let time_us = began.elapsed().as_micros() as u64;
        SearchResult { outcome, estimate, work_done, iterations, all_paths, time_us }
    }

    /// Counts all shortest paths of a board, and lists them if requested. Returns `None` if neither
    /// is requested, or if no path is proven shortest.
    fn all_paths(&self, search: &BoardSearch, outcome: &Outcome) -> Option<AllPaths> {
        let path = match outcome {
            Outcome::Solved(path) => path,
            Outcome::Found { path, lower_bound } if path.len() as u64 == *lower_bound => path,
            Outcome::Found { .. } | Outcome::Unsolved { .. } => return None,
        };
        let max_fitting = MAX_LISTED_BYTES / (path.len() + 3);
        let max_paths = match self.paths_request? {
            PathsRequest::Count => 0,
            PathsRequest::List(max) => {
                max.map_or(max_fitting, |max| max_fitting.min(usize::try_from(max).unwrap_or(max_fitting)))
            }
        };
        let (limits, cap, stop) = (&self.limits, self.count_cap.max(max_paths as u64), self.stop);
        let path_is_canonical = search.goal.finds_canonical();
        let options = CountOptions { limits, cap, max_listed: max_paths, path_is_canonical, stop };
        let unused = self.memos.lock().pop();
        let mut memo = unused.unwrap_or_else(|| CountMemo::new(CountMemo::LIST_BYTES));
        let found = shortest_paths::count(&mut memo, &options, &search.goal, &search.board, path);
        self.memos.lock().push(memo);
        Some(match found {
            Some((paths, list)) => AllPaths {
                count: match paths.count {
                    PathCount::Exactly(paths) => PathTotal::Exactly(paths),
                    PathCount::AtLeast(paths, limit) => PathTotal::AtLeast(paths, limit.name()),
                },
                list,
                beginning: paths.beginning,
            },
            // The board is too large for its paths to be counted, so only one path is known.
            None => AllPaths { count: PathTotal::AtLeast(1, Limit::Effort.name()), list: None, beginning: None },
        })
    }
}

impl SearchResult {
    /// Returns the expected work, if it was requested and is known.
    pub fn expected(&self) -> Option<Expected<'_>> {
        let nodes = self.estimate.as_ref()?.nodes()?;
        let search = match self.estimate.as_ref()? {
            Estimate::Search { moves, heuristic, time, .. } => {
                Some((*moves, u64::try_from(time.as_micros()).unwrap_or(u64::MAX), heuristic.as_str()))
            }
            _ => None,
        };
        Some(Expected { nodes, search })
    }

    /// Returns the expected time of the search on one thread; `None` if it is not known.
    pub fn expected_time(&self) -> Option<Duration> {
        match self.estimate.as_ref()? {
            Estimate::Search { time, .. } => Some(*time),
            estimate => estimate.nodes().map(|_| Duration::ZERO),
        }
    }

    /// Returns true if the run was stopped before the search ended.
    pub fn is_cancelled(&self) -> bool {
        matches!(self.outcome, Some(Outcome::Unsolved { limit: Limit::Cancelled, .. }))
    }
}

impl BoardSearch {
    /// Maximum number of cells of boards with keys. Good paths of larger boards are long, and such
    /// boards rarely repeat.
    const MAX_KEY_CELLS: usize = 64;

    /// Returns the key of a search for a shortest path.
    pub fn board_key(&self) -> Option<BoardKey> {
        match (self.goal.sharing, self.goal.space(), self.admitted.start()) {
            (AnswerSharing::InFrame(_), Some(space), Some(start)) => {
                Some((*space, start.state().pack_wide(space.shape.cells())))
            }
            _ => None,
        }
    }

    /// Returns the key of the result, or `None` for boards whose results are too large to be kept.
    fn key(&self) -> Option<SearchKey> {
        match self.goal.sharing {
            AnswerSharing::InFrame(_) => self.board_key().map(SearchKey::Proven),
            AnswerSharing::AtEffort(effort) => {
                let shape = self.board.shape();
                let size = [shape.rows() as u8, shape.cols() as u8, effort];
                let tiles = |board: &Board| board.tiles().iter().map(|tile| tile.label() as u8).collect::<Vec<u8>>();
                let key = || [&size[..], &tiles(&self.board), &tiles(&self.goal.goal)].concat().into();
                (shape.cells() <= BoardSearch::MAX_KEY_CELLS).then(|| SearchKey::Good(key()))
            }
        }
    }

    /// Replays all listed paths.
    fn replay_all(&self, result: &SearchResult) -> Result<(), Fault> {
        let listed = result.all_paths.as_ref().and_then(|paths| paths.list.as_ref());
        listed.into_iter().flat_map(PathList::iter).try_for_each(|path| replay(&self.board, &self.goal.goal, path))
    }

    /// Returns the verdict on the board, from the result of this search or of another with the same
    /// key. Returns `None` if that search was cancelled.
    pub fn verdict<'a>(
        &'a self,
        result: &'a SearchResult,
        error: &'a mut String,
    ) -> Option<(Verdict<'a>, Option<Detail<'a>>)> {
        let Some(outcome) = &result.outcome else { return Some((Verdict::Solvable, None)) };
        let verdict = match outcome {
            Outcome::Solved(path) => match self.replay_all(result) {
                Ok(()) => replayed(&self.board, &self.goal, path, error),
                Err(fault) => {
                    *error = format!("internal error: invalid path in the list: {fault}");
                    Verdict::Failed(error)
                }
            },
            Outcome::Unsolved { limit: Limit::Cancelled, .. } => return None,
            Outcome::Found { path, lower_bound } => match replayed(&self.board, &self.goal, path, error) {
                Verdict::Solved(path) => {
                    Verdict::Found { path, lower_bound: *lower_bound, limit: result.work_done.limit }
                }
                failed => failed,
            },
            &Outcome::Unsolved { lower_bound, limit } => Verdict::Unsolved { lower_bound, limit },
        };
        let (engine, heuristic) = self.goal.names(&result.work_done.answered_by);
        let (nodes, time_us, iterations) = (result.work_done.stats.generated, result.time_us, &*result.iterations);
        Some((verdict, Some(Detail { engine, heuristic, nodes, time_us, iterations })))
    }
}

/// Returns the verdict on a board for which an engine found a path: solved if the path leads to the
/// goal, otherwise failed.
#[inline]
pub fn replayed<'a>(board: &Board, goal: &PreparedGoal, path: &'a Path, error: &'a mut String) -> Verdict<'a> {
    match replay(board, &goal.goal, path.letters()) {
        Ok(()) => Verdict::Solved(path),
        Err(fault) => {
            *error = format!("internal error: invalid path: {fault}");
            Verdict::Failed(error)
        }
    }
}
