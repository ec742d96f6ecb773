//! States as strings of tiles, and what moves do to them.
//!
//! A state is the blank's cell and the string of its tiles, read row by row without the blank ([`crate::board::Orders`]).
//! A move to the side leaves the string alone, a move up or down takes one tile past cols − 1 others.

use crate::board::frame::Space;
use crate::board::{Cell, Move, Shape};

/// A move in a space, from one cell of the blank.
#[derive(Clone, Copy)]
pub struct Slide {
    /// The letter that undoes it.
    pub back: u64,
    /// The blank's cell after it.
    pub to: usize,
    /// The bits of as many tiles as are in a row; none for a move to the side ...
    row: u32,
    /// ... which rotate by this many bits: one tile's after a move down, whose tile comes first; all but one's
    /// after a move up, whose tile comes last.
    by: u32,
    /// The same, the other way round.
    back_by: u32,
}

impl Slide {
    /// Whether it leaves the string as it is.
    #[inline(always)]
    pub fn is_sideways(&self) -> bool {
        self.row == 0
    }

    /// The string after it.
    #[inline(always)]
    pub fn after(&self, string: u32) -> u32 {
        let tiles = string & self.row;
        string ^ tiles | (tiles << self.by | tiles >> self.back_by) & self.row
    }
}

/// The moves from every cell of the blank.
pub fn slides(space: &Space) -> Vec<Vec<Slide>> {
    let cols = space.shape.cols();
    let slides_of = |cell: Cell| {
        let slide = |(letter, to): (Move, Cell)| {
            let bits = 3 * cols as u32;
            let (at, by) = match to.index().abs_diff(cell.index()) {
                1 => return Slide { back: letter.inverse() as u64, to: to.index(), row: 0, by: 0, back_by: 0 },
                _ if to > cell => (3 * cell.index(), 3),
                _ => (3 * to.index(), bits - 3),
            };
            Slide {
                back: letter.inverse() as u64,
                to: to.index(),
                row: ((1 << bits) - 1) << at,
                by,
                back_by: bits - by,
            }
        };
        space.steps(cell).map(slide).collect()
    };
    (0..space.shape.cells()).map(|cell| slides_of(Cell::new(cell))).collect()
}

/// Every tile at home: the blank's cell, and a string that counts up, the missing tiles of a smaller board included.
pub fn goal(space: &Space) -> (usize, u32) {
    (space.goal_blank.index(), missing(0))
}

/// The strings of all orders of a shape's tiles, in the order of the alphabet, which is that of ranks.
pub fn strings(shape: Shape) -> Vec<u32> {
    fn extend(tiles: u32, place: u32, used: u32, string: u32, all: &mut Vec<u32>) {
        if place == tiles {
            all.push(string);
        }
        for tile in (0..tiles).filter(|tile| used >> tile & 1 == 0) {
            extend(tiles, place + 1, used | 1 << tile, string | tile << (3 * place), all);
        }
    }
    let tiles = shape.cells() as u32 - 1;
    let mut all = Vec::with_capacity((1..=tiles as usize).product());
    extend(tiles, 0, 0, missing(tiles), &mut all);
    all
}

/// The end of a string, from a tile on: each in its own place.
fn missing(first: u32) -> u32 {
    (first..8).fold(0, |string, tile| string | tile << (3 * tile))
}
