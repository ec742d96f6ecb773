//! Expansion of chunks in batches, with any guide: all children of 64 nodes at once.
//!
//! Depth-first search waits for memory, because a table entry determines which entry is looked up
//! next. So nodes are taken in batches from the top of a stack. One loop generates their children
//! and prefetches their table entries. A second loop reads the entries once they have arrived.
//! Children within the bound go back on the stack, which stays in a core's cache.
//!
//! If cut nodes are kept, they are then put into depth-first order in two passes over the nodes.
//! The first, from last to first, counts the cut nodes at or below each node. The second, from
//! first to last, computes where they begin in the order.

use super::chunk::{Chunk, CutNodes, Grown, Node, Unfinished};
use super::expander::{Expander, Successors};
use super::node_counter::NodeCounter;
use crate::board::{Move, State};
use crate::system::Kernel;

/// The number of nodes expanded at once. With 64, about a hundred fetches are in flight, and the
/// data between the stages stays in a core's cache.
pub const BATCH: usize = 64;

/// The children of a batch that the caller wants.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// Children within the bound. Others may be left out.
    WithinBound,
    All,
}

/// A source of children: tables, a type of node, and the generation of children with their h.
pub trait Guide: Sync {
    type Node: BatchNode + 'static;
    /// A thread's buffers between the stages.
    type Stages: Default + Send + 'static;

    /// The memory for lists, as a multiple of the memory of [`Scratch`](super::Scratch).
    const LIST_MEMORY_FACTOR: usize = 1;

    /// The size of a node as counted against the memory for lists; see [`Expander::NODE_BYTES`].
    const NODE_BYTES: usize = size_of::<Self::Node>();

    fn root(&self, state: &State) -> Self::Node;

    /// Returns the letters of a node's children, one bit each.
    fn letters(&self, node: &Self::Node) -> u8;

    /// The tables in the form that the inner loop reads.
    type Words<'a>
    where
        Self: 'a;

    fn words(&self) -> Self::Words<'_>;

    /// Generates the children of `parents`, which are within the bound. Appends the wanted ones to
    /// `children`, in order, and the index of each one's parent to `origins`. Returns the number of
    /// children generated.
    fn children(
        &self,
        words: &Self::Words<'_>,
        parents: &[Self::Node],
        within: (u16, Wanted),
        stages: &mut Self::Stages,
        children: &mut Vec<Self::Node>,
        origins: &mut Vec<u32>,
    ) -> usize;

    /// Runs a kernel compiled for the processor. Everything that it calls is inlined into it.
    fn run<T: Kernel>(&self, task: T) -> T::Output;
}

/// A node that stores the index of its root in the chunk.
pub trait BatchNode: Node {
    fn root(&self) -> u32;

    fn set_root(&mut self, number: u32);
}

/// An expander that expands nodes in batches.
pub struct Batched<G>(pub G);

pub struct BatchMemory<G: Guide> {
    stages: G::Stages,
    /// The nodes of the batch or, if cut nodes are dropped, the children of the batch.
    parents: Vec<G::Node>,
    /// The nodes still to expand. If cut nodes are kept: all nodes of the chunk.
    nodes: Vec<G::Node>,
    /// Indices of the nodes to expand, the next ones last.
    live: Vec<u32>,
    /// Indices of the nodes of the batch.
    numbers: Vec<u32>,
    /// The position in the batch of each child's parent.
    origins: Vec<u32>,
    /// The parent's index of every node except the roots.
    parent_of: Vec<u32>,
    /// 1 for every cut node; the roots have no entry.
    cut: Vec<u32>,
    /// The number of cut nodes at or below each node; later, the position of the first of them.
    places: Vec<u32>,
    order: Vec<u32>,
}

impl<G: Guide> Default for BatchMemory<G> {
    fn default() -> Self {
        BatchMemory {
            stages: G::Stages::default(),
            parents: Vec::new(),
            nodes: Vec::new(),
            live: Vec::new(),
            numbers: Vec::new(),
            origins: Vec::new(),
            parent_of: Vec::new(),
            cut: Vec::new(),
            places: Vec::new(),
            order: Vec::new(),
        }
    }
}

