//! Sums of tables: of a partition, for the board and for its mirror image, and of a PDB collection.
//!
//! A move changes the value of one pattern, that of the moved tile, by one. The bit of the new
//! entry shows whether the value rises or falls. The mirrored board is as far from the mirrored
//! goal as the board is from the goal, so the sum for the mirrored board is another lower bound.
//! The larger of the two is used (Korf and Felner 2002). If a *mirror* (a reflection of the board)
//! keeps the blank's goal cell in its place, both sums use the same tables. If no mirror of a
//! square board does (as on 4×4 with the blank's goal at an edge), the second sum needs separate
//! tables for the mirrored goal. Only some partitions have patterns for them
//! ([`Partition::reflected`]). Both sums are consistent, and so is their maximum.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::build::{build_tables, footprint_of_tables};
use super::pattern::{Images, mirror, mirrored, transposition};
use super::{Partition, Pattern, PdbCollection, Slot, Spot, Table, next_value};
use crate::board::{Cell, MAX_SEARCH_CELLS, State};
use crate::system::{Footprint, sort_few};

/// The tables of a partition.
pub struct PdbSum {
    direct: SummedTables,
    mirrored: Option<Mirrored>,
}

/// Tables whose values are added.
#[derive(Clone)]
struct SummedTables {
    tables: Vec<Arc<Table>>,
    /// Home → number of the table for its tile, or [`Pattern::OUTSIDE`].
    owners: [u8; MAX_SEARCH_CELLS],
}

/// The mirror and the tables for the mirrored board.
struct Mirrored {
    /// Cell → its mirror image. A mirror is its own inverse.
    images: Images,
    tables: SummedTables,
}

impl SummedTables {
    fn new(tables: Vec<Arc<Table>>) -> SummedTables {
        let mut owners = [Pattern::OUTSIDE; MAX_SEARCH_CELLS];
        for (number, table) in tables.iter().enumerate() {
            table.pattern().homes().for_each(|home| owners[home] = number as u8);
        }
        SummedTables { tables, owners }
    }

    /// Computes the values of a state from scratch.
    fn view(&self, state: &State) -> View {
        let nowhere = Spot { occupied: 0, order: 0 };
        let mut view = View { spots: [nowhere; Partition::MAX_PATTERNS], values: [0; Partition::MAX_PATTERNS], sum: 0 };
        for (number, table) in self.tables.iter().enumerate() {
            view.spots[number] = table.layout().spot(table.pattern(), state);
            view.values[number] = table.value(state);
            view.sum += view.values[number];
        }
        view
    }

    /// Updates the view after the tile with this home has moved between two cells. `home_in`
    /// returns the home of the tile in another cell.
    #[inline(always)]
    fn slide(&self, view: &mut View, home: usize, from: usize, to: usize, home_in: impl Fn(usize) -> Cell) {
        let number = usize::from(self.owners[home]);
        let Some(table) = self.tables.get(number) else { return };
        let (layout, pattern) = (table.layout(), table.pattern());
        let code = pattern.code(Cell::new(home));
        let spot = layout.slide(view.spots[number], code, from, to, |cell| pattern.code(home_in(cell)));
        let value = next_value(view.values[number], table.bit(layout.index(spot, from)));
        view.sum = view.sum + value - view.values[number];
        view.spots[number] = spot;
        view.values[number] = value;
    }
}

/// The values of one state, updated from move to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sum {
    direct: View,
    mirrored: Option<View>,
}

/// The values of the tables for a state or for its mirror image.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct View {
    spots: [Spot; Partition::MAX_PATTERNS],
    values: [u16; Partition::MAX_PATTERNS],
    sum: u16,
}

impl Sum {
    /// Returns the heuristic value: no path to the goal has fewer moves.
    #[inline]
    pub fn value(&self) -> u16 {
        self.mirrored.map_or(self.direct.sum, |mirrored| mirrored.sum.max(self.direct.sum))
    }
}

impl PdbSum {
    /// Builds the tables of a partition on `threads` threads, including the caller's; `None` if
    /// stopped.
    pub fn build(partition: &Partition, threads: usize, stop: &AtomicBool) -> Option<PdbSum> {
        let mut tables = build_tables(&PdbSum::patterns(partition), &[], threads, stop)?;
        let reflected = tables.split_off(partition.patterns().len());
        Some(PdbSum::of(tables, reflected))
    }

    /// Returns the memory of a partition's tables without building any. The peak includes the
    /// finished tables and the one being built.
    pub fn footprint(partition: &Partition) -> Footprint {
        footprint_of_tables(&PdbSum::patterns(partition))
    }

    fn patterns(partition: &Partition) -> Vec<&Pattern> {
        partition.patterns().iter().chain(partition.reflected()).collect()
    }

