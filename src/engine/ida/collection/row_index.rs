//! The mapping from the placement of a pattern's tiles and the blank to an entry of its table, with
//! eight bytes per set of cells.

use crate::board::MAX_SEARCH_CELLS;
use crate::engine::ida::partition::placement_index::PlacementIndex;
use crate::heuristic::pdb::{Layout, Orders};
use crate::system::prefetch;

/// The rows of all patterns with the same number of tiles, and the numbers of their orders.
pub struct RowIndex {
    tiles: usize,
    /// The number of entries reserved for each order.
    block: u32,
    low_bits: u32,
    /// The summands of a set's number, by the set's higher cells and by its lower cells.
    high: Box<[u32; HALF]>,
    low: Box<[u32; HALF]>,
    /// For each set of cells, the first row (upper half), the cells of the second region (lower
    /// half, from bit 1) and a flag for more than two regions (bit 0). A flagged set, one in
    /// fourteen with six tiles on 5×5, is looked up in `regions`. A record is half the size of one
    /// with all regions, so that the records stay in a core's cache.
    records: Vec<u64>,
    regions: PlacementIndex<u128>,
    /// The contributions of the first four codes in reading order, and of the others, to the order
    /// number.
    pub(super) first_codes: Vec<u16>,
    pub(super) last_codes: Vec<u16>,
}

/// The placement of a pattern's tiles and the blank, before its entry is computed.
#[derive(Clone, Copy)]
pub struct Placement {
    /// The first entry of the order.
    first: u32,
    /// The number of the set of cells.
    set: u32,
    blank: u8,
}

/// The maximum number of sets of occupied cells in one half of a board.
const HALF: usize = 1 << 13;

/// The number of bits in a code.
const CODE_BITS: usize = 3;

impl RowIndex {
    pub(super) fn new(layout: &Layout) -> RowIndex {
        let placements = layout.placements();
        let (low_bits, high, low) = placements.halves();
        let mut records: Vec<u64> = Vec::new();
        let (mut set, mut regions) = (0, 0);
        for (row, (occupied, region)) in placements.places().enumerate() {
            if records.is_empty() || occupied != set {
                records.push((row as u64) << 32);
                (set, regions) = (occupied, 0);
            }
            if let Some(record) = records.last_mut() {
                match regions {
                    0 => {}
                    1 => *record |= u64::from(region) << 1,
                    _ => *record |= 1,
                }
            }
            regions += 1;
        }
        let orders = layout.orders();
        RowIndex {
            tiles: orders.tiles(),
            block: (layout.block_words() * Layout::WORD_BITS) as u32,
            low_bits: low_bits as u32,
            high: half(high),
            low: half(low),
            records,
            regions: PlacementIndex::new(layout),
            first_codes: part_of_order(orders, 0, orders.tiles().min(4)),
            last_codes: part_of_order(orders, orders.tiles().min(4), orders.tiles()),
        }
    }

    pub(super) fn tiles(&self) -> usize {
        self.tiles
    }

    /// Returns the placement of tiles in this order in these cells, with the blank in a free cell.
    /// Prefetches the record of the cells.
    #[inline(always)]
    pub(super) fn placement(&self, order: u32, occupied: u32, blank: u8) -> Placement {
        let low = occupied & ((1 << self.low_bits) - 1);
        let [high, low] = [occupied >> self.low_bits, low].map(|half| half as usize % HALF);
        let set = self.high[high] + self.low[low];
        prefetch(&self.records, set as usize);
        Placement { first: order.wrapping_mul(self.block), set, blank }
    }

    #[inline(always)]
    pub(super) fn entry(&self, place: Placement) -> u32 {
        let Placement { first, set, blank } = place;
        let record = self.records[set as usize];
        let mut row = (record >> 32) as u32 + (record >> (u32::from(blank) % 32 + 1)) as u32 % 2;
        if record & 1 == 1 {
            row = self.regions.row_of_set(set as usize, usize::from(blank)) as u32;
        }
        first.wrapping_add(row)
    }
}

/// Converts ranks to an array, which can be indexed without a bounds check.
fn half(ranks: &[u32]) -> Box<[u32; HALF]> {
    let mut half = Box::new([0; HALF]);
    half[..ranks.len()].copy_from_slice(ranks);
    half
}

/// Returns the contribution of the codes at positions `from..to` of the reading order to the order
/// number, indexed by these codes, three bits each.
///
/// A code counts once for every greater code before it. Every code occurs once in an order, so the
/// codes at these positions determine which codes are before them.
fn part_of_order(orders: &Orders, from: usize, to: usize) -> Vec<u16> {
    let all_codes = (1u32 << orders.tiles()) - 1;
    let count = to - from;
    let number = |packed: usize| {
        let codes: Vec<usize> = (0..count).map(|at| packed >> (CODE_BITS * at) & 7).collect();
        let inside = codes.iter().fold(0u32, |bits, &code| bits | 1 << code);
        // An invalid or repeated code occurs in no order.
        if inside & !all_codes != 0 || inside.count_ones() as usize != count {
            return 0;
        }
        let mut before = if from == 0 { 0 } else { all_codes & !inside };
        let mut sum = 0;
        for code in codes {
            sum += (before >> code).count_ones() * orders.weight(code as u8, code as u8);
            before |= 1 << code;
        }
        sum as u16
    };
    (0..1 << (CODE_BITS * 4))
        .map(|packed| if packed >> (CODE_BITS * count) == 0 { number(packed) } else { 0 })
        .collect()
}

const _: () = assert!(MAX_SEARCH_CELLS + 1 < 32, "cells and a flag fit into half a record");