struct Task<'a, 'b, G: Guide> {
    guide: &'a G,
    chunk: &'a Chunk<'a, G::Node>,
    memory: &'a mut BatchMemory<G>,
    counter: &'a mut NodeCounter<'b>,
    grown: &'a mut Grown<G::Node>,
}

impl<G: Guide> Kernel for Task<'_, '_, G> {
    type Output = Result<Option<usize>, Unfinished>;

    #[inline(always)]
    fn run(mut self) -> Self::Output {
        match self.chunk.cut_nodes {
            CutNodes::Kept { .. } => self.expand_keeping(),
            CutNodes::Dropped { any } => self.expand_dropping(any),
        }
    }
}

impl<G: Guide> Task<'_, '_, G> {
    #[inline(always)]
    fn expand_keeping(&mut self) -> Result<Option<usize>, Unfinished> {
        let Task { guide, chunk, memory, counter, grown } = self;
        let BatchMemory { stages, parents, nodes, live, numbers, parent_of, cut, origins, .. } = &mut **memory;
        let (roots, bound) = (chunk.roots.len(), chunk.bound);
        nodes.clear();
        nodes.extend_from_slice(chunk.roots);
        parent_of.clear();
        cut.clear();
        live.clear();
        live.extend((0..roots as u32).rev());
        let (words, mut first_goal, mut generated) = (guide.words(), None, 0);
        for (number, root) in nodes.iter_mut().enumerate() {
            root.set_root(number as u32);
        }
        while !live.is_empty() {
            let below = live.len().saturating_sub(BATCH);
            numbers.clear();
            numbers.extend_from_slice(&live[below..]);
            live.truncate(below);
            parents.clear();
            parents.extend(numbers.iter().map(|&number| nodes[number as usize]));
            origins.clear();
            let begin = nodes.len();
            let children = guide.children(&words, parents, (bound, Wanted::All), stages, nodes, origins);
            live.resize(below + children, 0);
            parent_of.resize(begin - roots + children, 0);
            cut.resize(begin - roots + children, 0);
            // As slices, so that their addresses stay in registers.
            let (parent_of, cut) = (&mut parent_of[begin - roots..], &mut cut[begin - roots..]);
            for (parent, &origin) in parent_of.iter_mut().zip(origins.iter()) {
                *parent = numbers[origin as usize];
            }
            let (within, mut alive) = (&mut live[below..], 0);
            for ((number, node), cut) in (begin..).zip(&nodes[begin..]).zip(cut) {
                let h = node.h();
                let is_cut = node.depth() + h > bound;
                *cut = u32::from(is_cut);
                within[alive] = number as u32;
                alive += usize::from(!is_cut) & usize::from(h != 0);
                if h == 0 && first_goal.is_none_or(|first| node.root() < first) {
                    first_goal = Some(node.root());
                }
            }
            live.truncate(below + alive);
            generated += children as u64;
            grown.stats.expanded += parents.len() as u64;
            counter.check(chunk, generated, children as u64)?;
        }
        grown.stats.generated += generated;
        if first_goal.is_none() {
            self.add_cut_nodes();
        }
        Ok(first_goal.map(|root| root as usize))
    }

    /// Appends the nodes beyond the bound, in depth-first order.
    #[inline(always)]
    fn add_cut_nodes(&mut self) {
        let Task { chunk, memory, grown, .. } = self;
        let BatchMemory { nodes, parent_of, cut, places, order, .. } = &mut **memory;
        let roots = chunk.roots.len();
        places.clear();
        places.resize(roots, 0);
        places.extend_from_slice(cut);
        // Here and below, loops use slices. Iterator adaptors may be compiled separately, without
        // the processor's instructions, and a vector's address would be loaded in every iteration.
        let (places, parent_of, cut) = (&mut places[..], &parent_of[..], &cut[..]);
        for (node, &parent) in (roots..nodes.len()).zip(parent_of).rev() {
            places[parent as usize] += places[node];
        }
        let mut begin = 0;
        for place in &mut places[..roots] {
            grown.children.push(*place);
            begin += std::mem::replace(place, begin);
        }
        order.clear();
        // One extra slot, to which nodes that were not cut are written.
        order.resize(begin as usize + 1, 0);
        let order = &mut order[..];
        for ((node, &parent), &cut) in (roots..).zip(parent_of).zip(cut) {
            // The cut nodes at or below this node begin at its parent's next unused position.
            let (place, count) = (places[parent as usize], places[node]);
            places[parent as usize] = place + count;
            places[node] = place;
            order[if cut == 1 { place } else { begin } as usize] = node as u32;
        }
        grown.nodes.extend(order[..begin as usize].iter().map(|&node| nodes[node as usize]));
    }

