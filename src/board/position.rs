//! Boards: shapes with a tile in every cell.

use std::fmt;

use smallvec::SmallVec;

use super::{Cell, Error, ErrorKind, MAX_SEARCH_CELLS, Move, Shape};

/// A tile, identified by its label; label 0 is the blank.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Tile(u16);

impl Tile {
    /// The blank.
    pub const BLANK: Tile = Tile(0);

    /// Returns the tile with this label.
    ///
    /// # Panics
    /// If no board is large enough to have it.
    #[inline]
    pub const fn new(label: usize) -> Tile {
        match Tile::try_new(label) {
            Some(tile) => tile,
            None => panic!("no board is large enough to have this tile"),
        }
    }

    /// Returns the tile with this label; `None` if no board is large enough to have it.
    pub const fn try_new(label: usize) -> Option<Tile> {
        if label < Shape::MAX_SIDE * Shape::MAX_SIDE { Some(Tile(label as u16)) } else { None }
    }

    /// Returns the label.
    #[inline]
    pub const fn label(self) -> usize {
        self.0 as usize
    }
}

/// A board: the tiles from 0 (the blank) to cells − 1, each exactly once, on a shape.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Board {
    shape: Shape,
    blank: Cell,
    tiles: SmallVec<[Tile; MAX_SEARCH_CELLS]>,
}

/// An error in the tiles of a board.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum BoardError {
    /// Too few or too many tiles for the shape.
    #[error("found {found} tile{}, a {shape} board has {}", if *.found == 1 { "" } else { "s" }, .shape.cells())]
    Count {
        /// The number of tiles found.
        found: usize,
        /// The expected shape.
        shape: Shape,
    },
    /// Rows that form another shape.
    #[error("the rows make a {found} board, expected a {shape} board")]
    Rows {
        /// The shape of the rows.
        found: Shape,
        /// The expected shape.
        shape: Shape,
    },
    /// A label that no tile of this shape has.
    #[error("tile {tile} is out of range: the tiles of a {shape} board are 0 to {}", .shape.cells() - 1)]
    Range {
        /// The label that was found.
        tile: usize,
        /// The shape of the board.
        shape: Shape,
    },
    /// A duplicate label.
    #[error("{} appears twice", if *.tile == 0 { "the blank".to_string() } else { format!("tile {tile}") })]
    Twice {
        /// The label.
        tile: usize,
    },
}

impl From<BoardError> for Error {
    fn from(error: BoardError) -> Error {
        let kind = match error {
            BoardError::Rows { .. } => ErrorKind::Mismatch,
            BoardError::Count { .. } | BoardError::Range { .. } | BoardError::Twice { .. } => ErrorKind::Invalid,
        };
        Error::new(kind, error.to_string())
    }
}

impl Board {
    /// Creates a board with these tiles, row by row.
    ///
    /// # Errors
    /// If the number of tiles is wrong, or a tile is out of range or appears twice.
    pub fn new(shape: Shape, tiles: &[Tile]) -> Result<Board, Error> {
        let cells = shape.cells();
        if tiles.len() != cells {
            return Err(BoardError::Count { found: tiles.len(), shape }.into());
        }
        let blank = if cells <= 64 { check_small(shape, tiles)? } else { check_large(shape, tiles)? };
        Ok(Board { shape, blank, tiles: SmallVec::from_slice(tiles) })
    }

    /// Returns the shape.
    #[inline]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Returns the tiles row by row.
    #[inline]
    pub fn tiles(&self) -> &[Tile] {
        &self.tiles
    }

    /// Returns the blank's cell.
    #[inline]
    pub fn blank(&self) -> Cell {
        self.blank
    }

    /// Returns the cell of each tile, by its label.
    pub(crate) fn cells_by_label(&self) -> Vec<Cell> {
        let mut cells = vec![Cell::new(0); self.tiles.len()];
        for (cell, tile) in self.tiles.iter().enumerate() {
            cells[tile.label()] = Cell::new(cell);
        }
        cells
    }

    /// Returns the board after a move of the blank; `None` if the move leads off the board.
    pub fn after(&self, step: Move) -> Option<Board> {
        let to = self.shape.neighbour(self.blank, step)?;
        let mut next = self.clone();
        next.tiles.swap(self.blank.index(), to.index());
        next.blank = to;
        Some(next)
    }

