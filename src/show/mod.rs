//! One board's solution, to be looked at: as a text, in a terminal, as a picture that moves.
//!
//! A [`Film`] is the solution board by board. `frames` writes it as a text, `replay` and `screen` are what a terminal
//! shows of it at a time, `terminal` the terminal itself, `draw` a board as SVG, `svg` the moving picture.

mod draw;
mod frames;
mod replay;
mod screen;
mod svg;
pub mod terminal;

pub use draw::{Drawing, STYLE};
pub use frames::{Moves, board_rows, listing};
pub use replay::{Key, Next, Replay, State};
pub use screen::{Line, Size, draw};
pub use svg::{animated, still};

use crate::board::{Board, Cell, Path};
use crate::format::spelling::Spelling;
use crate::verify::{self, Fault};

/// A solution, board by board.
#[derive(Clone, Debug)]
pub struct Film {
    goal: Board,
    boards: Vec<Board>,
    /// The path in the spelling that was asked for, a word a move.
    words: Vec<String>,
}

impl Film {
    /// The film of a path from a board to its goal, its moves told in a spelling.
    ///
    /// # Errors
    /// When it is no such path.
    pub fn new(board: &Board, goal: &Board, path: &Path, spelling: Spelling) -> Result<Film, Fault> {
        verify::replay(board, goal, path.letters())?;
        let mut boards = vec![board.clone()];
        for step in path.moves() {
            // It was replayed: there is a next board after every move.
            boards.extend(boards.last().and_then(|last| last.after(step)));
        }
        let mut lines = Vec::new();
        spelling.write_lines(board, path, &mut lines);
        let words = String::from_utf8_lossy(&lines).lines().map(String::from).collect();
        Ok(Film { goal: goal.clone(), boards, words })
    }

    /// Number of moves.
    pub fn moves(&self) -> usize {
        self.boards.len() - 1
    }

    /// Every board, start and goal included.
    pub fn boards(&self) -> &[Board] {
        &self.boards
    }

    /// Where it ends.
    pub fn goal(&self) -> &Board {
        &self.goal
    }

    /// The word for the move that led to a board; none leads to the first.
    pub fn word(&self, at: usize) -> Option<&str> {
        self.words.get(at.checked_sub(1)?).map(String::as_str)
    }

    /// Where the tile stands that moved last; on the first board none did.
    pub fn moved(&self, at: usize) -> Option<Cell> {
        self.boards.get(at.checked_sub(1)?).map(Board::blank)
    }
}

/// `1 move`, `2 moves`.
pub fn count(moves: usize) -> String {
    if moves == 1 { "1 move".into() } else { format!("{moves} moves") }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::board::{Shape, Tile};

    /// A board, its goal and a path by hand.
    pub fn film(rows: usize, cols: usize, board: &[usize], goal: &[usize], path: &str) -> Film {
        let shape = Shape::new(rows, cols).unwrap();
        let read = |labels: &[usize]| {
            Board::new(shape, &labels.iter().map(|&label| Tile::new(label)).collect::<Vec<_>>()).unwrap()
        };
        Film::new(&read(board), &read(goal), &path.parse().unwrap(), Spelling::default()).unwrap()
    }

    #[test]
    fn a_film_has_every_board_and_what_moved() {
        let film = film(2, 3, &[1, 0, 2, 4, 5, 3], &[1, 2, 3, 4, 5, 0], "RD");
        let boards: Vec<String> = film.boards().iter().map(Board::to_string).collect();
        assert_eq!(boards, ["1 0 2/4 5 3", "1 2 0/4 5 3", "1 2 3/4 5 0"]);
        assert_eq!((film.word(0), film.word(1), film.word(2), film.word(3)), (None, Some("R"), Some("D"), None));
        assert_eq!((film.moved(0), film.moved(1), film.moved(2)), (None, Some(Cell::new(1)), Some(Cell::new(2))));
    }

    #[test]
    fn what_is_no_solution_is_no_film() {
        let film = film(1, 3, &[1, 2, 0], &[1, 2, 0], "");
        let wrong = Film::new(&film.boards()[0], film.goal(), &"L".parse().unwrap(), Spelling::default());
        assert_eq!(wrong.unwrap_err(), Fault::NotGoal);
    }
}
