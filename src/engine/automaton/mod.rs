//! Duplicate pruning: a finite automaton over the letters of a path that rejects detours.
//!
//! L. A. Taylor, R. E. Korf, *Pruning duplicate nodes in depth-first search*, AAAI 1993. A depth-first
//! search remembers no states and comes to the same one along many strings of moves. Some of them
//! can be told to be superfluous without a board: `RL` undoes itself, and six moves around a square of
//! four cells do what the other six do. The strings found superfluous once and for all are compiled
//! into an automaton in the way of A. V. Aho, M. J. Corasick, *Efficient string matching*, CACM 18,
//! 1975; a search carries its state from node to node, at the price of one load.
//!
//! # What is rejected
//!
//! The grid here has no edge. The *effect* of a string is the permutation of the tiles that it causes,
//! starting from one cell of the blank; it tells where the blank ends, too, the only cell left
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
//! [`Space`](crate::frame::Space) steps with the letter's index k, not with the frame's move `order[k]`.
//!
//! # Cost
//!
//! See the table of [`Automaton::build`].

mod compile;
mod duplicates;

use crate::board::Move;

/// An automaton that accepts every canonical path and rejects strings that no such path contains.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Automaton {
    table: Vec<[u16; 4]>,
    allowed: Vec<u8>,
}

impl Automaton {
    /// The state before the first letter.
    pub const START: u16 = 0;

    /// Stands in the [table](Automaton::table) where there is no next state.
    pub const REJECT: u16 = u16::MAX;

    /// The longest strings that are examined.
    pub const MAX_DEPTH: usize = 14;

    /// Finds all superfluous strings of at most `depth` letters and compiles them.
    ///
    /// Depth 2 rejects exactly the moves that undo the last one, 0 and 1 nothing.
    ///
    /// | depth | states | KB | time, ms | branching 4×4 | nodes |
    /// |---|---|---|---|---|---|
    /// | 2 | 5 | 0.05 | 0 | 2.130 | 100 % |
    /// | 10 | 1,191 | 10.7 | 3.4 | 2.037 | 48 % |
    /// | 11 | 1,923 | 17.3 | 13 | | |
    /// | 12 | 8,081 | 72.7 | 43 | 2.010 | 40 % |
    /// | 13 | 13,882 | 125 | 150 | 2.002 | 38 % |
    /// | 14 | 56,974 | 513 | 720 | 1.986 | 35 % |
    ///
    /// One core of a shared 2-vCPU machine, wall time (10 and 12: `benches/automaton.rs`). The branching
    /// factor is that of all paths on the board; nodes are those of IDA* with Manhattan distance on sixty
    /// 15-puzzles of 46 moves on average – fewer are saved with a better heuristic, whose searches are
    /// shallower. The process's peak memory at depth 14 is 95 MB.
    ///
    /// Without merging equivalent states there would be 1,384 at depth 10, 9,732 at 12 and 70,051 at 14, more
    /// than sixteen bits can number.
    ///
    /// # Panics
    /// If the depth is more than [`Automaton::MAX_DEPTH`].
    pub fn build(depth: usize) -> Automaton {
        assert!(depth <= Self::MAX_DEPTH, "an automaton of depth {depth}: the most is {}", Self::MAX_DEPTH);
        let machine = rejected(depth).compile();
        let table = compile::narrow(&compile::minimise(&machine));
        let allowed = table.iter().map(mask).collect();
        Automaton { table, allowed }
    }

    /// Number of states.
    pub fn states(&self) -> usize {
        self.table.len()
    }

    /// What the tables hold in memory.
    pub fn bytes(&self) -> usize {
        size_of_val(self.table.as_slice()) + size_of_val(self.allowed.as_slice())
    }

    /// The state after a letter; `None` if the string is rejected.
    ///
    /// # Panics
    /// If there is no such state.
    #[inline]
    pub fn step(&self, state: u16, letter: Move) -> Option<u16> {
        let next = self.table[usize::from(state)][letter.index()];
        (next != Self::REJECT).then_some(next)
    }

    /// The letters that may follow: bit k for the k-th of [`Move::ALL`].
    ///
    /// # Panics
    /// If there is no such state.
    #[inline]
    pub fn allowed(&self, state: u16) -> u8 {
        self.allowed[usize::from(state)]
    }

    /// The next state, or [`Automaton::REJECT`], by state and letter.
    #[inline]
    pub fn table(&self) -> &[[u16; 4]] {
        &self.table
    }

    /// [`Automaton::allowed`] of every state.
    #[inline]
    pub fn masks(&self) -> &[u8] {
        &self.allowed
    }

    /// Whether a whole string is accepted.
    pub fn accepts(&self, letters: impl IntoIterator<Item = Move>) -> bool {
        letters.into_iter().try_fold(Self::START, |state, letter| self.step(state, letter)).is_some()
    }
}

/// The superfluous strings of at most `depth` letters that have no shorter one as a factor.
fn rejected(depth: usize) -> compile::Trie {
    let mut rejected = compile::Trie::default();
    for letters in 2..=depth {
        let machine = rejected.compile();
        for word in duplicates::superfluous(&machine, letters) {
            rejected.insert(word);
        }
    }
    rejected
}

/// The letters that do not lead to rejection.
fn mask(next: &[u16; 4]) -> u8 {
    (0..4).filter(|&k| next[k] != Automaton::REJECT).fold(0, |mask, k| mask | 1 << k)
}

/// A string of up to 15 letters: two bits a letter, the last lowest, and a one above the first.
///
/// The numbers' order is the order of the strings: by length, then by letters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Word(u32);

impl Word {
    const EMPTY: Word = Word(1);
    const MAX_LETTERS: usize = 15;

    #[inline]
    fn then(self, letter: usize) -> Word {
        Word(self.0 << 2 | letter as u32)
    }

    #[inline]
    fn len(self) -> usize {
        (31 - self.0.leading_zeros()) as usize / 2
    }

    /// The letters' indices, first to last.
    #[inline]
    fn letters(self) -> impl DoubleEndedIterator<Item = usize> {
        (0..self.len()).rev().map(move |at| (self.0 >> (2 * at) & 3) as usize)
    }
}

#[cfg(test)]
mod tests;
