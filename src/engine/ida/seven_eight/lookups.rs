//! The data of the vector code: nodes packed into words, so that one vector holds the same word of
//! eight nodes, and lookup tables for moves, labels and placements of the partition `7-8` and its
//! mirror image on 4×4.
//!
//! Such a partition suits vectors well. Bit 3 of a tile's label ([`PartitionTables::labels`]) is
//! the pattern that contains the tile, and the lower bits are the tile's code (its index in the
//! pattern). The blank's label is 7. The larger pattern's cells follow from the smaller pattern's
//! cells and the blank's cell. The mirror transposes, so a move can change only one order: that of
//! the moved tile's pattern, on the unmirrored board if the move is vertical, in the mirror if it
//! is horizontal.

use crate::engine::ida::batch::BatchNode;
use crate::engine::ida::nodes::TreeNode;
use crate::engine::ida::partition::PartitionNode;
use crate::engine::ida::partition::tables::PartitionTables;

/// A node on 4×4 with two patterns. It takes only 32 bytes, because nodes are copied several times
/// and a list has tens of thousands of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(32))]
pub struct Node4x4 {
    pub board: u64,
    /// The rank of the order of each pattern's tiles, 16 bits each, by view (the board, then its
    /// mirror image) and then by pattern.
    pub orders: u64,
    /// The values of the patterns, 8 bits each, by view and then by pattern.
    pub values: u32,
    /// The cells that the smaller pattern's tiles occupy, 16 bits each, by view.
    pub occupied: u32,
    /// From the lowest bit: the automaton's state (16 bits), the root (16), the depth (16), h (8)
    /// and the blank's cell (8).
    pub rest: u64,
}

impl Node4x4 {
    pub const ROOT_SHIFT: u32 = 16;
    pub const DEPTH_SHIFT: u32 = 32;
    pub const H_SHIFT: u32 = 48;
    pub const BLANK_SHIFT: u32 = 56;

    pub fn of(node: &PartitionNode<u64, 2>) -> Node4x4 {
        let [[a, b], [c, d]] = node.orders.map(|orders| orders.map(u64::from));
        let [state, root, depth] = [node.state, node.root, node.depth.into()].map(u64::from);
        let [h, blank] = [node.h, node.blank].map(u64::from);
        Node4x4 {
            board: node.board,
            orders: a | b << 16 | c << 32 | d << 48,
            values: u32::from_le_bytes([node.values[0][0], node.values[0][1], node.values[1][0], node.values[1][1]]),
            occupied: u32::from(node.occupied[0][0]) | u32::from(node.occupied[1][0]) << 16,
            rest: state
                | root << Self::ROOT_SHIFT
                | depth << Self::DEPTH_SHIFT
                | h << Self::H_SHIFT
                | blank << Self::BLANK_SHIFT,
        }
    }

    #[inline(always)]
    pub fn state(&self) -> usize {
        self.rest as usize & 0xffff
    }

    #[inline(always)]
    pub fn blank(&self) -> usize {
        (self.rest >> Self::BLANK_SHIFT) as usize & 15
    }
}

impl TreeNode for Node4x4 {
    /// The size of a [`PartitionNode`], which is used instead on processors without AVX-512.
    const BYTES: usize = size_of::<PartitionNode<u64, 2>>();

    #[inline(always)]
    fn depth(&self) -> u16 {
        (self.rest >> Self::DEPTH_SHIFT) as u16
    }

    #[inline(always)]
    fn h(&self) -> u16 {
        (self.rest >> Self::H_SHIFT) as u16 & 0xff
    }
}

impl BatchNode for Node4x4 {
    #[inline(always)]
    fn root(&self) -> u32 {
        (self.rest >> Self::ROOT_SHIFT) as u32 & 0xffff
    }

    #[inline(always)]
    fn set_root(&mut self, number: u32) {
        self.rest = self.rest & !(0xffff << Self::ROOT_SHIFT) | u64::from(number & 0xffff) << Self::ROOT_SHIFT;
    }
}

/// The blank's label.
pub(super) const BLANK_LABEL: u64 = 7;

/// A move of the blank, packed for the vector code.
///
/// ```text
/// bits  0 – 5   the blank's new cell, as a shift in a board's word: four times the cell
///       6 –23   the three cells whose tiles are passed, in the same form
///      24 –29   the blank's old cell, in the same form
///      30       1: the order changes in the mirror
///      31       1: the tile moves back in reading order
///      32 –47   the blank's old and new cell, as a mask with one bit per cell
///      48 –63   the same mask in the mirror
/// ```
pub type PackedMove = u64;

/// The lowest bits of the three passed cells in a [`PackedMove`].
pub(super) const PASSED_SHIFTS: [u32; 3] = [6, 12, 18];
/// The lowest bit of the blank's old cell in a [`PackedMove`].
pub(super) const OLD_CELL_SHIFT: u32 = 24;
/// The lowest bit of the masks in a [`PackedMove`].
pub(super) const FLIPS_SHIFT: u32 = 32;
/// The bits of a cell of a [`PackedMove`], after a shift to bit 0. The two lowest bits are always
/// 0, because a cell is stored as four times its index.
pub(super) const CELL_MASK: u64 = 60;
pub(super) const IN_MIRROR: u32 = 1 << 30;
pub(super) const BACK: u32 = 1 << 31;

/// The moves from a cell with a given set of allowed letters, without gaps, smallest letter first.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct AllowedMoves {
    pub(super) moves: [PackedMove; 4],
    pub(super) letters: [u32; 4],
    pub(super) count: u32,
}

