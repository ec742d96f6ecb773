//! The search over the sums of a set of patterns, as the iterations see it.
//!
//! Where what is cut must be kept, a chunk is expanded in waves, as in [`super::super::wave`]. Where it is dropped – in the last
//! layer of an iteration, where most of the work is – from a stack, a batch at a time from its top: then nothing of a
//! chunk is kept but the stack, which stays in a core's cache, and a node costs no step. The nodes are the same.

use super::super::ancestry::Ancestry;
use super::super::chunk::{Chunk, Keep, Part};
use super::super::expand::{ChunkEnd, Expand, SubtreeEnd};
use super::super::node_counter::NodeCounter;
use super::super::trace::Trace;
use super::expand::{BATCH, Batch, Wanted, children_of};
use super::lookup::{Lookup, Portable};
use super::node::SetNode;
use super::tables::Tables;
#[cfg(target_arch = "x86_64")]
use super::vector::Vector;
use crate::board::{Move, Path};
use crate::engine::Stats;
use crate::system::{InstructionSet, Kernel};

/// A worker's memory for the nodes of one chunk.
#[derive(Default)]
pub(in super::super) struct Wave {
    batch: Batch,
    /// The roots, then the nodes of each wave; or a stack.
    nodes: Vec<SetNode>,
    live: Vec<u32>,
    next: Vec<u32>,
    goals: Vec<u32>,
    ancestry: Ancestry,
    stack: Stack,
}

/// A worker's memory for depth-first search.
#[derive(Default)]
pub(in super::super) struct Stack {
    batch: Batch,
    /// Each with the letter that led to it.
    nodes: Vec<(SetNode, u8)>,
    children: Vec<(SetNode, u8)>,
}

/// The search, compiled for an instruction set.
pub(in super::super) struct SetSearch {
    pub(in super::super) tables: Tables,
    instruction_set: InstructionSet,
    /// Whether the processor has vectors of bytes that can be permuted, and may use them.
    has_vectors: bool,
}

impl SetSearch {
    pub(in super::super) fn new(instruction_set: InstructionSet, tables: Tables) -> SetSearch {
        #[cfg(target_arch = "x86_64")]
        let has_vectors = instruction_set >= InstructionSet::Avx512 && Vector::is_available();
        #[cfg(not(target_arch = "x86_64"))]
        let has_vectors = false;
        SetSearch { tables, instruction_set, has_vectors }
    }

    /// Runs a loop as compiled for the processor.
    #[inline]
    #[allow(unsafe_code)] // a call to a function that is compiled for more than the crate is
    fn run<T: Task>(&self, task: T) -> T::Output {
        #[cfg(target_arch = "x86_64")]
        {
            #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx2,bmi1,bmi2,lzcnt,popcnt")]
            fn with_vectors<T: Task>(task: T) -> T::Output {
                task.run::<Vector>()
            }
            if self.has_vectors {
                // SAFETY: the processor has every feature the function is compiled for, as `Vector::is_available` has found.
                // Guarded by the test `entries_are_those_of_the_layout`.
                return unsafe { with_vectors(task) };
            }
        }
        self.instruction_set.dispatch(PortableTask(task))
    }
}

/// A loop, for any way to look up. All it calls is inlined into it.
trait Task {
    type Output;

    fn run<L: Lookup>(self) -> Self::Output;
}

struct PortableTask<T>(T);

impl<T: Task> Kernel for PortableTask<T> {
    type Output = T::Output;

    #[inline(always)]
    fn run(self) -> T::Output {
        self.0.run::<Portable>()
    }
}

/// A chunk whose cut nodes are kept.
struct InWaves<'a, 'b> {
    tables: &'a Tables,
    chunk: &'a Chunk<'a, SetNode>,
    wave: &'a mut Wave,
    counter: &'a mut NodeCounter<'b>,
    part: &'a mut Part<SetNode>,
}

impl Task for InWaves<'_, '_> {
    type Output = ChunkEnd;

