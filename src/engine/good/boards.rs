//! The properties of boards that a plan depends on.

use crate::board::{Cell, Shape};
use crate::heuristic::learned::Available;

/// The properties of the boards of a goal that a plan depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Boards {
    /// Their shape.
    pub shape: Shape,
    /// True if there are learned weights for them.
    pub has_learned_weights: bool,
}

impl Boards {
    /// Returns the properties of the boards whose goal has its blank in this cell.
    pub fn of(shape: Shape, goal_blank: Cell, weights: &Available) -> Boards {
        Boards { shape, has_learned_weights: weights.has(shape, goal_blank) }
    }
}
