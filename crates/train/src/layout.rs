//! The layout of the weights, which are one long list. There are weights of *singles*, *pairs* and
//! *triples*, which are one, two or three tiles in certain cells. The layout computes the indices
//! of a position's weights.
//!
//! Symmetries of the board that leave the goal's blank in place map a position to one that needs
//! the same number of moves. So tile sets that symmetries map to each other share one table. The
//! table is read once in every *view* of the board, which is the image of the board under one
//! symmetry. The value of a position is the same in all views. Sharing roughly halves the number of
//! weights if the goal's blank is in a corner of a square, and divides it by about eight if the
//! blank is in the middle.

use taquin::internal::training::{UNIT, Weights, symmetries, trominoes};
use taquin::{Cell, Shape};

/// The place of each weight in the list: pairs first, then triples, then singles, and last the
/// bias, a weight that every position has.
#[derive(Debug)]
pub(super) struct Layout {
    shape: Shape,
    goal_blank: usize,
    cells: usize,
    views: Vec<View>,
    /// The single tiles, pairs and triples that have a table: the greatest of each class of tile
    /// sets that symmetries map to each other. In pairs the greater tile is first.
    singles: Vec<u8>,
    pairs: Vec<[u8; 2]>,
    triples: Vec<[u8; 3]>,
    /// The Manhattan distance by cell and home cell of a tile; 0 for the blank.
    distances: Vec<u8>,
}

/// A symmetry: a permutation of the cells, and its inverse.
#[derive(Debug)]
struct View {
    to: Vec<u8>,
    from: Vec<u8>,
}

/// The numbers of weights of each kind for a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Counts {
    pub(super) pairs: usize,
    pub(super) triples: usize,
    pub(super) singles: usize,
}

