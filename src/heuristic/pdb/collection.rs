//! A set of patterns, each with its mirror image, and the sums that they form.
//!
//! Patterns whose tiles are together all tiles, each of them once, are an *exact subset*: their values may be
//! added up. A partition is one subset. A set whose patterns overlap has many, and a pattern serves all that it is in:
//! eighteen patterns of six tiles on 5×5 form 26 sums out of 414 MB, where 26 partitions with tables of their own
//! would take 2.3 GB. The greatest sum is the lower bound; on hard 24-puzzles it saves seven eighths of the nodes.
//!
//! A pattern as it is seen in one view – the board as it is, or in the mirror – is a *slot*. What a slot sees are
//! tiles of the board as it is, so a subset may mix the two views.

use std::fmt;

use super::mirror::{Images, mirror};
use super::{Partition, Pattern, PatternError, set_presets};
use crate::board::{Cell, Shape};

/// Patterns of one shape and goal, and the exact subsets that they form.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PdbCollection {
    patterns: Vec<Pattern>,
    slots: Vec<Slot>,
    subsets: Vec<Vec<usize>>,
    images: Option<Images>,
}

/// A pattern as seen in one view.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Slot {
    /// The number of the pattern.
    pub pattern: usize,
    /// Whether it is looked up for the board in the mirror.
    pub mirrored: bool,
    /// The homes of the tiles it counts on the board as it is, by bits.
    pub homes: u32,
}

/// Why text is no set of patterns.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CollectionError {
    /// One of the patterns is none.
    #[error(transparent)]
    Pattern(#[from] PatternError),
    /// Neither a set that is known nor tiles.
    #[error("'{text}' is not a set of patterns of {shape}: expected {known}home cells such as 0,1,2;2,3,4")]
    Text {
        /// The text.
        text: String,
        /// The shape.
        shape: Shape,
        /// The names of those that are known, each with a comma.
        known: String,
    },
    /// Too many patterns.
    #[error("{found} patterns are no set: expected 1 to {}", PdbCollection::MAX_PATTERNS)]
    Count {
        /// How many there were.
        found: usize,
    },
    /// No sum counts every tile.
    #[error("no patterns of the set hold every tile once")]
    NoCover,
}

impl PdbCollection {
    /// The most patterns of a set.
    pub const MAX_PATTERNS: usize = 32;

    /// The most sums that are used: the most compact ones where there are more.
    pub const MAX_SUBSETS: usize = 32;

    /// The set of these patterns.
    ///
    /// # Errors
    /// When no choice of them is an exact subset, or there are none or too many.
    ///
    /// # Panics
    /// When they belong to different shapes or goals.
    pub fn new(patterns: Vec<Pattern>) -> Result<PdbCollection, CollectionError> {
        if patterns.is_empty() || patterns.len() > Self::MAX_PATTERNS {
            return Err(CollectionError::Count { found: patterns.len() });
        }
        let (shape, blank) = (patterns[0].shape(), patterns[0].goal_blank());
        assert!(patterns.iter().all(|other| (other.shape(), other.goal_blank()) == (shape, blank)), "one space");
        let images = mirror(shape, blank);
        let mut slots: Vec<Slot> = Vec::new();
        for (pattern, homes) in patterns.iter().map(Pattern::home_bits).enumerate() {
            let image =
                images.map(|images| super::pattern::cells_of(homes).fold(0, |bits, cell| bits | 1 << images[cell]));
            for (mirrored, homes) in [(false, Some(homes)), (true, image)] {
                // A pattern that is its own image, or that of another, counts the same in both views.
                if let Some(homes) = homes.filter(|&homes| slots.iter().all(|slot| slot.homes != homes)) {
                    slots.push(Slot { pattern, mirrored, homes });
                }
            }
        }
        let all = ((1u32 << shape.cells()) - 1) & !(1 << blank.index());
        let mut subsets = Vec::new();
        find_covers(&slots, all, &mut Vec::new(), &mut subsets, &mut 0);
        subsets.sort_by_cached_key(|subset| (spread(shape, &slots, subset), subset.clone()));
        subsets.truncate(Self::MAX_SUBSETS);
        if subsets.is_empty() {
            return Err(CollectionError::NoCover);
        }
        Ok(PdbCollection { patterns, slots, subsets, images })
    }

