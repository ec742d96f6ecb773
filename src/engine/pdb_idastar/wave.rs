//! The expansion of a chunk in waves: for every instruction set, shape and partition.
//!
//! Depth-first search waits for memory: an entry of a table decides what is looked up next. So a
//! chunk is expanded breadth-first, all children of all nodes of a *wave* at once: one loop makes the
//! children and has their table entries fetched, another reads them when they have come, and
//! those within the bound are the next wave. What was cut is then put into depth-first order
//! ([`Ancestry`]). With the 186 MiB of a `7-8` a node takes two thirds of its time in the depth-first search
//! of [`super::depth_first`] (`benches/README.md`).

use super::ancestry::Ancestry;
use super::chunk::{Chunk, Keep, Part};
use super::depth_first::{Stack, depth_first};
use super::entries::Entries;
use super::expand::{ChunkEnd, Expand, SubtreeEnd};
use super::node::Node;
use super::node_counter::NodeCounter;
use super::search_tables::SearchTables;
use super::table_bits::TableBits;
use super::trace::Trace;
use super::word::Word;
use crate::system::{InstructionSet, Kernel};

/// A worker's memory for the nodes of one chunk.
#[derive(Clone, Debug)]
pub(super) struct Wave<W: Word, const P: usize> {
    /// The roots, then the nodes of each wave.
    nodes: Vec<Node<W, P>>,
    /// Of the current wave.
    entries: Vec<Entries>,
    /// The nodes to be expanded, by place in `nodes`.
    live: Vec<u32>,
    /// Solutions, by place in `nodes`.
    goals: Vec<u32>,
    ancestry: Ancestry,
}

impl<W: Word, const P: usize> Default for Wave<W, P> {
    fn default() -> Self {
        Wave {
            nodes: Vec::new(),
            entries: Vec::new(),
            live: Vec::new(),
            goals: Vec::new(),
            ancestry: Ancestry::default(),
        }
    }
}

/// The search with portable code, compiled for an instruction set.
pub(super) struct WaveSearch<W: Word, const P: usize> {
    pub(super) instruction_set: InstructionSet,
    pub(super) tables: SearchTables<W, P>,
}

impl<W: Word, const P: usize> WaveSearch<W, P> {
    #[inline(always)]
    fn expand(
        &self,
        chunk: &Chunk<Node<W, P>>,
        wave: &mut Wave<W, P>,
        counter: &mut NodeCounter,
        part: &mut Part<Node<W, P>>,
    ) -> ChunkEnd {
        let tables = &self.tables;
        let bits = TableBits::of(tables);
        let Wave { nodes, entries, live, goals, ancestry } = wave;
        let roots = chunk.roots.len();
        let max_steps = part.trace.len().saturating_add(chunk.max_nodes);
        nodes.clear();
        nodes.extend_from_slice(chunk.roots);
        goals.clear();
        ancestry.parents.clear();
        live.clear();
        live.extend(0..roots as u32);
        while !live.is_empty() {
            let begin = nodes.len();
            entries.clear();
            for &place in live.iter() {
                let node = nodes[place as usize];
                let is_root = (place as usize) < roots;
                let mut letters = tables.letters_from(&node);
                while letters != 0 {
                    let letter = letters.trailing_zeros() as u8;
                    letters &= letters - 1;
                    nodes.push(node);
                    let Some(child) = nodes.last_mut() else { unreachable!("one was pushed just now") };
                    let child_entries = tables.child(&node, letter, child);
                    child.step = part.trace.next_step();
                    part.trace.push(match is_root {
                        true => Trace::of_root(node.step, u32::from(letter)),
                        false => Trace::back(child.step - node.step, u32::from(letter)),
                    });
                    bits.prefetch(&child_entries);
                    entries.push(child_entries);
                    ancestry.parents.push(place);
                }
            }
            part.expanded += live.len() as u64;
            if part.trace.len() > max_steps {
                return ChunkEnd::TooMany;
            }
            if let Some(limit) = counter.poll_after(nodes.len() - begin) {
                return ChunkEnd::Interrupted(limit);
            }
            live.clear();
            live.resize(nodes.len() - begin, 0);
            let mut alive = 0;
            for (place, (node, entries)) in (begin..).zip(nodes[begin..].iter_mut().zip(entries.iter())) {
                let plies = bits.update_values(node, entries);
                node.cut = node.depth + plies > chunk.bound;
                live[alive] = place as u32;
                alive += usize::from(!node.cut);
                // Every tile is in a pattern, so nothing else has the value 0.
                if plies == 0 {
                    debug_assert_eq!(node.board, tables.goal);
                    goals.push(place as u32);
                    alive -= 1;
                }
            }
            live.truncate(alive);
            if chunk.tie_break.takes_any()
                && let Some(&goal) = goals.first()
            {
                return ChunkEnd::Goal(nodes[goal as usize].step);
            }
        }
        if !goals.is_empty() {
            let order = ancestry.depth_first(roots, |node| goals.contains(&(node as u32)));
            return ChunkEnd::Goal(nodes[order[0] as usize].step);
        }
        if chunk.keep == Keep::Nothing {
            return ChunkEnd::Exhausted;
        }
        if chunk.tie_break.takes_any() {
            // The list is put into an order of its own: that of the waves will do.
            for node in &nodes[roots..] {
                if node.cut {
                    part.nodes.push(Node { cut: false, ..*node });
                }
            }
            return ChunkEnd::Exhausted;
        }
        let order = ancestry.depth_first(roots, |node| nodes[node].cut);
        part.nodes.reserve(order.len());
        for &node in order {
            part.nodes.push(Node { cut: false, ..nodes[node as usize] });
        }
        ChunkEnd::Exhausted
    }
}

/// The expansion of one chunk, as a kernel.
struct ExpandChunk<'a, 'b, W: Word, const P: usize> {
    search: &'a WaveSearch<W, P>,
    chunk: &'a Chunk<'a, Node<W, P>>,
    wave: &'a mut Wave<W, P>,
    counter: &'a mut NodeCounter<'b>,
    part: &'a mut Part<Node<W, P>>,
}

impl<W: Word, const P: usize> Kernel for ExpandChunk<'_, '_, W, P> {
    type Output = ChunkEnd;

    #[inline(always)]
    fn run(self) -> ChunkEnd {
        self.search.expand(self.chunk, self.wave, self.counter, self.part)
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
        counter: &mut NodeCounter,
        part: &mut Part<Node<W, P>>,
    ) -> ChunkEnd {
        self.instruction_set.dispatch(ExpandChunk { search: self, chunk, wave, counter, part })
    }

    fn below(&self, root: &Node<W, P>, bound: u16, stack: &mut Stack<W, P>, counter: &mut NodeCounter) -> SubtreeEnd {
        depth_first(self.instruction_set, &self.tables, root, bound, stack, counter)
    }
}
