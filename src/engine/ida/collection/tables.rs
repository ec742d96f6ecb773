//! The read-only data of a search: slots, subsets, moves and automaton, arranged for the inner
//! loop.

use std::ops::Range;
use std::sync::Arc;

use crate::board::frame::Space;
use crate::board::{Cell, MAX_SEARCH_CELLS};
use crate::engine::automaton::Automaton;
use crate::engine::ida::batch::TableBits;
use crate::heuristic::pdb::{CollectionTables, Layout, Orders, Placements, Table};
use crate::system::prefetch;

/// The length of an array by cell, home (goal cell) or subset, padded to a vector of 32 bytes.
pub const PADDED: usize = 32;

/// The maximum number of slots: a word has a bit for each.
pub(super) const MAX_SLOTS: usize = 64;

/// A pattern in one view: on the board or on its mirror image.
pub struct SlotTables {
    pub(super) table: Arc<Table>,
    /// The index in [`GuideTables::rows`] of the [`RowIndex`] for this pattern's number of tiles.
    pub(super) rows: usize,
    /// 0 for the board, 1 for its mirror image.
    pub(super) view: usize,
    pub(super) tiles: usize,
    /// Code (a tile's index in its pattern) → the tile's home on the unmirrored board.
    pub(super) homes: [u8; 8],
    /// Code → the number that each greater code before it, in reading order, adds to the rank of
    /// the order.
    pub(super) weights: [u32; 8],
    /// Home on the unmirrored board → code, or [`SlotTables::OUTSIDE`] for other tiles. Used by the
    /// vector code.
    pub(super) codes: [u8; PADDED],
    /// The subsets that contain this slot, one bit each.
    pub(super) subsets: u32,
}

impl SlotTables {
    pub(super) const OUTSIDE: u8 = 0x80;
}

/// The bits of the tables of all slots.
pub type SlotBits<'a> = TableBits<'a, MAX_SLOTS>;

pub struct GuideTables {
    pub(super) space: Space,
    pub(super) databases: Arc<CollectionTables>,
    pub(super) slots: Vec<SlotTables>,
    /// One for each number of tiles that a pattern has.
    pub(super) rows: Vec<RowIndex>,
    pub(super) blank_home: u8,
    /// By view: cell of the board → cell of the view.
    pub(super) images: [[u8; PADDED]; 2],
    /// Home of a tile → the slots that contain it.
    pub(super) slots_of: [u64; PADDED],
    /// Subset and home of a tile → the subset's slot that contains the tile.
    pub(super) owners: Vec<[u8; PADDED]>,
    /// A bit for every subset.
    pub(super) subsets: u32,
    /// Cell of the blank and letter → the blank's new cell, or [`GuideTables::NOWHERE`] if the move
    /// leaves the board.
    pub(super) arrivals: [[u8; 4]; PADDED],
    /// The same moves as permutations of cells, for the vector code.
    pub(super) swaps: Vec<[[u8; PADDED]; 4]>,
    pub(super) automaton: Arc<Automaton>,
}

impl GuideTables {
    pub(super) const NOWHERE: u8 = u8::MAX;

    /// Returns the index of the entry in a slot's table, and prefetches the entry.
    #[inline(always)]
    pub(super) fn prefetched_entry(&self, bits: &SlotBits, slot: u8, placement: Placement) -> u32 {
        let entry = self.rows[self.slots[usize::from(slot)].rows].entry_index(placement);
        bits.prefetch(slot.into(), entry as usize);
        entry
    }

