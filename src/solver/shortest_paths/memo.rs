//! A memo of path counts, so that states on several paths are counted once.

use std::collections::HashMap;

use crate::board::State;
use crate::board::frame::Space;

/// A memo of the lengths and numbers of shortest paths, by state.
#[derive(Debug)]
pub struct CountMemo {
    counts: HashMap<u128, (u16, u64)>,
    capacity: usize,
    /// The part of the keys that distinguishes shapes and goal cells of the blank.
    tag: u128,
}

impl CountMemo {
    /// Maximum useful size in bytes: room for all states of 3×3, and for more states than most
    /// boards have on their shortest paths. States beyond that are counted each time they are
    /// reached.
    pub const BYTES: u64 = CountMemo::BYTES_PER_STATE * (1 << 18);

    /// Size in bytes for each thread of a run that lists paths: room for more states than nearly
    /// all boards have on their shortest paths. It is constant, so that the effect of a node limit
    /// does not depend on the memory.
    pub const LIST_BYTES: u64 = CountMemo::BYTES_PER_STATE * (1 << 16);

    /// Bytes per state: 33 per slot of a hash table that doubles when it is seven eighths full,
    /// plus half as much for the old table during a rehash.
    const BYTES_PER_STATE: u64 = 115;

    /// Creates an empty memo that may take this many bytes.
    pub fn new(bytes: u64) -> CountMemo {
        let capacity = (bytes.min(CountMemo::BYTES) / CountMemo::BYTES_PER_STATE) as usize;
        CountMemo { counts: HashMap::new(), capacity, tag: 0 }
    }

    /// Prepares for a board. With exact distances, counts of earlier boards are kept until there are
    /// too many. Such boards have at most 12 cells, which leaves half of a key to distinguish shapes
    /// and goal cells. Without them, all earlier counts are discarded.
    pub(super) fn begin(&mut self, space: &Space, is_exact: bool) {
        if !is_exact || !self.has_room() {
            self.counts.clear();
        }
        let Space { shape, goal_blank, .. } = space;
        debug_assert!(!is_exact || 5 * shape.cells() <= 64);
        let tag = ((shape.rows() << 16 | shape.cols() << 8 | (goal_blank.index() + 1)) as u128) << 64;
        self.tag = if is_exact { tag } else { 0 };
    }

    pub(super) fn key(&self, state: &State, cells: usize) -> u128 {
        state.pack_wide(cells) | self.tag
    }

    /// Returns the length and the number of the shortest paths from a state.
    pub(super) fn get(&self, key: u128) -> Option<(u16, u64)> {
        self.counts.get(&key).copied()
    }

    /// Returns true if the memo is not full, so that no state was left out.
    pub(super) fn has_room(&self) -> bool {
        self.counts.len() < self.capacity
    }

    pub(super) fn insert(&mut self, key: u128, moves: u16, paths: u64) {
        if self.has_room() {
            self.counts.insert(key, (moves, paths));
        }
    }
}
