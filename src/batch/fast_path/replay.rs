//! The letters of paths, and their replay from the bytes that were written.
//!
//! A replay begins with the tiles in the record and ends with the goal, by the rules of
//! [`crate::board::replay`]. For vector code, the rules are tabulated for four letters at a time:
//! for each cell of the blank and each combination of four of `D L R U` and *stay* (625), the
//! source of each cell's new tile. Letters that lead off the board give no source for any cell, so
//! the result is not a board.
//!
//! The cell of the blank before each group of four letters is a prefix sum over the letters, so no
//! table lookup depends on the one before it. The cell is correct unless a letter leads off the
//! board; then the replay has already failed.
//!
//! The table takes 90 KB for 3×3, of which paths use about 10 KB. It is filled once per shape, in a
//! tenth of a millisecond.

use std::sync::OnceLock;

use crate::board::Shape;
use crate::board::replay;

/// The effect of letters, four at a time, on one shape.
#[derive(Debug)]
pub struct ReplayTable {
    rows: usize,
    cols: usize,
    /// The entries by the blank's cell, then by the number of the four letters.
    pub(super) fours: Vec<FourLetters>,
    /// By the number of a letter: the distance by which it moves the blank's cell, minus
    /// [`ReplayTable::MIN_STEP`].
    pub(super) steps: [u8; 16],
}

/// The effect of four letters: for each cell, the source cell of its new tile. The bytes after the
/// cells are [`ReplayTable::NOTHING`].
#[derive(Clone, Copy, Debug)]
#[repr(align(16))]
pub struct FourLetters(pub [u8; 16]);

const _: () = assert!(size_of::<FourLetters>() == ReplayTable::ENTRY_BYTES);

impl ReplayTable {
    /// The number of combinations of four letters: five to the fourth power.
    pub const FOURS: usize = 625;

    /// The size of an entry in bytes.
    pub const ENTRY_BYTES: usize = 16;

    /// The number for the absence of a letter.
    pub const STAY: usize = 4;

    /// The most negative step of the blank's cell: up one row of three.
    pub const MIN_STEP: i8 = -3;

    /// The index for a cell without a source.
    const NOTHING: u8 = 0x80;

    /// The shapes that have tables of whole paths.
    const SHAPES: [(usize, usize); 4] = [(2, 2), (2, 3), (3, 2), (3, 3)];

    /// Returns the table of a shape, if the shape has one.
    pub fn of(shape: Shape) -> Option<&'static ReplayTable> {
        static TABLES: [OnceLock<ReplayTable>; ReplayTable::SHAPES.len()] =
            [const { OnceLock::new() }; ReplayTable::SHAPES.len()];
        let (rows, cols) = (shape.rows(), shape.cols());
        let index = Self::SHAPES.iter().position(|&shape| shape == (rows, cols))?;
        Some(TABLES[index].get_or_init(|| ReplayTable::new(rows, cols)))
    }

    fn new(rows: usize, cols: usize) -> ReplayTable {
        let cells = rows * cols;
        let mut fours = vec![FourLetters([Self::NOTHING; 16]); cells * Self::FOURS];
        for blank in 0..cells {
            for four in 0..Self::FOURS {
                let numbers = [four % 5, four / 5 % 5, four / 25 % 5, four / 125];
                let (mut letters, mut count) = ([0; 4], 0);
                for number in numbers.into_iter().filter(|&number| number != Self::STAY) {
                    letters[count] = b"DLRU"[number];
                    count += 1;
                }
                let mut board: [u8; 9] = std::array::from_fn(|cell| cell as u8);
                if let Ok(new_blank) = replay::walk(&mut board[..cells], (rows, cols), blank, &letters[..count]) {
                    // The blank comes from its old cell.
                    board[new_blank] = blank as u8;
                    fours[blank * Self::FOURS + four].0[..cells].copy_from_slice(&board[..cells]);
                }
            }
        }
        let mut steps = [0; 16];
        for (step, distance) in steps.iter_mut().zip([cols as i8, -1, 1, -(cols as i8), 0]) {
            *step = (distance - Self::MIN_STEP) as u8;
        }
        ReplayTable { rows, cols, fours, steps }
    }

    /// Returns true if the letters lead from a board of digits to the goal.
    #[inline(always)]
    pub fn arrives(&self, board: &[u8; 16], blank: u8, letters: &[u8], goal: &[u8; 16]) -> bool {
        let mut cells = *board;
        let new_blank =
            replay::walk(&mut cells[..self.rows * self.cols], (self.rows, self.cols), usize::from(blank), letters);
        new_blank.is_ok_and(|new_blank| {
            cells[new_blank] = b'0';
            cells == *goal
        })
    }
}

/// By byte: the letters of its four moves of two bits each, the first in the lowest bits.
static LETTERS_OF_BYTE: [[u8; 4]; 256] = {
    let mut table = [[0; 4]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut i = 0;
        while i < 4 {
            table[byte][i] = b"DLRU"[byte >> (2 * i) & 3];
            i += 1;
        }
        byte += 1;
    }
    table
};

/// Returns the letters of the path in a word of the table, followed by arbitrary letters.
#[inline(always)]
pub fn letters(word: u64) -> [u8; 32] {
    let mut letters = [0; 32];
    for (four, byte) in letters.as_chunks_mut::<4>().0.iter_mut().zip(word.to_le_bytes()) {
        *four = LETTERS_OF_BYTE[usize::from(byte)];
    }
    letters
}
