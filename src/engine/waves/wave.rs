//! The expansion of a chunk in waves: for every machine, shape and partition.
//!
//! Depth-first search waits for memory: an entry of a table decides what is looked up next. So a
//! chunk is expanded breadth-first, all children of all nodes of a *wave* at once: one loop makes the
//! children and has their table entries fetched, another reads them when they have come, and
//! those within the bound are the next wave. Two passes over the nodes then bring what was cut into
//! depth-first order: from the last node to the first, how many cut nodes are below each; from the
//! first to the last, where in the list they begin. With the 186 MiB of a `7-8` on a Zen 5 a node takes
//! 36 ns, in the depth-first search of [`super::dive`] 55 ns.

use super::dive::{Below, Stack, dive};
use super::expand::{Chunk, ChunkEnd, Expand, Keep, Part, Watch};
use super::ground::{Bits, Entries, Ground};
use super::machine::{Kernel, Machine};
use super::node::Node;
use super::trace::Trace;
use super::word::Word;

/// A worker's memory for the nodes of one chunk.
#[derive(Clone, Debug)]
pub(super) struct Wave<W: Word, const P: usize> {
    /// The roots, then the nodes of each wave.
    nodes: Vec<Node<W, P>>,
    /// Of each wave, for a moment.
    entries: Vec<Entries>,
    /// The nodes to be expanded, by place in `nodes`.
    live: Vec<u32>,
    /// Solutions, by place in `nodes`.
    goals: Vec<u32>,
    pub(super) family: Family,
}

impl<W: Word, const P: usize> Default for Wave<W, P> {
    fn default() -> Self {
        Wave { nodes: Vec::new(), entries: Vec::new(), live: Vec::new(), goals: Vec::new(), family: Family::default() }
    }
}

/// Who descends from whom in a chunk, and the depth-first order of some of its nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Family {
    /// Of each node but the roots, its parent's place.
    pub(super) parents: Vec<u32>,
    /// Chosen nodes at or below each node; then, where in the order those begin.
    places: Vec<u32>,
    /// The chosen nodes in depth-first order.
    order: Vec<u32>,
}

impl Family {
    /// The chosen nodes, none of them a root, in depth-first order; nodes stand after their parents,
    /// and those of one parent in the order of their letters.
    #[inline(always)]
    pub(super) fn depth_first(&mut self, roots: usize, chosen: impl Fn(usize) -> bool) -> &[u32] {
        let Family { parents, places, order } = self;
        let nodes = roots + parents.len();
        places.clear();
        places.resize(roots, 0);
        places.extend((roots..nodes).map(|node| u32::from(chosen(node))));
        for node in (roots..nodes).rev() {
            places[parents[node - roots] as usize] += places[node];
        }
        let mut begin = 0;
        for place in &mut places[..roots] {
            begin += std::mem::replace(place, begin);
        }
        order.clear();
        // One more, for nodes that were not chosen to be written to.
        order.resize(begin as usize + 1, 0);
        for node in roots..nodes {
            // Where the parent's next descendants begin: here those of this node.
            let (parent, descendants) = (parents[node - roots] as usize, places[node]);
            let place = places[parent];
            places[parent] = place + descendants;
            places[node] = place;
            order[if chosen(node) { place } else { begin } as usize] = node as u32;
        }
        &order[..begin as usize]
    }
}

/// Waves on a ground.
pub(super) struct WaveSearch<W: Word, const P: usize> {
    pub(super) machine: Machine,
    pub(super) ground: Ground<W, P>,
}

