//! The set by perfect rank: one cell of 1, 2 or 8 bits a state, for graphs that fit as a whole.
//!
//! A cell is 0 while its state is absent and `value + 1` afterwards, so one bit holds membership, two bits a
//! depth modulo 3 (which gives the neighbours' depths from a state's own: Korf 2008) and eight bits depths up to
//! 254. Cells lie in 64-bit words, and taking one is a compare-and-swap of its word that fails
//! only when another cell of the word changed in between: some thread always makes progress.
//!
//! Cost: 1, 2 or 8 bits a state, and one cache miss an operation.

use rayon::prelude::*;

use super::Insert;
use super::sync::{AtomicU64, LINE_WORDS, Lines, Ordering};

/// A set of the numbers `0..states`, each with a value of `BITS` bits – 1, 2, 4 or 8.
pub struct RankSet<const BITS: usize> {
    /// Invariant: a cell leaves 0 once; cells at and beyond `states` stay 0.
    lines: Lines,
    states: usize,
}

impl<const BITS: usize> RankSet<BITS> {
    /// The largest value that can stand beside a state.
    pub const MAX_VALUE: u8 = (Self::MASK - 1) as u8;

    const MASK: u64 = {
        assert!(BITS.is_power_of_two() && BITS <= 8);
        (1 << BITS) - 1
    };
    const CELLS_A_WORD: usize = 64 / BITS;
    const CELLS_A_LINE: usize = Self::CELLS_A_WORD * LINE_WORDS;

    /// An empty set of the numbers below `states`.
    pub fn new(states: usize) -> RankSet<BITS> {
        RankSet { lines: Lines::zeroed(states.div_ceil(Self::CELLS_A_LINE)), states }
    }

    /// The bytes that a set of the numbers below `states` takes.
    pub fn bytes_for(states: usize) -> usize {
        Lines::bytes(states.div_ceil(Self::CELLS_A_LINE))
    }

    /// How many states there can be.
    pub fn states(&self) -> usize {
        self.states
    }

    #[inline]
    fn cell(&self, rank: usize) -> (&AtomicU64, usize) {
        assert!(rank < self.states, "rank {rank} of {} states", self.states);
        let word = &self.lines.all()[rank / Self::CELLS_A_LINE][rank / Self::CELLS_A_WORD % LINE_WORDS];
        (word, rank % Self::CELLS_A_WORD * BITS)
    }

    /// Inserts a state; never [`Insert::Full`].
    ///
    /// # Panics
    /// When the rank is not below the number of states.
    #[inline]
    pub fn insert(&self, rank: usize, value: u8) -> Insert<u8> {
        match self.swap(rank, 0, Self::filled(value)) {
            Ok(()) => Insert::New,
            Err(cell) => Insert::Seen((cell - 1) as u8),
        }
    }

    /// Changes the value of a state from `from` to `to`; whether this call did it. (For
    /// open → closed, or this layer → older layers, where two bits are all there is.)
    #[inline]
    pub fn replace(&self, rank: usize, from: u8, to: u8) -> bool {
        self.swap(rank, Self::filled(from), Self::filled(to)).is_ok()
    }

    #[inline]
    fn filled(value: u8) -> u64 {
        debug_assert!(value <= Self::MAX_VALUE);
        (u64::from(value) + 1) & Self::MASK
    }

    /// Puts `to` into a cell that holds `from`, or returns the value it holds instead.
    #[inline]
    fn swap(&self, rank: usize, from: u64, to: u64) -> Result<(), u64> {
        let (word, shift) = self.cell(rank);
        // Acquire, here and on failure: pairs with the Release of the swap that wrote the cell, so that
        // what its inserter did before is visible.
        let mut seen = word.load(Ordering::Acquire);
        loop {
            let cell = seen >> shift & Self::MASK;
            if cell != from {
                return Err(cell);
            }
            let full = seen ^ (from ^ to) << shift;
            // Release: publishes what this thread did before. A word is shared by many cells, but every change
            // is a read-modify-write, which continues the release sequences of the others. Acquire:
            // `replace` follows the insertion it changes.
            match word.compare_exchange_weak(seen, full, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return Ok(()),
                Err(now) => seen = now,
            }
        }
    }

    /// The value of a state, if it is there.
    ///
    /// # Panics
    /// When the rank is not below the number of states.
    #[inline]
    pub fn get(&self, rank: usize) -> Option<u8> {
        let (word, shift) = self.cell(rank);
        // Acquire: as in `swap`.
        let cell = word.load(Ordering::Acquire) >> shift & Self::MASK;
        (cell != 0).then(|| (cell - 1) as u8)
    }

