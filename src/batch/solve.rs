//! How a board is solved: all that the batch asks of the solver, but for the fast path.
//!
//! A board takes the cheapest way that answers it. [`BoardSolver::attempt`] settles what costs next to nothing; boards
//! that a full table answers are gathered and solved together ([`solve_in_full_table`]); the others are searched
//! ([`BoardSolver::search`]). A path is replayed before it becomes a verdict, whichever way it was found.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::options::Options;
use crate::board::frame::Space;
use crate::board::{Board, Goal, Path, Shape};
use crate::engine::Outcome;
use crate::engine::contract::{Effort, Engine};
use crate::engine::full_table::Start;
use crate::format::output::{Detail, Verdict};
use crate::solver::{Admitted, LastGoal, PreparedGoal, Shared, Solver};
use crate::system::{Budget, Limit, Limits};

/// Solves boards, on any thread.
pub struct BoardSolver<'a> {
    solver: &'a Solver,
    limits: &'a Limits,
    stop: &'a AtomicBool,
    /// Whether the time of every single board is measured.
    wants_time: bool,
}

/// What came of a board without a search.
pub enum Attempt<'a> {
    /// It is settled.
    Settled(Verdict<'a>, Option<Detail<'a>>),
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
}

/// What decides the result of a search.
#[derive(Debug)]
pub enum SearchKey {
    /// A board in its space.
    Proven(Space, u128),
    /// A board, its goal, and the level.
    Good(Box<[u8]>),
}

/// How a search ended, and what it cost.
#[derive(Debug)]
pub struct SearchResult {
    /// How it ended.
    pub outcome: Outcome,
    /// What it did.
    pub effort: Effort,
    /// How long it took, in microseconds.
    pub time_us: u64,
}

impl<'a> BoardSolver<'a> {
    /// Solves boards with these options until `stop` is raised.
    pub fn new(solver: &'a Solver, options: &Options, stop: &'a AtomicBool) -> BoardSolver<'a> {
        BoardSolver { solver, limits: &solver.settings().limits, stop, wants_time: options.style.wants_time() }
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
        let Some(admitted) = goal.admit(board) else { return Attempt::Settled(Verdict::Unsolvable, None) };
        // With a limit of nodes, what answers must not depend on when the table is there.
        if self.limits.nodes.is_none()
            && let Some((table, start)) = goal.full_table().zip(admitted.start())
        {
            return Attempt::InFullTable(table.start(start));
        }
        let began = self.wants_time.then(Instant::now);
        if !goal.answer_at_once(board, &admitted, path) {
            return Attempt::Search(Search { board: board.clone(), goal: Arc::clone(goal), admitted });
        }
        self.solver.engines().pass_trap(board);
        let time_us = began.map_or(0, |began| began.elapsed().as_micros() as u64);
        let (engine, heuristic) = (goal.engine().name(), goal.engine().heuristic());
        let detail = Some(Detail { engine, heuristic, nodes: 0, time_us });
        Attempt::Settled(replayed(board, goal, path, error), detail)
    }

    /// What decides the result of a search, where anything but a clock does.
    pub fn key(&self, search: &Search) -> Option<SearchKey> {
        let key = search.key()?;
        // Until a limit of time paths become better and better.
        (self.limits.time.is_none() || matches!(key, SearchKey::Proven(..))).then_some(key)
    }

    /// Searches a board within the limits of the run, with the help of idle threads.
    pub fn search(&self, search: &Search) -> SearchResult {
        let began = Instant::now();
        let mut scratch = self.solver.take_scratch();
        let mut effort = Effort::default();
        let budget = Budget::start(self.limits, self.stop);
        self.solver.engines().pass_trap(&search.board);
        let Search { board, goal, admitted } = search;
        let mut outcome = goal.search(board, admitted, &budget, self.solver.thread_share(), &mut scratch, &mut effort);
        self.solver.keep_scratch(scratch);
        // A path as good as the interruption let it become is no result: the run that goes on from here finds the other.
        if let (Outcome::Found { lower_bound, .. }, true) = (&outcome, self.stop.load(Ordering::Relaxed)) {
            outcome = Outcome::Unsolved { lower_bound: *lower_bound, limit: Limit::Cancelled };
        }
        SearchResult { outcome, effort, time_us: began.elapsed().as_micros() as u64 }
    }
}

impl Search {
    /// Good paths of larger boards are long, and boards that large seldom come twice.
    const MOST_CELLS_OF_KEYS: usize = 64;

    /// What decides its result; `None` for boards that are too large to be kept as keys.
    fn key(&self) -> Option<SearchKey> {
        match self.goal.shared() {
            Shared::InFrame => {
                let (space, start) = self.goal.space().zip(self.admitted.start())?;
                Some(SearchKey::Proven(*space, start.state().pack_wide(space.shape.cells())))
            }
            Shared::AtLevel(level) => {
                let shape = self.board.shape();
                let size = [shape.rows() as u8, shape.cols() as u8, level];
                let tiles = |board: &Board| board.tiles().iter().map(|tile| tile.label() as u8).collect::<Vec<u8>>();
                let key = || [&size[..], &tiles(&self.board), &tiles(self.goal.goal())].concat().into();
                (shape.cells() <= Search::MOST_CELLS_OF_KEYS).then(|| SearchKey::Good(key()))
            }
        }
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
        let verdict = match &result.outcome {
            Outcome::Solved(path) => replayed(&self.board, &self.goal, path, error),
            Outcome::Unsolved { limit: Limit::Cancelled, .. } => return None,
            Outcome::Found { path, lower_bound } => match replayed(&self.board, &self.goal, path, error) {
                Verdict::Solved(path) => Verdict::Found { path, lower_bound: *lower_bound, limit: result.effort.limit },
                failed => failed,
            },
            &Outcome::Unsolved { lower_bound, limit } => Verdict::Unsolved { lower_bound, limit },
        };
        let (engine, heuristic) = self.goal.names(&result.effort.answered_by);
        let (nodes, time_us) = (result.effort.stats.generated, result.time_us);
        Some((verdict, Some(Detail { engine, heuristic, nodes, time_us })))
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
            *error = format!("a path was found that is none: {fault}");
            Verdict::Failed(error)
        }
    }
}
