//! The groups of tiles in order, each with its table. They leave the *last block*, a small
//! rectangle that another search solves.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::board::{Cell, Shape};
use crate::engine::constructive::{Line, Place, Rest, cell_of};

/// The maximum number of cells of the last block.
const BLOCK_CELLS: usize = 36;
/// The maximum number of rows, and of columns, of the last block. In longer blocks, beams neglect
/// the far end.
const BLOCK_SIDE: usize = 7;
/// The maximum number of entries in a table, except for a pair whose first tile must stay near the
/// end of the line.
const MAX_ENTRIES: usize = 3_000_000;
/// The number that stands for no cell.
pub(super) const NOWHERE: u16 = u16::MAX;
/// The value of entries that were not reached.
pub(super) const UNREACHED: u16 = u16::MAX;
/// The maximum number of rows, and of columns, of boards on which the moves of a group fit into a
/// byte.
const MAX_SIDE_FOR_BYTES: usize = 20;

/// A group of tiles with its table.
pub(super) struct Stage {
    /// The home cells of the group's tiles.
    pub(super) tiles: Vec<u16>,
    /// By tile and cell: the number of the cell among the cells where the tile may be, or
    /// [`NOWHERE`].
    slots: Vec<Vec<u16>>,
    /// By tile: the number of cells where the tile may be.
    sizes: Vec<usize>,
    /// By cell: its number among the cells that are not finished, or [`NOWHERE`].
    pub(super) free_number: Vec<u16>,
    table: GroupTable,
}

/// The table of a group: the number of moves of each entry, in one byte or two, depending on the
/// shape.
enum GroupTable {
    Bytes(Vec<u8>),
    Words(Vec<u16>),
}

impl GroupTable {
    fn new(shape: Shape, entries: usize) -> GroupTable {
        match GroupTable::width(shape) {
            1 => GroupTable::Bytes(vec![u8::MAX; entries]),
            _ => GroupTable::Words(vec![UNREACHED; entries]),
        }
    }

    /// Returns the bytes per entry.
    fn width(shape: Shape) -> u64 {
        if shape.rows().max(shape.cols()) <= MAX_SIDE_FOR_BYTES { 1 } else { 2 }
    }

    #[inline]
    fn moves(&self, entry: usize) -> u16 {
        match self {
            GroupTable::Bytes(bytes) => match bytes[entry] {
                u8::MAX => UNREACHED,
                moves => u16::from(moves),
            },
            GroupTable::Words(words) => words[entry],
        }
    }

    fn set(&mut self, entry: usize, moves: u16) {
        match self {
            GroupTable::Bytes(bytes) => bytes[entry] = moves.min(u16::from(u8::MAX) - 1) as u8,
            GroupTable::Words(words) => words[entry] = moves,
        }
    }
}

/// All groups of a goal.
pub struct Stages {
    pub(super) shape: Shape,
    pub(super) goal_blank: Cell,
    pub(super) stages: Vec<Stage>,
    /// The last block.
    pub(super) block: Rest,
}

/// A group of tiles, which its stage brings to their targets.
struct TileGroup {
    tiles: Vec<u16>,
    targets: Vec<u16>,
    /// The cells that the first tile is restricted to, if there is a restriction.
    first_within: Option<Vec<u16>>,
}

impl Stages {
    /// Builds the groups for a goal with its blank in this cell; `None` if `stop` is set.
    pub fn new(shape: Shape, goal_blank: Cell, stop: &AtomicBool) -> Option<Stages> {
        let mut stages = Vec::new();
        let block = groups(shape, goal_blank, |free, group| {
            stages.push(Stage::new(shape, free, group, stop)?);
            Some(())
        })?;
        Some(Stages { shape, goal_blank, stages, block })
    }

    /// Returns the shape of the last block.
    pub fn block_shape(shape: Shape) -> Shape {
        // The shape does not depend on the blank's home.
        groups(shape, Cell::new(0), |_, _| Some(())).map_or(shape, |block| block.shape())
    }

    /// Returns the blank's home in the last block.
    pub fn block_blank(&self) -> Cell {
        self.block.goal_blank()
    }

    /// Returns the bytes that the tables of a shape take.
    pub fn bytes(shape: Shape) -> u64 {
        let mut bytes = 0;
        groups(shape, Cell::new(0), |free, group| {
            bytes += group.entries(free) as u64 * GroupTable::width(shape);
            Some(())
        });
        bytes
    }
}

/// Passes every group in order to `visit`, with the cells that are free before it, in ascending
/// order. Returns the last block.
fn groups(shape: Shape, goal_blank: Cell, mut visit: impl FnMut(&[u16], &TileGroup) -> Option<()>) -> Option<Rest> {
    let mut rest = Rest::of(shape, goal_blank);
    let mut free: Vec<u16> = (0..shape.cells() as u16).collect();
    while rest.shape().cells() > BLOCK_CELLS || rest.shape().rows().max(rest.shape().cols()) > BLOCK_SIDE {
        let Some(line) = rest.take_line(0) else { break };
        let mut next = 0;
        while next < line.len {
            let group = group(shape, &line, next, free.len());
            if group.first_within.is_some() {
                // A stage of its own takes the pair's first tile to the last cell of the line. The
                // next stage then moves both tiles home.
                let (tiles, targets) = (vec![group.tiles[0]], vec![group.targets[1]]);
                visit(&free, &TileGroup { tiles, targets, first_within: None })?;
            }
            visit(&free, &group)?;
            next += group.tiles.len();
            // On large boards this is faster than comparing every free cell with the tiles.
            for tile in &group.tiles {
                if let Ok(at) = free.binary_search(tile) {
                    free.remove(at);
                }
            }
        }
    }
    Some(rest)
}

