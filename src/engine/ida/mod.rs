//! Iterative deepening A* (IDA*), independent of the heuristic that guides it.
//!
//! R. E. Korf, *Depth-first iterative-deepening: an optimal admissible tree search*, Artificial
//! Intelligence 27, 1985. A depth-first search prunes nodes with f = depth + h above a bound, and
//! the bound is raised until a solution is found. Three things are added to the textbook algorithm:
//!
//! * No iteration repeats the previous one while memory lasts: the nodes that one iteration pruned
//!   because of their f (the *cut nodes*) are the roots of the next ([`list`]).
//! * With pattern databases, nodes are expanded in batches, so that table entries arrive from
//!   memory while others are processed ([`batch`]).
//! * Duplicate operator sequences are pruned by a finite-state machine
//!   ([`automaton`](super::automaton)).
//!
//! # Modules
//!
//! | module | purpose |
//! |---|---|
//! | [`engine`] | the [`Engine`](super::contract::Engine): builds tables and automaton |
//! | here | `dyn Search`: the searches by heuristic |
//! | [`sample`](mod@sample) | prediction of the number of nodes |
//! | [`deepen`] | iterations, limits, resuming; the proof that another engine's path is shortest |
//! | [`growing`], [`frozen`] | one iteration while the list grows, and after memory has run out |
//! | [`list`] | the list, and the path to each of its nodes |
//! | [`nodes`] | lists of nodes whose type only the expander knows |
//! | [`expander`] | the interface: a chunk of nodes in, their cut descendants out |
//! | [`plain`](mod@plain) | an expander for a heuristic that costs a few nanoseconds |
//! | [`batch`] | an expander for pattern databases, over a *guide* that generates children |
//! | [`partition`], [`collection`], `seven_eight` | the guides |
//!
//! # Every cut node is expanded in the next iteration
//!
//! *A move changes h by exactly one.* This is part of the contract of
//! [`Heuristic`](crate::heuristic::Heuristic). It also holds for sums of pattern databases: a move
//! changes by one the value of the pattern that contains the moved tile, and leaves the other
//! values unchanged. The maximum of several such sums changes by one too: all of them are 0 at the
//! goal and change by one with every move, so they have the same parity. If one of the sums that
//! equal the maximum rises, the maximum rises. Otherwise all sums that equal the maximum fall, and
//! so does the maximum: the other sums are less by at least two, so they rise to the new maximum at
//! most.
//!
//! So f = depth + h stays the same or grows by two with every move. In the iteration with bound T,
//! while cut nodes are kept, every root and every expanded node has f = T, every cut node has
//! f = T + 2, and T + 2 is the next bound.
//!
//! # Why the first solution is the canonical path
//!
//! If any shortest path will do, lists are searched in another order ([`list`], [`frozen`]). The
//! following applies to searches for the canonical path.
//!
//! Children are generated in the order of their letters, so depth-first search visits the paths
//! below a node in lexicographic order. *The list is in that order and contains exactly one node of
//! every path that leads beyond the bound and is not pruned*: an iteration replaces each root by
//! its cut descendants, in the order in which the search visits them. *No solution is lost*: h is
//! consistent, so f never decreases along a path, and a shortest path of length C is within the
//! bound C. Solutions are searched for in the order of the list. In a chunk that has solutions, the
//! first in depth-first order is taken. The automaton prunes a path only if the same board is
//! reached by a shorter path, or by a lexicographically smaller path of equal length. So it never
//! prunes a prefix of the canonical path.
//!
//! # Several threads
//!
//! The work on one chunk of the list does not depend on the work on any other. So idle threads take
//! chunks, the results are joined in list order, and the first solution in that order is taken. The
//! path, the lists and the number of nodes are the same as with one thread.
//!
//! # Nodes
//!
//! Average number of nodes for a random 15-puzzle, by the sizes of the partition's patterns:
//! 300,000 for `5-5-5`, 167,000 for `6-6-3`, 52,000 for `7-7-1`, 13,000 for `7-8`. The automaton
//! has depth 10 (12 for `7-8`). `benches/yardstick` measures the time per node.

mod batch;
mod collection;
mod deepen;
mod engine;
mod expander;
mod frozen;
mod growing;
mod list;
mod nodes;
mod partition;
mod plain;
mod sample;
#[cfg(target_arch = "x86_64")]
mod seven_eight;
#[cfg(all(test, not(loom)))]
mod tests;

use std::sync::Arc;

use self::batch::{Batched, Guide};
use self::collection::{Collection, PortableLookup};
pub use self::deepen::Context;
use self::deepen::search;
pub use self::engine::{BuiltTables, IdaStar};
use self::expander::DynExpander;
use self::list::Lists;
use self::partition::tables::PartitionTables;
use self::plain::Plain;
use self::sample::sample;
#[cfg(target_arch = "x86_64")]
use self::{collection::VectorLookup, seven_eight::SevenEight};
use super::automaton::Automaton;
use super::sampling::{SampleRequest, Sampled};
use super::{Outcome, Stats};
use crate::board::frame::Space;
use crate::board::{Packed, Solvable};
use crate::heuristic::Heuristic;
use crate::heuristic::pdb::{CollectionTables, PdbSum};
use crate::system::{InstructionSet, Limit};

