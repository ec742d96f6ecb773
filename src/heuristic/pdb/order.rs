//! The order of a pattern's tiles, read row by row, as a number that is cheap to keep up to date.
//!
//! For every tile count the tiles of greater code before it. These inversion counts are the digits
//! of a mixed-radix number: tile c has at most k−1−c of them, so its digit weighs (k−1−c)!, and
//! every number below k! is an order. When two tiles change places in the reading order only the
//! count of the smaller one changes, by one. So a tile that passes another changes the number by
//! (k−1−min)!, up or down: a vertical move is a handful of additions, a horizontal one nothing.

use super::Pattern;

/// The numbering of the orders of k tiles.
#[derive(Clone, Copy, Debug)]
pub struct Orders {
    tiles: usize,
    /// `weights[c]`: (k−1−c)!, what one inversion of tile c counts.
    weights: [u32; Pattern::MAX_TILES],
}

impl Orders {
    /// The numbering for this many tiles, at most [`Pattern::MAX_TILES`].
    pub fn new(tiles: usize) -> Orders {
        let mut weights = [0; Pattern::MAX_TILES];
        let mut weight = 1;
        for (later, slot) in weights[..tiles].iter_mut().rev().enumerate() {
            weight *= later.max(1) as u32;
            *slot = weight;
        }
        Orders { tiles, weights }
    }

    /// Number of tiles.
    #[inline]
    pub fn tiles(&self) -> usize {
        self.tiles
    }

    /// Number of orders: k!.
    #[inline]
    pub fn count(&self) -> usize {
        (1..=self.tiles).product()
    }

    /// By how much the number changes when tiles of these two codes pass each other: up when the greater comes first.
    #[inline]
    pub fn weight(&self, a: u8, b: u8) -> u32 {
        self.weights[usize::from(a.min(b))]
    }

    /// The number of an order.
    pub fn rank(&self, codes: &[u8]) -> usize {
        debug_assert_eq!(codes.len(), self.tiles);
        let (mut rank, mut seen) = (0, 0u32);
        for &code in codes {
            rank += (seen >> code).count_ones() * self.weights[usize::from(code)];
            seen |= 1 << code;
        }
        rank as usize
    }

    /// The order of a number, as codes in reading order: the inverse of [`Orders::rank`].
    #[cfg(test)]
    pub fn unrank(&self, mut rank: usize) -> [u8; Pattern::MAX_TILES] {
        // Greatest tile first: when tile c is put in, exactly the greater ones are there, and
        // its digit is the number of those before it.
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
    fn numbers_and_orders_are_inverse() {
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
    fn passing_changes_the_number_by_a_weight() {
        for tiles in 2..=6 {
            let orders = Orders::new(tiles);
            for rank in 0..orders.count() {
                for place in 1..tiles {
                    let mut codes = orders.unrank(rank);
                    let (a, b) = (codes[place - 1], codes[place]);
                    codes.swap(place - 1, place);
                    let weight = orders.weight(a, b) as usize;
                    let passed = if a < b { rank + weight } else { rank - weight };
                    assert_eq!(orders.rank(&codes[..tiles]), passed);
                }
            }
        }
    }
}
