//! The positions on a board.

/// A position on a board, counted row by row from 0 at the top left.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Cell(u16);

impl Cell {
    /// Returns the cell with this number.
    #[inline]
    pub fn new(index: usize) -> Cell {
        debug_assert!(index <= usize::from(u16::MAX));
        Cell(index as u16)
    }

    /// Returns the number of the cell.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}
