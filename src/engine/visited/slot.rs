//! The slots of the set, of one or two words, and the protocol by which a key takes one.
//!
//! A slot holds a [`Note`] and a key. The key is stored as a *tag* and, in slots of two words, a
//! *rest* ([`StoredKey`]).
//!
//! **One word** (keys of at most 16 cells): `tag · note`, 0 if empty. One compare-and-swap takes
//! the slot and writes key and note, so there is no state between empty and taken.
//!
//! **Two words** (keys of 17 to 25 cells, which do not fit into any atomic of stable Rust): word A
//! contains the tag and the upper bits of the key's rest. Word B contains the lower bits of the
//! rest and the note.
//!
//! ```text
//!     CAS A: 0 → a        CAS B: 0 → b · note
//! empty ───────────────▶ reserved ─────────────────────▶ taken    (both permanent)
//! ```
//!
//! *Reserved* does not mean "wait for the thread that wrote A". The slot now belongs to *some* key
//! with upper part `a`, and the first thread with such a key takes it by writing B. So no thread
//! waits for another, and a thread that stops between its two swaps costs at most a slot. The set
//! of keys that a slot may hold narrows in two steps that are never undone. Therefore "this slot is
//! not for my key" (A differs, or B differs) stays true. Two threads with the same key either both
//! leave a slot or both compete for it, and one swap wins.
//!
//! A key cannot be in the set twice: all its inserters walk the same sequence of slots and leave a
//! slot only for that permanent reason, so all end at the same one. The same holds for readers.
//! They may stop at the first slot that is empty or reserved for their key, because their key would
//! be there.

use super::{AtomicU64, Note, Ordering};

/// A key as a slot stores it.
#[derive(Clone, Copy)]
pub struct StoredKey {
    /// Remainder and step, not 0; see [`super::quotient`].
    pub(super) tag: u64,
    /// The bits of the key that were not mixed; 0 for one-word keys.
    pub(super) rest: u64,
}

/// The result of probing a slot.
#[derive(Clone, Copy)]
pub enum Probe {
    /// The key was not in the set, and this is the slot where it would be. After an insertion, the
    /// slot holds the key.
    Vacant,
    /// The key, with this note.
    Here(Note),
    /// The slot is not for this key, permanently.
    Other,
}

/// A packed state: `u64` ([`State::pack`](crate::board::State::pack), at most 16 cells) or `u128`
/// ([`State::pack_wide`](crate::board::State::pack_wide), at most 25). The methods define how a key
/// is stored in slots, and the protocol by which it takes one.
///
/// A key with the maximum number of cells must be that of a permutation, because its last cell is
/// not stored.
pub trait Key: Copy + PartialEq + std::fmt::Debug + Send + Sync + 'static {
    /// The number of words per slot: a power of two, at most the words of a cache line.
    const WORDS: usize;
    /// The number of bits per cell in the key.
    const CELL_BITS: u32;
    /// The maximum number of cells of a key.
    const MAX_CELLS: usize;
    /// The number of bits available for a tag.
    const TAG_BITS: u32;
    /// Returns the number of mixed bits and of rest bits for a key of `bits` bits.
    fn widths(bits: u32) -> (u32, u32);
    /// Returns the bits to mix and the rest, from the key's lowest `bits` bits.
    fn cut(self, bits: u32) -> (u64, u64);
    /// Inverts [`Key::cut`]. Restores the last cell if `cells` is the maximum.
    fn join(mixed: u64, rest: u64, cells: usize) -> Self;
    /// Takes the slot if it is vacant.
    fn take(slot: &[AtomicU64], key: StoredKey, note: Note) -> Probe;
    /// Looks up the key without changing anything.
    fn look(slot: &[AtomicU64], key: StoredKey) -> Probe;
    /// Returns the word with the note of a taken slot.
    fn note_word(slot: &[AtomicU64]) -> &AtomicU64;
    /// Returns the note of a slot if it is taken.
    #[inline]
    fn note(slot: &[AtomicU64]) -> Option<Note> {
        // Acquire: as in `take`.
        let word = Self::note_word(slot).load(Ordering::Acquire);
        (word != 0).then(|| Note::from_low_bits(word))
    }
    /// Returns the key of a taken slot.
    fn stored_key(slot: &[AtomicU64]) -> StoredKey;
}

impl Key for u64 {
    const WORDS: usize = 1;
    const CELL_BITS: u32 = 4;
    const MAX_CELLS: usize = 16;
    const TAG_BITS: u32 = 64 - Note::BITS;

    fn widths(bits: u32) -> (u32, u32) {
        (bits, 0)
    }

    #[inline]
    fn cut(self, bits: u32) -> (u64, u64) {
        (self & ((1 << bits) - 1), 0)
    }

    fn join(mixed: u64, _: u64, cells: usize) -> u64 {
        if cells < Self::MAX_CELLS {
            return mixed;
        }
        // 0 ^ 1 ^ … ^ 15 = 0, so the omitted cell is the XOR of the others.
        let last = (0..15).fold(0, |sum, cell| sum ^ mixed >> (4 * cell) & 15);
        last << 60 | mixed
    }

    #[inline]
    fn take(slot: &[AtomicU64], key: StoredKey, note: Note) -> Probe {
        let word = &slot[0];
        // Acquire, here and on failure below: pairs with the Release of the swap that took the
        // slot, so that everything that the key's inserter did before is visible. (The note needs
        // no ordering, because it is in the same word as the tag.)
        let mut value = word.load(Ordering::Acquire);
        if value == 0 {
            let full = key.tag << Note::BITS | note.bits();
            // Release: publishes everything this thread did before. On success the value read is
            // the initial 0, which no thread wrote, so there is nothing to acquire.
            match word.compare_exchange(0, full, Ordering::Release, Ordering::Acquire) {
                Ok(_) => return Probe::Vacant,
                Err(current) => value = current,
            }
        }
        if value >> Note::BITS == key.tag { Probe::Here(Note::from_low_bits(value)) } else { Probe::Other }
    }

