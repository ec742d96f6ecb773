//! A PDB collection: patterns, each with its mirror image, and the sums that they form.
//!
//! Patterns that together contain every tile exactly once are an *additive subset*: their values
//! may be added. A partition is one such subset. If patterns overlap, a collection has many subsets
//! that share tables. On 5×5 eighteen patterns of six tiles form 26 sums with 414 MB of tables; 26
//! separate partitions would take 2.3 GB. The largest sum is the lower bound. On hard 24-puzzles, a
//! search with it needs an eighth of the nodes that a search with one partition needs.
//!
//! A *slot* is a lookup of a pattern for the board itself or for its mirror image. The tiles of a
//! slot are always identified by their homes on the board itself, so a subset may mix slots of both
//! kinds.

use super::pattern::{Images, cells_of, mirror};
use super::{Pattern, PatternError, presets};
use crate::board::{Cell, Shape};
use crate::system::sort_few;

/// Patterns of one shape and goal, and the additive subsets that they form.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PdbCollection {
    patterns: Vec<Pattern>,
    slots: Vec<Slot>,
    subsets: Vec<Vec<usize>>,
    images: Option<Images>,
}

/// A lookup of a pattern, for the board or its mirror image.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Slot {
    /// The index of the pattern.
    pub pattern: usize,
    /// True if the mirrored board is looked up.
    pub mirrored: bool,
    /// The homes of the slot's tiles on the board itself, as bits.
    pub homes: u32,
}

impl PdbCollection {
    /// Maximum number of patterns of a collection.
    pub const MAX_PATTERNS: usize = 32;

    /// Maximum number of subsets. If there are more, the most compact ones are used.
    pub const MAX_SUBSETS: usize = 32;

    /// Creates the collection of these patterns.
    ///
    /// # Errors
    /// If the patterns contain no additive subset, or if there are no patterns or too many.
    ///
    /// # Panics
    /// If the patterns belong to different shapes or goals.
    pub fn new(patterns: Vec<Pattern>) -> Result<PdbCollection, PatternError> {
        let (found, max) = (patterns.len(), Self::MAX_PATTERNS);
        if found == 0 || found > max {
            return Err(PatternError(format!("{found} patterns cannot form a collection: expected 1 to {max}")));
        }
        let (shape, blank) = (patterns[0].shape(), patterns[0].goal_blank());
        assert!(patterns.iter().all(|other| (other.shape(), other.goal_blank()) == (shape, blank)), "mixed goals");
        let images = mirror(shape, blank);
        let mut slots: Vec<Slot> = Vec::new();
        for (pattern, homes) in patterns.iter().map(Pattern::home_bits).enumerate() {
            let image = images.map(|images| cells_of(homes).fold(0, |bits, cell| bits | 1 << images[cell]));
            for (mirrored, homes) in [(false, Some(homes)), (true, image)] {
                // A lookup with the same tiles as an earlier one would return the same value.
                if let Some(homes) = homes.filter(|&homes| slots.iter().all(|slot| slot.homes != homes)) {
                    slots.push(Slot { pattern, mirrored, homes });
                }
            }
        }
        let all_tiles = ((1u32 << shape.cells()) - 1) & !(1 << blank.index());
        let mut subsets = Vec::new();
        find_subsets(&slots, all_tiles, &mut Vec::new(), &mut subsets, &mut 0);
        subsets.sort_by_cached_key(|subset| (spread(shape, &slots, subset), subset.clone()));
        subsets.truncate(Self::MAX_SUBSETS);
        if subsets.is_empty() {
            return Err(PatternError(
                "no combination of the patterns was found that contains every tile exactly once".into(),
            ));
        }
        Ok(PdbCollection { patterns, slots, subsets, images })
    }

