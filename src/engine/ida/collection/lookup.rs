//! From a board to the entry of a slot's table, and from the slots that rise to the sums: what is written once for
//! every processor here, and once in vectors (`vector.rs`).

use super::node::{CollectionNode, PLACES};
use super::row_index::Place;
use super::tables::{SlotTables, Tables};
use crate::system::{InstructionSet, Kernel};

/// A way to work out entries and sums. All have the same results.
pub trait Lookup: Sync {
    /// Runs a loop as compiled for the processor.
    fn run<T: Kernel>(instruction_set: InstructionSet, task: T) -> T::Output;

    /// What of a board is needed to look up its slots.
    type Board: Copy;

    /// The board after the blank's move in the direction of a letter, that of its tile.
    fn after(tables: &Tables, node: &CollectionNode, letter: usize, to: u8, tile: u8) -> Self::Board;

    /// Where a slot's tiles are; `blank`: the blank's cell on the board as it is.
    fn place(tables: &Tables, board: &Self::Board, slot: &SlotTables, blank: u8) -> Place;

    /// The entry of a slot's table.
    #[cfg(test)]
    fn entry(tables: &Tables, board: &Self::Board, slot: &SlotTables, blank: u8) -> u32 {
        tables.rows[slot.rows].entry(Self::place(tables, board, slot, blank))
    }

    /// The sums after those of the subsets in `rising` have grown by one and the others have become less by one.
    fn sums_after(sums: &[u8; PLACES], rising: u32) -> [u8; PLACES];

    /// The subsets whose sum is this one, and maybe some that are none.
    fn equal(sums: &[u8; PLACES], h: u8) -> u32;
}

/// With portable code.
pub struct Portable;

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = LOW << 7;

impl Lookup for Portable {
    #[inline]
    fn run<T: Kernel>(instruction_set: InstructionSet, task: T) -> T::Output {
        instruction_set.dispatch(task)
    }

    type Board = [u8; PLACES];

    #[inline(always)]
    fn after(tables: &Tables, node: &CollectionNode, _: usize, _: u8, tile: u8) -> [u8; PLACES] {
        let mut cells = node.cells;
        cells[usize::from(tile) % PLACES] = node.blank(tables.blank_home);
        cells
    }

    /// The cells of the tiles, by code, are the bytes of a word; all of them are compared with one of them at once.
    #[inline(always)]
    fn place(tables: &Tables, cells: &[u8; PLACES], slot: &SlotTables, blank: u8) -> Place {
        let images = &tables.images[slot.view];
        // Beyond the pattern's tiles greater than any cell.
        let (mut places, mut occupied) = (HIGH - LOW, 0);
        for (code, &home) in slot.homes[..slot.tiles].iter().enumerate() {
            let cell = images[usize::from(cells[usize::from(home) % PLACES]) % PLACES];
            places ^= u64::from(0x7f ^ cell) << (8 * code);
            occupied |= 1u32 << (cell % 32);
        }
        let (mut order, mut greater) = (0, HIGH << 8);
        for (code, &weight) in slot.weights[..slot.tiles - 1].iter().enumerate() {
            let own = (places >> (8 * code) & 0xff) * LOW;
            // The high bit of every byte that is not less than its own.
            let before = !((places | HIGH) - own) & greater;
            order += before.count_ones() * weight;
            greater <<= 8;
        }
        tables.rows[slot.rows].place(order, occupied, images[usize::from(blank) % PLACES])
    }

    #[inline(always)]
    fn sums_after(sums: &[u8; PLACES], rising: u32) -> [u8; PLACES] {
        std::array::from_fn(|subset| sums[subset].wrapping_add((rising >> subset & 1) as u8 * 2).wrapping_sub(1))
    }

    #[inline(always)]
    fn equal(sums: &[u8; PLACES], h: u8) -> u32 {
        sums.as_chunks::<8>().0.iter().rev().fold(0, |subsets, &bytes| {
            let difference = u64::from_le_bytes(bytes) ^ (u64::from(h) * LOW);
            // The high bit of every byte that is 0; then those bits side by side.
            let equal = !((difference & !HIGH).wrapping_add(!HIGH) | difference) & HIGH;
            subsets << 8 | ((equal >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32
        })
    }
}