/// An iterative-deepening search of one space. It is immutable and shared by all workers.
pub trait Search: Send + Sync {
    /// Finds a shortest path from `start` to the goal.
    ///
    /// `start` must belong to the search's space. A node limit ends the search after exactly
    /// [`Budget::nodes`](crate::system::Budget::nodes) generated nodes, including the start. If a
    /// limit ends the search, the lower bound is the bound of the last iteration, or the bound
    /// proven in the log if that is greater. The work is added to `stats`; a chunk that a limit
    /// ended does not count as expanded.
    ///
    /// Idle threads help. They change neither the outcome nor, unless the search is interrupted,
    /// the stats. A search with a node limit runs on one thread.
    fn solve(&self, start: &Solvable, context: &Context<'_>, scratch: &mut Scratch, stats: &mut Stats) -> Outcome;

    /// Predicts the number of nodes of the search from `start` by [sampling](super::sampling), with
    /// the usual memory for lists.
    ///
    /// # Errors
    /// Returns the limit that ended the sampling.
    fn sample(&self, start: &Solvable, request: &SampleRequest<'_>) -> Result<Sampled, Limit>;
}

impl<E: DynExpander> Search for E {
    fn solve(&self, start: &Solvable, context: &Context<'_>, scratch: &mut Scratch, stats: &mut Stats) -> Outcome {
        let root = self.root_node(start.state());
        let bytes = scratch.bytes * root.list_memory_factor();
        search(self, &*root, (context, bytes), &mut scratch.lists, stats)
    }

    fn sample(&self, start: &Solvable, request: &SampleRequest<'_>) -> Result<Sampled, Limit> {
        let root = self.root_node(start.state());
        let bytes = Scratch::BYTES * root.list_memory_factor();
        let list_capacity = Lists::max_generated(&*root, bytes) as f64;
        sample(self, root, list_capacity, request)
    }
}

/// A worker's memory, reused from board to board.
pub struct Scratch {
    bytes: usize,
    lists: Lists,
}

impl Scratch {
    /// The usual memory for lists, in bytes: about 95,000 nodes with two patterns on 4×4. Longer
    /// lists save no processor time, because touching a new page costs as much as hundreds of
    /// nodes. Shorter lists have fewer roots to divide among threads.
    pub const BYTES: usize = 4 << 20;

    /// Creates an empty scratch. Its lists may take `bytes` bytes, or three times as many in a
    /// search over a collection.
    pub fn new(bytes: usize) -> Scratch {
        Scratch { bytes, lists: Lists::default() }
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
/// Returns `None` if the tables are not for this space, if there are more than eight of them, if a
/// tile is in none of the patterns, or if the processor lacks the instruction set.
pub fn over_partition(
    instruction_set: InstructionSet,
    space: &Space,
    sum: &Arc<PdbSum>,
    automaton: &Automaton,
) -> Option<Box<dyn Search>> {
    if !instruction_set.is_available() {
        return None;
    }
    // The type of the tables has the width of a board's word and the maximum number of patterns.
    Some(match (space.shape.cells() <= 16, sum.tables().len()) {
        (true, 0..=2) => narrow(instruction_set, PartitionTables::new(space, sum, automaton)?),
        (true, 3..=4) => batched(instruction_set, PartitionTables::<u64, 4>::new(space, sum, automaton)?),
        (true, _) => batched(instruction_set, PartitionTables::<u64, 8>::new(space, sum, automaton)?),
        (false, 0..=4) => batched(instruction_set, PartitionTables::<u128, 4>::new(space, sum, automaton)?),
        (false, _) => batched(instruction_set, PartitionTables::<u128, 8>::new(space, sum, automaton)?),
    })
}

/// Returns a search with at most two patterns on at most 16 cells. It uses the vector code of
/// `seven_eight` if it can.
fn narrow(instruction_set: InstructionSet, tables: PartitionTables<u64, 2>) -> Box<dyn Search> {
    #[cfg(target_arch = "x86_64")]
    if let Some(lookups) = SevenEight::lookups(instruction_set, &tables) {
        return batched(instruction_set, SevenEight::new(tables, lookups));
    }
    batched(instruction_set, tables)
}

/// Returns a search guided by all sums of a collection of pattern databases, using no more than the
/// given instruction set. Returns `None` if the tables are for another space, too many, or too
/// large (`Collection::new`), or if the processor lacks the instruction set.
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
    if instruction_set >= InstructionSet::Avx512 && VectorLookup::is_available() {
        return Some(batched(instruction_set, Collection::<VectorLookup>::new(space, tables, automaton)?));
    }
    Some(batched(instruction_set, Collection::<PortableLookup>::new(space, tables, automaton)?))
}
