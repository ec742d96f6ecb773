//! The shipped duplicate strings, and their compilation into a small table.
//!
//! Finding the strings takes seconds, which is too long if only one 24-puzzle is solved. So they
//! are shipped in a file of 94 kB: all of up to 14 letters, and those of 15 and 16 letters that fit
//! onto a 5×5 board. A test searches for them again (`scripts/tables`).
//!
//! The strings are sorted alphabetically. Each is stored as a byte and some letters. The upper half
//! of the byte is the length of the longest prefix shared with the previous string; the lower half
//! is the number of remaining letters minus one. The remaining letters follow, a byte each. The
//! file is compressed with zlib.
//!
//! The table is compiled by the method of Aho and Corasick 1975, and minimised by that of Moore
//! 1956. No rejected string is a factor of another, because the search for duplicates skips strings
//! with a rejected factor. So the construction is simpler than the general one: no suffix of a
//! proper prefix of a rejected string is rejected, and rejection occurs only on the edges that
//! complete a rejected string.

use std::collections::HashMap;
use std::io::Read;
use std::sync::atomic::{AtomicBool, Ordering};

use flate2::read::ZlibDecoder;

use crate::board::Move;

/// The maximum length up to which strings are shipped whatever the size of their boxes ([`super`]).
pub(super) const MAX_LETTERS: usize = 14;

/// The maximum length of all shipped strings. The boxes of those with more than [`MAX_LETTERS`]
/// letters have sides of at most [`SMALL_SIDE`] cells.
pub(super) const MAX_SMALL_LETTERS: usize = 16;

/// The side of a 5×5 board, in cells.
pub(super) const SMALL_SIDE: usize = 5;

const STRINGS: &[u8] = include_bytes!("strings.zlib");

/// Returns the duplicate strings of at most `depth` letters that have no shorter duplicate as a
/// factor and whose box is at most `side` cells high and wide.
pub(super) fn duplicates(depth: usize, side: usize) -> impl Iterator<Item = PackedString> {
    assert!(
        depth <= MAX_LETTERS || depth <= MAX_SMALL_LETTERS && side <= SMALL_SIDE,
        "automaton of depth {depth}: the maximum is {MAX_LETTERS}, or {MAX_SMALL_LETTERS} for a side of {SMALL_SIDE}"
    );
    shipped(depth).into_iter().filter(move |string| string.side() <= side)
}

/// Reads the shipped strings of at most `max_letters` letters, in alphabetical order.
fn shipped(max_letters: usize) -> Vec<PackedString> {
    let mut text = Vec::new();
    let read = ZlibDecoder::new(STRINGS).read_to_end(&mut text);
    assert!(read.is_ok(), "the shipped strings are damaged");
    let (mut strings, mut letters, mut rest) = (Vec::new(), Vec::new(), &text[..]);
    while let [head, tail @ ..] = rest {
        letters.truncate(usize::from(head >> 4));
        let (new, next) = tail.split_at(usize::from(head & 15) + 1);
        letters.extend_from_slice(new);
        if letters.len() <= max_letters {
            strings.push(letters.iter().fold(PackedString::EMPTY, |string, &letter| string.then(letter.into())));
        }
        rest = next;
    }
    strings
}

/// A string of up to 31 letters: two bits per letter, the last letter lowest, and a 1 above the
/// first.
///
/// The order is that of the strings: by length, then alphabetical.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct PackedString(u64);

impl PackedString {
    pub(super) const EMPTY: PackedString = PackedString(1);

    /// Appends a letter.
    #[inline]
    pub(super) fn then(self, letter: usize) -> PackedString {
        PackedString(self.0 << 2 | letter as u64)
    }

    #[inline]
    pub(super) fn len(self) -> usize {
        (63 - self.0.leading_zeros()) as usize / 2
    }

    /// Returns the letters' indices, first to last.
    #[inline]
    pub(super) fn letters(self) -> impl DoubleEndedIterator<Item = usize> {
        (0..self.len()).rev().map(move |at| (self.0 >> (2 * at) & 3) as usize)
    }

