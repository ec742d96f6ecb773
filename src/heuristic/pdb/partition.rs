//! A partition: patterns without common tiles, so that their values may be added.
//!
//! The choice of tiles matters more than the sizes. On 4×4 a search with a poor `6-6-3` expands
//! eleven times as many nodes as one with the best `6-6-3` found, and partitions with equal mean
//! values can have different node counts. So `presets.rs` lists partitions for the usual goals (the
//! idea and `7-8`: Korf and Felner 2002; the others were found by counting nodes). For other goals,
//! the board is cut into compact pieces along bands of two columns.

use super::pattern::{mirror, transposition};
use super::{Pattern, PatternError, presets};
use crate::board::{Cell, Shape};

/// Disjoint patterns of one shape and goal.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Partition {
    patterns: Vec<Pattern>,
    /// Patterns of the transposed goal, which have the same sizes. Often empty.
    reflected: Vec<Pattern>,
}

impl Partition {
    /// Maximum number of patterns of a partition.
    pub const MAX_PATTERNS: usize = 8;

    /// Creates a partition of these patterns. Tiles outside all patterns are ignored.
    ///
    /// # Errors
    /// If two patterns have a common tile or different shapes or goals, or if there are no patterns
    /// or too many.
    pub fn new(patterns: Vec<Pattern>) -> Result<Partition, PatternError> {
        let (found, max) = (patterns.len(), Self::MAX_PATTERNS);
        if found == 0 || found > max {
            return Err(PatternError(format!("{found} patterns cannot form a partition: expected 1 to {max}")));
        }
        let mut earlier_homes = 0u32;
        for pattern in &patterns {
            if (pattern.shape(), pattern.goal_blank()) != (patterns[0].shape(), patterns[0].goal_blank()) {
                return Err(PatternError("patterns of different shapes or goals cannot be added".into()));
            }
            let shared = earlier_homes & pattern.home_bits();
            if shared != 0 {
                let home = shared.trailing_zeros();
                return Err(PatternError(format!("the tile of cell {home} is in two patterns")));
            }
            earlier_homes |= pattern.home_bits();
        }
        Ok(Partition { patterns, reflected: Vec::new() })
    }

    /// Reads sizes, `6-6-3`, or the home cells of each pattern in the canonical frame,
    /// `0,1,2/3,4,5`.
    ///
    /// Sizes, in any order, name the best known partition of these sizes, or a compact one if none
    /// is known.
    ///
    /// # Errors
    /// If the text is neither, or if there is no such partition of this shape.
    pub fn parse(text: &str, shape: Shape, goal_blank: Cell) -> Result<Partition, PatternError> {
        let wrong = |_| {
            let expected = "sizes such as 7-8, or home cells such as 0,1,2/3,4,5";
            PatternError(format!("'{text}' is not a partition: expected {expected}"))
        };
        let numbers = |text: &str, sep: char| {
            text.split(sep).map(|number| number.trim().parse::<usize>()).collect::<Result<Vec<_>, _>>().map_err(wrong)
        };
        if text.contains([',', '/']) {
            let homes: Vec<_> = text.split('/').map(|pattern| numbers(pattern, ',')).collect::<Result<_, _>>()?;
            return Partition::of_homes(shape, goal_blank, &homes);
        }
        let sizes = numbers(text, '-')?;
        let found = sizes.iter().fold(0usize, |sum, &size| sum.saturating_add(size));
        if found + 1 != shape.cells() {
            let tiles = shape.cells() - 1;
            return Err(PatternError(format!("'{text}' has {found} tiles, {shape} has {tiles}")));
        }
        Partition::of_sizes(shape, goal_blank, &sizes)
    }

    /// Returns the partitions worth building for a goal, the cheapest first: from small patterns
    /// that pay off after a few boards to the largest that are worth their memory.
    pub fn defaults(shape: Shape, goal_blank: Cell) -> Vec<Partition> {
        let (tiles, max) = (shape.cells().saturating_sub(1), Pattern::max_tiles(shape));
        let all_sizes: Vec<Vec<usize>> = match (shape.rows(), shape.cols()) {
            (4, 4) => vec![vec![6, 6, 3], vec![7, 7, 1], vec![7, 8]],
            (5, 5) => vec![vec![6, 6, 6, 6]],
            _ if tiles < 16 => {
                vec![balanced_sizes(tiles, max.min(6)), greedy_sizes(tiles, max.min(7)), greedy_sizes(tiles, max)]
            }
            _ if tiles < 20 => vec![balanced_sizes(tiles, 5), balanced_sizes(tiles, 7)],
            _ => vec![balanced_sizes(tiles, 5), balanced_sizes(tiles, 6)],
        };
        let mut defaults: Vec<Partition> =
            all_sizes.iter().filter_map(|sizes| Partition::of_sizes(shape, goal_blank, sizes).ok()).collect();
        defaults.dedup();
        defaults
    }

