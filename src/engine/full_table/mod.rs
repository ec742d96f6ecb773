//! Full tables of shapes of 8, 10 or 12 cells: the first letter of every state's canonical path, in
//! two bits.
//!
//! 3×4 and 2×6 have 12!/2 = 239,500,800 states each. A breadth-first search over all of them takes
//! about a second, with operations on rows of bits (`search`). The table takes 60 MB. The canonical
//! path of any board is read by following the letters to the goal, in a few hundred nanoseconds
//! (`walk`).
//!
//! ```text
//! digits ─▶ jumps ─▶ search ─▶ Distances (one bit) ─▶ letters ─▶ Table ─▶ walk
//!                                                                   └───▶ tests/proof (independent code)
//! ```
//!
//! A table belongs to a [`Space`](crate::board::frame::Space): a shape, the blank's goal cell and
//! the order of the letters. Tables can be built for every shape with an even number of cells from
//! 6 to 12, at least two rows and at least three columns. Below 10 cells only 2×4 uses a full
//! table, because the other shapes have tables of complete paths (`engine::lookup`). The table of
//! 2×5 takes about 9 ms to build. `benches/full_table.rs` measures 3×4 and 2×6, with figures in
//! `benches/constants.csv`.

mod jumps;
mod letters;
mod search;
#[cfg(all(test, not(loom)))]
pub(in crate::engine) mod tests;
mod walk;

use std::sync::atomic::AtomicBool;

use self::letters::ENTRY_BYTES;
use self::search::{Distances, Pulls};
pub use self::walk::Start;
use self::walk::Walk;
use crate::board::digits::factorial;
use crate::board::frame::Space;
#[cfg(test)]
use crate::board::{Move, State};
use crate::board::{Path, Ranking, Shape, Solvable};
use crate::system::{Footprint, Zeroed};

/// The number of cells of the largest shapes with a table.
pub const MAX_CELLS: usize = 12;

/// The canonical first letter of every state in one space.
pub struct Table {
    space: Space,
    ranking: Ranking,
    entries: Zeroed<u8>,
    walk: Walk,
    levels: Vec<u64>,
}

impl Table {
    /// Builds the table on `threads` threads, including the caller's. Returns `None` if stopped, or
    /// if the shape cannot have a table.
    pub fn build(space: &Space, threads: usize, stop: &AtomicBool) -> Option<Table> {
        let ranking = Ranking::new(space.shape, space.goal_blank).filter(|_| is_possible(space.shape))?;
        let (threads, pulls) = (threads.max(1), Pulls::new(space.shape, space.goal_blank));
        let distances = Distances::search(&pulls, threads, stop)?;
        let entries = letters::first_letters(&pulls, &distances, space, threads);
        let walk = Walk::new(&pulls, space);
        Some(Table { space: *space, ranking, entries, walk, levels: distances.levels })
    }

    /// Returns the table's space.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// Returns the number of states at each distance from the goal, as counted during the search.
    pub fn levels(&self) -> &[u64] {
        &self.levels
    }

    /// Returns the start of the path from this state.
    #[inline]
    pub fn start(&self, start: &Solvable) -> Start {
        let state = start.state();
        Start { number: self.ranking.order(state), blank: state.blank().index() as u8 }
    }

    /// Writes the canonical path of every board to `paths`. A batch takes a quarter of the time of
    /// single calls.
    ///
    /// # Panics
    /// Panics if there are fewer paths than boards.
    pub fn solve_all(&self, starts: &[Start], paths: &mut [Path]) {
        assert!(starts.len() <= paths.len(), "{} paths for {} boards", paths.len(), starts.len());
        self.walk.follow_all(&self.entries, starts, paths);
    }

    /// Writes the canonical path of a board to `path`.
    pub fn solve(&self, start: &Solvable, path: &mut Path) {
        self.solve_all(&[self.start(start)], std::slice::from_mut(path));
    }

    /// Returns the first letter of a state's canonical path; an arbitrary letter for the goal.
    #[cfg(test)]
    pub fn first_letter(&self, state: &State) -> Move {
        let entry = walk::entry(&self.entries, self.ranking.order(state));
        Move::from_index((entry >> (2 * state.blank().index())) as u8)
    }

    /// Returns the memory of the table.
    pub fn bytes(&self) -> u64 {
        (self.entries.len() + self.walk.bytes()) as u64
    }

    /// Returns the approximate memory of a table of this shape.
    pub fn bytes_of(shape: Shape) -> u64 {
        (factorial(shape.cells() - 1) / 2 * ENTRY_BYTES) as u64
    }

    /// Returns the number of threads, at most `threads`, for building a table of this shape. A
    /// small table is complete before a second thread has started.
    pub fn threads(shape: Shape, threads: usize) -> usize {
        if shape.cells() < MAX_CELLS { 1 } else { threads }
    }

    /// Returns the memory of a table of this shape. During the build: two bits per state for the
    /// search, or one bit and the table for the conversion, and the threads' buffers. Afterwards:
    /// the table, and the lookup tables for path following.
    pub fn footprint(shape: Shape, threads: usize) -> Footprint {
        let row = factorial(shape.cells().saturating_sub(3)) * size_of::<u64>();
        let (bits, table) = ((row * shape.cells()) as u64, Self::bytes_of(shape));
        let building =
            bits + bits.max(table) + 2 * row as u64 + Self::threads(shape, threads) as u64 * Self::THREAD_BYTES;
        let shared = if shape.cells() < MAX_CELLS { Self::SHARED_BYTES_OF_SMALL } else { Self::SHARED_BYTES };
        Footprint { peak: building + shared, kept: table + shared }
    }

    /// Returns the build cost of a table, as the number of pattern database entries generated in
    /// the same time. A state of 3×4 costs about one entry. A state of 2×6, which has one and a
    /// half times as many levels, costs 7/4 (tuned with `benches/full_table.rs` and
    /// `benches/pdb_build.rs`).
    pub fn build_cost(shape: Shape) -> u64 {
        let states = factorial(shape.cells()) as u64 / 2;
        if shape.rows() > 2 { states } else { states * 7 / 4 }
    }

    /// The memory of the jumps (`jumps`) and the changes (`walk`); 2×6 has more of them than 3×4.
    const SHARED_BYTES: u64 = 12 << 20;
    /// The same for shapes of fewer than 12 cells.
    const SHARED_BYTES_OF_SMALL: u64 = 2 << 20;
    /// The memory of one thread's buffers.
    const THREAD_BYTES: u64 = 1 << 20;
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Table({}, {} bytes)", self.space.shape, self.bytes())
    }
}

/// Returns true if boards of this shape use a full table.
pub fn is_for(shape: Shape) -> bool {
    matches!(shape.cells(), 8 | 10 | MAX_CELLS) && !shape.is_line()
}

fn is_possible(shape: Shape) -> bool {
    let cells = shape.cells();
    cells.is_multiple_of(2) && cells <= MAX_CELLS && shape.rows() >= 2 && shape.cols() >= 3
}
