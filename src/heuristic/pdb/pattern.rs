//! A pattern (the tiles of one table), and the mirror images of a board's cells, with which a table
//! is also used for the mirrored board.
//!
//! Tiles are named by their *home*, their goal cell in the canonical frame, because a [`State`]
//! consists of homes. Within a pattern they have *codes* 0 … k−1 in the order of their homes.
//! Tables are indexed by codes.

use crate::board::{Cell, MAX_SEARCH_CELLS, Shape, State, Symmetry};

/// The tiles of one table, on a shape with a given goal cell of the blank.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Pattern {
    shape: Shape,
    goal_blank: Cell,
    /// The homes as bits.
    homes: u32,
    /// Home → code, or [`Pattern::OUTSIDE`].
    codes: [u8; MAX_SEARCH_CELLS],
}

/// An error in the text or the tiles of patterns.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct PatternError(pub(super) String);

impl Pattern {
    /// Maximum number of tiles of any pattern.
    pub const MAX_TILES: usize = 8;

    /// The code of tiles outside the pattern.
    pub const OUTSIDE: u8 = u8::MAX;

    /// Creates the pattern of the tiles with these homes.
    ///
    /// # Errors
    /// If tables of such a pattern are not supported, or if `homes` are not the homes of different
    /// tiles.
    pub fn new(shape: Shape, goal_blank: Cell, homes: &[usize]) -> Result<Pattern, PatternError> {
        let cells = shape.cells();
        if shape.is_line() || cells > MAX_SEARCH_CELLS || shape.rows() > shape.cols() {
            return Err(PatternError(format!(
                "no pattern database for {shape}: expected 4 to 25 cells in at least two rows, no more rows than columns"
            )));
        }
        let (found, max) = (homes.len(), Pattern::max_tiles(shape));
        if found == 0 || found > max {
            return Err(PatternError(format!("{found} tiles cannot form a pattern of {shape}: expected 1 to {max}")));
        }
        let mut bits = 0u32;
        for &home in homes {
            if home >= cells || home == goal_blank.index() {
                let (last, blank) = (cells - 1, goal_blank.index());
                let text = format!("cell {home} is not the home of a tile: expected cells 0 to {last} except {blank}");
                return Err(PatternError(text));
            }
            if bits >> home & 1 == 1 {
                return Err(PatternError(format!("the tile of cell {home} appears twice")));
            }
            bits |= 1 << home;
        }
        let mut codes = [Pattern::OUTSIDE; MAX_SEARCH_CELLS];
        for (code, home) in cells_of(bits).enumerate() {
            codes[home] = code as u8;
        }
        Ok(Pattern { shape, goal_blank, homes: bits, codes })
    }

    /// Returns the maximum number of tiles of a pattern on this shape: eight on up to 16 cells (178
    /// MB on 4×4), otherwise seven. At least two tiles remain outside the pattern. They are not
    /// distinguished, so a placement can have either parity, and every placement is reachable with
    /// every region of the blank.
    pub fn max_tiles(shape: Shape) -> usize {
        let limit = if shape.cells() <= 16 { Pattern::MAX_TILES } else { 7 };
        shape.cells().saturating_sub(3).min(limit)
    }

    /// Returns the shape, which is canonical.
    #[inline]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Returns the blank's goal cell.
    #[inline]
    pub fn goal_blank(&self) -> Cell {
        self.goal_blank
    }

    /// Returns the number of tiles.
    #[inline]
    pub fn tiles(&self) -> usize {
        self.homes.count_ones() as usize
    }

    /// Returns the cost of building the table, in entries generated. Each set of occupied cells
    /// counts as 250 more entries; in small tables these are most of the cost. An entry counted in
    /// this way takes 3 to 4 ns of one core, whatever the number of tiles.
    pub(crate) fn entries_generated(&self) -> u64 {
        const PER_SET: u64 = 250;
        let (tiles, cells) = (self.tiles() as u64, self.shape.cells() as u64);
        let orders = (1..=tiles).product::<u64>();
        let sets = (0..tiles).map(|tile| cells - tile).product::<u64>() / orders;
        sets * (orders + PER_SET)
    }

    /// Returns the tiles' homes in the order of their codes, smallest first.
    pub fn homes(&self) -> impl Iterator<Item = usize> {
        cells_of(self.homes)
    }

    /// Returns the tiles' homes as bits.
    #[inline]
    pub fn home_bits(&self) -> u32 {
        self.homes
    }

    /// Returns the code of the tile with this home, or [`Pattern::OUTSIDE`].
    #[inline]
    pub fn code(&self, home: Cell) -> u8 {
        self.codes[home.index()]
    }

