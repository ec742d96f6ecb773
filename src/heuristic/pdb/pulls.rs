//! The source rows of each row of a table.
//!
//! Every move of a pattern's tile exchanges an occupied cell for a free neighbour, so it flips the
//! *colour* of the row: the parity of the number of occupied cells that are black on a
//! checkerboard. So the colour of a row determines the parity of its values. Rows are stored by
//! colour (a row's *slot* is its number among the rows of its colour). Each row has a list of
//! *pulls*: the rows of the other colour from which one move leads to it, each with the jump
//! (`rows.rs`) by which that move changes the order of the tiles. There are about 5 pulls per row
//! (1 MB) for 8 tiles on 4×4, and 11 (14 MB) for 6 on 5×5. They are the same for all patterns with
//! the same number of tiles on a shape.

use super::pattern::{cells_of, neighbours};
use super::placement::Placements;
use super::rows::{JUMP_NUMBERS, jump_number};
use crate::board::{Cell, Shape};

/// A source of a row, and the jump of the move that leads from it to the row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Pull(u32);

const JUMP_BITS: u32 = JUMP_NUMBERS.ilog2();

impl Pull {
    /// Creates a pull. Pulls without a jump are sorted first.
    fn new(source: u32, jump: u32) -> Pull {
        debug_assert!(source < 1 << (32 - JUMP_BITS));
        Pull(jump << (32 - JUMP_BITS) | source)
    }

    /// Returns the slot of the source among the rows of the other colour.
    #[inline(always)]
    pub(super) fn source(self) -> usize {
        (self.0 & ((1 << (32 - JUMP_BITS)) - 1)) as usize
    }

    /// Returns the number of the jump; 0 for no jump.
    #[inline(always)]
    pub(super) fn jump(self) -> u32 {
        self.0 >> (32 - JUMP_BITS)
    }
}

/// The rows of one colour and their pulls.
#[derive(Default)]
pub(super) struct Colour {
    /// Slot → row.
    pub(super) rows: Vec<u32>,
    /// Slot → start of its pulls. The last element is the end of all pulls.
    starts: Vec<u32>,
    pulls: Vec<Pull>,
}

impl Colour {
    /// Returns the pulls of a slot.
    #[inline(always)]
    pub(super) fn pulls(&self, slot: usize) -> &[Pull] {
        &self.pulls[self.starts[slot] as usize..self.starts[slot + 1] as usize]
    }
}

/// All rows of a layout and their sources.
pub(super) struct Pulls {
    pub(super) colours: [Colour; 2],
    /// Row → slot × 2 + colour.
    slots: Vec<u32>,
}

impl Pulls {
    pub(super) fn new(placements: &Placements) -> Pulls {
        let shape = placements.shape();
        let black = black_cells(shape);
        let colour = |occupied: u32| (occupied & black).count_ones() as usize % 2;
        let mut colours = [Colour::default(), Colour::default()];
        let mut slots = Vec::with_capacity(placements.rows());
        for (row, (occupied, _)) in placements.places().enumerate() {
            let rows = &mut colours[colour(occupied)].rows;
            slots.push((rows.len() * 2 + colour(occupied)) as u32);
            rows.push(row as u32);
        }

        let neighbours = neighbours(shape);
        for (occupied, region) in placements.places() {
            let Colour { starts, pulls, .. } = &mut colours[colour(occupied)];
            let first = pulls.len();
            starts.push(first as u32);
            for blank in cells_of(region) {
                for tile in cells_of(neighbours[blank] & occupied) {
                    // The move from the source took the tile from `blank` to `tile`.
                    let before = occupied ^ (1 << tile | 1 << blank);
                    let place = |occupied: u32, cell: usize| (occupied & ((1 << cell) - 1)).count_ones() as usize;
                    let jump = jump_number(place(before, blank), place(occupied, tile));
                    pulls.push(Pull::new(slots[placements.row(before, tile)] / 2, jump));
                }
            }
            pulls[first..].sort_unstable();
        }
        for Colour { starts, pulls, .. } in &mut colours {
            starts.push(pulls.len() as u32);
        }
        Pulls { colours, slots }
    }

    /// Returns the number of rows.
    pub(super) fn rows(&self) -> usize {
        self.slots.len()
    }

    /// Returns the colour of a row, and its number among the rows of its colour.
    #[inline(always)]
    pub(super) fn slot(&self, row: usize) -> (usize, usize) {
        let slot = self.slots[row] as usize;
        (slot % 2, slot / 2)
    }

    /// Returns the bytes of memory in use.
    pub(super) fn bytes(&self) -> usize {
        let colour_bytes = |colour: &Colour| {
            size_of_val(&colour.rows[..]) + size_of_val(&colour.starts[..]) + size_of_val(&colour.pulls[..])
        };
        self.colours.iter().map(colour_bytes).sum::<usize>() + size_of_val(&self.slots[..])
    }
}

/// Returns the black cells of a checkerboard.
fn black_cells(shape: Shape) -> u32 {
    let is_black = |cell: &usize| (shape.row(Cell::new(*cell)) + shape.col(Cell::new(*cell))) % 2 == 1;
    (0..shape.cells()).filter(is_black).fold(0, |bits, cell| bits | 1 << cell)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Moves can be undone: if row A is pulled from row B by a jump, then B is pulled from A by the
    /// reverse jump, equally often.
    #[test]
    fn pulls_are_mutual() {
        for (rows, cols, tiles) in [(2, 3, 2), (3, 3, 4), (3, 4, 5), (4, 4, 4)] {
            let placements = Placements::new(Shape::new(rows, cols).unwrap(), tiles);
            let pulls = Pulls::new(&placements);
            let (mut forth, mut back) = (Vec::new(), Vec::new());
            for colour in 0..2 {
                for slot in 0..pulls.colours[colour].rows.len() {
                    let row = pulls.colours[colour].rows[slot];
                    assert_eq!(pulls.slot(row as usize), (colour, slot));
                    for pull in pulls.colours[colour].pulls(slot) {
                        let (from, to) = (pull.jump() / 8, pull.jump() % 8);
                        let source = pulls.colours[1 - colour].rows[pull.source()];
                        forth.push((source, row, from, to));
                        back.push((row, source, to, from));
                    }
                }
            }
            forth.sort_unstable();
            back.sort_unstable();
            assert_eq!(forth, back);
        }
    }
}
