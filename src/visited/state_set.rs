//! The set by key: open addressing over cache lines, one compare-and-swap an insertion.
//!
//! A key goes to its home line and fills the first vacant slot, round from one that the key itself names (so that
//! most keys find a vacant slot, or themselves, at the first look); from a full line it goes on
//! in triangular steps, through at most 31 lines, and after those the set is full for this key. Nothing
//! is ever moved or removed. How a slot is taken and why no key stands twice: [`super::slot`];
//! where a key's home is and what of it is stored: [`super::quotient`].
//!
//! Cost: 12 bytes a state of at most 16 cells, 24 of at most 25, and at least 0.5 MB for 16 cells; one
//! cache miss an operation. One by one the operations wait for their misses in turn; the batches have the lines that
//! come next fetched meanwhile, and are what a search should use: twice as fast and more with 10⁷ states (`benches/visited.rs`, figures in `benches/README.md`).
//!
//! It does not grow beside running insertions: a second level would cost every operation a second
//! miss. The searches have a moment of rest at each layer's end, and [`StateSet::grow`] uses it.

use rayon::prelude::*;

use super::quotient::{Home, Quotient};
use super::slot::{Found, Key, Own};
use super::sync::{AtomicU64, LINE_WORDS, Line, Lines, Ordering};
use super::{Insert, Note};

/// Keys whose lines are on their way while the batches work on one: about as many as a core can wait for at once.
const AHEAD: usize = 16;

/// One spare slot for so many states: a load of 2/3. The first key that finds no slot comes at a load above 0.8 with
/// slots of one word, above 0.75 with two (test `full_comes_late`, 10⁶ keys), so what was planned for fits.
const STATES_A_SPARE: usize = 2;

/// A set of states by packed key, each with a [`Note`]; shared by all threads of a search.
pub struct StateSet<K> {
    /// Invariant: as many as `quotient.lines_with_tail()`, so that no step from any home leaves them.
    lines: Lines,
    quotient: Quotient,
    cells: usize,
    key: std::marker::PhantomData<fn() -> K>,
}

