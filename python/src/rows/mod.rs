//! Boards as they come: NumPy arrays, Arrow arrays, lists of anything that is a board.
//!
//! A [`Source`] keeps what the caller gave alive; its [`Rows`] are read without the GIL. Numbers are not copied: they are
//! read where they are, a block at a time, whatever their type and strides.

mod arrow;
mod dense;
mod items;
mod label;
mod source;

use std::ops::Range;

use taquin::{Board, Shape, Tile};

use crate::errors::Wrong;
pub use items::board_of;
pub use source::{Kept, Source};

/// One of many boards.
#[derive(Clone, Debug)]
pub enum Row {
    /// A null, which has no answer.
    Null,
    /// A board.
    Board(Board),
    /// What is none, and why.
    Wrong(Wrong),
}

/// Many boards, to be read on any thread.
pub trait Rows: Send + Sync {
    /// How many there are.
    fn len(&self) -> usize;

    /// The shape of all of them, where they are numbers and all have the same; then they can be read in blocks.
    fn shape(&self) -> Option<Shape>;

    /// The labels of a block of rows, one behind the other; 255 for what fits no byte and for rows that are none. For
    /// boards of fewer than 255 cells.
    fn bytes<'a>(&'a self, rows: Range<usize>, buffer: &'a mut Vec<u8>) -> &'a [u8];

    /// The same for boards of any size, with the greatest number for what is no label.
    fn labels(&self, rows: Range<usize>, buffer: &mut Vec<u16>);

    /// A row by itself.
    fn row(&self, row: usize) -> Row;
}

/// The board of a row of numbers; `as_text` says what was found, if it is none.
fn board_of_labels(shape: Shape, labels: &[u16], as_text: impl FnOnce() -> String) -> Row {
    let tiles: Option<Vec<Tile>> = labels.iter().map(|&label| Tile::try_new(label.into())).collect();
    let made = tiles.map(|tiles| Board::new(shape, &tiles));
    match made {
        Some(Ok(board)) => Row::Board(board),
        Some(Err(error)) => Row::Wrong(Wrong::tiles(&error, as_text(), shape)),
        None => {
            let last = shape.cells() - 1;
            Row::Wrong(Wrong {
                reason: format!("a number is out of range: the tiles of a {shape} board are 0 to {last}"),
                found: as_text(),
                expected: format!("the numbers 0 to {last}, each once, for a board of {shape}"),
            })
        }
    }
}

/// The shape of boards of so many numbers, as asked for or square.
fn shape_of_cells(cells: usize, asked: Option<Shape>) -> Result<Shape, Wrong> {
    let found = || format!("{cells} numbers");
    match asked {
        Some(shape) if shape.cells() == cells => Ok(shape),
        Some(shape) => Err(Wrong {
            reason: format!("the numbers do not fill a {shape} board"),
            found: found(),
            expected: format!("{} numbers", shape.cells()),
        }),
        None => Shape::square_of(cells).ok_or_else(|| Wrong {
            reason: format!("{cells} numbers do not fill a square"),
            found: found(),
            expected: "rows, or shape=(rows, cols)".into(),
        }),
    }
}

/// The shape of boards of so many rows and columns, which must be the one that was asked for, if any.
fn shape_of_rows(rows: usize, cols: usize, asked: Option<Shape>) -> Result<Shape, Wrong> {
    let expected = || asked.map_or_else(|| "1 to 255 rows and columns".into(), |shape| format!("a board of {shape}"));
    let wrong =
        |reason: String| Wrong { reason, found: format!("{rows} rows of {cols} numbers"), expected: expected() };
    let shape = Shape::new(rows, cols).ok_or_else(|| wrong("there is no board of this size".into()))?;
    match asked {
        Some(asked) if asked != shape => Err(wrong("the board has another shape than was asked for".into())),
        _ => Ok(shape),
    }
}
