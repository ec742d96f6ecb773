//! The tables in which a search looks up by how much a move changes the value of a position.
//!
//! For each tile and each edge (two adjacent cells) along which the tile moves, a *row* contains
//! what every other tile in every cell contributes to the change. The entries of the blank include
//! the terms that depend on no other tile, such as the Manhattan distance. So a move costs one
//! lookup in that row per tile, and two in the table of each triple that contains the moved tile.
//! Entries are bytes: 3 MB of rows and 7 MB of triples on 6×6, 30 MB and 75 MB on 8×8.

use std::sync::atomic::{AtomicBool, Ordering};

use super::sums::{Group, OVERREAD, SEGMENT, Terms, Triple, ZERO, sum};
use super::{MAX_CELLS, UNIT, Weights, trominoes};
use crate::board::{Cell, Move, Shape};
use crate::system::{InstructionSet, Zeroed, prefetch};

/// The difference tables of an evaluation.
pub struct Tables {
    shape: Shape,
    cells: usize,
    goal_blank: usize,
    /// By edge: its two cells.
    ends: Vec<(usize, usize)>,
    /// The entries by tile, edge, other tile and its cell, with [`ZERO`] added.
    rows: Zeroed<u8>,
    /// By the blank's cell and move: the edge along which the blank moves.
    edge: Vec<[u16; 4]>,
    /// The weights by triple and its tiles' cells, with [`ZERO`] added.
    triples: Zeroed<u8>,
    /// By tile: the triples that contain it.
    triples_of_tile: Vec<Vec<Triple>>,
    /// Manhattan distance plus single weight, by tile and cell.
    single: Vec<i32>,
    /// Pair weight, by greater tile, its cell, smaller tile, and its cell.
    pair: Vec<i8>,
    /// By triple: its homes.
    homes: Vec<[u8; 3]>,
}

fn byte(value: i32) -> i8 {
    value.clamp(-127, 127) as i8
}

impl Tables {
    /// Builds the tables of the weights for a shape and the blank's home; `None` if `stop` is set
    /// meanwhile.
    pub fn new(shape: Shape, goal_blank: Cell, weights: &dyn Weights, stop: &AtomicBool) -> Option<Tables> {
        let (cells, goal_blank) = (shape.cells(), goal_blank.index());
        assert!(cells <= MAX_CELLS, "{shape} has no tables");
        let distance = |tile: usize, cell: usize| {
            if tile == goal_blank { 0 } else { UNIT * shape.distance(Cell::new(tile), Cell::new(cell)) as i32 }
        };
        let single: Vec<i32> =
            (0..cells * cells).map(|i| distance(i / cells, i % cells) + weights.single(i / cells, i % cells)).collect();
        let mut pair = vec![0; cells.pow(4)];
        for one in 0..cells * cells {
            for other in 0..one / cells * cells {
                if one % cells != other % cells {
                    let (a, b) = ((one / cells, one % cells), (other / cells, other % cells));
                    pair[one * cells * cells + other] = byte(weights.pair(a, b));
                }
            }
        }
        let homes = trominoes(shape, goal_blank);

        let (mut edge, mut ends) = (vec![[0; 4]; cells], Vec::new());
        for from in 0..cells {
            for step in [Move::Right, Move::Down] {
                if let Some(to) = shape.neighbour(Cell::new(from), step) {
                    edge[from][step.index()] = ends.len() as u16;
                    edge[to.index()][step.inverse().index()] = ends.len() as u16;
                    ends.push((from, to.index()));
                }
            }
        }
        let mut tables = Tables {
            shape,
            cells,
            goal_blank,
            rows: Zeroed::new(cells * ends.len() * cells * cells + SEGMENT),
            ends,
            edge,
            triples: Zeroed::new(homes.len() * cells.pow(3) + OVERREAD),
            triples_of_tile: vec![Vec::new(); cells],
            single,
            pair,
            homes,
        };
        let done = tables.fill_rows(stop) && tables.fill_triples(weights, stop);
        done.then_some(tables)
    }

    /// Returns the approximate size of the tables for a shape in bytes.
    pub fn bytes(shape: Shape) -> u64 {
        let cells = shape.cells() as u64;
        let edges = 2 * cells - shape.rows() as u64 - shape.cols() as u64;
        // The rows, the pair weights from which they are built, and the triples: at most six per
        // cell.
        cells * edges * cells * cells + cells.pow(4) + 6 * cells.pow(4)
    }

