//! The set by key: open addressing over cache lines, one compare-and-swap an insertion.
//!
//! A key goes to its home line and fills the first vacant slot, cyclically from one that the key determines (so that
//! most keys find a vacant slot, or themselves, at the first probe); from a full line it continues
//! in triangular steps, through at most 31 lines, and after those the set is full for this key. Nothing
//! is ever moved or removed. How a slot is taken and why no key stands twice: [`super::slot`];
//! where a key's home is and which part of it is stored: [`super::quotient`].
//!
//! Cost: 12 bytes a state of at most 16 cells, 24 of at most 25, and at least 0.5 MB for 16 cells; one
//! cache miss an operation. Single operations wait for one miss after the other; the batches prefetch the lines of the
//! next keys, and a search should use them: more than twice as fast with 10⁷ states (`benches/visited.rs`, figures in
//! `benches/constants.csv`).
//!
//! It does not grow beside running insertions: a second level would cost every operation a second
//! miss. At each layer's end no search thread is active, and [`StateSet::grow`] is called then.

use rayon::prelude::*;

use super::quotient::{Home, Quotient};
use super::slot::{Found, Key, Own};
use super::sync::{AtomicU64, LINE_WORDS, Line, Lines, Ordering};
use super::{Insert, Note};

/// Keys whose lines are being fetched while the batches work on one: about as many misses as a core can have in flight.
const AHEAD: usize = 16;

/// One spare slot for every two states: a load of 2/3. The first key that finds no slot comes at a load above 0.8 with
/// slots of one word, above 0.75 with two (test `full_comes_late`, 10⁶ keys), so the planned states fit.
const STATES_A_SPARE: usize = 2;

/// A set of states by packed key, each with a [`Note`]; shared by all threads of a search.
pub struct StateSet<K> {
    /// Invariant: as many as `quotient.lines_with_tail()`, so that no step from any home leaves them.
    lines: Lines,
    quotient: Quotient,
    cells: usize,
    key: std::marker::PhantomData<fn() -> K>,
}

/// Where a key belongs in a set: the part of an operation that needs no access to memory.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place {
    home: Home,
    /// The word of each line with which the search for the key begins.
    pub(super) first: usize,
    rest: u64,
}

impl Place {
    #[inline]
    fn at(&self, step: usize) -> Own {
        Own { tag: Quotient::tag(self.home.remainder, step), rest: self.rest }
    }
}

impl<K: Key> StateSet<K> {
    /// A set for `states` states of boards with this many cells.
    ///
    /// # Panics
    /// When a key of this type cannot have this many cells.
    pub fn with_room_for(cells: usize, states: usize) -> StateSet<K> {
        let quotient = Self::quotient(cells, states);
        StateSet { lines: Lines::zeroed(quotient.lines_with_tail()), quotient, cells, key: std::marker::PhantomData }
    }

    /// How many states it was made for, plus what rounding to lines and the least size add.
    pub fn capacity(&self) -> usize {
        let slots = self.quotient.lines() * (LINE_WORDS / K::WORDS);
        // The largest number that with its spare slots needs no more.
        (slots * STATES_A_SPARE + STATES_A_SPARE - 1) / (STATES_A_SPARE + 1)
    }

    /// The bytes that [`StateSet::with_room_for`] would take.
    pub fn bytes_for(cells: usize, states: usize) -> usize {
        Lines::bytes(Self::quotient(cells, states).lines_with_tail())
    }

    /// The bytes it takes.
    pub fn bytes(&self) -> usize {
        Lines::bytes(self.lines.all().len())
    }

    fn quotient(cells: usize, states: usize) -> Quotient {
        assert!((1..=K::MAX_CELLS).contains(&cells), "keys of {cells} cells; at most {}", K::MAX_CELLS);
        let (width, _) = K::widths(Self::bits(cells));
        let slots = states.saturating_add(states / STATES_A_SPARE).max(1);
        Quotient::new(width, slots.div_ceil(LINE_WORDS / K::WORDS), K::TAG_BITS)
    }

    /// Bits of a key that are stored: the last cell of the widest keys is implied by the others.
    #[inline]
    fn bits(cells: usize) -> u32 {
        K::CELL_BITS * cells.min(K::MAX_CELLS - 1) as u32
    }

    /// Where a key belongs.
    #[inline]
    pub fn place(&self, key: K) -> Place {
        let (mixed, rest) = key.cut(Self::bits(self.cells));
        let home = self.quotient.home(mixed);
        Place { home, first: self.quotient.eighth(home), rest }
    }

    /// Prefetches the line of a place without waiting for it: the lines of places touched one after the other are
    /// fetched at the same time.
    #[inline]
    pub fn touch(&self, place: &Place) {
        self.lines.prefetch(place.home.line);
    }

