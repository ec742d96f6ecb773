//! Tables of a goal, which map the digits of a board to its rank by shuffles.
//!
//! A board is mapped to its frame ([`crate::board::frame`]) in two steps: tiles are relabelled, and
//! cells are read in another order. The first step is a table of sixteen digits. The second has no
//! extra cost, because the blank must be removed from the string of tiles anyway: for each cell of
//! the blank, there is a list of the cells to read.

use super::replay::ReplayTable;
use crate::board::frame::Frame;
use crate::board::{Cell, Orders, Tile};
use crate::engine::path_table::Paths;

/// The tables of a goal that has a table of whole paths.
#[derive(Clone, Debug)]
pub struct GoalTables {
    pub(super) cells: usize,
    /// By digit: the tile's number in the frame, from 0 to 7, [`GoalTables::BLANK`], or
    /// [`GoalTables::NO_TILE`].
    pub(super) tiles: [u8; 16],
    /// By the blank's cell: the other cells in the order in which the frame reads their tiles,
    /// followed by the lanes to which the tiles that a smaller board lacks are added.
    pub(super) cells_read: [[u8; 16]; GoalTables::MAX_CELLS],
    /// By the blank's cell: the lowest rank of a permutation with the blank in that cell, solvable
    /// or not.
    first_rank: [u32; GoalTables::MAX_CELLS],
    orders: Orders,
    /// The goal as digits, followed by zeros.
    pub(super) goal: [u8; 16],
    pub(super) replay_table: &'static ReplayTable,
}

impl GoalTables {
    /// The entry of `tiles` for the blank's digit.
    pub(super) const BLANK: u8 = 0x80;

    /// The entry of `tiles` for a digit that is not a tile.
    pub(super) const NO_TILE: u8 = 0x10;

    /// A shuffle index that produces 0. It fills the end of each list in `cells_read`.
    const NOTHING: u8 = 0x80;

    const MAX_CELLS: usize = Orders::MAX_CELLS;

    /// Creates the tables of a goal, or returns `None` if its shape has no table of whole paths.
    pub fn new(frame: &Frame, paths: &Paths) -> Option<GoalTables> {
        let (goal, goal_blank) = (frame.goal(), frame.space().goal_blank);
        let cells = goal.shape().cells();
        let replay_table = ReplayTable::of(goal.shape())?;
        let (orders, orders_per_cell) = paths.orders();

        let mut tiles = [Self::NO_TILE; 16];
        tiles[0] = Self::BLANK;
        for (label, tile) in tiles.iter_mut().enumerate().take(cells).skip(1) {
            let home = frame.home(Tile::new(label));
            *tile = (home.index() - usize::from(home > goal_blank)) as u8;
        }
        // The cells of the given board, in the order in which the frame reads them.
        let mut cells_in_order: Vec<usize> = (0..cells).collect();
        cells_in_order.sort_unstable_by_key(|&cell| frame.cell(Cell::new(cell)));
        let (mut cells_read, mut first_rank) = ([[Self::NOTHING; 16]; Self::MAX_CELLS], [0; Self::MAX_CELLS]);
        for blank in 0..cells {
            let with_tiles = cells_in_order.iter().copied().filter(|&cell| cell != blank);
            for (place, cell) in with_tiles.chain(cells..Self::MAX_CELLS).enumerate() {
                cells_read[blank][place] = cell as u8;
            }
            first_rank[blank] = frame.cell(Cell::new(blank)).index() as u32 * orders_per_cell * 2;
        }
        let mut digits = [0; 16];
        for (digit, tile) in digits.iter_mut().zip(goal.tiles()) {
            *digit = b'0' + tile.label() as u8;
        }
        Some(GoalTables { cells, tiles, cells_read, first_rank, orders: orders.clone(), goal: digits, replay_table })
    }

    /// Returns the rank of the board with the blank in this cell and these two halves of its string
    /// of tiles, or `None` if a tile occurs twice.
    #[inline(always)]
    pub(super) fn rank_of_halves(&self, blank: usize, front: u32, back: u32) -> Option<u32> {
        Some(self.first_rank[blank] + self.orders.rank_of_halves(front, back)?)
    }

    /// Returns the rank of a board among all permutations, or `None` if a character is not a tile
    /// or a tile occurs twice.
    #[inline(always)]
    pub(super) fn rank(&self, board: &[u8; 16], blank: usize) -> Option<u32> {
        let mut string = 0u32;
        for (place, &cell) in self.cells_read[blank][..Self::MAX_CELLS - 1].iter().enumerate() {
            let cell = usize::from(cell % 16);
            let tile = if cell < self.cells {
                let digit = board[cell] ^ b'0';
                if digit < 16 { self.tiles[usize::from(digit)] } else { Self::NO_TILE }
            } else {
                // A tile that this shape lacks.
                cell as u8 - 1
            };
            if tile >= 8 {
                return None;
            }
            string |= u32::from(tile) << (3 * place);
        }
        self.rank_of_halves(blank, string, string >> 12)
    }
}
