//! The rows of a pattern's table. A row of the table is not a row of the board: it stands for a set
//! of cells that the pattern's tiles occupy, and for the region of the other cells that holds the
//! blank.
//!
//! Sets of occupied cells are numbered in the order of their bits, read as an integer (the
//! combinatorial number system). The number of a set is the sum of two table entries, one for each
//! half of the bits. The entry of the upper half is the first number of the sets with this upper
//! half. The entry of the lower half is the number of those sets that come before this one.
//!
//! Every set has one *row* for each connected region of its free cells (on average 2.43 for 7 tiles
//! on 4×4, 2.75 for 8 tiles, 1.42 for 6 on 5×5). These rows are consecutive, in the order of the
//! regions' lowest cells. Every set has a *record*, which contains the set's first row, and the
//! region of each cell in three bits. A record takes 8 bytes on up to 16 cells (103 KB for 8
//! tiles), otherwise 16 bytes (2.8 MB for 6 tiles on 5×5).

use crate::board::{MAX_SEARCH_CELLS, Shape};

/// The numbering of the rows for all placements of a number of tiles on a shape.
#[derive(Clone, Debug)]
pub struct Placements {
    shape: Shape,
    tiles: usize,
    /// The width of the lower half of the cells.
    low_bits: usize,
    /// Upper half → number of the first set with this half.
    high: Vec<u32>,
    /// Lower half → number of smaller lower halves with the same number of cells.
    low: Vec<u32>,
    /// The records of the sets of occupied cells on up to 16 cells with up to 2¹⁶ rows: 16 bits for
    /// the first row, 48 for the regions. Otherwise empty.
    narrow: Vec<u64>,
    /// The records in all other cases: 32 bits for the first row, 75 for the regions.
    wide: Vec<u128>,
    rows: usize,
}

const REGION_BITS: usize = 3;
const NARROW_ROW_BITS: usize = 16;
const WIDE_ROW_BITS: usize = 32;

/// The record of a set of occupied cells, in one of two widths.
pub trait Record: Copy + Send + Sync + 'static {
    /// Returns the records of all sets. Empty if they have the other width.
    fn of(placements: &Placements) -> &[Self];

    /// Returns the row for the blank in this free cell.
    fn row(self, blank: usize) -> usize;
}

impl Record for u64 {
    fn of(placements: &Placements) -> &[u64] {
        &placements.narrow
    }

    #[inline(always)]
    fn row(self, blank: usize) -> usize {
        (self & 0xffff) as usize + (self >> (NARROW_ROW_BITS + REGION_BITS * blank) & 7) as usize
    }
}

impl Record for u128 {
    fn of(placements: &Placements) -> &[u128] {
        &placements.wide
    }

    #[inline(always)]
    fn row(self, blank: usize) -> usize {
        self as u32 as usize + (self >> (WIDE_ROW_BITS + REGION_BITS * blank)) as usize % 8
    }
}

impl Placements {
    /// Numbers the placements of `tiles` tiles. The shape must have at most 25 cells.
    pub fn new(shape: Shape, tiles: usize) -> Placements {
        let cells = shape.cells();
        debug_assert!(cells <= MAX_SEARCH_CELLS && tiles <= cells);
        let low_bits = cells.div_ceil(2);
        let mut counts = vec![0; low_bits + 1];
        let mut low = vec![0; 1 << low_bits];
        for (half, number) in low.iter_mut().enumerate() {
            let count = &mut counts[half.count_ones() as usize];
            *number = *count;
            *count += 1;
        }
        let mut sets = 0;
        let mut high = vec![0; 1 << (cells - low_bits)];
        for (half, first) in high.iter_mut().enumerate() {
            *first = sets;
            let rest = tiles.checked_sub(half.count_ones() as usize);
            sets += rest.and_then(|rest| counts.get(rest)).copied().unwrap_or(0);
        }

        let mut rows = 0u32;
        let mut wide = Vec::with_capacity(sets as usize);
        for occupied in sets_of(tiles).take(sets as usize) {
            let mut record = u128::from(rows);
            for (number, region) in regions(shape, occupied).enumerate() {
                assert!(number < 1 << REGION_BITS, "{tiles} tiles on {shape} leave more than 8 regions");
                for cell in super::pattern::cells_of(region) {
                    record |= (number as u128) << (WIDE_ROW_BITS + REGION_BITS * cell);
                }
                rows += 1;
            }
            wide.push(record);
        }
        let mut narrow = Vec::new();
        if cells <= 16 && rows <= 1 << NARROW_ROW_BITS {
            let shrink = |record: u128| (record >> WIDE_ROW_BITS << NARROW_ROW_BITS | record & 0xffff) as u64;
            narrow = std::mem::take(&mut wide).into_iter().map(shrink).collect();
        }
        Placements { shape, tiles, low_bits, high, low, narrow, wide, rows: rows as usize }
    }

