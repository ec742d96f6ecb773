//! How a board is solved: all that the batch asks of the solver, but for the fast path.
//!
//! A board takes the cheapest way that answers it. [`BoardSolver::attempt`] settles what costs next to nothing; boards
//! that a full table answers are gathered and solved together ([`solve_in_full_table`]); the others are searched
//! ([`BoardSolver::search`]). A path is replayed before it becomes a verdict, whichever way it was found.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use parking_lot::Mutex;

use super::options::Options;
use super::under_way::BoardKey;
use crate::board::frame::Space;
use crate::board::replay::{Fault, replay};
use crate::board::{Board, Goal, Path, PathList, Shape};
use crate::engine::contract::{Effort, Engine};
use crate::engine::full_table::Start;
use crate::engine::{Outcome, SearchLog};
use crate::format::fields::Need;
use crate::format::output::{AllPaths, Detail, Expected, Field, Fields, PathTotal, PathsAsked, Verdict};
use crate::solver::shortest_paths::{CountMemo, CountOptions, Known, PathCount, PathCounter};
use crate::solver::{Admitted, Estimate, LastGoal, LinearConflicts, PreparedGoal, SearchEstimate, Shared, Solver};
use crate::system::{Budget, Limit, Limits, ToCome};

/// Solves boards, on any thread.
pub struct BoardSolver<'a> {
    solver: &'a Solver,
    limits: Limits,
    stop: &'a AtomicBool,
    /// Whether the time of every single board is measured.
    wants_time: bool,
    /// Whether it is told what solved a board, and by how many nodes.
    wants_engine: bool,
    /// Whether the iterations of searches are told.
    wants_iterations: bool,
    /// What is wanted of all shortest paths.
    paths_asked: Option<PathsAsked>,
    /// The most shortest paths that are counted of boards of more than 12 cells, if not more are listed.
    count_cap: u64,
    /// Whether a solution is wanted of each board.
    needs_solution: bool,
    /// Whether the work of each board is estimated.
    needs_estimate: bool,
    /// Whether the bound by linear conflicts is wanted.
    needs_linear_conflict: bool,
    /// Heuristics that no thread uses.
    heuristics: Mutex<Vec<LinearConflicts>>,
    /// Counters that no thread uses.
    counters: Mutex<Vec<PathCounter>>,
}

/// What came of a board without a search.
pub enum Attempt<'a> {
    /// It is settled.
    Settled(Verdict<'a>, Option<Detail<'a>>, Option<AllPaths>),
    /// A full table answers it, at the least cost together with others.
    InFullTable(Start),
    /// It has to be searched.
    Search(Search),
}

/// A board that has to be searched.
#[derive(Debug)]
pub struct Search {
    board: Board,
    goal: Arc<PreparedGoal>,
    admitted: Admitted,
    /// How much of the input comes after it.
    pub to_come: ToCome,
}

/// What decides the result of a search.
#[derive(Debug)]
pub enum SearchKey {
    /// A board in its space.
    Proven(Space, u128),
    /// A board, its goal, and the level.
    Good(Box<[u8]>),
}

/// The most letters that are listed of all shortest paths of a board: no record may take the memory of the run.
const MOST_LISTED: usize = 16 << 20;

/// How a search ended, and what it cost.
#[derive(Debug)]
pub struct SearchResult {
    /// How it ended; `None` if no solution was requested.
    pub outcome: Option<Outcome>,
    /// The expected work, if it was requested and is known.
    pub estimate: Option<Estimate>,
    /// What it did.
    pub effort: Effort,
    /// Bounds and nodes of its iterations, where they are asked for.
    pub iterations: Box<[(u64, u64)]>,
    /// All shortest paths, where they were asked for.
    pub all: Option<AllPaths>,
    /// How long it took, in microseconds.
    pub time_us: u64,
}