    /// Creates the tables. Returns `None` if the databases are not for this space, have too many
    /// slots, or are too large for indices of 32 bits.
    pub(super) fn new(
        space: &Space,
        databases: &Arc<CollectionTables>,
        automaton: &Arc<Automaton>,
    ) -> Option<GuideTables> {
        let cells = space.shape.cells();
        let is_usable = |table: &Arc<Table>| {
            let pattern = table.pattern();
            (pattern.shape(), pattern.goal_blank()) == (space.shape, space.goal_blank)
                && table.words().len() * Layout::WORD_BITS <= u32::MAX as usize
        };
        let patterns = databases.collection();
        if patterns.slots().len() > MAX_SLOTS || cells > MAX_SEARCH_CELLS || !databases.tables().iter().all(is_usable) {
            return None;
        }
        let identity: [u8; PADDED] = std::array::from_fn(|cell| cell as u8);
        let mut images = [identity; 2];
        if let Some(mirror) = patterns.images() {
            images[1][..cells].copy_from_slice(&mirror[..cells]);
        }
        let (mut slots, mut rows): (Vec<SlotTables>, Vec<RowIndex>) = (Vec::new(), Vec::new());
        for (number, slot) in patterns.slots().iter().enumerate() {
            let table = &databases.tables()[slot.pattern];
            let tiles = table.pattern().tiles();
            let existing = rows.iter().position(|rows| rows.tiles == tiles);
            let index = existing.unwrap_or_else(|| {
                rows.push(RowIndex::new(table.layout()));
                rows.len() - 1
            });
            let view = usize::from(slot.mirrored);
            let (mut homes, mut weights, mut codes) = ([0; 8], [0; 8], [SlotTables::OUTSIDE; PADDED]);
            for (code, home) in table.pattern().homes().enumerate() {
                // A mirror is its own inverse.
                homes[code] = images[view][home];
                codes[usize::from(homes[code])] = code as u8;
                weights[code] = table.layout().orders().weight(code as u8, code as u8);
            }
            let is_in = |subset: &Vec<usize>| u32::from(subset.contains(&number));
            let subsets =
                patterns.subsets().iter().enumerate().fold(0, |bits, (at, subset)| bits | is_in(subset) << at);
            slots.push(SlotTables {
                table: Arc::clone(table),
                rows: index,
                view,
                tiles,
                homes,
                weights,
                codes,
                subsets,
            });
        }
        let mut slots_of = [0; PADDED];
        // Slots in no subset are not looked up.
        for (number, slot) in slots.iter().enumerate().filter(|(_, slot)| slot.subsets != 0) {
            slot.homes[..slot.tiles].iter().for_each(|&home| slots_of[usize::from(home)] |= 1 << number);
        }
        let mut owners = vec![[0; PADDED]; patterns.subsets().len()];
        for (owners, subset) in owners.iter_mut().zip(patterns.subsets()) {
            for &slot in subset {
                slots[slot].homes[..slots[slot].tiles].iter().for_each(|&home| owners[usize::from(home)] = slot as u8);
            }
        }
        let mut arrivals = [[GuideTables::NOWHERE; 4]; PADDED];
        let mut swaps = vec![[identity; 4]; PADDED];
        for cell in 0..cells {
            for (letter, to) in space.steps(Cell::new(cell)) {
                arrivals[cell][letter.index()] = to.index() as u8;
                swaps[cell][letter.index()].swap(cell, to.index());
            }
        }
        let subsets = u32::MAX >> (32 - owners.len());
        let (databases, automaton) = (Arc::clone(databases), Arc::clone(automaton));
        Some(GuideTables {
            space: *space,
            databases,
            slots,
            rows,
            blank_home: space.goal_blank.index() as u8,
            images,
            slots_of,
            owners,
            subsets,
            arrivals,
            swaps,
            automaton,
        })
    }
}

/// The numbering of the rows and of the orders of all patterns with the same number of tiles. A row
/// stands for a set of occupied cells and a region of the blank.
pub struct RowIndex {
    tiles: usize,
    /// The number of entries reserved for each order.
    block: u32,
    /// A copy, whose addresses need not be looked up in a table's layout.
    placements: Placements,
    /// The number of cells in the first half of the board.
    low_bits: u32,
    /// The number of a set of occupied cells is the sum of two elements: that of `high` for the
    /// set's cells in the second half of the board, and that of `low` for those in the first half.
    high: Box<[u32; HALF]>,
    low: Box<[u32; HALF]>,
    /// The record of each set of occupied cells, by the set's number: the first row (from bit 32),
    /// the cells of the second region (from bit 1), and a flag for more than two regions (bit 0). A
    /// flagged set, one in fourteen with six tiles on 5×5, is looked up in `placements`. A record
    /// is half the size of one with all regions, so that the records stay in a core's cache.
    set_records: Vec<u64>,
    /// What the first four codes in reading order, and the others, contribute to the rank of the
    /// order; indexed by these codes, three bits each.
    pub(super) first_codes: Vec<u16>,
    pub(super) last_codes: Vec<u16>,
}