    /// Returns the longer side of the string's box, in cells.
    fn side(self) -> usize {
        let extent = |forward: Move| {
            let (mut at, mut least, mut greatest) = (0, 0, 0);
            for letter in self.letters() {
                at += isize::from(letter == forward.index()) - isize::from(letter == forward.inverse().index());
                least = at.min(least);
                greatest = at.max(greatest);
            }
            (greatest - least) as usize + 1
        };
        extent(Move::Down).max(extent(Move::Right))
    }
}

/// The next state by state and letter. State 0 is the start.
pub(super) type Transitions = Vec<[u32; 4]>;

/// The entry of [`Transitions`] for rejection.
pub(super) const REJECT: u32 = u32::MAX;

/// The entry of a [`Trie`] for a string that is not a prefix of a rejected string.
const NONE: u32 = u32::MAX - 1;

/// The proper prefixes of the rejected strings. Node 0 is the empty string.
#[derive(Debug)]
pub(super) struct Trie(Vec<[u32; 4]>);

impl Default for Trie {
    fn default() -> Trie {
        Trie(vec![[NONE; 4]])
    }
}

impl Trie {
    /// Adds a string to reject. No other string to reject may be a factor of it.
    pub(super) fn insert(&mut self, string: PackedString) {
        let (mut node, mut remaining) = (0, string.len());
        for letter in string.letters() {
            remaining -= 1;
            let next = self.0[node][letter];
            assert_ne!(next, REJECT, "the string has a rejected prefix");
            node = match next {
                _ if remaining == 0 => {
                    self.0[node][letter] = REJECT;
                    return;
                }
                NONE => {
                    let new = self.0.len();
                    self.0[node][letter] = new as u32;
                    self.0.push([NONE; 4]);
                    new
                }
                next => next as usize,
            };
        }
    }

    /// Returns the automaton whose states are the trie's nodes. After an accepted string, the state
    /// is the string's longest suffix that is a proper prefix of a rejected string.
    pub(super) fn compile(&self) -> Transitions {
        let mut machine = self.0.clone();
        // For every node, its longest proper suffix that is also a node. Suffixes are shorter, so
        // their transitions are complete before those of the node.
        let mut suffix = vec![0u32; machine.len()];
        let mut queue = Vec::with_capacity(machine.len());
        queue.push(0u32);
        let mut done = 0;
        while let Some(&node) = queue.get(done) {
            done += 1;
            let fallback = if node == 0 { [0; 4] } else { machine[suffix[node as usize] as usize] };
            for (letter, fallback) in fallback.into_iter().enumerate() {
                match machine[node as usize][letter] {
                    REJECT => {}
                    NONE => machine[node as usize][letter] = fallback,
                    child => {
                        debug_assert_ne!(fallback, REJECT, "a prefix of a rejected string ends with a rejected one");
                        suffix[child as usize] = fallback;
                        queue.push(child);
                    }
                }
            }
        }
        machine
    }
}

/// Returns the minimal automaton that accepts the same strings, with its states in breadth-first
/// order from the start. Returns `None` if stopped.
///
/// Moore's refinement: states are separated first by the letters that they reject, then by the
/// classes of their successors, until nothing changes.
pub(super) fn minimise(machine: &Transitions, stop: &AtomicBool) -> Option<Transitions> {
    let mut class = vec![0u32; machine.len()];
    let mut classes = 1;
    let mut numbers: HashMap<(u32, [u32; 4]), u32> = HashMap::with_capacity(machine.len());
    loop {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        numbers.clear();
        let refined: Vec<u32> = machine
            .iter()
            .zip(&class)
            .map(|(next, &old)| {
                let next = next.map(|to| if to == REJECT { REJECT } else { class[to as usize] });
                let new = numbers.len() as u32;
                *numbers.entry((old, next)).or_insert(new)
            })
            .collect();
        class = refined;
        if numbers.len() == classes {
            break;
        }
        classes = numbers.len();
    }
    // Any member represents its class. The start is numbered first.
    let mut number_of = vec![NONE; classes];
    number_of[class[0] as usize] = 0;
    let mut members = vec![0usize];
    let mut minimal = Transitions::with_capacity(classes);
    while let Some(&member) = members.get(minimal.len()) {
        minimal.push(machine[member].map(|to| {
            if to == REJECT {
                return REJECT;
            }
            let number = &mut number_of[class[to as usize] as usize];
            if *number == NONE {
                *number = members.len() as u32;
                members.push(to as usize);
            }
            *number
        }));
    }
    Some(minimal)
}