    #[inline(always)]
    fn run<L: Lookup>(self) -> ChunkEnd {
        let InWaves { tables, chunk, wave, counter, part } = self;
        let Wave { batch, nodes, live, next, goals, ancestry, .. } = wave;
        let words = tables.words();
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
            next.clear();
            for places in live.chunks(BATCH) {
                batch.parents.clear();
                for &place in places {
                    batch.parents.push(nodes[place as usize]);
                }
                batch.expand::<L>(tables, &words, chunk.bound, Wanted::All, |mut node, child| {
                    let parent_place = places[child.parent as usize];
                    let parent_step = node.step;
                    node.step = part.trace.next_step();
                    let letter = u32::from(child.letter);
                    part.trace.push(match (parent_place as usize) < roots {
                        true => Trace::of_root(parent_step, letter),
                        false => Trace::back(node.step - parent_step, letter),
                    });
                    let place = nodes.len() as u32;
                    if node.plies == 0 {
                        goals.push(place);
                    } else if node.depth + node.plies <= chunk.bound {
                        next.push(place);
                    }
                    ancestry.parents.push(parent_place);
                    nodes.push(node);
                });
                if part.trace.len() > max_steps {
                    return ChunkEnd::TooMany;
                }
            }
            part.expanded += live.len() as u64;
            if let Some(limit) = counter.poll_after(nodes.len() - begin) {
                return ChunkEnd::Interrupted(limit);
            }
            std::mem::swap(live, next);
        }
        if !goals.is_empty() {
            let order = ancestry.depth_first(roots, |node| goals.contains(&(node as u32)));
            return ChunkEnd::Goal(nodes[order[0] as usize].step);
        }
        let bound = chunk.bound;
        for &node in ancestry.depth_first(roots, |node| nodes[node].depth + nodes[node].plies > bound) {
            part.nodes.push(nodes[node as usize]);
        }
        ChunkEnd::Exhausted
    }
}

/// A chunk of which nothing is kept: the number of the first root with a solution, or, where any will do, of the one whose
/// solution is found first; then what is left is not searched.
struct FromStack<'a, 'b> {
    tables: &'a Tables,
    chunk: &'a Chunk<'a, SetNode>,
    wave: &'a mut Wave,
    counter: &'a mut NodeCounter<'b>,
    part: &'a mut Part<SetNode>,
}

impl Task for FromStack<'_, '_> {
    type Output = Result<Option<u32>, ChunkEnd>;

    #[inline(always)]
    fn run<L: Lookup>(self) -> Result<Option<u32>, ChunkEnd> {
        let FromStack { tables, chunk, wave, counter, part } = self;
        let Wave { batch, nodes, .. } = wave;
        let words = tables.words();
        nodes.clear();
        // The first root on top.
        for (number, root) in chunk.roots.iter().enumerate().rev() {
            nodes.push(SetNode { step: number as u32, ..*root });
        }
        part.depths.clear();
        part.depths.resize(chunk.roots.len(), 0);
        let (mut first, mut generated) = (None, 0);
        let ends_at_first = chunk.tie_break.takes_any();
        while !nodes.is_empty() && (first.is_none() || !ends_at_first) {
            let below = nodes.len().saturating_sub(BATCH);
            batch.parents.clear();
            batch.parents.extend_from_slice(&nodes[below..]);
            nodes.truncate(below);
            for parent in &batch.parents {
                let deepest = &mut part.depths[parent.step as usize];
                *deepest = parent.depth.max(*deepest);
            }
            batch.expand::<L>(tables, &words, chunk.bound, Wanted::WithinBound, |node, _| match node.plies {
                0 => first = Some(first.map_or(node.step, |first: u32| first.min(node.step))),
                _ => nodes.push(node),
            });
            let children = batch.children.len();
            generated += children as u64;
            part.expanded += batch.parents.len() as u64;
            if generated > counter.left() {
                return Err(ChunkEnd::Interrupted(counter.spend_all()));
            }
            if let Some(limit) = counter.poll_after(children) {
                return Err(ChunkEnd::Interrupted(limit));
            }
        }
        part.untraced += generated;
        Ok(first)
    }
}

/// A search node by node, in depth-first order.
struct DepthFirst<'a, 'b> {
    tables: &'a Tables,
    root: SetNode,
    bound: u16,
    stack: &'a mut Stack,
    counter: &'a mut NodeCounter<'b>,
    /// Where nodes are counted that belong to a chunk, which is counted as a whole; the budget is looked at all the same.
    of_chunk: Option<&'a mut Stats>,
}

impl Task for DepthFirst<'_, '_> {
    type Output = SubtreeEnd;

