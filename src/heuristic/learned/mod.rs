//! Learned weights of an evaluation, trained on boards of one shape, and their file format.
//!
//! They are ordinary weights ([`crate::heuristic::evaluation::Weights`]) for goals whose blank is
//! in a certain cell. If a reflection of the board moves the blank of another goal to that cell,
//! they can also be used for that goal (`reflected.rs`). Some weights ship with the program
//! ([`Available`]).

mod available;
mod file;
mod reflected;
#[cfg(test)]
mod tests;

use crate::board::{Cell, Shape};
use crate::heuristic::evaluation::{MAX_CELLS, Weights, trominoes};

pub use available::Available;
pub use file::Error;

/// Learned weights for boards of one shape.
#[derive(Clone, PartialEq, Eq)]
pub struct Learned {
    shape: Shape,
    goal_blank: usize,
    single: Vec<i16>,
    pair: Vec<i8>,
    /// By triple: its homes.
    triples: Vec<[u8; 3]>,
    /// By triple and its tiles' cells: the weight.
    triple: Vec<i8>,
}

impl Learned {
    /// Creates the weights of a shape, for goals whose blank is in this cell, in
    /// 1/[`UNIT`](crate::heuristic::evaluation::UNIT) of a move. Tiles, including the blank, are
    /// named by their homes, and `n` is the number of cells:
    ///
    /// * `single`: by tile × n + cell;
    /// * `pair`: by ((greater tile × n + its cell) × n + smaller tile) × n + its cell;
    /// * `triple`: for every three connected homes in order ([`trominoes`]), n³ each, by the
    ///   first's cell + n × the second's + n² × the third's.
    ///
    /// # Panics
    /// If the shape has more than [`MAX_CELLS`] cells, if the blank's cell is not on it, or if a
    /// list has the wrong length.
    pub fn new(shape: Shape, goal_blank: Cell, single: Vec<i16>, mut pair: Vec<i8>, mut triple: Vec<i8>) -> Learned {
        let n = shape.cells();
        let goal_blank = goal_blank.index();
        assert!(n <= MAX_CELLS && goal_blank < n, "no weights for {shape} with the blank in cell {goal_blank}");
        let triples = trominoes(shape, goal_blank);
        assert_eq!((single.len(), pair.len(), triple.len()), (n * n, n.pow(4), triples.len() * n.pow(3)), "{shape}");
        clear_impossible(n, &mut pair, &mut triple);
        Learned { shape, goal_blank, single, pair, triples, triple }
    }

    /// Returns the weights by tile × n + cell.
    pub fn singles(&self) -> &[i16] {
        &self.single
    }

    /// Returns the weights by ((greater tile × n + its cell) × n + smaller tile) × n + its cell.
    pub fn pairs(&self) -> &[i8] {
        &self.pair
    }

    /// Returns the weights by triple, and within each by its tiles' cells.
    pub fn triple_weights(&self) -> &[i8] {
        &self.triple
    }

    /// Returns the weights of one triple.
    fn triple_weights_of(&self, homes: [u8; 3]) -> &[i8] {
        let Ok(number) = self.triples.binary_search(&homes) else { unreachable!("{homes:?} are not connected") };
        self.triple.chunks_exact(self.shape.cells().pow(3)).nth(number).unwrap_or_default()
    }

    /// Returns the size of the weights in bytes.
    pub fn bytes(&self) -> u64 {
        (2 * self.single.len() + self.pair.len() + self.triple.len()) as u64
    }

    /// Returns the shape and the blank's home.
    pub fn shape_and_blank(&self) -> (Shape, Cell) {
        (self.shape, Cell::new(self.goal_blank))
    }
}

/// Clears the weights of two tiles in the same cell, and those of pairs whose first tile is not the
/// greater.
fn clear_impossible(n: usize, pair: &mut [i8], triple: &mut [i8]) {
    for high in 0..n {
        for cell in 0..n {
            let rows = &mut pair[(high * n + cell) * n * n..][..n * n];
            rows[high * n..].fill(0);
            rows.iter_mut().skip(cell).step_by(n).for_each(|weight| *weight = 0);
        }
    }
    for weights in triple.chunks_exact_mut(n * n * n) {
        for c in 0..n {
            let plane = &mut weights[c * n * n..][..n * n];
            plane[c * n..][..n].fill(0);
            plane.iter_mut().skip(c).step_by(n).for_each(|weight| *weight = 0);
            plane.iter_mut().step_by(n + 1).for_each(|weight| *weight = 0);
        }
    }
}

impl Weights for Learned {
    fn single(&self, tile: usize, cell: usize) -> i32 {
        i32::from(self.single[tile * self.shape.cells() + cell])
    }

    fn pair(&self, one: (usize, usize), other: (usize, usize)) -> i32 {
        let n = self.shape.cells();
        let (high, low) = if one.0 > other.0 { (one, other) } else { (other, one) };
        i32::from(self.pair[(high.0 * n + high.1) * n * n + low.0 * n + low.1])
    }

    fn triple(&self, homes: [u8; 3]) -> Vec<i8> {
        self.triple_weights_of(homes).to_vec()
    }
}

impl std::fmt::Debug for Learned {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Learned").field("shape", &self.shape).field("goal_blank", &self.goal_blank).finish()
    }
}
