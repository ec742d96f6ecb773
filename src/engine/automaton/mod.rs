//! Duplicate pruning: a finite automaton over the letters of a path that rejects detours.
//!
//! L. A. Taylor, R. E. Korf, *Pruning duplicate nodes in depth-first search*, AAAI 1993. A depth-first
//! search remembers no states and comes to the same one along many strings of moves. Some of them
//! are superfluous on any board: `RL` undoes itself, and six moves around a square of
//! four cells do what the other six do. The strings found superfluous once and for all are compiled
//! into an automaton in the way of A. V. Aho, M. J. Corasick, *Efficient string matching*, CACM 18,
//! 1975; a search carries its state from node to node, at the price of one load.
//!
//! # What is rejected
//!
//! The grid here has no edge. The *effect* of a string is the permutation of the tiles that it causes,
//! starting from one cell of the blank; it also determines where the blank ends, the only cell left
//! without a tile. The *box* of a string is the smallest rectangle around all cells that the
//! blank visits, its first among them. Letters are those of the board as given, D < L < R < U, and a
//! string is *smaller* than another if it is shorter, or as long and earlier in the alphabet.
//!
//! > A string `w` is **superfluous** if a smaller string `v` has the same effect and its box lies
//! > within the box of `w`.
//!
//! An automaton of depth d rejects a string if a factor of it (letters in a row) of at most d
//! letters is superfluous.
//!
//! # Why no canonical path is lost
//!
//! *Replacing keeps a path real.* Let a path on a board of any shape contain a superfluous factor
//! `w`, and let `v` be as above. With the factor the blank visits every row and column of the box of
//! `w`; so, from where the blank then is, the box lies on the board, and the box of `v` with it: each
//! move of `v` can be made. Its effect is that of `w`, so the rest of the path can follow and leads
//! to the same board as before.
//!
//! *What is replaced was not canonical.* The new path is smaller than the old one: shorter if `v` is
//! shorter; else equal to it up to the factor and smaller within. So the canonical path – the
//! smallest of all that lead from one board to another – has no superfluous factor, none of its
//! prefixes has one, and the automaton accepts them all. ∎
//!
//! The box is what this rests on. Beside an edge `v` may be impossible where `w` is not, and without
//! the precondition the search would lose both.
//!
//! *It may be combined.* What a search leaves out because of the automaton is the end of a real path,
//! and a smaller real path has the same end. Any set of rules of which this is true can be used at
//! once: a prefix of a canonical path is not dropped by any of them.
//!
//! # Letters and frames
//!
//! The order of the letters and the rows and columns are those of the board as given. A search in a
//! [`Space`](crate::board::frame::Space) steps with the letter's index k, not with the frame's move `order[k]`.
//!
//! # Cost
//!
//! See the table at [`Automaton::build`].

mod compile;
mod duplicates;
mod grid;
mod hands;
mod shipped;
mod sieve;
mod table;
#[cfg(test)]
mod tests;
mod walk;
mod word;

pub use table::Automaton;
