//! Lower bounds on the number of moves from a state to the goal, and evaluations ([`evaluation`]),
//! which are estimates that may be too large. The weights of an evaluation may be trained
//! ([`learned`]).
//!
//! All lower bounds satisfy one contract, on which the engines' proofs depend:
//!
//! * *admissible*: never more than the true distance, and 0 at the goal;
//! * *consistent, with the distance's parity*: a move changes the value by an odd number (exactly 1
//!   for most heuristics) and never lowers it by more than 1. So f = depth + value never falls
//!   along a path and grows in even steps, and iterative deepening may raise its bound by 2;
//! * *incremental*: the value after a move is computed from the value before it, the move, and the
//!   state after it;
//! * *immutable*: built once for a shape and the blank's goal cell, then shared by all threads.
//!
//! Each heuristic has its own type of value, which may include data that make the next step cheap:
//! an index into a table, or the parts of a sum. Values are small, because a search stores one with
//! each node that it keeps.

pub mod evaluation;
pub mod learned;
mod linear_conflict;
pub mod pdb;
mod simple;
#[cfg(test)]
mod tests;
mod walking_distance;

pub use linear_conflict::{LinearConflict, lower_bound};
pub use simple::SimpleHeuristic;
pub use walking_distance::{WalkingConflict, WalkingDistance};

use crate::board::{Cell, Move, Packed, Shape, State};

/// A lower bound on the distance to the goal that satisfies the contract of [this module](self).
pub trait Heuristic: Sync {
    /// The value of a state, with any data that makes its update cheap.
    type Value: Copy + Default + Send + Sync;

    /// Computes the value of a solvable state from scratch.
    fn root(&self, state: &State) -> Self::Value;

    /// Returns the value after a step. `value` is the value before the step, `board` the state
    /// after it.
    fn after<K: Packed>(&self, value: Self::Value, board: K, step: Step) -> Self::Value;

    /// Returns the lower bound that a value contains.
    fn h(value: Self::Value) -> u16;
}

/// A move as seen from the moved tile. The blank moves the other way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// The home of the tile: its goal cell.
    pub tile: u8,
    /// The cell that the tile leaves and the blank enters.
    pub from: u8,
    /// The cell that the tile enters and the blank leaves.
    pub to: u8,
    /// The blank's move, in the directions of the canonical frame ([`crate::board::frame`]).
    pub blank: Move,
}

impl Step {
    /// The number of entries of a table indexed by [`Step::index`].
    pub(crate) const INDICES: usize = 128 << 5;

    /// Returns the index of the step in a table. The index consists of the cell that the tile
    /// enters, the blank's direction, and the tile.
    #[inline(always)]
    pub(crate) fn index(self) -> usize {
        let edge = usize::from(self.to & 31) << 2 | self.blank.index();
        edge << 5 | usize::from(self.tile & 31)
    }

    /// Returns 0 if the tile changes its row, 1 if it changes its column.
    #[inline(always)]
    pub(crate) fn dimension(self) -> usize {
        usize::from(matches!(self.blank, Move::Left | Move::Right))
    }

    /// Returns every step that a tile can make on a shape.
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

/// Returns the row (dimension 0) or column (dimension 1) of a cell.
fn line(shape: Shape, dimension: usize, cell: usize) -> usize {
    let cell = Cell::new(cell);
    if dimension == 0 { shape.row(cell) } else { shape.col(cell) }
}

/// Returns the tiles of a state as (cell, home), without the blank.
fn tiles(state: &State, cells: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
    let blank = state.blank().index();
    let pair = |(cell, &home): (usize, &u8)| (cell, usize::from(home));
    state.homes(cells).iter().enumerate().map(pair).filter(move |&(cell, _)| cell != blank)
}

/// Manhattan distance: the sum of the tiles' distances from their homes, as if every tile moved
/// home alone on the board.
///
/// Each move takes one tile one cell closer to its home or farther from it, so the sum changes by
/// exactly 1. A step costs one load from a table of 4 KB. Korf's first solutions of the 15-puzzle
/// used this bound (R. E. Korf, *Depth-first iterative-deepening*, Artificial Intelligence 27,
/// 1985).
#[derive(Clone, Debug)]
pub struct Manhattan {
    shape: Shape,
    /// By [`Step::index`]: the change of the sum by the step, 1 or −1.
    change: Box<[i8; Step::INDICES]>,
}

impl Manhattan {
    /// Returns the heuristic for a shape and the blank's goal cell.
    pub fn new(shape: Shape, goal_blank: Cell) -> Manhattan {
        let mut change = Box::new([0; Step::INDICES]);
        for step in Step::all(shape, goal_blank) {
            let distance = |cell: u8| shape.distance(Cell::new(usize::from(cell)), Cell::new(usize::from(step.tile)));
            change[step.index()] = if distance(step.to) > distance(step.from) { 1 } else { -1 };
        }
        Manhattan { shape, change }
    }
}

impl Heuristic for Manhattan {
    type Value = u16;

    fn root(&self, state: &State) -> u16 {
        let distance = |(cell, home)| self.shape.distance(Cell::new(cell), Cell::new(home)) as u16;
        tiles(state, self.shape.cells()).map(distance).sum()
    }

    #[inline(always)]
    fn after<K: Packed>(&self, value: u16, _: K, step: Step) -> u16 {
        value.wrapping_add_signed(i16::from(self.change[step.index()]))
    }

    #[inline(always)]
    fn h(value: u16) -> u16 {
        value
    }
}
