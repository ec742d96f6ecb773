//! The atomics of the sets: std's, or loom's under `--cfg loom`, so that the models check the code
//! that runs. Also the cache lines of these atomics.

#[cfg(loom)]
pub(super) use ::loom::sync::atomic::{AtomicU64, Ordering};
#[cfg(not(loom))]
pub(super) use std::sync::atomic::{AtomicU64, Ordering};

/// The number of words in a cache line.
pub(super) const LINE_WORDS: usize = 8;

/// One cache line of words. A probe that stays in it costs one miss.
pub(super) type Line = [AtomicU64; LINE_WORDS];

/// The memory of the words. loom requires them to be created one by one, on the model's own thread.
#[cfg(not(loom))]
type Words = crate::system::Zeroed<AtomicU64>;
#[cfg(loom)]
type Words = Vec<AtomicU64>;

/// Cache lines, initially zero.
pub(super) struct Lines(Words);

impl Lines {
    pub(super) fn zeroed(lines: usize) -> Lines {
        #[cfg(not(loom))]
        let words = Words::new(lines * LINE_WORDS);
        #[cfg(loom)]
        let words = (0..lines * LINE_WORDS).map(|_| AtomicU64::new(0)).collect();
        Lines(words)
    }

    /// Returns the memory of this many lines.
    pub(super) const fn bytes(lines: usize) -> usize {
        lines * LINE_WORDS * 8
    }

    #[inline]
    pub(super) fn as_slice(&self) -> &[Line] {
        self.0.as_chunks().0
    }

    /// Prefetches a line without waiting for it.
    #[inline]
    pub(super) fn prefetch(&self, line: usize) {
        crate::system::prefetch(self.as_slice(), line);
    }
}
