//! A finished table: one bit an entry, and the absolute value of a state by walking down.
//!
//! The bit of an entry is bit 1 of its value. Bit 0 is the parity of the tiles' Manhattan distance,
//! so the value is known modulo 4; and as every move of a pattern's tile changes it by exactly one, a
//! search that knows a value knows those around it ([`next_value`]). Only at its root the absolute
//! value is needed: from any entry but the goal's some move leads to a value one less, which its bit
//! gives away, and the number of steps to the goal is the value. Some 25 steps of a few
//! tries each, with the index kept up to date: some microseconds, most of it waiting for memory.

use std::sync::Arc;

use super::pattern::cells_of;
use super::placement::regions;
use super::{Layout, Pattern, Spot};
use crate::board::{Cell, MAX_SEARCH_CELLS, Move, State};
use crate::system::Zeroed;

/// The table of a pattern.
pub struct Table {
    pattern: Pattern,
    layout: Arc<Layout>,
    bits: Zeroed<u64>,
    /// The greatest value, and how many entries have one.
    depth: u16,
    states: u64,
    /// Cell → its neighbours as bits; those of the same row first in the walk.
    neighbours: [u32; MAX_SEARCH_CELLS],
}

/// The value after a move of one of the pattern's tiles, from the value before and the bit of the
/// entry it led to.
#[inline]
pub fn next_value(value: u16, bit: bool) -> u16 {
    if (value + 1) >> 1 & 1 == u16::from(bit) { value + 1 } else { value.wrapping_sub(1) }
}

impl Table {
    /// The bits of all entries, the greatest value, and how many entries have one.
    pub(super) fn new(pattern: Pattern, layout: Arc<Layout>, bits: Zeroed<u64>, depth: u16, states: u64) -> Table {
        let mut neighbours = [0; MAX_SEARCH_CELLS];
        for (cell, near) in neighbours.iter_mut().enumerate().take(pattern.shape().cells()) {
            for to in Move::ALL.iter().filter_map(|&step| pattern.shape().neighbour(Cell::new(cell), step)) {
                *near |= 1 << to.index();
            }
        }
        Table { pattern, layout, bits, depth, states, neighbours }
    }

    /// A table of any words, for tests of code that addresses its entries.
    #[cfg(test)]
    pub(crate) fn of_words(pattern: Pattern, layout: Arc<Layout>, mut word: impl FnMut() -> u64) -> Table {
        let mut bits = Zeroed::new(layout.words());
        bits.iter_mut().for_each(|slot| *slot = word());
        Table::new(pattern, layout, bits, 0, 0)
    }

    /// Its pattern.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// How its entries are numbered.
    #[inline]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The bits, for engines that address them on their own: bit i of the table is bit i mod 64 of word i / 64.
    #[inline]
    pub fn words(&self) -> &[u64] {
        &self.bits
    }

    /// Bytes of the table itself.
    pub fn bytes(&self) -> usize {
        size_of_val(self.words())
    }

    /// The greatest value of an entry.
    pub fn depth(&self) -> u16 {
        self.depth
    }

    /// Number of entries with a value: all of them.
    pub fn states(&self) -> u64 {
        self.states
    }

    /// The bit of an entry.
    ///
    /// # Panics
    /// When there is no such entry.
    #[inline]
    pub fn bit(&self, index: usize) -> bool {
        self.bits[index / Layout::WORD_BITS] >> (index % Layout::WORD_BITS) & 1 == 1
    }

    /// The value of a state: the fewest moves of the pattern's tiles that bring them home.
    pub fn value(&self, state: &State) -> u16 {
        let spot = self.layout.spot(&self.pattern, state);
        self.walk_down(spot, self.pattern.codes_in(state), state.blank().index())
    }

    /// The number of steps down to the goal from a spot with the blank in `blank`; `codes` has the tile in every cell.
    pub(super) fn walk_down(&self, mut spot: Spot, mut codes: [u8; MAX_SEARCH_CELLS], mut blank: usize) -> u16 {
        let shape = self.pattern.shape();
        let goal_row = self.layout.placements().row(self.pattern.home_bits(), self.pattern.goal_blank().index());
        let goal = self.layout.join(0, goal_row);
        let mut index = self.layout.index(spot, blank);
        // The value modulo 4.
        let mut value = u16::from(self.bit(index)) << 1 | self.parity(&codes);
        let mut steps = 0;
        while index != goal {
            value = value.wrapping_sub(1) & 3;
            let region = regions(shape, spot.occupied).find(|region| region >> blank & 1 == 1).unwrap_or_default();
            let step = self.step_down(spot, &codes, region, value >> 1 == 1);
            let Some((from, to, after, at)) = step else { unreachable!("no way down at entry {index}") };
            codes.swap(from, to);
            (spot, index, blank) = (after, at, from);
            steps += 1;
        }
        steps
    }

    /// A move of a tile into a region of free cells to an entry with this bit: from, to, the spot there and its entry.
    /// First those to the side are tried, which stay in the same block of the table.
    #[inline]
    fn step_down(
        &self,
        spot: Spot,
        codes: &[u8; MAX_SEARCH_CELLS],
        region: u32,
        bit: bool,
    ) -> Option<(usize, usize, Spot, usize)> {
        // Plain loops: they are compiled well however the crate is cut into units, which chains of iterators are not.
        for sideways in [true, false] {
            for to in cells_of(region) {
                for from in cells_of(self.neighbours[to] & spot.occupied) {
                    if (from.abs_diff(to) == 1) != sideways {
                        continue;
                    }
                    let after = self.layout.slide(spot, codes[from], from, to, |cell| codes[cell]);
                    let index = self.layout.index(after, from);
                    if self.bit(index) == bit {
                        return Some((from, to, after, index));
                    }
                }
            }
        }
        None
    }

    /// The parity of the tiles' Manhattan distance: of every value with these tiles in these cells.
    fn parity(&self, codes: &[u8; MAX_SEARCH_CELLS]) -> u16 {
        let shape = self.pattern.shape();
        let mut plies = 0;
        for (code, home) in self.pattern.homes().enumerate() {
            let at = codes.iter().position(|&other| usize::from(other) == code).unwrap_or_default();
            plies += shape.distance(Cell::new(at), Cell::new(home));
        }
        (plies % 2) as u16
    }
}
