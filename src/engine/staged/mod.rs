//! Staged beam search, for boards too large for one evaluation of everything: line after line is finished in groups of one to
//! three tiles.
//!
//! For each group a table has the exact number of moves that its tiles need, wherever they and the blank are, as if all others were
//! alike (`stages.rs`). A beam is ordered by that number and by the Manhattan distance of the tiles whose turn has not come
//! (`search.rs`): so a group's way is chosen for the rest. Positions in which the group is home go on to the next group; the last
//! block, of 36 cells at most, is left to another search. Tables are built once for a goal and serve all boards.

mod search;
mod stages;
#[cfg(test)]
mod tests;

use crate::board::Shape;

pub use search::{Request, search};
pub use stages::Stages;

/// The bytes that a beam of this width takes at most, without the tables: boards of up to six times its width, and the history of
/// paths as long as staged beams find on boards of this shape.
pub fn bytes(shape: Shape, width: usize) -> u64 {
    let cells = shape.cells() as u64;
    let moves = cells * (shape.rows() + shape.cols()) as u64;
    width as u64 * (6 * (2 * cells + 48) + 3 * 32 + 128 + 4 * moves) + 8 * cells * cells + (1 << 20)
}
