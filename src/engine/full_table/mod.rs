//! Full table: the whole graph of a shape of 8, 10 or 12 cells, as each state's canonical first
//! letter in two bits.
//!
//! 3×4 and 2×6 have 12!/2 = 239,500,800 states each. A breadth-first search over all of them takes
//! about a second, with operations on rows of bits (`search`). The table takes 60 MB. The canonical
//! path of any board is read by following the letters to the goal, in a few hundred nanoseconds
//! (`walk`).
//!
//! ```text
//! digits ─▶ jumps ─▶ pulls ─┬▶ search ─▶ Distances (one bit) ─▶ letters ─▶ Table ─▶ walk
//!                           └───────────────────────────────────▲           └───▶ tests/proof (independent code)
//! ```
//!
//! A table belongs to a [`Space`](crate::board::frame::Space): a shape, the blank's goal cell and
//! the order of the letters. Tables can be built for every shape with an even number of cells from
//! 6 to 12, at least two rows and at least three columns. Below 10 cells only 2×4 uses one, because
//! the other shapes have tables of complete paths (`engine::lookup`). 2×5 takes 9 ms (measured by
//! `benches/full_table.rs`, figures in `benches/constants.csv`).

mod engine;
mod jumps;
mod letters;
mod pulls;
mod search;
mod table;
#[cfg(all(test, not(loom)))]
pub(in crate::engine) mod tests;
mod walk;

pub use table::{MAX_CELLS, Table, is_for};
pub use walk::Start;
