//! The groups of positions that are summed together, and the tables whose entries are summed for a
//! move.

use crate::heuristic::evaluation::MAX_CELLS;

/// The number of bytes that are read for a segment (a tile's bytes in a row of a table), whatever
/// the number of cells. At least this many bytes must follow a row.
pub const SEGMENT: usize = 64;
/// The number of bytes that are read beyond an entry of a triple.
pub const OVERREAD: usize = 3;
/// The byte that stands for 0: stored bytes are unsigned, with this offset.
pub const ZERO: u8 = 128;

/// The terms that add up to the change of an evaluation when a tile moves along an edge.
pub struct Terms<'a> {
    cells: usize,
    row: &'a [u8],
    triples: &'a [Triple],
    ends: (usize, usize),
    entries: &'a [u8],
}

/// A triple as seen from one of its tiles.
#[derive(Clone, Copy, Debug)]
pub struct Triple {
    /// The index of its first entry.
    pub start: usize,
    /// The stride of the tile's cell in the table's index.
    pub stride: usize,
    /// The other two tiles, and the strides of their cells.
    pub others: [(u8, u16); 2],
}

impl<'a> Terms<'a> {
    /// Creates the terms of a tile that moves between the ends of an edge. `row` contains the terms
    /// of the other tiles, by tile and cell. `triples` are the triples that contain the tile, and
    /// `entries` their tables.
    ///
    /// # Panics
    /// If an argument is out of range, or if an entry that may be read is missing.
    pub fn new(
        cells: usize,
        row: &'a [u8],
        triples: &'a [Triple],
        ends: (usize, usize),
        entries: &'a [u8],
    ) -> Terms<'a> {
        assert!((1..=MAX_CELLS).contains(&cells) && ends.0 < cells && ends.1 < cells);
        assert!(row.len() >= cells * cells + SEGMENT);
        for triple in triples {
            let [(b, b_stride), (c, c_stride)] = triple.others;
            assert!(usize::from(b) < cells && usize::from(c) < cells && b_stride <= 1 << 12 && c_stride <= 1 << 12);
            let stride_sum = triple.stride + usize::from(b_stride) + usize::from(c_stride);
            assert!(triple.start + (cells - 1) * stride_sum + OVERREAD < entries.len());
        }
        Terms { cells, row, triples, ends, entries }
    }

    /// Returns the number of cells, which is also the number of tiles including the blank.
    #[inline(always)]
    pub(super) fn cells(&self) -> usize {
        self.cells
    }

    /// Returns the terms of the other tiles by tile and cell, with [`ZERO`] added to each.
    #[inline(always)]
    pub(super) fn row(&self) -> &'a [u8] {
        self.row
    }

    /// Returns the triples, each with its entries for the tile at the first end and at the second.
    #[inline(always)]
    pub(super) fn triples(&self) -> impl Iterator<Item = (&'a Triple, &'a [u8], &'a [u8])> {
        let (first_end, second_end) = self.ends;
        let from = move |triple: &Triple, end: usize| &self.entries[triple.start + triple.stride * end..];
        self.triples.iter().map(move |triple| (triple, from(triple, first_end), from(triple, second_end)))
    }
}

/// Maximum number of positions in a group.
pub const LANES: usize = 64;

/// A group of positions, and their sums. It has space for the tiles of the largest board, so that
/// the sums are compiled once for all boards.
pub struct Group {
    /// By position and tile: the tile's cell.
    pub by_position: [[u8; MAX_CELLS]; LANES],
    /// By tile and position: the tile's cell. Written only by the vector implementations.
    pub(super) by_tile: [[u8; LANES]; MAX_CELLS],
    /// By position: the sum.
    pub sums: [i16; LANES],
}

impl Default for Group {
    fn default() -> Group {
        Group { by_position: [[0; MAX_CELLS]; LANES], by_tile: [[0; LANES]; MAX_CELLS], sums: [0; LANES] }
    }
}
