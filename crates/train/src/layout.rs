//! Which weights a position has: the numbers of its singles, pairs and triples in one long list.
//!
//! What a symmetry of the board that leaves the goal's blank where it is makes of a position needs as many moves. So the tile
//! sets that symmetries take to each other share one table, which is read in every *view* of the board, and the value is the
//! same in all views: half the weights where the goal's blank is in a corner of a square, an eighth where it is in the middle.

use taquin::internal::training::{UNIT, Weights, symmetries, trominoes};
use taquin::{Cell, Shape};

/// The places of weights in the list: the kinds one after the other.
#[derive(Debug)]
pub(super) struct Layout {
    shape: Shape,
    goal_blank: usize,
    cells: usize,
    views: Vec<View>,
    /// Of each set of tiles that symmetries take to each other, the first; the greater tile first in pairs.
    singles: Vec<u8>,
    pairs: Vec<[u8; 2]>,
    triples: Vec<[u8; 3]>,
    /// By cell and home: Manhattan distance.
    distances: Vec<u8>,
}

/// A symmetry: where it takes every cell, and from where.
#[derive(Debug)]
struct View {
    to: Vec<u8>,
    from: Vec<u8>,
}

/// How many weights of each kind a position has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Counts {
    pub(super) pairs: usize,
    pub(super) triples: usize,
    pub(super) singles: usize,
}

/// A table as one tile set sees it: the numbers of the symmetries that take the set to the table's, and the table.
type Source<const K: usize> = Vec<(usize, usize, [usize; K])>;

impl Layout {
    pub(super) fn new(shape: Shape, goal_blank: Cell) -> Layout {
        let cells = shape.cells();
        let views: Vec<View> = symmetries(shape, goal_blank)
            .into_iter()
            .map(|to| {
                let to: Vec<u8> = to.into_iter().map(|cell| cell.index() as u8).collect();
                let mut from = vec![0; cells];
                for (cell, &to) in to.iter().enumerate() {
                    from[usize::from(to)] = cell as u8;
                }
                View { to, from }
            })
            .collect();
        let goal_blank = goal_blank.index();
        let mut pairs = Vec::new();
        for high in 0..cells as u8 {
            for low in 0..high {
                let set = [high, low];
                if views.iter().all(|view| sorted(set.map(|tile| view.tile(tile))) <= set) {
                    pairs.push(set);
                }
            }
        }
        let singles = (0..cells as u8).filter(|&tile| views.iter().all(|view| view.tile(tile) <= tile)).collect();
        let triples = trominoes(shape, goal_blank)
            .into_iter()
            .filter(|&set| views.iter().all(|view| sorted(set.map(|tile| view.tile(tile))) <= sorted(set)))
            .collect();
        let distance = |i: usize| shape.distance(Cell::new(i / cells), Cell::new(i % cells)) as u8;
        let is_tile = |i: usize| i % cells != goal_blank;
        let distances = (0..cells * cells).map(|i| if is_tile(i) { distance(i) } else { 0 }).collect();
        Layout { shape, goal_blank, cells, views, singles, pairs, triples, distances }
    }

    pub(super) fn shape(&self) -> Shape {
        self.shape
    }

    pub(super) fn cells(&self) -> usize {
        self.cells
    }

    pub(super) fn goal_blank(&self) -> Cell {
        Cell::new(self.goal_blank)
    }

    /// How many triples have weights, those included that share them.
    pub(super) fn all_triples(&self) -> usize {
        trominoes(self.shape, self.goal_blank).len()
    }

    fn triples_start(&self) -> usize {
        self.pairs.len() * self.cells.pow(2)
    }

    fn singles_start(&self) -> usize {
        self.triples_start() + self.triples.len() * self.cells.pow(3)
    }

    fn bias(&self) -> usize {
        self.singles_start() + self.singles.len() * self.cells
    }

    /// The length of the list.
    pub(super) fn weights(&self) -> usize {
        self.bias() + 1
    }

    pub(super) fn counts(&self) -> Counts {
        let views = self.views.len();
        Counts {
            pairs: views * self.pairs.len(),
            triples: views * self.triples.len(),
            singles: views * self.singles.len(),
        }
    }

    /// The Manhattan distance of a position, by cell the home of what stands there.
    pub(super) fn distance(&self, homes: &[u8]) -> u32 {
        homes
            .iter()
            .enumerate()
            .map(|(cell, &home)| u32::from(self.distances[cell * self.cells + usize::from(home)]))
            .sum()
    }

    /// The numbers of a position's weights: pairs, triples, singles, and one that all positions have.
    pub(super) fn numbers(&self, homes: &[u8], numbers: &mut Vec<u32>) {
        numbers.clear();
        let n = self.cells;
        let mut at = [0u8; 64];
        for (cell, &home) in homes.iter().enumerate() {
            at[usize::from(home) & 63] = cell as u8;
        }
        let mut seen = [[0u32; 64]; 8];
        for (view, seen) in self.views.iter().zip(&mut seen) {
            for (tile, seen) in seen[..n].iter_mut().enumerate() {
                *seen = u32::from(view.to[usize::from(at[usize::from(view.from[tile]) & 63])]);
            }
        }
        let seen = &seen[..self.views.len()];
        let cell = |view: &[u32; 64], tile: u8| view[usize::from(tile) & 63];
        let n = n as u32;
        for view in seen {
            numbers.extend(
                self.pairs
                    .iter()
                    .zip((0..).step_by((n * n) as usize))
                    .map(|(&[high, low], start): (_, u32)| start + cell(view, high) * n + cell(view, low)),
            );
        }
        for view in seen {
            let starts = (self.triples_start() as u32..).step_by((n * n * n) as usize);
            numbers.extend(
                self.triples
                    .iter()
                    .zip(starts)
                    .map(|(&[a, b, c], start)| start + cell(view, a) + n * (cell(view, b) + n * cell(view, c))),
            );
        }
        for view in seen {
            let starts = (self.singles_start() as u32..).step_by(n as usize);
            numbers.extend(self.singles.iter().zip(starts).map(|(&tile, start)| start + cell(view, tile)));
        }
        numbers.push(self.bias() as u32);
    }