    /// All states and their values, in parallel; an indexed consumer gets them by rank.
    pub fn entries(&self) -> impl ParallelIterator<Item = (usize, u8)> + '_ {
        self.lines.all().par_iter().enumerate().flat_map_iter(|(line, words)| {
            words.iter().enumerate().flat_map(move |(at, word)| {
                let first = line * Self::CELLS_A_LINE + at * Self::CELLS_A_WORD;
                // Acquire: as in `swap`.
                Filled::<BITS> { first, word: word.load(Ordering::Acquire) }
            })
        })
    }

    /// The states of one value, in parallel and by rank. Reads the whole set.
    pub fn layer(&self, value: u8) -> impl ParallelIterator<Item = usize> + '_ {
        self.entries().filter(move |&(_, own)| own == value).map(|(rank, _)| rank)
    }

    /// Removes all states.
    pub fn clear(&mut self) {
        self.lines.clear();
    }
}

/// The cells of a word that are not 0, lowest first.
struct Filled<const BITS: usize> {
    first: usize,
    word: u64,
}

impl<const BITS: usize> Iterator for Filled<BITS> {
    type Item = (usize, u8);

    #[inline]
    fn next(&mut self) -> Option<(usize, u8)> {
        if self.word == 0 {
            return None;
        }
        let cell = self.word.trailing_zeros() as usize / BITS;
        let mask = RankSet::<BITS>::MASK << (cell * BITS);
        let value = (self.word & mask) >> (cell * BITS);
        self.word &= !mask;
        Some((self.first + cell, (value - 1) as u8))
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    const STATES: usize = 1100;

    fn agrees<const BITS: usize>(operations: &[(usize, u8, u8)]) -> Result<(), TestCaseError> {
        let (mut set, mut model) = (RankSet::<BITS>::new(STATES), BTreeMap::new());
        let limit = |value: u8| value.min(RankSet::<BITS>::MAX_VALUE);
        for &(rank, a, b) in operations {
            let (a, b) = (limit(a), limit(b));
            prop_assert_eq!(set.get(rank), model.get(&rank).copied());
            let expected = model.get(&rank).map_or(Insert::New, |&value| Insert::Seen(value));
            prop_assert_eq!(set.insert(rank, a), expected);
            model.entry(rank).or_insert(a);
            prop_assert_eq!(set.replace(rank, a, b), model[&rank] == a);
            model.entry(rank).and_modify(|value| *value = if *value == a { b } else { *value });
        }
        let listed: Vec<(usize, u8)> = set.entries().collect();
        prop_assert_eq!(&listed, &model.into_iter().collect::<Vec<_>>());
        for value in 0..=RankSet::<BITS>::MAX_VALUE {
            let expected: Vec<usize> = listed.iter().filter(|entry| entry.1 == value).map(|entry| entry.0).collect();
            prop_assert_eq!(set.layer(value).collect::<Vec<_>>(), expected);
        }
        set.clear();
        prop_assert_eq!(set.entries().count(), 0);
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn is_a_map(operations in prop::collection::vec((0..STATES, any::<u8>().prop_map(|v| v % 255), 0u8..4), 0..600)) {
            agrees::<1>(&operations)?;
            agrees::<2>(&operations)?;
            agrees::<4>(&operations)?;
            agrees::<8>(&operations)?;
        }
    }

    #[test]
    fn bytes_are_computed_exactly() {
        assert_eq!(RankSet::<1>::bytes_for(239_500_800), 29_937_600);
        assert_eq!(RankSet::<8>::bytes_for(64), 64);
        assert_eq!(RankSet::<8>::bytes_for(65), 128);
    }

    #[test]
    #[should_panic(expected = "rank 10 of 10 states")]
    fn no_state_beyond_the_last() {
        RankSet::<1>::new(10).insert(10, 0);
    }

    /// Four threads walk all states in different orders: each is New once, and keeps the value of that time.
    #[test]
    fn threads_agree() {
        let set = RankSet::<2>::new(40_000);
        let new: Vec<Vec<(usize, u8)>> = std::thread::scope(|scope| {
            let threads = [1usize, 3, 7, 39_999].map(|stride| {
                let set = &set;
                scope.spawn(move || {
                    let value = (stride % 3) as u8;
                    let all = (0..40_000).map(|index| index * stride % 40_000);
                    all.filter(|&rank| set.insert(rank, value) == Insert::New).map(|rank| (rank, value)).collect()
                })
            });
            threads.map(|thread| thread.join().unwrap()).into()
        });
        let mut new = new.concat();
        new.sort_unstable();
        assert_eq!(new, set.entries().collect::<Vec<_>>());
        assert_eq!(new.len(), 40_000);
    }
}