    #[inline(always)]
    fn run<L: Lookup>(self) -> SubtreeEnd {
        let DepthFirst { tables, root, bound, stack, counter, mut of_chunk } = self;
        let Stack { batch, nodes, children } = stack;
        let words = tables.words();
        let mut letters = vec![0; usize::from(bound.saturating_sub(root.depth)) + 1];
        nodes.clear();
        nodes.push((root, 0));
        while let Some((node, letter)) = nodes.pop() {
            let plies = usize::from(node.depth - root.depth);
            letters[plies] = letter;
            if node.plies == 0 {
                return SubtreeEnd::Goal(letters[1..=plies].iter().map(|&letter| Move::from_index(letter)).collect());
            }
            let generated = children_of(tables, &node);
            let reached = match &mut of_chunk {
                Some(stats) => {
                    stats.generated += generated as u64;
                    counter.poll_after(generated)
                }
                None => counter.count_generated(generated),
            };
            if let Some(limit) = reached {
                return SubtreeEnd::Limit(limit);
            }
            of_chunk.as_deref_mut().unwrap_or(&mut counter.stats).expanded += 1;
            batch.parents.clear();
            batch.parents.push(node);
            children.clear();
            batch.expand::<L>(tables, &words, bound, Wanted::WithinBound, |node, child| {
                children.push((node, child.letter))
            });
            while let Some(child) = children.pop() {
                nodes.push(child);
            }
        }
        SubtreeEnd::Exhausted
    }
}

impl SetSearch {
    /// Adds the steps of the first path below a root, and ends the chunk with the last of them. Its nodes count where
    /// the chunk was not searched in whole.
    #[cold]
    fn trace_path(
        &self,
        root: &SetNode,
        chunk: &Chunk<SetNode>,
        stack: &mut Stack,
        counter: &mut NodeCounter,
        part: &mut Part<SetNode>,
    ) -> ChunkEnd {
        let (tables, bound, mut stats) = (&self.tables, chunk.bound, Stats::default());
        let end = self.run(DepthFirst { tables, root: *root, bound, stack, counter, of_chunk: Some(&mut stats) });
        if chunk.tie_break.takes_any() {
            part.untraced += stats.generated;
            part.expanded += stats.expanded;
        }
        match end {
            SubtreeEnd::Goal(path) => ChunkEnd::Goal(add_path(part, root.step, &path)),
            SubtreeEnd::Limit(limit) => ChunkEnd::Interrupted(limit),
            SubtreeEnd::Exhausted => unreachable!("a solution was seen below the root"),
        }
    }
}

/// Adds the steps of a path from a root, which must not be empty, without counting their nodes once more; the last step.
fn add_path(part: &mut Part<SetNode>, root: u32, path: &Path) -> u32 {
    let mut last = root;
    for (number, letter) in path.moves().enumerate() {
        last = part.trace.next_step();
        let letter = letter.index() as u32;
        part.trace.push(if number == 0 { Trace::of_root(root, letter) } else { Trace::back(1, letter) });
        part.untraced = part.untraced.wrapping_sub(1);
    }
    last
}

#[cfg(test)]
impl SetSearch {
    /// A chunk with every child looked up in whole.
    pub(super) fn chunk_in_waves(
        &self,
        chunk: &Chunk<SetNode>,
        wave: &mut Wave,
        counter: &mut NodeCounter,
        part: &mut Part<SetNode>,
    ) -> ChunkEnd {
        self.run(InWaves { tables: &self.tables, chunk, wave, counter, part })
    }
}

impl Expand for SetSearch {
    type Node = SetNode;
    type Wave = Wave;
    type Stack = Stack;

    const KEEPS_DEPTHS: bool = true;

    fn chunk(
        &self,
        chunk: &Chunk<SetNode>,
        wave: &mut Wave,
        counter: &mut NodeCounter,
        part: &mut Part<SetNode>,
    ) -> ChunkEnd {
        let tables = &self.tables;
        if chunk.keep == Keep::Cut {
            return self.run(InWaves { tables, chunk, wave, counter, part });
        }
        match self.run(FromStack { tables, chunk, wave, counter, part }) {
            Ok(None) => ChunkEnd::Exhausted,
            Ok(Some(root)) => {
                let root = &chunk.roots[root as usize];
                self.trace_path(root, chunk, &mut wave.stack, counter, part)
            }
            Err(end) => end,
        }
    }

    fn below(&self, root: &SetNode, bound: u16, stack: &mut Stack, counter: &mut NodeCounter) -> SubtreeEnd {
        self.run(DepthFirst { tables: &self.tables, root: *root, bound, stack, counter, of_chunk: None })
    }
}
