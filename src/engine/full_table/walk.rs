//! Path following from boards to the goal, interleaved over many boards.
//!
//! A board is given by the number of its order and the blank's cell. The table entry of the order
//! has a letter for every cell that the blank may be in, hence for every cell of the blank's row.
//! So horizontal steps and the vertical step after them, together a *stretch*, are looked up at
//! once, by the row's letters and the column. The vertical step changes the digits of `cols`
//! places, a *window*. The window is extracted by multiplications and determines the change of the
//! number, and thus the next entry. Reading this entry is the only wait, about 100 ns. So the entry
//! is prefetched, and the next of 32 boards continues.
//!
//! A random 3×4 board takes 36 moves in 19 stretches. After a vertical step in
//! the lower half of the board, the next entry is at most a few kilobytes away.

use super::letters::ENTRY_BYTES;
use super::search::Pulls;
use crate::board::digits::{Digits, weight};
use crate::board::frame::Space;
use crate::board::{Cell, Move, Path, Shape};
use crate::system::prefetch;

/// The start of a board's path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Start {
    /// The number of the order of the board's tiles.
    pub(super) number: u32,
    pub(super) blank: u8,
}

/// The length of the longest path of any shape with a table (2×6), plus eight, because a stretch is
/// written as eight bytes.
const LETTERS: usize = 80 + 8;

/// The number of boards in progress. With 8 the walk waits for memory, with 16 or more it hardly
/// does (tuned with `benches/full_table.rs`).
const LANES: usize = 32;

/// The lookup tables for following paths in one space.
pub(super) struct Walk {
    cols: usize,
    goal: (usize, usize),
    /// The letter of a step to the left, and of a step to the right.
    sideways: [u8; 2],
    /// By the column, then by the letters of a row.
    stretches: Vec<Stretch>,
    /// By the upper cell of a vertical step: the places whose digits the step changes.
    windows: Vec<DigitWindow>,
    /// For a step down and for a step up: the change of the number, by window and its digits.
    changes: [Vec<i32>; 2],
}

/// Horizontal steps followed by a vertical one.
#[derive(Clone, Copy, Default)]
struct Stretch {
    /// One letter per byte, the first one lowest.
    letters: u64,
    len: u8,
    /// The column where the stretch leaves the row.
    col: u8,
    is_up: bool,
}

/// The extraction of consecutive digits from an order's number: division by the weight of the last
/// of these digits, then the remainder modulo the number of their combinations (the count).
#[derive(Clone, Copy)]
struct DigitWindow {
    /// 2^38 divided by the weight, rounded up.
    by_weight: u64,
    /// 2^38 divided by the count, rounded up.
    by_count: u64,
    count: u32,
    /// The index of the window's first change in [`Walk::changes`].
    start: u32,
}

impl DigitWindow {
    /// The quotient is exact if the dividend times the reciprocal's error (the reciprocal times the
    /// divisor, minus 2^38) is below 2^38. This holds for all windows (the test below checks the
    /// results).
    const SHIFT: u32 = 38;

    fn new(tiles: usize, first: usize, end: usize, start: usize) -> DigitWindow {
        let count = Digits::count(tiles, first, end);
        let reciprocal = |divisor: usize| (1u64 << DigitWindow::SHIFT).div_ceil(divisor as u64);
        let by_weight = reciprocal(weight(tiles, end - 1));
        DigitWindow { by_weight, by_count: reciprocal(count), count: count as u32, start: start as u32 }
    }

    /// Extracts the window's digits from a number.
    #[inline(always)]
    fn digits(&self, number: u32) -> u32 {
        let shortened = (u64::from(number) * self.by_weight) >> Self::SHIFT;
        let before = (shortened * self.by_count) >> Self::SHIFT;
        shortened as u32 - before as u32 * self.count
    }
}

/// A board in progress.
#[derive(Clone, Copy)]
struct Lane {
    number: u32,
    row: u32,
    col: u32,
    board: u32,
    len: usize,
    letters: [u8; LETTERS],
}