    /// The slots of a line, cyclically from the one that holds its word `first`.
    #[inline]
    fn slots(line: &Line, first: usize) -> impl Iterator<Item = &[AtomicU64]> {
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

    /// Inserts the state of a place.
    #[inline]
    pub fn insert_at(&self, place: &Place, note: Note) -> Insert {
        let mut line = place.home.line;
        for step in 0..self.quotient.reach() {
            line += step;
            for slot in Self::slots(&self.lines.all()[line], place.first) {
                match K::take(slot, place.at(step), note) {
                    Found::Vacant => return Insert::New,
                    Found::Here(note) => return Insert::Seen(note),
                    Found::Other => {}
                }
            }
        }
        Insert::Full
    }

    /// The note of a state, if it is there.
    #[inline]
    pub fn get(&self, key: K) -> Option<Note> {
        self.get_at(&self.place(key))
    }

    /// The note of a place's state, if it is there.
    #[inline]
    pub fn get_at(&self, place: &Place) -> Option<Note> {
        self.find(place).map(|(_, note)| note)
    }

    /// Adds flags to a member, for ever; returns its note as it was before. Of several
    /// threads that add a flag, exactly one finds it not set.
    pub fn mark(&self, key: K, flags: u8) -> Option<Note> {
        let (slot, _) = self.find(&self.place(key))?;
        let flags = Note::new(0).with_flags(flags).bits();
        // AcqRel: a thread that finds a flag sees what its setter did before setting it. A read-modify-write continues
        // the release sequence of the insertion, so later readers still acquire from it.
        Some(Note::from_low_bits(K::note_word(slot).fetch_or(flags, Ordering::AcqRel)))
    }

    #[inline]
    fn find(&self, place: &Place) -> Option<(&[AtomicU64], Note)> {
        let mut line = place.home.line;
        for step in 0..self.quotient.reach() {
            line += step;
            for slot in Self::slots(&self.lines.all()[line], place.first) {
                match K::look(slot, place.at(step)) {
                    Found::Vacant => return None,
                    Found::Here(note) => return Some((slot, note)),
                    Found::Other => {}
                }
            }
        }
        None
    }

    /// Inserts states one after the other; `each` gets the index of a state in the batch and its result.
    ///
    /// The lines of the following states are fetched meanwhile.
    #[inline]
    pub fn insert_batch(&self, batch: &[(K, Note)], mut each: impl FnMut(usize, Insert)) {
        self.each_place(batch, |&(key, _)| key, |at, place| each(at, self.insert_at(place, batch[at].1)));
    }

    /// Looks states up one after the other, as [`StateSet::insert_batch`] inserts them.
    #[inline]
    pub fn get_batch(&self, batch: &[K], mut each: impl FnMut(usize, Option<Note>)) {
        self.each_place(batch, |&key| key, |at, place| each(at, self.get_at(place)));
    }

    /// The places of a batch in order, each touched `AHEAD` places before its turn.
    #[inline(always)]
    fn each_place<T>(&self, batch: &[T], key: impl Fn(&T) -> K, mut each: impl FnMut(usize, &Place)) {
        let touched = |item: &T| {
            let place = self.place(key(item));
            self.touch(&place);
            place
        };
        let mut places = [Place::default(); AHEAD];
        for (place, item) in places.iter_mut().zip(batch) {
            *place = touched(item);
        }
        for at in 0..batch.len() {
            let place = places[at % AHEAD];
            if let Some(item) = batch.get(at + AHEAD) {
                places[at % AHEAD] = touched(item);
            }
            each(at, &place);
        }
    }

    /// All states and their notes, in parallel and in no particular order.
    pub fn entries(&self) -> impl ParallelIterator<Item = (K, Note)> + '_ {
        self.entries_where(|_| true)
    }

    /// The states of one depth, in parallel and in no particular order. Reads the whole set.
    pub fn layer(&self, depth: u8) -> impl ParallelIterator<Item = K> + '_ {
        self.entries_where(move |note| note.depth() == depth).map(|(key, _)| key)
    }

    fn entries_where<'a>(
        &'a self,
        wanted: impl Fn(Note) -> bool + Copy + Send + Sync + 'a,
    ) -> impl ParallelIterator<Item = (K, Note)> + 'a {
        self.lines.all().par_iter().enumerate().flat_map_iter(move |(line, words)| self.entries_of(line, words, wanted))
    }

    /// The states and notes of one of `parts` equal stretches of memory, in the calling thread.
    pub fn entries_of_part(&self, part: usize, parts: usize) -> impl Iterator<Item = (K, Note)> + '_ {
        let all = self.lines.all();
        let [from, to] = [part, part + 1].map(|part| all.len() * part / parts);
        let lines = all[from..to].iter().enumerate();
        lines.flat_map(move |(line, words)| self.entries_of(from + line, words, |_| true))
    }

    fn entries_of<'a>(
        &'a self,
        line: usize,
        words: &'a Line,
        wanted: impl Fn(Note) -> bool + 'a,
    ) -> impl Iterator<Item = (K, Note)> + 'a {
        words.chunks_exact(K::WORDS).filter_map(move |slot| {
            let note = K::note(slot).filter(|&note| wanted(note))?;
            let held = K::held(slot);
            let mixed = self.quotient.key(Quotient::home_of(line, held.tag));
            Some((K::join(mixed, held.rest, self.cells), note))
        })
    }

    /// Makes room for `states` states in all, by moving all states to a larger set; `false`, and
    /// nothing changed, where that room is too small for the present states.
    ///
    /// Homes keep their order, so this reads and writes memory from one end to the other. For a while both
    /// sets exist.
    #[must_use = "false means that nothing was changed"]
    #[cfg(test)]
    pub fn grow(&mut self, states: usize) -> bool {
        let larger = Self::with_room_for(self.cells, states);
        let all = self.entries().all(|(key, note)| larger.insert(key, note) != Insert::Full);
        if all {
            *self = larger;
        }
        all
    }

    /// Removes all states.
    pub fn clear(&mut self) {
        self.lines.clear();
    }
}

#[cfg(all(test, not(loom)))]
mod tests;
