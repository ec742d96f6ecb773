//! The read-only data of a search: moves, tables and automaton, arranged for the inner loop.
//!
//! Tiles are *labelled* pattern by pattern, smaller patterns first; the blank's label follows those
//! of the first pattern. With the partition `7-8`, bit 3 of a tile's label is the pattern that
//! contains the tile, and the lower bits are the tile's code (its index in the pattern). The
//! blank's label is 7. The vector code relies on this; the portable code uses lookup tables.

use std::fmt::Debug;
use std::sync::Arc;

use crate::board::frame::Space;
use crate::board::{Cell, MAX_SEARCH_CELLS, Move, Packed};
use crate::engine::automaton::Automaton;
use crate::heuristic::pdb::{Layout, Pattern, PdbSum, Record, Table};
use crate::system::sort_few;

/// A board of labels in one word, and two types of matching width.
pub trait BoardWord: Packed {
    /// A set of cells, one bit each.
    type Mask: Copy + Debug + Into<u32> + Send + Sync + 'static;

    /// What a table's numbering stores for a set of occupied cells: the set's first row in the
    /// table (not a row of the board), and, for each free cell, its region of connected free cells.
    type Record: Record;

    fn mask(cells: u32) -> Self::Mask;
}

impl BoardWord for u64 {
    type Mask = u16;
    type Record = u64;

    #[inline(always)]
    fn mask(cells: u32) -> u16 {
        cells as u16
    }
}

impl BoardWord for u128 {
    type Mask = u32;
    type Record = u128;

    #[inline(always)]
    fn mask(cells: u32) -> u32 {
        cells
    }
}

/// The number of views: the board, and its mirror image.
pub const VIEWS: usize = 2;

/// The maximum number of labels, rounded up to a power of two.
pub(super) const LABELS: usize = 32;

/// One byte for each cell: a label, the cell's image in a view, or a set of letters.
pub(super) type ByCell = [u8; MAX_SEARCH_CELLS];

/// The maximum number of tiles that a tile passes in a vertical move: one less than the columns of
/// 2×12.
const MAX_PASSED: usize = 11;

/// By label: the pattern that contains the tile, and the tile's code in it.
type Owners = [Option<(u8, u8)>; LABELS];

/// A move of the blank from one cell to another, while a tile moves the other way.
#[derive(Clone, Copy, Debug, Default)]
pub struct BlankMove {
    pub to: u8,
    /// The blank's new cell, by view.
    pub blank: [u8; VIEWS],
    /// The mask of the two cells, by view.
    pub flips: [u32; VIEWS],
    /// The passings of the tile: one for each view in which it passes other tiles, which are the
    /// views in which it changes its row. If the mirror transposes, there is exactly one.
    pub passings: [Passing; VIEWS],
    /// The number of passings.
    pub passing_count: u8,
}

/// The tiles that a moved tile passes in reading order in one view. Those of its own pattern
/// determine how the rank of the pattern's order changes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Passing {
    pub view: u8,
    /// 1 if the tile moves forward in reading order, −1 if back.
    pub sign: i8,
    /// The number of tiles passed.
    pub passed: u8,
    /// The cells of the tiles passed, on the unmirrored board.
    pub cells: [u8; MAX_PASSED],
}

impl BlankMove {
    /// Creates the move of the blank from `blank` to `to`. `images` gives, by view, the image of
    /// each cell.
    fn new(blank: usize, to: usize, images: &[ByCell]) -> BlankMove {
        let mut blank_move = BlankMove { to: to as u8, ..BlankMove::default() };
        for (view, image) in images.iter().enumerate() {
            let (tile_from, tile_to) = (usize::from(image[to]), usize::from(image[blank]));
            blank_move.blank[view] = tile_from as u8;
            blank_move.flips[view] = 1 << tile_from | 1 << tile_to;
            let sign = if tile_to > tile_from { 1 } else { -1 };
            let mut passing = Passing { view: view as u8, sign, ..Passing::default() };
            // The mirror is its own inverse, so it also maps cells back to the unmirrored board.
            for &between in image[..tile_from.max(tile_to)].iter().skip(tile_from.min(tile_to) + 1) {
                passing.cells[usize::from(passing.passed)] = between;
                passing.passed += 1;
            }
            if passing.passed > 0 {
                blank_move.passings[usize::from(blank_move.passing_count)] = passing;
                blank_move.passing_count += 1;
            }
        }
        blank_move
    }
}

