//! Finding the superfluous strings of one length: two walks over all strings, and a sieve between them.
//!
//! To compare a string with all smaller ones it is enough to compare it with those that have no
//! superfluous factor themselves. For let `v` be the smallest string with the effect of `w` and a box
//! within that of `w`. If `v` had a superfluous factor, replacing it would give a string that is
//! smaller still, with the same effect and a box within that of `v`. So the strings that the automaton
//! of the shorter lengths accepts are all that need be walked over, both for `w` (others are
//! rejected already) and for `v`.
//!
//! There are millions of them, and few share their effect with another. So they are not kept:
//!
//! 1. The first walk computes a *fingerprint* of each effect, incrementally, and counts it in a sieve of
//!    two bits a slot: none, one, or more. Lengths of the other parity end on the other colour of the
//!    checkerboard and are left out.
//! 2. The second walk keeps the strings whose slot has more than one.
//! 3. These are sorted by fingerprint and their effects compared: a fingerprint selects, it proves nothing.
//!
//! The sieve takes four to eight bytes a string of the greatest length, the suspects sixteen bytes each.

use super::compile::{REJECT, Transitions};
use super::word::Word;
use crate::system::Random;

/// The part of the grid that strings can reach: a square with the blank's first cell in the middle.
const SIDE: usize = 64;
const CELLS: usize = SIDE * SIDE;
const MIDDLE: usize = SIDE / 2 * SIDE + SIDE / 2;
const _: () = assert!(Word::MAX_LETTERS < SIDE / 2);

/// The distance between a cell and its neighbour, by letter; to be added with wrapping.
const TO_NEIGHBOUR: [usize; 4] = [SIDE, 1usize.wrapping_neg(), 1, SIDE.wrapping_neg()];

/// The superfluous strings of `letters` letters that `machine` accepts, in ascending order; `machine` rejects those
/// that are shorter.
///
/// Only strings whose box is no higher and no wider than `side` cells, for none else is on a board of that size. What
/// replaces one of them is another, because its box lies within.
pub(super) fn superfluous(machine: &Transitions, letters: usize, side: usize) -> Vec<Word> {
    assert!(letters <= Word::MAX_LETTERS);
    let mut walk = Walk::new(machine, letters, side);
    let mut sieve = Sieve::new(count(machine, letters));
    walk.run(&mut |print, _| sieve.count(print));
    let mut suspects = Vec::new();
    walk.run(&mut |print, word| {
        if sieve.is_repeated(print) {
            suspects.push((print, word));
        }
    });
    suspects.sort_unstable();

    let mut grid = Grid::default();
    let mut found = Vec::new();
    let mut kept: Vec<(Word, Reach)> = Vec::new();
    for alike in suspects.chunk_by(|a, b| a.0 == b.0).filter(|alike| alike.len() > 1) {
        kept.clear();
        for &(_, word) in alike {
            let reach = Reach::of(word);
            let longest = word.len() == letters;
            let replaces = |&(smaller, box_of_it): &(Word, Reach)| {
                box_of_it.lies_within(reach) && grid.have_same_effect(smaller, word)
            };
            if longest && kept.iter().any(replaces) {
                found.push(word);
            } else {
                kept.push((word, reach));
            }
        }
    }
    found.sort_unstable();
    found
}

/// How many strings of a length are accepted.
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

/// Where a walk is: the blank's cell, and the box of the string so far.
#[derive(Clone, Copy)]
struct Place {
    blank: usize,
    reach: Reach,
}

/// A depth-first walk over the accepted strings whose length is of one parity.
///
/// The fingerprint of an effect is the sum over all displaced tiles, wrapping, of
/// `key of the cell it comes from × (key of the cell it is in − key of the cell it comes from)`. A move
/// changes one term. Equal effects have equal fingerprints; different ones hardly ever.
struct Walk<'a> {
    machine: &'a Transitions,
    letters: usize,
    side: usize,
    keys: Box<[u64; CELLS]>,
    /// By cell the key of the cell that its tile comes from; without meaning where the blank is.
    tiles: Box<[u64; CELLS]>,
}

