//! Boards as the searches see them: states of the canonical frame ([`super::frame`]), also packed
//! into one word each.

use std::fmt;

use super::{Cell, MAX_SEARCH_CELLS, Move, Shape};

/// A board in the canonical frame: for every cell, the *home* (the goal cell) of its tile.
///
/// The goal is the identity, whatever the original goal was. The blank is the tile whose home is
/// the blank's goal cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    homes: [u8; MAX_SEARCH_CELLS],
    blank: u8,
}

impl State {
    /// Returns the goal state for this shape and this goal cell of the blank.
    pub fn goal(shape: Shape, goal_blank: Cell) -> State {
        let mut homes = [0; MAX_SEARCH_CELLS];
        for (cell, home) in homes.iter_mut().enumerate().take(shape.cells()) {
            *home = cell as u8;
        }
        State { homes, blank: goal_blank.index() as u8 }
    }

    /// Creates a state from the home of the tile in each cell (0 for cells beyond the shape) and
    /// the blank's cell.
    #[inline]
    pub(crate) fn from_homes(homes: [u8; MAX_SEARCH_CELLS], blank: Cell) -> State {
        State { homes, blank: blank.index() as u8 }
    }

    /// Returns the homes of the tiles in the first `cells` cells, in the order of the cells.
    #[inline]
    pub fn homes(&self, cells: usize) -> &[u8] {
        &self.homes[..cells]
    }

    /// Returns the home of the tile in `cell`.
    #[inline]
    pub fn home(&self, cell: Cell) -> Cell {
        Cell::new(usize::from(self.homes[cell.index()]))
    }

    /// Returns the blank's cell.
    #[inline]
    pub fn blank(&self) -> Cell {
        Cell::new(usize::from(self.blank))
    }

    /// Moves the blank to a neighbouring cell and returns the home of the moved tile.
    #[inline]
    pub fn slide(&mut self, to: Cell) -> Cell {
        let moved = self.homes[to.index()];
        self.homes.swap(usize::from(self.blank), to.index());
        self.blank = to.index() as u8;
        Cell::new(usize::from(moved))
    }

    /// Returns the state after a move; `None` if the move leads off the board.
    #[inline]
    pub fn after(&self, shape: Shape, step: Move) -> Option<State> {
        let to = shape.neighbour(self.blank(), step)?;
        let mut next = *self;
        next.slide(to);
        Some(next)
    }

    /// Returns the key of a state on at most 16 cells: four bits per cell, cell 0 in the lowest
    /// bits.
    #[inline]
    pub fn pack(&self, cells: usize) -> u64 {
        debug_assert!(cells <= 16);
        self.homes(cells).iter().rev().fold(0, |key, &home| key << 4 | u64::from(home))
    }

    /// Returns the key of a state on any shape that is searched: five bits per cell, cell 0 in the
    /// lowest bits.
    #[inline]
    pub fn pack_wide(&self, cells: usize) -> u128 {
        self.homes(cells).iter().rev().fold(0, |key, &home| key << 5 | u128::from(home))
    }

    /// Unpacks a key: the inverse of [`State::pack`].
    #[cfg(test)]
    pub fn unpack(key: u64, cells: usize, goal_blank: Cell) -> State {
        State::unpacked(cells, goal_blank, |cell| (key >> (4 * cell) & 15) as u8)
    }

    /// Unpacks a key: the inverse of [`State::pack_wide`].
    pub fn unpack_wide(key: u128, cells: usize, goal_blank: Cell) -> State {
        State::unpacked(cells, goal_blank, |cell| (key >> (5 * cell) & 31) as u8)
    }

    fn unpacked(cells: usize, goal_blank: Cell, home: impl Fn(usize) -> u8) -> State {
        let (mut homes, mut blank) = ([0; MAX_SEARCH_CELLS], 0);
        for (cell, slot) in homes.iter_mut().enumerate().take(cells) {
            *slot = home(cell);
            if usize::from(*slot) == goal_blank.index() {
                blank = cell as u8;
            }
        }
        State { homes, blank }
    }
}

/// The homes of a state's tiles in one word, cell 0 in the lowest bits, for the inner loops of the
/// searches.
///
/// A state is copied for every node, so it is stored compactly: four bits per cell in a `u64` up to
/// 16 cells, five per cell in a `u128` up to 25. The words are the keys of [`State::pack`] and
/// [`State::pack_wide`]. A move is two XORs, because exchanging the values of two cells flips the
/// same bits in both.
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
    use crate::board::Ranking;
    use crate::system::Random;

    #[test]
    fn packed_keys_unpack() {
        for (rows, cols) in [(2, 2), (2, 3), (3, 2), (2, 4), (3, 3)] {
            let shape = Shape::new(rows, cols).unwrap();
            for goal_blank in (0..shape.cells()).map(Cell::new) {
                let ranking = Ranking::new(shape, goal_blank).unwrap();
                for rank in (0..ranking.states()).step_by(97) {
                    let (state, cells) = (ranking.unrank(rank), shape.cells());
                    assert_eq!(State::unpack(state.pack(cells), cells, goal_blank), state);
                    assert_eq!(State::unpack_wide(state.pack_wide(cells), cells, goal_blank), state);
                }
            }
        }
    }

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
