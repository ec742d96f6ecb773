//! The board that is being solved line by line: what stands where, what is finished, and the moves so far.
//!
//! Cells are numbered with 256 columns a row and a wall all around, so that row and column are a shift and a mask and
//! no step has to ask for the edge: `place = (row + 1) << 8 | column`. The wall and the finished cells are *fixed*.

use crate::board::{Board, Cell, Path, Shape};

/// A cell of a [`Field`].
pub(super) type Place = usize;

/// How a place changes by a move, in the order of [`crate::board::Move::ALL`]: down, left, right, up.
pub(super) const STEPS: [isize; 4] = [256, -1, 1, -256];

/// Steps between two places when nothing is in the way.
#[inline]
pub(super) fn distance(a: Place, b: Place) -> usize {
    (a >> 8).abs_diff(b >> 8) + (a & 255).abs_diff(b & 255)
}

/// The place one move away.
#[inline]
pub(super) fn after(place: Place, direction: usize) -> Place {
    place.wrapping_add_signed(STEPS[direction])
}

/// A board on its way to the goal.
pub(super) struct Field {
    /// By place: the home of what stands there.
    home: Vec<u16>,
    /// By home: where the tile that belongs there stands.
    at: Vec<u16>,
    /// By place: finished, or the wall.
    fixed: Vec<bool>,
    blank: Place,
    /// The moves so far; a move and its inverse never follow each other.
    moves: Vec<u8>,
}

impl Field {
    /// The board, its tiles renamed by where they belong.
    pub(super) fn new(board: &Board, goal: &Board) -> Field {
        let shape = board.shape();
        let places = (shape.rows() + 2) << 8;
        let place = |cell: usize| place_of(shape, Cell::new(cell));
        let mut home_of = vec![0; shape.cells()];
        for (cell, tile) in goal.tiles().iter().enumerate() {
            home_of[tile.label()] = place(cell);
        }
        let mut field = Field {
            home: vec![0; places],
            at: vec![0; places],
            fixed: vec![true; places],
            blank: place_of(shape, board.blank()),
            moves: Vec::new(),
        };
        for (cell, tile) in board.tiles().iter().enumerate() {
            let (here, home) = (place(cell), home_of[tile.label()]);
            field.home[here] = home as u16;
            field.at[home] = here as u16;
            field.fixed[here] = false;
        }
        field
    }

    /// How many places there are, the wall among them.
    pub(super) fn places(&self) -> usize {
        self.fixed.len()
    }

    #[inline]
    pub(super) fn blank(&self) -> Place {
        self.blank
    }

    /// The home of what stands in a place.
    #[inline]
    pub(super) fn home(&self, place: Place) -> Place {
        usize::from(self.home[place])
    }

    /// Where the tile of this home stands.
    #[inline]
    pub(super) fn at(&self, home: Place) -> Place {
        usize::from(self.at[home])
    }

    #[inline]
    pub(super) fn is_fixed(&self, place: Place) -> bool {
        self.fixed[place]
    }

    pub(super) fn set_fixed(&mut self, place: Place, fixed: bool) {
        self.fixed[place] = fixed;
    }

    /// Moves the blank; a move that undoes the one before it takes that one back.
    #[inline]
    pub(super) fn step(&mut self, direction: usize) {
        let to = after(self.blank, direction);
        debug_assert!(!self.fixed[to], "the blank never enters what is finished");
        let (tile, blank) = (self.home[to], self.home[self.blank]);
        self.home[self.blank] = tile;
        self.home[to] = blank;
        self.at[usize::from(tile)] = self.blank as u16;
        self.at[usize::from(blank)] = to as u16;
        self.blank = to;
        if self.moves.last() == Some(&(3 - direction as u8)) {
            self.moves.pop();
        } else {
            self.moves.push(direction as u8);
        }
    }

    /// The moves so far.
    pub(super) fn into_path(self) -> Path {
        let mut letters = self.moves;
        for letter in &mut letters {
            *letter = crate::board::Move::from_index(*letter).letter();
        }
        let mut path = Path::new();
        path.assign(&letters);
        path
    }
}

/// The place of a cell.
pub(super) fn place_of(shape: Shape, cell: Cell) -> Place {
    (shape.row(cell) + 1) << 8 | shape.col(cell)
}
