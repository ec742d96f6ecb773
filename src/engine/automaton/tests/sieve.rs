//! Detection of repeated fingerprints: two bits per slot, updated by all threads.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::system::prefetch;

/// A counter of fingerprints that stops at two. Several fingerprints may share a slot.
///
/// The final contents do not depend on the order of the threads. They are read after all threads
/// have finished.
pub(super) struct Sieve {
    /// Words of 32 slots. A slot has two bits: seen once, seen again.
    words: Vec<AtomicU64>,
    shift: u32,
}

impl Sieve {
    /// Chosen so that at most one string in ten becomes a suspect only because different
    /// fingerprints share a slot.
    const SLOTS_PER_STRING: usize = 16;
    const SLOTS_PER_WORD: usize = 32;

    pub(super) fn new(strings: usize) -> Sieve {
        let words = (strings * Self::SLOTS_PER_STRING / Self::SLOTS_PER_WORD).next_power_of_two().max(2);
        Sieve { words: bytemuck::allocation::zeroed_vec(words), shift: 64 - words.ilog2() }
    }

    /// Returns the index of a slot's word, and the slot's first bit in it.
    #[inline]
    fn place(&self, fingerprint: u64) -> (usize, u32) {
        let mixed = fingerprint.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        ((mixed >> self.shift) as usize, (fingerprint >> 58) as u32 & 62)
    }

    #[inline]
    pub(super) fn prefetch(&self, fingerprint: u64) {
        prefetch(&self.words, self.place(fingerprint).0);
    }

    #[inline]
    pub(super) fn count(&self, fingerprint: u64) {
        let (at, bit) = self.place(fingerprint);
        let (once, again) = (1 << bit, 2 << bit);
        let word = &self.words[at];
        // If two threads find a slot empty, the result of `fetch_or` shows one of them that it was
        // second.
        let before = match word.load(Relaxed) {
            before if before & once == 0 => word.fetch_or(once, Relaxed),
            before => before,
        };
        if before & (once | again) == once {
            word.fetch_or(again, Relaxed);
        }
    }

    /// Returns true if the slot was counted at least twice, for this fingerprint or others.
    #[inline]
    pub(super) fn is_repeated(&self, fingerprint: u64) -> bool {
        let (at, bit) = self.place(fingerprint);
        self.words[at].load(Relaxed) >> bit & 2 != 0
    }
}