    #[inline]
    fn look(slot: &[AtomicU64], key: StoredKey) -> Probe {
        // Acquire: as in `take`.
        match slot[0].load(Ordering::Acquire) {
            0 => Probe::Vacant,
            value if value >> Note::BITS == key.tag => Probe::Here(Note::from_low_bits(value)),
            _ => Probe::Other,
        }
    }

    #[inline]
    fn note_word(slot: &[AtomicU64]) -> &AtomicU64 {
        &slot[0]
    }

    fn stored_key(slot: &[AtomicU64]) -> StoredKey {
        // Relaxed: the slot is known to be taken, and the tag never changes.
        StoredKey { tag: slot[0].load(Ordering::Relaxed) >> Note::BITS, rest: 0 }
    }
}

/// The number of bits of the rest in word A, below the tag.
const REST_IN_A: u32 = 9;
/// The number of bits of the rest in word B, above `TAKEN`.
const REST_IN_B: u32 = 51;
/// The bit of word B, above the note, that distinguishes a taken word from an empty one.
const TAKEN: u64 = 1 << Note::BITS;

impl StoredKey {
    #[inline]
    fn word_a(self) -> u64 {
        self.tag << REST_IN_A | self.rest >> REST_IN_B
    }

    #[inline]
    fn word_b(self) -> u64 {
        self.rest << (Note::BITS + 1) | TAKEN
    }
}

/// The mask of word B without its note.
const NOT_NOTE: u64 = !(TAKEN - 1);

impl Key for u128 {
    const WORDS: usize = 2;
    const CELL_BITS: u32 = 5;
    const MAX_CELLS: usize = 25;
    const TAG_BITS: u32 = 64 - REST_IN_A;

    fn widths(bits: u32) -> (u32, u32) {
        (bits.div_ceil(2), bits / 2)
    }

    #[inline]
    fn cut(self, bits: u32) -> (u64, u64) {
        let (width, rest_width) = Self::widths(bits);
        let rest = self as u64 & ((1 << rest_width) - 1);
        let high = (self >> rest_width) as u64 & ((1 << width) - 1);
        (high ^ folded(rest, width), rest)
    }

    fn join(mixed: u64, rest: u64, cells: usize) -> u128 {
        let (width, rest_width) = Self::widths(5 * cells.min(24) as u32);
        let key = u128::from(mixed ^ folded(rest, width)) << rest_width | u128::from(rest);
        if cells < Self::MAX_CELLS {
            return key;
        }
        // 0 ^ 1 ^ … ^ 24 = 24, so the omitted cell is 24 XOR the others.
        let last = (0..24).fold(24, |sum, cell| sum ^ key >> (5 * cell) & 31);
        last << 120 | key
    }

    #[inline]
    fn take(slot: &[AtomicU64], key: StoredKey, note: Note) -> Probe {
        let (a, b) = (&slot[0], &slot[1]);
        // Relaxed, including both orderings of the swap: no thread relies on A alone. A is a
        // reservation that never changes after its first value, and membership is read from B.
        let mut upper = a.load(Ordering::Relaxed);
        if upper == 0 {
            match a.compare_exchange(0, key.word_a(), Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => upper = key.word_a(),
                Err(current) => upper = current,
            }
        }
        if upper != key.word_a() {
            return Probe::Other;
        }
        // Acquire and Release as for one word: B publishes the entry.
        let mut lower = b.load(Ordering::Acquire);
        if lower == 0 {
            match b.compare_exchange(0, key.word_b() | note.bits(), Ordering::Release, Ordering::Acquire) {
                Ok(_) => return Probe::Vacant,
                Err(current) => lower = current,
            }
        }
        if lower & NOT_NOTE == key.word_b() { Probe::Here(Note::from_low_bits(lower)) } else { Probe::Other }
    }

    #[inline]
    fn look(slot: &[AtomicU64], key: StoredKey) -> Probe {
        // Relaxed: an A that is not yet visible can only belong to an insertion that did not happen
        // before this lookup. The lookup may then return `Vacant` as if it had come first.
        match slot[0].load(Ordering::Relaxed) {
            0 => return Probe::Vacant,
            upper if upper != key.word_a() => return Probe::Other,
            _ => {}
        }
        // Acquire: as in `take`.
        match slot[1].load(Ordering::Acquire) {
            0 => Probe::Vacant,
            lower if lower & NOT_NOTE == key.word_b() => Probe::Here(Note::from_low_bits(lower)),
            _ => Probe::Other,
        }
    }

    #[inline]
    fn note_word(slot: &[AtomicU64]) -> &AtomicU64 {
        &slot[1]
    }

    fn stored_key(slot: &[AtomicU64]) -> StoredKey {
        // Relaxed: `note` acquired B. The thread that took B had written or read A before it
        // released B, so A's only value is visible.
        let (a, b) = (slot[0].load(Ordering::Relaxed), slot[1].load(Ordering::Relaxed));
        let upper = a & ((1 << REST_IN_A) - 1);
        StoredKey { tag: a >> REST_IN_A, rest: upper << REST_IN_B | b >> (Note::BITS + 1) }
    }
}

/// Returns a number of `width` bits that depends on every bit of the rest.
#[inline]
fn folded(rest: u64, width: u32) -> u64 {
    let product = u128::from(rest ^ 0x2D35_8DCC_AA6C_78A5) * 0x8BB8_4B93_962E_ACC9;
    (product as u64 ^ (product >> 64) as u64) & ((1 << width) - 1)
}
