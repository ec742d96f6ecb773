//! The tables that are summed for a move.

/// The bytes that are read for a segment, whatever the number of cells; so many follow the row's last.
pub const SEGMENT: usize = 64;
/// The bytes that are read behind an entry of a triple.
pub const OTHERS_READ: usize = 3;
/// Bytes are kept with this added, so that they have no sign.
pub const ZERO: u8 = 128;

/// What a move of a tile along an edge changes.
pub struct Terms<'a> {
    tiles: usize,
    row: &'a [u8],
    triples: &'a [Triple],
    ends: (usize, usize),
    entries: &'a [u8],
}

/// A triple as one of its tiles sees it: its own place in the index, and the two others with theirs.
#[derive(Clone, Copy, Debug)]
pub struct Triple {
    /// Where its entries begin.
    pub start: usize,
    /// What the tile's own cell counts in the index.
    pub own_factor: usize,
    /// The others, and what their cells count.
    pub others: [(u8, u16); 2],
}

impl<'a> Terms<'a> {
    /// The terms: of the other tiles, as many as cells, by tile and cell; and of the triples that the tile is in, between the ends
    /// of the edge.
    ///
    /// # Panics
    /// When an entry is missing.
    pub fn new(
        tiles: usize,
        row: &'a [u8],
        triples: &'a [Triple],
        ends: (usize, usize),
        entries: &'a [u8],
    ) -> Terms<'a> {
        assert!((1..=64).contains(&tiles) && ends.0 < tiles && ends.1 < tiles);
        assert!(row.len() >= tiles * tiles + SEGMENT);
        for triple in triples {
            let [(b, b_factor), (c, c_factor)] = triple.others;
            assert!(usize::from(b) < tiles && usize::from(c) < tiles && b_factor <= 1 << 12 && c_factor <= 1 << 12);
            let greatest = triple.own_factor + usize::from(b_factor) + usize::from(c_factor);
            assert!(triple.start + (tiles - 1) * greatest + OTHERS_READ < entries.len());
        }
        Terms { tiles, row, triples, ends, entries }
    }

    /// How many tiles there are, and cells.
    #[inline(always)]
    pub(super) fn tiles(&self) -> usize {
        self.tiles
    }

    /// Other tiles by cell, [`ZERO`] added to each.
    #[inline(always)]
    pub(super) fn row(&self) -> &'a [u8] {
        self.row
    }

    /// The triples, each with its entries where the tile is at the first end and at the second.
    #[inline(always)]
    pub(super) fn triples(&self) -> impl Iterator<Item = (&'a Triple, &'a [u8], &'a [u8])> {
        let (first, second) = self.ends;
        let from = move |triple: &Triple, end: usize| &self.entries[triple.start + triple.own_factor * end..];
        self.triples.iter().map(move |triple| (triple, from(triple, first), from(triple, second)))
    }
}
