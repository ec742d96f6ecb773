//! A path in one word: two bits per move, the first move lowest, a 1 bit after the last, and the
//! parity in bit 63.

use crate::board::Move;

/// The bit of a word that holds the parity of the order.
pub const PARITY: u64 = 1 << 63;

/// The maximum number of moves that fit below the parity bit, with the 1 bit that ends them.
pub(super) const MAX_PLIES: u32 = 31;

/// Returns the length of a path. The parity bit is ignored.
#[inline(always)]
pub fn plies(word: u64) -> u32 {
    (62 - (word << 1).leading_zeros()) >> 1
}

/// Returns the moves of a path. The parity bit is ignored.
#[inline]
pub fn moves(word: u64) -> impl Iterator<Item = Move> {
    (0..plies(word)).map(move |i| Move::from_index((word >> (2 * i)) as u8))
}
