//! What a search keeps of a board: two cache lines.

use crate::engine::ida::batch::BatchNode;
use crate::engine::ida::chunk::Node;
use crate::heuristic::pdb::PdbCollection;

/// Cells and homes of a board, and what vectors read beyond them.
pub const PLACES: usize = 32;

/// A board that the search has reached.
///
/// Per slot it has two bits, from which a table's bit tells whether the slot's value rises or falls. Where the tiles of
/// a pattern stand is worked out from the board when an entry is looked up: to keep it up to date for every slot would
/// cost more than the few lookups that a move needs.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct CollectionNode {
    /// Cell → home of the tile there; the blank's is its own home. `PLACES − 1` beyond the board.
    pub(super) homes: [u8; PLACES],
    /// Home → cell: the inverse. So the blank's cell is that of its home.
    pub(super) cells: [u8; PLACES],
    /// The values of the subsets; 0 beyond them.
    pub(super) sums: [u8; PdbCollection::MAX_SUBSETS],
    /// The subsets whose value is the greatest.
    pub(super) maximising: u32,
    /// Bit 1 of each slot's value.
    pub(super) bits: u64,
    /// Bit 0 of each slot's value.
    pub(super) odd: u64,
    /// The number of the root of the chunk that it is below.
    pub(super) root: u32,
    /// The automaton's state.
    pub(super) state: u32,
    /// Moves from the start.
    pub(super) depth: u16,
    /// The greatest sum.
    pub(super) h: u16,
}

const _: () = assert!(size_of::<CollectionNode>() == 128, "stacks and lists are read and written all the time");

impl CollectionNode {
    /// Cell of the blank, whose home is given.
    #[inline(always)]
    pub(super) fn blank(&self, home: u8) -> u8 {
        self.cells[usize::from(home) % PLACES]
    }
}

impl Node for CollectionNode {
    #[inline(always)]
    fn depth(&self) -> u16 {
        self.depth
    }

    #[inline(always)]
    fn h(&self) -> u16 {
        self.h
    }
}

impl BatchNode for CollectionNode {
    #[inline(always)]
    fn root(&self) -> u32 {
        self.root
    }

    #[inline(always)]
    fn set_root(&mut self, number: u32) {
        self.root = number;
    }
}