    /// Makes a move of the blank in place. If the move leads off the board, changes nothing and
    /// returns false.
    pub(crate) fn make(&mut self, step: Move) -> bool {
        let Some(to) = self.shape.neighbour(self.blank, step) else { return false };
        self.tiles.swap(self.blank.index(), to.index());
        self.blank = to;
        true
    }

    /// Returns a lower bound on the moves to the goal: the sum of all tiles' distances from their
    /// goal cells.
    ///
    /// # Panics
    /// If the boards have different shapes.
    pub fn manhattan_distance(&self, goal: &Board) -> u64 {
        assert_eq!(self.shape, goal.shape, "a board and a goal of different shapes");
        let home = goal.cells_by_label();
        let distance = |(cell, tile): (usize, &Tile)| match *tile {
            Tile::BLANK => 0,
            tile => self.shape.distance(Cell::new(cell), home[tile.label()]) as u64,
        };
        self.tiles.iter().enumerate().map(distance).sum()
    }
}

fn check_small(shape: Shape, tiles: &[Tile]) -> Result<Cell, BoardError> {
    let cells = shape.cells();
    let (mut seen, mut blank) = (0u64, Cell::new(0));
    for (cell, &tile) in tiles.iter().enumerate() {
        let label = tile.label();
        if label >= cells {
            return Err(BoardError::Range { tile: label, shape });
        }
        if seen >> label & 1 == 1 {
            return Err(BoardError::Twice { tile: label });
        }
        seen |= 1 << label;
        if tile == Tile::BLANK {
            blank = Cell::new(cell);
        }
    }
    Ok(blank)
}

fn check_large(shape: Shape, tiles: &[Tile]) -> Result<Cell, BoardError> {
    let mut seen = vec![false; shape.cells()];
    let mut blank = Cell::new(0);
    for (cell, &tile) in tiles.iter().enumerate() {
        let seen = seen.get_mut(tile.label()).ok_or(BoardError::Range { tile: tile.label(), shape })?;
        if std::mem::replace(seen, true) {
            return Err(BoardError::Twice { tile: tile.label() });
        }
        if tile == Tile::BLANK {
            blank = Cell::new(cell);
        }
    }
    Ok(blank)
}

/// Writes rows separated by `/` and tiles by spaces: `1 2 3/4 5 6/7 8 0`. A single row has no
/// slash, so its shape cannot be read back: tiles without slashes are read as a square.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (cell, tile) in self.tiles.iter().enumerate() {
            let before = match cell {
                0 => "",
                _ if cell % self.shape.cols() == 0 => "/",
                _ => " ",
            };
            write!(f, "{before}{}", tile.label())?;
        }
        Ok(())
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {self}", self.shape)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(rows: usize, cols: usize, labels: &[usize]) -> Result<Board, Error> {
        let tiles: Vec<Tile> = labels.iter().map(|&label| Tile::new(label)).collect();
        Board::new(Shape::new(rows, cols).unwrap(), &tiles)
    }

    #[test]
    fn errors_name_the_first_fault() {
        let message = |rows, cols, labels: &[usize]| board(rows, cols, labels).unwrap_err().to_string();
        assert_eq!(message(2, 2, &[1, 2, 0]), "found 3 tiles, a 2x2 board has 4");
        assert_eq!(message(2, 2, &[1, 4, 4, 0]), "tile 4 is out of range: the tiles of a 2x2 board are 0 to 3");
        assert_eq!(message(2, 2, &[1, 3, 3, 0]), "tile 3 appears twice");
        assert_eq!(message(2, 2, &[1, 0, 3, 0]), "the blank appears twice");
        let mut large: Vec<usize> = (0..81).collect();
        large[80] = 7;
        assert_eq!(message(9, 9, &large), "tile 7 appears twice");
        large[80] = 81;
        assert_eq!(message(9, 9, &large), "tile 81 is out of range: the tiles of a 9x9 board are 0 to 80");
    }

    #[test]
    fn moves_are_moves_of_the_blank() {
        let start = board(2, 3, &[1, 2, 3, 4, 0, 5]).unwrap();
        assert_eq!(start.after(Move::Up).unwrap().to_string(), "1 0 3/4 2 5");
        assert_eq!(start.after(Move::Left).unwrap().to_string(), "1 2 3/0 4 5");
        assert_eq!(start.after(Move::Down), None);
        let mut moved = start.clone();
        assert!(!moved.make(Move::Down) && moved == start && moved.make(Move::Up));
        assert_eq!(Some(moved), start.after(Move::Up));
        assert_eq!(start.after(Move::Right).unwrap().after(Move::Left).unwrap(), start);
    }
}
