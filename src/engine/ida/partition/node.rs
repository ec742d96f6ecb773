//! The search node: a board, and the automaton's state after the path to it. There is one width of
//! words for boards of up to 16 cells, and one for larger ones.

use std::fmt::Debug;

use crate::board::Packed;
use crate::engine::ida::batch::BatchNode;
use crate::engine::ida::expander::Node;
use crate::heuristic::pdb::Record;

/// A board of labels in one word, with the associated words for cells and placements.
pub trait Word: Packed {
    /// A set of cells, one bit each.
    type Mask: Copy + Debug + Into<u32> + Send + Sync + 'static;

    /// The record of a set of occupied cells.
    type Record: Record;

    fn mask(cells: u32) -> Self::Mask;
}

impl Word for u64 {
    type Mask = u16;
    type Record = u64;

    #[inline(always)]
    fn mask(cells: u32) -> u16 {
        cells as u16
    }
}

impl Word for u128 {
    type Mask = u32;
    type Record = u128;

    #[inline(always)]
    fn mask(cells: u32) -> u32 {
        cells
    }
}

/// The number of views: the board, and its mirror image.
pub const VIEWS: usize = 2;

/// A node of the search tree. `P` is the maximum number of patterns.
///
/// A node takes 40 bytes on 4×4 with two patterns. Its size matters, because nodes are copied often
/// and a list has tens of thousands of them.
#[derive(Clone, Copy, Debug)]
pub struct PartitionNode<W: Word, const P: usize> {
    pub board: W,
    /// The rank of the order of each pattern's tiles, by view.
    pub orders: [[u16; P]; VIEWS],
    /// The cells that each pattern's tiles occupy, by view.
    pub occupied: [[W::Mask; P]; VIEWS],
    /// The values of the patterns, by view.
    pub values: [[u8; P]; VIEWS],
    /// The index of its root in the chunk.
    pub root: u32,
    pub depth: u16,
    /// The automaton's state.
    pub state: u32,
    pub blank: u8,
    pub h: u8,
}

impl<W: Word, const P: usize> PartitionNode<W, P> {
    /// Returns h: the larger of the two views' sums.
    #[inline(always)]
    pub fn greater_sum(&self) -> u16 {
        let [direct, mirrored] = self.values.map(|values| values.into_iter().map(u16::from).sum::<u16>());
        direct.max(mirrored)
    }
}

impl<W: Word, const P: usize> Node for PartitionNode<W, P> {
    #[inline(always)]
    fn depth(&self) -> u16 {
        self.depth
    }

    #[inline(always)]
    fn h(&self) -> u16 {
        self.h.into()
    }
}

impl<W: Word, const P: usize> BatchNode for PartitionNode<W, P> {
    #[inline(always)]
    fn root(&self) -> u32 {
        self.root
    }

    #[inline(always)]
    fn set_root(&mut self, number: u32) {
        self.root = number;
    }
}
