//! Descent: the whole graph of a shape of 12 cells as two bits a state, its canonical first letter.
//!
//! 3×4 and 2×6 have 12!/2 = 239,500,800 states each. A breadth-first search over all of them, its
//! steps operations on rows of bits, takes less than a second (`search`); what is kept is 60 MB, from which the canonical
//! path of any board is read by following the letters to the goal, a few hundred nanoseconds (`walk`).
//!
//! ```text
//! digits ─▶ jumps ─▶ pulls ─┬▶ search ─▶ Distances (one bit) ─▶ letters ─▶ Table ─▶ walk
//!                           └───────────────────────────────────▲           └───▶ verify (shares no code with the others)
//! ```
//!
//! Like the letters, the table belongs to a [`Space`]: the blank's goal cell and the order in which its letters go.
//! It works for every shape of 6 to 12 cells, an even number, with at least two rows and three columns; below 12 the tests use it
//! (`engine::lookup` is faster there).
//!
//! Processor time on a shared Xeon of 2.6 GHz, from nothing: 3×4 0.9 s, 2×6 1.45 s; a board of 3×4 0.27 µs among
//! many (`benches/README.md`).

mod digits;
mod jumps;
mod letters;
mod pulls;
mod search;
#[cfg(all(test, not(loom)))]
mod tests;
pub mod verify;
mod walk;

use std::sync::atomic::AtomicBool;

use crate::board::{Move, Path, Ranking, Shape, Solvable, State};
use crate::frame::Space;
use crate::ledger::Footprint;
use crate::memory::Zeroed;
use digits::factorial;
use letters::ENTRY_BYTES;
use pulls::Pulls;
use search::Distances;
pub use walk::Start;
use walk::Walk;

/// Cells of the shapes that are worth a table of this kind.
pub const CELLS: usize = 12;

/// Every state's canonical first letter in one space.
pub struct Table {
    space: Space,
    ranking: Ranking,
    entries: Zeroed<u8>,
    walk: Walk,
    levels: Vec<u64>,
}

impl Table {
    /// Builds the table on `threads` threads of its own; `None` when told to stop, or for a shape that has none.
    pub fn build(space: &Space, threads: usize, stop: &AtomicBool) -> Option<Table> {
        let ranking = Ranking::new(space.shape, space.goal_blank).filter(|_| is_possible(space.shape))?;
        let (threads, pulls) = (threads.max(1), Pulls::new(space.shape, space.goal_blank));
        let distances = Distances::search(&pulls, threads, stop)?;
        let entries = letters::first_letters(&pulls, &distances, space, threads);
        let walk = Walk::new(&pulls, space);
        Some(Table { space: *space, ranking, entries, walk, levels: distances.levels })
    }

    /// The space it serves.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// States at each distance from the goal, as counted while it was built.
    pub fn levels(&self) -> &[u64] {
        &self.levels
    }

    /// Where the way of a board begins.
    #[inline]
    pub fn start(&self, start: &Solvable) -> Start {
        let state = start.state();
        Start { number: self.ranking.order(state), blank: state.blank().index() as u8 }
    }

    /// The canonical path of every board, written over `paths`. Several at once cost a quarter of what they cost one by one.
    ///
    /// # Panics
    /// When there are fewer paths than boards.
    pub fn solve_all(&self, starts: &[Start], paths: &mut [Path]) {
        assert!(starts.len() <= paths.len(), "{} paths for {} boards", paths.len(), starts.len());
        self.walk.all(&self.entries, starts, paths);
    }

    /// The canonical path of a board, written over `path`.
    pub fn solve(&self, start: &Solvable, path: &mut Path) {
        self.solve_all(&[self.start(start)], std::slice::from_mut(path));
    }

    /// The first letter of a state's canonical path, as the table has it; of the goal any.
    pub fn first_letter(&self, state: &State) -> Move {
        let entry = walk::entry(&self.entries, self.ranking.order(state));
        Move::from_index((entry >> (2 * state.blank().index())) as u8)
    }

    /// What it holds in memory.
    pub fn bytes(&self) -> u64 {
        (self.entries.len() + self.walk.bytes()) as u64
    }

    /// What a table of this shape will hold, about.
    pub fn bytes_of(shape: Shape) -> u64 {
        entry_bytes(shape)
    }

    /// What one of this shape takes: while it is built two bits a state for the search, one and the table at the end,
    /// and room for the threads; then the table, and what a walk down it needs.
    pub fn footprint(shape: Shape, threads: usize) -> Footprint {
        let row = factorial(shape.cells().saturating_sub(3)) * size_of::<u64>();
        let (bits, table) = ((row * shape.cells()) as u64, entry_bytes(shape));
        let building = bits + bits.max(table) + 2 * row as u64 + threads as u64 * Self::THREAD_BYTES;
        Footprint { peak: building + Self::SHARED_BYTES, kept: table + Self::SHARED_BYTES }
    }

    /// What building one costs: as long as it takes to place tiles so many times in pattern databases, where
    /// that takes 3.3 to 4.2 ns. A state takes 3.7 ns on 3×4 and 6.2 ns on 2×6, which has half as many levels again (one
    /// core of a shared Xeon of 2.6 GHz, 2026-11-21).
    pub fn placements(shape: Shape) -> u64 {
        let states = factorial(shape.cells()) as u64 / 2;
        if shape.rows() > 2 { states } else { states * 7 / 4 }
    }

    /// The tables of jumps and changes (2×6, the larger), and what each thread needs.
    const SHARED_BYTES: u64 = 12 << 20;
    const THREAD_BYTES: u64 = 1 << 20;
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Table({}, {} bytes)", self.space.shape, self.bytes())
    }
}

/// Whether boards of this shape are worth such a table.
pub fn is_for(shape: Shape) -> bool {
    shape.cells() == CELLS && !shape.is_line()
}

/// Whether there can be such a table.
fn is_possible(shape: Shape) -> bool {
    let cells = shape.cells();
    cells.is_multiple_of(2) && cells <= CELLS && shape.rows() >= 2 && shape.cols() >= 3
}

fn entry_bytes(shape: Shape) -> u64 {
    (factorial(shape.cells() - 1) / 2 * ENTRY_BYTES) as u64
}
