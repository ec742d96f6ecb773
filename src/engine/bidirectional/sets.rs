//! The states of a side: even depths in one set, odd depths in another.
//!
//! A move takes the blank to a cell of the other colour of a checkerboard, so a state and its
//! neighbours have depths of different parity and are never in the same set. Each state is looked
//! up in one set only. An insertion costs one cache miss, as with a single set.
//!
//! Two sets save memory during a rehash, when the old and the new set exist at the same time. A
//! single set would be rehashed while it contains all layers but the last: half of all states, if
//! layers double. The set of one parity contains only a sixth of all states at that time
//! (1/8 + 1/32 + …), because the previous layer, the largest so far, is in the other set. So only a
//! third as many states are moved.
//!
//! Initially one set is used for both, because the smallest set for 16 cells takes half a megabyte
//! ([`crate::engine::visited`]), and creating a second one takes a quarter of the time of an easy
//! board (`benches/constants.csv`). The parity that outgrows it gets a separate set with a copy of
//! all states in the first. The copied states of the other parity are never looked up there.
//!
//! Cost: 10 bytes per state of planned capacity (24 with wide keys), and about 11 per stored state,
//! because the planned capacity includes duplicates.

use std::sync::Arc;

use crate::engine::ThreadShare;
use crate::engine::state_sets::move_states;
use crate::engine::visited::StateSet;
use crate::engine::word::Word;

pub(super) struct Sets<W>([Arc<StateSet<W>>; 2]);

impl<W> Clone for Sets<W> {
    fn clone(&self) -> Sets<W> {
        Sets(self.0.clone())
    }
}

/// Returns the capacity to request for a set of `states` states.
///
/// Sets are sized for a load of 2/3. One-word slots work well up to a load of 0.8, far below the
/// load of the first failed insertion (`sets_fill_beyond_the_planned_load`). A tenth of the planned
/// states turn out to be duplicates.
const fn capacity_for<W>(states: u64) -> usize {
    (if size_of::<W>() == 8 { states.div_ceil(6) * 5 } else { states }) as usize
}

impl<W: Word> Sets<W> {
    pub(super) fn new(cells: usize, states: u64) -> Sets<W> {
        let one = Arc::new(StateSet::with_room_for(cells, capacity_for::<W>(states)));
        Sets([Arc::clone(&one), one])
    }

    pub(super) fn are_shared(&self) -> bool {
        Arc::ptr_eq(&self.0[0], &self.0[1])
    }

    pub(super) fn at(&self, depth: u8) -> &Arc<StateSet<W>> {
        &self.0[usize::from(depth & 1)]
    }

    pub(super) fn bytes(&self) -> u64 {
        let [even, odd] = self.0.each_ref().map(|set| set.bytes() as u64);
        if self.are_shared() { even } else { even + odd }
    }

    pub(super) fn fit(&self, depth: u8, states: u64) -> bool {
        capacity_for::<W>(states) <= self.at(depth).capacity()
    }

    pub(super) fn bytes_for(cells: usize, states: u64) -> u64 {
        StateSet::<W>::bytes_for(cells, capacity_for::<W>(states)) as u64
    }

    /// Rehashes a depth's set into one for `states` states. Idle threads of the share help.
    /// Meanwhile this thread runs no other jobs of the pool.
    pub(super) fn rehash(&mut self, cells: usize, depth: u8, states: u64, thread_share: &ThreadShare) {
        let larger = StateSet::with_room_for(cells, capacity_for::<W>(states));
        self.0[usize::from(depth & 1)] = move_states(self.at(depth), larger, thread_share);
    }
}
