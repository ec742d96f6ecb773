//! Evaluations: about how many moves a position is from the goal.
//!
//! Unlike the lower bounds beside them they may be too large: a beam search keeps the positions with the smallest values and
//! proves nothing. What they must be is *the same everywhere*, so values are whole numbers, 1/[`UNIT`] of a move each, and
//! sums of table entries.
//!
//! An evaluation is Manhattan distance, and a weight for every tile in every cell, for every *pair* of tiles in every two
//! cells, and for *triples* of tiles with neighbouring homes in every three cells; the blank is one of the tiles ([`weights::Weights`]). A
//! search reads them as differences made by a move ([`Tables`]). There are weights for every shape and goal that need no
//! training ([`Untrained`]).
//!
//! Tiles are named by their homes here, the blank too.

mod sums;
mod tables;
#[cfg(test)]
mod tests;
mod triple_distances;
mod untrained;
mod weights;

pub use sums::{Group, LANES, Sums};
pub use tables::Tables;
pub use untrained::Untrained;
pub use weights::{MAX_CELLS, UNIT, Weights, trominoes};
