//! Plain depth-first search, where waves would take too much memory: for every instruction set, shape and partition.
//!
//! It keeps nothing but its stack. All children of a node are made together, though the first of them
//! may have a large subtree to be searched before the second is needed: their table entries are
//! then fetched side by side instead of one after the other.

use super::entries::Entries;
use super::expand::SubtreeEnd;
use super::node::Node;
use super::node_counter::NodeCounter;
use super::search_tables::SearchTables;
use super::table_bits::TableBits;
use super::word::Word;
use crate::board::Move;
use crate::system::{InstructionSet, Kernel};

/// A worker's memory for depth-first search.
#[derive(Clone, Debug)]
pub(super) struct Stack<W: Word, const P: usize> {
    nodes: Vec<Node<W, P>>,
    /// The letters on the way down from a list node.
    letters: Vec<u8>,
}

impl<W: Word, const P: usize> Default for Stack<W, P> {
    fn default() -> Self {
        Stack { nodes: Vec::new(), letters: Vec::new() }
    }
}

struct DepthFirst<'a, W: Word, const P: usize> {
    tables: &'a SearchTables<W, P>,
    stack: &'a mut Stack<W, P>,
}

impl<W: Word, const P: usize> DepthFirst<'_, W, P> {
    /// Puts the children of a node on the stack, the first on top.
    #[inline(always)]
    fn push_children(&mut self, bits: &TableBits<P>, node: &Node<W, P>, bound: u16) {
        let (tables, nodes) = (self.tables, &mut self.stack.nodes);
        let mut letters = tables.letters_from(node);
        let mut entries = [Entries::default(); 4];
        let (below, children) = (nodes.len(), letters.count_ones() as usize);
        nodes.resize(below + children, *node);
        for (child, entries) in nodes[below..].iter_mut().rev().zip(&mut entries) {
            *entries = tables.child(node, letters.trailing_zeros() as u8, child);
            letters &= letters - 1;
        }
        for (child, entries) in nodes[below..].iter_mut().rev().zip(&entries) {
            let plies = bits.update_values(child, entries);
            child.cut = child.depth + plies > bound;
        }
    }

    /// The search below a list node that keeps nothing of what is cut.
    #[inline(always)]
    fn search(&mut self, root: &Node<W, P>, bound: u16, counter: &mut NodeCounter) -> SubtreeEnd {
        let bits = TableBits::of(self.tables);
        self.stack.nodes.clear();
        self.stack.nodes.push(*root);
        self.stack.letters.clear();
        self.stack.letters.resize(usize::from(bound - root.depth) + 1, 0);
        while let Some(node) = self.stack.nodes.pop() {
            if node.cut {
                continue;
            }
            let plies = usize::from(node.depth - root.depth);
            self.stack.letters[plies] = node.letter;
            if node.board == self.tables.goal {
                let letters = self.stack.letters[1..=plies].iter();
                return SubtreeEnd::Goal(letters.map(|&letter| Move::from_index(letter)).collect());
            }
            let children = self.tables.letters_from(&node).count_ones() as usize;
            if let Some(limit) = counter.count_generated(children) {
                return SubtreeEnd::Limit(limit);
            }
            counter.stats.expanded += 1;
            self.push_children(&bits, &node, bound);
        }
        SubtreeEnd::Exhausted
    }
}

/// Searches below a node, as far as the bound.
pub(super) fn depth_first<W: Word, const P: usize>(
    instruction_set: InstructionSet,
    tables: &SearchTables<W, P>,
    root: &Node<W, P>,
    bound: u16,
    stack: &mut Stack<W, P>,
    counter: &mut NodeCounter,
) -> SubtreeEnd {
    instruction_set.dispatch(SearchBelow { search: DepthFirst { tables, stack }, root, bound, counter })
}

/// The search below one root, as a kernel.
struct SearchBelow<'a, 'b, 'c, W: Word, const P: usize> {
    search: DepthFirst<'b, W, P>,
    root: &'a Node<W, P>,
    bound: u16,
    counter: &'a mut NodeCounter<'c>,
}

impl<W: Word, const P: usize> Kernel for SearchBelow<'_, '_, '_, W, P> {
    type Output = SubtreeEnd;

    #[inline(always)]
    fn run(mut self) -> SubtreeEnd {
        self.search.search(self.root, self.bound, self.counter)
    }
}
