//! A guide that adds up the values of one partition. h is the larger of the sums for the board and
//! its mirror image. A node consists of a board and the automaton's state after the path to the
//! board.

pub(super) mod tables;

use self::tables::{BoardWord, ByCell, LABELS, PartitionTables, VIEWS};
use super::batch::{BatchNode, Guide, TableBits, Wanted};
use super::nodes::TreeNode;
use crate::board::{MAX_SEARCH_CELLS, State};
use crate::engine::automaton::Automaton;
use crate::heuristic::pdb::Table;

/// A node of the search tree. `P` is the maximum number of patterns.
///
/// A node takes 40 bytes on 4×4 with two patterns. Its size matters, because nodes are copied often
/// and a list has tens of thousands of them.
#[derive(Clone, Copy, Debug)]
pub struct PartitionNode<W: BoardWord, const P: usize> {
    pub board: W,
    /// The rank of the order of each pattern's tiles, by view ([`VIEWS`]).
    pub orders: [[u16; P]; VIEWS],
    /// The cells that each pattern's tiles occupy, by view.
    pub occupied: [[W::Mask; P]; VIEWS],
    /// The values of the patterns, by view.
    pub values: [[u8; P]; VIEWS],
    /// The index of the node's root in the chunk being expanded ([`super::expander::NodeChunk`]).
    pub root: u32,
    pub depth: u16,
    /// The automaton's state.
    pub state: u32,
    pub blank: u8,
    pub h: u8,
}

impl<W: BoardWord, const P: usize> PartitionNode<W, P> {
    /// Returns h: the larger of the two views' sums.
    #[inline(always)]
    pub fn greater_sum(&self) -> u16 {
        let [direct, mirrored] = self.values.map(|values| values.into_iter().map(u16::from).sum::<u16>());
        direct.max(mirrored)
    }
}

impl<W: BoardWord, const P: usize> TreeNode for PartitionNode<W, P> {
    #[inline(always)]
    fn depth(&self) -> u16 {
        self.depth
    }

    #[inline(always)]
    fn h(&self) -> u16 {
        self.h.into()
    }
}

impl<W: BoardWord, const P: usize> BatchNode for PartitionNode<W, P> {
    #[inline(always)]
    fn root(&self) -> u32 {
        self.root
    }

    #[inline(always)]
    fn set_root(&mut self, number: u32) {
        self.root = number;
    }
}

/// The table entries to look up after a move, by view ([`VIEWS`]).
pub type Entries = [TableEntry; VIEWS];

/// An entry of a pattern's table.
#[derive(Clone, Copy, Debug, Default)]
pub struct TableEntry {
    pub pattern: u8,
    pub index: usize,
}

impl<W: BoardWord, const P: usize> PartitionTables<W, P> {
    /// Returns a state as a word that holds labels in place of homes. So the method `home` of the
    /// word returns the label of the tile in a cell.
    fn word(labels: &ByCell, state: &State, cells: usize) -> W {
        let mut board = [0; MAX_SEARCH_CELLS];
        for (slot, &home) in board.iter_mut().zip(state.homes(cells)) {
            *slot = labels[usize::from(home)];
        }
        W::of(&State::from_homes(board, state.blank()), cells)
    }

    /// Computes the node of a state from scratch, given the values of its patterns.
    pub fn node(&self, state: &State, value: impl Fn(&Table, &State) -> u8) -> PartitionNode<W, P> {
        let mut node = PartitionNode {
            board: Self::word(&self.labels, state, self.space.shape.cells()),
            orders: [[0; P]; VIEWS],
            occupied: [[W::mask(0); P]; VIEWS],
            values: [[0; P]; VIEWS],
            root: 0,
            depth: 0,
            state: Automaton::START,
            blank: state.blank().index() as u8,
            h: 0,
        };
        for (view, state) in [Some(*state), self.sum.mirrored(state)].into_iter().flatten().enumerate() {
            for (number, table) in self.pdbs[view].iter().enumerate() {
                let spot = table.layout().spot(table.pattern(), &state);
                node.orders[view][number] = spot.order as u16;
                node.occupied[view][number] = W::mask(spot.occupied);
                node.values[view][number] = value(table, &state);
            }
        }
        node.h = node.greater_sum() as u8;
        node
    }

