//! A string of letters packed into one word.

/// A string of up to 31 letters: two bits per letter, the last letter lowest, and a 1 above the
/// first.
///
/// Words compare like their strings: by length, then by letters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Word(u64);

impl Word {
    pub(super) const EMPTY: Word = Word(1);
    pub(super) const MAX_LETTERS: usize = 31;

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
}
