//! Pictures of boards and solutions, for those who have neither a terminal nor a path of their own to draw.

use super::show::{self, Walkthrough};
use crate::board::{Board, Path};
use crate::format::spelling::Spelling;
use crate::solver::Solution;

/// A solution as one SVG file that needs nothing else: every move slides its tile, again and again.
pub fn animated(solution: &Solution) -> String {
    match moving(solution.board(), solution.path()) {
        Some(picture) => picture,
        None => unreachable!("the path of a solution was replayed"),
    }
}

/// The same for a board and a path from elsewhere; `None` where a move leads off the board.
pub fn moving(board: &Board, path: &Path) -> Option<String> {
    let mut goal = board.clone();
    if !path.moves().all(|step| goal.make(step)) {
        return None;
    }
    Walkthrough::new(board, &goal, path, Spelling::default()).ok().map(|steps| show::animated(&steps))
}

/// A board as SVG, its tiles shaded by their places in a goal of the same shape, with a caption.
///
/// # Panics
/// When the boards have different shapes.
pub fn still(board: &Board, goal: &Board, caption: &str) -> String {
    assert_eq!(board.shape(), goal.shape(), "a board and a goal of different shapes");
    show::still(board, goal, caption)
}
