//! The mirror images of a board's cells.

use crate::board::{Cell, MAX_SEARCH_CELLS, Shape};

/// The mirror image of every cell.
pub(crate) type Images = [u8; MAX_SEARCH_CELLS];

/// Returns a reflection of a shape that keeps a cell in its place, if there is one: in the main
/// diagonal, or else in the middle column or row. Other symmetries are not needed, because frames
/// are canonical.
pub(super) fn mirror(shape: Shape, fixed: Cell) -> Option<Images> {
    let (rows, cols) = (shape.rows(), shape.cols());
    let (row, col) = (shape.row(fixed), shape.col(fixed));
    if rows == cols && row == col {
        transposition(shape)
    } else if 2 * col + 1 == cols {
        Some(images(shape, |r, c| (r, cols - 1 - c)))
    } else if 2 * row + 1 == rows {
        Some(images(shape, |r, c| (rows - 1 - r, c)))
    } else {
        None
    }
}

/// Returns the reflection in the main diagonal, if the shape is square.
pub(super) fn transposition(shape: Shape) -> Option<Images> {
    (shape.rows() == shape.cols()).then(|| images(shape, |row, col| (col, row)))
}

fn images(shape: Shape, image: impl Fn(usize, usize) -> (usize, usize)) -> Images {
    let mut images = [0; MAX_SEARCH_CELLS];
    for (cell, slot) in images.iter_mut().enumerate().take(shape.cells()) {
        let cell = Cell::new(cell);
        let (row, col) = image(shape.row(cell), shape.col(cell));
        *slot = shape.cell(row, col).index() as u8;
    }
    images
}
