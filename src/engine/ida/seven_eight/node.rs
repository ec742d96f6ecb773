//! A node packed into words. A vector holds the same word of eight nodes.

use crate::engine::ida::batch::BatchNode;
use crate::engine::ida::chunk::Node;
use crate::engine::ida::partition::node::PartitionNode;

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