/// Where a key belongs in the set that was asked: the part of an operation that needs no memory.
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
    /// When a key of this type does not have so many cells.
    pub fn with_room_for(cells: usize, states: usize) -> StateSet<K> {
        let quotient = Self::quotient(cells, states);
        StateSet { lines: Lines::zeroed(quotient.lines_with_tail()), quotient, cells, key: std::marker::PhantomData }
    }

    /// How many states it was made for, with what the rounding to lines and the least size add.
    pub fn room(&self) -> usize {
        let slots = self.quotient.lines() * (LINE_WORDS / K::WORDS);
        // The largest number that with its share of spare slots is no more.
        (slots * STATES_A_SPARE + STATES_A_SPARE - 1) / (STATES_A_SPARE + 1)
    }

    /// The bytes that [`StateSet::with_room_for`] would take, for the plan.
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

    /// Asks for the line of a place without waiting for it: places touched one after the other are
    /// fetched side by side.
    #[inline]
    pub fn touch(&self, place: &Place) {
        self.lines.prefetch(place.home.line);
    }

    /// The slots of a line, round from the one that holds its word `first`.
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

    /// Adds flags to a state that is there, for ever; gives its note as it was before. Of several
    /// threads that add a flag, one alone finds it not set.
    pub fn mark(&self, key: K, flags: u8) -> Option<Note> {
        let (slot, _) = self.find(&self.place(key))?;
        let flags = Note::new(0).with_flags(flags).bits();
        // AcqRel: who finds a flag sees what its setter did before setting it. A read-modify-write continues
        // the release of the insertion, so later readers lose nothing.
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

    /// Inserts states one after the other, and tells of each by its index in the batch.
    ///
    /// The lines of those that follow are fetched meanwhile.
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

    /// Makes room for `states` states in all, by moving everything to a larger set; `false`, and
    /// nothing changed, where that room is too small for what is there already.
    ///
    /// Homes keep their order, so this reads and writes memory from one end to the other. For a while both
    /// sets exist.
    #[must_use = "false means that nothing was changed"]
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
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;
    use crate::board::{Cell, Shape, State};

    /// The states around the goal, layer by layer, by a breadth-first search of its own with std's sets.
    fn ball<K: Key + std::hash::Hash + Eq>(shape: Shape, depths: u8, pack: fn(&State, usize) -> K) -> HashMap<K, u8> {
        let goal = State::goal(shape, Cell::new(shape.cells() - 1));
        let mut ball = HashMap::from([(pack(&goal, shape.cells()), 0)]);
        let mut layer = vec![goal];
        for depth in 1..=depths {
            let children: Vec<State> = layer
                .iter()
                .flat_map(|state| crate::board::Move::ALL.into_iter().filter_map(|step| state.after(shape, step)))
                .collect();
            layer = children
                .into_iter()
                .filter(|child| {
                    let key = pack(child, shape.cells());
                    let new = !ball.contains_key(&key);
                    ball.entry(key).or_insert(depth);
                    new
                })
                .collect();
        }
        ball
    }

    /// Inserted, found, listed by layers, moved to a larger set, and cleared.
    fn holds<K: Key + std::hash::Hash + Eq>(rows: usize, cols: usize, depths: u8, pack: fn(&State, usize) -> K) {
        let shape = Shape::new(rows, cols).unwrap();
        let (inner, outer) = (ball(shape, depths, pack), ball(shape, depths + 1, pack));
        let mut set = StateSet::<K>::with_room_for(shape.cells(), inner.len());
        assert_eq!(set.bytes(), StateSet::<K>::bytes_for(shape.cells(), inner.len()));
        for (&key, &depth) in &inner {
            let note = Note::new(depth).with_flags(depth % 16);
            assert_eq!(set.insert(key, note), Insert::New);
            assert_eq!(set.insert(key, Note::new(0)), Insert::Seen(note));
        }
        for _ in 0..2 {
            for key in outer.keys() {
                let note = inner.get(key).map(|&depth| Note::new(depth).with_flags(depth % 16));
                assert_eq!(set.get(*key), note);
            }
            let parts = (0..3).flat_map(|part| set.entries_of_part(part, 3));
            assert_eq!(parts.map(|(key, note)| (key, note.depth())).collect::<HashMap<K, u8>>(), inner);
            for depth in 0..=depths + 1 {
                let mut listed: Vec<K> = set.layer(depth).collect();
                let number = inner.values().filter(|&&own| own == depth).count();
                assert_eq!(listed.len(), number, "{shape} depth {depth}");
                listed.retain(|key| inner.get(key) == Some(&depth));
                assert_eq!(listed.len(), number, "{shape} depth {depth}");
            }
            assert!(set.grow(inner.len() * 5));
        }
        set.clear();
        assert_eq!(set.entries().count(), 0);
    }

    #[test]
    fn one_word_keys_of_real_states() {
        for (rows, cols) in [(2, 2), (2, 3), (2, 6), (2, 7), (3, 5), (4, 4), (2, 8)] {
            holds(rows, cols, 11, State::pack);
        }
    }

    #[test]
    fn two_word_keys_of_real_states() {
        for (rows, cols) in [(3, 3), (4, 4), (3, 6), (4, 5), (3, 7), (2, 11), (4, 6), (5, 5)] {
            holds(rows, cols, 11, State::pack_wide);
        }
    }

    /// The load at which the first key finds no slot is above the one that `with_room_for` plans with.
    #[test]
    fn full_comes_late() {
        fn first_full<K: Key>(cells: usize, states: usize, key: impl Fn(u64) -> K) -> f64 {
            let set = StateSet::<K>::with_room_for(cells, states);
            let fits = (0..).take_while(|&index| set.insert(key(index), Note::new(1)) == Insert::New).count();
            fits as f64 / (states + states / STATES_A_SPARE) as f64
        }
        // 15 and 24 cells: keys of all bit patterns.
        let narrow = first_full(15, 1 << 20, |index| index.wrapping_mul(0xD134_2543_DE82_EF95) >> 4);
        let wide = first_full(24, 1 << 20, |index| {
            u128::from(index).wrapping_mul(0x5851_F42D_4C95_7F2D_1405_7B7E_F767_814F) >> 8
        });
        assert!(narrow > 0.8 && wide > 0.75, "narrow {narrow}, wide {wide}");
    }

    #[test]
    fn a_full_set_refuses_and_stays_right() {
        // A few lines of eight slots: every 16-bit key of four cells, most of which find no place.
        let set = StateSet::<u64>::with_room_for(4, 12);
        let fits: Vec<bool> = (0..1 << 16).map(|key| set.insert(key, Note::new(key as u8)) == Insert::New).collect();
        assert!((12..=set.bytes() / 8).contains(&fits.iter().filter(|&&fit| fit).count()));
        for (key, fit) in fits.into_iter().enumerate() {
            let note = Note::new(key as u8);
            assert_eq!(set.get(key as u64), fit.then_some(note));
            assert_eq!(set.insert(key as u64, note), if fit { Insert::Seen(note) } else { Insert::Full });
        }
    }

    /// A set takes its room and one more state takes a larger set.
    #[test]
    fn room_is_what_a_set_is_made_for() {
        fn has_room<K: Key>(cells: usize) {
            for states in (0..2000).chain([65_535, 65_536, 1_000_003]) {
                let (set, bytes) = (StateSet::<K>::with_room_for(cells, states), StateSet::<K>::bytes_for);
                assert!(set.room() >= states);
                assert_eq!(bytes(cells, set.room()), set.bytes(), "{states} states");
                assert!(bytes(cells, set.room() + 1) > set.bytes(), "{states} states");
            }
        }
        has_room::<u64>(13);
        has_room::<u128>(20);
    }

    #[test]
    fn a_set_too_small_does_not_take_what_is_there() {
        let mut set = StateSet::<u64>::with_room_for(4, 1000);
        (0..1000).for_each(|key| assert_eq!(set.insert(key, Note::new(9)), Insert::New));
        assert!(!set.grow(10));
        assert_eq!(set.layer(9).count(), 1000);
        assert!(set.grow(5000));
        assert_eq!(set.layer(9).count(), 1000);
    }

    #[test]
    fn marks_add_up() {
        let set = StateSet::<u128>::with_room_for(20, 10);
        assert_eq!(set.mark(77, 1), None);
        set.insert(77, Note::new(255).with_flags(8));
        assert_eq!(set.mark(77, 1), Some(Note::new(255).with_flags(8)));
        assert_eq!(set.mark(77, 3), Some(Note::new(255).with_flags(9)));
        assert_eq!(set.get(77), Some(Note::new(255).with_flags(11)));
    }

    fn agrees<K: Key + Eq + std::hash::Hash>(cells: usize, operations: &[(K, u8, u8)]) -> Result<(), TestCaseError> {
        let (set, mut model) = (StateSet::<K>::with_room_for(cells, operations.len()), HashMap::new());
        for &(key, kind, depth) in operations {
            let note = Note::new(depth).with_flags(kind);
            match kind {
                0..8 => match model.get(&key) {
                    None => {
                        prop_assert_eq!(set.insert(key, note), Insert::New);
                        model.insert(key, note);
                    }
                    Some(&there) => prop_assert_eq!(set.insert(key, note), Insert::Seen(there)),
                },
                8..12 => prop_assert_eq!(set.get(key), model.get(&key).copied()),
                _ => {
                    prop_assert_eq!(set.mark(key, kind), model.get(&key).copied());
                    model.entry(key).and_modify(|there| *there = there.with_flags(there.flags() | kind));
                }
            }
        }
        let listed: Vec<(K, Note)> = set.entries().collect();
        prop_assert_eq!(listed.len(), model.len());
        prop_assert_eq!(listed.into_iter().collect::<HashMap<K, Note>>(), model);
        Ok(())
    }

    proptest! {
        /// Few keys, so that operations meet; single-threaded, against std's map.
        #[test]
        fn one_word_set_is_a_map(operations in prop::collection::vec((0u64..600, 0u8..16, any::<u8>()), 1..800)) {
            agrees(4, &operations)?;
        }

        #[test]
        fn two_word_set_is_a_map(
            operations in prop::collection::vec(((0u128..30, 0u128..30), 0u8..16, any::<u8>()), 1..800)
        ) {
            // Many keys with one upper half.
            let wide = operations.into_iter().map(|((a, b), kind, depth)| (a << 90 | b << 53 | (a * b), kind, depth));
            agrees(24, &wide.collect::<Vec<_>>())?;
        }
    }

    /// Four threads insert overlapping shares of the same states: each state is New exactly once, and what
    /// others are told is what the one inserted.
    #[allow(clippy::type_complexity)]
    fn stress<K: Key + Eq + std::hash::Hash>(cells: usize, key: impl Fn(u64) -> K + Sync) {
        const STATES: u64 = 60_000;
        let set = StateSet::<K>::with_room_for(cells, STATES as usize);
        let told: Vec<(HashMap<K, Note>, Vec<(K, Note)>)> = std::thread::scope(|scope| {
            let threads = [1, 7, 11, 59_999].map(|stride| {
                let (set, key) = (&set, &key);
                scope.spawn(move || {
                    let (mut own, mut others) = (HashMap::new(), Vec::new());
                    for index in 0..STATES {
                        let key = key(index * stride % STATES);
                        let note = Note::new(stride as u8);
                        match set.insert(key, note) {
                            Insert::New => assert_eq!(own.insert(key, note), None),
                            Insert::Seen(note) => others.push((key, note)),
                            Insert::Full => panic!("full"),
                        }
                        assert!(set.get(key).is_some());
                    }
                    (own, others)
                })
            });
            threads.map(|thread| thread.join().unwrap()).into()
        });
        let mut model = HashMap::new();
        for (own, _) in &told {
            own.iter().for_each(|(&key, &note)| assert_eq!(model.insert(key, note), None, "{key:?} was New twice"));
        }
        assert_eq!(model.len(), STATES as usize);
        assert!(told.iter().flat_map(|(_, others)| others).all(|(key, note)| model[key] == *note));
        assert_eq!(set.entries().collect::<HashMap<K, Note>>(), model);
    }

    #[test]
    fn threads_agree_on_one_word_keys() {
        for _ in 0..5 {
            stress(8, |index| index * 65_537);
        }
    }

    #[test]
    fn threads_agree_on_two_word_keys() {
        for _ in 0..5 {
            stress(24, |index| u128::from(index % 300) << 80 | u128::from(index / 300));
        }
    }
}
