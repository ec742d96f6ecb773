//! The puzzle of a record, with its goal laid out.

use crate::board::Board;
use crate::format::input::{ParseError, Puzzle, Source};

/// Board and goal of a record: its own goal, or else that of its source.
///
/// # Errors
/// When no board could be read, or the goal does not fit it.
pub fn board_and_goal(puzzle: Result<Puzzle, ParseError>, source: &Source) -> Result<(Board, Board), String> {
    let Puzzle { board, goal } = puzzle.map_err(|error| error.to_string())?;
    match goal.as_ref().unwrap_or(&source.goal).on(board.shape()) {
        Ok(goal) => Ok((board, goal)),
        Err(error) => Err(format!("goal: {error}")),
    }
}
