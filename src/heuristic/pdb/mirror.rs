//! The mirror images of a board's cells.

use crate::board::{Cell, MAX_SEARCH_CELLS, Shape, State, Symmetry};

/// The mirror image of every cell.
pub(crate) type Images = [u8; MAX_SEARCH_CELLS];

/// Returns a reflection of a shape that keeps a cell in its place, if there is one: in the main
/// diagonal, or else in the middle column or row. Other symmetries are not needed, because frames
/// are canonical.
pub(super) fn mirror(shape: Shape, fixed: Cell) -> Option<Images> {
    let keeps = |mirror: &Symmetry| mirror.cell(shape, fixed) == fixed;
    let diagonal = (shape.rows() == shape.cols()).then_some(Symmetry::TRANSPOSITION);
    let mut mirrors = diagonal.into_iter().chain([Symmetry::FLIPPED_COLS, Symmetry::FLIPPED_ROWS]);
    mirrors.find(keeps).map(|mirror| images(shape, mirror))
}

/// Returns the reflection in the main diagonal, if the shape is square.
pub(super) fn transposition(shape: Shape) -> Option<Images> {
    (shape.rows() == shape.cols()).then(|| images(shape, Symmetry::TRANSPOSITION))
}

fn images(shape: Shape, mirror: Symmetry) -> Images {
    let mut images = [0; MAX_SEARCH_CELLS];
    for (slot, cell) in images.iter_mut().zip(mirror.cells(shape)) {
        *slot = cell.index() as u8;
    }
    images
}

/// Returns the mirror image of a state on a board of this shape.
pub(super) fn mirrored(images: &Images, shape: Shape, state: &State) -> State {
    let mut homes = [0; MAX_SEARCH_CELLS];
    for (cell, &home) in state.homes(shape.cells()).iter().enumerate() {
        homes[usize::from(images[cell])] = images[usize::from(home)];
    }
    State::from_homes(homes, Cell::new(usize::from(images[state.blank().index()])))
}
