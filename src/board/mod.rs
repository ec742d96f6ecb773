//! Boards, and everything that needs only boards: shapes, goals, moves, solvability, symmetries.
//!
//! A [`Cell`] is a position on the board, counted row by row from 0. A [`Tile`] is a label; 0 is
//! the blank. Cells and tiles have different types because their numbers are easily confused.

mod convert;
pub(crate) mod digits;
pub mod distribution;
mod error;
pub mod frame;
mod goal;
mod moves;
mod orders;
mod parity;
mod position;
mod rank;
pub mod replay;
mod shape;
mod state;
mod symmetry;
pub mod tokens;

pub use error::{Error, ErrorKind};
pub use goal::{Goal, GoalTiles};
pub use moves::{Beginning, Move, Path, PathList};
pub use orders::OrderRanks;
pub use parity::{Solvability, Solvable, is_solvable};
pub use position::{Board, Tile};
pub use rank::Ranking;
pub use shape::{Cell, MAX_SEARCH_CELLS, Shape};
pub use state::{Packed, State};
pub(crate) use symmetry::Symmetry;
#[cfg(test)]
pub(crate) use symmetry::reflected;
pub use symmetry::{Reflections, symmetries};
