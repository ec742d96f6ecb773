//! States in the lists of the breadth-first and best-first searches: a packed key, with the move
//! that led to it in the free bits. From such a state, the search omits the inverse of that move.
//!
//! A `u64` with 16 cells has no free bits. But its last cell follows from the others, so the move
//! replaces it. For each cell, a key contains the *home* (the goal cell) of the tile in this cell.
//! The blank's cell is not stored. It is found by comparing all cells at once with the blank's
//! home.

use crate::board::{Cell, Move, Packed, Shape};
use crate::engine::visited::Key;

/// A packed key that can carry its last move in a list.
pub(super) trait Word: Packed + Key + std::hash::Hash + Default {
    /// Returns the key with the move that led to it (a [`Move::index`] or [`Steps::START`]).
    fn with_last(self, last: u8) -> Self;

    /// Returns the key and its last move: the inverse of [`Word::with_last`].
    fn split(self, cells: usize) -> (Self, u8);

    /// Returns the cell of the tile with this home, or of the blank if this is the blank's home.
    /// The key must contain this home.
    fn cell_of(self, home: usize) -> usize;
}

impl Word for u64 {
    #[inline(always)]
    fn with_last(self, last: u8) -> u64 {
        self & (u64::MAX >> 4) | u64::from(last) << 60
    }

    #[inline(always)]
    fn split(self, cells: usize) -> (u64, u8) {
        let key = self & (u64::MAX >> 4);
        if cells < 16 {
            return (key, (self >> 60) as u8);
        }
        // 0 ^ 1 ^ … ^ 15 = 0, so the last cell is the XOR of the others.
        let sum = key ^ key >> 32;
        let sum = sum ^ sum >> 16;
        let sum = sum ^ sum >> 8;
        let sum = sum ^ sum >> 4;
        (key | sum << 60, (self >> 60) as u8)
    }

    #[inline(always)]
    fn cell_of(self, home: usize) -> usize {
        const ONES: u64 = 0x1111_1111_1111_1111;
        let differs = self ^ ONES.wrapping_mul(home as u64);
        // The lowest field that is 0 is where the subtraction first borrows.
        ((differs.wrapping_sub(ONES) & !differs & ONES << 3).trailing_zeros() / 4) as usize
    }
}

impl Word for u128 {
    #[inline(always)]
    fn with_last(self, last: u8) -> u128 {
        self | u128::from(last) << 125
    }

    #[inline(always)]
    fn split(self, _: usize) -> (u128, u8) {
        (self & (u128::MAX >> 3), (self >> 125) as u8)
    }

    #[inline(always)]
    fn cell_of(self, home: usize) -> usize {
        const ONES: u128 = {
            let (mut ones, mut cell) = (0, 0);
            while cell < 25 {
                ones |= 1 << (5 * cell);
                cell += 1;
            }
            ones
        };
        let differs = self ^ ONES.wrapping_mul(home as u128);
        ((differs.wrapping_sub(ONES) & !differs & ONES << 4).trailing_zeros() / 5) as usize
    }
}

/// The possible steps of the blank, by its cell and the last move. The step that undoes the last
/// move is omitted.
#[derive(Clone, Debug)]
pub(super) struct Steps {
    pub(super) cells: usize,
    pub(super) goal_blank: usize,
    /// By cell × 8 + last move: one byte per step ([`OneStep`]), from the lowest; 0 after the last.
    from: [u32; 256],
}

/// One step: the blank's new cell in 5 bits, the move in 2 bits, and a set bit.
#[derive(Clone, Copy, Debug)]
pub(super) struct OneStep(u8);

impl OneStep {
    #[inline(always)]
    pub(super) fn to(self) -> usize {
        usize::from(self.0 & 31)
    }

    /// Returns the move's index, which is the last move of the state after the step.
    #[inline(always)]
    pub(super) fn last(self) -> u8 {
        self.0 >> 5 & 3
    }
}

impl Steps {
    /// The value that marks a start state, which has no last move.
    pub(super) const START: u8 = 4;

