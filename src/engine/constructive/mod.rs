//! Fast construction of a path for any solvable board with at least two rows and columns, one line
//! and one tile at a time.
//!
//! There is no unbounded search: memory is proportional to the number of cells (with rows padded to
//! 256 cells), and time to the number of cells times the length of a side. The blank's walks are
//! chosen to help later tiles (`walk.rs`), and a tile's route according to the cost of turns
//! (`place.rs`). The last two tiles of a line are placed together (`corner.rs`). The last block is
//! solved by a shortest path (`last_block.rs`). Every step has a fallback that cannot fail, so
//! every board gets a path.
//!
//! People usually solve the puzzle by this method. Θ(cells^1.5) moves suffice and are sometimes
//! necessary: D. Ratner, M. Warmuth, *The (n²−1)-puzzle and related relocation problems*, J.
//! Symbolic Computation 10, 1990; I. Parberry, *A real-time algorithm for the (n²−1)-puzzle*,
//! Information Processing Letters 56, 1995.

mod beginning;
mod corner;
mod field;
mod last_block;
mod lines;
mod place;
#[cfg(test)]
mod tests;
mod walk;

use std::sync::atomic::{AtomicBool, Ordering};

use crate::board::{Board, Path};
pub use beginning::{Beginning, begin, rest_after};
use field::Field;
pub use lines::{Line, Rest};
use place::Placing;

/// Returns a path from `board` to `goal`, on any shape with at least two rows and two columns.
/// The board must be solvable. Returns `None` if `stop` is set.
pub fn construct(board: &Board, goal: &Board, stop: &AtomicBool) -> Option<Path> {
    debug_assert!(crate::board::is_solvable(board, goal) && !board.shape().is_line());
    let mut field = Field::new(board, goal);
    let mut rest = Rest::of(board.shape(), goal.blank());
    let mut placing = Placing::new(field.places());
    while let Some(line) = rest.take_line() {
        if !finish(&mut field, &mut placing, &line, stop) {
            return None;
        }
    }
    last_block::solve(&mut field, &rest).then(|| field.into_path())
}

/// Finishes a line. Returns false if stopped or impossible.
fn finish(field: &mut Field, placing: &mut Placing, line: &Line, stop: &AtomicBool) -> bool {
    if (0..line.len).any(|number| field.home(line.place(number)) != line.place(number)) {
        for place in (0..line.len - 2).map(|number| line.place(number)) {
            if stop.load(Ordering::Relaxed) || !placing.bring(field, place, place, true) {
                return false;
            }
            field.set_fixed(place, true);
        }
        if !corner::finish(field, placing, line) {
            return false;
        }
    }
    for number in 0..line.len {
        field.set_fixed(line.place(number), true);
    }
    true
}
