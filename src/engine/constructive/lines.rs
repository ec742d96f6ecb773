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
    pub(in crate::engine) along: isize,
    /// The step from the line into the rest of the rectangle.
    pub(in crate::engine) inward: isize,
    pub(in crate::engine) len: usize,
}

impl Line {
    pub(in crate::engine) fn place(&self, number: usize) -> Place {
        self.start.wrapping_add_signed(number as isize * self.along)
    }
}

/// The unfinished rectangle.
#[derive(Clone, Copy, Debug)]
pub struct Rest {
    /// The first and the last row and column.
    pub(super) top: usize,
    pub(super) bottom: usize,
    pub(super) left: usize,
    pub(super) right: usize,
    /// Row and column of the blank's home.
    blank: (usize, usize),
}

impl Rest {
    /// Returns the rectangle of the whole board. Rows are numbered from 1, as in places.
    pub(in crate::engine) fn of(shape: Shape, goal_blank: Cell) -> Rest {
        let blank = place_of(shape, goal_blank);
        Rest { top: 1, bottom: shape.rows(), left: 0, right: shape.cols() - 1, blank: (blank >> 8, blank & 255) }
    }

    pub(in crate::engine) fn height(&self) -> usize {
        self.bottom - self.top + 1
    }

    pub(in crate::engine) fn width(&self) -> usize {
        self.right - self.left + 1
    }

    /// Removes the next line. Returns `None` if the rectangle is small enough to be solved
    /// directly.
    pub(in crate::engine) fn take_line(&mut self) -> Option<Line> {
        let (height, width) = (self.height(), self.width());
        if height.max(width) <= 3 {
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
