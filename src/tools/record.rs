//! Functions for reading the records of a run, and for finding the board and goal of each.

use crate::board::Board;
use crate::format::input::{Chunk, ParseError, Puzzle, Reader, Source};

/// Returns the next chunk, of at most `max_records` records and about `max_bytes` bytes; `None` at
/// the end. Inputs that cannot be read are counted in `failed_inputs`. `warn` receives the reasons,
/// and all other warnings about the inputs.
pub fn next_chunk(
    reader: &mut Reader,
    (max_records, max_bytes): (usize, usize),
    failed_inputs: &mut u64,
    warn: &mut dyn FnMut(&str),
) -> Option<Chunk> {
    let chunk = loop {
        match reader.next_chunk(max_records, max_bytes, Vec::new()).transpose() {
            Ok(chunk) => break chunk,
            Err(error) => {
                warn(&error.to_string());
                *failed_inputs += 1;
            }
        }
    };
    reader.take_warnings().iter().for_each(|warning| warn(warning));
    chunk
}

/// Returns the board and goal of a record. A record without a goal has the goal of its source.
///
/// # Errors
/// When the record is not a valid board, or the goal does not fit the board.
pub fn board_and_goal(puzzle: Result<Puzzle, ParseError>, source: &Source) -> Result<(Board, Board), String> {
    let Puzzle { board, goal } = puzzle.map_err(|error| error.to_string())?;
    match goal.as_ref().unwrap_or(&source.goal).on(board.shape()) {
        Ok(goal) => Ok((board, goal)),
        Err(error) => Err(format!("goal: {error}")),
    }
}
