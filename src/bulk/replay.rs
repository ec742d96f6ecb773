//! Letters of paths, and their replay: what is written is what is checked.
//!
//! A replay begins with the tiles as they stand in the record and ends with the goal as it was asked for, by the
//! rule of [`crate::verify`]. For vectors the rule is tabulated four letters at a time: for each of the blank's
//! cells and each four of `D L R U` and *stay* (625) what comes into each cell, and where the blank is then.
//! Letters that lead off the board bring nothing into any cell, and no board comes of nothing.
//!
//! 100 KB for 3×3, of which paths touch some 10; filled in a tenth of a millisecond, once a shape.

use std::sync::OnceLock;

use crate::board::Shape;
use crate::verify;

/// Four letters at a time, on one shape.
#[derive(Debug)]
pub struct Replays {
    rows: usize,
    cols: usize,
    /// By the blank's cell, then by the number of the four letters.
    fours: Vec<Four>,
}

/// What four letters do.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(16))]
pub struct Four {
    /// What comes into each cell: the cell that it was in; [`Replays::NOTHING`] behind the board.
    pub sources: [u8; 12],
    /// Where the entries of the blank's new cell begin, in bytes. Less than there are.
    pub next: u32,
}

const _: () = assert!(size_of::<Four>() == Replays::FOUR_BYTES);

impl Replays {
    /// Fours of letters: five to the fourth.
    pub const FOURS: usize = 625;

    /// What one entry takes.
    pub const FOUR_BYTES: usize = 16;

    /// The number of the letter that is none.
    const STAY: usize = 4;

    /// Nothing comes into this cell.
    const NOTHING: u8 = 0x80;

    /// The shapes whose boards have tables of whole paths.
    const SHAPES: [(usize, usize); 4] = [(2, 2), (2, 3), (3, 2), (3, 3)];

    /// Those of a shape.
    pub fn of(shape: Shape) -> Option<&'static Replays> {
        static ALL: [OnceLock<Replays>; Replays::SHAPES.len()] = [const { OnceLock::new() }; Replays::SHAPES.len()];
        let (rows, cols) = (shape.rows(), shape.cols());
        let which = Self::SHAPES.iter().position(|&known| known == (rows, cols))?;
        Some(ALL[which].get_or_init(|| Replays::new(rows, cols)))
    }

    fn new(rows: usize, cols: usize) -> Replays {
        let cells = rows * cols;
        let mut fours = vec![Four { sources: [Self::NOTHING; 12], next: 0 }; cells * Self::FOURS];
        for blank in 0..cells {
            for four in 0..Self::FOURS {
                let numbers = [four % 5, four / 5 % 5, four / 25 % 5, four / 125];
                let (mut letters, mut count) = ([0; 4], 0);
                for number in numbers.into_iter().filter(|&number| number != Self::STAY) {
                    letters[count] = b"DLRU"[number];
                    count += 1;
                }
                let mut board: [u8; 9] = std::array::from_fn(|cell| cell as u8);
                let entry = &mut fours[blank * Self::FOURS + four];
                if let Ok(hole) = verify::walk(&mut board[..cells], (rows, cols), blank, &letters[..count]) {
                    // The blank is wherever it is: what was in its old cell.
                    board[hole] = blank as u8;
                    entry.sources[..cells].copy_from_slice(&board[..cells]);
                    entry.next = (hole * Self::FOURS * Self::FOUR_BYTES) as u32;
                }
            }
        }
        Replays { rows, cols, fours }
    }

    /// The entries, by the blank's cell and then by the number of the four letters.
    #[inline(always)]
    pub fn fours(&self) -> &[Four] {
        &self.fours
    }

    /// Whether letters lead from a board of digits to another.
    #[inline(always)]
    pub fn arrives(&self, board: &[u8; 16], blank: u8, letters: &[u8], goal: &[u8; 16]) -> bool {
        let mut room = *board;
        let hole =
            verify::walk(&mut room[..self.rows * self.cols], (self.rows, self.cols), usize::from(blank), letters);
        hole.is_ok_and(|hole| {
            room[hole] = b'0';
            room == *goal
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