    /// Returns for every cell the code of its tile.
    pub fn codes_in(&self, state: &State) -> [u8; MAX_SEARCH_CELLS] {
        let mut codes = [Pattern::OUTSIDE; MAX_SEARCH_CELLS];
        for (code, &home) in codes.iter_mut().zip(state.homes(self.shape.cells())) {
            *code = self.codes[usize::from(home)];
        }
        codes
    }
}

/// Returns the numbers of the set bits, smallest first.
pub(super) fn cells_of(mut bits: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let cell = (bits != 0).then_some(bits.trailing_zeros() as usize)?;
        bits &= bits - 1;
        Some(cell)
    })
}

/// Returns the neighbours of every cell as bits.
pub(super) fn neighbours(shape: Shape) -> [u32; MAX_SEARCH_CELLS] {
    let mut neighbours = [0; MAX_SEARCH_CELLS];
    for (cell, bits) in neighbours.iter_mut().enumerate().take(shape.cells()) {
        *bits = shape.neighbours(Cell::new(cell)).fold(0, |bits, near| bits | 1 << near.index());
    }
    neighbours
}

/// The mirror image of every cell.
pub(crate) type Images = [u8; MAX_SEARCH_CELLS];

/// Returns a reflection of a shape that keeps a cell in its place, if there is one: in the main
/// diagonal, or else in the middle column or row. Other symmetries are not needed, because frames
/// are canonical.
pub(super) fn mirror(shape: Shape, fixed: Cell) -> Option<Images> {
    let keeps = |mirror: &Symmetry| mirror.cell(shape, fixed) == fixed;
    let diagonal = (shape.rows() == shape.cols()).then_some(Symmetry::TRANSPOSITION);
    let mut mirrors = diagonal.into_iter().chain([Symmetry::FLIPPED_COLS, Symmetry::FLIPPED_ROWS]);
    mirrors.find(keeps).map(|mirror| images(shape, mirror))
}

/// Returns the reflection in the main diagonal, if the shape is square.
pub(super) fn transposition(shape: Shape) -> Option<Images> {
    (shape.rows() == shape.cols()).then(|| images(shape, Symmetry::TRANSPOSITION))
}

fn images(shape: Shape, mirror: Symmetry) -> Images {
    let mut images = [0; MAX_SEARCH_CELLS];
    for (slot, cell) in images.iter_mut().zip(mirror.cells(shape)) {
        *slot = cell.index() as u8;
    }
    images
}

/// Returns the mirror image of a state on a board of this shape.
pub(super) fn mirrored(images: &Images, shape: Shape, state: &State) -> State {
    let mut homes = [0; MAX_SEARCH_CELLS];
    for (cell, &home) in state.homes(shape.cells()).iter().enumerate() {
        homes[usize::from(images[cell])] = images[usize::from(home)];
    }
    State::from_homes(homes, Cell::new(usize::from(images[state.blank().index()])))
}

#[cfg(test)]
mod tests {
    use std::fmt;

    use super::*;

    /// Writes the homes separated by commas: `1,2,3`.
    impl fmt::Display for Pattern {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            for (code, home) in self.homes().enumerate() {
                write!(f, "{}{home}", if code > 0 { "," } else { "" })?;
            }
            Ok(())
        }
    }

    #[test]
    fn codes_follow_the_homes() {
        let pattern = Pattern::new(Shape::new(3, 3).unwrap(), Cell::new(8), &[7, 0, 4]).unwrap();
        assert_eq!(pattern.to_string(), "0,4,7");
        assert_eq!([0, 1, 4, 7].map(|home| pattern.code(Cell::new(home))), [0, Pattern::OUTSIDE, 1, 2]);
    }

    #[test]
    fn errors_name_the_fault() {
        let message = |rows, cols, homes: &[usize]| {
            let shape = Shape::new(rows, cols).unwrap();
            Pattern::new(shape, Cell::new(shape.cells() - 1), homes).unwrap_err().to_string()
        };
        assert_eq!(message(3, 3, &[]), "0 tiles cannot form a pattern of 3x3: expected 1 to 6");
        assert_eq!(message(3, 3, &[1, 1]), "the tile of cell 1 appears twice");
        assert_eq!(message(3, 3, &[8]), "cell 8 is not the home of a tile: expected cells 0 to 8 except 8");
        assert_eq!(message(5, 5, &[0, 1, 2, 3, 4, 5, 6, 7]), "8 tiles cannot form a pattern of 5x5: expected 1 to 7");
        for (rows, cols) in [(1, 6), (4, 3), (5, 6)] {
            assert!(message(rows, cols, &[0]).starts_with("no pattern database for"), "{rows}x{cols}");
        }
    }
}