    /// Reads the name of a set that is known, `18x6` for eighteen patterns of six tiles, or the home cells of each
    /// pattern in the canonical frame, `0,1,2;2,3,4`.
    ///
    /// # Errors
    /// When the text is neither, or the patterns are no set.
    pub fn parse(text: &str, shape: Shape, goal_blank: Cell) -> Result<PdbCollection, CollectionError> {
        let known = PdbCollection::defaults(shape, goal_blank);
        let names: String = known.iter().map(|set| format!("{}, ", set.name())).collect();
        let wrong = || CollectionError::Text { text: text.to_string(), shape, known: names.clone() };
        if let Some(set) = known.iter().find(|set| set.name() == text) {
            return Ok(set.clone());
        }
        if !PdbCollection::is_list(text) {
            return Err(wrong());
        }
        let homes = |pattern: &str| -> Result<Pattern, CollectionError> {
            let homes = pattern.split(',').map(|home| home.trim().parse()).collect::<Result<Vec<usize>, _>>();
            Ok(Pattern::new(shape, goal_blank, &homes.map_err(|_| wrong())?)?)
        };
        PdbCollection::new(text.split(';').map(homes).collect::<Result<_, _>>()?)
    }

    /// Whether a text names a set and not a partition: `18x6`, `0,1,2;2,3,4`.
    pub fn is_named_by(text: &str) -> bool {
        text.contains('x') || PdbCollection::is_list(text)
    }

    fn is_list(text: &str) -> bool {
        text.contains(';')
    }

    /// The sets worth building for a goal beyond the partitions, the cheapest first.
    pub fn defaults(shape: Shape, goal_blank: Cell) -> Vec<PdbCollection> {
        let set = |patterns: &[&[usize]]| {
            let patterns = patterns.iter().map(|homes| Pattern::new(shape, goal_blank, homes));
            PdbCollection::new(patterns.collect::<Result<_, _>>()?)
        };
        set_presets::of(shape, goal_blank).filter_map(|patterns| set(patterns).ok()).collect()
    }

    /// The patterns.
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// The patterns as seen in each view, without those that count what another counts.
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// The slots of each sum.
    pub fn subsets(&self) -> &[Vec<usize>] {
        &self.subsets
    }

    /// Cell → its mirror image, where one is used.
    pub(crate) fn images(&self) -> Option<&Images> {
        self.images.as_ref()
    }

    /// What the tables of its patterns but these cost to build, in placements of tiles: the time is proportional to it.
    pub fn placements_without(&self, standing: &[Pattern]) -> u64 {
        self.patterns.iter().filter(|pattern| !standing.contains(pattern)).map(Pattern::placements).sum()
    }

    /// Its name: how many patterns of how many tiles.
    pub fn name(&self) -> String {
        let mut sizes: Vec<usize> = self.patterns.iter().map(Pattern::tiles).collect();
        sizes.sort_unstable_by_key(|&size| std::cmp::Reverse(size));
        let runs = sizes.chunk_by(|a, b| a == b).map(|run| format!("{}x{}", run.len(), run[0]));
        runs.collect::<Vec<_>>().join("-")
    }
}

impl From<&Partition> for PdbCollection {
    /// The set of a partition's patterns. A partition that does not hold every tile is none.
    fn from(partition: &Partition) -> PdbCollection {
        PdbCollection::new(partition.patterns().to_vec()).unwrap_or_else(|wrong| unreachable!("{partition}: {wrong}"))
    }
}

/// Adds every choice of slots that holds each of the tiles left once.
fn find_covers(slots: &[Slot], left: u32, chosen: &mut Vec<usize>, subsets: &mut Vec<Vec<usize>>, steps: &mut usize) {
    /// Sets that are of use take some hundred steps; text may ask for one that would take years.
    const MOST_STEPS: usize = 1 << 18;
    if left == 0 {
        subsets.push(chosen.clone());
        return;
    }
    let first = left & left.wrapping_neg();
    for (number, slot) in slots.iter().enumerate() {
        if slot.homes & first != 0 && slot.homes & !left == 0 && *steps < MOST_STEPS {
            *steps += 1;
            chosen.push(number);
            find_covers(slots, left & !slot.homes, chosen, subsets, steps);
            chosen.pop();
        }
    }
}

/// The distances between all pairs of tiles that are in the same pattern: compact patterns see more conflicts.
fn spread(shape: Shape, slots: &[Slot], subset: &[usize]) -> usize {
    let homes = |slot: usize| super::pattern::cells_of(slots[slot].homes);
    let pairs = subset.iter().flat_map(|&slot| homes(slot).flat_map(move |a| homes(slot).map(move |b| (a, b))));
    pairs.map(|(a, b)| shape.distance(Cell::new(a), Cell::new(b))).sum()
}

/// The home cells: `0,1,2;2,3,4`, which [`PdbCollection::parse`] reads.
impl fmt::Display for PdbCollection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, pattern) in self.patterns.iter().enumerate() {
            write!(f, "{}{pattern}", if i > 0 { ";" } else { "" })?;
        }
        Ok(())
    }
}
