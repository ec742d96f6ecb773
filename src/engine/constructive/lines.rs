//! The order in which lines are finished. Each finished line shortens the longer side of the
//! unfinished rectangle, until at most 3 × 3 cells remain.
//!
//! The blank's home must stay in the rectangle to the end, so lines are taken from the sides
//! farther from it: top and left for the usual goal, all four in rotation if the blank's home is in
//! the middle.

use super::field::{Place, place_of};
use crate::board::{Cell, Shape};

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
    pub(in crate::engine) fn place(&self, number: usize) -> Place {
        self.start.wrapping_add_signed(number as isize * self.along)
    }

    /// Returns the last `width` places of the line and of the lines next to it, `depth` lines in
    /// all. The first is the line's end. Some may be off the board.
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
    /// Returns the rectangle of the whole board. Rows are numbered from 1, as in places.
    pub(in crate::engine) fn of(shape: Shape, goal_blank: Cell) -> Rest {
        let blank = place_of(shape, goal_blank);
        Rest { top: 1, bottom: shape.rows(), left: 0, right: shape.cols() - 1, blank: (blank >> 8, blank & 255) }
    }

    /// Returns the rectangle that is left when at most `max_cells` cells are unfinished.
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
    /// rectangle is small enough to be solved directly.
    pub(in crate::engine) fn take_line(&mut self, max_cells: usize) -> Option<Line> {
        let (height, width) = (self.shape().rows(), self.shape().cols());
        if self.shape().cells() <= max_cells || height.max(width) <= 3 {
            return None;
        }
        let (row, col) = self.blank;
        let line = if height >= width {
            let upper = row - self.top >= self.bottom - row;
            let start = if upper { self.top << 8 | self.left } else { self.bottom << 8 | self.left };
            if upper {
                self.top += 1
            } else {
                self.bottom -= 1
            }
            Line { start, along: 1, inward: if upper { 256 } else { -256 }, len: width }
        } else {
            let left = col - self.left >= self.right - col;
            let start = self.top << 8 | if left { self.left } else { self.right };
            if left {
                self.left += 1
            } else {
                self.right -= 1
            }
            Line { start, along: 256, inward: if left { 1 } else { -1 }, len: height }
        };
        Some(line)
    }
}
