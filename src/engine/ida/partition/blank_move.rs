//! A move of the blank between two cells, in each view of the board.

use super::node::VIEWS;
use super::word::Word;
use crate::board::MAX_SEARCH_CELLS;

/// The maximum number of tiles that a tile passes in a vertical move: one less than the columns of
/// 2×12.
const MAX_PASSED: usize = 11;

/// A move of the blank between two cells, with a tile moving the other way.
#[derive(Clone, Copy, Debug)]
pub struct BlankMove<W: Word> {
    pub to: u8,
    /// The blank's new cell, by view.
    pub blank: [u8; VIEWS],
    /// The mask of the two cells, by view.
    pub flips: [W::Mask; VIEWS],
    /// The passings in the views in which the tile changes its row. If the mirror transposes, there
    /// is exactly one.
    pub passings: [Passing; VIEWS],
    /// The number of passings.
    pub passing_count: u8,
}

/// The tiles that a moved tile passes in reading order in one view. They determine the change of
/// the rank of its pattern's order.
#[derive(Clone, Copy, Debug, Default)]
pub struct Passing {
    pub view: u8,
    /// 1 if the tile moves forward in reading order, −1 if back.
    pub sign: i8,
    /// The number of tiles passed.
    pub passed: u8,
    /// The cells of the tiles passed, on the unmirrored board.
    pub cells: [u8; MAX_PASSED],
}

impl<W: Word> BlankMove<W> {
    /// Creates the move. `images` maps each cell to its cell in each view.
    pub fn new(blank: usize, to: usize, images: &[[u8; MAX_SEARCH_CELLS]]) -> BlankMove<W> {
        let mut blank_move = BlankMove {
            to: to as u8,
            blank: [0; VIEWS],
            flips: [W::mask(0); VIEWS],
            passings: [Passing::default(); VIEWS],
            passing_count: 0,
        };
        for (view, image) in images.iter().enumerate() {
            let (tile_from, tile_to) = (usize::from(image[to]), usize::from(image[blank]));
            blank_move.blank[view] = tile_from as u8;
            blank_move.flips[view] = W::mask(1 << tile_from | 1 << tile_to);
            let sign = if tile_to > tile_from { 1 } else { -1 };
            let mut passing = Passing { view: view as u8, sign, ..Passing::default() };
            // The mirror is its own inverse, so it also maps cells back to the unmirrored board.
            for &between in image[..tile_from.max(tile_to)].iter().skip(tile_from.min(tile_to) + 1) {
                passing.cells[usize::from(passing.passed)] = between;
                passing.passed += 1;
            }
            if passing.passed > 0 {
                blank_move.passings[usize::from(blank_move.passing_count)] = passing;
                blank_move.passing_count += 1;
            }
        }
        blank_move
    }
}
