//! The interface of heuristics, and the moves by which their values change.

use crate::board::{Cell, Move, Packed, Shape, State};

/// A lower bound on the distance to the goal that satisfies the contract of [this module](super).
pub trait Heuristic: Sync {
    /// The value of a state, with any data that makes its update cheap.
    type Value: Copy + Default + Send + Sync;

    /// Computes the value of a solvable state from scratch.
    fn root(&self, state: &State) -> Self::Value;

    /// Returns the value after a step. `value` is the value before the step, `board` the state
    /// after it.
    fn after<K: Packed>(&self, value: Self::Value, board: K, step: Step) -> Self::Value;

    /// Returns the lower bound of a value.
    fn h(value: Self::Value) -> u16;
}

/// A move as seen from its tile. The blank moves the other way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// The home of the tile.
    pub tile: u8,
    /// The cell that the tile leaves and the blank enters.
    pub from: u8,
    /// The cell that the tile enters and the blank leaves.
    pub to: u8,
    /// The blank's move, in the frame's directions.
    pub blank: Move,
}

impl Step {
    /// The number of entries of a table indexed by [`Step::index`].
    pub(crate) const INDICES: usize = 128 << 5;

    /// Returns the index of the step in a table: the edge along which the tile moves, then the
    /// tile.
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
    pub(super) fn all(shape: Shape, goal_blank: Cell) -> impl Iterator<Item = Step> {
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
pub(super) fn line(shape: Shape, dimension: usize, cell: usize) -> usize {
    let cell = Cell::new(cell);
    if dimension == 0 { shape.row(cell) } else { shape.col(cell) }
}

/// Returns the tiles of a state as (cell, home), without the blank.
pub(super) fn tiles(state: &State, cells: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
    let blank = state.blank().index();
    let pair = |(cell, &home): (usize, &u8)| (cell, usize::from(home));
    state.homes(cells).iter().enumerate().map(pair).filter(move |&(cell, _)| cell != blank)
}
