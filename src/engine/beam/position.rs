//! A position in a beam: the cell of every tile, and the content of every cell.

use super::seen::Keys;
use crate::board::{Board, Cell};
use crate::heuristic::evaluation::Tables;

/// A position with space for `M` cells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Position<const M: usize> {
    /// The exclusive or of the tiles' numbers in [`Keys`].
    pub(super) key: u64,
    pub(super) value: i32,
    pub(super) blank: u8,
    /// The last move; 4 at the start.
    pub(super) last: u8,
    /// By home: the cell of its tile, or of the blank.
    pub(super) at: [u8; M],
    /// By cell: the home of its tile, or of the blank.
    pub(super) homes: [u8; M],
}

impl<const M: usize> Position<M> {
    /// Converts a board, renaming its tiles by their homes.
    pub(super) fn of(board: &Board, goal: &Board, tables: &Tables, keys: &Keys) -> Position<M> {
        let cells = tables.shape().cells();
        let home_of = goal.homes();
        let blank = board.blank().index() as u8;
        let mut position = Position { key: 0, value: 0, blank, last: 4, at: [0; M], homes: [0; M] };
        for (cell, tile) in board.tiles().iter().enumerate() {
            let home = home_of[tile.label()].index();
            position.homes[cell] = home as u8;
            position.at[home] = cell as u8;
            if Cell::new(cell) != board.blank() {
                position.key ^= keys.number(home, cell);
            }
        }
        position.value = tables.value(&position.homes[..cells]);
        position
    }

    /// Moves the tile in the cell `from` into the blank's cell.
    #[inline(always)]
    pub(super) fn slide(&mut self, from: usize, goal_blank: usize) {
        let (to, tile) = (usize::from(self.blank), usize::from(self.homes[from]));
        self.homes[to] = tile as u8;
        self.homes[from] = goal_blank as u8;
        self.at[tile] = to as u8;
        self.at[goal_blank] = from as u8;
        self.blank = from as u8;
    }
}
