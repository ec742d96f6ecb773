//! States in one word, for the inner loops of the searches.
//!
//! A state is copied for every node, so it is stored compactly: four bits per cell in a `u64` up to
//! 16 cells, five per cell in a `u128` up to 25. The words are the keys of [`State::pack`] and
//! [`State::pack_wide`]. A move is two XORs, because exchanging the values of two cells flips the
//! same bits in both.

use std::fmt;

use super::State;

/// The homes of a state's tiles in one word, cell 0 in the lowest bits.
pub trait Packed: Copy + Eq + fmt::Debug + Send + Sync + 'static {
    /// Maximum number of cells.
    const MAX_CELLS: usize;

    /// Packs a state of `cells` cells.
    fn of(state: &State, cells: usize) -> Self;

    /// Returns the home of the tile in a cell.
    fn home(self, cell: usize) -> usize;

    /// Returns the word after the blank (whose home is `goal_blank`) has moved from cell `blank` to
    /// cell `to`.
    fn slid(self, blank: usize, to: usize, goal_blank: usize) -> Self;
}

impl Packed for u64 {
    const MAX_CELLS: usize = 16;

    fn of(state: &State, cells: usize) -> u64 {
        state.pack(cells)
    }

    #[inline(always)]
    fn home(self, cell: usize) -> usize {
        (self >> (4 * cell)) as usize & 15
    }

    #[inline(always)]
    fn slid(self, blank: usize, to: usize, goal_blank: usize) -> u64 {
        let flip = (self.home(to) ^ goal_blank) as u64;
        self ^ flip << (4 * blank) ^ flip << (4 * to)
    }
}

impl Packed for u128 {
    const MAX_CELLS: usize = 25;

    fn of(state: &State, cells: usize) -> u128 {
        state.pack_wide(cells)
    }

    #[inline(always)]
    fn home(self, cell: usize) -> usize {
        (self >> (5 * cell)) as usize & 31
    }

    #[inline(always)]
    fn slid(self, blank: usize, to: usize, goal_blank: usize) -> u128 {
        let flip = (self.home(to) ^ goal_blank) as u128;
        self ^ flip << (5 * blank) ^ flip << (5 * to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Cell, Move, Shape};
    use crate::system::Random;

    /// Sliding a word is the same as packing the slid state.
    #[test]
    fn words_slide_as_states_do() {
        for (rows, cols, goal_blank) in [(2, 2, 3), (3, 3, 4), (4, 4, 15), (4, 4, 0), (2, 8, 9)] {
            walk::<u64>(rows, cols, goal_blank);
            walk::<u128>(rows, cols, goal_blank);
        }
        walk::<u128>(5, 5, 12);
        walk::<u128>(2, 12, 23);
    }

    fn walk<K: Packed>(rows: usize, cols: usize, goal_blank: usize) {
        let shape = Shape::new(rows, cols).unwrap();
        let cells = shape.cells();
        let mut state = State::goal(shape, Cell::new(goal_blank));
        let mut word = K::of(&state, cells);
        let mut random = Random::new(3);
        for _ in 0..500 {
            let Some(to) = shape.neighbour(state.blank(), Move::from_index(random.bits() as u8)) else { continue };
            word = word.slid(state.blank().index(), to.index(), goal_blank);
            state.slide(to);
            assert_eq!(word, K::of(&state, cells));
            for (cell, &home) in state.homes(cells).iter().enumerate() {
                assert_eq!(word.home(cell), usize::from(home));
            }
        }
    }
}
