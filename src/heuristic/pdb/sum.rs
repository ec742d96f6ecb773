//! The heuristic: the sum of a partition's tables, on the board and on its mirror image.
//!
//! A move changes the value of one pattern, that of the tile that moves, by one; the bit of its new
//! entry says up or down. Where a symmetry of the shape leaves the blank's goal cell in its place,
//! the mirrored board is as far from the goal as the board itself, so its sum, from the same tables
//! read through the mirror, is another lower bound: the larger one counts (Korf and Felner 2002). Both sums
//! are consistent, and so is their maximum.

use std::sync::Arc;

use super::{Build, Builder, Partition, Pattern, Spot, Table, next_value};
use crate::board::{Cell, MAX_SEARCH_CELLS, Shape, State};

/// The tables of a partition.
pub struct PdbSum {
    tables: Vec<Arc<Table>>,
    /// Home → number of its table, or [`Pattern::OUTSIDE`].
    owners: [u8; MAX_SEARCH_CELLS],
    /// Cell → its mirror image, which leaves the blank's goal cell where it is.
    mirror: Option<[u8; MAX_SEARCH_CELLS]>,
}

/// The values of one state, kept up to date from move to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sum {
    direct: View,
    mirrored: Option<View>,
}

/// The tables' values of a state as seen directly or in the mirror.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct View {
    spots: [Spot; Partition::MAX_PATTERNS],
    values: [u16; Partition::MAX_PATTERNS],
    sum: u16,
}

impl Sum {
    /// The heuristic value: no path to the goal has fewer moves.
    #[inline]
    pub fn value(&self) -> u16 {
        self.mirrored.map_or(self.direct.sum, |mirrored| mirrored.sum.max(self.direct.sum))
    }
}

impl PdbSum {
    /// Builds the tables of a partition; `None` when it was told to stop.
    pub fn build(partition: &Partition, how: &Build) -> Option<PdbSum> {
        let mut builders: Vec<Option<Builder>> = (0..=Pattern::MAX_TILES).map(|_| None).collect();
        let mut tables = Vec::new();
        for (number, pattern) in partition.patterns().iter().enumerate() {
            let slot = &mut builders[pattern.tiles()];
            let builder = slot.get_or_insert_with(|| Builder::new(pattern.shape(), pattern.tiles()));
            tables.push(Arc::new(builder.build(pattern, how)?));
            // What the builder knows of its moves is not needed any longer after its last pattern.
            if !partition.patterns()[number + 1..].iter().any(|later| later.tiles() == pattern.tiles()) {
                *slot = None;
            }
        }
        Some(PdbSum::of(tables))
    }

    /// What building a partition's tables takes at its peak, in bytes: those that are done, and the
    /// one that is built.
    pub fn peak_bytes(partition: &Partition) -> usize {
        let (mut kept, mut peak) = (0, 0);
        let mut known: Vec<(usize, usize, usize)> = Vec::new();
        for pattern in partition.patterns() {
            let tiles = pattern.tiles();
            let (_, table, while_building) = match known.iter().find(|known| known.0 == tiles) {
                Some(&known) => known,
                None => {
                    let builder = Builder::new(pattern.shape(), tiles);
                    known.push((tiles, builder.table_bytes(), builder.peak_bytes()));
                    known[known.len() - 1]
                }
            };
            peak = peak.max(kept + while_building);
            kept += table;
        }
        peak.max(kept)
    }

    /// The heuristic of tables that are there; they must be those of a partition.
    pub(crate) fn of(tables: Vec<Arc<Table>>) -> PdbSum {
        let mut owners = [Pattern::OUTSIDE; MAX_SEARCH_CELLS];
        for (number, table) in tables.iter().enumerate() {
            table.pattern().homes().for_each(|home| owners[home] = number as u8);
        }
        let mirror = tables.first().and_then(|table| mirror(table.pattern().shape(), table.pattern().goal_blank()));
        PdbSum { tables, owners, mirror }
    }

    /// The tables.
    pub fn tables(&self) -> &[Arc<Table>] {
        &self.tables
    }

    /// Bytes of all tables.
    pub fn bytes(&self) -> usize {
        self.tables.iter().map(|table| table.bytes()).sum()
    }

    /// The values of a state from scratch: some microseconds a table.
    pub fn start(&self, state: &State) -> Sum {
        Sum { direct: self.view(state), mirrored: self.mirrored(state).map(|mirrored| self.view(&mirrored)) }
    }

    /// Cell → its mirror image, where there is a mirror that leaves the blank's goal cell in its place.
    pub(crate) fn mirror(&self) -> Option<&[u8; MAX_SEARCH_CELLS]> {
        self.mirror.as_ref()
    }

    /// The state in the mirror, which is as far from the goal.
    pub(crate) fn mirrored(&self, state: &State) -> Option<State> {
        let mirror = self.mirror?;
        let mut homes = [0; MAX_SEARCH_CELLS];
        let cells = self.tables[0].pattern().shape().cells();
        for (cell, &home) in state.homes(cells).iter().enumerate() {
            homes[usize::from(mirror[cell])] = mirror[usize::from(home)];
        }
        Some(State::from_homes(homes, Cell::new(usize::from(mirror[state.blank().index()]))))
    }

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

    /// The values after the blank of `state` has moved to a neighbouring cell.
    #[inline]
    pub fn after(&self, sum: &Sum, state: &State, to: Cell) -> Sum {
        let (home, from) = (state.home(to).index(), state.blank().index());
        let mut next = *sum;
        self.slide(&mut next.direct, home, to.index(), from, |cell| state.home(Cell::new(cell)));
        if let (Some(mirrored), Some(mirror)) = (&mut next.mirrored, &self.mirror) {
            let image = |cell: usize| usize::from(mirror[cell]);
            let home_in = |cell| Cell::new(image(state.home(Cell::new(image(cell))).index()));
            self.slide(mirrored, image(home), image(to.index()), image(from), home_in);
        }
        next
    }

    /// The tile of this home moves between two cells.
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

/// The simplest symmetry of a shape but the identity that leaves a cell where it is; its own inverse.
fn mirror(shape: Shape, fixed: Cell) -> Option<[u8; MAX_SEARCH_CELLS]> {
    let (rows, cols) = (shape.rows(), shape.cols());
    let (row, col) = (shape.row(fixed), shape.col(fixed));
    let image = |cell: Cell| {
        let (r, c) = (shape.row(cell), shape.col(cell));
        if rows == cols && row == col {
            Some(shape.cell(c, r))
        } else if 2 * col + 1 == cols {
            Some(shape.cell(r, cols - 1 - c))
        } else if 2 * row + 1 == rows {
            Some(shape.cell(rows - 1 - r, c))
        } else {
            None
        }
    };
    let mut images = [0; MAX_SEARCH_CELLS];
    for (cell, slot) in images.iter_mut().enumerate().take(shape.cells()) {
        *slot = image(Cell::new(cell))?.index() as u8;
    }
    Some(images)
}