    pub(super) fn new(shape: Shape, goal_blank: Cell) -> Steps {
        let mut from = [0; 256];
        for cell in 0..shape.cells() {
            for last in 0..=Self::START {
                let undo = (last < Self::START).then(|| Move::from_index(last).inverse());
                let steps = Move::ALL.into_iter().filter(|&step| Some(step) != undo);
                for step in steps.rev() {
                    if let Some(to) = shape.neighbour(Cell::new(cell), step) {
                        let one = to.index() | step.index() << 5 | 1 << 7;
                        let packed = &mut from[cell << 3 | usize::from(last)];
                        *packed = *packed << 8 | one as u32;
                    }
                }
            }
        }
        Steps { cells: shape.cells(), goal_blank: goal_blank.index(), from }
    }

    /// Returns the steps from a cell, without the one that undoes the move `last`.
    #[inline(always)]
    pub(super) fn from(&self, cell: usize, last: u8) -> impl Iterator<Item = OneStep> + use<> {
        let mut rest = self.from[(cell & 31) << 3 | usize::from(last & 7)];
        std::iter::from_fn(move || {
            let one = OneStep(rest as u8);
            rest >>= 8;
            (one.0 != 0).then_some(one)
        })
    }

    /// Returns the number of steps from a cell, without the one that undoes the move `last`.
    #[inline(always)]
    pub(super) fn count(&self, cell: usize, last: u8) -> u64 {
        u64::from((self.from[(cell & 31) << 3 | usize::from(last & 7)] & 0x8080_8080).count_ones())
    }

    /// Returns the neighbours of a key.
    pub(super) fn neighbours<W: Word>(&self, key: W) -> impl Iterator<Item = W> + use<W> {
        let (blank, goal_blank) = (key.cell_of(self.goal_blank), self.goal_blank);
        self.from(blank, Self::START).map(move |step| key.slid(blank, step.to(), goal_blank))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::State;
    use crate::system::Random;

    /// Checks on a random walk that a word splits into its parts, that the blank is found, and that
    /// the steps are all legal steps except the one that undoes the last move.
    fn walk<W: Word>(rows: usize, cols: usize, goal_blank: usize) {
        let shape = Shape::new(rows, cols).unwrap();
        let (cells, goal_blank) = (shape.cells(), Cell::new(goal_blank));
        let steps = Steps::new(shape, goal_blank);
        let mut state = State::goal(shape, goal_blank);
        let (mut random, mut last) = (Random::new(11), Steps::START);
        for _ in 0..400 {
            let key = W::of(&state, cells);
            assert_eq!(key.with_last(last).split(cells), (key, last));
            let blank = key.cell_of(goal_blank.index());
            assert_eq!(blank, state.blank().index());
            let undo = (last < 4).then(|| Move::from_index(last).inverse());
            let expected: Vec<(usize, u8)> = Move::ALL
                .into_iter()
                .filter(|&step| Some(step) != undo)
                .filter_map(|step| Some((shape.neighbour(state.blank(), step)?.index(), step.index() as u8)))
                .collect();
            let found: Vec<(usize, u8)> = steps.from(blank, last).map(|step| (step.to(), step.last())).collect();
            assert_eq!(found, expected);
            assert_eq!(steps.count(blank, last), expected.len() as u64);
            let Some(&(to, step)) = expected.get(random.index(expected.len().max(1))) else { continue };
            state.slide(Cell::new(to));
            last = step;
        }
    }

    #[test]
    fn words_carry_their_last_move() {
        for (rows, cols, goal_blank) in [(2, 2, 3), (3, 3, 4), (3, 5, 14), (4, 4, 15), (4, 4, 10), (2, 8, 9)] {
            walk::<u64>(rows, cols, goal_blank);
            walk::<u128>(rows, cols, goal_blank);
        }
        for (rows, cols, goal_blank) in [(5, 5, 24), (5, 5, 12), (2, 12, 23), (3, 7, 10)] {
            walk::<u128>(rows, cols, goal_blank);
        }
    }
}