    /// Reads the name of a known collection, such as `18x6` for eighteen patterns of six tiles, or
    /// the home cells of each pattern in the canonical frame, `0,1,2;2,3,4`.
    ///
    /// # Errors
    /// If the text is neither, or if the patterns are not a valid collection.
    pub fn parse(text: &str, shape: Shape, goal_blank: Cell) -> Result<PdbCollection, PatternError> {
        let presets = PdbCollection::defaults(shape, goal_blank);
        let mut names: String = presets.iter().map(|set| format!("{}, ", set.name())).collect();
        if !names.is_empty() {
            names += "or ";
        }
        let wrong = || {
            let expected = format!("{names}home cells such as 0,1,2;2,3,4");
            PatternError(format!("'{text}' is not a collection of patterns of {shape}: expected {expected}"))
        };
        if let Some(set) = presets.iter().find(|set| set.name() == text) {
            return Ok(set.clone());
        }
        if !PdbCollection::is_list(text) {
            return Err(wrong());
        }
        let parse_pattern = |homes: &str| -> Result<Pattern, PatternError> {
            let homes = homes.split(',').map(|home| home.trim().parse()).collect::<Result<Vec<usize>, _>>();
            Pattern::new(shape, goal_blank, &homes.map_err(|_| wrong())?)
        };
        PdbCollection::new(text.split(';').map(parse_pattern).collect::<Result<_, _>>()?)
    }

    /// Returns true if the string names a collection, such as `18x6` or `0,1,2;2,3,4`, and not a
    /// partition.
    pub fn is_named_by(text: &str) -> bool {
        text.contains('x') || PdbCollection::is_list(text)
    }

    fn is_list(text: &str) -> bool {
        text.contains(';')
    }

    /// Returns the collections worth building for a goal after the partitions, the cheapest first.
    pub fn defaults(shape: Shape, goal_blank: Cell) -> Vec<PdbCollection> {
        let set = |patterns: Vec<Vec<usize>>| {
            let patterns = patterns.iter().map(|homes| Pattern::new(shape, goal_blank, homes));
            PdbCollection::new(patterns.collect::<Result<_, _>>()?)
        };
        presets::collections(shape, goal_blank).filter_map(|patterns| set(patterns).ok()).collect()
    }

    /// Returns the patterns.
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// Returns the lookups of all patterns, without duplicates.
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// Returns the slots of each subset.
    pub fn subsets(&self) -> &[Vec<usize>] {
        &self.subsets
    }

    /// Returns the map from cells to their mirror images, if the board has a mirror.
    pub(crate) fn images(&self) -> Option<&Images> {
        self.images.as_ref()
    }

    /// Returns the number of entries that are generated to build all tables except those of the
    /// patterns in `built`. The build time is proportional to it.
    pub fn entries_to_generate(&self, built: &[Pattern]) -> u64 {
        self.patterns.iter().filter(|pattern| !built.contains(pattern)).map(Pattern::entries_generated).sum()
    }

    /// Returns the name, which states the number of patterns of each size: `13x6-6x5`.
    pub fn name(&self) -> String {
        let mut sizes: Vec<usize> = self.patterns.iter().map(Pattern::tiles).collect();
        sort_few(&mut sizes, |&size| std::cmp::Reverse(size));
        let runs = sizes.chunk_by(|a, b| a == b).map(|run| format!("{}x{}", run.len(), run[0]));
        runs.collect::<Vec<_>>().join("-")
    }
}

/// Adds to `subsets` every set that consists of the slots in `chosen` and of further slots that
/// contain each of the `remaining` tiles exactly once, until `MAX_STEPS` steps have been made.
fn find_subsets(
    slots: &[Slot],
    remaining: u32,
    chosen: &mut Vec<usize>,
    subsets: &mut Vec<Vec<usize>>,
    steps: &mut usize,
) {
    /// Maximum number of steps. Useful collections take a few hundred, but a user's text could
    /// describe one that takes years.
    const MAX_STEPS: usize = 1 << 18;
    if remaining == 0 {
        subsets.push(chosen.clone());
        return;
    }
    let first = remaining & remaining.wrapping_neg();
    for (number, slot) in slots.iter().enumerate() {
        if slot.homes & first != 0 && slot.homes & !remaining == 0 && *steps < MAX_STEPS {
            *steps += 1;
            chosen.push(number);
            find_subsets(slots, remaining & !slot.homes, chosen, subsets, steps);
            chosen.pop();
        }
    }
}

/// Returns the sum of the distances between all pairs of tiles in the same pattern. The smaller the
/// sum, the more compact the patterns. Compact patterns count more conflicts between their tiles.
fn spread(shape: Shape, slots: &[Slot], subset: &[usize]) -> usize {
    let homes = |slot: usize| cells_of(slots[slot].homes);
    let pairs = subset.iter().flat_map(|&slot| homes(slot).flat_map(move |a| homes(slot).map(move |b| (a, b))));
    pairs.map(|(a, b)| shape.distance(Cell::new(a), Cell::new(b))).sum()
}