impl<'a> BoardSolver<'a> {
    /// Solves boards with these options until `stop` is raised.
    pub fn new(solver: &'a Solver, options: &Options, stop: &'a AtomicBool) -> BoardSolver<'a> {
        let limits = solver.settings().limits;
        let limits = Limits { nodes: limits.nodes.filter(|&nodes| nodes != Limits::UNREACHED), ..limits };
        let wants_time = options.style.wants_time();
        let wants_engine = wants_time || options.style.wants_engine();
        let wants_iterations = options.style.fields().is_some_and(|fields| fields.contains(Field::Iterations));
        let fields = options.style.fields();
        BoardSolver {
            solver,
            limits,
            stop,
            wants_time,
            wants_engine,
            wants_iterations,
            paths_asked: options.style.paths_asked(),
            count_cap: options.count_cap,
            needs_solution: fields.is_none_or(Fields::need_solutions),
            needs_estimate: fields.is_some_and(|fields| fields.need(Need::Sample)),
            needs_linear_conflict: fields.is_some_and(|fields| fields.contains(Field::LinearConflict)),
            counters: Mutex::default(),
            heuristics: Mutex::default(),
        }
    }

    /// The goal on this shape, ready to be used: the one in the cache, or else in its place.
    ///
    /// # Errors
    /// When the goal is none on this shape.
    #[inline]
    pub fn prepare<'c>(
        &self,
        asked: &Goal,
        shape: Shape,
        cache: &'c mut LastGoal,
    ) -> Result<&'c Arc<PreparedGoal>, String> {
        cache.get(self.solver.engines(), asked, shape).map_err(|error| format!("goal: {error}"))
    }

    /// Solves a board if that costs next to nothing. `path` and `error` are buffers for the verdict.
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
        let all = self.counted_at_once(goal, &admitted);
        if self.needs_estimate || self.paths_asked.is_some() && all.is_none() {
            return Attempt::Search(Search::new(board, goal, admitted));
        }
        // With a limit of nodes, what answers must not depend on when the table is there.
        if self.limits.nodes.is_none()
            && let Some((table, start)) = goal.full_table().zip(admitted.start())
        {
            return Attempt::InFullTable(table.start(start));
        }
        if self.wants_engine {
            // What is told of the engine must not depend on how many boards there are.
            goal.path_table();
        }
        let began = self.wants_time.then(Instant::now);
        if !goal.answer_at_once(board, &admitted, path) {
            return Attempt::Search(Search::new(board, goal, admitted));
        }
        self.solver.engines().pass_trap(board);
        let time_us = began.map_or(0, |began| began.elapsed().as_micros() as u64);
        let (engine, heuristic) = (goal.engine().name(), goal.engine().heuristic());
        let detail = Some(Detail { engine, heuristic, nodes: 0, time_us, iterations: &[] });
        Attempt::Settled(replayed(board, goal, path, error), detail, all)
    }

    /// Returns the number of shortest paths and their beginning from a table of all states, where there is one.
    fn counted_at_once(&self, goal: &PreparedGoal, admitted: &Admitted) -> Option<AllPaths> {
        if self.paths_asked? != PathsAsked::Count {
            return None;
        }
        let (paths, beginning) = goal.count_at_once(admitted)?;
        Some(AllPaths { count: PathTotal::Exactly(paths), list: None, beginning: Some(beginning) })
    }

    /// Returns the work that is expected of a board that is settled without a search.
    pub fn expected_at_once(&self, verdict: &Verdict<'_>) -> Option<Expected<'static>> {
        (self.needs_estimate && matches!(verdict, Verdict::Unsolvable)).then_some(Expected { nodes: 0, search: None })
    }

    /// Returns the bound of a board by linear conflicts, if it is requested and the board has a solution.
    pub fn linear_conflict(&self, board: &Board, goal: &PreparedGoal) -> Option<u64> {
        if !self.needs_linear_conflict {
            return None;
        }
        let mut heuristics = self.heuristics.lock().pop().unwrap_or_default();
        let bound = heuristics.bound(goal.frame(), board, goal.goal());
        self.heuristics.lock().push(heuristics);
        bound
    }

    /// What users should know of how engines were built, told once.
    pub fn take_notices(&self) -> Vec<String> {
        self.solver.engines().take_notices()
    }

    /// What decides the result of a search, where anything but a clock does. Where all shortest paths are asked for none is kept
    /// for boards that come again: lists may be long.
    pub fn key(&self, search: &Search) -> Option<SearchKey> {
        let key = search.key().filter(|_| self.paths_asked.is_none())?;
        // Until a limit of time paths become better and better.
        (self.limits.time.is_none() || matches!(key, SearchKey::Proven(..))).then_some(key)
    }

    /// Searches a board within the limits of the run, with the help of idle threads, and tells the log of it.
    pub fn search(&self, search: &Search, log: SearchLog) -> SearchResult {
        self.solver.engines().pass_trap(&search.board);
        let Search { board, goal, admitted, to_come } = search;
        let estimate = self.needs_estimate.then(|| self.solver.estimate_prepared(goal, board, &self.limits, self.stop));
        if !self.needs_solution || matches!(estimate, Some(Err(Limit::Cancelled))) {
            let cancelled = Outcome::Unsolved { lower_bound: 0, limit: Limit::Cancelled };
            return SearchResult {
                outcome: matches!(estimate, Some(Err(Limit::Cancelled))).then_some(cancelled),
                estimate: estimate.and_then(Result::ok),
                effort: Effort::default(),
                iterations: Box::default(),
                all: None,
                time_us: 0,
            };
        }
        let began = Instant::now();
        let mut scratch = self.solver.take_scratch();
        let mut effort = Effort { log, ..Effort::default() };
        let budget = Budget::start(&self.limits, self.stop);
        let beside = (self.solver.thread_share(), to_come);
        let mut outcome = goal.search(board, admitted, &budget, beside, &mut scratch, &mut effort);
        self.solver.keep_scratch(scratch);
        let all = self.all_paths(search, &outcome);
        let first = all.as_ref().and_then(|all| all.list.as_ref()).and_then(|list| list.iter().next());
        if let (Outcome::Found { .. } | Outcome::Solved(_), Some(first)) = (&outcome, first) {
            // A good path that is as short as its bound, or any shortest one: the first of all is the one that others would get.
            let mut path = Path::new();
            path.assign(first);
            outcome = Outcome::Solved(path);
        }
        // A path as good as the interruption let it become is no result: the run that goes on from here finds the other.
        match &outcome {
            Outcome::Found { lower_bound, .. } if self.stop.load(Ordering::Relaxed) => {
                outcome = Outcome::Unsolved { lower_bound: *lower_bound, limit: Limit::Cancelled };
            }
            // The same goes for a list that was cut short.
            Outcome::Solved(path) if self.paths_asked.is_some() && self.stop.load(Ordering::Relaxed) => {
                outcome = Outcome::Unsolved { lower_bound: path.len() as u64, limit: Limit::Cancelled };
            }
            _ => {}
        }
        // A log holds more than is to be kept with the result.
        let log = std::mem::take(&mut effort.log);
        let iterations = match self.wants_iterations {
            true => log.iterations().iter().map(|iteration| (iteration.bound, iteration.nodes)).collect(),
            false => Box::default(),
        };
        let (outcome, estimate) = (Some(outcome), estimate.and_then(Result::ok));
        SearchResult { outcome, estimate, effort, iterations, all, time_us: began.elapsed().as_micros() as u64 }
    }

    /// All shortest paths of a board, where they are asked for and one is known.
    fn all_paths(&self, search: &Search, outcome: &Outcome) -> Option<AllPaths> {
        let path = match outcome {
            Outcome::Solved(path) => path,
            Outcome::Found { path, lower_bound } if path.len() as u64 == *lower_bound => path,
            Outcome::Found { .. } | Outcome::Unsolved { .. } => return None,
        };
        let fitting = MOST_LISTED / (path.len() + 3);
        let most = match self.paths_asked? {
            PathsAsked::Count => 0,
            PathsAsked::List(most) => {
                most.map_or(fitting, |most| fitting.min(usize::try_from(most).unwrap_or(fitting)))
            }
        };
        let options = CountOptions { limits: &self.limits, cap: self.count_cap.max(most as u64), stop: self.stop };
        let free = self.counters.lock().pop();
        let mut counter = free.unwrap_or_else(|| PathCounter::new(CountMemo::LIST_BYTES));
        let known = Known::new(path, search.goal.finds_first());
        let found = counter.count_and_list(&options, &search.goal, &search.board, known, most);
        self.counters.lock().push(counter);
        Some(match found {
            Some((paths, list)) => AllPaths {
                count: match paths.count {
                    PathCount::Exactly(paths) => PathTotal::Exactly(paths),
                    PathCount::AtLeast(paths, limit) => PathTotal::AtLeast(paths, limit.name()),
                },
                list,
                beginning: paths.beginning,
            },
            // Of boards too large for a search the one is known.
            None => AllPaths { count: PathTotal::AtLeast(1, Limit::Effort.name()), list: None, beginning: None },
        })
    }
}

