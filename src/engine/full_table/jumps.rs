//! Rows of orders as bits, and the jump of a tile as an operation on whole rows.
//!
//! All states with the blank in one cell are a *row*, with one bit for every solvable order of the
//! k tiles. The digits d2 … of an order ([`crate::board::digits`]) are the index of the order's
//! word, one of (k−2)! words. The digits d0 and d1 select the bit in this word. Half of all orders
//! have the wrong parity. So the lowest bit of d0·(k−1) + d1 is determined by the other bits and by
//! the parities of the word and of the row, and is omitted. Thus 11 tiles take 9! words of 55 bits,
//! and only the upper nine bits of a word are unused.
//!
//! A *jump* takes a tile from one place of the order to another. It changes the digits of all
//! places that it spans. The operation depends on the lowest of these places:
//! * Place 2 or later: whole words move, in runs, within blocks that repeat through the row.
//! * Place 1: the bits of each d1 come from another run of words, where they are in another
//!   *column* (the bits of one pair of values of d1). Even and odd d1 are assembled separately,
//!   because each bit belongs to one or the other depending on d0 and the parity of its word. One
//!   mask per word selects between them.
//! * Place 0, in an exchange of places 0 and 1: bits move within their word, in 14 masked and
//!   shifted pieces for each parity of d0 + d1.
//! * Place 0, in a longer jump: the operation for place 1 and the exchange are combined.
//!
//! The inner loops have constant lengths, so that the compiler can vectorize them. Jumps and
//! exchanges are kernels of their own and are not inlined into their callers: a call handles
//! hundreds of words, and every copy would be compiled for each instruction set.

use crate::board::digits::{Digits, factorial, weight};
use crate::system::{Kernel, dispatch};

/// The maximum length of a run of words. Rows are processed in multiples of this length.
pub(super) const MAX_RUN: usize = 720;

/// The properties shared by all rows of k tiles. k must be odd: then d1 has an even number of
/// values, and each bit stands for two of them.
pub(super) struct Rows {
    tiles: usize,
    /// By word: the parity of its digits d2 …, 0 or 1.
    parity: Vec<u8>,
    /// The bits that stand for d1 = 0 or 1.
    column: u64,
    /// The bits with an even d0.
    pub(super) even: u64,
    /// The exchange of places 0 and 1, for words in which d0 + d1 is even afterwards, and for those
    /// in which it is odd.
    exchanges: [Vec<Piece>; 2],
}

/// Bits of a word that move by the same distance.
struct Piece {
    mask: u64,
    left: u32,
    right: u32,
}

/// The parity of the number of inversions, which is the same for all orders in a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Parity {
    Even = 0,
    Odd = 1,
}

impl Parity {
    pub(super) fn of(is_odd: bool) -> Parity {
        if is_odd { Parity::Odd } else { Parity::Even }
    }

    pub(super) fn other(self) -> Parity {
        Parity::of(self == Parity::Even)
    }
}

impl Rows {
    pub(super) fn new(tiles: usize) -> Rows {
        debug_assert!(tiles % 2 == 1 && tiles <= Digits::MAX_PLACES);
        let columns = (tiles - 1) / 2;
        let parity = (0..factorial(tiles - 2)).map(|word| u8::from(Digits::of(tiles, 2, tiles, word).is_odd()));
        let column = (0..tiles).fold(0, |bits, d0| bits | 1 << (d0 * columns));
        let even = (0..tiles).step_by(2).fold(0, |bits, d0| bits | ((1 << columns) - 1) << (d0 * columns));
        let exchanges = [0, 1].map(|class| {
            let mut pieces: Vec<Piece> = Vec::new();
            for bit in 0..tiles * columns {
                // The bit stands for two numbers. Only one has digits with the parity of the class.
                let pair = Digits::of(tiles, 0, 2, 2 * bit);
                let number = 2 * bit + usize::from(pair.is_odd() != (class == 1));
                let from = Digits::of(tiles, 0, 2, number).after_jump(0, 1).number() / 2;
                let (left, right) = (bit.saturating_sub(from) as u32, from.saturating_sub(bit) as u32);
                match pieces.iter_mut().find(|piece| (piece.left, piece.right) == (left, right)) {
                    Some(piece) => piece.mask |= 1 << from,
                    None => pieces.push(Piece { mask: 1 << from, left, right }),
                }
            }
            pieces
        });
        Rows { tiles, parity: parity.collect(), column, even, exchanges }
    }