impl<'a> Walk<'a> {
    fn new(machine: &'a Transitions, letters: usize, side: usize) -> Walk<'a> {
        let mut keys = Box::new([0; CELLS]);
        let mut random = Random(0);
        for key in keys.iter_mut() {
            *key = random.bits();
        }
        Walk { machine, letters, side, tiles: keys.clone(), keys }
    }

    /// Shows every string to `visit`, with its fingerprint.
    fn run(&mut self, visit: &mut impl FnMut(u64, Word)) {
        self.below(Word::EMPTY, 0, Place { blank: MIDDLE, reach: Reach::START }, 0, self.letters, visit);
    }

    fn below(
        &mut self,
        word: Word,
        state: u32,
        place: Place,
        print: u64,
        left: usize,
        visit: &mut impl FnMut(u64, Word),
    ) {
        if left.is_multiple_of(2) {
            visit(print, word);
        }
        for (letter, state) in self.machine[state as usize].into_iter().enumerate() {
            if state == REJECT {
                continue;
            }
            let blank = place.blank;
            let to = blank.wrapping_add(TO_NEIGHBOUR[letter]) % CELLS;
            let reach = place.reach.with(to);
            if reach.side() > self.side {
                continue;
            }
            let tile = self.tiles[to];
            let print = print.wrapping_add(tile.wrapping_mul(self.keys[blank].wrapping_sub(self.keys[to])));
            if left == 1 {
                visit(print, word.then(letter));
                continue;
            }
            self.tiles[blank] = tile;
            self.below(word.then(letter), state, Place { blank: to, reach }, print, left - 1, visit);
            self.tiles[to] = tile;
        }
    }
}

/// Counts fingerprints up to two, some of them together.
struct Sieve {
    /// Per slot two bits: met once, met again.
    slots: Vec<u64>,
    shift: u32,
}

impl Sieve {
    /// Enough that few strings, one in ten or fewer, become suspects for their slot alone.
    const SLOTS_A_STRING: usize = 16;
    const SLOTS_A_WORD: usize = 32;

    fn new(strings: usize) -> Sieve {
        let words = (strings * Self::SLOTS_A_STRING / Self::SLOTS_A_WORD).next_power_of_two().max(2);
        Sieve { slots: vec![0; words], shift: 64 - words.ilog2() }
    }

    /// The word and the bit for a fingerprint.
    #[inline]
    fn place(&self, print: u64) -> (usize, u32) {
        let mixed = print.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        ((mixed >> self.shift) as usize, (print >> 58) as u32 & 62)
    }

    #[inline]
    fn count(&mut self, print: u64) {
        let (at, bit) = self.place(print);
        let word = &mut self.slots[at];
        let once = *word >> bit & 1;
        *word |= (1 | once << 1) << bit;
    }

    #[inline]
    fn is_repeated(&self, print: u64) -> bool {
        let (at, bit) = self.place(print);
        self.slots[at] >> bit & 2 != 0
    }
}

/// The box of a string: the rows and columns that the blank visits, relative to its first.
#[derive(Clone, Copy, Debug)]
struct Reach {
    rows: (i8, i8),
    cols: (i8, i8),
}

impl Reach {
    const START: Reach = Reach { rows: (0, 0), cols: (0, 0) };

    fn of(word: Word) -> Reach {
        let mut blank = MIDDLE;
        word.letters().fold(Reach::START, |reach, letter| {
            blank = blank.wrapping_add(TO_NEIGHBOUR[letter]) % CELLS;
            reach.with(blank)
        })
    }

    /// The box with one more cell.
    #[inline]
    fn with(self, cell: usize) -> Reach {
        let [row, col] = [cell / SIDE, cell % SIDE].map(|line| line as i8 - (SIDE / 2) as i8);
        Reach { rows: (self.rows.0.min(row), self.rows.1.max(row)), cols: (self.cols.0.min(col), self.cols.1.max(col)) }
    }

    /// Its longer side, in cells.
    #[inline]
    fn side(self) -> usize {
        (self.rows.1 - self.rows.0).max(self.cols.1 - self.cols.0) as usize + 1
    }

    fn lies_within(self, other: Reach) -> bool {
        other.rows.0 <= self.rows.0
            && self.rows.1 <= other.rows.1
            && other.cols.0 <= self.cols.0
            && self.cols.1 <= other.cols.1
    }
}

/// A grid to apply strings to; every tile is in its own cell between any two uses.
struct Grid([u16; CELLS]);

impl Default for Grid {
    fn default() -> Grid {
        Grid(std::array::from_fn(|cell| cell as u16))
    }
}

impl Grid {
    /// Whether undoing the first string after the second leaves every tile where it was.
    fn have_same_effect(&mut self, first: Word, second: Word) -> bool {
        let there = second.letters();
        let back = first.letters().rev().map(|letter| 3 - letter);
        let mut touched = [MIDDLE; 2 * Word::MAX_LETTERS + 1];
        let mut blank = MIDDLE;
        for (letter, place) in there.chain(back).zip(&mut touched[1..]) {
            let to = blank.wrapping_add(TO_NEIGHBOUR[letter]) % CELLS;
            self.0.swap(blank, to);
            (blank, *place) = (to, to);
        }
        let same = touched.iter().all(|&cell| usize::from(self.0[cell]) == cell);
        touched.iter().for_each(|&cell| self.0[cell] = cell as u16);
        same
    }
}
