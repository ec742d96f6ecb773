//! Boards, and everything that needs only boards: shapes, goals, moves, solvability, symmetries.
//!
//! A [`Cell`] is a position on the board, counted row by row from 0. A [`Tile`] is a label; 0 is
//! the blank. Cells and tiles have different types because their numbers are easily confused.

mod cell;
mod convert;
pub mod distribution;
mod error;
pub mod frame;
mod goal;
mod moves;
mod orders;
mod packed;
mod parity;
mod path_list;
mod position;
mod rank;
mod reflections;
pub mod replay;
mod shape;
mod solvability;
mod state;
mod tile;
pub mod tokens;

pub use cell::Cell;
pub use error::{Error, ErrorKind};
pub use goal::{Goal, GoalTiles};
pub use moves::{Move, Path};
pub use orders::Orders;
pub use packed::Packed;
pub use parity::{Solvable, is_solvable};
pub use path_list::{Beginning, PathList};
pub use position::Board;
pub use rank::Ranking;
pub use reflections::Reflections;
pub(crate) use reflections::reflected;
pub use reflections::symmetries;
pub use shape::{MAX_SEARCH_CELLS, Shape};
pub use solvability::Solvability;
pub use state::State;
pub use tile::Tile;
