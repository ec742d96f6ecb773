//! SVG images of boards and solutions.

use super::show::{self, Walkthrough};
use crate::board::{Board, Path};
use crate::format::spelling::Spelling;
use crate::solver::Solution;

/// Returns a solution as a self-contained SVG file. Every move slides a tile, and the animation
/// repeats.
pub fn animated(solution: &Solution) -> String {
    match moving(solution.board(), solution.path()) {
        Some(picture) => picture,
        None => unreachable!("the path of a solution is valid"),
    }
}

/// Returns an animated SVG file of a path that starts at a board and ends anywhere; `None` if a
/// move leaves the board.
pub fn moving(board: &Board, path: &Path) -> Option<String> {
    let mut goal = board.clone();
    if !path.moves().all(|step| goal.make(step)) {
        return None;
    }
    Walkthrough::new(board, &goal, path, Spelling::default()).ok().map(|steps| show::animated(&steps))
}

/// Returns a board as an SVG file with a caption. The goal determines the shades of the tiles.
///
/// # Panics
/// If the boards have different shapes.
pub fn still(board: &Board, goal: &Board, caption: &str) -> String {
    assert_eq!(board.shape(), goal.shape(), "a board and a goal of different shapes");
    show::still(board, goal, caption)
}
