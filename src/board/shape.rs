//! The shape of a board, and its cells.

use std::fmt;

use super::{Error, Move};

/// A position on a board, counted row by row from 0 at the top left.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Cell(u16);

impl Cell {
    /// Returns the cell with this number.
    #[inline]
    pub fn new(index: usize) -> Cell {
        debug_assert!(index <= usize::from(u16::MAX));
        Cell(index as u16)
    }

    /// Returns the number of the cell.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Maximum number of cells of a board that is searched for shortest paths. Larger boards can be
/// read, tested for solvability and given good paths.
pub const MAX_SEARCH_CELLS: usize = 25;

/// The number of rows and the number of columns of a board, each from 1 to 255.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shape {
    rows: u8,
    cols: u8,
}

impl Shape {
    /// Maximum number of rows, and of columns.
    pub const MAX_SIDE: usize = 255;

    /// Returns the shape of `rows` × `cols`; `None` unless both are in 1..=255.
    pub const fn new(rows: usize, cols: usize) -> Option<Shape> {
        if rows == 0 || cols == 0 || rows > Self::MAX_SIDE || cols > Self::MAX_SIDE {
            return None;
        }
        Some(Shape { rows: rows as u8, cols: cols as u8 })
    }

    /// Returns the square shape with this many cells; `None` unless the number is the square of a
    /// side in 1..=255.
    pub fn square_of(cells: usize) -> Option<Shape> {
        let side = cells.isqrt();
        if side * side == cells { Shape::new(side, side) } else { None }
    }

    /// Returns the number of rows.
    #[inline]
    pub const fn rows(self) -> usize {
        self.rows as usize
    }

    /// Returns the number of columns.
    #[inline]
    pub const fn cols(self) -> usize {
        self.cols as usize
    }

    /// Returns the number of cells: rows × columns.
    #[inline]
    pub const fn cells(self) -> usize {
        self.rows as usize * self.cols as usize
    }

    /// Returns the row of a cell, counted from 0 at the top.
    #[inline]
    pub fn row(self, cell: Cell) -> usize {
        cell.index() / self.cols()
    }

    /// Returns the column of a cell, counted from 0 at the left.
    #[inline]
    pub fn col(self, cell: Cell) -> usize {
        cell.index() % self.cols()
    }

    /// Returns the cell in the given row and column, each counted from 0. Both must be on the
    /// board.
    #[inline]
    pub fn cell(self, row: usize, col: usize) -> Cell {
        debug_assert!(row < self.rows() && col < self.cols());
        Cell::new(row * self.cols() + col)
    }

    /// Returns the cell that the blank enters when it makes the move `step` from `cell`; `None`
    /// if the move leads off the board.
    #[inline]
    pub fn neighbour(self, cell: Cell, step: Move) -> Option<Cell> {
        let (at, cols) = (cell.index(), self.cols());
        let to = match step {
            Move::Down if at + cols < self.cells() => at + cols,
            Move::Up if at >= cols => at - cols,
            Move::Left if at % cols > 0 => at - 1,
            Move::Right if at % cols + 1 < cols => at + 1,
            _ => return None,
        };
        Some(Cell::new(to))
    }

    /// Returns the neighbours of a cell, in the order of the moves that lead to them.
    pub fn neighbours(self, cell: Cell) -> impl Iterator<Item = Cell> {
        Move::ALL.into_iter().filter_map(move |step| self.neighbour(cell, step))
    }

    /// Returns the Manhattan distance between two cells.
    pub fn distance(self, a: Cell, b: Cell) -> usize {
        self.row(a).abs_diff(self.row(b)) + self.col(a).abs_diff(self.col(b))
    }

    /// Returns the shape with rows and columns exchanged.
    #[must_use]
    pub const fn transposed(self) -> Shape {
        Shape { rows: self.cols, cols: self.rows }
    }

    /// Returns true for a single row or column, where tiles can never pass each other.
    pub const fn is_line(self) -> bool {
        self.rows == 1 || self.cols == 1
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.rows, self.cols)
    }
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Reads rows and columns, `3x4` (also `3X4` and `3×4`), or `4` for `4x4`.
impl std::str::FromStr for Shape {
    type Err = Error;

    fn from_str(text: &str) -> Result<Shape, Error> {
        let wrong =
            || Error::invalid(format!("'{text}' is not a shape: expected ROWSxCOLS, each from 1 to 255, such as 3x4"));
        let (rows, cols) = text.split_once(['x', 'X', '×']).unwrap_or((text, text));
        let side = |side: &str| side.trim().parse::<usize>().map_err(|_| wrong());
        Shape::new(side(rows)?, side(cols)?).ok_or_else(wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn displayed_shapes_parse_back_and_others_are_rejected() {
        for (rows, cols) in [(1, 1), (3, 4), (255, 255)] {
            let shape = Shape::new(rows, cols).unwrap();
            assert_eq!(shape.to_string().parse::<Shape>(), Ok(shape));
        }
        assert_eq!("4".parse::<Shape>(), Ok(Shape::new(4, 4).unwrap()));
        for wrong in ["", "0", "256", "4.", "0x3", "3x", "256x1", "3x4x5", "ax2"] {
            assert!(wrong.parse::<Shape>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn neighbours_are_mutual_and_one_step_apart() {
        for shape in [Shape::new(3, 4).unwrap(), Shape::new(1, 5).unwrap(), Shape::new(2, 2).unwrap()] {
            let mut edges = 0;
            for cell in (0..shape.cells()).map(Cell::new) {
                for step in Move::ALL {
                    if let Some(to) = shape.neighbour(cell, step) {
                        assert_eq!(shape.neighbour(to, step.inverse()), Some(cell));
                        assert_eq!(shape.distance(cell, to), 1);
                        edges += 1;
                    }
                }
            }
            let (rows, cols) = (shape.rows(), shape.cols());
            assert_eq!(edges, 2 * (rows * (cols - 1) + cols * (rows - 1)));
        }
    }
}
