//! Ranks of permutations of up to eight tiles, with two table lookups each.
//!
//! The tiles of a board with at most nine cells, read row by row without the blank, form a string
//! of 24 bits: three for each tile, the first tile lowest. The string's rank among all permutations
//! is its factorial-base (Lehmer) number. The digits of the first four tiles depend only on those
//! four. The digits of the last four depend only on their relative order. So the rank is the sum of
//! one entry from each of two tables of 4,096 entries. The entries also show whether the eight
//! tiles are all different: each contains the set of its four tiles, and the two sets add up to all
//! eight if and only if one is the complement of the other.
//!
//! The ranks are those of [`Ranking::order`](super::Ranking::order). The two tables take 16 KiB
//! each and about 20 µs to fill.

use std::sync::Arc;

use super::Shape;
use super::digits::weights;

/// The tables that rank the permutations of a board's tiles. Clones share them.
#[derive(Clone, Debug)]
pub struct OrderRanks {
    front: Arc<[u32; HALF_STRINGS]>,
    back: Arc<[u32; HALF_STRINGS]>,
}

/// The number of values of a half string, which has four tiles of three bits each.
const HALF_STRINGS: usize = 1 << 12;

/// The bits of a half string.
const HALF_MASK: u32 = HALF_STRINGS as u32 - 1;

/// The position of the lowest bit of an entry's set of tiles. The bits below it are the entry's
/// part of the rank.
const SET_SHIFT: u32 = 16;

/// All eight tiles.
const WHOLE_SET: u32 = 0xff << SET_SHIFT;

impl OrderRanks {
    /// Maximum number of cells of a board: eight tiles and the blank.
    pub const MAX_CELLS: usize = 9;

    /// The number of tiles of a full string.
    const TILES: usize = Self::MAX_CELLS - 1;

    /// Creates the tables for a shape; `None` if it has more than eight tiles. If it has fewer, the
    /// strings end with the missing ones in order: `5, 6, 7` on a board of six cells.
    pub fn new(shape: Shape) -> Option<OrderRanks> {
        let tiles = shape.cells().checked_sub(1).filter(|&tiles| tiles <= Self::TILES)?;
        // The weight of each digit: (tiles − 1 − position)!; 0 for the missing tiles, which are
        // constant.
        let weights: [u32; Self::TILES] = weights(tiles);
        let (mut front, mut back) = ([0; HALF_STRINGS], [0; HALF_STRINGS]);
        for string in 0..HALF_STRINGS {
            let tiles: [usize; 4] = std::array::from_fn(|i| string >> (3 * i) & 7);
            let set = tiles.iter().fold(0u32, |set, tile| set | 1 << tile);
            if set.count_ones() < 4 {
                continue;
            }
            let smaller = |i: usize, among: &[usize]| among.iter().filter(|&&tile| tile < tiles[i]).count() as u32;
            let digits_in_front = (0..4).map(|i| (tiles[i] as u32 - smaller(i, &tiles[..i])) * weights[i]);
            let digits_at_back = (0..4).map(|i| smaller(i, &tiles[i + 1..]) * weights[4 + i]);
            front[string] = set << SET_SHIFT | digits_in_front.sum::<u32>();
            back[string] = set << SET_SHIFT | digits_at_back.sum::<u32>();
        }
        Some(OrderRanks { front: Arc::new(front), back: Arc::new(back) })
    }

    /// Returns the rank of a string of eight tiles; `None` if a tile occurs twice.
    #[inline(always)]
    pub fn rank(&self, string: u32) -> Option<u32> {
        self.rank_of_halves(string & HALF_MASK, string >> 12)
    }

    /// Returns the rank of a string in two halves. Only their lowest 12 bits are used.
    #[inline(always)]
    pub fn rank_of_halves(&self, front: u32, back: u32) -> Option<u32> {
        let sum = self.front[(front & HALF_MASK) as usize] + self.back[(back & HALF_MASK) as usize];
        (sum >> SET_SHIFT == WHOLE_SET >> SET_SHIFT).then_some(sum & ((1 << SET_SHIFT) - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Cell, Ranking};

    /// Compares the ranks with those of [`Ranking`], which counts smaller tiles, for every state of
    /// five shapes. Only permutations have a rank.
    #[test]
    fn ranks_agree_with_the_ranking_by_counting() {
        for (rows, cols, orders) in [(2, 2, 6), (2, 3, 120), (3, 2, 120), (2, 4, 5_040), (3, 3, 40_320)] {
            let shape = Shape::new(rows, cols).unwrap();
            let (cells, last) = (shape.cells(), Cell::new(shape.cells() - 1));
            let (table, ranking) = (OrderRanks::new(shape).unwrap(), Ranking::new(shape, last).unwrap());
            for rank in 0..ranking.states() {
                let state = ranking.unrank(rank);
                let tiles = state.homes(cells).iter().filter(|&&home| usize::from(home) != cells - 1);
                let missing = cells as u8 - 1..8;
                let string = tiles
                    .copied()
                    .chain(missing)
                    .enumerate()
                    .fold(0, |string, (i, tile)| string | u32::from(tile) << (3 * i));
                let half = table.rank(string).unwrap() / 2;
                assert_eq!(rank % (ranking.states() / cells), half as usize, "{shape} {state:?}");
            }
            let fixed = (cells - 1..8).fold(0u32, |string, tile| string | (tile as u32) << (3 * tile));
            let free = 1u32 << (3 * (cells - 1));
            let ranked = (0..free).filter(|string| table.rank(string | fixed).is_some()).count();
            assert_eq!(ranked, orders, "{shape}");
        }
        assert!(OrderRanks::new(Shape::new(2, 5).unwrap()).is_none());
    }
}
