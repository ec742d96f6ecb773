//! Whole paths, one word a state: for shapes on which no path is longer than 31 moves (2×2, 2×3, 3×3).
//!
//! The moves stand in a word two bits each, the first lowest, with a one above the last; bit 63
//! is the parity of the state's order, so that one load answers length, path and solvability: of the
//! two orders that share a rank ([`crate::board::Ranking`]) the one of the other parity is not solvable.
//!
//! A breadth-first search from the goal writes them (`search.rs`), and every table is proved when it is built
//! (`proof.rs`). 3×3: 181,440 words, 1.45 MB.

mod paths;
mod proof;
mod ranks;
mod search;
mod slides;
mod word;

pub use paths::Paths;
pub use word::{PARITY, moves, plies};
