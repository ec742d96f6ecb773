//! Tests of PDB collections: the parser, the subsets, and the sums, which are compared with true
//! distances.

use std::fmt;
use std::sync::Arc;

use super::tests::{NOT_STOPPED, distances, distinct_tables};
use super::*;
use crate::board::{Cell, Move, Ranking, Shape, State};
use crate::system::Random;

/// Writes the home cells, `0,1,2;2,3,4`, as [`PdbCollection::parse`] reads them.
impl fmt::Display for PdbCollection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, pattern) in self.patterns().iter().enumerate() {
            write!(f, "{}{pattern}", if i > 0 { ";" } else { "" })?;
        }
        Ok(())
    }
}

fn parse(text: &str, rows: usize, cols: usize, blank: usize) -> Result<PdbCollection, PatternError> {
    PdbCollection::parse(text, Shape::new(rows, cols).unwrap(), Cell::new(blank))
}

#[test]
fn the_collection_of_5x5_contains_the_partition() {
    let (shape, blank) = (Shape::new(5, 5).unwrap(), Cell::new(24));
    let [collection] = &PdbCollection::defaults(shape, blank)[..] else { panic!("one collection is known") };
    assert_eq!((collection.name().as_str(), collection.subsets().len()), ("18x6", 26));
    let partition = Partition::parse("6-6-6-6", shape, blank).unwrap();
    let homes: Vec<u32> = collection.slots().iter().map(|slot| slot.homes).collect();
    assert!(partition.patterns().iter().all(|pattern| homes.contains(&pattern.home_bits())));
}

/// Tables that are already built are not counted.
#[test]
fn a_collection_reuses_tables_of_another() {
    let (shape, blank) = (Shape::new(4, 5).unwrap(), Cell::new(19));
    let [small, large] = &PdbCollection::defaults(shape, blank)[..] else { panic!("two collections are known") };
    let is_shared = |pattern: &&Pattern| small.patterns().contains(pattern);
    let shared: Vec<Pattern> = large.patterns().iter().filter(is_shared).cloned().collect();
    let kept = |built| CollectionTables::footprint(large, built).kept;
    let entries = |built| large.entries_to_generate(built);
    assert!(!shared.is_empty() && kept(&shared) < kept(&[]) && entries(&shared) < entries(&[]));
    assert_eq!(kept(small.patterns()), kept(&shared));
    assert_eq!(entries(small.patterns()), entries(&shared));
}

/// Without this test, an invalid preset would silently be left out of the tiers.
#[test]
fn every_preset_is_valid() {
    let presets = [
        ((3, 6), 17, &["8x6-4x5"][..]),
        ((4, 5), 19, &["13x6-6x5-6x2-1x1", "4x7-7x6"]),
        ((5, 5), 12, &["18x6"]),
        ((5, 5), 17, &["18x6"]),
        ((5, 5), 18, &["18x6"]),
        ((5, 5), 22, &["18x6"]),
        ((5, 5), 23, &["32x6"]),
        ((5, 5), 24, &["18x6"]),
    ];
    let mut found = 0;
    for (rows, cols) in
        (2..=5).flat_map(|rows| (rows..=12).map(move |cols| (rows, cols))).filter(|(rows, cols)| rows * cols <= 25)
    {
        let shape = Shape::new(rows, cols).unwrap();
        for blank in (0..shape.cells()).map(Cell::new) {
            let names: Vec<String> = PdbCollection::defaults(shape, blank).iter().map(PdbCollection::name).collect();
            let expected = presets.iter().find(|(sides, home, _)| (*sides, *home) == ((rows, cols), blank.index()));
            assert_eq!(names, expected.map_or(&[][..], |(_, _, names)| names), "{shape} {blank:?}");
            found += usize::from(!names.is_empty());
        }
    }
    assert_eq!(found, presets.len());
}

/// Every subset contains every tile once, and there are no other subsets.
#[test]
fn subsets_are_additive_and_complete() {
    let set = parse("0,1,3;2,5;4,6,7;0,1,2;3,4;5,6,7;6,7;4", 3, 3, 8).unwrap();
    let all_tiles = 0xff;
    for subset in set.subsets() {
        let (mut covered, mut tiles) = (0, 0);
        for &slot in subset {
            covered |= set.slots()[slot].homes;
            tiles += set.slots()[slot].homes.count_ones();
        }
        assert_eq!((covered, tiles), (all_tiles, 8));
    }
    let slots = set.slots().len();
    let is_additive = |chosen: u32| {
        let homes = (0..slots).filter(|slot| chosen >> slot & 1 == 1).map(|slot| set.slots()[slot].homes);
        homes.clone().fold(0, |bits, homes| bits | homes) == all_tiles && homes.map(u32::count_ones).sum::<u32>() == 8
    };
    assert_eq!((0..1u32 << slots).filter(|&chosen| is_additive(chosen)).count(), set.subsets().len());
}

