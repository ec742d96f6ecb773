//! The table entries that determine the values after a move.

use super::node::VIEWS;

/// The table entries to look up after a move, by view.
#[derive(Clone, Copy, Debug, Default)]
pub struct Entries(pub(super) [Entry; VIEWS]);

/// A pattern and the index of an entry in its table.
#[derive(Clone, Copy, Debug, Default)]
pub struct Entry(u64);

impl Entry {
    #[inline(always)]
    pub(super) fn new(pattern: usize, index: usize) -> Entry {
        Entry((index as u64) << 3 | pattern as u64)
    }

    #[inline(always)]
    pub(super) fn pattern(self) -> usize {
        self.0 as usize % 8
    }

    #[inline(always)]
    pub(super) fn index(self) -> usize {
        (self.0 >> 3) as usize
    }
}
