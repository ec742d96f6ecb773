//! From the bytes of one record to a puzzle: a file for each kind of layout.

mod csv;
mod grid;
mod json;
mod pair;
mod spelling;
mod text;

pub use csv::CsvColumns;

use super::chunk::{ParseError, Puzzle, Source};
use super::layout::Layout;
use crate::board::tokens::BLANKS;
use crate::board::{Board, GoalSpec, Shape, Tile};
use spelling::Spelled;

/// What a record says.
pub struct Parsed {
    /// Its name, as JSON.
    pub id: Option<Box<str>>,
    /// What it asks.
    pub puzzle: Result<Puzzle, ParseError>,
}

impl From<Result<Puzzle, ParseError>> for Parsed {
    #[inline]
    fn from(puzzle: Result<Puzzle, ParseError>) -> Parsed {
        Parsed { id: None, puzzle }
    }
}

/// Reads a record that the cutter found.
#[inline]
pub fn record(bytes: &[u8], source: &Source) -> Parsed {
    match source.layout {
        Layout::Line | Layout::Digits => text::record(bytes.strip_suffix(b"\n").unwrap_or(bytes), source),
        Layout::Grid => grid::grid(bytes, source).into(),
        Layout::Sized => grid::sized(bytes).into(),
        Layout::Pair => pair::record(bytes, source).into(),
        Layout::Json => json::record(bytes, source),
        Layout::Csv => csv::record(bytes, source),
    }
}

impl Puzzle {
    /// A board whose goal is the source's.
    #[inline]
    fn of(board: Board) -> Puzzle {
        Puzzle { board, goal: None }
    }

    /// A board with a goal that is a name or a board.
    fn with_goal_text(board: Board, text: &[u8]) -> Result<Puzzle, ParseError> {
        let in_words = |byte: &u8| byte.is_ascii_alphabetic() && !BLANKS.contains(byte);
        if text.iter().any(in_words) {
            let name = String::from_utf8_lossy(text);
            let goal: GoalSpec = name.parse().map_err(ParseError::new)?;
            return Ok(Puzzle { board, goal: Some(goal) });
        }
        let goal = Spelled::read(text, Some(board.shape())).map_err(in_goal)?;
        Puzzle::with_goal(board, &goal)
    }

    /// A board with a goal that was written down as a board.
    fn with_goal(board: Board, goal: &Spelled) -> Result<Puzzle, ParseError> {
        goal.board(Some(board.shape()), None).map_err(in_goal)?;
        Ok(Puzzle { board, goal: Some(GoalSpec::of_tiles(&goal.tiles)) })
    }
}

/// What is wrong is wrong with the goal.
fn in_goal(wrong: ParseError) -> ParseError {
    ParseError::new(format_args!("the goal: {wrong}"))
}

/// The board that tiles make: of its own shape, else of the known one, else square.
#[inline]
fn board_of(tiles: &[Tile], own: Option<Shape>, known: Option<Shape>) -> Result<Board, ParseError> {
    let shape = own.or(known).or_else(|| Shape::square_of(tiles.len()));
    let Some(shape) = shape else {
        return Err(ParseError::new(format_args!(
            "found {}; a board has a square number of them unless --shape says otherwise",
            counted(tiles.len(), "tile")
        )));
    };
    Board::new(shape, tiles).map_err(ParseError::new)
}

/// `1 tile`, `2 tiles`.
fn counted(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
