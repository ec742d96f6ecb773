//! A solution board by board, which every view of it is drawn from.

use crate::board::replay::{self, Fault};
use crate::board::{Board, Cell, Path};
use crate::format::spelling::Spelling;

/// A solution, board by board.
#[derive(Clone, Debug)]
pub struct Walkthrough {
    goal: Board,
    boards: Vec<Board>,
    /// The moves of the path in the spelling that was asked for.
    move_names: Vec<String>,
}

impl Walkthrough {
    /// The boards along a path from a board to its goal; moves are named in the given spelling.
    ///
    /// # Errors
    /// When the path does not lead from the board to the goal.
    pub fn new(board: &Board, goal: &Board, path: &Path, spelling: Spelling) -> Result<Walkthrough, Fault> {
        replay::replay(board, goal, path.letters())?;
        let mut boards = vec![board.clone()];
        for step in path.moves() {
            // It was replayed: there is a next board after every move.
            boards.extend(boards.last().and_then(|last| last.after(step)));
        }
        let mut lines = Vec::new();
        spelling.write_lines(board, path, &mut lines);
        let move_names = String::from_utf8_lossy(&lines).lines().map(String::from).collect();
        Ok(Walkthrough { goal: goal.clone(), boards, move_names })
    }

    /// Number of moves.
    pub fn moves(&self) -> usize {
        self.boards.len() - 1
    }

    /// Every board, start and goal included.
    pub fn boards(&self) -> &[Board] {
        &self.boards
    }

    /// The last board.
    pub fn goal(&self) -> &Board {
        &self.goal
    }

    /// The name of the move that led to a board; none leads to the first.
    pub fn move_name(&self, at: usize) -> Option<&str> {
        self.move_names.get(at.checked_sub(1)?).map(String::as_str)
    }

    /// The cell of the tile that moved last; on the first board none did.
    pub fn moved_tile(&self, at: usize) -> Option<Cell> {
        self.boards.get(at.checked_sub(1)?).map(Board::blank)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::board::{Shape, Tile};

    /// A walkthrough of a board, its goal and a path given by hand.
    pub fn walkthrough(rows: usize, cols: usize, board: &[usize], goal: &[usize], path: &str) -> Walkthrough {
        let shape = Shape::new(rows, cols).unwrap();
        let read = |labels: &[usize]| {
            Board::new(shape, &labels.iter().map(|&label| Tile::new(label)).collect::<Vec<_>>()).unwrap()
        };
        Walkthrough::new(&read(board), &read(goal), &path.parse().unwrap(), Spelling::default()).unwrap()
    }

    #[test]
    fn a_walkthrough_has_every_board_and_the_tile_that_moved() {
        let steps = walkthrough(2, 3, &[1, 0, 2, 4, 5, 3], &[1, 2, 3, 4, 5, 0], "RD");
        let boards: Vec<String> = steps.boards().iter().map(Board::to_string).collect();
        assert_eq!(boards, ["1 0 2/4 5 3", "1 2 0/4 5 3", "1 2 3/4 5 0"]);
        let names = [0, 1, 2, 3].map(|at| steps.move_name(at));
        assert_eq!(names, [None, Some("R"), Some("D"), None]);
        let moved = [0, 1, 2].map(|at| steps.moved_tile(at));
        assert_eq!(moved, [None, Some(Cell::new(1)), Some(Cell::new(2))]);
    }

    #[test]
    fn a_path_that_is_no_solution_is_refused() {
        let solved = walkthrough(1, 3, &[1, 2, 0], &[1, 2, 0], "");
        let wrong = Walkthrough::new(&solved.boards()[0], solved.goal(), &"L".parse().unwrap(), Spelling::default());
        assert_eq!(wrong.unwrap_err(), Fault::NotGoal);
    }
}
