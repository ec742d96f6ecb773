//! A search of one space, in the form that engines store: `dyn Search` hides the guide from other
//! modules.

use std::any::Any;
use std::sync::Arc;

use super::batch::{Batched, Guide};
use super::collection::{Collection, Portable};
use super::deepen::{Context, search};
use super::expander::Expander;
use super::list::Lists;
use super::partition::Partition;
use super::partition::search_tables::SearchTables;
use super::partition::word::Word;
use super::plain::Plain;
use super::sampling::sample_search;
#[cfg(target_arch = "x86_64")]
use super::seven_eight::SevenEight;
use crate::board::frame::Space;
use crate::board::{Packed, Solvable};
use crate::engine::automaton::Automaton;
use crate::engine::sampling::{Request, Sampled};
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
        let bytes = scratch.bytes * E::LIST_MEMORY_FACTOR;
        search(self, self.root(start.state()), (context, bytes), scratch.lists(), stats)
    }

    fn sample(&self, start: &Solvable, request: &Request<'_>) -> Result<Sampled, Limit> {
        sample_search(self, self.root(start.state()), Scratch::BYTES * E::LIST_MEMORY_FACTOR, request)
    }
}

/// A worker's memory, reused from board to board.
#[derive(Debug)]
pub struct Scratch {
    bytes: usize,
    /// The [`Lists`] of the last type of search; only one type is kept.
    lists: Option<Box<dyn Any + Send>>,
}

impl Scratch {
    /// The usual memory for lists, in bytes: about 80,000 nodes. Longer lists save no processor
    /// time, because touching a new page costs as much as hundreds of nodes. Shorter lists have
    /// fewer roots to divide among threads.
    pub const BYTES: usize = 4 << 20;

    /// Creates an empty scratch, whose lists may take `bytes`.
    pub fn new(bytes: usize) -> Scratch {
        Scratch { bytes, lists: None }
    }

    fn lists<E: Expander + 'static>(&mut self) -> &mut Lists<E> {
        if !self.lists.as_ref().is_some_and(|lists| lists.is::<Lists<E>>()) {
            self.lists = Some(Box::<Lists<E>>::default());
        }
        let lists = self.lists.as_mut().and_then(|lists| lists.downcast_mut());
        lists.unwrap_or_else(|| unreachable!("lists of this type were just created"))
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
    fn search<W: Word, const P: usize>(instruction_set: InstructionSet, tables: SearchTables<W, P>) -> Box<dyn Search> {
        Box::new(Batched(Partition::new(instruction_set, tables)))
    }
    if !instruction_set.is_available() {
        return None;
    }
    // By the width of a board's word and the maximum number of patterns.
    Some(match (space.shape.cells() <= 16, sum.tables().len()) {
        (true, 0..=2) => narrow(instruction_set, SearchTables::new(space, sum, automaton)?),
        (true, 3..=4) => search::<u64, 4>(instruction_set, SearchTables::new(space, sum, automaton)?),
        (true, _) => search::<u64, 8>(instruction_set, SearchTables::new(space, sum, automaton)?),
        (false, 0..=4) => search::<u128, 4>(instruction_set, SearchTables::new(space, sum, automaton)?),
        (false, _) => search::<u128, 8>(instruction_set, SearchTables::new(space, sum, automaton)?),
    })
}

/// Returns a search with at most two patterns on at most 16 cells, vectorized if possible.
fn narrow(instruction_set: InstructionSet, tables: SearchTables<u64, 2>) -> Box<dyn Search> {
    #[cfg(target_arch = "x86_64")]
    if let Some(lookups) = SevenEight::lookups(instruction_set, &tables) {
        return Box::new(Batched(SevenEight::new(tables, lookups)));
    }
    Box::new(Batched(Partition::new(instruction_set, tables)))
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
    fn search<G: Guide + Send + 'static>(guide: G) -> Box<dyn Search> {
        Box::new(Batched(guide))
    }
    if !instruction_set.is_available() {
        return None;
    }
    #[cfg(target_arch = "x86_64")]
    if instruction_set >= InstructionSet::Avx512 && super::collection::Vector::is_available() {
        return Collection::<super::collection::Vector>::new(instruction_set, space, tables, automaton).map(search);
    }
    Collection::<Portable>::new(instruction_set, space, tables, automaton).map(search)
}
