//! The distances of three tiles: the minimum number of their moves that bring them home. Moves of
//! other tiles cost nothing.
//!
//! This is a bit-parallel breadth-first search over all placements of the three: for each
//! placement of the first two tiles, one word holds the set of cells of the third. The blank's
//! position matters only if the three tiles *cut* the board, that is, if the other cells are not
//! connected. Those few placements have a state for every region of the blank and are searched one
//! by one. If regions were ignored, the paths found by beams would be 5 % longer. A triple takes
//! 0.5 ms on 36 cells.

use crate::board::{Cell, Shape};

/// The cells of a board as bits, and the sets of three cells that cut the board.
pub(super) struct BitBoard {
    cells: usize,
    cols: usize,
    goal_blank: usize,
    all_cells: u64,
    /// All cells except those of the first column.
    not_first: u64,
    /// All cells except those of the last column.
    not_last: u64,
    /// By cell: its neighbours.
    neighbours: Vec<Vec<usize>>,
    /// By two cells: the third cells that cut the board together with them.
    cutting: Vec<u64>,
}

/// A search for the distances of one triple.
struct TripleSearch<'a> {
    bits: &'a BitBoard,
    /// By the first two tiles' cells: the cells of the third tile that have not been reached,
    /// except in cutting placements.
    open: Vec<u64>,
    /// By the first two tiles' cells: the cells of the third tile in this layer.
    front: Vec<u64>,
    /// The same for the next layer.
    next: Vec<u64>,
    /// By cutting placement: the cells of all regions in which the blank has been.
    visited: Vec<u64>,
    /// The cutting placements of this layer, each with a region of the blank.
    cut: Vec<([usize; 3], u64)>,
    /// The same for the next layer.
    next_cut: Vec<([usize; 3], u64)>,
    /// By placement.
    distances: Vec<u8>,
}

impl BitBoard {
    pub(super) fn new(shape: Shape, goal_blank: usize) -> BitBoard {
        let (cells, cols) = (shape.cells(), shape.cols());
        let mask =
            |keep: &dyn Fn(usize) -> bool| (0..cells).filter(|&cell| keep(cell)).fold(0, |m, cell| m | 1 << cell);
        let around = |cell: usize| shape.neighbours(Cell::new(cell)).map(Cell::index).collect();
        let mut bits = BitBoard {
            cells,
            cols,
            goal_blank,
            all_cells: mask(&|_| true),
            not_first: mask(&|cell| cell % cols > 0),
            not_last: mask(&|cell| cell % cols + 1 < cols),
            neighbours: (0..cells).map(around).collect(),
            cutting: vec![0; cells * cells],
        };
        for a in 0..cells {
            for b in 0..a {
                for c in 0..b {
                    let free = bits.free([a, b, c]);
                    if free != 0 && bits.region(free, free.trailing_zeros() as usize) != free {
                        for [x, y, z] in [[a, b, c], [b, c, a], [a, c, b]] {
                            bits.cutting[x * cells + y] |= 1 << z;
                            bits.cutting[y * cells + x] |= 1 << z;
                        }
                    }
                }
            }
        }
        bits
    }

    /// Returns the cells that are adjacent to any of these.
    #[inline(always)]
    fn adjacent(&self, cells: u64) -> u64 {
        let vertical = cells << self.cols | cells >> self.cols;
        (vertical | (cells & self.not_first) >> 1 | (cells & self.not_last) << 1) & self.all_cells
    }

    /// Returns the free cells that are connected to this one.
    fn region(&self, free: u64, cell: usize) -> u64 {
        let mut region = 1 << cell & free;
        loop {
            let more = (region | self.adjacent(region)) & free;
            if more == region {
                return region;
            }
            region = more;
        }
    }

    fn free(&self, [a, b, c]: [usize; 3]) -> u64 {
        self.all_cells & !(1 << a | 1 << b | 1 << c)
    }