impl<W: Word, const P: usize> WaveSearch<W, P> {
    #[inline(always)]
    fn expand(
        &self,
        chunk: &Chunk<Node<W, P>>,
        wave: &mut Wave<W, P>,
        watch: &mut Watch,
        part: &mut Part<Node<W, P>>,
    ) -> ChunkEnd {
        let ground = &self.ground;
        let bits = Bits::of(ground);
        let Wave { nodes, entries, live, goals, family } = wave;
        let roots = chunk.roots.len();
        let most = part.trace.len().saturating_add(chunk.most);
        nodes.clear();
        nodes.extend_from_slice(chunk.roots);
        goals.clear();
        family.parents.clear();
        live.clear();
        live.extend(0..roots as u32);
        while !live.is_empty() {
            let begin = nodes.len();
            entries.clear();
            for &place in live.iter() {
                let node = nodes[place as usize];
                let is_root = (place as usize) < roots;
                let mut letters = ground.letters_from(&node);
                while letters != 0 {
                    let letter = letters.trailing_zeros() as u8;
                    letters &= letters - 1;
                    nodes.push(node);
                    let Some(child) = nodes.last_mut() else { unreachable!("one was pushed just now") };
                    let child_entries = ground.child(&node, letter, child);
                    child.step = part.trace.next_step();
                    part.trace.push(match is_root {
                        true => Trace::of_root(node.step, u32::from(letter)),
                        false => Trace::back(child.step - node.step, u32::from(letter)),
                    });
                    bits.prefetch(&child_entries);
                    entries.push(child_entries);
                    family.parents.push(place);
                }
            }
            part.expanded += live.len() as u64;
            if part.trace.len() > most {
                return ChunkEnd::TooMany;
            }
            if let Some(limit) = watch.tick(nodes.len() - begin) {
                return ChunkEnd::Interrupted(limit);
            }
            live.clear();
            live.resize(nodes.len() - begin, 0);
            let mut alive = 0;
            for (place, (node, entries)) in (begin..).zip(nodes[begin..].iter_mut().zip(entries.iter())) {
                let plies = bits.settle(node, entries);
                node.cut = node.depth + plies > chunk.bound;
                live[alive] = place as u32;
                alive += usize::from(!node.cut);
                // Every tile is in a pattern, so nothing else has the value 0.
                if plies == 0 {
                    debug_assert_eq!(node.board, ground.goal);
                    goals.push(place as u32);
                    alive -= 1;
                }
            }
            live.truncate(alive);
        }
        if !goals.is_empty() {
            let order = family.depth_first(roots, |node| goals.contains(&(node as u32)));
            return ChunkEnd::Goal(nodes[order[0] as usize].step);
        }
        if chunk.keep == Keep::Nothing {
            return ChunkEnd::Exhausted;
        }
        let order = family.depth_first(roots, |node| nodes[node].cut);
        part.nodes.extend(order.iter().map(|&node| Node { cut: false, ..nodes[node as usize] }));
        ChunkEnd::Exhausted
    }
}

/// The expansion of one chunk.
struct ExpandChunk<'a, 'b, W: Word, const P: usize> {
    search: &'a WaveSearch<W, P>,
    chunk: &'a Chunk<'a, Node<W, P>>,
    wave: &'a mut Wave<W, P>,
    watch: &'a mut Watch<'b>,
    part: &'a mut Part<Node<W, P>>,
}

impl<W: Word, const P: usize> Kernel for ExpandChunk<'_, '_, W, P> {
    type Output = ChunkEnd;

    #[inline(always)]
    fn run(self) -> ChunkEnd {
        self.search.expand(self.chunk, self.wave, self.watch, self.part)
    }
}

impl<W: Word, const P: usize> Expand for WaveSearch<W, P> {
    type Node = Node<W, P>;
    type Wave = Wave<W, P>;
    type Stack = Stack<W, P>;

    fn chunk(
        &self,
        chunk: &Chunk<Node<W, P>>,
        wave: &mut Wave<W, P>,
        watch: &mut Watch,
        part: &mut Part<Node<W, P>>,
    ) -> ChunkEnd {
        self.machine.dispatch(ExpandChunk { search: self, chunk, wave, watch, part })
    }

    fn below(&self, root: &Node<W, P>, bound: u16, stack: &mut Stack<W, P>, watch: &mut Watch) -> Below {
        dive(self.machine, &self.ground, root, bound, stack, watch)
    }
}
