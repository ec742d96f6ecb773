//! What stands beside a state in a set, and what an insertion returns.

/// What became of an insertion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Insert<V = Note> {
    /// The state was not there; of all threads that insert it exactly one gets this.
    New,
    /// The state was there, with this note or value.
    Seen(V),
    /// The state is not there and there is no slot for it: a normal end of a search, `Limit::Memory`.
    Full,
}

/// What stands beside a state: its depth, and four flags whose meaning is the engine's.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Note(u16);

impl Note {
    /// How many bits a note takes.
    pub(super) const BITS: u32 = 12;
    /// Where the flags begin, above the depth.
    const FLAGS_AT: u32 = 8;

    /// A depth without flags.
    #[inline]
    pub const fn new(depth: u8) -> Note {
        Note(depth as u16)
    }

    /// The same depth with these flags.
    #[inline]
    pub const fn with_flags(self, flags: u8) -> Note {
        debug_assert!(flags < 16);
        Note(self.depth() as u16 | (flags as u16 & 15) << Note::FLAGS_AT)
    }

    /// Distance from the root of the search, or g, in plies.
    #[inline]
    pub const fn depth(self) -> u8 {
        self.0 as u8
    }

    /// The flags, below 16.
    #[inline]
    pub const fn flags(self) -> u8 {
        (self.0 >> Note::FLAGS_AT) as u8
    }

    #[inline]
    pub(super) const fn bits(self) -> u64 {
        self.0 as u64
    }

    /// The note in the lowest bits of a word, whatever stands above.
    #[inline]
    pub(super) const fn from_low_bits(word: u64) -> Note {
        Note(word as u16 & ((1 << Note::BITS) - 1))
    }
}