    pub(super) fn words(&self) -> usize {
        self.parity.len()
    }

    /// Returns the number of bits in use per word.
    pub(super) fn bits(&self) -> usize {
        self.tiles * (self.tiles - 1) / 2
    }

    /// Returns the parity of the digits d2 … of a word.
    pub(super) fn parity_of(&self, word: usize) -> Parity {
        Parity::of(self.parity[word] == 1)
    }

    /// Writes words of a row of this parity, starting with word `first`. Each order gets the bit
    /// of the order with places 0 and 1 exchanged, from `source`, the same words of another row.
    #[inline(never)]
    pub(super) fn exchange(&self, row_parity: Parity, first: usize, source: &[u64], target: &mut [u64]) {
        dispatch(Exchange { rows: self, row_parity, first, source, target });
    }

    /// Processes `PAIRS` words of each class. The class of a word is the parity of d0 + d1 in it,
    /// after the exchange. Two words that differ only in the lowest digit belong to different
    /// classes.
    #[inline(always)]
    fn exchange_block<const PAIRS: usize>(
        &self,
        row_parity: Parity,
        parity: &[u8],
        source: &[u64],
        target: &mut [u64],
    ) {
        let class = |pair: usize| usize::from(parity[2 * pair] ^ row_parity as u8);
        let mut sorted = [[0; PAIRS]; 2];
        for pair in 0..PAIRS {
            sorted[0][pair] = source[2 * pair + class(pair)];
            sorted[1][pair] = source[2 * pair + 1 - class(pair)];
        }
        let mut done = [[0; PAIRS]; 2];
        for (class, (done, sorted)) in done.iter_mut().zip(&sorted).enumerate() {
            for piece in &self.exchanges[class] {
                for (done, word) in done.iter_mut().zip(sorted) {
                    *done |= (word & piece.mask) << piece.left >> piece.right;
                }
            }
        }
        for pair in 0..PAIRS {
            target[2 * pair + class(pair)] = done[0][pair];
            target[2 * pair + 1 - class(pair)] = done[1][pair];
        }
    }
}

/// The work of [`Rows::exchange`].
struct Exchange<'a> {
    rows: &'a Rows,
    row_parity: Parity,
    first: usize,
    source: &'a [u64],
    target: &'a mut [u64],
}

impl Kernel for Exchange<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Exchange { rows, row_parity, first, source, target } = self;
        let parity = &rows.parity[first..first + target.len()];
        let (targets, rest) = target.as_chunks_mut::<16>();
        let (sources, source_rest) = source.as_chunks::<16>();
        for ((target, source), parity) in targets.iter_mut().zip(sources).zip(parity.as_chunks::<16>().0) {
            rows.exchange_block::<8>(row_parity, parity, source, target);
        }
        let done = parity.len() - rest.len();
        let blocks = rest.as_chunks_mut::<2>().0.iter_mut().zip(source_rest.as_chunks::<2>().0);
        for ((target, source), parity) in blocks.zip(parity[done..].as_chunks::<2>().0) {
            rows.exchange_block::<1>(row_parity, parity, source, target);
        }
    }
}

/// A jump between two places, neither of them place 0, as an operation on rows.
pub(super) enum Jump {
    /// The g-th run of every `period` words is copied from the run at word `from[g]` of the same
    /// period of the source.
    Words { run: usize, period: usize, from: Vec<u32> },
    /// The g-th run is assembled from one run of the source for each d1. The low bits of
    /// `from[g·(k−1) + d1]` are the start of the run, the high bits its column of bits.
    Columns { run: usize, from: Vec<u32> },
}

/// The bit position of the column in an element of [`Jump::Columns`].
const COLUMN_SHIFT: u32 = 24;

