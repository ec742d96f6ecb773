//! The sources of each row: the neighbours of all states with the blank in one cell, as rows.
//!
//! A horizontal step of the blank keeps the reading order, so the neighbours' row is the unchanged
//! row of the other cell. A step down moves the tile below past cols − 1 others, and a step up
//! moves the tile above past as many in the opposite direction. In both cases the other cell's row
//! is changed by a jump. A jump that begins or ends in place 0 is done in two steps: an exchange of
//! places 0 and 1, and a jump among the other places. If the exchange comes first, it is applied to
//! the whole source in advance ([`Pulls::exchange`]).

use super::jumps::{Jump, Parity, Rows};
use crate::board::{Cell, Move, Shape};

/// The mappings between the rows of a shape.
pub(super) struct Pulls {
    shape: Shape,
    goal_blank: Cell,
    rows: Rows,
    /// By the smaller place: for a step down, the jump from the greater place to it; for a step up,
    /// the reverse jump.
    jumps: [Vec<Jump>; 2],
    /// The jumps to and from place 0, without their exchange of places 0 and 1.
    short: [Jump; 2],
}

#[derive(Clone, Copy)]
pub(super) struct Sources<'a> {
    /// The rows of the blank cells of each colour, in the cells' order.
    pub(super) colours: [&'a [u64]; 2],
    /// The row of the cell below cell 0, with places 0 and 1 exchanged.
    pub(super) exchanged: &'a [u64],
}

const DOWN: usize = 0;
const UP: usize = 1;

impl Pulls {
    /// Creates the mappings for a shape with an even number of cells, at least three columns and
    /// two rows.
    pub(super) fn new(shape: Shape, goal_blank: Cell) -> Pulls {
        let (tiles, cols) = (shape.cells() - 1, shape.cols());
        // Jumps begin at place 1 or later. The first element, for place 0, is never used.
        let windows = (0..tiles + 1 - cols).map(|low| (low.max(1), low.max(1) + cols - 1));
        let jumps = [
            windows.clone().map(|(low, high)| Jump::new(tiles, high, low)).collect(),
            windows.map(|(low, high)| Jump::new(tiles, low, high)).collect(),
        ];
        let short = [Jump::new(tiles, cols - 1, 1), Jump::new(tiles, 1, cols - 1)];
        Pulls { shape, goal_blank, rows: Rows::new(tiles), jumps, short }
    }

    pub(super) fn goal_blank(&self) -> Cell {
        self.goal_blank
    }

    pub(super) fn rows(&self) -> &Rows {
        &self.rows
    }

    /// Returns the parity of the orders that can be solved with the blank in this cell. A vertical
    /// step moves a tile past cols − 1 others.
    pub(super) fn parity(&self, cell: Cell) -> Parity {
        let steps = self.shape.row(cell).abs_diff(self.shape.row(self.goal_blank));
        Parity::of(steps * (self.shape.cols() - 1) % 2 == 1)
    }

    /// Returns the cell's colour on the checkerboard: 0 if the blank's goal cell has the same
    /// colour, otherwise 1. It is the parity of the distances of all states in the cell's row.
    pub(super) fn colour(&self, cell: Cell) -> usize {
        self.shape.distance(cell, self.goal_blank) % 2
    }

    pub(super) fn cells(&self, colour: usize) -> impl Iterator<Item = Cell> + '_ {
        (0..self.shape.cells()).map(Cell::new).filter(move |&cell| self.colour(cell) == colour)
    }

    /// Returns the start of a cell's row among the rows of its colour.
    pub(super) fn start(&self, cell: Cell) -> usize {
        self.cells(self.colour(cell)).take_while(|&before| before != cell).count() * self.rows.words()
    }

    /// Returns the cell below cell 0, whose row has an exchanged copy.
    pub(super) fn below_first(&self) -> Cell {
        Cell::new(self.shape.cols())
    }

    /// Writes words of the row of [`Pulls::below_first`], starting with word `first`, with places 0
    /// and 1 exchanged.
    #[inline(always)]
    pub(super) fn exchange(&self, first: usize, row: &[u64], exchanged: &mut [u64]) {
        self.rows.exchange(self.parity(self.below_first()).other(), first, row, exchanged);
    }

    /// Pulls `words` words of the row of `cell`, starting with word `first`: each state gets the
    /// bit of its neighbour by `step`. Returns `None` at the edge. `scratch` has at least twice as
    /// many words.
    #[inline(always)]
    pub(super) fn pull<'a>(
        &self,
        sources: Sources<'a>,
        cell: Cell,
        step: Move,
        first: usize,
        words: usize,
        scratch: &'a mut [u64],
    ) -> Option<&'a [u64]> {
        let near = self.shape.neighbour(cell, step)?;
        let row = &sources.colours[self.colour(near)][self.start(near)..][..self.rows.words()];
        let (target, between) = scratch.split_at_mut(words);
        let parity = self.parity(cell);
        // All jumps share this call, because it is compiled into a loop for every run length and
        // every instruction set.
        let (jump, row, is_exchanged_after) = match step {
            Move::Left | Move::Right => return Some(&row[first..first + words]),
            Move::Down if cell.index() == 0 => (&self.short[DOWN], sources.exchanged, false),
            Move::Up if near.index() == 0 => (&self.short[UP], row, true),
            Move::Down => (&self.jumps[DOWN][cell.index()], row, false),
            Move::Up => (&self.jumps[UP][near.index()], row, false),
        };
        let (pulled, parity_of_pulled) =
            if is_exchanged_after { (&mut between[..words], parity.other()) } else { (&mut *target, parity) };
        jump.pull(&self.rows, parity_of_pulled, first, row, pulled);
        if is_exchanged_after {
            self.rows.exchange(parity, first, &between[..words], target);
        }
        Some(target)
    }
}
