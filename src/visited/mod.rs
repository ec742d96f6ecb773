//! Lock-free concurrent sets of visited states, for the parallel searches.
//!
//! Two sets, by how a state is told from the others:
//!
//! - [`RankSet`]: an array of 1-, 2- or 8-bit cells by perfect rank, for shapes whose whole graph fits.
//! - [`StateSet`]: open addressing by packed key, for all other shapes up to 25 cells. A key of at
//!   most 16 cells takes one 64-bit word *with* its note, a larger one two.
//!
//! Both have a fixed size, told by the plan; both only ever gain members, so every slot goes from
//! *empty* to *taken* once and for all, and that is what their proofs rest on. Neither has a lock, a
//! waiting loop, memory reclamation, a shared counter (count the [`Insert::New`]s) or `unsafe`.
//!
//! What a search does with them:
//!
//! - *Breadth-first by layers*: insert each child with its depth; `New` goes to the next layer. The
//!   layer can also be read back with [`StateSet::layer`] instead of being kept in a list.
//! - *Bidirectional*: two sets a side, for even and for odd depths; a child meets the other side when
//!   [`StateSet::get`] there finds it.
//! - *A\* in layers of equal f*: a child that stays in the layer, or a state that is taken from the next
//!   layer's list, is inserted with its g. `New` means expand. With a consistent heuristic and unit
//!   costs that g is final, so no entry is ever lowered; flags can be added later by [`StateSet::mark`].
//!
//! Guarantee: who learns of a member (`Seen`, `get`, `mark`, an iteration) sees its whole note and
//! everything its inserter did before inserting. An iteration beside inserts yields every member
//! whose insertion happened before it began, no member twice, and of the others any part.

#![deny(unsafe_code)]

#[cfg(all(test, loom))]
mod loom;
mod quotient;
mod rank_set;
mod slot;
mod state_set;
mod sync;

pub use rank_set::RankSet;
pub use slot::Key;
pub use state_set::{Place, StateSet};

/// What became of an insertion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Insert<V = Note> {
    /// The state was not there; of all threads that insert it exactly one is told so.
    New,
    /// The state was there, with this beside it.
    Seen(V),
    /// The state is not there and can not be: a normal end of a search, `Limit::Memory`.
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
    const fn bits(self) -> u64 {
        self.0 as u64
    }

    /// The note in the lowest bits of a word, whatever stands above.
    #[inline]
    const fn from_low_bits(word: u64) -> Note {
        Note(word as u16 & ((1 << Note::BITS) - 1))
    }
}
