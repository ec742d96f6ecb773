//! The heuristic of a PDB collection: its tables, and the values of a state from scratch.
//!
//! Every additive subset is a sum like that of a partition. It is admissible and changes by exactly
//! one with every move, because each tile is in exactly one of its slots. All sums of a state have
//! the parity of its distance, so they differ by even numbers. Therefore their maximum also changes
//! by exactly one: if all of the largest sums fall, the others, which are at least two less, rise
//! at most to the same value.

use std::sync::Arc;

use super::{BuildOptions, Builder, Pattern, PdbCollection, Table};
use crate::board::{Cell, MAX_SEARCH_CELLS, State};
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
        let mut builder: Option<Builder> = None;
        let mut tables: Vec<Option<Arc<Table>>> = (0..collection.patterns().len()).map(|_| None).collect();
        // Tables with the same number of tiles are built one after the other, so that only one
        // builder is in memory at a time.
        for tiles in 1..=Pattern::MAX_TILES {
            let pairs = tables.iter_mut().zip(collection.patterns());
            for (table, pattern) in pairs.filter(|(_, pattern)| pattern.tiles() == tiles) {
                let ready = built.iter().find(|table| table.pattern() == pattern);
                *table = Some(match ready {
                    Some(ready) => Arc::clone(ready),
                    None => {
                        let fits = |builder: &Builder| builder.layout().orders().tiles() == tiles;
                        let builder = match builder.take().filter(fits) {
                            Some(ready) => builder.insert(ready),
                            None => builder.insert(Builder::new(pattern.shape(), tiles)),
                        };
                        Arc::new(builder.build(pattern, options)?)
                    }
                });
            }
        }
        Some(CollectionTables { collection: collection.clone(), tables: tables.into_iter().flatten().collect() })
    }

    /// Returns the memory of a collection's tables, excluding the tables of the patterns in
    /// `built`. Builds no table. The peak includes the finished tables and the one being built.
    pub fn footprint(collection: &PdbCollection, built: &[Pattern]) -> Footprint {
        let (mut kept, mut peak) = (0, 0);
        for tiles in 1..=Pattern::MAX_TILES {
            let new = |pattern: &&Pattern| pattern.tiles() == tiles && !built.contains(pattern);
            let count = collection.patterns().iter().filter(new).count();
            if count == 0 {
                continue;
            }
            let builder = Builder::new(collection.patterns()[0].shape(), tiles);
            let (table, while_building) = (builder.table_bytes(), builder.peak_bytes());
            peak = peak.max(kept + table * (count - 1) + while_building);
            kept += table * count;
        }
        Footprint { peak: peak.max(kept) as u64, kept: kept as u64 }
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

    /// Returns the mirrored state, if the board has a mirror.
    fn mirrored(&self, state: &State) -> Option<State> {
        let images = self.collection.images()?;
        let cells = self.collection.patterns()[0].shape().cells();
        let mut homes = [0; MAX_SEARCH_CELLS];
        for (cell, &home) in state.homes(cells).iter().enumerate() {
            homes[usize::from(images[cell])] = images[usize::from(home)];
        }
        Some(State::from_homes(homes, Cell::new(usize::from(images[state.blank().index()]))))
    }

    /// Computes the values of a state from scratch, by slot, in a few microseconds each.
    pub fn values(&self, state: &State) -> Vec<u16> {
        let mirrored = self.mirrored(state);
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
