//! The heuristic of a set of patterns: its tables, and the values of a state from scratch.
//!
//! Every subset of the set is a sum as that of a partition: admissible, and changed by exactly one with every
//! move, because each tile is in exactly one of its slots. Before any move all sums of a state have the parity of
//! the moves it needs, so they differ by even numbers, and their maximum, too, changes by exactly one: where all of the
//! greatest fall, the others, at least two less, cannot come above them.

use std::sync::Arc;

use super::{BuildOptions, Builder, Pattern, PdbCollection, Table};
use crate::board::{Cell, MAX_SEARCH_CELLS, State};
use crate::system::Footprint;

/// The tables of a set of patterns.
pub struct CollectionTables {
    set: PdbCollection,
    tables: Vec<Arc<Table>>,
}

impl CollectionTables {
    /// Builds the tables of a set but for those that stand; `None` when it was stopped.
    pub fn build(set: &PdbCollection, standing: &[Arc<Table>], how: &BuildOptions) -> Option<CollectionTables> {
        let mut builder: Option<Builder> = None;
        let mut tables: Vec<Option<Arc<Table>>> = (0..set.patterns().len()).map(|_| None).collect();
        // By the number of tiles, so that one list of moves is in memory at a time.
        for tiles in 1..=Pattern::MAX_TILES {
            for (slot, pattern) in tables.iter_mut().zip(set.patterns()).filter(|(_, pattern)| pattern.tiles() == tiles)
            {
                let ready = standing.iter().find(|table| table.pattern() == pattern);
                *slot = Some(match ready {
                    Some(table) => Arc::clone(table),
                    None => {
                        let fits = |builder: &Builder| builder.layout().orders().tiles() == tiles;
                        let builder = match builder.take().filter(fits) {
                            Some(ready) => builder.insert(ready),
                            None => builder.insert(Builder::new(pattern.shape(), tiles)),
                        };
                        Arc::new(builder.build(pattern, how)?)
                    }
                });
            }
        }
        Some(CollectionTables { set: set.clone(), tables: tables.into_iter().flatten().collect() })
    }

    /// The memory of a set's tables beyond those of these patterns, which stand; at the peak those that are done, and the
    /// one that is being built. Computed without building a table.
    pub fn footprint(set: &PdbCollection, standing: &[Pattern]) -> Footprint {
        let (mut kept, mut peak) = (0, 0);
        for tiles in 1..=Pattern::MAX_TILES {
            let new = |pattern: &&Pattern| pattern.tiles() == tiles && !standing.contains(pattern);
            let count = set.patterns().iter().filter(new).count();
            if count == 0 {
                continue;
            }
            let builder = Builder::new(set.patterns()[0].shape(), tiles);
            let (table, while_building) = (builder.table_bytes(), builder.peak_bytes());
            peak = peak.max(kept + table * (count - 1) + while_building);
            kept += table * count;
        }
        Footprint { peak: peak.max(kept) as u64, kept: kept as u64 }
    }

    /// The set.
    pub fn set(&self) -> &PdbCollection {
        &self.set
    }

    /// The tables, by pattern.
    pub fn tables(&self) -> &[Arc<Table>] {
        &self.tables
    }

    /// Bytes of all tables.
    pub fn bytes(&self) -> usize {
        self.tables.iter().map(|table| table.bytes()).sum()
    }

    /// The state in the mirror, where one is used.
    fn mirrored(&self, state: &State) -> Option<State> {
        let images = self.set.images()?;
        let cells = self.set.patterns()[0].shape().cells();
        let mut homes = [0; MAX_SEARCH_CELLS];
        for (cell, &home) in state.homes(cells).iter().enumerate() {
            homes[usize::from(images[cell])] = images[usize::from(home)];
        }
        Some(State::from_homes(homes, Cell::new(usize::from(images[state.blank().index()]))))
    }

    /// The values of a state by slot, from scratch: some microseconds each.
    pub fn values(&self, state: &State) -> Vec<u16> {
        let mirrored = self.mirrored(state);
        let value = |slot: &super::Slot| {
            let seen = if slot.mirrored { mirrored.as_ref() } else { Some(state) };
            seen.map_or(0, |seen| self.tables[slot.pattern].value(seen))
        };
        self.set.slots().iter().map(value).collect()
    }

    /// The sums of a state's values by slot.
    pub fn sums<'a>(&'a self, values: &'a [u16]) -> impl Iterator<Item = u16> + 'a {
        self.set.subsets().iter().map(move |subset| subset.iter().map(|&slot| values[slot]).sum())
    }

    /// The heuristic value of a state: no path to the goal has fewer moves.
    pub fn value(&self, state: &State) -> u16 {
        self.sums(&self.values(state)).max().unwrap_or(0)
    }
}
