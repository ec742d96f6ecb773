//! The shipped duplicate strings, from which all automata are compiled.
//!
//! Finding the strings takes seconds, which is too long for one 24-puzzle, so they are shipped in a
//! file of 94 kB: all of up to 14 letters, and those of 15 and 16 letters that fit onto a 5×5
//! board. A test searches for them again (`scripts/tables`).
//!
//! The strings are sorted alphabetically. Each is stored as a byte and some letters. The upper half
//! of the byte is the number of letters that begin both this string and the previous one; the lower
//! half is the number of the other letters minus one. The other letters follow, a byte each. The
//! file is compressed with zlib.

use std::io::Read;

use flate2::read::ZlibDecoder;

use crate::board::Move;

/// The maximum length of the strings that fit onto boards of any size.
pub(super) const MAX_LETTERS: usize = 14;

/// The maximum length of the strings that fit onto a board of [`SMALL_SIDE`] cells.
pub(super) const MAX_SMALL_LETTERS: usize = 16;

/// The side of a 5×5 board, in cells.
pub(super) const SMALL_SIDE: usize = 5;

const STRINGS: &[u8] = include_bytes!("strings.zlib");

/// Returns the duplicate strings of at most `depth` letters that have no shorter one as a factor
/// and whose box is at most `side` cells high and wide.
pub(super) fn duplicates(depth: usize, side: usize) -> impl Iterator<Item = Word> {
    assert!(
        depth <= MAX_LETTERS || depth <= MAX_SMALL_LETTERS && side <= SMALL_SIDE,
        "automaton of depth {depth}: the maximum is {MAX_LETTERS}, or {MAX_SMALL_LETTERS} for a side of {SMALL_SIDE}"
    );
    shipped(depth).into_iter().filter(move |word| word.side() <= side)
}

/// Reads the shipped strings of at most `max_letters` letters, in alphabetical order.
fn shipped(max_letters: usize) -> Vec<Word> {
    let mut text = Vec::new();
    let read = ZlibDecoder::new(STRINGS).read_to_end(&mut text);
    assert!(read.is_ok(), "the shipped strings are damaged");
    let (mut strings, mut letters, mut rest) = (Vec::new(), Vec::new(), &text[..]);
    while let [head, tail @ ..] = rest {
        letters.truncate(usize::from(head >> 4));
        let (new, next) = tail.split_at(usize::from(head & 15) + 1);
        letters.extend_from_slice(new);
        if letters.len() <= max_letters {
            strings.push(letters.iter().fold(Word::EMPTY, |word, &letter| word.then(letter.into())));
        }
        rest = next;
    }
    strings
}

/// A string of up to 31 letters: two bits per letter, the last letter lowest, and a 1 above the
/// first.
///
/// Words compare like their strings: by length, then by letters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Word(u64);

impl Word {
    pub(super) const EMPTY: Word = Word(1);

    #[inline]
    pub(super) fn then(self, letter: usize) -> Word {
        Word(self.0 << 2 | letter as u64)
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
