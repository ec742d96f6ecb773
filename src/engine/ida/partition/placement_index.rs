//! The mapping from the placement of a pattern's tiles and the blank to an entry of its table.

use super::word::Word;
use crate::board::MAX_SEARCH_CELLS;
use crate::heuristic::pdb::Layout;

/// The index for the tables of all patterns with the same number of tiles.
pub struct PlacementIndex<W: Word> {
    /// The number of entries reserved for each order.
    pub block: usize,
    low_bits: usize,
    /// The summands of a set's number, by the set's higher cells and by its lower cells.
    pub high: Vec<u32>,
    pub low: Vec<u32>,
    /// By the set's number.
    pub records: Vec<W::Record>,
}

impl<W: Word> PlacementIndex<W> {
    pub fn new(layout: &Layout) -> PlacementIndex<W> {
        let placements = layout.placements();
        let (low_bits, high, low) = placements.halves();
        let mut records: Vec<W::Record> = Vec::new();
        let (mut set, mut region_number) = (0, 0);
        for (row, (occupied, region)) in placements.places().enumerate() {
            if records.is_empty() || occupied != set {
                debug_assert_eq!(placements.set_number(occupied), records.len());
                records.push(W::record(row as u32));
                (set, region_number) = (occupied, 0);
            }
            if let Some(record) = records.last_mut() {
                for cell in (0..MAX_SEARCH_CELLS).filter(|cell| region >> cell & 1 == 1) {
                    *record = W::with_region(*record, cell, region_number);
                }
            }
            region_number += 1;
        }
        PlacementIndex {
            block: layout.block_words() * Layout::WORD_BITS,
            low_bits,
            high: high.to_vec(),
            low: low.to_vec(),
            records,
        }
    }

    /// Returns the entry for tiles in this order in these cells, with the blank in a free cell.
    #[inline(always)]
    pub fn entry(&self, order: u16, occupied: u32, blank: usize) -> usize {
        let low = occupied & ((1 << self.low_bits) - 1);
        let set = self.high[(occupied >> self.low_bits) as usize] + self.low[low as usize];
        usize::from(order) * self.block + self.row_of_set(set as usize, blank)
    }

    /// Returns the row for the set of occupied cells with this number, with the blank in a free
    /// cell.
    #[inline(always)]
    pub fn row_of_set(&self, set: usize, blank: usize) -> usize {
        W::row(self.records[set], blank)
    }
}
