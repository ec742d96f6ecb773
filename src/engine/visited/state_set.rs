//! The set of visited states, keyed by packed state: open addressing over cache lines, one
//! compare-and-swap per insertion.
//!
//! A key takes the first vacant slot of its home line, cyclically from a slot that the key
//! determines. So for most keys the first slot probed is vacant, or contains the key. From a full
//! line the probe continues in triangular steps through at most 31 lines. If these are full, the
//! set is full for this key. Entries are never moved or removed. [`super::slot`] explains how a
//! slot is taken and why no key is stored twice. [`super::quotient`] explains which line is a key's
//! home, and which part of the key is stored.
//!
//! Cost: 12 bytes per state on up to 16 cells, 24 bytes on up to 25; at least 0.5 MB on 16 cells;
//! one cache miss per operation. Single operations wait for one miss after another. Batch
//! operations prefetch the lines of the next keys. A search should use batches: with 10⁷ states
//! they are more than twice as fast as single operations (`benches/visited.rs`).
//! `benches/constants.csv` compares batches with the map of the crate dashmap.
//!
//! The set does not grow. Growth during insertions would need a second level of lines, at the cost
//! of a second miss per operation. Instead the searches move the states into a larger set between
//! insertions (`engine/state_sets.rs`).

use super::quotient::{Home, Quotienting};
use super::slot::{Key, Probe, StoredKey};
use super::{AtomicU64, CacheLine, CacheLines, Insert, LINE_WORDS, Note, Ordering};

/// The number of keys of a batch whose lines are prefetched in advance: about as many misses as a
/// core can have in flight.
const AHEAD: usize = 16;

/// The number of planned states for each spare slot: a load of 2/3. Insertion first fails at a load
/// above 0.8 with one-word slots, above 0.75 with two-word slots (test
/// `sets_fill_beyond_the_planned_load`, 10⁶ keys). So the planned states fit.
const STATES_PER_SPARE: usize = 2;

/// A set of states by packed key, each with a [`Note`]; shared by all threads of a search.
pub struct StateSet<K> {
    /// Invariant: there are `quotient.lines_with_tail()` lines, so no step from any home leaves
    /// them.
    lines: CacheLines,
    quotient: Quotienting,
    cells: usize,
    key: std::marker::PhantomData<fn() -> K>,
}

/// The position of a key in a set. It is computed without access to the set's memory.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct KeyPlace {
    home: Home,
    /// The word of each line at which the probe for the key begins.
    pub(super) first: usize,
    rest: u64,
}

impl KeyPlace {
    #[inline]
    fn at(&self, step: usize) -> StoredKey {
        StoredKey { tag: Quotienting::tag(self.home.remainder, step), rest: self.rest }
    }
}

impl<K: Key> StateSet<K> {
    /// Creates a set with room for `states` states of boards with this many cells.
    ///
    /// # Panics
    /// Panics if a key of this type cannot have this many cells.
    pub fn with_room_for(cells: usize, states: usize) -> StateSet<K> {
        let quotient = Self::quotient(cells, states);
        let lines = CacheLines::zeroed(quotient.lines_with_tail());
        StateSet { lines, quotient, cells, key: std::marker::PhantomData }
    }

    /// Returns the largest number of states for which [`StateSet::with_room_for`] creates a set of
    /// this size. This may be more than the number that was asked for, because sizes are rounded
    /// up.
    pub fn capacity(&self) -> usize {
        let slots = self.quotient.lines() * (LINE_WORDS / K::WORDS);
        // The largest number of states that fits with its spare slots.
        (slots * STATES_PER_SPARE + STATES_PER_SPARE - 1) / (STATES_PER_SPARE + 1)
    }

    /// Returns the bytes of a set that [`StateSet::with_room_for`] would create.
    pub fn bytes_for(cells: usize, states: usize) -> usize {
        CacheLines::bytes(Self::quotient(cells, states).lines_with_tail())
    }

    /// Returns the memory of the set in bytes.
    pub fn bytes(&self) -> usize {
        CacheLines::bytes(self.lines.as_slice().len())
    }

    fn quotient(cells: usize, states: usize) -> Quotienting {
        assert!((1..=K::MAX_CELLS).contains(&cells), "keys of {cells} cells; at most {}", K::MAX_CELLS);
        let (width, _) = K::widths(Self::bits(cells));
        let slots = states.saturating_add(states / STATES_PER_SPARE).max(1);
        Quotienting::new(width, slots.div_ceil(LINE_WORDS / K::WORDS), K::TAG_BITS)
    }

    /// Returns the number of bits of a key that determine it. In keys of the maximum number of
    /// cells, the last cell follows from the others.
    #[inline]
    fn bits(cells: usize) -> u32 {
        K::CELL_BITS * cells.min(K::MAX_CELLS - 1) as u32
    }

    /// Returns the position of a key.
    #[inline]
    pub(super) fn place(&self, key: K) -> KeyPlace {
        let (mixed, rest) = key.cut(Self::bits(self.cells));
        let home = self.quotient.home(mixed);
        KeyPlace { home, first: self.quotient.eighth(home), rest }
    }

