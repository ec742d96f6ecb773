//! Weights for any shape and goal that need no training.
//!
//! A pair in linear conflict counts 1.7 moves, a little less than its true cost of two, because
//! conflicts overlap. Three tiles with connected homes may need extra moves beyond their distances
//! and conflicts. Each extra move counts a quarter of a move, because every tile is in about twelve
//! such triples. Both numbers were tuned on 100 random 6×6 boards: with them, the paths of a beam
//! of width 1,000 have 210 moves on average; with only Manhattan distance and linear conflict, 232.

use super::triple_distances::BitBoard;
use super::{UNIT, Weights};
use crate::board::{Cell, Shape};
use crate::heuristic::line;

/// The weight of two tiles in linear conflict.
const CONFLICT: i32 = UNIT * 17 / 10;
/// The weight of a move that a triple needs beyond its distances and conflicts.
const TRIPLE: i32 = UNIT / 4;
/// The range to which the number of a triple's extra moves is clamped.
const TRIPLE_MOVES: (i32, i32) = (-2, 6);

/// The weights for a shape and the blank's home.
pub struct Untrained {
    shape: Shape,
    goal_blank: usize,
    bits: BitBoard,
}

impl Untrained {
    /// Returns the weights for a shape of at most [`super::MAX_CELLS`] cells and the blank's home.
    pub fn new(shape: Shape, goal_blank: Cell) -> Untrained {
        let goal_blank = goal_blank.index();
        Untrained { shape, goal_blank, bits: BitBoard::new(shape, goal_blank) }
    }

    /// Returns true if two tiles are in their common home line in the wrong order.
    fn in_conflict(&self, one: (usize, usize), other: (usize, usize)) -> bool {
        let is_reversed = (one.0 < other.0) != (one.1 < other.1);
        let in_line = |dimension: usize| {
            let number = line(self.shape, dimension, one.0);
            [one.1, other.0, other.1].iter().all(|&cell| line(self.shape, dimension, cell) == number)
        };
        is_reversed && (in_line(0) || in_line(1))
    }
}

impl Weights for Untrained {
    fn single(&self, _: usize, _: usize) -> i32 {
        0
    }

    fn pair(&self, one: (usize, usize), other: (usize, usize)) -> i32 {
        let are_tiles = one.0 != self.goal_blank && other.0 != self.goal_blank;
        if are_tiles && self.in_conflict(one, other) { CONFLICT } else { 0 }
    }

    fn triple(&self, homes: [u8; 3]) -> Vec<i8> {
        let n = self.shape.cells();
        let distances = self.bits.distances(homes);
        let tiles = homes.map(usize::from);
        let distance = |tile: usize, cell: usize| self.shape.distance(Cell::new(tile), Cell::new(cell)) as i32;
        // The moves that a conflict of two of the tiles costs, by their cells.
        let conflict_moves = |i: usize, j: usize| -> Vec<i32> {
            let conflict = |at: usize| {
                let (a, b) = ((tiles[i], at % n), (tiles[j], at / n));
                if self.in_conflict(a, b) { 2 } else { 0 }
            };
            (0..n * n).map(conflict).collect()
        };
        let (moves01, moves02, moves12) = (conflict_moves(0, 1), conflict_moves(0, 2), conflict_moves(1, 2));
        let singles: Vec<[i32; 3]> = (0..n).map(|cell| tiles.map(|tile| distance(tile, cell))).collect();
        let mut weights = vec![0; n * n * n];
        for c in 0..n {
            for b in 0..n {
                let counted = singles[b][1] + singles[c][2] + moves12[b + n * c];
                for a in 0..n {
                    let at = a + n * b + n * n * c;
                    if distances[at] < 255 {
                        let counted = counted + singles[a][0] + moves01[a + n * b] + moves02[a + n * c];
                        let more = (i32::from(distances[at]) - counted).clamp(TRIPLE_MOVES.0, TRIPLE_MOVES.1);
                        weights[at] = (TRIPLE * more) as i8;
                    }
                }
            }
        }
        weights
    }
}
