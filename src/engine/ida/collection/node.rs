//! The search node: two cache lines.

use crate::engine::ida::batch::BatchNode;
use crate::engine::ida::chunk::Node;
use crate::heuristic::pdb::PdbCollection;

/// The number of cells and homes, padded to a vector.
pub const PLACES: usize = 32;

/// A node of the search tree.
///
/// For each slot it stores two bits of the value. With the table's bit they determine whether the
/// value rises or falls. The cells of a pattern's tiles are computed from the board when an entry
/// is looked up. Updating them for every slot would cost more than the few lookups that a move
/// needs.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct CollectionNode {
    /// Cell → home of its tile or of the blank; `PLACES − 1` beyond the board.
    pub(super) homes: [u8; PLACES],
    /// Home → cell: the inverse map, including the blank.
    pub(super) cells: [u8; PLACES],
    /// The sums of the subsets; 0 beyond them.
    pub(super) sums: [u8; PdbCollection::MAX_SUBSETS],
    /// The maximising subsets, one bit each.
    pub(super) maximising: u32,
    /// Bit 1 of each slot's value.
    pub(super) bits: u64,
    /// Bit 0 of each slot's value.
    pub(super) odd: u64,
    /// The index of its root in the chunk.
    pub(super) root: u32,
    /// The automaton's state.
    pub(super) state: u32,
    pub(super) depth: u16,
    /// h, the greatest sum.
    pub(super) h: u16,
}

const _: () = assert!(size_of::<CollectionNode>() == 128, "a node must fill exactly two cache lines");

impl CollectionNode {
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
