//! The automaton's table and its construction.

use std::sync::atomic::AtomicBool;

use super::compile::{REJECT, Trie, minimise};
use super::duplicates;
use super::shipped;
use super::word::Word;
use super::workers::Workers;
use crate::board::Move;

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

    /// The maximum length of the strings examined.
    pub const MAX_DEPTH: usize = 18;

    /// Finds all duplicate strings of at most `depth` letters and compiles them.
    ///
    /// Depth 2 rejects exactly the moves that undo the last one. Depths 0 and 1 reject nothing.
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
    /// The branching factor is for all paths on the board. The nodes, relative to depth 2, were
    /// counted in IDA* with Manhattan distance on sixty 15-puzzles of 46 moves on average. With a
    /// better heuristic the automaton saves fewer nodes, because the searches are shallower. Each
    /// depth takes about four times as long to build as the previous one (`benches/automaton.rs`,
    /// figures in `benches/constants.csv`). The process's peak memory at depth 14 is 95 MB.
    ///
    /// Before minimisation there are 1,384 states at depth 10, 9,732 at 12 and 70,051 at 14.
    ///
    /// # Panics
    /// Panics if the depth is more than [`Automaton::MAX_DEPTH`].
    pub fn build(depth: usize) -> Automaton {
        let built = Automaton::build_with(depth, usize::MAX, Workers::ONE);
        built.unwrap_or_else(|| unreachable!("nothing stops the construction"))
    }

    /// Builds an automaton for boards with sides of at most `side` cells, on `threads` threads
    /// including the caller's. It may accept or reject strings that do not fit onto such a board.
    ///
    /// Returns `None` if `stop` is set before the automaton is finished.
    ///
    /// # Panics
    /// Panics if the depth is more than [`Automaton::MAX_DEPTH`].
    pub fn build_for_side(depth: usize, side: usize, threads: usize, stop: &AtomicBool) -> Option<Automaton> {
        Automaton::build_with(depth, side, Workers { threads, stop })
    }

    fn build_with(depth: usize, side: usize, workers: Workers<'_>) -> Option<Automaton> {
        assert!(depth <= Self::MAX_DEPTH, "automaton of depth {depth}: the maximum is {}", Self::MAX_DEPTH);
        Some(Automaton { rows: minimise(&rejected(depth, side, workers)?.compile(), workers)? })
    }

    /// Returns the next state by state and letter, or [`Automaton::REJECT`].
    #[inline]
    pub fn rows(&self) -> &[[u32; 4]] {
        &self.rows
    }

    /// Returns true if the whole string is accepted.
    pub fn accepts(&self, letters: impl IntoIterator<Item = Move>) -> bool {
        let step = |state: u32, letter: Move| {
            let next = self.rows[state as usize][letter.index()];
            (next != Self::REJECT).then_some(next)
        };
        letters.into_iter().try_fold(Self::START, step).is_some()
    }
}

/// Returns a trie of the duplicate strings of at most `depth` letters that have no shorter one as a
/// factor. Strings whose box is higher or wider than `side` cells are left out. Returns `None` if
/// stopped.
pub(super) fn rejected(depth: usize, side: usize, workers: Workers<'_>) -> Option<Trie> {
    let words = match (depth, side) {
        (shipped::DEPTH, shipped::SIDE) => shipped::strings(),
        _ => find_strings(depth, side, workers)?,
    };
    let mut rejected = Trie::default();
    words.into_iter().for_each(|word| rejected.insert(word));
    Some(rejected)
}

/// Finds the strings that [`rejected`] puts into the trie.
pub(super) fn find_strings(depth: usize, side: usize, workers: Workers<'_>) -> Option<Vec<Word>> {
    let (mut rejected, mut found) = (Trie::default(), Vec::new());
    for letters in 2..=depth {
        let machine = rejected.compile();
        for word in duplicates::find(&machine, letters, side, workers)? {
            rejected.insert(word);
            found.push(word);
        }
    }
    Some(found)
}