impl SearchResult {
    /// Returns the expected work, if it was requested and is known.
    pub fn expected(&self) -> Option<Expected<'_>> {
        let nodes = self.estimate.as_ref()?.nodes()?;
        let search = match self.estimate.as_ref()? {
            Estimate::Search(SearchEstimate { moves, heuristic, time, .. }) => {
                Some((*moves, u64::try_from(time.as_micros()).unwrap_or(u64::MAX), heuristic.as_str()))
            }
            _ => None,
        };
        Some(Expected { nodes, search })
    }

    /// Whether the run was stopped before it ended.
    pub fn is_cancelled(&self) -> bool {
        matches!(self.outcome, Some(Outcome::Unsolved { limit: Limit::Cancelled, .. }))
    }
}

impl Search {
    fn new(board: &Board, goal: &Arc<PreparedGoal>, admitted: Admitted) -> Search {
        Search { board: board.clone(), goal: Arc::clone(goal), admitted, to_come: ToCome::NOTHING }
    }

    /// Good paths of larger boards are long, and boards that large seldom come twice.
    const MOST_CELLS_OF_KEYS: usize = 64;

    /// What decides a search for a proof.
    pub fn board_key(&self) -> Option<BoardKey> {
        match (self.goal.shared(), self.goal.space(), self.admitted.start()) {
            (Shared::InFrame(_), Some(space), Some(start)) => {
                Some((*space, start.state().pack_wide(space.shape.cells())))
            }
            _ => None,
        }
    }

