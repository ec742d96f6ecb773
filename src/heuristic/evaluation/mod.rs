//! Evaluations: estimates of the number of moves from a position to the goal.
//!
//! Unlike lower bounds, they may be too large. A beam search keeps the positions with the smallest
//! values and proves nothing. Evaluations must be *the same on every machine*, so values are sums
//! of table entries, and all entries are integers in units of 1/[`UNIT`] of a move.
//!
//! An evaluation is the Manhattan distance plus weights, which depend on the cells of a tile, of a
//! *pair* of tiles, or of a *triple* of tiles with neighbouring homes. In single weights and pairs,
//! the blank counts as a tile ([`weights::Weights`]). A search looks up by how much a move changes
//! the value ([`Tables`]). For every shape and goal there are weights that need no training
//! ([`Untrained`]).
//!
//! In this module, tiles and the blank are named by their homes.

mod sums;
mod tables;
#[cfg(test)]
mod tests;
mod triple_distances;
mod untrained;
mod weights;

pub use sums::{Group, LANES, SumMethod};
pub use tables::Tables;
pub use untrained::Untrained;
pub use weights::{MAX_CELLS, UNIT, Weights, trominoes};
