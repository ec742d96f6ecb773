//! The expansion of a chunk with AVX-512, for a mirrored `7-8` on 4×4.
//!
//! Node for node the same as [`super::wave`], in stages without branches, each a loop over the whole wave:
//!
//! 1. *fan out*: every live node's fields are written once for each of its children, side by side, with
//!    the children's moves (from a table by cell and letters allowed), letters and automaton states;
//! 2. *slide*: eight children at a time become boards, orders, occupied cells and, for either view, a
//!    key that says where to look;
//! 3. *look up*: the keys become indices of table entries, which are fetched;
//! 4. *read*: the bits of those entries;
//! 5. *update values*: eight at a time, bits become values; what is within the bound is the next wave.
//!
//! Stages 3 and 4 are scalar: a gather costs more than the loads it stands for. A node takes less than 60 % of
//! the time of the portable waves, whether these are compiled for AVX2 or not (`benches/README.md`).

mod lanes;
mod lookups;
mod nodes;
mod stages;
#[cfg(test)]
mod tests;

use self::lanes::LANES;
use self::lookups::Lookups;
use self::nodes::{ChildBuffers, Node4x4, Nodes};
use super::ancestry::Ancestry;
use super::chunk::{Chunk, Keep, Part};
use super::depth_first::{Stack, depth_first};
use super::expand::{ChunkEnd, Expand, SubtreeEnd};
use super::node_counter::NodeCounter;
use super::search_tables::SearchTables;
use crate::system::InstructionSet;

/// What the vector code needs beyond the tables.
#[derive(Debug)]
pub(super) struct VectorTables {
    lookups: Lookups,
}

impl VectorTables {
    /// `None` where vectors do not fit, or the processor has none.
    pub(super) fn new(instruction_set: InstructionSet, tables: &SearchTables<u64, 2>) -> Option<VectorTables> {
        if instruction_set < InstructionSet::Avx512 || !instruction_set.is_available() {
            return None;
        }
        Some(VectorTables { lookups: Lookups::new(tables)? })
    }
}

/// A worker's memory for the nodes of one chunk.
#[derive(Clone, Debug, Default)]
pub(super) struct VectorWave {
    nodes: Nodes,
    children: ChildBuffers,
    /// The nodes to be expanded, by place.
    live: Vec<u32>,
    /// Solutions, by place.
    goals: Vec<u32>,
    ancestry: Ancestry,
}

/// The search with vectors; `instruction_set` is for the depth-first search, which has none.
pub(super) struct VectorSearch {
    pub(super) instruction_set: InstructionSet,
    pub(super) tables: SearchTables<u64, 2>,
    pub(super) vectors: VectorTables,
}

impl VectorSearch {
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn expand(
        &self,
        chunk: &Chunk<Node4x4>,
        wave: &mut VectorWave,
        counter: &mut NodeCounter,
        part: &mut Part<Node4x4>,
    ) -> ChunkEnd {
        let (tables, lookups) = (&self.tables, &self.vectors.lookups);
        let words = tables.pdbs.each_ref().map(|pdbs| [pdbs[0].words(), pdbs[1].words()]);
        let VectorWave { nodes, children: buffers, live, goals, ancestry } = wave;
        let roots = chunk.roots.len();
        let (first, max_steps) = (part.trace.next_step(), part.trace.len().saturating_add(chunk.max_nodes));

        nodes.reserve(roots);
        for (place, root) in chunk.roots.iter().enumerate() {
            nodes.set(place, root);
        }
        goals.clear();
        ancestry.parents.clear();
        live.clear();
        live.extend(0..roots as u32);
        let step = |place: u32| first + place - roots as u32;
        let (mut begin, mut alive) = (roots, roots);
        while alive > 0 {
            nodes.reserve(begin + 4 * alive);
            buffers.reserve(4 * alive);
            let steps = stages::Steps { roots: chunk.roots, begin, trace: part.trace.entries() };
            let children = stages::fan_out(tables, lookups, &live[..alive], nodes, ancestry, steps, buffers);
            part.expanded += alive as u64;
            if part.trace.len() > max_steps {
                return ChunkEnd::TooMany;
            }
            if let Some(limit) = counter.poll_after(children) {
                return ChunkEnd::Interrupted(limit);
            }
            for at in (0..children).step_by(LANES) {
                stages::slide(lookups, buffers, at, nodes, begin + at);
            }
            stages::look_up(lookups, &words, buffers, children);
            stages::read(&words, buffers, children);
            if live.len() < children + LANES {
                live.resize((children + LANES).next_power_of_two(), 0);
            }
            alive = 0;
            for at in (0..children).step_by(LANES) {
                let lanes = (children - at).min(LANES);
                alive += stages::update_values(
                    buffers,
                    at,
                    lanes,
                    nodes,
                    begin + at,
                    chunk.bound,
                    &mut live[alive..],
                    goals,
                );
            }
            begin += children;
            if chunk.tie_break.takes_any()
                && let Some(&goal) = goals.first()
            {
                return ChunkEnd::Goal(step(goal));
            }
        }
        if !goals.is_empty() {
            let order = ancestry.depth_first(roots, |node| goals.contains(&(node as u32)));
            return ChunkEnd::Goal(step(order[0]));
        }
        if chunk.keep == Keep::Nothing {
            return ChunkEnd::Exhausted;
        }
        if chunk.tie_break.takes_any() {
            // The list is put into an order of its own: that of the waves will do.
            live.clear();
            live.resize(begin - roots + 1, 0);
            let mut cut = 0;
            for place in roots..begin {
                live[cut] = place as u32;
                cut += usize::from(nodes.cut[place]);
            }
            part.nodes.reserve(cut);
            for &place in &live[..cut] {
                part.nodes.push(nodes.get(place as usize, step(place)));
            }
            return ChunkEnd::Exhausted;
        }
        let order = ancestry.depth_first(roots, |node| nodes.cut[node] != 0);
        part.nodes.reserve(order.len());
        for &place in order {
            part.nodes.push(nodes.get(place as usize, step(place)));
        }
        ChunkEnd::Exhausted
    }
}

impl Expand for VectorSearch {
    type Node = Node4x4;
    type Wave = VectorWave;
    type Stack = Stack<u64, 2>;

    #[allow(unsafe_code)] // a call to a function that is compiled for more than the crate is
    fn chunk(
        &self,
        chunk: &Chunk<Node4x4>,
        wave: &mut VectorWave,
        counter: &mut NodeCounter,
        part: &mut Part<Node4x4>,
    ) -> ChunkEnd {
        assert!(InstructionSet::Avx512.is_available(), "this processor has no AVX-512");
        // SAFETY: the processor was just asked for every feature the function is compiled for.
        // Guarded by the test `an_engine_never_takes_an_instruction_set_that_the_processor_lacks`.
        unsafe { self.expand(chunk, wave, counter, part) }
    }

    fn below(&self, root: &Node4x4, bound: u16, stack: &mut Stack<u64, 2>, counter: &mut NodeCounter) -> SubtreeEnd {
        depth_first(self.instruction_set, &self.tables, root, bound, stack, counter)
    }
}