    fn of_sizes(shape: Shape, goal_blank: Cell, sizes: &[usize]) -> Result<Partition, PatternError> {
        let mut partition = Partition::of_homes(shape, goal_blank, &homes_of_sizes(shape, goal_blank, sizes))?;
        if mirror(shape, goal_blank).is_none()
            && let Some(images) = transposition(shape)
        {
            let blank = Cell::new(usize::from(images[goal_blank.index()]));
            partition.reflected = Partition::of_homes(shape, blank, &homes_of_sizes(shape, blank, sizes))?.patterns;
        }
        Ok(partition)
    }

    fn of_homes(shape: Shape, goal_blank: Cell, homes: &[Vec<usize>]) -> Result<Partition, PatternError> {
        let patterns = homes.iter().map(|homes| Pattern::new(shape, goal_blank, homes));
        Partition::new(patterns.collect::<Result<_, _>>()?)
    }

    /// Returns the patterns.
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// Returns separate patterns for the transposed board and goal. They exist only on square
    /// boards, if no reflection of the board keeps the goal's blank in its place. For example, the
    /// patterns of a `7-8` divide the board into an upper and a lower half. The reflected ones
    /// divide the transposed board in the same way, and so the board itself into a left and a right
    /// half.
    ///
    /// Only partitions given by sizes have reflected patterns, which double the tables, the memory
    /// and the build time. On 4×4 with the blank's goal at an edge, `7-8` takes 12,141 nodes per
    /// random board with them and 33,036 without (`benches/yardstick`).
    pub fn reflected(&self) -> &[Pattern] {
        &self.reflected
    }

    /// Returns the cost of building the tables, in entries generated. The build time is
    /// proportional to the cost.
    pub fn entries_generated(&self) -> u64 {
        self.patterns.iter().chain(&self.reflected).map(Pattern::entries_generated).sum()
    }

    /// Returns the sizes of the patterns: `6-6-3`.
    pub fn sizes(&self) -> String {
        let sizes: Vec<String> = self.patterns.iter().map(|pattern| pattern.tiles().to_string()).collect();
        sizes.join("-")
    }
}

/// Returns the homes of the best known patterns of these sizes, or of compact ones if none are
/// known. The order of the sizes is irrelevant for known patterns.
fn homes_of_sizes(shape: Shape, goal_blank: Cell, sizes: &[usize]) -> Vec<Vec<usize>> {
    if let Some(homes) = presets::partition(shape, goal_blank, sizes) {
        return homes;
    }
    let mut homes = banded(shape).filter(|&home| home != goal_blank.index());
    sizes.iter().map(|&size| homes.by_ref().take(size).collect()).collect()
}

/// Returns as few sizes as possible, none above `max`, as nearly equal as possible.
fn balanced_sizes(tiles: usize, max: usize) -> Vec<usize> {
    let parts = tiles.div_ceil(max.max(1)).max(1);
    (0..parts).map(|part| (tiles + parts - 1 - part) / parts).collect()
}

/// Returns as few sizes as possible, all but the last equal to `max`. Larger patterns capture more
/// conflicts between tiles (nodes per random board of 2×7: 2,420 with 7-6, 1,502 with 8-5).
fn greedy_sizes(tiles: usize, max: usize) -> Vec<usize> {
    let max = max.max(1);
    let sizes = (0..tiles).step_by(max).map(|placed| max.min(tiles - placed));
    sizes.collect()
}

/// Returns the cells along bands of two columns, down one band and up the next. Consecutive cells
/// form compact pieces.
fn banded(shape: Shape) -> impl Iterator<Item = usize> {
    (0..shape.cols()).step_by(2).flat_map(move |col| {
        (0..shape.rows()).flat_map(move |step| {
            let row = if col % 4 == 0 { step } else { shape.rows() - 1 - step };
            (col..shape.cols().min(col + 2)).map(move |col| shape.cell(row, col).index())
        })
    })
}

