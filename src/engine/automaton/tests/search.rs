//! The search for the duplicate strings, one length after the other: two walks over all strings,
//! with a sieve in between.
//!
//! A string `w` needs to be compared only with smaller strings that have no duplicate factor. To
//! see this, let `v` be the smallest string with the effect of `w` and a box within that of `w`. If
//! `v` had a duplicate factor, replacing it would give a still smaller string with the same effect
//! and a box within that of `v`. So it suffices to enumerate the strings accepted by the automaton
//! for the shorter duplicates, both as `w` (all others are already rejected) and as `v`.
//!
//! There are millions of these strings, and few of them share an effect. So they are not stored:
//!
//! 1. The first walk computes a *fingerprint* of each effect, incrementally, and counts it in a
//!    sieve with two bits per slot: none, one, or more. The walk leaves out strings whose length
//!    differs in parity from that of `w`: they move the blank to a cell of the other colour of a
//!    checkerboard, so none of them has the effect of `w`.
//! 2. The second walk collects the *suspects*: the strings whose slot counted more than one.
//! 3. The suspects are sorted by fingerprint, and their effects are compared, because different
//!    effects can have equal fingerprints.
//!
//! The sieve takes four to eight bytes per string of the greatest length; the suspects take sixteen
//! bytes each.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::walk::{BoundingBox, Grid, MAX_WALK_LETTERS, Strings, Visitor};
use crate::engine::automaton::compile::{PackedString, REJECT, Transitions, Trie};
use crate::system::prefetch;

/// Searches for the duplicate strings of at most `depth` letters that have no shorter duplicate as
/// a factor and whose box is at most `side` cells high and wide, on `threads` threads.
pub(super) fn find_strings(depth: usize, side: usize, threads: usize) -> Vec<PackedString> {
    let (mut rejected, mut found) = (Trie::default(), Vec::new());
    for letters in 2..=depth {
        let machine = rejected.compile();
        for string in find(&machine, letters, side, threads) {
            rejected.insert(string);
            found.push(string);
        }
    }
    found
}

/// Returns the duplicate strings of `letters` letters that `machine` accepts, in ascending order.
/// `machine` must reject all shorter duplicates.
///
/// Only strings whose box is at most `side` cells high and wide are considered, because no others
/// fit onto a board of that size. A replacement of such a string also fits, because its box lies
/// within the string's.
fn find(machine: &Transitions, letters: usize, side: usize, threads: usize) -> Vec<PackedString> {
    assert!(letters <= MAX_WALK_LETTERS);
    let strings = Strings { machine, letters, side };
    let sieve = Sieve::new(count(machine, letters));
    strings.visit_all(threads, || FingerprintCounter(&sieve));
    let visitors = strings.visit_all(threads, || SuspectCollector { sieve: &sieve, suspects: Vec::new() });
    let mut suspects: Vec<(u64, PackedString)> = visitors.into_iter().flat_map(|visitor| visitor.suspects).collect();
    suspects.sort_unstable();

    let mut grid = Grid::default();
    let mut found = Vec::new();
    let mut unique: Vec<(PackedString, BoundingBox)> = Vec::new();
    for group in suspects.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1) {
        unique.clear();
        for &(_, string) in group {
            let bounds = BoundingBox::of(string);
            let is_longest = string.len() == letters;
            let replaces = |&(smaller, smaller_bounds): &(PackedString, BoundingBox)| {
                smaller_bounds.lies_within(bounds) && grid.have_same_effect(smaller, string)
            };
            if is_longest && unique.iter().any(replaces) {
                found.push(string);
            } else {
                unique.push((string, bounds));
            }
        }
    }
    found.sort_unstable();
    found
}

/// The visitor of the first walk, which counts fingerprints.
struct FingerprintCounter<'a>(&'a Sieve);

impl Visitor for FingerprintCounter<'_> {
    #[inline]
    fn announce(&self, fingerprint: u64) {
        self.0.prefetch(fingerprint);
    }

    #[inline]
    fn visit(&mut self, fingerprint: u64, _: PackedString) {
        self.0.count(fingerprint);
    }
}

/// The visitor of the second walk, which collects strings with repeated fingerprints.
struct SuspectCollector<'a> {
    sieve: &'a Sieve,
    suspects: Vec<(u64, PackedString)>,
}

impl Visitor for SuspectCollector<'_> {
    #[inline]
    fn announce(&self, fingerprint: u64) {
        self.sieve.prefetch(fingerprint);
    }

    #[inline]
    fn visit(&mut self, fingerprint: u64, string: PackedString) {
        if self.sieve.is_repeated(fingerprint) {
            self.suspects.push((fingerprint, string));
        }
    }
}

/// Returns the number of strings of `letters` letters that `machine` accepts, whatever the size of
/// their boxes.
fn count(machine: &Transitions, letters: usize) -> usize {
    let mut ending = vec![0usize; machine.len()];
    ending[0] = 1;
    for _ in 0..letters {
        let mut next = vec![0; machine.len()];
        for (from, &strings) in ending.iter().enumerate() {
            for to in machine[from].into_iter().filter(|&to| to != REJECT) {
                next[to as usize] += strings;
            }
        }
        ending = next;
    }
    ending.iter().sum()
}

/// A counter of fingerprints, by slot, that stops at two. Several fingerprints may share a slot.
///
/// The final contents do not depend on the order of the threads. They are read after all threads
/// have finished.
struct Sieve {
    /// The slots, 32 in a word. A slot has two bits: seen once, seen again.
    words: Vec<AtomicU64>,
    shift: u32,
}

impl Sieve {
    /// The number of slots per string, so large that at most one string in ten becomes a suspect
    /// only because different fingerprints share a slot.
    const SLOTS_PER_STRING: usize = 16;
    const SLOTS_PER_WORD: usize = 32;

    fn new(strings: usize) -> Sieve {
        let words = (strings * Self::SLOTS_PER_STRING / Self::SLOTS_PER_WORD).next_power_of_two().max(2);
        Sieve { words: bytemuck::allocation::zeroed_vec(words), shift: 64 - words.ilog2() }
    }

    /// Returns the index of a slot's word, and the slot's first bit in it.
    #[inline]
    fn place(&self, fingerprint: u64) -> (usize, u32) {
        let mixed = fingerprint.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        ((mixed >> self.shift) as usize, (fingerprint >> 58) as u32 & 62)
    }

    #[inline]
    fn prefetch(&self, fingerprint: u64) {
        prefetch(&self.words, self.place(fingerprint).0);
    }

    #[inline]
    fn count(&self, fingerprint: u64) {
        let (at, bit) = self.place(fingerprint);
        let (once, again) = (1 << bit, 2 << bit);
        let word = &self.words[at];
        // If two threads find a slot empty, the result of `fetch_or` shows one of them that it was
        // second.
        let before = match word.load(Relaxed) {
            before if before & once == 0 => word.fetch_or(once, Relaxed),
            before => before,
        };
        if before & (once | again) == once {
            word.fetch_or(again, Relaxed);
        }
    }

    /// Returns true if the slot was counted at least twice, for this fingerprint or others.
    #[inline]
    fn is_repeated(&self, fingerprint: u64) -> bool {
        let (at, bit) = self.place(fingerprint);
        self.words[at].load(Relaxed) >> bit & 2 != 0
    }
}