/// The lookup tables of the vector code.
#[derive(Debug)]
pub struct LookupTables {
    /// By the blank's cell and the allowed letters, 4 bits each.
    pub(super) moves: Box<[AllowedMoves; 256]>,
    /// Label → the mirrored tile's label, in the numbering of the mirror's tables.
    pub(super) mirrored: [u32; 16],
    /// Label → the amount by which one inversion of its tile changes the rank of its pattern's
    /// order.
    pub(super) weights: [u32; 16],
    /// The labels whose mirrored tile is in the larger pattern, one bit each.
    pub(super) larger_in_mirror: u32,
    /// Sets of occupied cells are numbered, first those of the smaller pattern, then those of the
    /// larger one. The number of a set is the sum of two elements: `high[pattern × 256 + upper]`
    /// and `low[pattern × 256 + lower]`, where `upper` and `lower` are the set's upper and lower
    /// eight cells as masks.
    pub(super) high: Box<[u16; 512]>,
    pub(super) low: Box<[u16; 512]>,
    /// By number of a set of occupied cells: the set's first row, in 16 bits, and for each cell the
    /// number of the region that contains it, in 3 bits.
    pub(super) sets: Vec<u64>,
    /// By pattern: the number of entries in a block, which are reserved for one order.
    pub(super) block_sizes: [u32; 2],
}

impl LookupTables {
    /// Creates the lookup tables. Returns `None` unless the tables are those of a partition `7-8`
    /// of 4×4 whose mirror transposes the board.
    pub(super) fn new(tables: &PartitionTables<u64, 2>) -> Option<LookupTables> {
        let shape = tables.space.shape;
        let mirror = tables.sum.mirror()?;
        let transposed = |cell: usize| cell % 4 * 4 + cell / 4;
        let tiles: Vec<usize> = tables.pdbs[0].iter().map(|table| table.pattern().tiles()).collect();
        let fits = (shape.rows(), shape.cols()) == (4, 4) && tiles == [7, 8];
        if !fits || (0..16).any(|cell| usize::from(mirror[cell]) != transposed(cell)) {
            return None;
        }

        let label = |(pattern, code)| 8 * u32::from(pattern) + u32::from(code);
        let mirrored = std::array::from_fn(|tile: usize| tables.owners[1][tile].map_or(BLANK_LABEL as u32, label));
        let larger_in_mirror =
            (0..16).filter(|&label| mirrored[label] > BLANK_LABEL as u32).fold(0, |bits, label| bits | 1 << label);
        let mut weights = [0; 16];
        for (pattern, table) in tables.pdbs[0].iter().enumerate() {
            for code in 0..tiles[pattern] {
                weights[8 * pattern + code] = table.layout().orders().weight(code as u8, code as u8);
            }
        }

        let (mut high, mut low) = (Box::new([0; 512]), Box::new([0; 512]));
        let mut sets = Vec::new();
        for (pattern, index) in tables.indices.iter().enumerate() {
            for half in 0..256 {
                high[pattern << 8 | half] = (index.high[half] as usize + sets.len()) as u16;
                low[pattern << 8 | half] = index.low[half] as u16;
            }
            sets.extend_from_slice(&index.set_records);
        }
        Some(LookupTables {
            moves: Box::new(std::array::from_fn(|index| allowed_moves(tables, index >> 4, index as u8 & 15))),
            mirrored,
            weights,
            larger_in_mirror,
            high,
            low,
            sets,
            block_sizes: [tables.indices[0].block as u32, tables.indices[1].block as u32],
        })
    }

    /// Returns the index of an entry in a pattern's table. `block` is the index of the block's
    /// first entry: the rank of the order times the size of a block. `key` has, from the lowest
    /// bit, the occupied cells in 16 bits and the pattern in 1 bit. From bit 24, it has the
    /// position of the blank's cell in an element of `sets`.
    #[inline(always)]
    pub(super) fn entry_index(&self, block: u32, key: u32) -> u32 {
        let pattern = (key >> 16 & 1) as usize;
        let (high, low) = ((key >> 8 & 255) as usize, (key & 255) as usize);
        let number = self.high[pattern << 8 | high].wrapping_add(self.low[pattern << 8 | low]);
        let set = self.sets[usize::from(number)];
        block + (set as u32 & 0xffff) + (set >> (key >> 24 & 63) & 7) as u32
    }
}

/// Returns the moves from the cell `blank` with the letters in `allowed` that do not leave the
/// board.
fn allowed_moves(tables: &PartitionTables<u64, 2>, blank: usize, allowed: u8) -> AllowedMoves {
    let mut list = AllowedMoves { moves: [0; 4], letters: [0; 4], count: 0 };
    for letter in (0..4).filter(|letter| (allowed & tables.legal_letters[blank]) >> letter & 1 == 1) {
        let blank_move = &tables.blank_moves[blank][letter];
        let passing = &blank_move.passings[0];
        let mut packed = (PackedMove::from(blank_move.to) * 4) | ((blank as u64 * 4) << OLD_CELL_SHIFT);
        for (shift, &cell) in PASSED_SHIFTS.iter().zip(&passing.cells) {
            packed |= (u64::from(cell) * 4) << shift;
        }
        packed |= u64::from(if passing.view == 1 { IN_MIRROR } else { 0 });
        packed |= u64::from(if passing.sign < 0 { BACK } else { 0 });
        packed |= (u64::from(blank_move.flips[0]) | u64::from(blank_move.flips[1]) << 16) << FLIPS_SHIFT;
        let number = list.count as usize;
        list.moves[number] = packed;
        list.letters[number] = letter as u32;
        list.count += 1;
    }
    list
}
