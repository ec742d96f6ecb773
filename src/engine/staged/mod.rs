//! Staged beam search, for boards too large for one evaluation of all tiles. It finishes one row or
//! column after another, in groups of one to three tiles.
//!
//! For each group a table contains the number of moves that its tiles need from any placement of
//! them and the blank, with all other tiles indistinguishable (`stages.rs`). A beam is ordered
//! by that number plus most of the Manhattan distance of the tiles of later groups, so solving a
//! group takes the remaining tiles into account (`search.rs`). Positions in which the group is home
//! continue with the next group. The last block, of at most 36 cells, is left to another search.
//! The tables are built once for a goal and used for all boards.

mod search;
mod stages;
#[cfg(test)]
mod tests;

use crate::board::Shape;

pub use search::search;
pub use stages::Stages;

/// Returns the maximum memory of a beam of this width in bytes, without the tables: six boards per
/// unit of width, and the history of a long path on this shape.
pub fn bytes(shape: Shape, width: usize) -> u64 {
    let cells = shape.cells() as u64;
    let moves = cells * (shape.rows() + shape.cols()) as u64;
    width as u64 * (6 * (2 * cells + 48) + 3 * 32 + 128 + 4 * moves) + 8 * cells * cells + (1 << 20)
}
