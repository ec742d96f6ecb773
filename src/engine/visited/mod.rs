//! The lock-free concurrent set of visited states for the parallel searches.
//!
//! [`StateSet`] uses open addressing by packed key, for shapes of up to 25 cells. A key of at most
//! 16 cells takes one 64-bit word *including* its [`Note`], because the slot determines the rest of
//! the key (`quotient.rs`). A larger one takes two words.
//!
//! The size of a set is fixed when it is created, and the set only ever gains members. So a slot
//! changes from *empty* to *taken* at most once, and never back. The proof of correctness rests on
//! this. The set has no lock, no spin loop, no memory reclamation, no shared counter (callers count
//! the [`Insert::New`]s) and no `unsafe`.
//!
//! Its uses:
//!
//! - *Breadth-first by layers*: insert each child with its depth. `New` children form the next
//!   layer.
//! - *Bidirectional*: each side has a set for even depths and a set for odd ones. A child meets the
//!   other side when [`StateSet::get`] finds it there.
//! - *A\* in layers of equal f*: insert each node with its g when it is taken from its layer.
//!   Expand the `New` ones. With a consistent heuristic and unit costs their g is final, so no g in
//!   the set is ever lowered.
//!
//! To reconstruct a path, the searches then mark states with flags ([`StateSet::mark`]).
//!
//! Guarantee: a thread that finds a member (`Seen`, `get`, `mark`, an iteration) sees the member's
//! whole note and everything that the inserting thread did before inserting the member. An
//! iteration concurrent with insertions yields every member that was inserted before the iteration
//! began, and may yield those inserted later. It yields no member twice.

#![deny(unsafe_code)]

#[cfg(all(test, loom))]
mod loom;
mod quotient;
mod slot;
mod state_set;

// Under `--cfg loom`, these are the atomics of loom, a model checker for concurrent code, so its
// models check the same code that runs otherwise.
#[cfg(loom)]
use ::loom::sync::atomic::{AtomicU64, Ordering};
#[cfg(not(loom))]
use std::sync::atomic::{AtomicU64, Ordering};

pub use slot::Key;
pub use state_set::StateSet;

/// The result of an insertion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Insert {
    /// The state was not in the set. Exactly one of the threads that insert it gets this result.
    New,
    /// The state was in the set, with this note.
    Seen(Note),
    /// The state is not in the set and there is no slot for it. The search needs a larger set, or
    /// ends with `Limit::Memory`.
    Full,
}

/// The note of a state: its depth, and four flags whose meaning the engine defines.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Note(u16);

impl Note {
    /// The number of bits of a note.
    const BITS: u32 = 12;
    /// The position of the flags, above the depth.
    const FLAGS_AT: u32 = 8;

    /// Creates a note with this depth and no flags.
    #[inline]
    pub const fn new(depth: u8) -> Note {
        Note(depth as u16)
    }

    /// Returns the note with the same depth and these flags.
    #[inline]
    pub const fn with_flags(self, flags: u8) -> Note {
        debug_assert!(flags < 16);
        Note(self.depth() as u16 | (flags as u16 & 15) << Note::FLAGS_AT)
    }

    /// Returns the depth in moves: the distance from the root of the search, or g.
    #[inline]
    pub const fn depth(self) -> u8 {
        self.0 as u8
    }

    /// Returns the flags, below 16.
    #[inline]
    pub const fn flags(self) -> u8 {
        (self.0 >> Note::FLAGS_AT) as u8
    }

    #[inline]
    const fn bits(self) -> u64 {
        self.0 as u64
    }

    /// Returns the note in the lowest bits of a word. The other bits are ignored.
    #[inline]
    const fn from_low_bits(word: u64) -> Note {
        Note(word as u16 & ((1 << Note::BITS) - 1))
    }
}

/// The number of words in a cache line.
const LINE_WORDS: usize = 8;

/// The words of one cache line. A probe that stays in them costs one miss.
type CacheLine = [AtomicU64; LINE_WORDS];

/// The memory of the words. loom requires them to be created one by one, on the model's own thread.
#[cfg(not(loom))]
type Words = crate::system::Zeroed<AtomicU64>;
#[cfg(loom)]
type Words = Vec<AtomicU64>;

/// Cache lines, initially zero.
struct CacheLines(Words);

impl CacheLines {
    fn zeroed(lines: usize) -> CacheLines {
        #[cfg(not(loom))]
        let words = Words::new(lines * LINE_WORDS);
        #[cfg(loom)]
        let words = (0..lines * LINE_WORDS).map(|_| AtomicU64::new(0)).collect();
        CacheLines(words)
    }

    /// Returns the memory of this many lines.
    const fn bytes(lines: usize) -> usize {
        lines * LINE_WORDS * 8
    }

    #[inline]
    fn as_slice(&self) -> &[CacheLine] {
        self.0.as_chunks().0
    }

    /// Prefetches a line without waiting for it.
    #[inline]
    fn prefetch(&self, line: usize) {
        crate::system::prefetch(self.as_slice(), line);
    }
}