    fn fill_rows(&mut self, stop: &AtomicBool) -> bool {
        let n = self.cells;
        let blank = self.goal_blank;
        for tile in (0..n).filter(|&tile| tile != blank) {
            if stop.load(Ordering::Relaxed) {
                return false;
            }
            for (number, &(a, b)) in self.ends.iter().enumerate() {
                let id = tile * self.ends.len() + number;
                let mut row = vec![ZERO; n * n];
                for other in (0..n).filter(|&other| other != tile && other != blank) {
                    for cell in (0..n).filter(|&cell| cell != a && cell != b) {
                        let tile_change = self.pair((tile, b), (other, cell)) - self.pair((tile, a), (other, cell));
                        let blank_change = self.pair((other, cell), (blank, a)) - self.pair((other, cell), (blank, b));
                        row[other * n + cell] = ZERO.wrapping_add_signed(byte(tile_change + blank_change));
                    }
                }
                let single = |tile: usize, cell: usize| self.single[tile * n + cell];
                let singles = single(tile, b) - single(tile, a) + single(blank, a) - single(blank, b);
                let pair = self.pair((tile, b), (blank, a)) - self.pair((tile, a), (blank, b));
                // The blank is at one end of the edge. Its entries there include the terms that
                // depend on no other tile.
                for end in [a, b] {
                    row[blank * n + end] = ZERO.wrapping_add_signed(byte(singles + pair));
                }
                self.rows[id * n * n..(id + 1) * n * n].copy_from_slice(&row);
            }
        }
        true
    }

    fn fill_triples(&mut self, weights: &dyn Weights, stop: &AtomicBool) -> bool {
        let n = self.cells;
        let strides = [1, n, n * n];
        for (number, &homes) in self.homes.iter().enumerate() {
            if stop.load(Ordering::Relaxed) {
                return false;
            }
            let start = number * n.pow(3);
            for (entry, weight) in self.triples[start..start + n.pow(3)].iter_mut().zip(weights.triple(homes)) {
                *entry = ZERO.wrapping_add_signed(weight);
            }
            for (i, &home) in homes.iter().enumerate() {
                let others = [(i + 1) % 3, (i + 2) % 3].map(|j| (homes[j], strides[j] as u16));
                self.triples_of_tile[usize::from(home)].push(Triple { start, stride: strides[i], others });
            }
        }
        true
    }

    fn pair(&self, one: (usize, usize), other: (usize, usize)) -> i32 {
        let n = self.cells;
        let (high, low) = if one.0 > other.0 { (one, other) } else { (other, one) };
        i32::from(self.pair[(high.0 * n + high.1) * n * n + low.0 * n + low.1])
    }

    /// Returns the shape.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Returns the home of the blank.
    pub fn goal_blank(&self) -> usize {
        self.goal_blank
    }

    /// Returns the value of a position, given the home of the tile in each cell.
    pub fn value(&self, homes: &[u8]) -> i32 {
        let n = self.cells;
        let mut at = vec![0; n];
        for (cell, &home) in homes.iter().enumerate().take(n) {
            at[usize::from(home)] = cell;
        }
        let mut value = 0;
        for tile in 0..n {
            value += self.single[tile * n + at[tile]];
            value += (0..tile).map(|other| self.pair((tile, at[tile]), (other, at[other]))).sum::<i32>();
        }
        for (number, homes) in self.homes.iter().enumerate() {
            let [a, b, c] = homes.map(|home| at[usize::from(home)]);
            value += i32::from(self.triples[number * n * n * n + a + n * b + n * n * c]) - i32::from(ZERO);
        }
        value
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.cells * self.ends.len()
    }

    /// Returns the number of the row for a tile that swaps places with the blank, which moves from
    /// the cell `blank` in the direction `step`.
    #[inline(always)]
    pub fn row(&self, tile: usize, blank: usize, step: Move) -> usize {
        tile * self.ends.len() + usize::from(self.edge[blank][step.index()])
    }

    /// Prefetches a row.
    #[inline]
    pub fn prefetch_row(&self, row: usize) {
        const LINE: usize = 64;
        let bytes = self.cells * self.cells;
        for line in (row * bytes..(row + 1) * bytes + LINE).step_by(LINE) {
            prefetch(&self.rows, line);
        }
    }

    /// Computes by how much the move that belongs to a row changes the values of the first `len`
    /// positions of a group, and stores the changes in `group.sums`. The changes are for a blank
    /// that moves left or up; if it moves right or down, they have the opposite sign.
    #[inline]
    pub fn differences(&self, set: InstructionSet, row: usize, group: &mut Group, len: usize) {
        let bytes = self.cells * self.cells;
        let (tile, edge) = (row / self.ends.len(), row % self.ends.len());
        let row = &self.rows[row * bytes..(row + 1) * bytes + SEGMENT];
        let terms = Terms::new(self.cells, row, &self.triples_of_tile[tile], self.ends[edge], &self.triples);
        sum(set, &terms, group, len);
    }
}

impl std::fmt::Debug for Tables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tables").field("shape", &self.shape).field("goal_blank", &self.goal_blank).finish()
    }
}
