//! The nodes of a chunk, and the children that become the next wave, field by field.

use super::lanes::LANES;
use crate::engine::pdb_idastar::node::{Node, VIEWS};

/// A node on 4×4 with two patterns.
pub(super) type Node4x4 = Node<u64, 2>;

/// The nodes of a chunk, field by field: the roots, then wave after wave. Behind the last node there is memory for up to
/// a vector's length to be written over.
#[derive(Clone, Debug, Default)]
pub(super) struct Nodes {
    pub(super) boards: Vec<u64>,
    /// Numbers of orders: 16 bits each, by view and then pattern.
    pub(super) orders: Vec<u64>,
    /// Values: 8 bits each, by view and then pattern.
    pub(super) values: Vec<u32>,
    /// The cells of the smaller pattern: 16 bits each, by view.
    pub(super) occupied: Vec<u32>,
    /// 16 bits the automaton's state, 8 the blank's cell, 8 the depth.
    pub(super) marks: Vec<u32>,
    /// 1 for those beyond the bound.
    pub(super) cut: Vec<u8>,
}

impl Nodes {
    /// Grows to at least `nodes` nodes.
    pub(super) fn reserve(&mut self, nodes: usize) {
        let nodes = nodes + LANES;
        if self.boards.len() < nodes {
            let nodes = nodes.next_power_of_two();
            self.boards.resize(nodes, 0);
            self.orders.resize(nodes, 0);
            self.values.resize(nodes, 0);
            self.occupied.resize(nodes, 0);
            self.marks.resize(nodes, 0);
            self.cut.resize(nodes, 0);
        }
    }

    pub(super) fn set(&mut self, at: usize, node: &Node4x4) {
        let [[a, b], [c, d]] = node.orders.map(|orders| orders.map(u64::from));
        self.boards[at] = node.board;
        self.orders[at] = a | b << 16 | c << 32 | d << 48;
        self.values[at] =
            u32::from_le_bytes([node.values[0][0], node.values[0][1], node.values[1][0], node.values[1][1]]);
        self.occupied[at] = u32::from(node.occupied[0][0]) | u32::from(node.occupied[1][0]) << 16;
        self.marks[at] = u32::from(node.state) | u32::from(node.blank) << 16 | u32::from(node.depth) << 24;
    }

    /// The node as it is kept in lists: the inverse of [`Nodes::set`].
    #[inline(always)]
    pub(super) fn get(&self, at: usize, step: u32) -> Node4x4 {
        let (orders, mark) = (self.orders[at], self.marks[at]);
        let [a, b, c, d] = self.values[at].to_le_bytes();
        let blank = (mark >> 16) as u8;
        let (direct, mirrored) = (self.occupied[at] as u16, (self.occupied[at] >> 16) as u16);
        let transposed = blank % 4 * 4 + blank / 4;
        Node {
            board: self.boards[at],
            orders: [[orders as u16, (orders >> 16) as u16], [(orders >> 32) as u16, (orders >> 48) as u16]],
            occupied: [[direct, !direct & !(1 << (blank & 15))], [mirrored, !mirrored & !(1 << (transposed & 15))]],
            values: [[a, b], [c, d]],
            step,
            depth: (mark >> 24) as u16,
            state: mark as u16,
            blank,
            letter: 0,
            cut: false,
        }
    }
}

/// What the stages pass on to each other, child by child.
#[derive(Clone, Debug, Default)]
pub(super) struct ChildBuffers {
    pub(super) boards: Vec<u64>,
    pub(super) orders: Vec<u64>,
    pub(super) moves: Vec<u64>,
    pub(super) occupied: Vec<u32>,
    pub(super) marks: Vec<u32>,
    pub(super) states: Vec<u16>,
    /// By view, as [`Lookups::entry`](super::lookups::Lookups::entry) takes it: first the block and the key, then the entry.
    pub(super) blocks: [Vec<u32>; VIEWS],
    pub(super) keys: [Vec<u32>; VIEWS],
    /// Bits of the entries: that of the board as it is lowest, that of the mirror next.
    pub(super) bits: Vec<u32>,
}

impl ChildBuffers {
    /// Grows to at least `children` children.
    pub(super) fn reserve(&mut self, children: usize) {
        let children = children + LANES;
        if self.boards.len() < children {
            let children = children.next_power_of_two();
            self.boards.resize(children, 0);
            self.orders.resize(children, 0);
            self.moves.resize(children, 0);
            self.occupied.resize(children, 0);
            self.marks.resize(children, 0);
            self.states.resize(children, 0);
            self.blocks.iter_mut().for_each(|blocks| blocks.resize(children, 0));
            self.keys.iter_mut().for_each(|keys| keys.resize(children, 0));
            self.bits.resize(children, 0);
        }
    }
}
