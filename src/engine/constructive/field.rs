//! The board during construction: the content of each cell, the finished cells, and the moves so
//! far.
//!
//! Cells are numbered with 256 columns per row and surrounded by a wall: `place = (row + 1) << 8 |
//! column`. So row and column are a shift and a mask, and no step checks for the edge. The wall and
//! the finished cells are *fixed*.

use crate::board::{Board, Cell, Move, Path, Shape};

/// A cell in this numbering.
pub(in crate::engine) type Place = usize;

/// The change of a place by a move, in the order of [`crate::board::Move::ALL`]: down, left, right,
/// up.
pub(super) const STEPS: [isize; 4] = [256, -1, 1, -256];

/// Returns the number of steps from one place to another if no obstacle is in the way.
#[inline]
pub(super) fn distance(a: Place, b: Place) -> usize {
    (a >> 8).abs_diff(b >> 8) + (a & 255).abs_diff(b & 255)
}

#[inline]
pub(super) fn after(place: Place, direction: usize) -> Place {
    place.wrapping_add_signed(STEPS[direction])
}

pub(super) struct Field {
    /// By place: the home of the tile in it.
    home: Vec<u16>,
    /// By home: the place of its tile.
    at: Vec<u16>,
    /// True for finished places and the wall.
    pub(super) fixed: Vec<bool>,
    pub(super) blank: Place,
    /// The moves so far. No move is followed by its inverse.
    pub(super) path: Path,
}

impl Field {
    /// Converts a board, renaming its tiles by their homes.
    pub(super) fn new(board: &Board, goal: &Board) -> Field {
        let shape = board.shape();
        let places = (shape.rows() + 2) << 8;
        let home_of = goal.homes();
        let mut field = Field {
            home: vec![0; places],
            at: vec![0; places],
            fixed: vec![true; places],
            blank: place_of(shape, board.blank()),
            path: Path::new(),
        };
        for (cell, tile) in board.tiles().iter().enumerate() {
            let (here, home) = (place_of(shape, Cell::new(cell)), place_of(shape, home_of[tile.label()]));
            field.home[here] = home as u16;
            field.at[home] = here as u16;
            field.fixed[here] = false;
        }
        field
    }

    /// Returns the home of the tile in a place.
    #[inline]
    pub(super) fn home(&self, place: Place) -> Place {
        usize::from(self.home[place])
    }

    /// Returns the place of the tile with this home.
    #[inline]
    pub(super) fn at(&self, home: Place) -> Place {
        usize::from(self.at[home])
    }

    /// Moves the blank. If the move undoes the previous one, the path contains neither.
    #[inline]
    pub(super) fn step(&mut self, direction: usize) {
        let to = after(self.blank, direction);
        debug_assert!(!self.fixed[to], "the blank never enters a fixed cell");
        let (tile, blank) = (self.home[to], self.home[self.blank]);
        self.home[self.blank] = tile;
        self.home[to] = blank;
        self.at[usize::from(tile)] = self.blank as u16;
        self.at[usize::from(blank)] = to as u16;
        self.blank = to;
        self.path.push_or_cancel(Move::from_index(direction as u8));
    }
}

/// Returns the place of a cell.
pub(in crate::engine) fn place_of(shape: Shape, cell: Cell) -> Place {
    (shape.row(cell) + 1) << 8 | shape.col(cell)
}

/// Returns the cell of a place: the inverse of [`place_of`].
pub(in crate::engine) fn cell_of(shape: Shape, place: Place) -> Cell {
    shape.cell((place >> 8) - 1, place & 255)
}
