//! Boards: a shape, a tile in every cell, and what follows from them alone.
//!
//! A [`Cell`] is a place on the board, counted row by row from 0; a [`Tile`] is a label, 0 being
//! the blank. They are different types because nearly every mistake in this field mixes them up.

mod goal;
mod moves;
mod orders;
mod packed;
mod parity;
mod rank;
mod reflections;
mod shape;
pub mod tokens;

use std::fmt;

use smallvec::SmallVec;

pub use goal::{GoalSpec, GoalTiles};
pub use moves::{Move, Path};
pub use orders::Orders;
pub use packed::Packed;
pub use parity::{Solvable, is_solvable};
pub use rank::{Ranking, State};
pub use reflections::Reflections;
pub(crate) use reflections::renamed;
#[cfg(test)]
pub(crate) use reflections::symmetries;
pub use shape::Shape;

/// Boards of more cells than this are read and judged solvable or not, but not searched.
pub const MAX_SEARCH_CELLS: usize = 25;

/// A place on a board, counted row by row from 0 at the top left.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Cell(u16);

impl Cell {
    /// The cell of this number.
    #[inline]
    pub fn new(index: usize) -> Cell {
        debug_assert!(index <= usize::from(u16::MAX));
        Cell(index as u16)
    }

    /// Its number.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A label on a board: 0 is the blank.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Tile(u16);

impl Tile {
    /// The blank.
    pub const BLANK: Tile = Tile(0);

    /// The tile of this label.
    #[inline]
    pub fn new(label: usize) -> Tile {
        debug_assert!(label <= usize::from(u16::MAX));
        Tile(label as u16)
    }

    /// The tile of this label, `None` where no board is large enough to have it.
    pub const fn try_new(label: usize) -> Option<Tile> {
        if label < Shape::MAX_SIDE * Shape::MAX_SIDE { Some(Tile(label as u16)) } else { None }
    }

    /// Its label.
    #[inline]
    pub const fn label(self) -> usize {
        self.0 as usize
    }
}

/// Every tile from 0 to cells − 1 once, row by row on a shape.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Board {
    shape: Shape,
    blank: Cell,
    tiles: SmallVec<[Tile; MAX_SEARCH_CELLS]>,
}

/// Why tiles are no board.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BoardError {
    /// Too few or too many for the shape.
    #[error("found {found} tiles, a {shape} board has {}", .shape.cells())]
    Count {
        /// How many there were.
        found: usize,
        /// What they were to fill.
        shape: Shape,
    },
    /// Rows that make another shape.
    #[error("the rows make a {found} board, expected a {shape} board")]
    Rows {
        /// What they make.
        found: Shape,
        /// What they were to fill.
        shape: Shape,
    },
    /// A label that no tile of this shape has.
    #[error("tile {tile} is out of range: the tiles of a {shape} board are 0 to {}", .shape.cells() - 1)]
    Range {
        /// The label that was found.
        tile: usize,
        /// What the tiles were to fill.
        shape: Shape,
    },
    /// A label that was there before.
    #[error("{} appears twice", if *.tile == 0 { "the blank".to_string() } else { format!("tile {tile}") })]
    Twice {
        /// The label.
        tile: usize,
    },
}

impl Board {
    /// A board with these tiles, row by row.
    ///
    /// # Errors
    /// Unless every label from 0 to cells − 1 is there exactly once; the first fault in reading
    /// order is the one reported.
    pub fn new(shape: Shape, tiles: &[Tile]) -> Result<Board, BoardError> {
        let cells = shape.cells();
        if tiles.len() != cells {
            return Err(BoardError::Count { found: tiles.len(), shape });
        }
        let blank = if cells <= 64 { check_small(shape, tiles)? } else { check_large(shape, tiles)? };
        Ok(Board { shape, blank, tiles: SmallVec::from_slice(tiles) })
    }

    /// Rows and columns.
    #[inline]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The tiles row by row.
    #[inline]
    pub fn tiles(&self) -> &[Tile] {
        &self.tiles
    }

    /// Where the blank is.
    #[inline]
    pub fn blank(&self) -> Cell {
        self.blank
    }

    /// The board after a move of the blank; `None` at the edge.
    pub fn after(&self, step: Move) -> Option<Board> {
        let to = self.shape.neighbour(self.blank, step)?;
        let mut next = self.clone();
        next.tiles.swap(self.blank.index(), to.index());
        next.blank = to;
        Some(next)
    }

    /// The fewest moves that could be enough: every tile's distance from its goal cell, added up.
    /// Both boards must have the same shape.
    pub fn manhattan_distance(&self, goal: &Board) -> u64 {
        debug_assert_eq!(self.shape, goal.shape);
        let mut home = vec![Cell(0); self.tiles.len()];
        for (cell, tile) in goal.tiles.iter().enumerate() {
            home[tile.label()] = Cell::new(cell);
        }
        let plies = |(cell, tile): (usize, &Tile)| match *tile {
            Tile::BLANK => 0,
            tile => self.shape.distance(Cell::new(cell), home[tile.label()]) as u64,
        };
        self.tiles.iter().enumerate().map(plies).sum()
    }
}

fn check_small(shape: Shape, tiles: &[Tile]) -> Result<Cell, BoardError> {
    let cells = shape.cells();
    let (mut seen, mut blank) = (0u64, Cell(0));
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
    let mut blank = Cell(0);
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

/// Rows separated by `/`, tiles by blanks: `1 2 3/4 5 6/7 8 0`.
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

    fn board(rows: usize, cols: usize, labels: &[usize]) -> Result<Board, BoardError> {
        let tiles: Vec<Tile> = labels.iter().map(|&label| Tile::new(label)).collect();
        Board::new(Shape::new(rows, cols).unwrap(), &tiles)
    }

    #[test]
    fn says_what_is_wrong_with_tiles() {
        let said = |rows, cols, labels: &[usize]| board(rows, cols, labels).unwrap_err().to_string();
        assert_eq!(said(2, 2, &[1, 2, 0]), "found 3 tiles, a 2x2 board has 4");
        assert_eq!(said(2, 2, &[1, 4, 4, 0]), "tile 4 is out of range: the tiles of a 2x2 board are 0 to 3");
        assert_eq!(said(2, 2, &[1, 3, 3, 0]), "tile 3 appears twice");
        assert_eq!(said(2, 2, &[1, 0, 3, 0]), "the blank appears twice");
        let mut large: Vec<usize> = (0..81).collect();
        large[80] = 7;
        assert_eq!(said(9, 9, &large), "tile 7 appears twice");
        large[80] = 81;
        assert_eq!(said(9, 9, &large), "tile 81 is out of range: the tiles of a 9x9 board are 0 to 80");
    }

    #[test]
    fn moves_are_the_blanks() {
        let start = board(2, 3, &[1, 2, 3, 4, 0, 5]).unwrap();
        assert_eq!(start.after(Move::Up).unwrap().to_string(), "1 0 3/4 2 5");
        assert_eq!(start.after(Move::Left).unwrap().to_string(), "1 2 3/0 4 5");
        assert_eq!(start.after(Move::Down), None);
        assert_eq!(start.after(Move::Right).unwrap().after(Move::Left).unwrap(), start);
    }
}