/// The mapping from the placement of a pattern's tiles and the blank to the index of an entry in
/// its table: the numbering of [`Layout`], with records of a fixed width.
pub struct PlacementIndex<R> {
    /// The number of entries reserved for each order.
    pub block: usize,
    /// The number of cells in the lower-numbered half of the board's cells.
    low_bits: usize,
    /// The number of a set of occupied cells is the sum of two elements: that of `high` for the
    /// set's cells in the higher-numbered half, and that of `low` for those in the lower-numbered
    /// half.
    pub high: Vec<u32>,
    pub low: Vec<u32>,
    /// The record of each set, by the set's number.
    pub set_records: Vec<R>,
}

impl<R: Record> PlacementIndex<R> {
    fn new(layout: &Layout) -> PlacementIndex<R> {
        let (low_bits, high, low) = layout.placements().halves();
        let (block, records) = (layout.block_words() * Layout::WORD_BITS, R::of(layout.placements()));
        assert!(!records.is_empty(), "the records do not have the width of the search's words");
        PlacementIndex { block, low_bits, high: high.to_vec(), low: low.to_vec(), set_records: records.to_vec() }
    }

    /// Returns the index of the entry for tiles in this order in these cells, with the blank in a
    /// free cell.
    #[inline(always)]
    pub fn entry_index(&self, order: u16, occupied: u32, blank: usize) -> usize {
        let low = occupied & ((1 << self.low_bits) - 1);
        let set = self.high[(occupied >> self.low_bits) as usize] + self.low[low as usize];
        usize::from(order) * self.block + self.set_records[set as usize].row(blank)
    }
}

/// The tables of a search over a partition of at most `P` patterns.
pub struct PartitionTables<W: BoardWord, const P: usize> {
    pub space: Space,
    pub sum: Arc<PdbSum>,
    /// The mappings from placements to indices of entries, by pattern; the same in every view.
    pub indices: Vec<PlacementIndex<W::Record>>,
    /// The pattern databases, by view and then pattern.
    pub pdbs: [Vec<Arc<Table>>; VIEWS],
    /// The number of views: 2 if there is a mirror, otherwise 1.
    pub views: usize,
    /// Home (goal cell of a tile or of the blank) → label.
    pub labels: ByCell,
    pub blank_label: usize,
    /// The moves, by cell of the blank and letter.
    pub blank_moves: Vec<[BlankMove; 4]>,
    /// By cell of the blank: the letters that do not leave the board, one bit each.
    pub legal_letters: ByCell,
    /// By view and label: the pattern that contains the tile (in the mirrored view, the tile's
    /// mirror image), and the code in that pattern. `None` for the blank, and for all labels if the
    /// view is not used.
    pub owners: [Owners; VIEWS],
    /// Label → its pattern, by view.
    pub(super) pattern_of: [[u8; LABELS]; VIEWS],
    /// The change of the order's rank when the first label's tile moves forward past the second's,
    /// by view. It is 0 for tiles of different patterns.
    pub(super) order_delta: [[[i16; LABELS]; LABELS]; VIEWS],
    /// The automaton's next state, by state and letter.
    pub next_state: Vec<[u32; 4]>,
    /// The letters that the automaton accepts, by state, one bit each.
    pub accepted: Vec<u8>,
}

impl<W: BoardWord, const P: usize> PartitionTables<W, P> {
    /// Creates the tables. Returns `None` unless every tile of the space is in one of at most `P`
    /// patterns.
    pub fn new(space: &Space, sum: &Arc<PdbSum>, automaton: &Automaton) -> Option<PartitionTables<W, P>> {
        let pdbs = by_size(sum);
        if pdbs[0].len() > P || space.shape.cells() > W::MAX_CELLS || !fits(space, &pdbs) {
            return None;
        }
        let blank_label = pdbs[0][0].pattern().tiles();
        let labels = labels(space, &pdbs[0], blank_label);

        // The position of each cell in each view: unchanged, and mirrored.
        let identity: ByCell = std::array::from_fn(|cell| cell as u8);
        let images = [identity, sum.mirror().copied().unwrap_or(identity)];
        let views = 1 + usize::from(sum.mirror().is_some());
        let owners = owners(space, &pdbs, &labels, &images);
        let (blank_moves, legal_letters) = blank_moves(space, &images[..views]);

        Some(PartitionTables {
            space: *space,
            sum: Arc::clone(sum),
            indices: pdbs[0].iter().map(|table| PlacementIndex::new(table.layout())).collect(),
            views,
            order_delta: owners.each_ref().map(|owners| order_delta(owners, &pdbs[0])),
            pattern_of: owners.each_ref().map(pattern_of),
            owners,
            pdbs,
            labels,
            blank_label,
            blank_moves,
            legal_letters,
            next_state: automaton.rows().to_vec(),
            accepted: accepted(automaton),
        })
    }
}