    /// Returns the distances of all placements of three tiles. On n cells the index is the first
    /// cell + n × the second + n² × the third. Impossible placements have distance 255.
    pub(super) fn distances(&self, homes: [u8; 3]) -> Vec<u8> {
        let n = self.cells;
        let mut open = vec![0; n * n];
        for a in 0..n {
            for b in (0..n).filter(|&b| b != a) {
                open[a * n + b] = self.all_cells & !(1 << a | 1 << b) & !self.cutting[a * n + b];
            }
        }
        let mut search = TripleSearch {
            bits: self,
            open,
            front: vec![0; n * n],
            next: vec![0; n * n],
            visited: vec![0; n * n * n],
            cut: Vec::new(),
            next_cut: Vec::new(),
            distances: vec![255; n * n * n],
        };
        search.reach(homes.map(usize::from), self.goal_blank, 0);
        search.advance();
        let mut distance = 1;
        while search.layer(distance) {
            distance += 1;
        }
        search.distances
    }
}

impl TripleSearch<'_> {
    fn index(&self, [a, b, c]: [usize; 3]) -> usize {
        a + self.bits.cells * (b + self.bits.cells * c)
    }

    /// Records that a placement of the three tiles is reached at this distance with the blank in
    /// `blank`, unless it was reached before. A cutting placement is recorded once for each region
    /// of the blank.
    fn reach(&mut self, placement: [usize; 3], blank: usize, distance: u8) {
        let index = self.index(placement);
        let (word, bit) = (placement[0] * self.bits.cells + placement[1], 1 << placement[2]);
        if self.bits.cutting[word] & bit != 0 {
            if self.visited[index] >> blank & 1 == 0 {
                let region = self.bits.region(self.bits.free(placement), blank);
                self.visited[index] |= region;
                self.next_cut.push((placement, region));
                self.distances[index] = self.distances[index].min(distance);
            }
        } else if self.open[word] & bit != 0 {
            self.open[word] &= !bit;
            self.next[word] |= bit;
            self.distances[index] = distance;
        }
    }

    /// Makes the next layer the current one.
    fn advance(&mut self) {
        std::mem::swap(&mut self.front, &mut self.next);
        std::mem::swap(&mut self.cut, &mut self.next_cut);
        self.next.fill(0);
        self.next_cut.clear();
    }

    /// Reaches all placements at this distance. Returns false if there is no such placement.
    fn layer(&mut self, distance: u8) -> bool {
        let (bits, n) = (self.bits, self.bits.cells);
        let mut any = false;
        for a in 0..n {
            for b in 0..n {
                let at = a * n + b;
                let mut reached = bits.adjacent(self.front[at]);
                for &other in &bits.neighbours[a] {
                    reached |= self.front[other * n + b];
                }
                for &other in &bits.neighbours[b] {
                    reached |= self.front[a * n + other];
                }
                let mut cutting = reached & bits.cutting[at];
                reached &= self.open[at];
                self.open[at] &= !reached;
                self.next[at] |= reached;
                any |= reached != 0;
                while reached != 0 {
                    let c = reached.trailing_zeros() as usize;
                    self.distances[a + n * (b + n * c)] = distance;
                    reached &= reached - 1;
                }
                while cutting != 0 {
                    let c = cutting.trailing_zeros() as usize;
                    self.enter_cutting([a, b, c], distance);
                    cutting &= cutting - 1;
                }
            }
        }
        for (placement, region) in std::mem::take(&mut self.cut) {
            for tile in 0..3 {
                for &to in &bits.neighbours[placement[tile]] {
                    if region >> to & 1 == 1 {
                        let mut after = placement;
                        after[tile] = to;
                        self.reach(after, placement[tile], distance);
                    }
                }
            }
        }
        any |= self.next.iter().any(|&word| word != 0) || !self.next_cut.is_empty();
        self.advance();
        any
    }

    /// Reaches a cutting placement from non-cutting placements of this layer. The blank is in the
    /// cell that the moved tile has left.
    fn enter_cutting(&mut self, placement: [usize; 3], distance: u8) {
        let bits = self.bits;
        for tile in 0..3 {
            for &from in &bits.neighbours[placement[tile]] {
                let mut before = placement;
                before[tile] = from;
                if !placement.contains(&from) && self.front[before[0] * bits.cells + before[1]] >> before[2] & 1 == 1 {
                    self.reach(placement, from, distance);
                }
            }
        }
    }
}
