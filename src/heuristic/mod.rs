//! Lower bounds on the number of moves a state is from the goal.
//!
//! All of them keep one contract, which is what the engines' proofs rest on:
//!
//! * *admissible*: never more than the true distance, and 0 at the goal;
//! * *consistent, with the distance's parity*: a move changes the value by exactly 1, up or down, or
//!   at least by an odd number, and never downwards by more than 1. So f = depth + value never falls
//!   along a path, and grows by even steps: iterative deepening may raise its bound by 2;
//! * *incremental*: the value after a move follows from the value before it and the move;
//! * *immutable*: built once for a shape and the blank's goal cell, then shared by all threads.
//!
//! Values are of a type of the heuristic's own, so that it may carry along whatever makes the next
//! step cheap: an index into a table, several parts of a sum. They are kept for every node of a
//! frontier list, and therefore small.

mod linear_conflict;
mod manhattan;
pub mod pdb;
mod walking_conflict;
mod walking_distance;
mod walking_table;

pub use linear_conflict::LinearConflict;
pub use manhattan::Manhattan;
pub use walking_conflict::WalkingConflict;
pub use walking_distance::WalkingDistance;

use crate::board::{Cell, Move, Packed, Shape, State};

/// One move, seen from the tile that makes it: the blank goes the other way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// Home of the tile.
    pub tile: u8,
    /// Cell the tile leaves, where the blank arrives.
    pub from: u8,
    /// Cell where the tile arrives, which the blank leaves.
    pub to: u8,
    /// The blank's move, in the frame's directions.
    pub blank: Move,
}

impl Step {
    /// Entries of a table by [`Step::index`].
    pub(crate) const INDICES: usize = 128 << 5;

    /// Place of the step in a table: the edge it follows, then the tile.
    #[inline(always)]
    pub(crate) fn index(self) -> usize {
        let edge = usize::from(self.to & 31) << 2 | self.blank.index();
        edge << 5 | usize::from(self.tile & 31)
    }

    /// 0 when the tile changes its row, 1 when it changes its column.
    #[inline(always)]
    pub(crate) fn dimension(self) -> usize {
        usize::from(matches!(self.blank, Move::Left | Move::Right))
    }

    /// Every step that a tile can make on a shape.
    fn all(shape: Shape, goal_blank: Cell) -> impl Iterator<Item = Step> {
        (0..shape.cells()).flat_map(move |to| {
            Move::ALL
                .into_iter()
                .filter_map(move |blank| Some((blank, shape.neighbour(Cell::new(to), blank)?)))
                .flat_map(move |(blank, from)| {
                    (0..shape.cells()).filter(move |&tile| tile != goal_blank.index()).map(move |tile| Step {
                        tile: tile as u8,
                        from: from.index() as u8,
                        to: to as u8,
                        blank,
                    })
                })
        })
    }
}

/// A lower bound on the distance to the goal that keeps the contract of [this module](self).
pub trait Heuristic: Sync {
    /// The value of a state and what the heuristic carries along with it.
    type Value: Copy + Send + Sync;

    /// The value of any solvable state, from scratch.
    fn root(&self, state: &State) -> Self::Value;

    /// The value after a step: `value` belongs to the state before it, `board` is the state after it.
    fn after<K: Packed>(&self, value: Self::Value, board: K, step: Step) -> Self::Value;

    /// The lower bound itself.
    fn plies(value: Self::Value) -> u16;
}

/// Row (dimension 0) or column (dimension 1) of a cell.
fn line(shape: Shape, dimension: usize, cell: usize) -> usize {
    let cell = Cell::new(cell);
    if dimension == 0 { shape.row(cell) } else { shape.col(cell) }
}

/// The tiles of a state as (cell, home), the blank left out.
fn tiles(state: &State, cells: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
    let blank = state.blank().index();
    let pair = |(cell, &home): (usize, &u8)| (cell, usize::from(home));
    state.homes(cells).iter().enumerate().map(pair).filter(move |&(cell, _)| cell != blank)
}

#[cfg(test)]
mod tests;
