//! Manhattan distance: every tile moves home as if it were alone on the board.
//!
//! Each move takes one tile one cell closer or farther, so the sum changes by exactly 1. A step
//! costs one load from a table of 4 KB. Korf's first solutions of the 15-puzzle used this bound (R.
//! E. Korf, *Depth-first iterative-deepening*, Artificial Intelligence 27, 1985).

use super::{Heuristic, Step, tiles};
use crate::board::{Cell, Packed, Shape, State};

/// The sum of the tiles' distances from their homes.
#[derive(Clone, Debug)]
pub struct Manhattan {
    shape: Shape,
    /// By [`Step::index`]: the change by the step, 1 or −1.
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
