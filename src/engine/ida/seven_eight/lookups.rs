//! The data of the vector code: nodes packed into words, so that one vector holds one such word of
//! each of eight nodes, and lookup tables for moves, labels and placements of a `7-8` and its
//! mirror image on 4×4.
//!
//! Such a partition suits vectors well. Bit 3 of a tile's label ([`Tables::labels`]) is the pattern
//! that contains the tile, and the lower bits are the tile's code. The blank's label is 7. The
//! larger pattern's cells follow from the smaller pattern's cells and the blank's cell. The mirror
//! transposes, so a move can change only one order: that of the moved tile's pattern, on the
//! unmirrored board if the move is vertical, in the mirror if it is horizontal.

use crate::engine::ida::batch::BatchNode;
use crate::engine::ida::expander::Node;
use crate::engine::ida::partition::PartitionNode;
use crate::engine::ida::partition::tables::Tables;

/// A node on 4×4 with two patterns. It takes only 32 bytes, because nodes are copied several times
/// and a list has tens of thousands of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(32))]
pub struct Node4x4 {
    pub board: u64,
    /// The rank of the order of each pattern's tiles, 16 bits each, by view and then pattern.
    pub orders: u64,
    /// Values, 8 bits each, by view and then pattern.
    pub values: u32,
    /// The cells of the smaller pattern, 16 bits each, by view.
    pub occupied: u32,
    /// The automaton's state (16 bits, lowest), the root (16), the depth (16), h (8) and the
    /// blank's cell (8).
    pub rest: u64,
}

impl Node4x4 {
    pub const ROOT: u32 = 16;
    pub const DEPTH: u32 = 32;
    pub const H: u32 = 48;
    pub const BLANK: u32 = 56;

    pub fn of(node: &PartitionNode<u64, 2>) -> Node4x4 {
        let [[a, b], [c, d]] = node.orders.map(|orders| orders.map(u64::from));
        let [state, root, depth] = [node.state, node.root, node.depth.into()].map(u64::from);
        let [h, blank] = [node.h, node.blank].map(u64::from);
        Node4x4 {
            board: node.board,
            orders: a | b << 16 | c << 32 | d << 48,
            values: u32::from_le_bytes([node.values[0][0], node.values[0][1], node.values[1][0], node.values[1][1]]),
            occupied: u32::from(node.occupied[0][0]) | u32::from(node.occupied[1][0]) << 16,
            rest: state | root << Self::ROOT | depth << Self::DEPTH | h << Self::H | blank << Self::BLANK,
        }
    }

    #[inline(always)]
    pub fn state(&self) -> usize {
        self.rest as usize & 0xffff
    }

    #[inline(always)]
    pub fn blank(&self) -> usize {
        (self.rest >> Self::BLANK) as usize & 15
    }
}

impl Node for Node4x4 {
    /// The size of a [`PartitionNode`], which is used instead on processors without AVX-512.
    const BYTES: usize = size_of::<PartitionNode<u64, 2>>();

    #[inline(always)]
    fn depth(&self) -> u16 {
        (self.rest >> Self::DEPTH) as u16
    }

    #[inline(always)]
    fn h(&self) -> u16 {
        (self.rest >> Self::H) as u16 & 0xff
    }
}

impl BatchNode for Node4x4 {
    #[inline(always)]
    fn root(&self) -> u32 {
        (self.rest >> Self::ROOT) as u32 & 0xffff
    }

    #[inline(always)]
    fn set_root(&mut self, number: u32) {
        self.rest = self.rest & !(0xffff << Self::ROOT) | u64::from(number & 0xffff) << Self::ROOT;
    }
}

pub(super) const BLANK: u64 = 7;

/// A move of the blank, packed for the vector code.
///
/// ```text
/// bits  0 – 5   the blank's new cell, as a shift in a board's word: four times the cell
///       6 –23   the three cells whose tiles are passed, in the same form
///      24 –29   the blank's old cell, in the same form
///      30       1: the order changes in the mirror
///      31       1: the tile moves back in reading order
///      32 –47   the two cells as a mask
///      48 –63   the same mask in the mirror
/// ```
pub type MoveLookup = u64;

/// The positions of the three passed cells in a [`MoveLookup`].
pub(super) const PASSED: [u32; 3] = [6, 12, 18];
pub(super) const FROM: u32 = 24;
pub(super) const FLIPS: u32 = 32;
/// The mask of a cell in a [`MoveLookup`], after a shift to bit 0. (A cell is a multiple of four.)
pub(super) const CELL: u64 = 60;
pub(super) const IN_MIRROR: u32 = 1 << 30;
pub(super) const BACK: u32 = 1 << 31;

/// The moves from a cell with a given set of allowed letters, without gaps, smallest letter first.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct AllowedMoves {
    pub(super) moves: [MoveLookup; 4],
    pub(super) letters: [u32; 4],
    pub(super) count: u32,
}

