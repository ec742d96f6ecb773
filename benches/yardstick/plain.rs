//! The yardstick: textbook IDA* with the Manhattan distance.
//!
//! R. E. Korf, *Depth-first iterative-deepening: an optimal admissible tree search*, Artificial
//! Intelligence 27, 1985. The search is recursive, over an array of sixteen tiles. The distance is
//! updated incrementally from a table, the inverse of the last move is skipped, and moves are tried
//! in a fixed order. The search packs no states, uses no vector code and keeps no list of frontier
//! nodes, so its speed is a measure of the machine and not of the implementation. It generates as
//! many nodes as the paper's search for the same boards, which confirms that the search is the
//! same.

/// Rows and columns of the board.
const SIDE: usize = 4;

/// The moves of the blank in the order of Korf's program: up, left, right, down.
const MOVES: [(isize, isize); 4] = [(-1, 0), (0, -1), (0, 1), (1, 0)];

/// A board whose goal has the blank first, and the number of nodes of its search.
pub struct Plain {
    tiles: [u8; SIDE * SIDE],
    /// The distance of each tile from its goal cell, by the tile and the cell that it is in.
    distances: [[u8; SIDE * SIDE]; SIDE * SIDE],
    /// The number of nodes generated, including the start.
    pub generated: u64,
}

/// The outcome of a search to a bound: the length, or the least f beyond the bound.
enum Outcome {
    Found(usize),
    Beyond(usize),
}

impl Plain {
    pub fn new(tiles: &[u8; SIDE * SIDE]) -> Plain {
        let mut distances = [[0; SIDE * SIDE]; SIDE * SIDE];
        for (tile, row) in distances.iter_mut().enumerate().skip(1) {
            for (cell, distance) in row.iter_mut().enumerate() {
                *distance = ((cell / SIDE).abs_diff(tile / SIDE) + (cell % SIDE).abs_diff(tile % SIDE)) as u8;
            }
        }
        Plain { tiles: *tiles, distances, generated: 0 }
    }

    /// Returns the length of a shortest path.
    pub fn solve(&mut self) -> usize {
        let distance_of = |(cell, &tile): (usize, &u8)| usize::from(self.distances[usize::from(tile)][cell]);
        let distance: usize = self.tiles.iter().enumerate().map(distance_of).sum();
        let blank = self.tiles.iter().position(|&tile| tile == 0).expect("every board has a blank");
        self.generated = 1;
        let mut bound = distance;
        loop {
            match self.search(blank, blank, 0, distance, bound) {
                Outcome::Found(moves) => return moves,
                Outcome::Beyond(least) => bound = least,
            }
        }
    }

    fn search(&mut self, blank: usize, previous_blank: usize, depth: usize, distance: usize, bound: usize) -> Outcome {
        if distance == 0 {
            return Outcome::Found(depth);
        }
        let mut least = usize::MAX;
        for (down, right) in MOVES {
            let row = (blank / SIDE).wrapping_add_signed(down);
            let col = (blank % SIDE).wrapping_add_signed(right);
            let to = row.wrapping_mul(SIDE).wrapping_add(col);
            if row >= SIDE || col >= SIDE || to == previous_blank {
                continue;
            }
            self.generated += 1;
            let tile_distances = &self.distances[usize::from(self.tiles[to])];
            let distance = distance + usize::from(tile_distances[blank]) - usize::from(tile_distances[to]);
            if depth + 1 + distance > bound {
                least = least.min(depth + 1 + distance);
                continue;
            }
            self.tiles.swap(blank, to);
            let outcome = self.search(to, blank, depth + 1, distance, bound);
            self.tiles.swap(blank, to);
            match outcome {
                Outcome::Found(moves) => return Outcome::Found(moves),
                Outcome::Beyond(beyond) => least = least.min(beyond),
            }
        }
        Outcome::Beyond(least)
    }
}
