//! Evaluations: estimates of the number of moves from a position to the goal.
//!
//! Unlike lower bounds, they may be too large. A beam search keeps the positions with the smallest
//! values and proves nothing. Evaluations must be *the same on every machine*, so values are sums
//! of table entries, and all entries are integers in units of 1/[`UNIT`] of a move.
//!
//! An evaluation is the Manhattan distance plus weights. A weight depends on the cell of a single
//! tile, or on the cells of a *pair* of tiles or of a *triple* of tiles with connected homes
//! ([`trominoes`]). In single weights and pairs, the blank counts as a tile ([`Weights`]). For
//! each move, a search computes the change of the value from table entries ([`Tables`]). For every
//! shape and goal there are weights that need no training ([`Untrained`]).
//!
//! In this module, tiles and the blank are named by their *homes*, which are their goal cells.

mod sums;
mod tables;
#[cfg(test)]
mod tests;
mod triple_distances;
mod untrained;

use crate::board::{Cell, Shape};
use crate::system::sort_few;

pub use sums::{Group, LANES, fastest_instruction_set};
pub use tables::Tables;
pub use untrained::Untrained;

/// The value of one move.
pub const UNIT: i32 = 48;

/// Maximum number of cells of a board with tables: a word of 64 bits holds a set of cells.
pub const MAX_CELLS: usize = 64;

/// The weights of an evaluation for one shape and home of the blank, in 1/[`UNIT`] of a move. Tiles
/// are named by their homes, cells by their numbers.
///
/// The value of a position is its Manhattan distance plus the weights of all its tiles, pairs and
/// triples.
pub trait Weights {
    /// Returns the weight of a tile, or the blank, in a cell.
    fn single(&self, tile: usize, cell: usize) -> i32;

    /// Returns the weight of two tiles in two cells, in either order; one of them may be the blank.
    fn pair(&self, one: (usize, usize), other: (usize, usize)) -> i32;

    /// Returns the weights of three tiles whose homes are one of the [`trominoes`]. On n cells the
    /// index is the first tile's cell + n × the second's + n² × the third's.
    fn triple(&self, homes: [u8; 3]) -> Vec<i8>;
}

/// Returns all sets of three edge-connected homes, each in ascending order, except those with the
/// blank's home.
pub fn trominoes(shape: Shape, goal_blank: usize) -> Vec<[u8; 3]> {
    let mut found = Vec::new();
    for middle in (0..shape.cells()).map(Cell::new) {
        let around: Vec<usize> = shape.neighbours(middle).map(Cell::index).collect();
        for (i, &one) in around.iter().enumerate() {
            for &other in &around[i + 1..] {
                let mut homes = [middle.index(), one, other];
                sort_few(&mut homes, |&home| home);
                if !homes.contains(&goal_blank) {
                    found.push(homes.map(|home| home as u8));
                }
            }
        }
    }
    sort_few(&mut found, |&homes| homes);
    found.dedup();
    found
}