#[derive(Debug)]
pub struct Lookups {
    /// By the blank's cell and the allowed letters, 4 bits each.
    pub(super) moves: Box<[AllowedMoves; 256]>,
    /// Label → the mirrored tile's label, in the numbering of the mirror's tables.
    pub(super) mirrored: [u32; 16],
    /// Label → the weight of one inversion in its pattern's order.
    pub(super) weights: [u32; 16],
    /// The labels whose mirrored tile is in the larger pattern, one bit each.
    pub(super) larger_in_mirror: u32,
    /// The summands of the number of a set of occupied cells, by pattern × 256 + the set's upper
    /// (`high`) or lower (`low`) eight cells. Sets of the smaller pattern come first.
    pub(super) high: Box<[u16; 512]>,
    pub(super) low: Box<[u16; 512]>,
    pub(super) records: Vec<u64>,
    /// The number of bits in a table's block, by pattern.
    pub(super) blocks: [u32; 2],
}

impl Lookups {
    /// Creates the lookup tables. Returns `None` unless the tables are of a mirrored `7-8` on 4×4.
    pub(super) fn new(tables: &Tables<u64, 2>) -> Option<Lookups> {
        let shape = tables.space.shape;
        let mirror = tables.sum.mirror()?;
        let transposed = |cell: usize| cell % 4 * 4 + cell / 4;
        let tiles: Vec<usize> = tables.pdbs[0].iter().map(|table| table.pattern().tiles()).collect();
        let fits = (shape.rows(), shape.cols()) == (4, 4) && tiles == [7, 8];
        if !fits || (0..16).any(|cell| usize::from(mirror[cell]) != transposed(cell)) {
            return None;
        }

        let label = |(pattern, code)| 8 * u32::from(pattern) + u32::from(code);
        let mirrored = std::array::from_fn(|tile: usize| tables.owners[1][tile].map_or(BLANK as u32, label));
        let larger_in_mirror =
            (0..16).filter(|&label| mirrored[label] > BLANK as u32).fold(0, |bits, label| bits | 1 << label);
        let mut weights = [0; 16];
        for (pattern, table) in tables.pdbs[0].iter().enumerate() {
            for code in 0..tiles[pattern] {
                weights[8 * pattern + code] = table.layout().orders().weight(code as u8, code as u8);
            }
        }

        let (mut high, mut low) = (Box::new([0; 512]), Box::new([0; 512]));
        let mut records = Vec::new();
        for (pattern, index) in tables.indices.iter().enumerate() {
            for half in 0..256 {
                high[pattern << 8 | half] = (index.high[half] as usize + records.len()) as u16;
                low[pattern << 8 | half] = index.low[half] as u16;
            }
            records.extend_from_slice(&index.records);
        }
        Some(Lookups {
            moves: Box::new(std::array::from_fn(|index| allowed_moves(tables, index >> 4, index as u8 & 15))),
            mirrored,
            weights,
            larger_in_mirror,
            high,
            low,
            records,
            blocks: [tables.indices[0].block as u32, tables.indices[1].block as u32],
        })
    }

    /// Returns the entry of a pattern's table. `block` is the start of the order's block: the order
    /// number times the size of a block. `key` has the occupied cells in 16 bits, then the pattern
    /// in 1 bit, and from bit 24 the position of the blank's region in a record.
    #[inline(always)]
    pub(super) fn entry(&self, block: u32, key: u32) -> u32 {
        let pattern = (key >> 16 & 1) as usize;
        let (high, low) = ((key >> 8 & 255) as usize, (key & 255) as usize);
        let set = self.high[pattern << 8 | high].wrapping_add(self.low[pattern << 8 | low]);
        let record = self.records[usize::from(set)];
        block + (record as u32 & 0xffff) + (record >> (key >> 24 & 63) & 7) as u32
    }
}

fn allowed_moves(tables: &Tables<u64, 2>, blank: usize, allowed: u8) -> AllowedMoves {
    let mut list = AllowedMoves { moves: [0; 4], letters: [0; 4], count: 0 };
    for letter in (0..4).filter(|letter| (allowed & tables.legal_letters[blank]) >> letter & 1 == 1) {
        let blank_move = &tables.blank_moves[blank][letter];
        let passing = &blank_move.passings[0];
        let mut lookup = (MoveLookup::from(blank_move.to) * 4) | ((blank as u64 * 4) << FROM);
        for (place, &cell) in PASSED.iter().zip(&passing.cells) {
            lookup |= (u64::from(cell) * 4) << place;
        }
        lookup |= u64::from(if passing.view == 1 { IN_MIRROR } else { 0 });
        lookup |= u64::from(if passing.sign < 0 { BACK } else { 0 });
        lookup |= (u64::from(blank_move.flips[0]) | u64::from(blank_move.flips[1]) << 16) << FLIPS;
        let number = list.count as usize;
        list.moves[number] = lookup;
        list.letters[number] = letter as u32;
        list.count += 1;
    }
    list
}
