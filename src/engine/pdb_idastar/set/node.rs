//! What a search keeps of a board: two cache lines.

use super::super::node::ListNode;
use crate::heuristic::pdb::PatternSet;

/// Cells and homes of a board, and what vectors read beyond them.
pub(in super::super) const PLACES: usize = 32;

/// A board that the search has reached.
///
/// Per slot it has two bits, from which a table's bit tells whether the slot's value rises or falls. Where the tiles of
/// a pattern stand is worked out from the board when an entry is looked up: to keep it up to date for every slot would
/// cost more than the few lookups that a move needs.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct SetNode {
    /// Cell → home of the tile there; the blank's is its own home. `PLACES − 1` beyond the board.
    pub(super) homes: [u8; PLACES],
    /// Home → cell: the inverse. So the blank's cell is that of its home.
    pub(super) cells: [u8; PLACES],
    /// The values of the covers; 0 beyond them.
    pub(super) sums: [u8; PatternSet::MAX_COVERS],
    /// The covers whose value is the greatest.
    pub(super) tight: u32,
    /// Bit 1 of each slot's value.
    pub(super) bits: u64,
    /// Bit 0 of each slot's value.
    pub(super) odd: u64,
    /// The number of its step, see [`super::super::trace`]; of nodes that have none, the number of the root above it.
    pub(super) step: u32,
    /// The automaton's state.
    pub(super) state: u32,
    /// Moves from the start.
    pub(super) depth: u16,
    /// The greatest sum.
    pub(super) plies: u16,
}

const _: () = assert!(size_of::<SetNode>() == 128, "stacks and lists are read and written all the time");

impl SetNode {
    /// Cell of the blank, whose home is given.
    #[inline(always)]
    pub(super) fn blank(&self, home: u8) -> u8 {
        self.cells[usize::from(home) % PLACES]
    }
}

impl ListNode for SetNode {
    fn f(&self) -> u16 {
        self.depth + self.plies
    }

    fn step(&self) -> u32 {
        self.step
    }

    fn depth(&self) -> u16 {
        self.depth
    }

    fn with_step_offset(self, offset: u32) -> SetNode {
        SetNode { step: self.step + offset, ..self }
    }
}
