//! Duplicate pruning: a finite-state machine that reads the letters of a path and rejects detours.
//!
//! L. A. Taylor, R. E. Korf, *Pruning duplicate nodes in depth-first search*, AAAI 1993.
//! Depth-first search does not remember states, and reaches the same state by many operator
//! sequences (*strings* below). Some strings are duplicates on any board: `RL` undoes itself, and
//! six moves around a square of four cells have the same effect as six moves the other way. The
//! duplicate strings, found in advance, are compiled into an automaton by the method of A. V. Aho,
//! M. J. Corasick, *Efficient string matching*, CACM 18, 1975. A search carries the automaton's
//! state from node to node, at the cost of one load.
//!
//! # Definitions
//!
//! Here strings move the blank on a grid without edges. The *effect* of a string is how it
//! rearranges the tiles, starting from a given cell of the blank. The effect also determines the
//! blank's final cell, the only one without a tile. The *box* of a string is the smallest rectangle
//! around all cells that the blank visits, including the first. Letters are moves on the board as
//! given, D < L < R < U. A string is *smaller* than another if it is shorter, or if it has equal
//! length and comes first in alphabetical order.
//!
//! > A string `w` is a **duplicate** if a smaller string `v` has the same
//! > effect and the box of `v` lies within the box of `w`.
//!
//! An automaton of depth d rejects a string if and only if the string contains a duplicate of at
//! most d letters as a factor (a contiguous substring).
//!
//! # Why no canonical path is lost
//!
//! *Replacement keeps a path valid.* Let a path on a board of any shape contain a duplicate factor
//! `w`, and let `v` be as above. During `w` the blank visits every row and column of the box of
//! `w`. So the box, placed relative to the blank's cell, lies on the board, and so does the box of
//! `v`. Hence each move of `v` is legal. The effect of `v` is that of `w`, so the rest of the path
//! can follow and leads to the same board as before.
//!
//! *The replaced path was not canonical.* The new path is smaller than the old one. It is shorter
//! if `v` is shorter. Otherwise the two paths are equal up to the factor, and the new one is
//! smaller within it. The canonical path is the smallest path from one board to another. So it has
//! no duplicate factor, nor does any of its prefixes, and the automaton accepts them all. ∎
//!
//! The proof depends on the boxes. At an edge `v` may be illegal where `w` is legal. Without the
//! condition on boxes the search would prune `w` there and have no replacement.
//!
//! *Other pruning rules can be combined with the automaton.* For every path that the automaton
//! prunes, a smaller valid path leads to the same state. Any set of rules with this property can be
//! used together: none of them drops a prefix of a canonical path.
//!
//! # Letters and frames
//!
//! Letters, rows and columns are those of the given board, not of the canonical frame. For the k-th
//! letter, a search in a [`Space`](crate::board::frame::Space) moves the blank by `order[k]`, but
//! advances the automaton by k.
//!
//! # Cost
//!
//! See the table at [`Automaton::build`].

mod compile;
#[cfg(test)]
mod tests;

use std::sync::atomic::AtomicBool;

use self::compile::{MAX_LETTERS, REJECT, Trie, duplicates, minimise};

/// An automaton that accepts every canonical path and rejects many of the other strings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Automaton {
    rows: Vec<[u32; 4]>,
}

impl Automaton {
    /// The state before the first letter.
    pub const START: u32 = 0;

    /// The entry of a [row](Automaton::rows) for rejection.
    pub const REJECT: u32 = REJECT;

    /// The maximum depth for boards of any size.
    pub const MAX_DEPTH: usize = MAX_LETTERS;

    /// Compiles the duplicate strings of at most `depth` letters.
    ///
    /// An automaton of depth 2 rejects exactly the moves that undo the last one. Depths 0 and 1
    /// reject nothing.
    ///
    /// | depth | states | KB | branching 4×4 | nodes |
    /// |---|---|---|---|---|
    /// | 2 | 5 | 0.08 | 2.130 | 100 % |
    /// | 10 | 1,191 | 19.1 | 2.037 | 48 % |
    /// | 11 | 1,923 | 30.8 | | |
    /// | 12 | 8,081 | 129 | 2.010 | 40 % |
    /// | 13 | 13,882 | 222 | 2.002 | 38 % |
    /// | 14 | 56,974 | 912 | 1.986 | 35 % |
    ///
    /// The branching factor is the growth per move of the number of accepted paths on the board.
    /// The nodes, relative to depth 2, were counted in IDA* with Manhattan distance on sixty
    /// 15-puzzles of 46 moves on average. With a better heuristic the automaton saves fewer nodes,
    /// because the searches are shallower (`benches/automaton.rs`, figures in
    /// `benches/constants.csv`).
    ///
    /// Before minimisation there are 1,384 states at depth 10, 9,732 at 12 and 70,051 at 14.
    ///
    /// # Panics
    /// Panics if the depth is more than [`Automaton::MAX_DEPTH`].
    pub fn build(depth: usize) -> Automaton {
        let built = Automaton::build_for_side(depth, usize::MAX, &AtomicBool::new(false));
        built.unwrap_or_else(|| unreachable!("nothing stops the construction"))
    }

    /// Compiles the duplicate strings of at most `depth` letters that fit onto boards with sides of
    /// at most `side` cells. On a larger board, the automaton may accept strings that contain other
    /// duplicates of at most `depth` letters.
    ///
    /// Returns `None` if `stop` is set before the automaton is finished.
    ///
    /// # Panics
    /// Panics if the depth is more than 16, or more than [`Automaton::MAX_DEPTH`] and the side is
    /// more than 5.
    pub fn build_for_side(depth: usize, side: usize, stop: &AtomicBool) -> Option<Automaton> {
        Some(Automaton { rows: minimise(&rejected(depth, side).compile(), stop)? })
    }

    /// Returns the next state by state and letter, or [`Automaton::REJECT`].
    #[inline]
    pub fn rows(&self) -> &[[u32; 4]] {
        &self.rows
    }
}

/// Returns a trie of the duplicate strings from which an automaton is compiled.
fn rejected(depth: usize, side: usize) -> Trie {
    let mut rejected = Trie::default();
    duplicates(depth, side).for_each(|string| rejected.insert(string));
    rejected
}
