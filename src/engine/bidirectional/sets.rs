//! The states of a side: those of even depth in one set, those of odd depth in another.
//!
//! A move changes the colour of the blank's cell, so a state and its neighbours are never in one set, and a state is
//! looked for in one alone: an insertion costs one cache miss, as with a single set.
//!
//! What is gained is memory while a set grows, when its successor stands beside it. A single set would
//! be moved while it holds all layers but the last: half of the states there will be, where layers double. The set of a parity
//! holds a sixth of them then (1/8 + 1/32 + …), and the larger half of what there is, the layer before, stays where it is. It
//! is also three times less to move.
//!
//! At first both are one set, because the smallest of 16 cells takes half a megabyte ([`crate::visited`]): a second one takes
//! 4 us, where a board of ten moves takes 15 in all (machine B, 2026-11-21). The parity that outgrows it gets a set of its
//! own, with a copy of all that was in the first; nobody looks there for the other's states.
//!
//! Cost: 10 bytes a state that a set is made for (24 with wide keys), and some 11 a state in it, since it is made for
//! duplicates too.

use std::sync::Arc;

use crate::engine::Crew;
use crate::engine::enlarge::moved;
use crate::engine::word::Word;
use crate::visited::StateSet;

/// The set of even and the set of odd depths.
pub(super) struct Sets<W>([Arc<StateSet<W>>; 2]);

impl<W> Clone for Sets<W> {
    fn clone(&self) -> Sets<W> {
        Sets(self.0.clone())
    }
}

/// What a set is made for that takes so many states.
///
/// The sets plan for a load of 2/3; one-word slots do well with 0.8, at which the first refusal is far off
/// (`full_comes_late`; and of what a set is made for, a tenth turns out to be duplicates).
const fn plan<W>(states: u64) -> usize {
    (if size_of::<W>() == 8 { states.div_ceil(6) * 5 } else { states }) as usize
}

impl<W: Word> Sets<W> {
    /// One set that takes `states` states.
    pub(super) fn new(cells: usize, states: u64) -> Sets<W> {
        let one = Arc::new(StateSet::with_room_for(cells, plan::<W>(states)));
        Sets([Arc::clone(&one), one])
    }

    /// Whether both are one.
    pub(super) fn are_one(&self) -> bool {
        Arc::ptr_eq(&self.0[0], &self.0[1])
    }

    /// The set that holds the states of a depth.
    pub(super) fn at(&self, depth: u8) -> &Arc<StateSet<W>> {
        &self.0[usize::from(depth & 1)]
    }

    /// What they take.
    pub(super) fn bytes(&self) -> u64 {
        let [even, odd] = self.0.each_ref().map(|set| set.bytes() as u64);
        if self.are_one() { even } else { even + odd }
    }

    /// Whether the set of a depth takes so many states.
    pub(super) fn take(&self, depth: u8, states: u64) -> bool {
        plan::<W>(states) <= self.at(depth).room()
    }

    /// What a set takes that takes so many states.
    pub(super) fn bytes_for(cells: usize, states: u64) -> u64 {
        StateSet::<W>::bytes_for(cells, plan::<W>(states)) as u64
    }

    /// Moves what is in the set of a depth to one that takes so many states; others of the crew help, and no other
    /// jobs of the pool are run meanwhile.
    pub(super) fn enlarge(&mut self, cells: usize, depth: u8, states: u64, crew: &Crew) {
        let larger = StateSet::with_room_for(cells, plan::<W>(states));
        self.0[usize::from(depth & 1)] = moved(self.at(depth), larger, crew);
    }
}
