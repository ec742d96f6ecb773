//! Input boards: NumPy arrays, Arrow arrays, and lists of anything that can be read as a board.
//!
//! A [`Source`] keeps the caller's data alive. Its [`Rows`] are read without the GIL. NumPy
//! arrays of integers are read in blocks, whatever their type and strides. Only misaligned arrays
//! and arrays in non-native byte order are copied first.

mod arrow;
mod dense;
mod items;
mod label;
mod source;

use std::ops::Range;

use taquin::{Board, Shape, Tile};

use crate::errors::InvalidBoard;
pub use items::board_of;
pub use source::{KeptBoards, Source};

/// The content of a row.
#[derive(Clone, Debug)]
pub enum Row {
    /// A null, which has no answer.
    Null,
    /// A board.
    Board(Board),
    /// The reason why the row is not a board.
    Invalid(InvalidBoard),
}

/// Many boards, readable on any thread.
pub trait Rows: Send + Sync {
    /// Returns the number of rows.
    fn len(&self) -> usize;

    /// Returns the shape of the boards, if all rows that are not null are numbers and share a
    /// shape. The rows can then be read in blocks.
    fn shape(&self) -> Option<Shape>;

    /// Returns the labels of a block of rows, concatenated, with 255 for labels that do not fit in
    /// a byte and for all labels of null rows and rows with nulls. The rows must share a shape, of
    /// fewer than 255 cells.
    fn bytes<'a>(&'a self, rows: Range<usize>, buffer: &'a mut Vec<u8>) -> &'a [u8];

    /// Replaces the contents of the buffer with the labels of a block of rows, which must share a
    /// shape of any size. `u16::MAX` stands for labels that do not fit in 16 bits, and for all
    /// labels of null rows and rows with nulls.
    fn labels(&self, rows: Range<usize>, buffer: &mut Vec<u16>);

    /// Returns one row.
    fn row(&self, row: usize) -> Row;
}

/// Converts the labels of a row to a board. `as_text` formats the original numbers for an error.
fn board_of_labels(shape: Shape, labels: &[u16], as_text: impl FnOnce() -> String) -> Row {
    let tiles: Option<Vec<Tile>> = labels.iter().map(|&label| Tile::try_new(label.into())).collect();
    let board = tiles.map(|tiles| Board::new(shape, &tiles));
    match board {
        Some(Ok(board)) => Row::Board(board),
        Some(Err(error)) => Row::Invalid(InvalidBoard::tiles(&error, as_text(), shape)),
        None => {
            let last = shape.cells() - 1;
            Row::Invalid(InvalidBoard {
                reason: format!("a number is out of range: the tiles of a {shape} board are 0 to {last}"),
                found: as_text(),
                expected: format!("the numbers 0 to {last}, each once, for a board of {shape}"),
            })
        }
    }
}

/// Returns the shape of boards of `cells` numbers: the requested one, or by default a square.
fn shape_of_cells(cells: usize, requested: Option<Shape>) -> Result<Shape, InvalidBoard> {
    let found = || format!("{cells} numbers");
    match requested {
        Some(shape) if shape.cells() == cells => Ok(shape),
        Some(shape) => Err(InvalidBoard {
            reason: format!("the numbers do not fill a {shape} board"),
            found: found(),
            expected: format!("{} numbers", shape.cells()),
        }),
        None => Shape::square_of(cells).ok_or_else(|| InvalidBoard {
            reason: format!("{cells} numbers do not fill a square"),
            found: found(),
            expected: "rows, or shape=(rows, cols)".into(),
        }),
    }
}

/// Returns the shape with these rows and columns, or an error if another shape was requested.
fn shape_of_rows(rows: usize, cols: usize, requested: Option<Shape>) -> Result<Shape, InvalidBoard> {
    let expected =
        || requested.map_or_else(|| "1 to 255 rows and columns".into(), |shape| format!("a board of {shape}"));
    let wrong =
        |reason: String| InvalidBoard { reason, found: format!("{rows} rows of {cols} numbers"), expected: expected() };
    let shape = Shape::new(rows, cols).ok_or_else(|| wrong("a board cannot have this size".into()))?;
    match requested {
        Some(requested) if requested != shape => Err(wrong("the board does not have the requested shape".into())),
        _ => Ok(shape),
    }
}
