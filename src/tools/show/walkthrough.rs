//! A solution, board by board, from which every view is made. The simplest view is text: every
//! board from start to goal, then the number of moves.
//!
//! In text, columns are aligned, and `taquin` can read the boards in the layout `grid`. Only
//! boards at regular intervals are stored, because a path on a large board may have millions of
//! moves. The other boards are computed from the stored ones.

use std::io::Write;

use crate::board::replay;
use crate::board::{Board, Cell, Move, Path};
use crate::format::spelling::Spelling;

/// The approximate maximum number of tiles on all stored boards together.
const MAX_STORED_TILES: usize = 4 << 20;

/// A solution, board by board.
#[derive(Clone, Debug)]
pub struct Walkthrough {
    goal: Board,
    path: Path,
    spelling: Spelling,
    /// The first board, and the board after every `interval` moves.
    stored: Vec<Board>,
    interval: usize,
}

impl Walkthrough {
    /// Creates the walkthrough of a path from a board to its goal. Moves are named in the given
    /// notation.
    ///
    /// # Errors
    /// When the path does not lead from the board to the goal.
    pub fn new(board: &Board, goal: &Board, path: &Path, spelling: Spelling) -> Result<Walkthrough, replay::Fault> {
        replay::replay(board, goal, path.letters())?;
        let interval = (path.len() / (MAX_STORED_TILES / board.shape().cells())).max(16);
        let (mut current, mut stored) = (board.clone(), vec![board.clone()]);
        for (moves, step) in (1..).zip(path.moves()) {
            // The path was replayed, so every move is legal.
            current.make(step);
            if moves % interval == 0 {
                stored.push(current.clone());
            }
        }
        Ok(Walkthrough { goal: goal.clone(), path: path.clone(), spelling, stored, interval })
    }

    /// Returns the number of moves.
    pub fn moves(&self) -> usize {
        self.path.len()
    }

    /// Returns the first board.
    pub fn start(&self) -> &Board {
        &self.stored[0]
    }

    /// Returns the board after `at` moves; `None` if the path has fewer.
    pub fn board(&self, at: usize) -> Option<Board> {
        if at > self.moves() {
            return None;
        }
        let from = at / self.interval;
        let mut board = self.stored[from].clone();
        let letters = &self.path.letters()[from * self.interval..at];
        letters.iter().filter_map(|&letter| Move::from_letter(letter)).for_each(|step| _ = board.make(step));
        Some(board)
    }

    /// Returns every board, including start and goal.
    pub fn boards(&self) -> impl Iterator<Item = Board> + '_ {
        (0..=self.moves()).filter_map(|at| self.board(at))
    }

    /// Returns the tile moves: each tile's label and its new cell.
    pub fn tile_moves(&self) -> impl Iterator<Item = (usize, Cell)> + '_ {
        (1..=self.moves()).filter_map(|at| {
            let to = self.moved_tile_cell(at)?;
            Some((self.board(at)?.tiles()[to.index()].label(), to))
        })
    }

    /// Returns the last board.
    pub fn goal(&self) -> &Board {
        &self.goal
    }

    /// Returns the name of move `at`, counted from 1; `None` if there is no such move.
    pub fn move_name(&self, at: usize) -> Option<String> {
        let before = at.checked_sub(1)?;
        let step: Path =
            self.path.letters().get(before).and_then(|&letter| Move::from_letter(letter)).into_iter().collect();
        let mut line = Vec::new();
        self.spelling.write_lines(&self.board(before)?, &step, &mut line);
        String::from_utf8_lossy(&line).lines().next().map(String::from)
    }

    /// Returns the cell to which move `at`, counted from 1, moves its tile; `None` for 0.
    pub fn moved_tile_cell(&self, at: usize) -> Option<Cell> {
        self.board(at.checked_sub(1)?).map(|before| before.blank())
    }
}

/// Appends the rows of a board, with every number padded to the width of the largest.
pub fn write_board_rows(board: &Board, blank: &str, out: &mut Vec<u8>) {
    let (cols, width) = (board.shape().cols(), label_width(board));
    for row in board.tiles().chunks(cols) {
        for (col, tile) in row.iter().enumerate() {
            let between = if col == 0 { "" } else { " " };
            // Writing to a vector cannot fail.
            let _ = match tile.label() {
                0 => write!(out, "{between}{blank:>width$}"),
                label => write!(out, "{between}{label:>width$}"),
            };
        }
        out.push(b'\n');
    }
}