    /// Returns the shape.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Returns the data for engines that compute the numbers of sets themselves: the width of the
    /// lower half of the cells, the first number of each upper half, and the number that each lower
    /// half adds.
    pub(crate) fn halves(&self) -> (usize, &[u32], &[u32]) {
        (self.low_bits, &self.high, &self.low)
    }

    /// Returns the number of rows.
    #[inline]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the number of a set of occupied cells.
    #[inline(always)]
    pub fn set_number(&self, occupied: u32) -> usize {
        debug_assert_eq!(occupied.count_ones() as usize, self.tiles);
        let (high, low) = (occupied >> self.low_bits, occupied & ((1 << self.low_bits) - 1));
        (self.high[high as usize] + self.low[low as usize]) as usize
    }

    /// Returns the row of a set of occupied cells with the blank in a free cell.
    #[inline]
    pub fn row(&self, occupied: u32, blank: usize) -> usize {
        debug_assert_eq!(occupied >> blank & 1, 0);
        self.row_of_set(self.set_number(occupied), blank)
    }

    /// Returns the row of the set of this number, with the blank in a free cell.
    #[inline(always)]
    pub(crate) fn row_of_set(&self, set: usize, blank: usize) -> usize {
        if self.wide.is_empty() { self.narrow[set].row(blank) } else { self.wide[set].row(blank) }
    }

    /// Returns the occupied cells and the blank's region of a row: the inverse of
    /// [`Placements::row`].
    ///
    /// # Panics
    /// If there is no such row.
    #[cfg(test)]
    pub fn place(&self, row: usize) -> (u32, u32) {
        assert!(row < self.rows, "row {row} of {}", self.rows);
        let narrow_sets = self.narrow.partition_point(|&record| (record & 0xffff) as usize <= row);
        let wide_sets = self.wide.partition_point(|&record| record as u32 as usize <= row);
        let set = narrow_sets.max(wide_sets) - 1;
        let occupied = set_of_number(set as u32, self.tiles);
        let first =
            self.narrow.get(set).map_or_else(|| self.wide[set] as u32 as usize, |&first| first as usize & 0xffff);
        let region = regions(self.shape, occupied).nth(row - first);
        (occupied, region.unwrap_or_default())
    }

    /// Returns every row's occupied cells and region, in the order of the rows.
    pub fn places(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let shape = self.shape;
        let sets = sets_of(self.tiles).take(self.narrow.len().max(self.wide.len()));
        sets.flat_map(move |occupied| regions(shape, occupied).map(move |region| (occupied, region)))
    }

    /// Returns the bytes of memory in use.
    pub fn bytes(&self) -> usize {
        let records = size_of_val(&self.narrow[..]) + size_of_val(&self.wide[..]);
        records + size_of_val(&self.high[..]) + size_of_val(&self.low[..])
    }
}

/// Returns the sets of `tiles` cells in the order of their numbers. The caller takes as many as the
/// board has.
fn sets_of(tiles: usize) -> impl Iterator<Item = u32> {
    std::iter::successors(Some((1u64 << tiles) - 1), |&set| {
        // The highest cell of the lowest run of consecutive cells moves up by one, and the others
        // of this run move down to the first cells.
        let carried = set + (set & set.wrapping_neg());
        let others = (carried ^ set).checked_shr(2 + set.trailing_zeros()).unwrap_or(0);
        Some(carried | others)
    })
    .map(|set| set as u32)
}

