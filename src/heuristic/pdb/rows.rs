//! Rows with one bit per order, and jumps of a tile as operations on whole rows.
//!
//! A *row* of a table stands for a set of occupied cells and a region of the blank. While the table
//! is built, the row has one bit for every order of the tiles. Let the Lehmer digits d0 … dk−1 of
//! an order count, for each place i, the tiles after it with a smaller code. Then the index of the
//! order's word is the mixed-radix number of d2 …, and the order's bit in this word is
//! d0·(k−1) + d1. This uses 56 of 64 bits for 8 tiles, 42 for 7, and 30 of 32 for 6.
//!
//! A move past no other tile keeps the order, so one row is ORed into the other. A *jump* of a tile from place a
//! of the reading order to place b changes only the digits from one place to the other:
//! - If both places are at least 2, whole words are permuted, in runs of (k−1−m)! words, where m is
//!   the greater place.
//! - If the smaller place is 1, a run is assembled from k−1 masked and shifted runs.
//! - Between places 0 and 1, bits move within their word, in 2(k−1) masked and shifted pieces.
//! - Between place 0 and a place after 1, the jump is split into one between 0 and 1 and one
//!   between 1 and the other place.
//!
//! The inner loops have constant length, so that the compiler can vectorise them.

use std::ops::{BitAnd, BitOr, Not, Shl, Shr};

use super::Pattern;
use crate::board::digits::{Digits, factorial};

/// A machine word with the bits of d0 and d1.
pub(super) trait RowWord:
    bytemuck::Pod
    + Default
    + PartialEq
    + Send
    + Sync
    + From<u8>
    + Into<u64>
    + BitOr<Output = Self>
    + BitAnd<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    fn ones(self) -> u32;

    #[inline(always)]
    fn bit(number: u32) -> Self {
        Self::from(1) << number
    }
}

impl RowWord for u32 {
    #[inline(always)]
    fn ones(self) -> u32 {
        self.count_ones()
    }
}

impl RowWord for u64 {
    #[inline(always)]
    fn ones(self) -> u32 {
        self.count_ones()
    }
}

/// The position of an order's bit in a row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Address {
    pub(super) word: u32,
    pub(super) bit: u32,
}

impl Address {
    /// Returns the address of an order.
    fn of(tiles: usize, order: &Digits) -> Address {
        let (number, words) = (order.number(), row_words(tiles));
        Address { word: (number % words) as u32, bit: (number / words) as u32 }
    }

    /// Returns the order at an address: the inverse of [`Address::of`].
    pub(super) fn order(self, tiles: usize) -> Digits {
        Digits::of(tiles, 0, tiles, self.bit as usize * row_words(tiles) + self.word as usize)
    }

    /// Returns the number of bits in use per word.
    pub(super) fn bits(tiles: usize) -> u32 {
        (tiles * (tiles - 1).max(1)) as u32
    }
}

/// Returns the number of words of a row: (k−2)! for k tiles, one for each order of all tiles but
/// the first two.
pub(super) fn row_words(tiles: usize) -> usize {
    factorial(tiles.saturating_sub(2))
}

/// The jumps as operations on rows of `WORDS` words.
pub(super) struct Jumps<W, const WORDS: usize> {
    /// By [`jump_number`].
    jumps: Vec<RowJump<W>>,
}

/// Returns the number of the jump from one place of the reading order to another; 0 for no jump.
#[inline]
pub(super) fn jump_number(from: usize, to: usize) -> u32 {
    if from == to { 0 } else { (from * Pattern::MAX_TILES + to) as u32 }
}

/// An upper bound on jump numbers (exclusive).
pub(super) const JUMP_NUMBERS: usize = Pattern::MAX_TILES * Pattern::MAX_TILES;

/// A jump as an operation on a row.
enum RowJump<W> {
    /// The places are equal, or beyond the tiles of this pattern.
    None,
    /// The g-th run of the result is the run of the source that begins at word `from[g]`.
    Words { run_words: usize, from: Vec<u32> },
    /// The g-th run of the result is assembled from pieces.
    Pieces { run_words: usize, pieces: Vec<RunPieces<W>> },
    /// Two jumps by pieces, one after the other.
    Both { first: u32, second: u32 },
}

/// The pieces of a run of the result.
struct RunPieces<W> {
    to_left: Vec<RunPiece<W>>,
    to_right: Vec<RunPiece<W>>,
}

/// Some bits of every word in a run of the source, and the distance by which they are shifted.
#[derive(Clone, Copy)]
struct RunPiece<W> {
    from: u32,
    mask: W,
    by: u32,
}

