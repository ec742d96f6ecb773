//! A path for every solvable board of two rows and columns or more, at once: line after line, tile after tile.
//!
//! Nothing is searched that could grow: memory follows the number of cells, time their number times a side. The ways
//! of the blank are chosen for the tiles still to come (`walk.rs`), those of a tile by what turns cost (`place.rs`). A line's last two
//! tiles come in together (`corner.rs`); the last block is solved by a shortest path (`last_block.rs`). Every step has a way that
//! cannot fail, so no board is left without a path.
//!
//! The frame of it is what people do by hand (D. Ratner, M. Warmuth, *The (n²−1)-puzzle and related relocation problems*, J. Symbolic
//! Computation 10, 1990, and I. Parberry, *A real-time algorithm for the (n²−1)-puzzle*, Information Processing Letters 56, 1995,
//! prove that O(cells^1.5) moves are enough, and needed).

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
use walk::Walks;

/// A path from `board` to `goal`, which parity must allow, on any shape with two rows and two columns or more. `None` if `stop`
/// was set meanwhile.
pub fn construct(board: &Board, goal: &Board, stop: &AtomicBool) -> Option<Path> {
    debug_assert!(crate::board::is_solvable(board, goal) && !board.shape().is_line());
    let mut field = Field::new(board, goal);
    let mut rest = Rest::of(board.shape(), goal.blank());
    let mut walks = Walks::new(field.places());
    let mut placing = Placing::new(field.places());
    while let Some(line) = rest.take_line() {
        if !finish(&mut field, &mut walks, &mut placing, &line, stop) {
            return None;
        }
    }
    last_block::solve(&mut field, &rest).then(|| field.into_path())
}

/// Finishes a line.
fn finish(field: &mut Field, walks: &mut Walks, placing: &mut Placing, line: &Line, stop: &AtomicBool) -> bool {
    if (0..line.len).any(|number| field.home(line.place(number)) != line.place(number)) {
        for place in (0..line.len - 2).map(|number| line.place(number)) {
            if stop.load(Ordering::Relaxed) || !placing.bring(field, walks, place, place, true) {
                return false;
            }
            field.set_fixed(place, true);
        }
        if !corner::finish(field, walks, placing, line) {
            return false;
        }
    }
    for number in 0..line.len {
        field.set_fixed(line.place(number), true);
    }
    true
}