impl Jump {
    /// Creates the jump that maps an order of the *target* row to one of the source row: the tile
    /// in place `from` goes to place `to`.
    pub(super) fn new(tiles: usize, from: usize, to: usize) -> Jump {
        let (low, high) = (from.min(to), from.max(to));
        debug_assert!(low >= 1 && high < tiles);
        let run = weight(tiles, high).min(MAX_RUN);
        let starts = |low: usize| (0..Digits::count(tiles, low, tiles)).step_by(run);
        let source = |low: usize, number: usize| Digits::of(tiles, low, tiles, number).after_jump(from, to).number();
        if low > 1 {
            let from = starts(low).map(|number| source(low, number) as u32).collect();
            return Jump::Words { run, period: factorial(tiles - low), from };
        }
        let words = factorial(tiles - 2);
        let runs = words / run;
        let mut from = vec![0; runs * (tiles - 1)];
        for number in starts(1) {
            let (d1, word, source) = (number / words, number % words, source(1, number));
            let column = source / words / 2;
            from[word / run * (tiles - 1) + d1] = ((column << COLUMN_SHIFT) | (source % words)) as u32;
        }
        Jump::Columns { run, from }
    }

    /// Pulls words of a row of this parity from `source`, starting with word `first`. The number of
    /// words is a multiple of [`MAX_RUN`], or the number of words in a whole row.
    #[inline(never)]
    pub(super) fn pull(&self, rows: &Rows, row_parity: Parity, first: usize, source: &[u64], target: &mut [u64]) {
        dispatch(Pull { jump: self, rows, row_parity, first, source, target });
    }
}

/// The work of [`Jump::pull`].
struct Pull<'a> {
    jump: &'a Jump,
    rows: &'a Rows,
    row_parity: Parity,
    first: usize,
    source: &'a [u64],
    target: &'a mut [u64],
}

impl Kernel for Pull<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Pull { jump, rows, row_parity, first, source, target } = self;
        match *jump {
            Jump::Words { run, period, ref from } => match run {
                1 => words::<1>(period, from, first, source, target),
                2 => words::<2>(period, from, first, source, target),
                6 => words::<6>(period, from, first, source, target),
                24 => words::<24>(period, from, first, source, target),
                _ => words::<120>(period, from, first, source, target),
            },
            Jump::Columns { run, ref from } => {
                let from = &from[first / run * (rows.tiles - 1)..];
                match run {
                    1 => columns::<1>(1, rows, row_parity, from, first, source, target),
                    2 => columns::<2>(2, rows, row_parity, from, first, source, target),
                    6 => columns::<6>(6, rows, row_parity, from, first, source, target),
                    // 24, 120 or 720.
                    _ => columns::<24>(run, rows, row_parity, from, first, source, target),
                }
            }
        }
    }
}

/// Pulls words by a [`Jump::Words`].
#[inline(always)]
fn words<const RUN: usize>(period: usize, from: &[u32], first: usize, source: &[u64], target: &mut [u64]) {
    for (block, target) in target.chunks_mut(period).enumerate() {
        let first = first + block * period;
        let base = first / period * period;
        let (source, from) = (&source[base..base + period], &from[(first - base) / RUN..]);
        for (target, &from) in target.as_chunks_mut::<RUN>().0.iter_mut().zip(from) {
            if let Some(run) = source[from as usize..].first_chunk::<RUN>() {
                *target = *run;
            }
        }
    }
}

