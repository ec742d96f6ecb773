//! The expansion of a chunk in plain depth-first order: for every machine, shape and partition.
//!
//! All children of a node are made together, though the first of them may have a large subtree to be
//! searched before the second is needed: their table entries are then fetched side by side instead
//! of one after the other. They go on a stack, the first on top; what is cut goes on to the list when
//! its turn comes, and so in depth-first order.

use super::deepen::{Chunk, ChunkEnd, Expand, Part, Watch};
use super::machine::{Kernel, Machine};
use super::ground::Ground;
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
pub(super) struct Dive<'a, W: Word, const P: usize> {
    pub(super) machine: Machine,
    pub(super) ground: &'a Ground<W, P>,
    pub(super) stack: &'a mut Stack<W, P>,
}

/// How the search below one list node ended.
pub(super) enum Below {
    Exhausted,
    /// The goal, by these letters.
    Goal(Path),
    Limit(Limit),
}

impl<W: Word, const P: usize> Dive<'_, W, P> {
    /// Puts the children of a node on the stack; their number.
    #[inline(always)]
    fn push_children(&mut self, node: &Node<W, P>, bound: u16, mut enter: impl FnMut(u8) -> u32) -> usize {
        let ground = self.ground;
        let mut letters = ground.letters_from(node);
        let sums = node.sums();
        let (below, children) = (self.stack.nodes.len(), letters.count_ones() as usize);
        self.stack.nodes.resize(below + children, *node);
        for slot in self.stack.nodes[below..].iter_mut().rev() {
            let letter = letters.trailing_zeros() as u8;
            letters &= letters - 1;
            let (child, plies) = ground.child(node, sums, letter);
            *slot = child;
            slot.step = enter(letter);
            slot.cut = child.depth + plies > bound;
        }
        children
    }

    #[inline(always)]
    fn chunk(&mut self, chunk: &Chunk<Node<W, P>>, watch: &mut Watch, part: &mut Part<Node<W, P>>) -> ChunkEnd {
        let first = part.trace.len() as u32;
        let most = part.trace.len().saturating_add(chunk.most);
        let mut goal = None;
        self.stack.nodes.clear();
        for root in chunk.roots {
            self.stack.nodes.push(*root);
            while let Some(node) = self.stack.nodes.pop() {
                if node.cut {
                    part.nodes.push(Node { cut: false, ..node });
                    continue;
                }
                if node.board == self.ground.goal {
                    goal = goal.or(Some(node.step));
                    continue;
                }
                part.expanded += 1;
                let trace = &mut part.trace;
                let children = self.push_children(&node, chunk.bound, |letter| trace.push(node.step, first, letter));
                if trace.len() > most {
                    return ChunkEnd::TooMany;
                }
                if let Some(limit) = watch.tick(children) {
                    return ChunkEnd::Interrupted(limit);
                }
            }
        }
        goal.map_or(ChunkEnd::Exhausted, ChunkEnd::Goal)
    }

    /// The search below a list node that keeps nothing of what is cut.
    #[inline(always)]
    fn below(&mut self, root: &Node<W, P>, bound: u16, watch: &mut Watch) -> Below {
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
            watch.expanded += 1;
            self.push_children(&node, bound, |_| 0);
        }
        Below::Exhausted
    }
}

impl<W: Word, const P: usize> Expand for Dive<'_, W, P> {
    type Node = Node<W, P>;

    fn chunk(&mut self, chunk: &Chunk<Self::Node>, watch: &mut Watch, part: &mut Part<Self::Node>) -> ChunkEnd {
        struct OfChunk<'a, 'b, 'c, W: Word, const P: usize> {
            dive: &'a mut Dive<'b, W, P>,
            chunk: &'a Chunk<'a, Node<W, P>>,
            watch: &'a mut Watch<'c>,
            part: &'a mut Part<Node<W, P>>,
        }
        impl<W: Word, const P: usize> Kernel for OfChunk<'_, '_, '_, W, P> {
            type Output = ChunkEnd;

            #[inline(always)]
            fn run(self) -> ChunkEnd {
                self.dive.chunk(self.chunk, self.watch, self.part)
            }
        }
        self.machine.dispatch(OfChunk { dive: self, chunk, watch, part })
    }

    fn below(&mut self, root: &Self::Node, bound: u16, watch: &mut Watch) -> Below {
        struct BelowRoot<'a, 'b, 'c, W: Word, const P: usize> {
            dive: &'a mut Dive<'b, W, P>,
            root: &'a Node<W, P>,
            bound: u16,
            watch: &'a mut Watch<'c>,
        }
        impl<W: Word, const P: usize> Kernel for BelowRoot<'_, '_, '_, W, P> {
            type Output = Below;

            #[inline(always)]
            fn run(self) -> Below {
                self.dive.below(self.root, self.bound, self.watch)
            }
        }
        self.machine.dispatch(BelowRoot { dive: self, root, bound, watch })
    }

    fn f(node: &Self::Node) -> u16 {
        node.depth + node.plies()
    }

    fn step(node: &Self::Node) -> u32 {
        node.step
    }
}
