//! What a parser finds in a record: an id, and a board with or without a goal of its own.

use super::super::record::{ParseError, Puzzle};
use super::board_tiles::BoardTiles;
use crate::board::tokens::BLANKS;
use crate::board::{Board, Goal};
use crate::format::passing::Passed;

/// A record that was parsed.
pub struct Parsed {
    /// Its id, as JSON.
    pub id: Option<Box<str>>,
    /// Its own fields that go into its result.
    pub passed: Passed,
    /// The board and its goal, or why they cannot be read.
    pub puzzle: Result<Puzzle, ParseError>,
}

impl From<Result<Puzzle, ParseError>> for Parsed {
    #[inline]
    fn from(puzzle: Result<Puzzle, ParseError>) -> Parsed {
        Parsed { id: None, passed: Passed::default(), puzzle }
    }
}

impl Puzzle {
    /// A board whose goal is the source's.
    #[inline]
    pub(super) fn of(board: Board) -> Puzzle {
        Puzzle { board, goal: None }
    }

    /// A board with a goal that is a name or a board.
    pub(super) fn with_goal_text(board: Board, text: &[u8]) -> Result<Puzzle, ParseError> {
        let in_words = |byte: &u8| byte.is_ascii_alphabetic() && !BLANKS.contains(byte);
        if text.iter().any(in_words) {
            let name = String::from_utf8_lossy(text);
            let goal: Goal = name.parse().map_err(ParseError::new)?;
            return Ok(Puzzle { board, goal: Some(goal) });
        }
        let goal = BoardTiles::read(text, Some(board.shape())).map_err(in_goal)?;
        Puzzle::with_goal(board, &goal)
    }

    /// A board with a goal that was written down as a board.
    pub(super) fn with_goal(board: Board, goal: &BoardTiles) -> Result<Puzzle, ParseError> {
        goal.board(Some(board.shape()), None).map_err(in_goal)?;
        Ok(Puzzle { board, goal: Some(Goal::of_tiles(&goal.tiles)) })
    }
}

/// The same error, with the goal named as its place.
pub fn in_goal(wrong: ParseError) -> ParseError {
    ParseError::new(format_args!("the goal: {wrong}"))
}
