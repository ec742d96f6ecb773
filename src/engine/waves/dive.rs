//! Plain depth-first search, where there is no room for waves: for every machine, shape and partition.
//!
//! It keeps nothing but its stack. All children of a node are made together, though the first of them
//! may have a large subtree to be searched before the second is needed: their table entries are
//! then fetched side by side instead of one after the other.

use super::expand::Watch;
use super::ground::{Bits, Entries, Ground};
use super::machine::{Kernel, Machine};
use super::node::Node;
use super::word::Word;
use crate::board::{Move, Path};
use crate::engine::Limit;

/// A worker's memory for going down.
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

/// Depth-first search on a ground.
struct Dive<'a, W: Word, const P: usize> {
    ground: &'a Ground<W, P>,
    stack: &'a mut Stack<W, P>,
}

/// How the search below one list node ended.
pub(super) enum Below {
    Exhausted,
    /// The goal, by these letters.
    Goal(Path),
    Limit(Limit),
}

impl<W: Word, const P: usize> Dive<'_, W, P> {
    /// Puts the children of a node on the stack, the first on top.
    #[inline(always)]
    fn push_children(&mut self, bits: &Bits<P>, node: &Node<W, P>, bound: u16) {
        let (ground, nodes) = (self.ground, &mut self.stack.nodes);
        let mut letters = ground.letters_from(node);
        let mut entries = [Entries::default(); 4];
        let (below, children) = (nodes.len(), letters.count_ones() as usize);
        nodes.resize(below + children, *node);
        for (child, entries) in nodes[below..].iter_mut().rev().zip(&mut entries) {
            *entries = ground.child(node, letters.trailing_zeros() as u8, child);
            letters &= letters - 1;
        }
        for (child, entries) in nodes[below..].iter_mut().rev().zip(&entries) {
            let plies = bits.settle(child, entries);
            child.cut = child.depth + plies > bound;
        }
    }

    /// The search below a list node that keeps nothing of what is cut.
    #[inline(always)]
    fn below(&mut self, root: &Node<W, P>, bound: u16, watch: &mut Watch) -> Below {
        let bits = Bits::of(self.ground);
        self.stack.nodes.clear();
        self.stack.nodes.push(*root);
        self.stack.letters.clear();
        self.stack.letters.resize(usize::from(bound - root.depth) + 1, 0);
        while let Some(node) = self.stack.nodes.pop() {
            if node.cut {
                continue;
            }
            let way = usize::from(node.depth - root.depth);
            self.stack.letters[way] = node.letter;
            if node.board == self.ground.goal {
                let letters = self.stack.letters[1..=way].iter();
                return Below::Goal(letters.map(|&letter| Move::from_index(letter)).collect());
            }
            let children = self.ground.letters_from(&node).count_ones() as usize;
            if let Some(limit) = watch.grant(children) {
                return Below::Limit(limit);
            }
            watch.stats.expanded += 1;
            self.push_children(&bits, &node, bound);
        }
        Below::Exhausted
    }
}

/// Searches below a node, as far as the bound.
pub(super) fn dive<W: Word, const P: usize>(
    machine: Machine,
    ground: &Ground<W, P>,
    root: &Node<W, P>,
    bound: u16,
    stack: &mut Stack<W, P>,
    watch: &mut Watch,
) -> Below {
    machine.dispatch(DiveBelow { dive: Dive { ground, stack }, root, bound, watch })
}

/// The search below one root.
struct DiveBelow<'a, 'b, 'c, W: Word, const P: usize> {
    dive: Dive<'b, W, P>,
    root: &'a Node<W, P>,
    bound: u16,
    watch: &'a mut Watch<'c>,
}

impl<W: Word, const P: usize> Kernel for DiveBelow<'_, '_, '_, W, P> {
    type Output = Below;

    #[inline(always)]
    fn run(mut self) -> Below {
        self.dive.below(self.root, self.bound, self.watch)
    }
}