    /// What the list says of a tile in a cell.
    pub(super) fn single(&self, weights: &[f32], tile: usize, cell: usize) -> f32 {
        let mut sum = 0.0;
        for view in &self.views {
            if let Ok(number) = self.singles.binary_search(&view.tile(tile as u8)) {
                sum += weights[self.singles_start() + number * self.cells + usize::from(view.to[cell])];
            }
        }
        sum + if tile == self.goal_blank { weights[self.bias()] } else { 0.0 }
    }

    /// Which tables say something of a pair of tiles, the greater first.
    fn pair_sources(&self, set: [u8; 2]) -> Source<2> {
        let n = self.cells;
        self.sources(set, &self.pairs, [n, 1], 0, n * n)
    }

    /// Which tables say something of a triple of tiles in their order.
    fn triple_sources(&self, set: [u8; 3]) -> Source<3> {
        let n = self.cells;
        self.sources(set, &self.triples, [1, n, n * n], self.triples_start(), n * n * n)
    }

    /// By view that takes this set to one that has a table: the view, where the table begins, and the factors of the tiles' cells.
    fn sources<const K: usize>(
        &self,
        set: [u8; K],
        tables: &[[u8; K]],
        factors: [usize; K],
        start: usize,
        size: usize,
    ) -> Source<K> {
        let mut sources = Vec::new();
        for (number, view) in self.views.iter().enumerate() {
            let seen = set.map(|tile| view.tile(tile));
            let found = tables.iter().position(|table| sorted(*table) == sorted(seen));
            if let Some(table) = found {
                let place = |tile: u8| tables[table].iter().position(|&other| other == tile).unwrap_or(0);
                sources.push((number, start + table * size, seen.map(|tile| factors[place(tile)])));
            }
        }
        sources
    }

    /// What the list says of a pair of tiles in all pairs of cells: by the greater tile's cell × cells + the smaller's.
    pub(super) fn pair(&self, weights: &[f32], high: u8, low: u8, out: &mut Vec<f32>) {
        let n = self.cells;
        out.clear();
        out.resize(n * n, 0.0);
        for (view, start, factors) in self.pair_sources([high, low]) {
            let to = &self.views[view].to;
            for (i, sum) in out.iter_mut().enumerate() {
                *sum += weights[start + factors[0] * usize::from(to[i / n]) + factors[1] * usize::from(to[i % n])];
            }
        }
    }

    /// What the list says of a triple in all its places: by the first tile's cell + cells × the second's + cells² × the third's.
    pub(super) fn triple(&self, weights: &[f32], set: [u8; 3], out: &mut Vec<f32>) {
        let n = self.cells;
        out.clear();
        out.resize(n * n * n, 0.0);
        for (view, start, factors) in self.triple_sources(set) {
            let to = &self.views[view].to;
            for (i, sums) in out.chunks_exact_mut(n).enumerate() {
                let (b, c) = (usize::from(to[i % n]), usize::from(to[i / n]));
                let start = start + factors[1] * b + factors[2] * c;
                for (a, sum) in sums.iter_mut().enumerate() {
                    *sum += weights[start + factors[0] * usize::from(to[a])];
                }
            }
        }
    }

    /// Fills the list with the shares of weights that are the same in all views.
    pub(super) fn fill(&self, weights: &mut [f32], from: &impl Weights) {
        let n = self.cells;
        let share = |sources: usize| 1.0 / (UNIT as usize * sources) as f32;
        for (number, &set) in self.pairs.iter().enumerate() {
            let share = share(self.pair_sources(set).len());
            let [high, low] = set.map(usize::from);
            for i in 0..n * n {
                if i / n != i % n {
                    weights[number * n * n + i] = share * from.pair((high, i / n), (low, i % n)) as f32;
                }
            }
        }
        for (number, &set) in self.triples.iter().enumerate() {
            let share = share(self.triple_sources(set).len());
            let all = from.triples().iter().position(|&other| other == set);
            let start = self.triples_start() + number * n * n * n;
            for (weight, value) in weights[start..].iter_mut().zip(all.map_or(Vec::new(), |all| from.triple(all))) {
                *weight = share * f32::from(value);
            }
        }
    }
}

impl View {
    /// Tiles are named by their homes, so they are taken where their homes are.
    fn tile(&self, tile: u8) -> u8 {
        self.to[usize::from(tile)]
    }
}

/// The greatest first.
fn sorted<const K: usize>(mut set: [u8; K]) -> [u8; K] {
    set.sort_unstable_by(|a, b| b.cmp(a));
    set
}