    /// What decides its result; `None` for boards that are too large to be kept as keys.
    fn key(&self) -> Option<SearchKey> {
        match self.goal.shared() {
            Shared::InFrame(_) => self.board_key().map(|(space, board)| SearchKey::Proven(space, board)),
            Shared::AtLevel(level) => {
                let shape = self.board.shape();
                let size = [shape.rows() as u8, shape.cols() as u8, level];
                let tiles = |board: &Board| board.tiles().iter().map(|tile| tile.label() as u8).collect::<Vec<u8>>();
                let key = || [&size[..], &tiles(&self.board), &tiles(self.goal.goal())].concat().into();
                (shape.cells() <= Search::MOST_CELLS_OF_KEYS).then(|| SearchKey::Good(key()))
            }
        }
    }

    /// Replays all paths that are listed.
    fn replay_all(&self, result: &SearchResult) -> Result<(), Fault> {
        let listed = result.all.as_ref().and_then(|all| all.list.as_ref());
        listed.into_iter().flat_map(PathList::iter).try_for_each(|path| replay(&self.board, self.goal.goal(), path))
    }

    /// The board, and its goal.
    pub fn puzzle(&self) -> (&Board, &Board) {
        (&self.board, self.goal.goal())
    }

    /// The verdict on its board by the result of this search, or of another with the same key; `None` when that was
    /// cancelled.
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
                    *error = format!("a path was listed that is none: {fault}");
                    Verdict::Failed(error)
                }
            },
            Outcome::Unsolved { limit: Limit::Cancelled, .. } => return None,
            Outcome::Found { path, lower_bound } => match replayed(&self.board, &self.goal, path, error) {
                Verdict::Solved(path) => Verdict::Found { path, lower_bound: *lower_bound, limit: result.effort.limit },
                failed => failed,
            },
            &Outcome::Unsolved { lower_bound, limit } => Verdict::Unsolved { lower_bound, limit },
        };
        let (engine, heuristic) = self.goal.names(&result.effort.answered_by);
        let (nodes, time_us, iterations) = (result.effort.stats.generated, result.time_us, &*result.iterations);
        Some((verdict, Some(Detail { engine, heuristic, nodes, time_us, iterations })))
    }
}

/// The paths of boards that this engine answers from a full table.
///
/// # Panics
/// When the engine has no full table.
pub fn solve_in_full_table(engine: &dyn Engine, starts: &[Start]) -> Vec<Path> {
    let mut paths = vec![Path::new(); starts.len()];
    match engine.full_table() {
        Some(table) => table.solve_all(starts, &mut paths),
        None => panic!("a full table was there and is not"),
    }
    paths
}

/// The verdict on a board for which an engine found a path: solved, if the path leads to the goal.
#[inline]
pub fn replayed<'a>(board: &Board, goal: &PreparedGoal, path: &'a Path, error: &'a mut String) -> Verdict<'a> {
    match goal.replay(board, path) {
        Ok(()) => Verdict::Solved(path),
        Err(fault) => {
            *error = format!("internal error: invalid path: {fault}");
            Verdict::Failed(error)
        }
    }
}
