//! Detection of repeated fingerprints: two bits per slot, updated by all threads.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::system::prefetch;

/// A counter of fingerprints up to two. Several fingerprints may share a slot.
///
/// The final contents do not depend on the order of the threads. They are read after all threads
/// have finished.
pub(super) struct Sieve {
    /// Two bits per slot: seen once, seen again.
    slots: Vec<AtomicU64>,
    shift: u32,
}

impl Sieve {
    /// Chosen so that at most one string in ten becomes a suspect only because it shares a slot.
    const SLOTS_A_STRING: usize = 16;
    const SLOTS_A_WORD: usize = 32;

    pub(super) fn new(strings: usize) -> Sieve {
        let words = (strings * Self::SLOTS_A_STRING / Self::SLOTS_A_WORD).next_power_of_two().max(2);
        Sieve { slots: bytemuck::allocation::zeroed_vec(words), shift: 64 - words.ilog2() }
    }

    #[inline]
    fn place(&self, print: u64) -> (usize, u32) {
        let mixed = print.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        ((mixed >> self.shift) as usize, (print >> 58) as u32 & 62)
    }

    #[inline]
    pub(super) fn fetch(&self, print: u64) {
        prefetch(&self.slots, self.place(print).0);
    }

    #[inline]
    pub(super) fn count(&self, print: u64) {
        let (at, bit) = self.place(print);
        let (once, again) = (1 << bit, 2 << bit);
        let word = &self.slots[at];
        // If two threads find a slot empty, the result of `fetch_or` shows one of them that it was
        // second.
        let seen = match word.load(Relaxed) {
            seen if seen & once == 0 => word.fetch_or(once, Relaxed),
            seen => seen,
        };
        if seen & (once | again) == once {
            word.fetch_or(again, Relaxed);
        }
    }

    /// Returns true if the fingerprint, or another in its slot, makes the slot's count more than
    /// one.
    #[inline]
    pub(super) fn is_repeated(&self, print: u64) -> bool {
        let (at, bit) = self.place(print);
        self.slots[at].load(Relaxed) >> bit & 2 != 0
    }
}
