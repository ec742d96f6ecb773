//! A section of the infinite grid on which strings move the blank.

use crate::engine::automaton::strings::Word;

/// The maximum length of a string.
pub(super) const MAX_LETTERS: usize = 31;

/// The side of the section, in cells. The section is a square with the blank's first cell in the
/// middle, so large that no string leaves it.
const SIDE: usize = 64;
pub(super) const CELLS: usize = SIDE * SIDE;
pub(super) const MIDDLE: usize = SIDE / 2 * SIDE + SIDE / 2;
const _: () = assert!(MAX_LETTERS < SIDE / 2);

/// The offset from a cell to its neighbour, by letter, for wrapping addition.
pub(super) const TO_NEIGHBOUR: [usize; 4] = [SIDE, 1usize.wrapping_neg(), 1, SIDE.wrapping_neg()];

/// The box of a string: the rows and columns that the blank visits, relative to its first cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoundingBox {
    rows: (i8, i8),
    cols: (i8, i8),
}

impl BoundingBox {
    pub(super) const START: BoundingBox = BoundingBox { rows: (0, 0), cols: (0, 0) };

    pub(super) fn of(word: Word) -> BoundingBox {
        let mut blank = MIDDLE;
        word.letters().fold(BoundingBox::START, |bounds, letter| {
            blank = blank.wrapping_add(TO_NEIGHBOUR[letter]) % CELLS;
            bounds.with(blank)
        })
    }

    #[inline]
    pub(super) fn with(self, cell: usize) -> BoundingBox {
        let [row, col] = [cell / SIDE, cell % SIDE].map(|line| line as i8 - (SIDE / 2) as i8);
        BoundingBox {
            rows: (self.rows.0.min(row), self.rows.1.max(row)),
            cols: (self.cols.0.min(col), self.cols.1.max(col)),
        }
    }

    /// Returns the longer side, in cells.
    #[inline]
    pub(super) fn side(self) -> usize {
        (self.rows.1 - self.rows.0).max(self.cols.1 - self.cols.0) as usize + 1
    }

    pub(super) fn lies_within(self, other: BoundingBox) -> bool {
        other.rows.0 <= self.rows.0
            && self.rows.1 <= other.rows.1
            && other.cols.0 <= self.cols.0
            && self.cols.1 <= other.cols.1
    }
}

/// A grid to which strings are applied. Between uses every tile is in its original cell.
pub(super) struct Grid([u16; CELLS]);

impl Default for Grid {
    fn default() -> Grid {
        Grid(std::array::from_fn(|cell| cell as u16))
    }
}

impl Grid {
    /// Returns true if the second string followed by the inverse of the first leaves every tile in
    /// place.
    pub(super) fn have_same_effect(&mut self, first: Word, second: Word) -> bool {
        let there = second.letters();
        let back = first.letters().rev().map(|letter| 3 - letter);
        let mut touched = [MIDDLE; 2 * MAX_LETTERS + 1];
        let mut blank = MIDDLE;
        for (letter, visited) in there.chain(back).zip(&mut touched[1..]) {
            let to = blank.wrapping_add(TO_NEIGHBOUR[letter]) % CELLS;
            self.0.swap(blank, to);
            (blank, *visited) = (to, to);
        }
        let same = touched.iter().all(|&cell| usize::from(self.0[cell]) == cell);
        touched.iter().for_each(|&cell| self.0[cell] = cell as u16);
        same
    }
}
