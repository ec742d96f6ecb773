//! The automaton: its table, and how it is built.

use super::compile::{REJECT, Transitions, Trie, minimise};
use super::duplicates;
use super::hands::Hands;
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

    /// Entry of the [table](Automaton::table) where there is no next state.
    pub const REJECT: u16 = u16::MAX;

    /// The longest strings that are examined.
    pub const MAX_DEPTH: usize = 14;

    /// Finds all superfluous strings of at most `depth` letters and compiles them.
    ///
    /// Depth 2 rejects exactly the moves that undo the last one, 0 and 1 nothing.
    ///
    /// | depth | states | KB | branching 4×4 | nodes |
    /// |---|---|---|---|---|
    /// | 2 | 5 | 0.05 | 2.130 | 100 % |
    /// | 10 | 1,191 | 10.7 | 2.037 | 48 % |
    /// | 11 | 1,923 | 17.3 | | |
    /// | 12 | 8,081 | 72.7 | 2.010 | 40 % |
    /// | 13 | 13,882 | 125 | 2.002 | 38 % |
    /// | 14 | 56,974 | 513 | 1.986 | 35 % |
    ///
    /// The branching factor is that of all paths on the board; nodes are those of IDA* with Manhattan distance
    /// on sixty 15-puzzles of 46 moves on average – fewer are saved with a better heuristic, whose searches are
    /// shallower. Each depth takes about four times as long to build as the one before (`benches/automaton.rs`,
    /// figures in `benches/README.md`). The process's peak memory at depth 14 is 95 MB.
    ///
    /// Without merging equivalent states there would be 1,384 at depth 10, 9,732 at 12 and 70,051 at 14, more
    /// than sixteen bits can number.
    ///
    /// # Panics
    /// If the depth is more than [`Automaton::MAX_DEPTH`].
    pub fn build(depth: usize) -> Automaton {
        assert!(depth <= Self::MAX_DEPTH, "an automaton of depth {depth}: the most is {}", Self::MAX_DEPTH);
        let Some(machine) = least(depth, usize::MAX, Hands::ONE) else { unreachable!("nothing stops it") };
        let table = narrow(&machine);
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

/// The least automaton that rejects the superfluous strings of at most `depth` letters, see [`rejected`].
pub(super) fn least(depth: usize, side: usize, hands: Hands<'_>) -> Option<Transitions> {
    minimise(&rejected(depth, side, hands)?.compile(), hands)
}

/// The superfluous strings of at most `depth` letters that have no shorter one as a factor, as far as their boxes are
/// no higher and no wider than `side` cells; `None` where the work was stopped.
pub(super) fn rejected(depth: usize, side: usize, hands: Hands<'_>) -> Option<Trie> {
    let mut rejected = Trie::default();
    for letters in 2..=depth {
        let machine = rejected.compile();
        for word in duplicates::superfluous(&machine, letters, side, hands)? {
            rejected.insert(word);
        }
    }
    Some(rejected)
}

/// The letters that do not lead to rejection.
fn mask(next: &[u16; 4]) -> u8 {
    (0..4).filter(|&k| next[k] != Automaton::REJECT).fold(0, |mask, k| mask | 1 << k)
}

/// The transitions in sixteen bits a state.
fn narrow(machine: &Transitions) -> Vec<[u16; 4]> {
    assert!(machine.len() < usize::from(Automaton::REJECT), "{} states are too many", machine.len());
    let state = |to| if to == REJECT { Automaton::REJECT } else { to as u16 };
    machine.iter().map(|next| next.map(state)).collect()
}
