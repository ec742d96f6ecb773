//! Complete paths, one word per state, for shapes on which no shortest path is longer than 31
//! moves (2×2, 2×3, 3×2, 3×3).
//!
//! A move takes two bits of the word. The first move is in the lowest bits, and a 1 bit follows the
//! last. Bit 63 is the parity of the order of the state's tiles. So one load gives length, path and
//! solvability: two orders share a rank ([`crate::board::Ranking`]), and only the one of this
//! parity is solvable.
//!
//! A breadth-first search from the goal writes the words (`search.rs`). Every table is verified
//! when it is built (`proof.rs`). 3×3: 181,440 words, 1.45 MB.

mod paths;
mod proof;
mod search;
mod states;

pub use paths::Paths;
pub use states::{PARITY, moves, plies};
