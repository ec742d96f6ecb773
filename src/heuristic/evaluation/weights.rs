//! The weights of an evaluation.

use crate::board::{Cell, Shape};

/// The value of one move.
pub const UNIT: i32 = 48;

/// Maximum number of cells of a board with tables: a word of 64 bits holds a set of cells.
pub const MAX_CELLS: usize = 64;

/// The weights of an evaluation, in 1/[`UNIT`] of a move. Tiles are named by their homes, cells by
/// their numbers.
///
/// The value of a position is its Manhattan distance plus the weights of all its tiles, pairs and
/// triples.
pub trait Weights {
    /// Returns the shape, of at most [`MAX_CELLS`] cells.
    fn shape(&self) -> Shape;

    /// Returns the home of the blank.
    fn goal_blank(&self) -> usize;

    /// Returns the weight of a tile, or the blank, in a cell.
    fn single(&self, tile: usize, cell: usize) -> i32;

    /// Returns the weight of two tiles in two cells, in either order; one of them may be the blank.
    fn pair(&self, one: (usize, usize), other: (usize, usize)) -> i32;

    /// Returns the homes of each triple that has weights, at most as many triples as [`trominoes`]
    /// returns.
    fn triples(&self) -> &[[u8; 3]];

    /// Returns the weights of a triple. On n cells the index is the first tile's cell + n × the
    /// second's + n² × the third's.
    fn triple(&self, number: usize) -> Vec<i8>;
}

/// Returns all sets of three edge-connected homes, except those with the blank's home.
pub fn trominoes(shape: Shape, goal_blank: usize) -> Vec<[u8; 3]> {
    let mut found = Vec::new();
    for middle in (0..shape.cells()).map(Cell::new) {
        let around: Vec<usize> = shape.neighbours(middle).map(Cell::index).collect();
        for (i, &one) in around.iter().enumerate() {
            for &other in &around[i + 1..] {
                let mut homes = [middle.index(), one, other];
                homes.sort_unstable();
                if !homes.contains(&goal_blank) {
                    found.push(homes.map(|home| home as u8));
                }
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
