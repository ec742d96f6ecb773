//! Full table: the whole graph of a shape of 8, 10 or 12 cells as two bits a state, its canonical first letter.
//!
//! 3×4 and 2×6 have 12!/2 = 239,500,800 states each. A breadth-first search over all of them, its
//! steps operations on rows of bits, takes about a second (`search`); the table kept is 60 MB, from which the canonical
//! path of any board is read by following the letters to the goal, a few hundred nanoseconds (`walk`).
//!
//! ```text
//! digits ─▶ jumps ─▶ pulls ─┬▶ search ─▶ Distances (one bit) ─▶ letters ─▶ Table ─▶ walk
//!                           └───────────────────────────────────▲           └───▶ tests/proof (shares no code with the others)
//! ```
//!
//! Like the letters, the table belongs to a [`Space`](crate::board::frame::Space): the blank's goal cell and the order in which its letters go.
//! It works for every shape of 6 to 12 cells, an even number, with at least two rows and three columns; below 10 cells
//! only 2×4 is served by it, for the others have tables of whole paths (`engine::lookup`). 2×5 takes 9 ms. Times: `benches/full_table.rs`, figures in `benches/README.md`.

mod digits;
mod engine;
mod jumps;
mod letters;
mod pulls;
mod search;
mod table;
#[cfg(all(test, not(loom)))]
pub(in crate::engine) mod tests;
mod walk;

pub use table::{CELLS, Table, is_for};
pub use walk::Start;
