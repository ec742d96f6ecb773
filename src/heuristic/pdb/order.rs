//! The rank of the order of a pattern's tiles, read row by row, which is cheap to update.
//!
//! For every tile, count the tiles with a greater code before it. These inversion counts are the
//! digits of a mixed-radix number. The count of tile c is at most k−1−c, so its digit has weight
//! (k−1−c)!, and every number below k! is the rank of an order. If two tiles that are adjacent in
//! reading order change places, only the count of the tile with the smaller code changes, by one.
//! So a tile that passes another changes the rank by (k−1−c)!, up or down, where c is the smaller
//! code. A vertical move costs a few additions, and a horizontal move nothing.

use super::Pattern;
use crate::board::digits::{factorial, weights};

/// A ranking of the orders of k tiles.
#[derive(Clone, Copy, Debug)]
pub struct Orders {
    tiles: usize,
    /// `weights[c]`: (k−1−c)!, the weight of an inversion of tile c.
    weights: [u32; Pattern::MAX_TILES],
}

impl Orders {
    /// Creates the ranking for this many tiles, at most [`Pattern::MAX_TILES`].
    pub fn new(tiles: usize) -> Orders {
        Orders { tiles, weights: weights(tiles) }
    }

    /// Returns the number of tiles.
    #[inline]
    pub fn tiles(&self) -> usize {
        self.tiles
    }

    /// Returns the number of orders: k!.
    #[inline]
    pub fn count(&self) -> usize {
        factorial(self.tiles)
    }

    /// Returns the change of the rank if the tiles with these two codes pass each other. The rank
    /// rises if the greater code then comes first.
    #[inline]
    pub fn weight(&self, a: u8, b: u8) -> u32 {
        self.weights[usize::from(a.min(b))]
    }

    /// Returns the rank of an order.
    pub fn rank(&self, codes: &[u8]) -> usize {
        debug_assert_eq!(codes.len(), self.tiles);
        let (mut rank, mut earlier_codes) = (0, 0u32);
        for &code in codes {
            rank += (earlier_codes >> code).count_ones() * self.weights[usize::from(code)];
            earlier_codes |= 1 << code;
        }
        rank as usize
    }

    /// Returns the order with a rank, as codes in reading order: the inverse of [`Orders::rank`].
    #[cfg(test)]
    pub fn unrank(&self, mut rank: usize) -> [u8; Pattern::MAX_TILES] {
        // Greatest code first: when tile c is inserted, exactly the tiles with greater codes have
        // been placed, and its digit is the number of those before it.
        let mut digits = [0; Pattern::MAX_TILES];
        for (digit, &weight) in digits.iter_mut().zip(&self.weights[..self.tiles]) {
            *digit = rank / weight as usize;
            rank %= weight as usize;
        }
        let mut codes = [0; Pattern::MAX_TILES];
        for (placed, code) in (0..self.tiles).rev().enumerate() {
            codes.copy_within(digits[code]..placed, digits[code] + 1);
            codes[digits[code]] = code as u8;
        }
        codes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rank_and_unrank_are_inverse() {
        for tiles in 1..=8 {
            let orders = Orders::new(tiles);
            assert_eq!(orders.count(), (1..=tiles).product::<usize>());
            for rank in 0..orders.count() {
                let codes = &orders.unrank(rank)[..tiles];
                let mut sorted = codes.to_vec();
                sorted.sort_unstable();
                assert!(sorted.iter().copied().eq(0..tiles as u8), "{codes:?}");
                assert_eq!(orders.rank(codes), rank);
            }
        }
    }

    #[test]
    fn passing_changes_the_rank_by_a_weight() {
        for tiles in 2..=6 {
            let orders = Orders::new(tiles);
            for rank in 0..orders.count() {
                for place in 1..tiles {
                    let mut codes = orders.unrank(rank);
                    let (a, b) = (codes[place - 1], codes[place]);
                    codes.swap(place - 1, place);
                    let weight = orders.weight(a, b) as usize;
                    let expected = if a < b { rank + weight } else { rank - weight };
                    assert_eq!(orders.rank(&codes[..tiles]), expected);
                }
            }
        }
    }
}