#[test]
fn reads_names_and_cells() {
    let set = parse("18x6", 5, 5, 24).unwrap();
    assert_eq!(parse(&set.to_string(), 5, 5, 24).unwrap(), set);
    assert_eq!(parse("0,1,2,3;4,5,6,7;0,1,4,5;2,3,6,7", 3, 3, 8).unwrap().name(), "4x4");
    let message = |text: &str| parse(text, 3, 3, 8).unwrap_err().to_string();
    assert_eq!(
        message("18x6"),
        "'18x6' is not a collection of patterns of 3x3: expected home cells such as 0,1,2;2,3,4"
    );
    assert!(message("0,1;1,").starts_with("'0,1;1,' is not a collection"));
    assert_eq!(
        message("0,1,2;2,3,4"),
        "no combination of the patterns was found that contains every tile exactly once"
    );
    assert_eq!(message("0,0;1"), "the tile of cell 0 appears twice");
    assert_eq!(
        message("0;".repeat(40).trim_end_matches(';')),
        "40 patterns cannot form a collection: expected 1 to 32"
    );
    assert!(parse("8x7", 5, 5, 24).unwrap_err().to_string().contains("expected 18x6, or home cells"));
}

/// Each sum is admissible, 0 at the goal, and changes by one with a move. This is checked on 3×3
/// for a goal whose mirror is the main diagonal, and for one whose mirror is the middle column.
#[test]
fn sums_of_all_subsets_are_admissible_and_consistent() {
    let shape = Shape::new(3, 3).unwrap();
    for (blank, text) in [(8, "0,1,3,4;2,5,6,7;0,1,2;3,4,5,6,7"), (7, "0,1,3,4;2,5,6,8;0,1,2;3,4,5,6,8")] {
        let ranking = Ranking::new(shape, Cell::new(blank)).unwrap();
        let distances = distances(&ranking, State::goal(shape, Cell::new(blank)));
        let set = CollectionTables::build(&parse(text, 3, 3, blank).unwrap(), &[], 1, &NOT_STOPPED).unwrap();
        assert!(set.collection().subsets().len() > 1);
        let mut sums = Vec::new();
        let subsets = set.collection().subsets().len();
        for (rank, &distance) in distances.iter().enumerate() {
            let state = ranking.unrank(rank);
            let values = set.values(&state);
            sums.extend(set.sums(&values));
            let here = &sums[rank * subsets..];
            assert!(here.iter().all(|&sum| sum <= u16::from(distance) && (sum ^ u16::from(distance)) & 1 == 0));
        }
        // To save time, consistency is checked for only some of the states of the second goal.
        for rank in (0..distances.len()).step_by(if blank == 8 { 1 } else { 11 }) {
            let state = ranking.unrank(rank);
            for next in Move::ALL.iter().filter_map(|&step| state.after(shape, step)) {
                let there = ranking.rank(&next);
                let pairs = sums[rank * subsets..].iter().zip(&sums[there * subsets..]).take(subsets);
                assert!(pairs.into_iter().all(|(here, there)| here.abs_diff(*there) == 1), "{text} {state:?}");
            }
        }
    }
}

/// The collection of a partition has the partition's two sums and no others, because no subset
/// mixes board and mirror image.
#[test]
fn the_collection_of_a_partition_has_its_sums() {
    let (shape, blank) = (Shape::new(4, 4).unwrap(), Cell::new(15));
    let partition = Partition::parse("5-5-5", shape, blank).unwrap();
    let set = PdbCollection::new(partition.patterns().to_vec()).unwrap();
    assert_eq!(set.subsets().len(), 2);
    let (sum, set) = (
        PdbSum::build(&partition, 2, &NOT_STOPPED).unwrap(),
        CollectionTables::build(&set, &[], 2, &NOT_STOPPED).unwrap(),
    );
    let bytes = |tables: &[&Arc<Table>]| tables.iter().map(|table| table.bytes()).sum::<usize>();
    assert_eq!(bytes(&distinct_tables(&sum)), bytes(&set.tables().iter().collect::<Vec<_>>()));
    let (mut random, mut state) = (Random::new(3), State::goal(shape, blank));
    for _ in 0..2_000 {
        if let Some(next) = state.after(shape, Move::from_index(random.bits() as u8)) {
            state = next;
            assert_eq!(set.sums(&set.values(&state)).max(), Some(sum.start(&state).value()));
        }
    }
}
