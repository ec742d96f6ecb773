//! A start and a goal on two lines, a size line before them or not.

use super::super::cut::pair_size;
use super::super::record::{ParseError, Puzzle};
use super::super::source::Source;
use super::super::text_lines::{lines, without_comment};
use super::board_tiles::BoardTiles;
use super::parsed::in_goal;
use super::writing::Writing;
use crate::board::Board;

/// Reads two lines, or three.
pub fn record(record: &[u8], source: &Source) -> Result<Puzzle, ParseError> {
    let mut lines = lines(record).map(without_comment).peekable();
    let size = lines.peek().and_then(|line| pair_size(line, source.shape));
    if size.is_some() {
        lines.next();
    }
    let known = size.or(source.shape);
    let start = lines.next().ok_or_else(|| ParseError::new("found a size, but no start and no goal behind it"))?;
    let board = BoardTiles::read(start, known)?.board(size, source.shape)?;
    let goal = lines.next().ok_or_else(|| ParseError::new("found a start, but no goal on the line behind it"))?;
    Puzzle::with_goal(board, &BoardTiles::read(goal, known).map_err(in_goal)?)
}

/// Writes two lines, or three.
pub fn write(board: &Board, goal: &Board, how: &Writing, out: &mut Vec<u8>) {
    if how.style.side_of_pairs {
        how.size(board.shape(), out);
    }
    how.line(board, how.style.between_tiles, out);
    how.line(goal, how.style.between_tiles, out);
}
