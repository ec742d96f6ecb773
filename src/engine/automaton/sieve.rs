//! Which fingerprints come more than once: two bits a slot, counted by all threads.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::system::prefetch;

/// Counts fingerprints up to two, some of them together.
///
/// Whichever thread comes first, a slot holds the same in the end; it is read when all of them have ended.
pub(super) struct Sieve {
    /// Per slot two bits: met once, met again.
    slots: Vec<AtomicU64>,
    shift: u32,
}

impl Sieve {
    /// Enough that few strings, one in ten or fewer, become suspects for their slot alone.
    const SLOTS_A_STRING: usize = 16;
    const SLOTS_A_WORD: usize = 32;

    /// An empty one for so many fingerprints.
    pub(super) fn new(strings: usize) -> Sieve {
        let words = (strings * Self::SLOTS_A_STRING / Self::SLOTS_A_WORD).next_power_of_two().max(2);
        Sieve { slots: bytemuck::allocation::zeroed_vec(words), shift: 64 - words.ilog2() }
    }

    /// The word and the bit for a fingerprint.
    #[inline]
    fn place(&self, print: u64) -> (usize, u32) {
        let mixed = print.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        ((mixed >> self.shift) as usize, (print >> 58) as u32 & 62)
    }

    /// Fetches the slot of a fingerprint that will be counted or asked for soon.
    #[inline]
    pub(super) fn fetch(&self, print: u64) {
        prefetch(&self.slots, self.place(print).0);
    }

    /// Counts a fingerprint.
    #[inline]
    pub(super) fn count(&self, print: u64) {
        let (at, bit) = self.place(print);
        let (once, again) = (1 << bit, 2 << bit);
        let word = &self.slots[at];
        // Of two threads that find a slot empty, one is told by what it changes that it was the second.
        let seen = match word.load(Relaxed) {
            seen if seen & once == 0 => word.fetch_or(once, Relaxed),
            seen => seen,
        };
        if seen & (once | again) == once {
            word.fetch_or(again, Relaxed);
        }
    }

    /// Whether a fingerprint was counted more than once, or another one in its slot.
    #[inline]
    pub(super) fn is_repeated(&self, print: u64) -> bool {
        let (at, bit) = self.place(print);
        self.slots[at].load(Relaxed) >> bit & 2 != 0
    }
}
