//! States as strings of tiles, the effect of moves on these strings, and the slots (the indices) of
//! the states' words in the table.
//!
//! A state is the blank's cell and the string of its tiles, read row by row without the blank
//! ([`crate::board::OrderRanks`]). A sideways move does not change the string. A move up or down
//! moves one tile past cols − 1 others.

use crate::board::frame::Space;
use crate::board::{Cell, Move, OrderRanks, Shape};

/// The parity bit of a word: the lowest bit of the rank of the order. Two orders share a slot,
/// and this bit selects the solvable one.
pub const PARITY: u64 = 1 << 63;

/// The maximum number of moves that fit below the parity bit, with the 1 bit that ends them.
pub(super) const MAX_LEN: u32 = 31;

/// Returns the length of a path. The parity bit is ignored.
#[inline(always)]
pub fn path_len(word: u64) -> u32 {
    (62 - (word << 1).leading_zeros()) >> 1
}

/// Returns the moves of a path. The parity bit is ignored.
#[inline]
pub fn moves(word: u64) -> impl Iterator<Item = Move> {
    (0..path_len(word)).map(move |i| Move::from_index((word >> (2 * i)) as u8))
}

/// The slots of the states' words in the table.
#[derive(Debug)]
pub(super) struct Ranks {
    pub(super) orders: OrderRanks,
    /// The number of solvable orders for each cell of the blank.
    pub(super) orders_per_cell: u32,
}

impl Ranks {
    /// Returns the rank of a string of tiles among all orders.
    #[inline(always)]
    pub(super) fn order(&self, string: u32) -> u32 {
        self.orders.rank(string).unwrap_or_else(|| unreachable!("a tile occurs twice"))
    }

    /// Returns the slot of a state from its blank's cell and the rank of its order, and the rank's
    /// lowest bit in bit 63.
    #[inline(always)]
    pub(super) fn slot(&self, blank: usize, order: u32) -> (usize, u64) {
        (blank * self.orders_per_cell as usize + (order >> 1) as usize, u64::from(order) << 63)
    }
}

/// A move of the blank from one cell of a space.
#[derive(Clone, Copy)]
pub struct Slide {
    /// The letter that undoes the move.
    pub back: u64,
    /// The blank's cell after the move.
    pub to: usize,
    /// A mask of the `cols` tiles that rotate; 0 for a sideways move.
    mask: u32,
    /// The number of bits by which the tiles rotate. A move down brings the last tile to the front:
    /// the bits of one tile. A move up brings the first tile to the end: the bits of all but one.
    by: u32,
    /// The number of bits of the same rotation in the other direction.
    back_by: u32,
}

impl Slide {
    /// Returns whether the move leaves the string unchanged.
    #[inline(always)]
    pub fn is_sideways(&self) -> bool {
        self.mask == 0
    }

    /// Returns the string after the move.
    #[inline(always)]
    pub fn after(&self, string: u32) -> u32 {
        let tiles = string & self.mask;
        string ^ tiles | (tiles << self.by | tiles >> self.back_by) & self.mask
    }
}

/// Returns the moves from every cell of the blank.
pub fn slides(space: &Space) -> Vec<Vec<Slide>> {
    let cols = space.shape.cols();
    let slides_of = |cell: Cell| {
        let slide = |(letter, to): (Move, Cell)| {
            let bits = 3 * cols as u32;
            let (at, tiles, by) = match to.index().abs_diff(cell.index()) {
                1 => (0, 0, 0),
                _ if to > cell => (3 * cell.index(), (1 << bits) - 1, 3),
                _ => (3 * to.index(), (1 << bits) - 1, bits - 3),
            };
            Slide { back: letter.inverse() as u64, to: to.index(), mask: tiles << at, by, back_by: bits - by }
        };
        space.steps(cell).map(slide).collect()
    };
    (0..space.shape.cells()).map(|cell| slides_of(Cell::new(cell))).collect()
}

/// Returns the goal: the blank's cell, and the ascending string, which includes the tiles that a
/// board smaller than 3×3 lacks.
pub fn goal(space: &Space) -> (usize, u32) {
    (space.goal_blank.index(), ascending_from(0))
}

/// Returns the strings of all orders of a shape's tiles in lexicographic order, which is the order
/// of their ranks.
pub fn strings(shape: Shape) -> Vec<u32> {
    fn extend(tiles: u32, place: u32, used: u32, string: u32, strings: &mut Vec<u32>) {
        if place == tiles {
            strings.push(string);
        }
        for tile in (0..tiles).filter(|tile| used >> tile & 1 == 0) {
            extend(tiles, place + 1, used | 1 << tile, string | tile << (3 * place), strings);
        }
    }
    let tiles = shape.cells() as u32 - 1;
    let mut strings = Vec::with_capacity((1..=tiles as usize).product());
    extend(tiles, 0, 0, ascending_from(tiles), &mut strings);
    strings
}

/// Returns the end of the ascending string, from this tile on.
fn ascending_from(first: u32) -> u32 {
    (first..8).fold(0, |string, tile| string | tile << (3 * tile))
}