    /// Creates the heuristic from the finished tables of a partition and, if there are any, the
    /// tables of the mirrored goal.
    pub(crate) fn of(tables: Vec<Arc<Table>>, reflected: Vec<Arc<Table>>) -> PdbSum {
        let direct = SummedTables::new(tables);
        let mirrored = direct.tables.first().and_then(|table| {
            let (shape, blank) = (table.pattern().shape(), table.pattern().goal_blank());
            let images = match reflected.is_empty() {
                true => mirror(shape, blank)?,
                false => transposition(shape)?,
            };
            let tables = if reflected.is_empty() { direct.clone() } else { SummedTables::new(reflected) };
            Some(Mirrored { images, tables })
        });
        PdbSum { direct, mirrored }
    }

    /// Returns the tables for the board itself.
    pub fn tables(&self) -> &[Arc<Table>] {
        &self.direct.tables
    }

    /// Returns the tables for the mirrored board, which may be the same as for the board itself.
    /// Empty if the board has no mirror.
    pub fn mirrored_tables(&self) -> &[Arc<Table>] {
        self.mirrored.as_ref().map_or(&[], |mirrored| &mirrored.tables.tables)
    }

    /// Computes the values of a state from scratch, in a few microseconds per table.
    pub fn start(&self, state: &State) -> Sum {
        let mirrored = self.mirrored.as_ref().map(|mirrored| mirrored.tables.view(&mirrored.image(state)));
        Sum { direct: self.direct.view(state), mirrored }
    }

    /// Returns the map from cells to their mirror images, if the board has a mirror.
    pub(crate) fn mirror(&self) -> Option<&Images> {
        self.mirrored.as_ref().map(|mirrored| &mirrored.images)
    }

    /// Returns the mirrored state, if the board has a mirror.
    pub(crate) fn mirrored(&self, state: &State) -> Option<State> {
        self.mirrored.as_ref().map(|mirrored| mirrored.image(state))
    }

    /// Returns the values after the blank of `state` has moved to a neighbouring cell.
    #[inline]
    pub fn after(&self, sum: &Sum, state: &State, to: Cell) -> Sum {
        // The tile moves the other way.
        let (home, tile_from, tile_to) = (state.home(to).index(), to.index(), state.blank().index());
        let mut next = *sum;
        self.direct.slide(&mut next.direct, home, tile_from, tile_to, |cell| state.home(Cell::new(cell)));
        if let (Some(view), Some(mirrored)) = (&mut next.mirrored, &self.mirrored) {
            let image = |cell: usize| usize::from(mirrored.images[cell]);
            let home_in = |cell| Cell::new(image(state.home(Cell::new(image(cell))).index()));
            mirrored.tables.slide(view, image(home), image(tile_from), image(tile_to), home_in);
        }
        next
    }
}

impl Mirrored {
    fn image(&self, state: &State) -> State {
        mirrored(&self.images, self.tables.tables[0].pattern().shape(), state)
    }
}

/// The tables of a PDB collection.
///
/// The values of each additive subset form a sum like that of a partition. The sum is admissible
/// and changes by exactly one with every move, because each tile is in exactly one of the subset's
/// slots ([`Slot`]). All sums of a state have the parity of its distance, so they differ by even
/// numbers. Therefore their maximum also changes by exactly one: if all of the largest sums fall,
/// the others, which are at least two less, rise at most to the same value.
pub struct CollectionTables {
    collection: PdbCollection,
    tables: Vec<Arc<Table>>,
}

impl CollectionTables {
    /// Builds the tables of a collection that are not in `built`, and reuses the others; `None` if
    /// stopped.
    pub fn build(
        collection: &PdbCollection,
        built: &[Arc<Table>],
        threads: usize,
        stop: &AtomicBool,
    ) -> Option<CollectionTables> {
        let tables = build_tables(&by_tiles(collection.patterns()), built, threads, stop)?;
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

    /// Computes the values of a state from scratch, by slot, in a few microseconds each.
    pub fn values(&self, state: &State) -> Vec<u16> {
        let shape = self.collection.patterns()[0].shape();
        let mirrored = self.collection.images().map(|images| mirrored(images, shape, state));
        let value = |slot: &Slot| {
            let state = if slot.mirrored { mirrored.as_ref() } else { Some(state) };
            state.map_or(0, |state| self.tables[slot.pattern].value(state))
        };
        self.collection.slots().iter().map(value).collect()
    }

    /// Returns the sums of a state, given its values by slot.
    pub fn sums<'a>(&'a self, values: &'a [u16]) -> impl Iterator<Item = u16> + 'a {
        self.collection.subsets().iter().map(move |subset| subset.iter().map(|&slot| values[slot]).sum())
    }
}

/// Returns patterns by their number of tiles. Tables with the same number of tiles are built one
/// after the other, so that only one builder is in memory at a time.
fn by_tiles<'a>(patterns: impl IntoIterator<Item = &'a Pattern>) -> Vec<&'a Pattern> {
    let mut sorted: Vec<&Pattern> = patterns.into_iter().collect();
    sort_few(&mut sorted, |pattern| pattern.tiles());
    sorted
}