// The functions below do not depend on the type parameters above, so they are compiled only once.

/// Returns the pattern databases by view, smaller patterns first.
fn by_size(sum: &PdbSum) -> [Vec<Arc<Table>>; VIEWS] {
    let mut pdbs = [sum.tables().to_vec(), sum.mirrored_tables().to_vec()];
    pdbs.iter_mut().for_each(|tables| sort_few(tables, |table| table.pattern().tiles()));
    pdbs
}

/// Returns true if every tile of the space is in a pattern and the tables are for this space.
fn fits(space: &Space, pdbs: &[Vec<Arc<Table>>; VIEWS]) -> bool {
    let of_space =
        |table: &Arc<Table>| (table.pattern().shape(), table.pattern().goal_blank()) == (space.shape, space.goal_blank);
    let sizes = |tables: &[Arc<Table>]| tables.iter().map(|table| table.pattern().tiles()).collect::<Vec<_>>();
    let [direct, mirrored] = pdbs;
    // Both views share the mappings from placements to indices of entries.
    let alike = mirrored.is_empty() || sizes(direct) == sizes(mirrored);
    alike && sizes(direct).iter().sum::<usize>() + 1 == space.shape.cells() && direct.iter().all(of_space)
}

fn labels(space: &Space, pdbs: &[Arc<Table>], blank_label: usize) -> ByCell {
    let mut labels = [0; MAX_SEARCH_CELLS];
    labels[space.goal_blank.index()] = blank_label as u8;
    let homes = pdbs.iter().flat_map(|table| table.pattern().homes());
    for (home, label) in homes.zip((0..space.shape.cells()).filter(|&label| label != blank_label)) {
        labels[home] = label as u8;
    }
    labels
}

/// Returns [`PartitionTables::owners`]. `images` gives, by view, the image of each cell.
fn owners(
    space: &Space,
    pdbs: &[Vec<Arc<Table>>; VIEWS],
    labels: &ByCell,
    images: &[ByCell; VIEWS],
) -> [Owners; VIEWS] {
    let mut owners = [[None; LABELS]; VIEWS];
    for (view, home) in (0..space.shape.cells()).flat_map(|home| (0..VIEWS).map(move |view| (view, home))) {
        let image = Cell::new(usize::from(images[view][home]));
        let codes = (0..).zip(pdbs[view].iter().map(|table| table.pattern().code(image)));
        owners[view][usize::from(labels[home])] = codes.into_iter().find(|&(_, code)| code != Pattern::OUTSIDE);
    }
    owners
}

/// Returns [`PartitionTables::pattern_of`] of a view.
fn pattern_of(owners: &Owners) -> [u8; LABELS] {
    owners.map(|owner| owner.map_or(0, |(pattern, _)| pattern))
}

/// Returns [`PartitionTables::blank_moves`] and [`PartitionTables::legal_letters`].
fn blank_moves(space: &Space, images: &[ByCell]) -> (Vec<[BlankMove; 4]>, ByCell) {
    let mut legal_letters = [0; MAX_SEARCH_CELLS];
    let of_blank = |blank: usize| {
        Move::ALL.map(|letter| {
            let to = space.shape.neighbour(Cell::new(blank), space.order[letter.index()]);
            legal_letters[blank] |= u8::from(to.is_some()) << letter.index();
            BlankMove::new(blank, to.map_or(blank, Cell::index), images)
        })
    };
    let blank_moves = (0..space.shape.cells()).map(of_blank).collect();
    (blank_moves, legal_letters)
}

/// Returns the change of the order's rank when the first label's tile moves forward past the
/// second's. `owners` gives each label's pattern and code.
fn order_delta(owners: &Owners, pdbs: &[Arc<Table>]) -> [[i16; LABELS]; LABELS] {
    let delta = |mover: usize, passed: usize| match (owners[mover], owners[passed]) {
        (Some((pattern, code)), Some((other, passed))) if pattern == other && code != passed => {
            let weight = pdbs[usize::from(pattern)].layout().orders().weight(code, passed) as i16;
            if passed > code { weight } else { -weight }
        }
        _ => 0,
    };
    std::array::from_fn(|mover| std::array::from_fn(|passed| delta(mover, passed)))
}

/// Returns [`PartitionTables::accepted`].
fn accepted(automaton: &Automaton) -> Vec<u8> {
    let letters = |row: &[u32; 4]| {
        (0..4).filter(|&letter| row[letter] != Automaton::REJECT).fold(0, |bits, letter| bits | 1 << letter)
    };
    automaton.rows().iter().map(letters).collect()
}
