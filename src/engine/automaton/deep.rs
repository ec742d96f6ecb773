//! A deeper automaton for one size of board, with more states than sixteen bits can number.

use std::sync::atomic::AtomicBool;

use super::compile::REJECT;
use super::hands::Hands;
use super::table::least;
use crate::board::Move;

/// An automaton for boards whose sides have at most so many cells; otherwise as [`Automaton`](super::Automaton).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeepAutomaton {
    rows: Vec<[u32; 4]>,
}

impl DeepAutomaton {
    /// The state before the first letter.
    pub const START: u32 = 0;

    /// What stands in a row where there is no next state.
    pub const REJECT: u32 = REJECT;

    /// The longest strings that are examined.
    pub const MAX_DEPTH: usize = 18;

    /// Finds the superfluous strings of at most `depth` letters that fit onto a board of `side` cells in each direction, and
    /// compiles them, with `threads` threads: the caller's and further ones; `None` where `stop` was set meanwhile. Strings
    /// that do not fit are not met there, whether they are accepted or not.
    ///
    /// # Panics
    /// If the depth is more than [`DeepAutomaton::MAX_DEPTH`].
    pub fn build(depth: usize, side: usize, threads: usize, stop: &AtomicBool) -> Option<DeepAutomaton> {
        assert!(depth <= Self::MAX_DEPTH, "an automaton of depth {depth}: the most is {}", Self::MAX_DEPTH);
        Some(DeepAutomaton { rows: least(depth, side, Hands { threads, stop })? })
    }

    /// Number of states.
    pub fn states(&self) -> usize {
        self.rows.len()
    }

    /// By state and letter the next state, or [`DeepAutomaton::REJECT`].
    #[inline]
    pub fn rows(&self) -> &[[u32; 4]] {
        &self.rows
    }

    /// Whether a whole string is accepted.
    pub fn accepts(&self, letters: impl IntoIterator<Item = Move>) -> bool {
        let step = |state: u32, letter: Move| {
            let next = self.rows[state as usize][letter.index()];
            (next != Self::REJECT).then_some(next)
        };
        letters.into_iter().try_fold(Self::START, step).is_some()
    }
}