impl Walk {
    pub(super) fn new(pulls: &Pulls, space: &Space) -> Walk {
        let shape = space.shape;
        let (tiles, cols) = (shape.cells() - 1, shape.cols());
        let (mut windows, mut changes) = (Vec::new(), [Vec::new(), Vec::new()]);
        for first in 0..=tiles - cols {
            let end = first + cols;
            windows.push(DigitWindow::new(tiles, first, end, changes[0].len()));
            for number in 0..Digits::count(tiles, first, end) {
                let digits = Digits::of(tiles, first, end, number);
                // A step down moves the tile of the last place to the first, a step up moves it
                // back.
                for (changes, (from, to)) in changes.iter_mut().zip([(end - 1, first), (first, end - 1)]) {
                    let change = digits.after_jump(from, to).number() as i64 - number as i64;
                    changes.push((change * weight(tiles, end - 1) as i64) as i32);
                }
            }
        }
        let goal = pulls.goal_blank;
        Walk {
            cols,
            goal: (shape.row(goal), shape.col(goal)),
            sideways: [Move::Left, Move::Right].map(|step| space.letter_of(step).letter()),
            stretches: stretches(space),
            windows,
            changes,
        }
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.stretches[..]) + self.changes.iter().map(|changes| size_of_val(&changes[..])).sum::<usize>()
    }

    /// Writes the path of every start.
    pub(super) fn follow_all(&self, table: &[u8], starts: &[Start], paths: &mut [Path]) {
        let idle = Lane { number: 0, row: 0, col: 0, board: 0, len: 0, letters: [0; LETTERS] };
        let mut lanes = [idle; LANES];
        let mut waiting = (0u32..).zip(starts);
        let mut live = 0;
        while live < LANES
            && let Some((board, start)) = waiting.next()
        {
            self.begin(&mut lanes[live], board, start, table);
            live += 1;
        }
        while live > 0 {
            let mut i = 0;
            while i < live {
                let lane = &mut lanes[i];
                if lane.number == 0 && lane.row as usize == self.goal.0 {
                    self.finish(lane);
                    paths[lane.board as usize].assign(&lane.letters[..lane.len]);
                    if let Some((board, start)) = waiting.next() {
                        self.begin(lane, board, start, table);
                    } else {
                        live -= 1;
                        lanes[i] = lanes[live];
                        continue;
                    }
                } else {
                    self.step(lane, table);
                }
                i += 1;
            }
        }
    }

    /// Puts a board into a lane.
    #[inline(always)]
    fn begin(&self, lane: &mut Lane, board: u32, start: &Start, table: &[u8]) {
        let (row, col) = (usize::from(start.blank) / self.cols, usize::from(start.blank) % self.cols);
        (lane.number, lane.row, lane.col, lane.board, lane.len) = (start.number, row as u32, col as u32, board, 0);
        prefetch(table, offset(start.number));
    }

    /// Follows one stretch.
    #[inline(always)]
    fn step(&self, lane: &mut Lane, table: &[u8]) {
        let entry = entry(table, lane.number);
        let width = 2 * self.cols as u32;
        let letters = entry >> (lane.row * width) & ((1 << width) - 1);
        let stretch = &self.stretches[(lane.col << width | letters) as usize];
        lane.letters[lane.len..][..8].copy_from_slice(&stretch.letters.to_le_bytes());
        lane.len += usize::from(stretch.len);
        lane.col = u32::from(stretch.col);

        let up = u32::from(stretch.is_up);
        let window = &self.windows[((lane.row - up) * self.cols as u32 + lane.col) as usize];
        let change = self.changes[up as usize][(window.start + window.digits(lane.number)) as usize];
        lane.number = lane.number.wrapping_add_signed(change);
        lane.row = (lane.row + 1).wrapping_sub(2 * up);
        prefetch(table, offset(lane.number));
    }

    /// Moves the blank straight home. The tiles are in order, and the blank is in its goal row.
    #[inline(always)]
    fn finish(&self, lane: &mut Lane) {
        let (col, home) = (lane.col as usize, self.goal.1);
        let letter = self.sideways[usize::from(col < home)];
        let end = lane.len + col.abs_diff(home);
        lane.letters[lane.len..end].fill(letter);
        lane.len = end;
    }
}

/// Returns the offset of an order's entry in the table. Two orders whose numbers differ only in the
/// lowest digit, which is bit 0, share an entry ([`super::letters`]).
#[inline(always)]
fn offset(number: u32) -> usize {
    (number >> 1) as usize * ENTRY_BYTES
}

/// Returns an order's entry: two bits, a letter, for the blank in each cell. The letters of the
/// cells with which this order is unsolvable belong to the order that shares the entry.
#[inline(always)]
pub(super) fn entry(table: &[u8], number: u32) -> u32 {
    let offset = offset(number);
    match table[offset..].first_chunk() {
        Some(&bytes) => u32::from_le_bytes(bytes),
        None => panic!("order {number} is beyond the table"),
    }
}

/// Returns the stretches that leave a row, by the starting column, then by the row's letters.
fn stretches(space: &Space) -> Vec<Stretch> {
    let cols = space.shape.cols();
    let row = Shape::new(1, cols).unwrap_or(space.shape);
    let from = |start: usize, letters: usize| {
        let (mut stretch, mut col) = (Stretch::default(), Cell::new(start));
        // Combinations of letters that occur in no table may lead back and forth. Such stretches
        // are cut off after as many steps as the row has cells.
        for _ in 0..cols {
            let letter = Move::from_index((letters >> (2 * col.index())) as u8);
            stretch.letters |= u64::from(letter.letter()) << (8 * stretch.len);
            stretch.len += 1;
            let step = space.order[letter.index()];
            stretch.is_up = step == Move::Up;
            match row.neighbour(col, step) {
                Some(next) => col = next,
                None => break,
            }
        }
        stretch.col = col.index() as u8;
        stretch
    };
    (0..cols).flat_map(|col| (0..1 << (2 * cols)).map(move |letters| from(col, letters))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::digits::factorial;

    /// Extraction by reciprocals agrees with division, at and just below every multiple of the
    /// weight, or of the count if the weight is 1.
    #[test]
    fn window_digits_are_exact() {
        for (tiles, cols) in [(11, 4), (11, 6), (9, 5), (7, 4)] {
            for first in 0..=tiles - cols {
                let window = DigitWindow::new(tiles, first, first + cols, 0);
                let (weight, count) = (weight(tiles, first + cols - 1), Digits::count(tiles, first, first + cols));
                let step = if weight > 1 { weight } else { count };
                for near in (0..=factorial(tiles)).step_by(step) {
                    for number in near.saturating_sub(1)..(near + 1).min(factorial(tiles)) {
                        assert_eq!(window.digits(number as u32) as usize, number / weight % count);
                    }
                }
            }
        }
    }
}
