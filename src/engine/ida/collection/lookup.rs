//! The search node and two computations on it: the index of an entry in a slot's table, and the
//! sums after a move. The portable version is here; the vector version is in `vector.rs`.

use super::tables::{GuideTables, PADDED, Placement, SlotTables};
use crate::engine::ida::batch::BatchNode;
use crate::engine::ida::nodes::TreeNode;
use crate::heuristic::pdb::PdbCollection;
use crate::system::{InstructionSet, Kernel};

/// A node of the search tree.
///
/// For each slot ([`super`]), a node stores the two lowest bits of the value. Together with the
/// table's bit they determine whether the value rises or falls. The cells of a pattern's tiles are
/// not stored, but computed from the board when an entry is looked up. Updating them for every slot
/// would cost more than the few lookups that a move needs.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct CollectionNode {
    /// Cell → home of its tile or of the blank; `PADDED − 1` beyond the board.
    pub(super) homes: [u8; PADDED],
    /// Home → cell: the inverse map, including the blank.
    pub(super) cells: [u8; PADDED],
    /// The sums of the subsets; 0 beyond them.
    pub(super) sums: [u8; PdbCollection::MAX_SUBSETS],
    /// The maximising subsets, one bit each: those whose sum is h.
    pub(super) maximising: u32,
    /// Bit 1 of each slot's value.
    pub(super) bits: u64,
    /// Bit 0 of each slot's value.
    pub(super) odd: u64,
    /// The index of the node's root in the chunk.
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
        self.cells[usize::from(home) % PADDED]
    }
}

impl TreeNode for CollectionNode {
    /// A node is three times as large as a partition's, so lists of the same length need three
    /// times the memory.
    const LIST_MEMORY_FACTOR: usize = 3;

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

/// A method of computing indices of entries, and sums. All implementations return the same results.
pub trait Lookup: Sync {
    /// Runs a kernel, as [`Guide::run`](crate::engine::ida::batch::Guide::run) does.
    #[inline]
    fn run<T: Kernel>(instruction_set: InstructionSet, task: T) -> T::Output {
        instruction_set.dispatch(task)
    }

    /// Runs a kernel once, as [`Guide::run_once`](crate::engine::ida::batch::Guide::run_once) does.
    #[inline]
    fn run_once<T: Kernel>(task: T) -> T::Output {
        task.run()
    }

    /// A board in the form from which placements are computed.
    type Board: Copy;

    /// Returns the board after a move of the blank by `letter` to the cell `to`. The move swaps the
    /// blank with `tile`.
    fn after(tables: &GuideTables, node: &CollectionNode, letter: usize, to: u8, tile: u8) -> Self::Board;

    /// Returns the placement of a slot's tiles. `blank` is the blank's cell on the unmirrored
    /// board.
    fn placement(tables: &GuideTables, board: &Self::Board, slot: &SlotTables, blank: u8) -> Placement;

    /// Returns the index of the entry in the slot's table.
    #[cfg(test)]
    fn entry_index(tables: &GuideTables, board: &Self::Board, slot: &SlotTables, blank: u8) -> u32 {
        tables.rows[slot.rows].entry_index(Self::placement(tables, board, slot, blank))
    }

    /// Returns the sums after a move: the sums of the subsets in `rising` rise by one, the others
    /// fall by one.
    fn sums_after(sums: &[u8; PADDED], rising: u32) -> [u8; PADDED];

    /// Returns the subsets whose sum is `h`, one bit each. Bits beyond the last subset may also be
    /// set.
    fn equal(sums: &[u8; PADDED], h: u8) -> u32;
}

/// The implementation for any processor.
pub struct PortableLookup;

/// The lowest bit of every byte.
const LOW: u64 = 0x0101_0101_0101_0101;
/// The highest bit of every byte.
const HIGH: u64 = LOW << 7;

impl Lookup for PortableLookup {
    type Board = [u8; PADDED];

    #[inline(always)]
    fn after(tables: &GuideTables, node: &CollectionNode, _: usize, _: u8, tile: u8) -> [u8; PADDED] {
        let mut cells = node.cells;
        cells[usize::from(tile) % PADDED] = node.blank(tables.blank_home);
        cells
    }

    /// Puts the cells of the tiles, by code, into the bytes of a word, and compares each byte with
    /// all higher ones at once.
    #[inline(always)]
    fn placement(tables: &GuideTables, cells: &[u8; PADDED], slot: &SlotTables, blank: u8) -> Placement {
        let images = &tables.images[slot.view];
        // Bytes beyond the pattern's tiles are greater than any cell.
        let (mut tile_cells, mut occupied) = (HIGH - LOW, 0);
        for (code, &home) in slot.homes[..slot.tiles].iter().enumerate() {
            let cell = images[usize::from(cells[usize::from(home) % PADDED]) % PADDED];
            tile_cells ^= u64::from(0x7f ^ cell) << (8 * code);
            occupied |= 1u32 << (cell % 32);
        }
        let (mut order, mut greater) = (0, HIGH << 8);
        for (code, &weight) in slot.weights[..slot.tiles - 1].iter().enumerate() {
            let repeated = (tile_cells >> (8 * code) & 0xff) * LOW;
            // The high bit of every higher byte that is less than the current one: those tiles have
            // greater codes and come before the current tile.
            let before = !((tile_cells | HIGH) - repeated) & greater;
            order += before.count_ones() * weight;
            greater <<= 8;
        }
        tables.rows[slot.rows].placement(order, occupied, images[usize::from(blank) % PADDED])
    }

    #[inline(always)]
    fn sums_after(sums: &[u8; PADDED], rising: u32) -> [u8; PADDED] {
        std::array::from_fn(|subset| sums[subset].wrapping_add((rising >> subset & 1) as u8 * 2).wrapping_sub(1))
    }

    #[inline(always)]
    fn equal(sums: &[u8; PADDED], h: u8) -> u32 {
        sums.as_chunks::<8>().0.iter().rev().fold(0, |subsets, &bytes| {
            let difference = u64::from_le_bytes(bytes) ^ (u64::from(h) * LOW);
            // The high bit of every byte that is 0, gathered into one byte.
            let equal = !((difference & !HIGH).wrapping_add(!HIGH) | difference) & HIGH;
            subsets << 8 | ((equal >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32
        })
    }
}
