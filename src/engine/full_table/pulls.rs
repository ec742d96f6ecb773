//! Where each row comes from: the neighbours of all states with the blank in one cell, as rows of their own.
//!
//! A step of the blank to the side keeps the reading order: the neighbours' row is the other cell's as it
//! is. A step down takes the tile from below past cols − 1 others, a step up the tile from above the other way:
//! the other cell's row, its orders changed by a jump. Only the jump that begins or ends in place 0 needs
//! both an exchange of places 0 and 1 and a jump from 1 on; where the exchange is to be done
//! first, it is done on the whole source beforehand ([`Pulls::exchange`]).

use super::jumps::{Jump, Parity, Rows};
use crate::board::{Cell, Move, Shape};

/// How the rows of a shape are pulled from each other.
pub(super) struct Pulls {
    shape: Shape,
    goal_blank: Cell,
    rows: Rows,
    /// By the lower place: the tile of the higher place goes there, for a step down; or the other way, for a step up.
    jumps: [Vec<Jump>; 2],
    /// What is left of the jumps from and to place 0 when 0 and 1 are exchanged separately.
    short: [Jump; 2],
}

/// The rows to pull from.
#[derive(Clone, Copy)]
pub(super) struct Sources<'a> {
    /// Rows of blank cells of either colour, in the cells' order.
    pub(super) colours: [&'a [u64]; 2],
    /// The row of the cell below cell 0, places 0 and 1 exchanged.
    pub(super) exchanged: &'a [u64],
}

/// Down and up, as indices.
const DOWN: usize = 0;
const UP: usize = 1;

impl Pulls {
    /// For a shape of an even number of cells, at least three columns and two rows.
    pub(super) fn new(shape: Shape, goal_blank: Cell) -> Pulls {
        let (tiles, cols) = (shape.cells() - 1, shape.cols());
        // Places from 1 on; that of place 0 is never used.
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

    /// What the rows have in common.
    pub(super) fn rows(&self) -> &Rows {
        &self.rows
    }

    /// Which orders can be solved with the blank in this cell: a step up or down takes a tile past cols − 1 others.
    pub(super) fn parity(&self, cell: Cell) -> Parity {
        let steps = self.shape.row(cell).abs_diff(self.shape.row(self.goal_blank));
        Parity::of(steps * (self.shape.cols() - 1) % 2 == 1)
    }

    /// The cell's field of the checkerboard, the goal's being 0: the parity of all distances in its row.
    pub(super) fn colour(&self, cell: Cell) -> usize {
        self.shape.distance(cell, self.goal_blank) % 2
    }

    /// The cells of a colour, in order.
    pub(super) fn cells(&self, colour: usize) -> impl Iterator<Item = Cell> + '_ {
        (0..self.shape.cells()).map(Cell::new).filter(move |&cell| self.colour(cell) == colour)
    }

    /// Where the row of a cell begins among those of its colour.
    pub(super) fn start(&self, cell: Cell) -> usize {
        self.cells(self.colour(cell)).take_while(|&before| before != cell).count() * self.rows.words()
    }

    /// The cell below cell 0, of whose row an exchanged copy is kept.
    pub(super) fn below_first(&self) -> Cell {
        Cell::new(self.shape.cols())
    }

    /// Words `first..` of the row of [`Pulls::below_first`], places 0 and 1 exchanged.
    #[inline(always)]
    pub(super) fn exchange(&self, first: usize, row: &[u64], exchanged: &mut [u64]) {
        self.rows.exchange(self.parity(self.below_first()).other(), first, row, exchanged);
    }

    /// For every state with the blank in `cell` whose orders are in the `words` words from `first` on: the bit of
    /// its neighbour by a step; `None` at the edge. `scratch` is twice as long as the words.
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
        // One call for all jumps: it becomes a loop for every length of runs, for every instruction set.
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
