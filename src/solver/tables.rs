//! The tables that a run may build for a space, their cost and their memory.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::settings::{EnginePreference, HeuristicChoice};
use crate::board::frame::Space;
use crate::engine::contract::Engine;
use crate::engine::ida::{BuiltTables, IdaStar};
use crate::engine::{TieBreak, full_table};
use crate::heuristic::pdb::{Partition, Pattern, PdbCollection, PdbSum};
use crate::system::Footprint;

/// Tables that a run may build for a space.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Tables {
    /// The tables of a partition.
    Patterns(Partition),
    /// The tables of a PDB collection, which form several sums.
    Collection(PdbCollection),
    /// The full table, see [`full_table`].
    Full,
}

impl Tables {
    /// Parses a name: a partition, `7-8` or `0,1,2/3,4,5`, or a collection, `18x6` or
    /// `0,1,2;2,3,4`.
    ///
    /// # Errors
    /// The reason why there are no tables of this name for the space.
    pub fn parse(name: &str, space: &Space) -> Result<Tables, String> {
        let (shape, blank) = (space.shape, space.goal_blank);
        match PdbCollection::is_named_by(name) {
            true => PdbCollection::parse(name, shape, blank).map(Tables::Collection).map_err(|error| error.to_string()),
            false => Partition::parse(name, shape, blank).map(Tables::Patterns).map_err(|error| error.to_string()),
        }
    }

    /// Returns the tables requested by name, if the space has such tables.
    pub fn requested(space: &Space, preference: &EnginePreference) -> Option<Tables> {
        let HeuristicChoice::Partition(name) = &preference.heuristic else { return None };
        Tables::parse(name, space).ok()
    }

    /// Returns the patterns whose tables a larger collection can share.
    pub fn shared(&self) -> &[Pattern] {
        match self {
            Tables::Collection(collection) => collection.patterns(),
            Tables::Patterns(_) | Tables::Full => &[],
        }
    }

    /// Returns the tables worth building for a space, in the order in which they are built.
    pub fn of(space: &Space) -> Vec<Tables> {
        let partitions = Partition::defaults(space.shape, space.goal_blank);
        let collections = PdbCollection::defaults(space.shape, space.goal_blank);
        let largest_pattern = |patterns: &[Pattern]| patterns.iter().map(Pattern::tiles).max().unwrap_or(0);
        let largest = collections.first().map_or(Pattern::MAX_TILES, |of| largest_pattern(of.patterns()));
        // A partition with larger patterns would take more memory, and the collection would soon
        // replace it.
        let partitions = partitions.into_iter().filter(|partition| largest_pattern(partition.patterns()) <= largest);
        let partitions = partitions.map(Tables::Patterns);
        if full_table::is_for(space.shape) {
            // Larger partitions save at most a tenth of the cost, and the full table replaces them.
            return partitions.take(1).chain([Tables::Full]).collect();
        }
        partitions.chain(collections.into_iter().map(Tables::Collection)).collect()
    }

    /// Returns the name shown to the user.
    pub fn name(&self) -> String {
        match self {
            Tables::Patterns(partition) => partition.sizes(),
            Tables::Collection(collection) => collection.name(),
            Tables::Full => "the full table".into(),
        }
    }

    /// Returns the memory that the tables take in addition to the tables of the patterns in
    /// `built`. This computes their layouts, which takes a few milliseconds, or a tenth of a second
    /// on 5×5.
    pub fn footprint(&self, space: &Space, threads: usize, built: &[Pattern]) -> Footprint {
        match self {
            Tables::Patterns(partition) => PdbSum::footprint(partition),
            Tables::Collection(collection) => IdaStar::collection_footprint(collection, built),
            Tables::Full => full_table::Table::footprint(space.shape, threads),
        }
    }

    /// Returns the build cost in entries generated, excluding the tables of the patterns in
    /// `built`.
    pub fn entries_generated(&self, space: &Space, built: &[Pattern]) -> u64 {
        match self {
            Tables::Patterns(partition) => {
                partition.entries_generated() + IdaStar::partition_automaton_cost(space, partition)
            }
            Tables::Collection(collection) => {
                collection.entries_generated_without(built) + IdaStar::collection_automaton_cost(collection, built)
            }
            Tables::Full => full_table::Table::build_cost(space.shape),
        }
    }

    /// Builds the tables on `threads` threads, including the caller's, and the engine over them.
    /// A collection shares the tables in `built`, which then has its tables. Returns `None` if
    /// stopped.
    pub fn build(
        &self,
        space: &Space,
        tie_break: TieBreak,
        threads: usize,
        built: &mut BuiltTables,
        stop: &AtomicBool,
    ) -> Option<Arc<dyn Engine>> {
        Some(match self {
            Tables::Patterns(partition) => Arc::new(IdaStar::build(space, partition, tie_break, threads, stop)?),
            Tables::Collection(collection) => {
                let (engine, tables) = IdaStar::build_collection(space, collection, built, tie_break, threads, stop)?;
                *built = tables;
                Arc::new(engine)
            }
            Tables::Full => {
                let threads = full_table::Table::threads(space.shape, threads);
                Arc::new(full_table::Table::build(space, threads, stop)?)
            }
        })
    }
}
