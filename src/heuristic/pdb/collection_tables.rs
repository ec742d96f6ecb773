//! The heuristic of a PDB collection: its tables, and the values of a state from scratch.
//!
//! Every additive subset is a sum like that of a partition. It is admissible and changes by exactly
//! one with every move, because each tile is in exactly one of its slots. All sums of a state have
//! the parity of its distance, so they differ by even numbers. Therefore their maximum also changes
//! by exactly one: if all of the largest sums fall, the others, which are at least two less, rise
//! at most to the same value.

use std::sync::Arc;

use super::build::{build_tables, footprint_of_tables};
use super::mirror::mirrored;
use super::{BuildOptions, Pattern, PdbCollection, Table};
use crate::board::State;
use crate::system::Footprint;

/// The tables of a PDB collection.
pub struct CollectionTables {
    collection: PdbCollection,
    tables: Vec<Arc<Table>>,
}

impl CollectionTables {
    /// Builds the tables of a collection that are not in `built`, and reuses the others; `None` if
    /// stopped.
    pub fn build(collection: &PdbCollection, built: &[Arc<Table>], options: &BuildOptions) -> Option<CollectionTables> {
        let tables = build_tables(&by_tiles(collection.patterns()), built, options)?;
        let table_of = |pattern| tables.iter().find(|table| table.pattern() == pattern).map(Arc::clone);
        let tables = collection.patterns().iter().filter_map(table_of).collect();
        Some(CollectionTables { collection: collection.clone(), tables })
    }

    /// Returns the memory of a collection's tables, excluding the tables of the patterns in
    /// `built`. Builds no table. The peak includes the finished tables and the one being built.
    pub fn footprint(collection: &PdbCollection, built: &[Pattern]) -> Footprint {
        let new = collection.patterns().iter().filter(|pattern| !built.contains(pattern));
        footprint_of_tables(&by_tiles(new))
    }

    /// Returns the collection.
    pub fn collection(&self) -> &PdbCollection {
        &self.collection
    }

    /// Returns the tables, by pattern.
    pub fn tables(&self) -> &[Arc<Table>] {
        &self.tables
    }

    /// Returns the size of all tables in bytes.
    pub fn bytes(&self) -> usize {
        self.tables.iter().map(|table| table.bytes()).sum()
    }

    /// Computes the values of a state from scratch, by slot, in a few microseconds each.
    pub fn values(&self, state: &State) -> Vec<u16> {
        let shape = self.collection.patterns()[0].shape();
        let mirrored = self.collection.images().map(|images| mirrored(images, shape, state));
        let value = |slot: &super::Slot| {
            let state = if slot.mirrored { mirrored.as_ref() } else { Some(state) };
            state.map_or(0, |state| self.tables[slot.pattern].value(state))
        };
        self.collection.slots().iter().map(value).collect()
    }

    /// Returns the sums of a state, given its values by slot.
    pub fn sums<'a>(&'a self, values: &'a [u16]) -> impl Iterator<Item = u16> + 'a {
        self.collection.subsets().iter().map(move |subset| subset.iter().map(|&slot| values[slot]).sum())
    }

    /// Returns the heuristic value of a state, the largest sum. No path to the goal has fewer
    /// moves.
    pub fn value(&self, state: &State) -> u16 {
        self.sums(&self.values(state)).max().unwrap_or(0)
    }
}

/// Returns patterns by their number of tiles. Tables with the same number of tiles are built one
/// after the other, so that only one builder is in memory at a time.
fn by_tiles<'a>(patterns: impl IntoIterator<Item = &'a Pattern>) -> Vec<&'a Pattern> {
    let mut sorted: Vec<&Pattern> = patterns.into_iter().collect();
    sorted.sort_by_key(|pattern| pattern.tiles());
    sorted
}
