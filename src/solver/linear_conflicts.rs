//! The linear-conflict lower bound of boards, for data sets.

use crate::board::frame::Frame;
use crate::board::{Board, Cell, Shape, is_solvable};
use crate::heuristic::{Heuristic, LinearConflict, lower_bound};

/// A cache of the heuristic for the last board, which usually serves the next board too.
#[derive(Default, Debug)]
pub struct LinearConflicts {
    /// The shape and the cell of the goal's blank, and the heuristic.
    last: Option<((Shape, Cell), LinearConflict)>,
}

impl LinearConflicts {
    /// Returns the bound of a board, or `None` if it is unsolvable. `frame` is the frame of its
    /// goal, or `None` if boards are too large for one.
    pub fn bound(&mut self, frame: Option<&Frame>, board: &Board, goal: &Board) -> Option<u64> {
        // On a line tiles never pass each other, so they are never in conflict.
        if board.shape().is_line() {
            return is_solvable(board, goal).then(|| board.manhattan_distance(goal));
        }
        let Some(frame) = frame else { return is_solvable(board, goal).then(|| lower_bound(board, goal)) };
        let (start, space) = (frame.admit(board)?, frame.space());
        let key = (space.shape, space.goal_blank);
        let cached = self.last.take().filter(|(cached_key, _)| *cached_key == key);
        let entry = cached.unwrap_or_else(|| (key, LinearConflict::new(space.shape, space.goal_blank)));
        let (_, heuristic) = self.last.insert(entry);
        Some(u64::from(LinearConflict::h(heuristic.root(start.state()))))
    }
}
