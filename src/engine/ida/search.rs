//! Searches of one space. `dyn Search` hides the type of their nodes. A search solves a board, or
//! samples its lists to estimate its size ([`crate::engine::sampling`]).

use std::any::Any;
use std::sync::Arc;

use super::batch::{Batched, Guide};
use super::collection::{Collection, Portable};
use super::deepen::{Context, search};
use super::expander::{Chunk, CutNodes, Expander, Grown as GrownNodes, Node, NodeCounter, expand};
use super::list::Lists;
use super::partition::tables::Tables;
use super::plain::Plain;
#[cfg(target_arch = "x86_64")]
use super::{collection::Vector, seven_eight::SevenEight};
use crate::board::frame::Space;
use crate::board::{Packed, Solvable};
use crate::engine::automaton::Automaton;
use crate::engine::sampling::{Grown, Layers, Request, Sampled, sample};
use crate::engine::{Outcome, Stats};
use crate::heuristic::Heuristic;
use crate::heuristic::pdb::{CollectionTables, PdbSum};
use crate::system::{InstructionSet, Limit};

/// An iterative-deepening search of one space. It is immutable and shared by all workers.
pub trait Search: Send + Sync {
    /// Finds a shortest path from `start` to the goal.
    ///
    /// `start` must belong to the search's space. A node limit ends the search after exactly
    /// [`Budget::nodes`](crate::system::Budget::nodes) generated nodes, including the start. If a
    /// limit ends the search, the bound of the last iteration is the proven lower bound. The work
    /// is added to `stats`; a chunk that a limit ended does not count as expanded.
    ///
    /// Idle threads help. They change neither the outcome nor, unless the search is interrupted,
    /// the stats. A search with a node limit runs on one thread.
    fn solve(&self, start: &Solvable, context: &Context<'_>, scratch: &mut Scratch, stats: &mut Stats) -> Outcome;

    /// Samples the search from `start`, with the usual memory for lists.
    ///
    /// # Errors
    /// Returns the limit that ended the sampling.
    fn sample(&self, start: &Solvable, request: &Request<'_>) -> Result<Sampled, Limit>;
}

impl<E: Expander + Send + 'static> Search for E {
    fn solve(&self, start: &Solvable, context: &Context<'_>, scratch: &mut Scratch, stats: &mut Stats) -> Outcome {
        let bytes = scratch.bytes * E::Node::LIST_MEMORY_FACTOR;
        search(self, self.root(start.state()), (context, bytes), scratch.lists(), stats)
    }

    fn sample(&self, start: &Solvable, request: &Request<'_>) -> Result<Sampled, Limit> {
        sample_search(self, self.root(start.state()), Scratch::BYTES * E::Node::LIST_MEMORY_FACTOR, request)
    }
}

/// A worker's memory, reused from board to board.
#[derive(Debug)]
pub struct Scratch {
    bytes: usize,
    /// The [`Lists`] of the last type of search; only one type is kept.
    lists: Box<dyn Any + Send>,
}

impl Scratch {
    /// The usual memory for lists, in bytes: about 80,000 nodes. Longer lists save no processor
    /// time, because touching a new page costs as much as hundreds of nodes. Shorter lists have
    /// fewer roots to divide among threads.
    pub const BYTES: usize = 4 << 20;

    /// Creates an empty scratch, whose lists may take `bytes`.
    pub fn new(bytes: usize) -> Scratch {
        Scratch { bytes, lists: Box::new(()) }
    }

    fn lists<E: Expander + 'static>(&mut self) -> &mut Lists<E> {
        if !self.lists.is::<Lists<E>>() {
            self.lists = Box::<Lists<E>>::default();
        }
        self.lists.downcast_mut().unwrap_or_else(|| unreachable!("lists of this type were just created"))
    }
}

impl Default for Scratch {
    fn default() -> Scratch {
        Scratch::new(Scratch::BYTES)
    }
}

/// Returns a search guided by one heuristic, which must be for this space.
///
/// # Panics
/// Panics on shapes of more than [`MAX_SEARCH_CELLS`](crate::board::MAX_SEARCH_CELLS) cells.
pub fn plain<H: Heuristic + Send + 'static>(heuristic: &Arc<H>, space: &Space) -> Box<dyn Search> {
    if space.shape.cells() <= <u64 as Packed>::MAX_CELLS {
        Box::new(Plain::<u64, H>::new(heuristic, space))
    } else {
        Box::new(Plain::<u128, H>::new(heuristic, space))
    }
}

fn batched<G: Guide + Send + 'static>(instruction_set: InstructionSet, guide: G) -> Box<dyn Search> {
    Box::new(Batched { guide, instruction_set })
}

