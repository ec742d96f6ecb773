//! The read-only data of a search: slots, subsets, moves and automaton, arranged for the inner
//! loop.

use std::sync::Arc;

use super::node::PLACES;
use super::row_index::{Placement, RowIndex};
use crate::board::frame::Space;
use crate::board::{Cell, MAX_SEARCH_CELLS, Move};
use crate::engine::automaton::Automaton;
use crate::heuristic::pdb::{CollectionTables, Layout, Table};
use crate::system::prefetch;

/// The maximum number of slots: a word has a bit for each.
pub(super) const MAX_SLOTS: usize = 64;

/// A pattern in one view: on the board or on its mirror image.
pub struct SlotTables {
    pub(super) table: Arc<Table>,
    /// The index in [`Tables::rows`] of the [`RowIndex`] for this pattern's number of tiles.
    pub(super) rows: usize,
    /// 0 for the board, 1 for its mirror image.
    pub(super) view: usize,
    pub(super) tiles: usize,
    /// Code → home on the unmirrored board.
    pub(super) homes: [u8; 8],
    /// Code → the weight in the order's rank of each greater code before it.
    pub(super) weights: [u32; 8],
    /// Home on the unmirrored board → code, or [`SlotTables::OUTSIDE`] for other tiles. Used by the
    /// vector code.
    pub(super) codes: [u8; PLACES],
    /// The subsets that contain this slot, one bit each.
    pub(super) subsets: u32,
}

impl SlotTables {
    pub(super) const OUTSIDE: u8 = 0x80;
}

/// The tables of all slots, in an array for the inner loop.
pub struct Words<'a>([&'a [u64]; MAX_SLOTS]);

impl Words<'_> {
    #[inline(always)]
    pub(super) fn bit(&self, slot: usize, entry: u32) -> u64 {
        let entry = entry as usize;
        self.0[slot % MAX_SLOTS][entry / Layout::WORD_BITS] >> (entry % Layout::WORD_BITS) & 1
    }

    #[inline(always)]
    pub(super) fn prefetch(&self, slot: usize, entry: u32) {
        prefetch(self.0[slot % MAX_SLOTS], entry as usize / Layout::WORD_BITS);
    }
}

pub struct Tables {
    pub(super) space: Space,
    pub(super) databases: Arc<CollectionTables>,
    pub(super) slots: Vec<SlotTables>,
    pub(super) rows: Vec<RowIndex>,
    pub(super) blank_home: u8,
    /// By view, cell → cell.
    pub(super) images: [[u8; PLACES]; 2],
    /// Home of a tile → the slots that contain it.
    pub(super) slots_of: [u64; PLACES],
    /// Subset and home of a tile → the subset's slot that contains it.
    pub(super) owners: Vec<[u8; PLACES]>,
    /// A bit for every subset.
    pub(super) subsets: u32,
    /// Cell of the blank and letter → the blank's new cell; [`Tables::NOWHERE`] beyond the board.
    pub(super) arrivals: [[u8; 4]; PLACES],
    /// The same moves as permutations of cells, for the vector code.
    pub(super) swaps: Vec<[[u8; PLACES]; 4]>,
    pub(super) automaton: Arc<Automaton>,
}

impl Tables {
    pub(super) const NOWHERE: u8 = u8::MAX;

    #[inline(always)]
    pub(super) fn prefetched_entry(&self, words: &Words, slot: u8, place: Placement) -> u32 {
        let entry = self.rows[self.slots[usize::from(slot)].rows].entry(place);
        words.prefetch(slot.into(), entry);
        entry
    }

    pub(super) fn words(&self) -> Words<'_> {
        let mut words = [&[][..]; MAX_SLOTS];
        for (words, slot) in words.iter_mut().zip(&self.slots) {
            *words = slot.table.words();
        }
        Words(words)
    }

    /// Creates the tables. Returns `None` if the databases are not for this space, or if they are
    /// too many or too large to be addressed.
    pub(super) fn new(space: &Space, databases: &Arc<CollectionTables>, automaton: &Arc<Automaton>) -> Option<Tables> {
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
        let identity: [u8; PLACES] = std::array::from_fn(|cell| cell as u8);
        let mut images = [identity; 2];
        if let Some(mirror) = patterns.images() {
            images[1][..cells].copy_from_slice(&mirror[..cells]);
        }
        let (mut slots, mut rows): (Vec<SlotTables>, Vec<RowIndex>) = (Vec::new(), Vec::new());
        for (number, slot) in patterns.slots().iter().enumerate() {
            let table = &databases.tables()[slot.pattern];
            let tiles = table.pattern().tiles();
            let existing = rows.iter().position(|rows| rows.tiles() == tiles);
            let index = existing.unwrap_or_else(|| {
                rows.push(RowIndex::new(table.layout()));
                rows.len() - 1
            });
            let view = usize::from(slot.mirrored);
            let (mut homes, mut weights, mut codes) = ([0; 8], [0; 8], [SlotTables::OUTSIDE; PLACES]);
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
        let mut slots_of = [0; PLACES];
        // Slots in no subset are not looked up.
        for (number, slot) in slots.iter().enumerate().filter(|(_, slot)| slot.subsets != 0) {
            slot.homes[..slot.tiles].iter().for_each(|&home| slots_of[usize::from(home)] |= 1 << number);
        }
        let mut owners = vec![[0; PLACES]; patterns.subsets().len()];
        for (owners, subset) in owners.iter_mut().zip(patterns.subsets()) {
            for &slot in subset {
                slots[slot].homes[..slots[slot].tiles].iter().for_each(|&home| owners[usize::from(home)] = slot as u8);
            }
        }
        let mut arrivals = [[Tables::NOWHERE; 4]; PLACES];
        let mut swaps = vec![[identity; 4]; PLACES];
        for (cell, letter) in (0..cells).flat_map(|cell| Move::ALL.map(|letter| (cell, letter))) {
            if let Some(to) = space.shape.neighbour(Cell::new(cell), space.order[letter.index()]) {
                arrivals[cell][letter.index()] = to.index() as u8;
                swaps[cell][letter.index()].swap(cell, to.index());
            }
        }
        let subsets = u32::MAX >> (32 - owners.len());
        let (databases, automaton) = (Arc::clone(databases), Arc::clone(automaton));
        Some(Tables {
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