/// The placement of a pattern's tiles and the blank, from which the index of the entry is computed.
#[derive(Clone, Copy)]
pub struct Placement {
    /// The index of the first entry for the order of the tiles.
    first: u32,
    /// The number of the set of occupied cells.
    set: u32,
    blank: u8,
}

/// The maximum number of sets of occupied cells in one half of a board.
const HALF: usize = 1 << MAX_SEARCH_CELLS.div_ceil(2);

/// The number of bits in a code.
const CODE_BITS: usize = 3;

impl RowIndex {
    pub(super) fn new(layout: &Layout) -> RowIndex {
        let placements = layout.placements().clone();
        let mut set_records: Vec<u64> = Vec::new();
        let (mut set, mut regions) = (0, 0);
        for (row, (occupied, region)) in placements.places().enumerate() {
            if set_records.is_empty() || occupied != set {
                set_records.push((row as u64) << 32);
                (set, regions) = (occupied, 0);
            }
            if let Some(record) = set_records.last_mut() {
                match regions {
                    0 => {}
                    1 => *record |= u64::from(region) << 1,
                    _ => *record |= 1,
                }
            }
            regions += 1;
        }
        let (orders, tiles) = (layout.orders(), layout.orders().tiles());
        let (low_bits, high, low) = placements.halves();
        RowIndex {
            tiles,
            block: (layout.block_words() * Layout::WORD_BITS) as u32,
            low_bits: low_bits as u32,
            high: half(high),
            low: half(low),
            placements,
            set_records,
            first_codes: part_of_rank(orders, 0..tiles.min(4)),
            last_codes: part_of_rank(orders, tiles.min(4)..tiles),
        }
    }

    /// Returns the placement of tiles in this order in these cells, with the blank in a free cell.
    /// Prefetches the record of the cells.
    #[inline(always)]
    pub(super) fn placement(&self, order: u32, occupied: u32, blank: u8) -> Placement {
        let low = occupied & ((1 << self.low_bits) - 1);
        let [high, low] = [occupied >> self.low_bits, low].map(|half| half as usize % HALF);
        let set = self.high[high] + self.low[low];
        prefetch(&self.set_records, set as usize);
        Placement { first: order.wrapping_mul(self.block), set, blank }
    }

    #[inline(always)]
    pub(super) fn entry_index(&self, placement: Placement) -> u32 {
        let Placement { first, set, blank } = placement;
        let record = self.set_records[set as usize];
        let mut row = (record >> 32) as u32 + (record >> (u32::from(blank) % 32 + 1)) as u32 % 2;
        if record & 1 == 1 {
            row = self.placements.row_of_set(set as usize, usize::from(blank)) as u32;
        }
        first.wrapping_add(row)
    }
}

/// Copies the numbers of one half into an array, which can be indexed without a bounds check.
fn half(numbers: &[u32]) -> Box<[u32; HALF]> {
    let mut half = Box::new([0; HALF]);
    half[..numbers.len()].copy_from_slice(numbers);
    half
}

/// Returns what the codes at these positions of the reading order contribute to the rank of the
/// order, indexed by these codes, three bits each.
///
/// A code contributes its weight once for every greater code before it. Every code occurs once in
/// an order, so the codes at the last positions determine which codes are before them. (Indices
/// with an invalid or repeated code are not used.)
fn part_of_rank(orders: &Orders, positions: Range<usize>) -> Vec<u16> {
    let all_codes = (1u32 << orders.tiles()) - 1;
    let contribution = |packed: usize| {
        let codes = positions.clone().zip(0..).map(|(_, at)| packed >> (CODE_BITS * at) & 7);
        let inside = codes.clone().fold(0, |bits, code| bits | 1 << code);
        let mut before = if positions.start == 0 { 0 } else { all_codes & !inside };
        let mut sum = 0;
        for code in codes {
            sum += (before >> code).count_ones() * orders.weight(code as u8, code as u8);
            before |= 1 << code;
        }
        sum as u16
    };
    (0..1 << (CODE_BITS * 4)).map(contribution).collect()
}

const _: () = assert!(MAX_SEARCH_CELLS + 1 < 32, "cells and a flag fit into half a record");
