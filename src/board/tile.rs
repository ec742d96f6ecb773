//! The content of a cell: a tile or the blank.

use super::Shape;

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
