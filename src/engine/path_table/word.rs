//! A path in one word: two bits a move, the first lowest, a one above the last, and the parity in bit 63.

use crate::board::Move;

/// The bit of a word that is the parity of the order.
pub const PARITY: u64 = 1 << 63;

/// The greatest length that fits below the parity, with the one that ends it.
pub(super) const MAX_PLIES: u32 = 31;

/// The length of a path, whatever its parity bit.
#[inline(always)]
pub fn plies(word: u64) -> u32 {
    (62 - (word << 1).leading_zeros()) >> 1
}

/// The moves of a path, whatever its parity bit.
#[inline]
pub fn moves(word: u64) -> impl Iterator<Item = Move> {
    (0..plies(word)).map(move |i| Move::from_index((word >> (2 * i)) as u8))
}
