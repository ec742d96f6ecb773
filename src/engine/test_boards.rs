//! Boards for the tests of engines for large boards.

use crate::board::{Board, Shape, Tile, is_solvable};
use crate::system::Random;

/// Returns the board with these labels, row by row.
pub fn board_of(shape: Shape, labels: &[usize]) -> Board {
    Board::new(shape, &labels.iter().map(|&label| Tile::new(label)).collect::<Vec<_>>()).unwrap()
}

/// Returns a random solvable board.
pub fn random_board(shape: Shape, goal: &Board, random: &mut Random) -> Board {
    loop {
        let board = board_of(shape, &random.permutation(shape.cells()));
        if is_solvable(&board, goal) {
            return board;
        }
    }
}