/// Returns a search guided by the pattern databases of one partition, using no more than the given
/// instruction set.
///
/// Returns `None` if the tables are not for this space, if a tile is in none of the patterns, or if
/// the processor lacks the instruction set.
pub fn over_partition(
    instruction_set: InstructionSet,
    space: &Space,
    sum: &Arc<PdbSum>,
    automaton: &Automaton,
) -> Option<Box<dyn Search>> {
    if !instruction_set.is_available() {
        return None;
    }
    // By the width of a board's word and the maximum number of patterns.
    Some(match (space.shape.cells() <= 16, sum.tables().len()) {
        (true, 0..=2) => narrow(instruction_set, Tables::new(space, sum, automaton)?),
        (true, 3..=4) => batched(instruction_set, Tables::<u64, 4>::new(space, sum, automaton)?),
        (true, _) => batched(instruction_set, Tables::<u64, 8>::new(space, sum, automaton)?),
        (false, 0..=4) => batched(instruction_set, Tables::<u128, 4>::new(space, sum, automaton)?),
        (false, _) => batched(instruction_set, Tables::<u128, 8>::new(space, sum, automaton)?),
    })
}

/// Returns a search with at most two patterns on at most 16 cells, vectorized if possible.
fn narrow(instruction_set: InstructionSet, tables: Tables<u64, 2>) -> Box<dyn Search> {
    #[cfg(target_arch = "x86_64")]
    if let Some(lookups) = SevenEight::lookups(instruction_set, &tables) {
        return batched(instruction_set, SevenEight::new(tables, lookups));
    }
    batched(instruction_set, tables)
}

/// Returns a search guided by all sums of a collection of pattern databases, using no more than the
/// given instruction set. Returns `None` if the tables are not for this space, or if the processor
/// lacks the instruction set.
pub fn over_collection(
    instruction_set: InstructionSet,
    space: &Space,
    tables: &Arc<CollectionTables>,
    automaton: &Arc<Automaton>,
) -> Option<Box<dyn Search>> {
    if !instruction_set.is_available() {
        return None;
    }
    #[cfg(target_arch = "x86_64")]
    if instruction_set >= InstructionSet::Avx512 && Vector::is_available() {
        return Some(batched(instruction_set, Collection::<Vector>::new(space, tables, automaton)?));
    }
    Some(batched(instruction_set, Collection::<Portable>::new(space, tables, automaton)?))
}

/// The maximum number of nodes generated from one group of nodes before the group is split.
const MAX_GENERATED: u64 = 1 << 18;

struct Sampler<'a, 'b, E: Expander> {
    expander: &'a E,
    memory: E::Memory,
    grown: GrownNodes<E::Node>,
    counter: NodeCounter<'b>,
}

/// Samples the search from `root`, whose lists may take `bytes` bytes.
fn sample_search<E: Expander>(
    expander: &E,
    root: E::Node,
    bytes: usize,
    request: &Request<'_>,
) -> Result<Sampled, Limit> {
    if root.h() == 0 {
        return Ok(Sampled::of_goal());
    }
    let budget = request.budget.without_nodes();
    let counter = NodeCounter::start(&budget);
    let mut search = Sampler { expander, memory: E::Memory::default(), grown: GrownNodes::default(), counter };
    sample(&mut search, root, root.f(), Lists::<E>::max_generated(bytes) as f64, request)
}

impl<E: Expander> Layers for Sampler<'_, '_, E> {
    type Node = E::Node;

    fn expand(&mut self, nodes: &[E::Node], bound: u16, next: &mut Vec<E::Node>) -> Result<Grown, Limit> {
        let Sampler { expander, memory, grown, counter } = self;
        *grown = GrownNodes { nodes: std::mem::take(next), ..GrownNodes::default() };
        let chunk = Chunk { roots: nodes, bound, cut_nodes: CutNodes::Kept { max_generated: MAX_GENERATED } };
        let end = expand(*expander, &chunk, memory, counter, grown);
        *next = std::mem::take(&mut grown.nodes);
        match end {
            Ok(goal) => Ok(Grown { generated: grown.stats.generated, is_solved: goal.is_some() }),
            Err(Limit::Memory) if nodes.len() > 1 => {
                let (one, other) = nodes.split_at(nodes.len() / 2);
                let (one, other) = (self.expand(one, bound, next)?, self.expand(other, bound, next)?);
                let generated = one.generated + other.generated;
                Ok(Grown { generated, is_solved: one.is_solved || other.is_solved })
            }
            // A single node generates too many within one bound only on boards too hard for a
            // useful estimate.
            Err(limit) => Err(limit),
        }
    }
}
