//! The note of a state in a set, and the result of an insertion.

/// The result of an insertion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Insert<V = Note> {
    /// The state was not in the set. Exactly one of the threads that insert it gets this result.
    New,
    /// The state was in the set, with this note or value.
    Seen(V),
    /// The state is not in the set and there is no slot for it. The search needs a larger set, or
    /// ends with `Limit::Memory`.
    Full,
}

/// The note of a state: its depth, and four flags whose meaning the engine defines.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Note(u16);

impl Note {
    /// The number of bits of a note.
    pub(super) const BITS: u32 = 12;
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
    pub(super) const fn bits(self) -> u64 {
        self.0 as u64
    }

    /// Returns the note in the lowest bits of a word. The other bits are ignored.
    #[inline]
    pub(super) const fn from_low_bits(word: u64) -> Note {
        Note(word as u16 & ((1 << Note::BITS) - 1))
    }
}
