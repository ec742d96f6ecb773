//! Letters of paths, and their replay: what is written is what is checked.
//!
//! A replay begins with the tiles as they stand in the record and ends with the goal as it was asked for, by the
//! rule of [`crate::board::replay`]. For vectors the rule is tabulated four letters at a time: for each of the blank's
//! cells and each four of `D L R U` and *stay* (625) what comes into each cell. Letters that lead off the board
//! bring nothing into any cell, which no board is equal to.
//!
//! Where the blank is before each four follows from the letters by adding up, without the table: as long as no
//! letter leads off the board that is where it is, and afterwards nothing matters any more. So no entry waits
//! for the one before it.
//!
//! 90 KB for 3×3, of which paths touch some 10; filled in a tenth of a millisecond, once a shape.

use std::sync::OnceLock;

use crate::board::Shape;
use crate::board::replay;

/// What letters do, four at a time, on one shape.
#[derive(Debug)]
pub struct ReplayTable {
    rows: usize,
    cols: usize,
    /// By the blank's cell, then by the number of the four letters.
    fours: Vec<FourLetters>,
    /// By the number of a letter: how far the blank's cell moves, less [`ReplayTable::LEAST_STEP`].
    steps: [u8; 16],
}

/// What four letters do: what comes into each cell is what was in this one; [`ReplayTable::NOTHING`] behind the board.
#[derive(Clone, Copy, Debug)]
#[repr(align(16))]
pub struct FourLetters(pub [u8; 16]);

const _: () = assert!(size_of::<FourLetters>() == ReplayTable::FOUR_BYTES);

impl ReplayTable {
    /// Fours of letters: five to the fourth.
    pub const FOURS: usize = 625;

    /// What one entry takes.
    pub const FOUR_BYTES: usize = 16;

    /// The number of the letter that is none.
    pub const STAY: usize = 4;

    /// The furthest that a letter moves the blank's cell back: up a row of three.
    pub const LEAST_STEP: i8 = -3;

    /// Nothing comes into this cell.
    const NOTHING: u8 = 0x80;

    /// The shapes whose boards have tables of whole paths.
    const SHAPES: [(usize, usize); 4] = [(2, 2), (2, 3), (3, 2), (3, 3)];

    /// The table of a shape.
    pub fn of(shape: Shape) -> Option<&'static ReplayTable> {
        static ALL: [OnceLock<ReplayTable>; ReplayTable::SHAPES.len()] =
            [const { OnceLock::new() }; ReplayTable::SHAPES.len()];
        let (rows, cols) = (shape.rows(), shape.cols());
        let which = Self::SHAPES.iter().position(|&known| known == (rows, cols))?;
        Some(ALL[which].get_or_init(|| ReplayTable::new(rows, cols)))
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
                if let Ok(hole) = replay::walk(&mut board[..cells], (rows, cols), blank, &letters[..count]) {
                    // The blank is wherever it is: what was in its old cell.
                    board[hole] = blank as u8;
                    fours[blank * Self::FOURS + four].0[..cells].copy_from_slice(&board[..cells]);
                }
            }
        }
        let mut steps = [0; 16];
        for (step, moved) in steps.iter_mut().zip([cols as i8, -1, 1, -(cols as i8), 0]) {
            *step = (moved - Self::LEAST_STEP) as u8;
        }
        ReplayTable { rows, cols, fours, steps }
    }

    /// The entries, by the blank's cell and then by the number of the four letters.
    #[inline(always)]
    pub fn fours(&self) -> &[FourLetters] {
        &self.fours
    }

    /// By the number of a letter: how far the blank's cell moves, less [`ReplayTable::LEAST_STEP`].
    #[inline(always)]
    pub fn steps(&self) -> &[u8; 16] {
        &self.steps
    }

    /// Whether letters lead from a board of digits to another.
    #[inline(always)]
    pub fn arrives(&self, board: &[u8; 16], blank: u8, letters: &[u8], goal: &[u8; 16]) -> bool {
        let mut cells = *board;
        let hole =
            replay::walk(&mut cells[..self.rows * self.cols], (self.rows, self.cols), usize::from(blank), letters);
        hole.is_ok_and(|hole| {
            cells[hole] = b'0';
            cells == *goal
        })
    }
}

/// Every four moves of two bits as letters, the first lowest.
static FOUR_LETTERS: [[u8; 4]; 256] = {
    let mut all = [[0; 4]; 256];
    let mut four = 0;
    while four < 256 {
        let mut i = 0;
        while i < 4 {
            all[four][i] = b"DLRU"[four >> (2 * i) & 3];
            i += 1;
        }
        four += 1;
    }
    all
};

/// The letters of a path, and anything behind its last.
#[inline(always)]
pub fn letters(word: u64) -> [u8; 32] {
    let mut letters = [0; 32];
    for (four, byte) in letters.as_chunks_mut::<4>().0.iter_mut().zip(word.to_le_bytes()) {
        *four = FOUR_LETTERS[usize::from(byte)];
    }
    letters
}
