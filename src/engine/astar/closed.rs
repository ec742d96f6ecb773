//! The closed states of A*.

use std::sync::Arc;

use super::layer::Allowance;
use crate::engine::ThreadShare;
use crate::engine::rehash::move_states;
use crate::engine::visited::StateSet;
use crate::engine::word::Word;

/// The closed states and their g, in a set that grows only while no thread works on a layer.
pub(super) struct Closed<W> {
    set: Arc<StateSet<W>>,
    cells: usize,
    states: u64,
    /// The number of states for which the set has room.
    capacity: u64,
}

impl<W: Word> Closed<W> {
    /// The initial capacity in states.
    const FIRST_STATES: u64 = 1 << 14;

    pub(super) fn new(cells: usize) -> Closed<W> {
        let set = Arc::new(StateSet::with_room_for(cells, Self::FIRST_STATES as usize));
        Closed { set, cells, states: 0, capacity: Self::FIRST_STATES }
    }

    pub(super) fn set(&self) -> &StateSet<W> {
        &self.set
    }

    pub(super) fn bytes(&self) -> u64 {
        self.set.bytes() as u64
    }

    /// Returns the set and the number of states that may still be added. A third of the slots is
    /// spare, so the states that threads close before they notice that this number is used up still
    /// fit.
    pub(super) fn share(&self) -> (Arc<StateSet<W>>, Allowance) {
        (Arc::clone(&self.set), self.capacity.saturating_sub(self.states).into())
    }

    pub(super) fn add(&mut self, states: u64) {
        self.states += states;
    }

    /// Rehashes the states into a set that is 4 times as large or, if memory is short, 2 or 1.5
    /// times as large. Returns false if even the smallest of these and the old set together would
    /// exceed `free_bytes`.
    pub(super) fn grow(&mut self, free_bytes: u64, thread_share: &ThreadShare) -> bool {
        let bytes = |states: u64| StateSet::<W>::bytes_for(self.cells, states as usize) as u64 + self.bytes();
        let sizes = [self.capacity * 4, self.capacity * 2, self.capacity + self.capacity / 2];
        let Some(capacity) = sizes.into_iter().find(|&states| bytes(states) <= free_bytes) else { return false };
        self.set = move_states(&self.set, StateSet::with_room_for(self.cells, capacity as usize), thread_share);
        self.capacity = capacity;
        true
    }
}