/// The readings of the table of a tile set: for each view that maps the set to the table's set, the
/// number of the view, the start of the table, and the stride of each tile's cell in the table.
/// Symmetric sets share one table.
type Sources<const K: usize> = Vec<(usize, usize, [usize; K])>;

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

    /// Returns the number of triples with weights, including those that share a table.
    pub(super) fn tromino_count(&self) -> usize {
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

    /// Returns the length of the list.
    pub(super) fn weight_count(&self) -> usize {
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

    /// Returns the Manhattan distance of a position, given by the home cell of the tile in each
    /// cell.
    pub(super) fn distance(&self, homes: &[u8]) -> u32 {
        homes
            .iter()
            .enumerate()
            .map(|(cell, &home)| u32::from(self.distances[cell * self.cells + usize::from(home)]))
            .sum()
    }

    /// Computes the indices of a position's weights: pairs, triples, singles, and the bias.
    pub(super) fn indices(&self, homes: &[u8], indices: &mut Vec<u32>) {
        indices.clear();
        let n = self.cells;
        let mut cell_of = [0u8; 64];
        for (cell, &home) in homes.iter().enumerate() {
            cell_of[usize::from(home) & 63] = cell as u8;
        }
        // The cell of each tile, as seen in each view.
        let mut cells_in_views = [[0u32; 64]; 8];
        for (view, cells) in self.views.iter().zip(&mut cells_in_views) {
            for (tile, cell) in cells[..n].iter_mut().enumerate() {
                *cell = u32::from(view.to[usize::from(cell_of[usize::from(view.from[tile]) & 63])]);
            }
        }
        let cells_in_views = &cells_in_views[..self.views.len()];
        let cell = |cells: &[u32; 64], tile: u8| cells[usize::from(tile) & 63];
        let n = n as u32;
        for cells in cells_in_views {
            indices.extend(
                self.pairs
                    .iter()
                    .zip((0..).step_by((n * n) as usize))
                    .map(|(&[high, low], start): (_, u32)| start + cell(cells, high) * n + cell(cells, low)),
            );
        }
        for cells in cells_in_views {
            let starts = (self.triples_start() as u32..).step_by((n * n * n) as usize);
            indices.extend(
                self.triples
                    .iter()
                    .zip(starts)
                    .map(|(&[a, b, c], start)| start + cell(cells, a) + n * (cell(cells, b) + n * cell(cells, c))),
            );
        }
        for cells in cells_in_views {
            let starts = (self.singles_start() as u32..).step_by(n as usize);
            indices.extend(self.singles.iter().zip(starts).map(|(&tile, start)| start + cell(cells, tile)));
        }
        indices.push(self.bias() as u32);
    }

    /// Returns the weight of a tile in a cell, summed over the views. The weight of the blank
    /// includes the bias.
    pub(super) fn single(&self, weights: &[f32], tile: usize, cell: usize) -> f32 {
        let mut sum = 0.0;
        for view in &self.views {
            if let Ok(number) = self.singles.binary_search(&view.tile(tile as u8)) {
                sum += weights[self.singles_start() + number * self.cells + usize::from(view.to[cell])];
            }
        }
        sum + if tile == self.goal_blank { weights[self.bias()] } else { 0.0 }
    }

    /// Returns the readings for a pair of tiles. `set` has the greater tile first.
    fn pair_sources(&self, set: [u8; 2]) -> Sources<2> {
        let n = self.cells;
        self.sources(set, &self.pairs, [n, 1], 0, n * n)
    }

    /// Returns the readings for a triple of tiles, with the strides in the order of the tiles.
    fn triple_sources(&self, set: [u8; 3]) -> Sources<3> {
        let n = self.cells;
        self.sources(set, &self.triples, [1, n, n * n], self.triples_start(), n * n * n)
    }

    /// Returns, for each view that maps this set to one with a table, the view, the start of the
    /// table, and the strides of the tiles' cells. The strides of `table_strides` are in the order
    /// of the table's tiles.
    fn sources<const K: usize>(
        &self,
        set: [u8; K],
        tables: &[[u8; K]],
        table_strides: [usize; K],
        start: usize,
        size: usize,
    ) -> Sources<K> {
        let mut sources = Vec::new();
        for (number, view) in self.views.iter().enumerate() {
            let image = set.map(|tile| view.tile(tile));
            let found = tables.iter().position(|table| sorted(*table) == sorted(image));
            if let Some(table) = found {
                let place = |tile: u8| tables[table].iter().position(|&other| other == tile).unwrap_or(0);
                sources.push((number, start + table * size, image.map(|tile| table_strides[place(tile)])));
            }
        }
        sources
    }

    /// Computes the weights of a pair of tiles in all pairs of cells. The index is n × the greater
    /// tile's cell + the smaller's, where n is the number of cells.
    pub(super) fn pair(&self, weights: &[f32], high: u8, low: u8, out: &mut Vec<f32>) {
        let n = self.cells;
        out.clear();
        out.resize(n * n, 0.0);
        for (view, start, strides) in self.pair_sources([high, low]) {
            let to = &self.views[view].to;
            for (i, sum) in out.iter_mut().enumerate() {
                *sum += weights[start + strides[0] * usize::from(to[i / n]) + strides[1] * usize::from(to[i % n])];
            }
        }
    }

    /// Computes the weights of a triple of tiles in all triples of cells. The index is the first
    /// tile's cell + n × the second's + n² × the third's, where n is the number of cells.
    pub(super) fn triple(&self, weights: &[f32], set: [u8; 3], out: &mut Vec<f32>) {
        let n = self.cells;
        out.clear();
        out.resize(n * n * n, 0.0);
        for (view, start, strides) in self.triple_sources(set) {
            let to = &self.views[view].to;
            for (i, sums) in out.chunks_exact_mut(n).enumerate() {
                let (b, c) = (usize::from(to[i % n]), usize::from(to[i / n]));
                let start = start + strides[1] * b + strides[2] * c;
                for (a, sum) in sums.iter_mut().enumerate() {
                    *sum += weights[start + strides[0] * usize::from(to[a])];
                }
            }
        }
    }

    /// Sets the weights of the pairs and triples from weights that no symmetry changes. Each weight
    /// is divided by the number of readings for its tile set, because the readings are added.
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
            let start = self.triples_start() + number * n * n * n;
            for (weight, value) in weights[start..].iter_mut().zip(from.triple(set)) {
                *weight = share * f32::from(value);
            }
        }
    }
}

impl View {
    /// Returns the image of a tile under the symmetry. Tiles are named by their home cells (their
    /// cells in the goal), so they are mapped like cells.
    fn tile(&self, tile: u8) -> u8 {
        self.to[usize::from(tile)]
    }
}

/// Sorts in descending order.
fn sorted<const K: usize>(mut set: [u8; K]) -> [u8; K] {
    set.sort_unstable_by(|a, b| b.cmp(a));
    set
}