    /// Returns the slots of a line in cyclic order, beginning with the one that contains word
    /// `first`.
    #[inline]
    fn slots(line: &CacheLine, first: usize) -> impl Iterator<Item = &[AtomicU64]> {
        (0..LINE_WORDS).step_by(K::WORDS).map(move |word| {
            let at = (first + word) & (LINE_WORDS - K::WORDS);
            &line[at..at + K::WORDS]
        })
    }

    /// Inserts a state.
    #[inline]
    pub fn insert(&self, key: K, note: Note) -> Insert {
        self.insert_at(&self.place(key), note)
    }

    /// Inserts the state whose key has this place.
    #[inline]
    fn insert_at(&self, place: &KeyPlace, note: Note) -> Insert {
        let mut line = place.home.line;
        for step in 0..self.quotient.reach {
            line += step;
            for slot in Self::slots(&self.lines.as_slice()[line], place.first) {
                match K::take(slot, place.at(step), note) {
                    Probe::Vacant => return Insert::New,
                    Probe::Here(note) => return Insert::Seen(note),
                    Probe::Other => {}
                }
            }
        }
        Insert::Full
    }

    /// Returns the note of a state if it is in the set.
    #[inline]
    pub fn get(&self, key: K) -> Option<Note> {
        self.find(&self.place(key)).map(|(_, note)| note)
    }

    /// Adds permanent flags to a member and returns its earlier note. Of several threads that add a
    /// flag, exactly one finds it not set.
    pub fn mark(&self, key: K, flags: u8) -> Option<Note> {
        let (slot, _) = self.find(&self.place(key))?;
        let flags = Note::new(0).with_flags(flags).bits();
        // AcqRel: a thread that finds a flag sees what its setter did before setting it. A
        // read-modify-write continues the release sequence of the insertion, so later readers still
        // acquire from the insertion.
        Some(Note::from_low_bits(K::note_word(slot).fetch_or(flags, Ordering::AcqRel)))
    }

    #[inline]
    fn find(&self, place: &KeyPlace) -> Option<(&[AtomicU64], Note)> {
        let mut line = place.home.line;
        for step in 0..self.quotient.reach {
            line += step;
            for slot in Self::slots(&self.lines.as_slice()[line], place.first) {
                match K::look(slot, place.at(step)) {
                    Probe::Vacant => return None,
                    Probe::Here(note) => return Some((slot, note)),
                    Probe::Other => {}
                }
            }
        }
        None
    }

    /// Inserts states in order. For each, calls `each` with its index in the batch and the result
    /// of its insertion.
    ///
    /// The lines of the following states are prefetched.
    #[inline]
    pub fn insert_batch(&self, batch: &[(K, Note)], mut each: impl FnMut(usize, Insert)) {
        self.each_place(batch, |&(key, _)| key, |at, place| each(at, self.insert_at(place, batch[at].1)));
    }

    /// Looks up states in order, with prefetching as in [`StateSet::insert_batch`].
    #[inline]
    pub fn get_batch(&self, batch: &[K], mut each: impl FnMut(usize, Option<Note>)) {
        self.each_place(batch, |&key| key, |at, place| each(at, self.find(place).map(|(_, note)| note)));
    }

    /// Passes the places of a batch to `each` in order. The line of a place is prefetched `AHEAD`
    /// places in advance.
    #[inline(always)]
    fn each_place<T>(&self, batch: &[T], key: impl Fn(&T) -> K, mut each: impl FnMut(usize, &KeyPlace)) {
        let prefetched_place = |item: &T| {
            let place = self.place(key(item));
            self.lines.prefetch(place.home.line);
            place
        };
        let mut places = [KeyPlace::default(); AHEAD];
        for (place, item) in places.iter_mut().zip(batch) {
            *place = prefetched_place(item);
        }
        for at in 0..batch.len() {
            let place = places[at % AHEAD];
            if let Some(item) = batch.get(at + AHEAD) {
                places[at % AHEAD] = prefetched_place(item);
            }
            each(at, &place);
        }
    }

    /// Returns the states and notes in part number `part` of `parts` equal parts of the memory, so
    /// that threads can share the work on a set.
    pub fn entries_of_part<'a>(&'a self, part: usize, parts: usize) -> impl Iterator<Item = (K, Note)> + 'a {
        let lines = self.lines.as_slice();
        let [from, to] = [part, part + 1].map(|part| lines.len() * part / parts);
        let slots_of =
            |(line, words): (usize, &'a CacheLine)| words.chunks_exact(K::WORDS).map(move |slot| (line, slot));
        (from..to).zip(&lines[from..to]).flat_map(slots_of).filter_map(move |(line, slot)| {
            let note = K::note(slot)?;
            let stored = K::stored_key(slot);
            let mixed = self.quotient.key(Quotienting::home_of(line, stored.tag));
            Some((K::join(mixed, stored.rest, self.cells), note))
        })
    }
}

#[cfg(all(test, not(loom)))]
mod tests;