/// Pulls words by a [`Jump::Columns`], `STEP` words of a run at a time, so that they stay in
/// registers.
#[inline(always)]
fn columns<const STEP: usize>(
    run: usize,
    rows: &Rows,
    row_parity: Parity,
    from: &[u32],
    first: usize,
    source: &[u64],
    target: &mut [u64],
) {
    let parity = rows.parity[first..first + target.len()].chunks_exact(run);
    let runs = target.chunks_exact_mut(run).zip(parity).zip(from.chunks_exact(rows.tiles - 1));
    for ((target, parity), from) in runs {
        let steps = target.as_chunks_mut::<STEP>().0.iter_mut().zip(parity.as_chunks::<STEP>().0).enumerate();
        for (step, (target, parity)) in steps {
            let mut assembled = [[0u64; STEP]; 2];
            for (to, pair) in from.as_chunks::<2>().0.iter().enumerate() {
                for (words, &from) in assembled.iter_mut().zip(pair) {
                    let (start, column) = ((from & ((1 << COLUMN_SHIFT) - 1)) as usize, from >> COLUMN_SHIFT);
                    let source = &source[start + step * STEP..][..STEP];
                    for (done, &word) in words.iter_mut().zip(source) {
                        *done |= (word >> column & rows.column) << to;
                    }
                }
            }
            let [even, odd] = &assembled;
            for (((target, parity), even), odd) in target.iter_mut().zip(parity).zip(even).zip(odd) {
                // If d0 + d1 must be even, an even d1 belongs to an even d0.
                let class = u64::from(parity ^ row_parity as u8);
                *target = odd ^ ((even ^ odd) & (rows.even ^ class.wrapping_neg()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::Random;

    /// Returns the word and the bit of the order with this number.
    fn address(rows: &Rows, number: usize) -> (usize, usize) {
        (number % rows.words(), number / rows.words() / 2)
    }

    /// Returns all orders of a parity.
    fn orders(tiles: usize, parity: Parity) -> impl Iterator<Item = Digits> {
        (0..factorial(tiles))
            .map(move |number| Digits::of(tiles, 0, tiles, number))
            .filter(move |digits| Parity::of(digits.is_odd()) == parity)
    }

    #[test]
    fn every_order_of_a_parity_has_its_own_bit() {
        for tiles in [5, 7, 9] {
            let rows = Rows::new(tiles);
            for parity in [Parity::Even, Parity::Odd] {
                let mut seen = vec![0u64; rows.words()];
                for digits in orders(tiles, parity) {
                    let (word, bit) = address(&rows, digits.number());
                    assert!(bit < rows.bits() && seen[word] >> bit & 1 == 0);
                    seen[word] |= 1 << bit;
                }
                assert!(seen.iter().all(|&word| word == (1 << rows.bits()) - 1));
            }
        }
    }

    /// Jumps of rows of random bits, pulled in one part or several, agree with jumps of single
    /// orders. For nine tiles, only every third jump is tested.
    #[test]
    fn jumps_of_rows_match_jumps_of_orders() {
        for tiles in [5, 7, 9] {
            let rows = Rows::new(tiles);
            let mut random = Random::new(1);
            let mut noise = || random.bits() & ((1 << rows.bits()) - 1);
            let source: Vec<u64> = (0..rows.words()).map(|_| noise()).collect();
            let every_order =
                [Parity::Even, Parity::Odd].map(|parity| (parity, orders(tiles, parity).collect::<Vec<_>>()));
            let jumps = (0..tiles).flat_map(|from| (0..tiles).map(move |to| (from, to)));
            let jumps = jumps.filter(|(a, b)| a != b && (a.min(b) > &0 || a + b == 1));
            for (from, to) in jumps.step_by(if tiles < 9 { 1 } else { 3 }) {
                for (row_parity, orders) in &every_order {
                    let row_parity = *row_parity;
                    let mut expected = vec![0; rows.words()];
                    for digits in orders {
                        let (word, bit) = address(&rows, digits.after_jump(from, to).number());
                        let set = source[word] >> bit & 1;
                        let (word, bit) = address(&rows, digits.number());
                        expected[word] |= set << bit;
                    }
                    let mut pulled = vec![0; rows.words()];
                    for (part, target) in pulled.chunks_mut(MAX_RUN).enumerate() {
                        let first = part * MAX_RUN;
                        if from + to == 1 {
                            rows.exchange(row_parity, first, &source[first..first + target.len()], target);
                        } else {
                            Jump::new(tiles, from, to).pull(&rows, row_parity, first, &source, target);
                        }
                    }
                    assert!(pulled == expected, "{tiles} tiles, {from} to {to}, {row_parity:?}");
                }
            }
        }
    }
}