impl<W: RowWord, const WORDS: usize> Jumps<W, WORDS> {
    pub(super) fn new(tiles: usize) -> Jumps<W, WORDS> {
        debug_assert_eq!(WORDS, row_words(tiles));
        let mut jumps = Vec::new();
        for (from, to) in (0..JUMP_NUMBERS).map(|jump| (jump / Pattern::MAX_TILES, jump % Pattern::MAX_TILES)) {
            jumps.push(match (from.min(to), from.max(to)) {
                (low, high) if low == high || high >= tiles => RowJump::None,
                (0, high) if high > 1 && from == 0 => {
                    RowJump::Both { first: jump_number(0, 1), second: jump_number(1, to) }
                }
                (0, high) if high > 1 => RowJump::Both { first: jump_number(from, 1), second: jump_number(1, 0) },
                (0, _) => RowJump::pieces(tiles, from, to, WORDS),
                (1, high) => RowJump::pieces(tiles, from, to, (1..tiles - high).product()),
                (_, high) => RowJump::words(tiles, from, to, (1..tiles - high).product(), WORDS),
            });
        }
        Jumps { jumps }
    }

    /// Applies a jump to every order in `source` and ORs the result into `sum`.
    ///
    /// Every call below is inlined for each instruction set. To keep the code small, single jumps
    /// and the second of two jumps share one call, and there are no calls for runs longer than a
    /// row.
    #[inline(always)]
    pub(super) fn add(&self, jump: u32, source: &[W; WORDS], sum: &mut [W; WORDS], scratch: &mut [W; WORDS]) {
        let (jump, source) = match self.jumps[jump as usize] {
            RowJump::Both { first, second } => {
                *scratch = [W::default(); WORDS];
                self.add_pieces(first, source, scratch);
                (second, &*scratch)
            }
            _ => (jump, source),
        };
        match &self.jumps[jump as usize] {
            RowJump::Words { run_words, from } => match run_words {
                1 => add_words::<W, 1>(from, source, sum),
                2 if WORDS >= 2 => add_words::<W, 2>(from, source, sum),
                6 if WORDS >= 6 => add_words::<W, 6>(from, source, sum),
                24 if WORDS >= 24 => add_words::<W, 24>(from, source, sum),
                _ => debug_assert!(false, "a run of {run_words} words"),
            },
            _ => self.add_pieces(jump, source, sum),
        }
    }

    /// Does the same as [`Jumps::add`] for a jump that consists of pieces.
    #[inline(always)]
    fn add_pieces(&self, jump: u32, source: &[W; WORDS], sum: &mut [W; WORDS]) {
        let RowJump::Pieces { run_words, pieces } = &self.jumps[jump as usize] else {
            debug_assert!(false, "jump {jump} does not consist of pieces");
            return;
        };
        match *run_words {
            1 => add_pieces::<W, 1>(1, pieces, source, sum),
            2 if WORDS >= 2 => add_pieces::<W, 2>(2, pieces, source, sum),
            6 if WORDS >= 6 => add_pieces::<W, 6>(6, pieces, source, sum),
            run_words @ (24 | 120 | 720) if WORDS >= 24 => add_pieces::<W, 24>(run_words, pieces, source, sum),
            _ => debug_assert!(false, "a run of {run_words} words"),
        }
    }
}

#[inline(always)]
fn add_words<W: RowWord, const RUN: usize>(from: &[u32], source: &[W], sum: &mut [W]) {
    for (sum, &from) in sum.as_chunks_mut::<RUN>().0.iter_mut().zip(from) {
        let source: &[W] = &source[from as usize..][..RUN];
        for (sum, &word) in sum.iter_mut().zip(source) {
            *sum = *sum | word;
        }
    }
}

/// Processes `STEP` words of a run at a time, so that their sum stays in registers.
#[inline(always)]
fn add_pieces<W: RowWord, const STEP: usize>(run_words: usize, pieces: &[RunPieces<W>], source: &[W], sum: &mut [W]) {
    for (sum, pieces) in sum.chunks_exact_mut(run_words).zip(pieces) {
        for (step, sum) in sum.as_chunks_mut::<STEP>().0.iter_mut().enumerate() {
            let mut total = *sum;
            for piece in &pieces.to_left {
                let source: &[W] = &source[piece.from as usize + step * STEP..][..STEP];
                for (total, &word) in total.iter_mut().zip(source) {
                    *total = *total | ((word & piece.mask) << piece.by);
                }
            }
            for piece in &pieces.to_right {
                let source: &[W] = &source[piece.from as usize + step * STEP..][..STEP];
                for (total, &word) in total.iter_mut().zip(source) {
                    *total = *total | ((word & piece.mask) >> piece.by);
                }
            }
            *sum = total;
        }
    }
}

