//! The board during construction: a [`Field`] has the content of each cell, the finished cells and
//! the moves so far. The [`Rest`] is the rectangle that is not finished, and gives the next
//! [`Line`] to be finished.
//!
//! Cells are numbered with 256 columns per row and surrounded by a wall: `place = (row + 1) << 8 |
//! column`. So row and column are a shift and a mask, and no step checks for the edge. The wall and
//! the finished cells are *fixed*.
//!
//! Each finished line shortens the longer side of the unfinished rectangle, until at most 3 × 3
//! cells remain. The blank's home must stay in the rectangle to the end, so lines are taken from
//! the sides farther from it: top and left for the usual goal, all four in rotation if the blank's
//! home is in the middle.

use crate::board::{Board, Cell, Move, Path, Shape};

/// A cell in this numbering.
pub(in crate::engine) type Place = usize;

/// The change of a place by a move: down, left, right, up, as in [`crate::board::Move::ALL`].
pub(super) const STEPS: [isize; 4] = [256, -1, 1, -256];

/// Returns the number of steps from one place to another if no obstacle is in the way.
#[inline]
pub(super) fn distance(a: Place, b: Place) -> usize {
    (a >> 8).abs_diff(b >> 8) + (a & 255).abs_diff(b & 255)
}

/// Returns the place one step away.
#[inline]
pub(super) fn after(place: Place, direction: usize) -> Place {
    place.wrapping_add_signed(STEPS[direction])
}

/// The content of all cells, the finished cells, and the moves so far.
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
    /// Converts a board, renaming its tiles by their homes (goal cells).
    pub(super) fn new(board: &Board, goal: &Board) -> Field {
        let shape = board.shape();
        let places = (shape.rows() + 2) << 8;
        let home_of = goal.cells_by_label();
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

/// A row or column at the edge of the unfinished rectangle.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    start: Place,
    /// The step from one cell of the line to the next.
    along: isize,
    /// The step from the line into the rest of the rectangle.
    inward: isize,
    pub(in crate::engine) len: usize,
}

impl Line {
    /// Returns the place of a cell of the line, by its number from the start.
    pub(in crate::engine) fn place(&self, number: usize) -> Place {
        self.start.wrapping_add_signed(number as isize * self.along)
    }

    /// Returns the last `width` places of the line and of the lines next to it, `depth` lines in
    /// all. The first place is the line's end. Some places may be off the board.
    pub(in crate::engine) fn end(&self, width: usize, depth: usize) -> impl Iterator<Item = Place> {
        let end = self.place(self.len - 1);
        (0..width * depth).map(move |i| {
            let (along, inward) = ((i % width) as isize, (i / width) as isize);
            end.wrapping_add_signed(inward * self.inward - along * self.along)
        })
    }
}

/// The unfinished rectangle.
#[derive(Clone, Copy, Debug)]
pub struct Rest {
    /// The first and the last row and column.
    top: usize,
    bottom: usize,
    left: usize,
    right: usize,
    /// Row and column of the blank's home.
    blank: (usize, usize),
}

impl Rest {
    /// Returns the rectangle of the whole board. Its first row is row 1, as in places.
    pub(in crate::engine) fn of(shape: Shape, goal_blank: Cell) -> Rest {
        let blank = place_of(shape, goal_blank);
        Rest { top: 1, bottom: shape.rows(), left: 0, right: shape.cols() - 1, blank: (blank >> 8, blank & 255) }
    }

    /// Returns the rectangle that is left when [`Rest::take_line`] takes no more lines.
    pub(in crate::engine) fn after(shape: Shape, goal_blank: Cell, max_cells: usize) -> Rest {
        let mut rest = Rest::of(shape, goal_blank);
        while rest.take_line(max_cells).is_some() {}
        rest
    }

    pub(in crate::engine) fn shape(&self) -> Shape {
        let shape = Shape::new(self.bottom - self.top + 1, self.right - self.left + 1);
        shape.unwrap_or_else(|| unreachable!("a part of a board has a shape"))
    }

    /// Returns the places row by row. A place's number is its index in this list.
    pub(in crate::engine) fn places(&self) -> impl Iterator<Item = Place> + use<> {
        let columns = self.left..=self.right;
        (self.top..=self.bottom).flat_map(move |row| columns.clone().map(move |col| row << 8 | col))
    }

    /// Returns the number of a place; `None` if it is outside.
    pub(super) fn number(&self, place: Place) -> Option<usize> {
        let (row, col) = (place >> 8, place & 255);
        let is_inside = (self.top..=self.bottom).contains(&row) && (self.left..=self.right).contains(&col);
        is_inside.then(|| (row - self.top) * self.shape().cols() + col - self.left)
    }

    /// Returns the blank's home on the rectangle as a separate board.
    pub(in crate::engine) fn goal_blank(&self) -> Cell {
        let (row, col) = self.blank;
        self.shape().cell(row - self.top, col - self.left)
    }

    /// Removes the next line. Returns `None` if at most `max_cells` cells are left, or if the
    /// rectangle is at most 3 × 3. With 0, only the second condition applies.
    pub(in crate::engine) fn take_line(&mut self, max_cells: usize) -> Option<Line> {
        let (height, width) = (self.shape().rows(), self.shape().cols());
        if self.shape().cells() <= max_cells || height.max(width) <= 3 {
            return None;
        }
        let (row, col) = self.blank;
        let is_row = height >= width;
        // The top or left line, unless the blank's home is nearer to it.
        let is_first = if is_row { row - self.top >= self.bottom - row } else { col - self.left >= self.right - col };
        let (along, inward, len) = if is_row { (1, 256, width) } else { (256, 1, height) };
        let (row, col) = match (is_row, is_first) {
            (true, false) => (self.bottom, self.left),
            (false, false) => (self.top, self.right),
            (_, true) => (self.top, self.left),
        };
        match (is_row, is_first) {
            (true, true) => self.top += 1,
            (true, false) => self.bottom -= 1,
            (false, true) => self.left += 1,
            (false, false) => self.right -= 1,
        }
        Some(Line { start: row << 8 | col, along, inward: if is_first { inward } else { -inward }, len })
    }
}
