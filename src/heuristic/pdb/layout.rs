//! The index of a state's entry in a table: computed from scratch, or updated move by move.
//!
//! Index = order × block length + row. A table has one block of bits for every order of the tiles
//! (8 tiles on 4×4: 4.4 KB). Within a block, the row encodes the cells that the tiles occupy and
//! the blank's region. A horizontal move stays in its block. A vertical move leads to one of a few
//! other blocks, because the tile passes only a few other tiles. So a depth-first search uses a few
//! blocks, which are in cache. That saves more time than prefetching would.

use std::sync::Arc;

use super::pattern::cells_of;
use super::{Pattern, Placements};
use crate::board::digits::{factorial, weights};
use crate::board::{Shape, State};

/// The layout of the tables of all patterns with the same number of tiles on a shape.
#[derive(Clone, Debug)]
pub struct Layout {
    placements: Placements,
    orders: Orders,
    /// The number of words of a block.
    block_words: usize,
}

/// The placement of one pattern's tiles. The blank's cell is given separately.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spot {
    /// The cells that the tiles occupy, as bits.
    pub occupied: u32,
    /// The rank of the order of the tiles.
    pub order: u32,
}

impl Layout {
    /// The number of bits of a table's word.
    pub const WORD_BITS: usize = u64::BITS as usize;

    /// Creates the layout for patterns of `tiles` tiles, which takes a few milliseconds.
    pub fn new(shape: Shape, tiles: usize) -> Arc<Layout> {
        let placements = Placements::new(shape, tiles);
        let block_words = placements.rows().div_ceil(Self::WORD_BITS);
        Arc::new(Layout { placements, orders: Orders::new(tiles), block_words })
    }

    /// Returns the numbering of rows: occupied cells and regions.
    #[inline]
    pub fn placements(&self) -> &Placements {
        &self.placements
    }

    /// Returns the numbering of blocks: orders of the tiles.
    #[inline]
    pub fn orders(&self) -> &Orders {
        &self.orders
    }

    /// Returns the number of words of one block.
    #[inline]
    pub fn block_words(&self) -> usize {
        self.block_words
    }

    /// Returns the number of words of a table.
    #[inline]
    pub fn words(&self) -> usize {
        self.block_words * self.orders.count()
    }

    /// Returns the index of the entry with this order and row.
    #[inline]
    pub fn join(&self, order: u32, row: usize) -> usize {
        order as usize * self.block_words * Self::WORD_BITS + row
    }

    /// Returns the order and the row of an index: the inverse of [`Layout::join`].
    #[inline]
    #[cfg(test)]
    pub fn split(&self, index: usize) -> (u32, usize) {
        let bits = self.block_words * Self::WORD_BITS;
        ((index / bits) as u32, index % bits)
    }

    /// Returns the index of the entry for tiles at `spot` and the blank in the free cell `blank`.
    #[inline]
    pub fn index(&self, spot: Spot, blank: usize) -> usize {
        self.join(spot.order, self.placements.row(spot.occupied, blank))
    }

    /// Computes the placement of a pattern's tiles in a state from scratch.
    pub fn spot(&self, pattern: &Pattern, state: &State) -> Spot {
        let (mut codes, mut found, mut occupied) = ([0; Pattern::MAX_TILES], 0, 0);
        for (cell, &code) in pattern.codes_in(state).iter().enumerate() {
            if code != Pattern::OUTSIDE {
                occupied |= 1 << cell;
                codes[found] = code;
                found += 1;
            }
        }
        Spot { occupied, order: self.orders.rank(&codes[..found]) as u32 }
    }

    /// Returns the spot after the tile with this code has moved from one cell to a neighbouring
    /// one. `code_in` returns the code of the tile in another occupied cell.
    #[inline]
    pub fn slide(&self, spot: Spot, code: u8, from: usize, to: usize, code_in: impl Fn(usize) -> u8) -> Spot {
        let occupied = spot.occupied ^ (1 << from | 1 << to);
        let (low, high) = (from.min(to), from.max(to));
        let mut order = spot.order;
        // The tile passes the tiles between the two cells in reading order. A sideways move passes
        // no tile.
        for cell in cells_of(occupied & ((1 << high) - 1) & !((2 << low) - 1)) {
            let passed = code_in(cell);
            let weight = self.orders.weight(code, passed);
            // The rank rises if the greater code comes first afterwards.
            order = if (passed > code) == (to > from) { order + weight } else { order - weight };
        }
        Spot { occupied, order }
    }
}

/// A ranking of the orders in which k tiles can be read row by row. The rank is cheap to update.
///
/// For every tile, count the tiles with a greater code before it. These inversion counts are the
/// digits of a mixed-radix number. The count of tile c is at most k−1−c, so its digit has weight
/// (k−1−c)!, and every number below k! is the rank of an order. If two tiles that are adjacent in
/// reading order change places, only the count of the tile with the smaller code changes, by one.
/// So a tile that passes another changes the rank by (k−1−c)!, up or down, where c is the smaller
/// code. A vertical move costs a few additions, and a horizontal move nothing.
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
    /// rises if the greater code then comes first. Twice the same code gives that code's weight:
    /// what each greater code before it adds to the rank.
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
    use crate::board::{Cell, Move};
    use crate::system::Random;

    #[test]
    fn join_and_split_are_inverse() {
        for (rows, cols, tiles) in [(2, 3, 3), (3, 3, 5), (4, 4, 4)] {
            let layout = Layout::new(Shape::new(rows, cols).unwrap(), tiles);
            let mut last = None;
            for order in 0..layout.orders().count() as u32 {
                for row in 0..layout.placements().rows() {
                    let index = layout.join(order, row);
                    assert!(last < Some(index) && index < layout.words() * Layout::WORD_BITS);
                    assert_eq!(layout.split(index), (order, row));
                    last = Some(index);
                }
            }
        }
    }

    /// During a long walk, the updated spot equals the spot from scratch.
    #[test]
    fn sliding_agrees_with_computing_from_scratch() {
        for (rows, cols, homes) in [
            (2, 3, &[0, 2, 4][..]),
            (3, 3, &[0, 1, 2, 5, 7]),
            (4, 4, &[0, 1, 2, 3, 4, 5, 6, 7]),
            (5, 5, &[1, 5, 9, 22]),
        ] {
            let shape = Shape::new(rows, cols).unwrap();
            let goal_blank = Cell::new(shape.cells() - 1);
            let pattern = Pattern::new(shape, goal_blank, homes).unwrap();
            let layout = Layout::new(shape, homes.len());
            let mut state = State::goal(shape, goal_blank);
            let mut spot = layout.spot(&pattern, &state);
            assert_eq!(spot, Spot { occupied: pattern.home_bits(), order: 0 });
            let mut random = Random::new(1);
            for _ in 0..20_000 {
                let Some(to) = shape.neighbour(state.blank(), Move::from_index(random.bits() as u8)) else { continue };
                let from = state.blank();
                let code = pattern.code(state.slide(to));
                if code != Pattern::OUTSIDE {
                    let code_in = |cell| pattern.code(state.home(Cell::new(cell)));
                    spot = layout.slide(spot, code, to.index(), from.index(), code_in);
                }
                assert_eq!(spot, layout.spot(&pattern, &state));
            }
        }
    }

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