    /// Turns `next`, a copy of the node, into the child reached by a letter, except for its values.
    /// Returns the table entries that determine the values.
    ///
    /// The child is built in place. If it were built elsewhere and then copied, the copy would wait
    /// until the small fields are stored. That slows the portable search down by 5 %.
    #[inline(always)]
    pub fn child(&self, node: &PartitionNode<W, P>, letter: u8, next: &mut PartitionNode<W, P>) -> Entries {
        let letter = letter & 3;
        let blank_move = &self.blank_moves[usize::from(node.blank)][usize::from(letter)];
        let label = node.board.home(usize::from(blank_move.to)) % LABELS;
        next.board = node.board.slid(usize::from(node.blank), usize::from(blank_move.to), self.blank_label);
        next.depth = node.depth + 1;
        next.state = self.next_state[node.state as usize][usize::from(letter)];
        next.blank = blank_move.to;
        for passing in &blank_move.passings[..usize::from(blank_move.passing_count)] {
            let view = usize::from(passing.view) % VIEWS;
            let order_delta = &self.order_delta[view][label];
            let passed = passing.cells[..usize::from(passing.passed)].iter();
            // Modulo 2^16, like the rank: on two rows of eight a tile can pass seven others at
            // once, and then the sum may exceed an i16.
            let delta =
                passed.map(|&cell| order_delta[node.board.home(usize::from(cell)) % LABELS]).fold(0, i16::wrapping_add);
            let order = &mut next.orders[view][usize::from(self.pattern_of[view][label]) % P];
            *order = order.wrapping_add_signed(delta.wrapping_mul(i16::from(passing.sign)));
        }
        let mut entries = Entries::default();
        for (view, entry) in entries.iter_mut().enumerate().take(self.views) {
            let pattern = usize::from(self.pattern_of[view][label]) % P;
            let occupied = node.occupied[view][pattern].into() ^ blank_move.flips[view];
            next.occupied[view][pattern] = W::mask(occupied);
            let blank = usize::from(blank_move.blank[view]);
            let index = self.indices[pattern].entry_index(next.orders[view][pattern], occupied, blank);
            *entry = TableEntry { pattern: pattern as u8, index };
        }
        entries
    }
}

impl<W: BoardWord, const P: usize> Guide for PartitionTables<W, P> {
    type Node = PartitionNode<W, P>;
    type Buffers = Vec<Entries>;
    type Bits<'a> = [TableBits<'a, P>; VIEWS];

    #[inline(always)]
    fn bits(&self) -> [TableBits<'_, P>; VIEWS] {
        self.pdbs.each_ref().map(TableBits::of)
    }

    fn root(&self, state: &State) -> PartitionNode<W, P> {
        self.node(state, |table, state| table.value(state) as u8)
    }

    #[inline(always)]
    fn letters(&self, node: &PartitionNode<W, P>) -> u8 {
        self.accepted[node.state as usize] & self.legal_letters[usize::from(node.blank)]
    }

    #[inline(always)]
    fn children(
        &self,
        bits: &[TableBits<'_, P>; VIEWS],
        parents: &[PartitionNode<W, P>],
        _: (u16, Wanted),
        entries: &mut Vec<Entries>,
        children: &mut Vec<PartitionNode<W, P>>,
        origins: &mut Vec<u32>,
    ) -> usize {
        let begin = children.len();
        entries.clear();
        for (number, parent) in (0..).zip(parents) {
            let mut letters = self.letters(parent);
            while letters != 0 {
                let letter = letters.trailing_zeros() as u8;
                letters &= letters - 1;
                children.push(*parent);
                let Some(child) = children.last_mut() else { unreachable!("a child was just pushed") };
                let child_entries = self.child(parent, letter, child);
                for (bits, entry) in bits.iter().zip(&child_entries).take(self.views) {
                    bits.prefetch(entry.pattern.into(), entry.index);
                }
                entries.push(child_entries);
                origins.push(number);
            }
        }
        for (child, entries) in children[begin..].iter_mut().zip(entries.iter()) {
            for (view, entry) in entries[..self.views].iter().enumerate() {
                let pattern = usize::from(entry.pattern);
                let bit = bits[view].get(pattern, entry.index) as u8;
                // Like `next_value` in `heuristic::pdb`, but branchless, because a branch would be
                // predicted no better than by chance.
                let value = &mut child.values[view][pattern % P];
                let falls = (value.wrapping_add(1) >> 1 ^ bit) & 1;
                *value = value.wrapping_add(1).wrapping_sub(2 * falls);
            }
            child.h = child.greater_sum() as u8;
        }
        entries.len()
    }
}
