//! Lower bounds on the moves of a board by the simplest heuristics.

use crate::board::frame::{Frame, Space};
use crate::board::{Board, Cell, Shape, is_solvable};
use crate::heuristic::{Heuristic, LinearConflict, lower_bound};

/// Lower bounds on the moves of a board by the simplest heuristics.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct HeuristicBounds {
    /// The sum of the tiles' distances from their cells in the goal.
    pub manhattan: u64,
    /// The same, and two moves for every tile that must leave its line for another; of boards that can be solved.
    pub linear_conflict: Option<u64>,
}

/// Heuristics by what they depend on: the shape, and the cell of the frame that the goal's blank is in. Of the 3×3 there are
/// three such cells.
#[derive(Default, Debug)]
pub struct HeuristicCache {
    /// The last ones used, the latest first.
    recent: Vec<Heuristics>,
}

#[derive(Debug)]
struct Heuristics {
    space: (Shape, Cell),
    linear_conflict: LinearConflict,
}

impl HeuristicCache {
    /// Spaces whose heuristics are kept; a few kB each.
    const CAPACITY: usize = 4;

    /// The bounds of a board; `frame` is that of its goal, where boards so large are searched.
    pub fn bounds(&mut self, frame: Option<&Frame>, board: &Board, goal: &Board) -> HeuristicBounds {
        let manhattan = board.manhattan_distance(goal);
        let linear_conflict = match frame {
            // On a line tiles never pass each other, so that they are never in conflict.
            _ if board.shape().is_line() => is_solvable(board, goal).then_some(manhattan),
            Some(frame) => frame.admit(board).map(|start| {
                let heuristic = &self.heuristics(frame.space()).linear_conflict;
                u64::from(LinearConflict::plies(heuristic.root(start.state())))
            }),
            None => is_solvable(board, goal).then(|| lower_bound(board, goal)),
        };
        HeuristicBounds { manhattan, linear_conflict }
    }

    fn heuristics(&mut self, space: &Space) -> &mut Heuristics {
        let key = (space.shape, space.goal_blank);
        match self.recent.iter().position(|kept| kept.space == key) {
            Some(at) => self.recent[..=at].rotate_right(1),
            None => {
                let linear_conflict = LinearConflict::new(space.shape, space.goal_blank);
                self.recent.truncate(HeuristicCache::CAPACITY - 1);
                self.recent.insert(0, Heuristics { space: key, linear_conflict });
            }
        }
        &mut self.recent[0]
    }
}
