//! The puzzle of a record, with the goal as a board.

use crate::board::Board;
use crate::format::input::{ParseError, Puzzle, Source};

/// Returns the board and goal of a record. A record without a goal has the goal of its source.
///
/// # Errors
/// When the record is not a valid board, or the goal does not fit it.
pub fn board_and_goal(puzzle: Result<Puzzle, ParseError>, source: &Source) -> Result<(Board, Board), String> {
    let Puzzle { board, goal } = puzzle.map_err(|error| error.to_string())?;
    match goal.as_ref().unwrap_or(&source.goal).on(board.shape()) {
        Ok(goal) => Ok((board, goal)),
        Err(error) => Err(format!("goal: {error}")),
    }
}
