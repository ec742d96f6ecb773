//! Finds all shortest paths of a solved board: chooses the best available bound, counts, and lists.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::bound::{BoundSource, DistanceBound, ExactDistance, HeuristicBound, PatternBound};
use super::count::count;
use super::known::{KnownPath, PathCount, ShortestPaths};
use super::list::{Context, list};
use super::memo::CountMemo;
use crate::board::frame::Space;
use crate::board::{Board, Cell, PathList, Shape, State};
use crate::engine::{full_table, lookup};
use crate::heuristic::WalkingConflict;
use crate::solver::PreparedGoal;
use crate::system::{Budget, Limits};

/// Maximum number of cells for which all shortest paths are counted without a cap.
const COUNTED_CELLS: usize = full_table::MAX_CELLS;

// Boards with exact distances have at most this many cells, so they have no cap, and the keys of
// the memo have room for the shape.
const _: () = assert!(COUNTED_CELLS > lookup::MAX_CELLS);

/// The limits of a count.
#[derive(Clone, Copy, Debug)]
pub struct CountOptions<'a> {
    /// The limits for each board.
    pub limits: &'a Limits,
    /// Maximum number of paths counted for boards of more than 12 cells.
    pub cap: u64,
    /// A flag that ends the work when set.
    pub stop: &'a AtomicBool,
}

/// A counter of shortest paths, with the memo and the heuristic that may serve the next board.
#[derive(Debug)]
pub struct PathCounter {
    memo: CountMemo,
    /// The last heuristic, with its shape and goal cell of the blank.
    conflict: Option<((Shape, Cell), Arc<WalkingConflict>)>,
}

/// A count of one board, independent of the source of its bounds.
struct Task<'a> {
    space: &'a Space,
    start: &'a State,
    known_path: KnownPath<'a>,
    cap: Option<u64>,
    max_listed: usize,
}

impl PathCounter {
    /// Creates a counter whose memo may take this many bytes.
    pub fn new(memo_bytes: u64) -> PathCounter {
        PathCounter { memo: CountMemo::new(memo_bytes), conflict: None }
    }

    /// Counts the shortest paths of a board. Returns `None` for boards too large to be searched.
    pub fn count(
        &mut self,
        options: &CountOptions<'_>,
        prepared: &PreparedGoal,
        board: &Board,
        known_path: KnownPath<'_>,
    ) -> Option<ShortestPaths> {
        self.count_and_list(options, prepared, board, known_path, 0).map(|(paths, _)| paths)
    }

    /// Counts the shortest paths of a board and lists the `max_listed` smallest. There is no list
    /// if a limit ended it early. Returns `None` as [`Self::count`] does.
    pub fn count_and_list(
        &mut self,
        options: &CountOptions<'_>,
        prepared: &PreparedGoal,
        board: &Board,
        known_path: KnownPath<'_>,
        max_listed: usize,
    ) -> Option<(ShortestPaths, Option<PathList>)> {
        let path = known_path.path();
        // A board on a line has only one shortest path, and so does the goal itself.
        if board.shape().is_line() || path.is_empty() {
            return Some((ShortestPaths::only(path), Some(PathList::only(path, max_listed))));
        }
        let frame = prepared.frame()?;
        let start = frame.admit(board)?;
        let (space, start) = (frame.space(), start.state());
        let source = BoundSource::of(&**prepared.engine(), options.limits.nodes.is_some(), || {
            let key = (space.shape, space.goal_blank);
            let cached = self.conflict.take().filter(|(cached_key, _)| *cached_key == key);
            let build = || (key, Arc::new(WalkingConflict::new(space.shape, space.goal_blank)));
            Arc::clone(&self.conflict.insert(cached.unwrap_or_else(build)).1)
        });
        let cap = (space.shape.cells() > COUNTED_CELLS).then_some(options.cap);
        // With exact distances no state is visited in vain, so nodes are not limited.
        let nodes = options.limits.nodes.filter(|_| !source.is_exact());
        let budget = &Budget::start(&Limits { nodes, ..*options.limits }, options.stop);
        if source.is_exact() {
            self.memo.continue_in(space)
        } else {
            self.memo.clear()
        }
        let task = Task { space, start, known_path, cap, max_listed };
        Some(match source {
            BoundSource::Lookup(table) => task.run(&mut ExactDistance::lookup(space, table), &mut self.memo, budget),
            BoundSource::Full(table) => task.run(&mut ExactDistance::full(space, table), &mut self.memo, budget),
            BoundSource::Patterns(sum) => task.run(&mut PatternBound(sum), &mut self.memo, budget),
            BoundSource::Conflict(heuristic) => {
                task.run(&mut HeuristicBound { shape: space.shape, heuristic }, &mut self.memo, budget)
            }
        })
    }
}

impl Task<'_> {
    fn run<B: DistanceBound>(
        self,
        bound: &mut B,
        memo: &mut CountMemo,
        budget: &Budget<'_>,
    ) -> (ShortestPaths, Option<PathList>) {
        let Task { space, start, known_path, cap, max_listed } = self;
        let paths = count(space, start, known_path, bound, memo, budget, cap);
        // The memo is complete after an exact count, unless it is full.
        let is_complete = matches!(paths.count, PathCount::Exactly(_)) && memo.has_room();
        let list = match max_listed {
            0 => Some(PathList::new(known_path.path().len())),
            _ => list(space, start, known_path.path().len(), max_listed, Context { bound, memo, is_complete, budget }),
        };
        (paths, list)
    }
}
