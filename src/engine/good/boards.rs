//! What is known of boards before they are searched.

use crate::board::{Cell, Shape};
use crate::heuristic::learned::Available;

/// The boards of a goal, as far as a plan depends on them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Boards {
    /// Their shape.
    pub shape: Shape,
    /// Whether there are learned weights for them.
    pub learned: bool,
}

impl Boards {
    /// The boards whose goal has its blank in this cell.
    pub fn of(shape: Shape, goal_blank: Cell, weights: &Available) -> Boards {
        Boards { shape, learned: weights.serve(shape, goal_blank) }
    }
}
