//! The states of a side: those of even depth in one set, those of odd depth in another.
//!
//! A move changes the colour of the blank's cell, so a state and its neighbours are never in one set, and a state is
//! looked up in one alone: an insertion costs one cache miss, as with a single set.
//!
//! This saves memory while a set grows, when its successor stands beside it. A single set would
//! be moved while it holds all layers but the last: half of the states there will be, where layers double. The set of a parity
//! holds a sixth of them then (1/8 + 1/32 + …), and the larger half of all states, the layer before, stays where it is. Also
//! a third as many states are moved.
//!
//! At first both are one set, because the smallest of 16 cells takes half a megabyte ([`crate::engine::visited`]), and
//! making a second one takes a quarter of the time of an easy board (`benches/constants.csv`). The parity that outgrows it
//! gets a set of its own, with a copy of all that was in the first; the other's states are never looked up there.
//!
//! Cost: 10 bytes a state that a set is planned for (24 with wide keys), and some 11 a state in it, since the plan includes
//! duplicates.

use std::sync::Arc;

use crate::engine::ThreadShare;
use crate::engine::rehash::move_states;
use crate::engine::visited::StateSet;
use crate::engine::word::Word;

/// The set of even and the set of odd depths.
pub(super) struct Sets<W>([Arc<StateSet<W>>; 2]);

impl<W> Clone for Sets<W> {
    fn clone(&self) -> Sets<W> {
        Sets(self.0.clone())
    }
}

/// The size to plan a set with that is to hold `states` states.
///
/// The sets plan for a load of 2/3; one-word slots do well with 0.8, at which the first refusal is far off
/// (`full_comes_late`; and of the states a set is planned for, a tenth turn out to be duplicates).
const fn plan<W>(states: u64) -> usize {
    (if size_of::<W>() == 8 { states.div_ceil(6) * 5 } else { states }) as usize
}

impl<W: Word> Sets<W> {
    /// One set for `states` states.
    pub(super) fn new(cells: usize, states: u64) -> Sets<W> {
        let one = Arc::new(StateSet::with_room_for(cells, plan::<W>(states)));
        Sets([Arc::clone(&one), one])
    }

    /// Whether both are the same set.
    pub(super) fn are_one(&self) -> bool {
        Arc::ptr_eq(&self.0[0], &self.0[1])
    }

    /// The set that holds the states of a depth.
    pub(super) fn at(&self, depth: u8) -> &Arc<StateSet<W>> {
        &self.0[usize::from(depth & 1)]
    }

    /// The memory they take.
    pub(super) fn bytes(&self) -> u64 {
        let [even, odd] = self.0.each_ref().map(|set| set.bytes() as u64);
        if self.are_one() { even } else { even + odd }
    }

    /// Whether the set of a depth has room for `states` states in all.
    pub(super) fn fit(&self, depth: u8, states: u64) -> bool {
        plan::<W>(states) <= self.at(depth).capacity()
    }

    /// The memory of a set for `states` states.
    pub(super) fn bytes_for(cells: usize, states: u64) -> u64 {
        StateSet::<W>::bytes_for(cells, plan::<W>(states)) as u64
    }

    /// Moves the states of a depth's set to one for `states` states; idle threads of the share help, and no other
    /// jobs of the pool are run meanwhile.
    pub(super) fn rehash(&mut self, cells: usize, depth: u8, states: u64, thread_share: &ThreadShare) {
        let larger = StateSet::with_room_for(cells, plan::<W>(states));
        self.0[usize::from(depth & 1)] = move_states(self.at(depth), larger, thread_share);
    }
}
