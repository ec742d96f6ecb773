//! What an evaluation is made of.

use crate::board::{Cell, Move, Shape};

/// Values of a move.
pub const UNIT: i32 = 48;

/// Boards of more cells have no tables: they would take gigabytes.
pub const MAX_CELLS: usize = 64;

/// The weights of an evaluation, in 1/[`UNIT`] of a move. Tiles are named by their homes, cells by their numbers.
///
/// The value of a position is its Manhattan distance, and the weights of all its tiles, pairs and triples.
pub trait Weights {
    /// The shape, of at most [`MAX_CELLS`] cells.
    fn shape(&self) -> Shape;

    /// Home of the blank.
    fn goal_blank(&self) -> usize;

    /// What a tile, or the blank, in a cell adds to the Manhattan distance.
    fn single(&self, tile: usize, cell: usize) -> i32;

    /// What two tiles in two cells add, in either order; one of them may be the blank.
    fn pair(&self, one: (usize, usize), other: (usize, usize)) -> i32;

    /// The triples that have weights, at most as many as there are L-shaped and straight trominoes.
    fn triples(&self) -> &[[u8; 3]];

    /// The weights of a triple, by cells: of the first tile, then of the second times, of the third times the square of the cells.
    fn triple(&self, number: usize) -> Vec<i8>;
}

/// All sets of three homes, the blank's left out, that are connected by their sides.
pub fn trominoes(shape: Shape, goal_blank: usize) -> Vec<[u8; 3]> {
    let mut found = Vec::new();
    for middle in (0..shape.cells()).map(Cell::new) {
        let around: Vec<usize> =
            Move::ALL.into_iter().filter_map(|step| Some(shape.neighbour(middle, step)?.index())).collect();
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
