//! Pictures of boards and solutions, for those who have neither a terminal nor a path of their own to draw.

use super::show::{self, Walkthrough};
use crate::board::Board;
use crate::format::spelling::Spelling;
use crate::solver::Solution;

/// A solution as one SVG file that needs nothing else: every move slides its tile, again and again.
pub fn animated(solution: &Solution) -> String {
    let board = solution.board();
    let mut goal = board.clone();
    solution.path().moves().for_each(|step| _ = goal.make(step));
    match Walkthrough::new(board, &goal, solution.path(), Spelling::default()) {
        Ok(steps) => show::animated(&steps),
        Err(fault) => unreachable!("the path of a solution was replayed: {fault}"),
    }
}

/// A board as SVG, its tiles shaded by their places in a goal of the same shape, with a caption.
///
/// # Panics
/// When the boards have different shapes.
pub fn still(board: &Board, goal: &Board, caption: &str) -> String {
    assert_eq!(board.shape(), goal.shape(), "a board and a goal of different shapes");
    show::still(board, goal, caption)
}
