//! Walking distance: relaxed puzzles in which the tiles of the same home line are
//! indistinguishable.
//!
//! It is the sum of the solution lengths of two relaxed puzzles, one for the vertical and one for
//! the horizontal moves (see `walking_table.rs`). Unlike Manhattan distance, it takes into account
//! that a tile can only move into the blank's line, and that the blank then moves into the tile's.
//! Each move is a move in one of the relaxed puzzles. Their graphs are bipartite (by the blank's
//! line), so the value changes by exactly 1.
//!
//! *Cost:* one load per node. On 4×4 there are two tables of 24,964 states, of 0.8 MB each. With
//! the maps for root values, both together take 3.8 MB. They are built in milliseconds. If the
//! puzzle of a dimension has too many states for a table (5×5, long rows), Manhattan distance with
//! linear conflict is used for that dimension.

use super::step::{line, tiles};
use super::walking_table::{Place, WalkingTable};
use super::{Heuristic, LinearConflict, Step};
use crate::board::{Cell, Move, Packed, Shape, State};

/// Walking distance in both dimensions.
#[derive(Clone, Debug)]
pub struct WalkingDistance {
    shape: Shape,
    /// By dimension: the vertical moves, then the horizontal ones. `None` means linear conflict.
    tables: [Option<WalkingTable>; 2],
    pub(super) conflict: LinearConflict,
    /// By [`Step::index`]: the slot of the step's transition.
    slots: Box<[u8; Step::INDICES]>,
}

impl WalkingDistance {
    /// Returns the heuristic for a shape and the blank's goal cell.
    pub fn new(shape: Shape, goal_blank: Cell) -> WalkingDistance {
        let sides = [shape.rows(), shape.cols()];
        let build = |dimension: usize| {
            let (lines, width) = (sides[dimension], sides[1 - dimension]);
            WalkingTable::is_small(lines, width)
                .then(|| WalkingTable::build(lines, width, line(shape, dimension, goal_blank.index())))
        };
        let vertical = build(0);
        // If the blank's goal is on the main diagonal of a square, both tables are the same.
        let [row, column] = [0, 1].map(|dimension| line(shape, dimension, goal_blank.index()));
        let is_same = sides[0] == sides[1] && row == column;
        let horizontal = if is_same { vertical.clone() } else { build(1) };
        let tables = [vertical, horizontal];
        let mut slots = Box::new([0; Step::INDICES]);
        for step in Step::all(shape, goal_blank) {
            let home = line(shape, step.dimension(), usize::from(step.tile));
            let forward = matches!(step.blank, Move::Down | Move::Right);
            slots[step.index()] = WalkingTable::slot(sides[step.dimension()], forward, home) as u8;
        }
        let conflict = LinearConflict::new(shape, goal_blank);
        WalkingDistance { shape, tables, conflict, slots }
    }
}

impl Heuristic for WalkingDistance {
    /// The place in each table, or the bound itself if there is no table.
    type Value = [Place; 2];

    fn root(&self, state: &State) -> [Place; 2] {
        let parts = self.conflict.parts(state);
        [0, 1].map(|dimension| match &self.tables[dimension] {
            Some(table) => {
                let line = |cell| line(self.shape, dimension, cell);
                let pairs = tiles(state, self.shape.cells()).map(|(cell, home)| (line(cell), line(home)));
                table.place(pairs, line(state.blank().index()))
            }
            None => Place::from(parts[dimension]),
        })
    }

    #[inline(always)]
    fn after<K: Packed>(&self, mut value: [Place; 2], board: K, step: Step) -> [Place; 2] {
        let dimension = step.dimension();
        value[dimension] = match &self.tables[dimension] {
            Some(table) => table.after(value[dimension], usize::from(self.slots[step.index()])),
            None => value[dimension].wrapping_add_signed(i32::from(self.conflict.change(board, step))),
        };
        value
    }

    #[inline(always)]
    fn h(value: [Place; 2]) -> u16 {
        ((value[0] & 255) + (value[1] & 255)) as u16
    }
}