/// Returns the number of digits of the largest tile.
pub(super) fn label_width(board: &Board) -> usize {
    (board.shape().cells() - 1).to_string().len()
}

/// Writes every board and, at the end, the number of moves. If `names_moves`, the name of each move
/// comes before the board that it leads to.
///
/// # Errors
/// When `out` cannot be written.
pub fn write_frames(steps: &Walkthrough, names_moves: bool, out: &mut impl Write) -> std::io::Result<()> {
    let mut text = Vec::new();
    for (at, board) in steps.boards().enumerate() {
        if let Some(name) = steps.move_name(at).filter(|_| names_moves) {
            writeln!(text, "move {at}: {name}")?;
        }
        write_board_rows(&board, "0", &mut text);
        text.push(b'\n');
        out.write_all(&text)?;
        text.clear();
    }
    writeln!(out, "{}", steps.moves())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::board::{Shape, Tile};

    /// Creates a walkthrough from labels and a path.
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
        let boards: Vec<String> = steps.boards().map(|board| board.to_string()).collect();
        assert_eq!(boards, ["1 0 2/4 5 3", "1 2 0/4 5 3", "1 2 3/4 5 0"]);
        assert_eq!(steps.tile_moves().collect::<Vec<_>>(), [(2, Cell::new(1)), (3, Cell::new(2))]);
        let names = [0, 1, 2, 3].map(|at| steps.move_name(at));
        assert_eq!(names, [None, Some("R".into()), Some("D".into()), None]);
        let moved = [0, 1, 2].map(|at| steps.moved_tile_cell(at));
        assert_eq!(moved, [None, Some(Cell::new(1)), Some(Cell::new(2))]);
    }

    #[test]
    fn invalid_paths_are_rejected() {
        let solved = walkthrough(1, 3, &[1, 2, 0], &[1, 2, 0], "");
        let wrong = Walkthrough::new(solved.start(), solved.goal(), &"L".parse().unwrap(), Spelling::default());
        assert_eq!(wrong.unwrap_err(), replay::Fault::NotGoal);
    }

    /// A path of many boards, few of which are stored.
    #[test]
    fn boards_that_are_not_stored_are_computed() {
        let row: Vec<usize> = (1..40).chain([0]).collect();
        let path = "LR".repeat(100);
        let steps = walkthrough(1, 40, &row, &row, &path);
        assert!(steps.stored.len() < 20, "{}", steps.stored.len());
        for (at, board) in steps.boards().enumerate() {
            assert_eq!(steps.board(at), Some(board), "{at}");
        }
        assert_eq!((steps.boards().count(), steps.board(201), steps.move_name(200)), (201, None, Some("R".into())));
    }

    fn text(steps: &Walkthrough, names_moves: bool) -> String {
        let mut out = Vec::new();
        write_frames(steps, names_moves, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn every_board_then_the_number_of_moves() {
        let steps = walkthrough(2, 3, &[1, 0, 2, 4, 5, 3], &[1, 2, 3, 4, 5, 0], "RD");
        assert_eq!(text(&steps, false), "1 0 2\n4 5 3\n\n1 2 0\n4 5 3\n\n1 2 3\n4 5 0\n\n2\n");
        let named = "1 0 2\n4 5 3\n\nmove 1: R\n1 2 0\n4 5 3\n\nmove 2: D\n1 2 3\n4 5 0\n\n2\n";
        assert_eq!(text(&steps, true), named);
    }

    #[test]
    fn cells_are_as_wide_as_the_largest_number() {
        let row: Vec<usize> = (1..11).chain([0, 11]).collect();
        let goal: Vec<usize> = (1..12).chain([0]).collect();
        let steps = walkthrough(1, 12, &row, &goal, "R");
        let expected = " 1  2  3  4  5  6  7  8  9 10  0 11\n\n 1  2  3  4  5  6  7  8  9 10 11  0\n\n1\n";
        assert_eq!(text(&steps, false), expected);
    }
}