/// Returns the set of `tiles` cells with this number: the inverse of [`Placements::set_number`].
#[cfg(test)]
fn set_of_number(number: u32, tiles: usize) -> u32 {
    let (mut rest, mut occupied) = (number, 0);
    for chosen in (1..=tiles as u32).rev() {
        // The greatest cell with at most `rest` sets before it. Their number, C(cell, chosen),
        // increases with the cell.
        let (mut cell, mut before) = (chosen - 1, 0);
        let mut next = 1;
        while next <= rest {
            before = next;
            cell += 1;
            // C(cell + 1, chosen) from C(cell, chosen).
            next = (u64::from(next) * u64::from(cell + 1) / u64::from(cell + 1 - chosen)) as u32;
        }
        occupied |= 1 << cell;
        rest -= before;
    }
    occupied
}

/// Returns the connected regions of the free cells, in the order of their lowest cells.
pub(super) fn regions(shape: Shape, occupied: u32) -> impl Iterator<Item = u32> {
    let (cells, cols) = (shape.cells(), shape.cols());
    let first_col = (0..shape.rows()).fold(0u32, |mask, row| mask | 1 << (row * cols));
    let last_col = first_col << (cols - 1);
    let free = ((1u64 << cells) - 1) as u32 & !occupied;
    let mut rest = free;
    std::iter::from_fn(move || {
        if rest == 0 {
            return None;
        }
        let mut region = rest & rest.wrapping_neg();
        loop {
            let sideways = (region & !last_col) << 1 | (region & !first_col) >> 1;
            let grown = (region | sideways | region << cols | region >> cols) & free;
            if grown == region {
                break;
            }
            region = grown;
        }
        rest &= !region;
        Some(region)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPES: [(usize, usize, usize); 8] =
        [(2, 2, 1), (2, 3, 3), (2, 4, 5), (3, 3, 4), (3, 4, 5), (4, 4, 6), (2, 8, 8), (5, 5, 4)];

    /// Checks all sets of occupied cells and all free cells.
    #[test]
    fn rows_and_places_are_inverse() {
        for (rows, cols, max_tiles) in SHAPES {
            let shape = Shape::new(rows, cols).unwrap();
            for tiles in 1..=max_tiles {
                let placements = Placements::new(shape, tiles);
                let (mut row, mut places) = (0, placements.places());
                let sets = (0..1u32 << shape.cells()).filter(|set| set.count_ones() as usize == tiles);
                for (number, occupied) in sets.enumerate() {
                    assert_eq!(placements.set_number(occupied), number);
                    assert_eq!(set_of_number(number as u32, tiles), occupied);
                    for region in regions(shape, occupied) {
                        assert_eq!(placements.place(row), (occupied, region));
                        assert_eq!(places.next(), Some((occupied, region)));
                        for blank in super::super::pattern::cells_of(region) {
                            assert_eq!(placements.row(occupied, blank), row);
                        }
                        row += 1;
                    }
                }
                assert_eq!((placements.rows(), places.next()), (row, None), "{shape} {tiles}");
            }
        }
    }

    /// Compares the regions with those found by a search from cell to cell.
    #[test]
    fn regions_are_connected_and_complete() {
        use crate::board::{Cell, Move};
        for (rows, cols) in [(2, 5), (3, 3), (3, 4)] {
            let shape = Shape::new(rows, cols).unwrap();
            for occupied in 0..1u32 << shape.cells() {
                let mut remaining: Vec<usize> = (0..shape.cells()).filter(|cell| occupied >> cell & 1 == 0).collect();
                for region in regions(shape, occupied) {
                    let mut found = vec![remaining[0]];
                    let mut next = 0;
                    while next < found.len() {
                        let near = Move::ALL.iter().filter_map(|&step| shape.neighbour(Cell::new(found[next]), step));
                        let near: Vec<usize> = near.map(Cell::index).collect();
                        found.extend(near.iter().filter(|cell| remaining.contains(cell)).copied());
                        found.dedup();
                        remaining.retain(|cell| !found.contains(cell));
                        next += 1;
                    }
                    assert_eq!(region, found.iter().fold(0, |bits, cell| bits | 1 << cell), "{shape} {occupied:b}");
                }
                assert!(remaining.is_empty());
            }
        }
    }

    #[test]
    fn published_numbers_of_entries() {
        let rows = |rows, cols, tiles| Placements::new(Shape::new(rows, cols).unwrap(), tiles).rows();
        assert_eq!(rows(4, 4, 7) * 5040, 139_849_920);
        assert_eq!(rows(4, 4, 8) * 40320, 1_425_191_040);
    }
}
