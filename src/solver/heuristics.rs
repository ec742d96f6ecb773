//! Heuristics and other values that are built once, when they are first needed.

use std::hash::Hash;
use std::sync::{Arc, OnceLock};

use dashmap::DashMap;

use crate::board::frame::{Frame, Space};
use crate::board::{Board, Cell, Shape, is_solvable};
use crate::heuristic::{Heuristic, LinearConflict, WalkingConflict, lower_bound};

/// Values that are built once per key, by the first thread that needs the value. Other threads that
/// need it wait.
///
/// The functions that build values do not run jobs of the worker pool, so no thread can wait for
/// itself.
#[derive(Debug)]
pub(super) struct BuiltOnce<K: Eq + Hash, V>(DashMap<K, Arc<OnceLock<V>>>);

impl<K: Eq + Hash, V> Default for BuiltOnce<K, V> {
    fn default() -> Self {
        BuiltOnce(DashMap::new())
    }
}

impl<K: Eq + Hash + Copy, V: Clone> BuiltOnce<K, V> {
    pub(super) fn get(&self, key: &K, build: impl FnOnce() -> V) -> V {
        if let Some(built) = self.0.get(key).and_then(|cell| cell.get().cloned()) {
            return built;
        }
        // The map's lock is released before building, so that other keys stay available.
        let cell = Arc::clone(&*self.0.entry(*key).or_default());
        cell.get_or_init(build).clone()
    }
}

/// Heuristics that are needed apart from the engines, and take negligible memory. All spaces with the same shape and goal cell of the
/// blank share them.
#[derive(Default, Debug)]
pub struct Heuristics {
    linear_conflict: BuiltOnce<(Shape, Cell), Arc<LinearConflict>>,
    walking_conflict: BuiltOnce<(Shape, Cell), Arc<WalkingConflict>>,
}

impl Heuristics {
    pub(super) fn linear_conflict(&self, &Space { shape, goal_blank, .. }: &Space) -> Arc<LinearConflict> {
        self.linear_conflict.get(&(shape, goal_blank), || Arc::new(LinearConflict::new(shape, goal_blank)))
    }

    pub(super) fn walking_conflict(&self, &Space { shape, goal_blank, .. }: &Space) -> Arc<WalkingConflict> {
        self.walking_conflict.get(&(shape, goal_blank), || Arc::new(WalkingConflict::new(shape, goal_blank)))
    }

    /// Returns the linear-conflict bound of a board, or `None` if it is unsolvable. `frame` is the
    /// frame of its goal, or `None` if boards are too large for one.
    pub fn linear_conflict_bound(&self, frame: Option<&Frame>, board: &Board, goal: &Board) -> Option<u64> {
        // On a line tiles never pass each other, so they are never in conflict.
        if board.shape().is_line() {
            return is_solvable(board, goal).then(|| board.manhattan_distance(goal));
        }
        let Some(frame) = frame else { return is_solvable(board, goal).then(|| lower_bound(board, goal)) };
        let start = frame.admit(board)?;
        let heuristic = self.linear_conflict(frame.space());
        Some(u64::from(LinearConflict::h(heuristic.root(start.state()))))
    }
}