/// Returns the address from which a jump takes an order to the address `after`.
fn before_jump(tiles: usize, from: usize, to: usize, after: Address) -> Address {
    Address::of(tiles, &after.order(tiles).after_jump(to, from))
}

impl<W: RowWord> RowJump<W> {
    fn words(tiles: usize, from: usize, to: usize, run_words: usize, words: usize) -> RowJump<W> {
        let source = |word: usize| before_jump(tiles, from, to, Address { word: word as u32, bit: 0 }).word;
        RowJump::Words { run_words, from: (0..words).step_by(run_words).map(source).collect() }
    }

    fn pieces(tiles: usize, from: usize, to: usize, run_words: usize) -> RowJump<W> {
        let words = row_words(tiles);
        let mut pieces = Vec::new();
        for word in (0..words as u32).step_by(run_words) {
            let (mut to_left, mut to_right) = (Vec::new(), Vec::new());
            for bit in 0..Address::bits(tiles) {
                let source = before_jump(tiles, from, to, Address { word, bit });
                let (list, by) = if bit >= source.bit {
                    (&mut to_left, bit - source.bit)
                } else {
                    (&mut to_right, source.bit - bit)
                };
                let mask = W::bit(source.bit);
                let existing: Option<&mut RunPiece<W>> =
                    list.iter_mut().find(|piece: &&mut RunPiece<W>| (piece.from, piece.by) == (source.word, by));
                match existing {
                    Some(piece) => piece.mask = piece.mask | mask,
                    None => list.push(RunPiece { from: source.word, mask, by }),
                }
            }
            pieces.push(RunPieces { to_left, to_right });
        }
        RowJump::Pieces { run_words, pieces }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::Random;

    #[test]
    fn addresses_and_orders_are_inverse() {
        for tiles in 1..=8 {
            let words = row_words(tiles) as u32;
            for (word, bit) in (0..words).flat_map(|word| (0..Address::bits(tiles)).map(move |bit| (word, bit))) {
                let address = Address { word, bit };
                assert_eq!(Address::of(tiles, &address.order(tiles)), address);
            }
            assert_eq!(u64::from(words * Address::bits(tiles)), (1..=tiles as u64).product::<u64>());
        }
    }

    /// Returns the address of an order, given as codes in reading order.
    fn address_of(codes: &[u8]) -> Address {
        let digit = |place: usize| codes[place + 1..].iter().filter(|&&code| code < codes[place]).count();
        let number = (0..codes.len()).fold(0, |number, place| number * (codes.len() - place) + digit(place));
        Address::of(codes.len(), &Digits::of(codes.len(), 0, codes.len(), number))
    }

    /// Checks every jump on random rows against the same jump on every order.
    fn check_jumps<W: RowWord, const WORDS: usize>(tiles: usize) {
        let jumps = Jumps::<W, WORDS>::new(tiles);
        let mut random = Random::new(1);
        for (from, to) in (0..tiles).flat_map(|from| (0..tiles).map(move |to| (from, to))).filter(|(a, b)| a != b) {
            let (mut source, mut expected) = ([W::default(); WORDS], [W::default(); WORDS]);
            for word in 0..WORDS as u32 {
                for bit in 0..Address::bits(tiles) {
                    if random.bits() & 1 == 1 {
                        source[word as usize] = source[word as usize] | W::bit(bit);
                        let mut codes = Address { word, bit }.order(tiles).order()[..tiles].to_vec();
                        let code = codes.remove(from);
                        codes.insert(to, code);
                        let after = address_of(&codes);
                        expected[after.word as usize] = expected[after.word as usize] | W::bit(after.bit);
                    }
                }
            }
            let (mut sum, mut scratch) = ([W::default(); WORDS], [W::default(); WORDS]);
            jumps.add(jump_number(from, to), &source, &mut sum, &mut scratch);
            assert!(sum == expected, "{tiles} tiles, {from} to {to}");
        }
    }

    #[test]
    fn jumps_on_rows_agree_with_jumps_on_orders() {
        check_jumps::<u32, 1>(2);
        check_jumps::<u32, 1>(3);
        check_jumps::<u32, 2>(4);
        check_jumps::<u32, 6>(5);
        check_jumps::<u32, 24>(6);
        check_jumps::<u64, 24>(6);
        check_jumps::<u64, 120>(7);
        check_jumps::<u64, 720>(8);
    }
}