/// Returns the next group of a line.
fn group(shape: Shape, line: &Line, next: usize, free: usize) -> TileGroup {
    let remaining = line.len - next;
    let max_tiles = (2..=3).rev().find(|&tiles| free.pow(tiles + 1) <= MAX_ENTRIES).unwrap_or(1) as usize;
    let count = match remaining {
        _ if remaining <= max_tiles => remaining,
        // The last two tiles are placed together.
        2 => 2,
        // The last tile of a line cannot be placed alone.
        _ => max_tiles.min(remaining - 2),
    };
    let cell = |place: Place| cell_of(shape, place).index() as u16;
    let tiles: Vec<u16> = (next..next + count).map(|number| cell(line.place(number))).collect();
    // If a table of all placements of the last two tiles would be too large, the first of them is
    // restricted to cells near the end of the line.
    let on_board = |place: &Place| (1..=shape.rows()).contains(&(place >> 8)) && place & 255 < shape.cols();
    let first_within = (count > max_tiles).then(|| line.end(3, 3).filter(on_board).map(cell).collect());
    TileGroup { targets: tiles.clone(), tiles, first_within }
}

impl TileGroup {
    /// Returns the cells where one of the tiles may be.
    fn cells(&self, free: &[u16], tile: usize) -> Vec<u16> {
        let window = self.first_within.as_ref().filter(|_| tile == 0);
        free.iter().copied().filter(|cell| window.is_none_or(|window| window.contains(cell))).collect()
    }

    /// Returns the number of entries of the group's table. The cells are counted and not listed,
    /// because [`Stages::bytes`] computes only the memory of the tables.
    fn entries(&self, free: &[u16]) -> usize {
        let is_free = |cell: &&u16| free.binary_search(cell).is_ok();
        let cells = |tile: usize| match &self.first_within {
            Some(window) if tile == 0 => window.iter().filter(is_free).count(),
            _ => free.len(),
        };
        free.len() * (0..self.tiles.len()).map(cells).product::<usize>()
    }
}

impl Stage {
    fn new(shape: Shape, free: &[u16], group: &TileGroup, stop: &AtomicBool) -> Option<Stage> {
        let numbers = |cells: &[u16]| {
            let mut numbers = vec![NOWHERE; shape.cells()];
            (0..).zip(cells).for_each(|(number, &cell)| numbers[usize::from(cell)] = number);
            numbers
        };
        let cells: Vec<Vec<u16>> = (0..group.tiles.len()).map(|tile| group.cells(free, tile)).collect();
        let mut stage = Stage {
            tiles: group.tiles.clone(),
            slots: cells.iter().map(|cells| numbers(cells)).collect(),
            sizes: cells.iter().map(Vec::len).collect(),
            free_number: numbers(free),
            table: GroupTable::new(shape, group.entries(free)),
        };
        stage.fill(shape, free, &group.targets, stop).then_some(stage)
    }

    /// Returns the index of the entry for the tiles and the blank in these cells; `None` if a tile
    /// may not be in its cell.
    #[inline]
    fn entry(&self, at: &[u16], blank: usize) -> Option<usize> {
        let mut entry = usize::from(self.free_number[blank]);
        for (i, &cell) in at.iter().enumerate() {
            let slot = self.slots[i][usize::from(cell)];
            if slot == NOWHERE {
                return None;
            }
            entry = entry * self.sizes[i] + usize::from(slot);
        }
        Some(entry)
    }

    /// Returns the moves that the group needs with its tiles and the blank in these cells, or
    /// [`UNREACHED`].
    #[inline]
    pub(super) fn moves(&self, at: &[u16], blank: usize) -> u16 {
        self.entry(at, blank).map_or(UNREACHED, |entry| self.table.moves(entry))
    }

    /// Fills the table by a breadth-first search from the group's targets, with the blank in any
    /// other free cell. Returns false if stopped.
    fn fill(&mut self, shape: Shape, free: &[u16], targets: &[u16], stop: &AtomicBool) -> bool {
        let tiles = targets.len();
        let mut start = [0; 3];
        start[..tiles].copy_from_slice(targets);
        let mut layer: Vec<([u16; 3], u16)> = Vec::new();
        for &blank in free.iter().filter(|blank| !targets.contains(blank)) {
            if let Some(entry) = self.entry(targets, usize::from(blank)) {
                self.table.set(entry, 0);
                layer.push((start, blank));
            }
        }
        let is_free = |to: &usize| self.free_number[*to] != NOWHERE;
        let neighbours = |cell| shape.neighbours(Cell::new(cell)).map(Cell::index).filter(is_free).collect();
        let neighbours: Vec<Vec<usize>> = (0..shape.cells()).map(neighbours).collect();
        let mut next = Vec::new();
        let mut moves = 0u16;
        while !layer.is_empty() {
            if stop.load(Ordering::Relaxed) {
                return false;
            }
            moves = moves.saturating_add(1).min(UNREACHED - 1);
            next.clear();
            for &(at, blank) in &layer {
                for &to in &neighbours[usize::from(blank)] {
                    let mut after = at;
                    for cell in &mut after[..tiles] {
                        if usize::from(*cell) == to {
                            *cell = blank;
                        }
                    }
                    if let Some(entry) = self.entry(&after[..tiles], to)
                        && self.table.moves(entry) == UNREACHED
                    {
                        self.table.set(entry, moves);
                        next.push((after, to as u16));
                    }
                }
            }
            std::mem::swap(&mut layer, &mut next);
        }
        true
    }
}