#[cfg(test)]
mod tests {
    use std::fmt;

    use super::*;
    use crate::board::frame::Frame;

    /// Writes the home cells, `0,1,2/3,4,5`, as [`Partition::parse`] reads them.
    impl fmt::Display for Partition {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            for (i, pattern) in self.patterns.iter().enumerate() {
                write!(f, "{}{pattern}", if i > 0 { "/" } else { "" })?;
            }
            Ok(())
        }
    }

    fn parse(text: &str, rows: usize, cols: usize, blank: usize) -> Result<Partition, PatternError> {
        Partition::parse(text, Shape::new(rows, cols).unwrap(), Cell::new(blank))
    }

    #[test]
    fn reads_sizes_and_cells() {
        assert_eq!(parse("7-8", 4, 4, 15).unwrap(), parse("8-7", 4, 4, 15).unwrap());
        assert_eq!(parse("6-6-3", 4, 4, 15).unwrap().to_string(), "3,6,7,10,11,14/4,5,8,9,12,13/0,1,2");
        assert_eq!(parse("4-4", 3, 3, 8).unwrap().to_string(), "0,1,3,4/2,5,6,7");
        for (text, rows, cols, blank) in [("7-8", 4, 4, 10), ("6-6-6-6", 5, 5, 24), ("5-5-4", 3, 5, 7)] {
            let partition = parse(text, rows, cols, blank).unwrap();
            assert_eq!(parse(&partition.to_string(), rows, cols, blank).unwrap(), partition);
            assert_eq!(parse(&partition.sizes(), rows, cols, blank).unwrap(), partition);
        }
    }

    #[test]
    fn errors_name_the_fault() {
        let message = |text| parse(text, 3, 3, 8).unwrap_err().to_string();
        assert_eq!(message("4-5"), "'4-5' has 9 tiles, 3x3 has 8");
        assert_eq!(message("0,1/1,2"), "the tile of cell 1 is in two patterns");
        assert_eq!(message("7-1"), "7 tiles cannot form a pattern of 3x3: expected 1 to 6");
        assert_eq!(message("1-1-1-1-1-1-1-0-1"), "0 tiles cannot form a pattern of 3x3: expected 1 to 6");
        for text in ["", "a", "4-", "1,,2"] {
            assert!(message(text).starts_with(&format!("'{text}' is not a partition")), "{text}");
        }
    }

    /// Every searched shape has partitions that contain all its tiles, whatever the goal.
    #[test]
    fn defaults_contain_every_tile() {
        for (rows, cols) in (2..=5).flat_map(|rows| (rows..=12).map(move |cols| (rows, cols))) {
            let shape = Shape::new(rows, cols).unwrap();
            if !(6..=25).contains(&shape.cells()) {
                continue;
            }
            for blank in (0..shape.cells()).map(Cell::new) {
                let defaults = Partition::defaults(shape, blank);
                assert!(!defaults.is_empty(), "{shape} {blank:?}");
                for partition in defaults {
                    let homes = partition.patterns().iter().fold(0, |bits, pattern| bits | pattern.home_bits());
                    assert_eq!(homes | 1 << blank.index(), u32::MAX >> (32 - shape.cells()), "{shape} {partition}");
                }
            }
        }
    }

    #[test]
    fn every_canonical_goal_of_4x4_has_presets() {
        let shape = Shape::new(4, 4).unwrap();
        for blank in 0..16 {
            let mut tiles: Vec<_> = (1..16).map(crate::board::Tile::new).collect();
            tiles.insert(blank, crate::board::Tile::BLANK);
            let goal = crate::board::Board::new(shape, &tiles).unwrap();
            let blank = Frame::new(&goal).unwrap().space().goal_blank;
            let has_preset = |sizes: &[usize]| presets::partition(shape, blank, sizes).is_some();
            assert!(has_preset(&[7, 8]) && has_preset(&[6, 6, 3]), "{blank:?}");
        }
        // Goal cell 11 is goal cell 14, transposed.
        assert!(presets::partition(shape, Cell::new(11), &[7, 8]).is_some());
    }
}
