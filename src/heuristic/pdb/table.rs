//! A finished table of one bit per entry, and the walk down to the goal that computes a value.
//!
//! The bit of an entry is bit 1 of its value. Bit 0 is the parity of the tiles' Manhattan distance,
//! so the value is known modulo 4. Every move of a pattern's tile changes the value by exactly one,
//! so a search that knows the value of an entry finds the values of the neighbouring entries from
//! their bits ([`next_value`]). The absolute value is needed only at the root. From every entry but
//! the goal's, some move leads to an entry whose value is one less. The walk recognises such an
//! entry by its bit. The number of such steps to the goal is the value. A walk has about 25 steps
//! of a few tries each and takes a few microseconds, mostly spent waiting for memory.

use std::sync::Arc;

use super::pattern::{cells_of, neighbours};
use super::placement::regions;
use super::{Layout, Pattern, Spot};
use crate::board::{Cell, MAX_SEARCH_CELLS, State};
use crate::system::Zeroed;

/// The table of a pattern.
pub struct Table {
    pattern: Pattern,
    layout: Arc<Layout>,
    bits: Zeroed<u64>,
    /// Cell → its neighbours as bits.
    neighbours: [u32; MAX_SEARCH_CELLS],
}

/// Returns the value after a move of one of the pattern's tiles, given the value before the move
/// and the bit of the entry after it.
#[inline]
pub fn next_value(value: u16, bit: bool) -> u16 {
    if (value + 1) >> 1 & 1 == u16::from(bit) { value + 1 } else { value.wrapping_sub(1) }
}

impl Table {
    /// Creates a table from the bits of all entries.
    pub(super) fn new(pattern: Pattern, layout: Arc<Layout>, bits: Zeroed<u64>) -> Table {
        let neighbours = neighbours(pattern.shape());
        Table { pattern, layout, bits, neighbours }
    }

    /// Creates a table of arbitrary words, for tests of code that addresses its bits.
    #[cfg(test)]
    pub(crate) fn of_words(pattern: Pattern, layout: Arc<Layout>, mut word: impl FnMut() -> u64) -> Table {
        let mut bits = Zeroed::new(layout.words());
        bits.iter_mut().for_each(|slot| *slot = word());
        Table::new(pattern, layout, bits)
    }

    /// Returns the pattern.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// Returns the layout of the entries.
    #[inline]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Returns the words, for engines that address bits themselves: bit i of the table is bit i mod
    /// 64 of word i / 64.
    #[inline]
    pub fn words(&self) -> &[u64] {
        &self.bits
    }

    /// Returns the size of the entries in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(self.words())
    }

    /// Returns the bit of an entry.
    ///
    /// # Panics
    /// If the index is beyond the last word.
    #[inline]
    pub fn bit(&self, index: usize) -> bool {
        self.bits[index / Layout::WORD_BITS] >> (index % Layout::WORD_BITS) & 1 == 1
    }

    /// Returns the value of a state: the minimum number of moves of the pattern's tiles that bring
    /// them home.
    pub fn value(&self, state: &State) -> u16 {
        let spot = self.layout.spot(&self.pattern, state);
        self.walk_down(spot, self.pattern.codes_in(state), state.blank().index())
    }

    /// Returns the number of steps down to the goal from a spot with the blank in `blank`. `codes`
    /// contains the code of the tile in every cell.
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
            let Some((from, to, next_spot, next_index)) = step else { unreachable!("no way down at entry {index}") };
            codes.swap(from, to);
            (spot, index, blank) = (next_spot, next_index, from);
            steps += 1;
        }
        steps
    }

    /// Finds a move that takes a tile into a region of free cells and leads to an entry with this
    /// bit. Returns the tile's old and new cell, the spot after the move, and the index of the
    /// entry. Sideways moves, which stay in the same block of the table, are tried first.
    #[inline]
    fn step_down(
        &self,
        spot: Spot,
        codes: &[u8; MAX_SEARCH_CELLS],
        region: u32,
        bit: bool,
    ) -> Option<(usize, usize, Spot, usize)> {
        // Plain loops, because unlike chains of iterators they compile well in any codegen unit.
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

    /// Returns the parity of the tiles' Manhattan distance, which is the parity of the value.
    fn parity(&self, codes: &[u8; MAX_SEARCH_CELLS]) -> u16 {
        let shape = self.pattern.shape();
        let mut distance = 0;
        for (code, home) in self.pattern.homes().enumerate() {
            let at = codes.iter().position(|&other| usize::from(other) == code).unwrap_or_default();
            distance += shape.distance(Cell::new(at), Cell::new(home));
        }
        (distance % 2) as u16
    }
}