    #[inline(always)]
    fn expand_dropping(&mut self, any: bool) -> Result<Option<usize>, Unfinished> {
        let Task { guide, chunk, memory, counter, grown } = self;
        let BatchMemory { stages, parents: children, nodes, live, origins, .. } = &mut **memory;
        nodes.clear();
        // Push in reverse, so that the first root is on top.
        for (number, root) in chunk.roots.iter().enumerate().rev() {
            nodes.push(*root);
            if let Some(root) = nodes.last_mut() {
                root.set_root(number as u32);
            }
        }
        grown.depths.clear();
        grown.depths.resize(if any { chunk.roots.len() } else { 0 }, 0);
        let (words, bound) = (guide.words(), chunk.bound);
        let (mut first_goal, mut generated) = (None, 0);
        while !nodes.is_empty() && (first_goal.is_none() || !any) {
            let below = nodes.len().saturating_sub(BATCH);
            let parents = &nodes[below..];
            if any {
                for parent in parents {
                    let deepest = &mut grown.depths[parent.root() as usize];
                    *deepest = parent.depth().max(*deepest);
                }
            }
            children.clear();
            origins.clear();
            let made = guide.children(&words, parents, (bound, Wanted::WithinBound), stages, children, origins);
            generated += made as u64;
            grown.stats.expanded += parents.len() as u64;
            nodes.truncate(below);
            live.clear();
            live.resize(children.len(), 0);
            // Branchless, because a branch would be predicted no better than by chance.
            let (within, mut alive) = (&mut live[..], 0);
            for (number, child) in (0..).zip(children.iter()) {
                let h = child.h();
                within[alive] = number;
                alive += usize::from(child.depth() + h <= bound) & usize::from(h != 0);
                if h == 0 && first_goal.is_none_or(|first| child.root() < first) {
                    first_goal = Some(child.root());
                }
            }
            nodes.extend(live[..alive].iter().map(|&number| children[number as usize]));
            // Only roots before the first one known to have a solution still matter.
            if let Some(first) = first_goal {
                nodes.retain(|node| node.root() < first);
            }
            counter.check(chunk, generated, made as u64)?;
        }
        grown.stats.generated += generated;
        Ok(first_goal.map(|root| root as usize))
    }
}

impl<G: Guide + 'static> Expander for Batched<G> {
    type Node = G::Node;
    type Memory = BatchMemory<G>;

    const LIST_MEMORY_FACTOR: usize = G::LIST_MEMORY_FACTOR;
    const NODE_BYTES: usize = G::NODE_BYTES;

    fn root(&self, state: &State) -> G::Node {
        self.0.root(state)
    }

    fn expand(
        &self,
        chunk: &Chunk<G::Node>,
        memory: &mut BatchMemory<G>,
        counter: &mut NodeCounter,
        grown: &mut Grown<G::Node>,
    ) -> Result<Option<usize>, Unfinished> {
        self.0.run(Task { guide: &self.0, chunk, memory, counter, grown })
    }

    fn successors(&self, node: &G::Node, memory: &mut BatchMemory<G>) -> Successors<G::Node> {
        self.0.run(ExpandOne { guide: &self.0, node, memory });
        let letters = self.0.letters(node);
        let legal = Move::ALL.into_iter().filter(|letter| letters >> letter.index() & 1 == 1);
        let mut moves = legal.zip(memory.nodes.drain(..));
        std::array::from_fn(|_| moves.next())
    }
}

struct ExpandOne<'a, G: Guide> {
    guide: &'a G,
    node: &'a G::Node,
    memory: &'a mut BatchMemory<G>,
}

impl<G: Guide> Kernel for ExpandOne<'_, G> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let ExpandOne { guide, node, memory: BatchMemory { stages, nodes, origins, .. } } = self;
        nodes.clear();
        origins.clear();
        guide.children(&guide.words(), &[*node], (u16::MAX, Wanted::All), stages, nodes, origins);
    }
}
