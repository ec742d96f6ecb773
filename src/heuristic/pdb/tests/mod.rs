//! Tests that compare tables and their sums with a plain search, which uses no regions, rows or
//! bits, and that prove tables correct (`proof.rs`).

mod proof;

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rustc_hash::FxHashMap;

use super::*;
use crate::board::{Cell, MAX_SEARCH_CELLS, Move, Ranking, Shape, State};
use crate::system::Random;
use proof::{Flaw, Proved, prove};

pub(super) static NOT_STOPPED: AtomicBool = AtomicBool::new(false);

/// Returns the tables of a partition, each once.
pub(super) fn distinct_tables(sum: &PdbSum) -> Vec<&Arc<Table>> {
    let is_separate = |table: &&Arc<Table>| !sum.tables().iter().any(|direct| Arc::ptr_eq(direct, table));
    sum.tables().iter().chain(sum.mirrored_tables().iter().filter(is_separate)).collect()
}

/// Returns the number of entries of a table, without the unused bits at the end of each block.
fn entries_of(table: &Table) -> u64 {
    table.layout().placements().rows() as u64 * table.layout().orders().count() as u64
}

fn pattern(rows: usize, cols: usize, blank: usize, homes: &[usize]) -> Pattern {
    Pattern::new(Shape::new(rows, cols).unwrap(), Cell::new(blank), homes).unwrap()
}

fn build(pattern: &Pattern, threads: usize) -> Table {
    Builder::new(pattern.shape(), pattern.tiles()).build(pattern, threads, &NOT_STOPPED).unwrap()
}

/// The cells of the pattern's tiles by code, then the blank's cell.
type Places = Vec<usize>;

/// Returns the minimum number of moves of the pattern's tiles for every placement of them and every
/// cell of the blank. Moves of other tiles cost nothing (0-1 breadth-first search).
fn oracle(pattern: &Pattern) -> FxHashMap<Places, u16> {
    let shape = pattern.shape();
    let mut start: Places = pattern.homes().collect();
    start.push(pattern.goal_blank().index());
    let mut values = FxHashMap::from_iter([(start.clone(), 0)]);
    let mut queue = VecDeque::from([(start, 0)]);
    while let Some((places, value)) = queue.pop_front() {
        if values[&places] < value {
            continue;
        }
        let blank = places[places.len() - 1];
        for to in Move::ALL.iter().filter_map(|&step| shape.neighbour(Cell::new(blank), step)) {
            let mut next = places.clone();
            let moved = next[..pattern.tiles()].iter().position(|&cell| cell == to.index());
            if let Some(code) = moved {
                next[code] = blank;
            }
            next[pattern.tiles()] = to.index();
            let cost = value + u16::from(moved.is_some());
            if values.get(&next).is_none_or(|&earlier| cost < earlier) {
                values.insert(next.clone(), cost);
                if moved.is_some() { queue.push_back((next, cost)) } else { queue.push_front((next, cost)) }
            }
        }
    }
    values
}

/// Returns the spot of a placement, and the code of the tile in every cell.
fn spot_of(table: &Table, places: &[usize]) -> (Spot, [u8; MAX_SEARCH_CELLS]) {
    let mut codes = [Pattern::OUTSIDE; MAX_SEARCH_CELLS];
    for (code, &cell) in places[..places.len() - 1].iter().enumerate() {
        codes[cell] = code as u8;
    }
    let order: Vec<u8> = codes.iter().copied().filter(|&code| code != Pattern::OUTSIDE).collect();
    let occupied = places[..places.len() - 1].iter().fold(0, |bits, cell| bits | 1 << cell);
    (Spot { occupied, order: table.layout().orders().rank(&order) as u32 }, codes)
}

/// Compares the bit of every entry, and the value found by walking down from the entry, with the
/// oracle.
fn check_against_oracle(pattern: &Pattern) {
    let table = build(pattern, 1);
    let expected = oracle(pattern);
    let mut found = vec![false; table.words().len() * 64];
    for (places, &value) in &expected {
        let (spot, codes) = spot_of(&table, places);
        let blank = places[places.len() - 1];
        let index = table.layout().index(spot, blank);
        found[index] = true;
        assert_eq!(table.bit(index), value & 2 != 0, "{pattern:?} {places:?}");
        assert_eq!(table.walk_down(spot, codes, blank), value, "{pattern:?} {places:?}");
    }
    let entries = found.iter().filter(|&&found| found).count() as u64;
    assert_eq!(entries, entries_of(&table), "{pattern:?}");
    assert_eq!(Some(u16::from(proved(&table).depth)), expected.values().copied().max(), "{pattern:?}");
}

#[test]
fn small_tables_agree_with_the_oracle() {
    for blank in 0..6 {
        for homes in [&[0, 1, 2, 3, 4, 5][..], &[5, 4, 3, 2, 1, 0]] {
            let homes: Vec<usize> = homes.iter().copied().filter(|&home| home != blank).collect();
            for tiles in 1..=3 {
                check_against_oracle(&pattern(2, 3, blank, &homes[..tiles]));
            }
        }
    }
    for (blank, homes) in [(7, [0, 1, 2, 4, 5]), (6, [7, 3, 2, 1, 5]), (5, [0, 3, 4, 7, 2])] {
        for tiles in 2..=5 {
            check_against_oracle(&pattern(2, 4, blank, &homes[..tiles]));
        }
    }
    // The blank's goal in a corner, at an edge and in the centre; adjacent and scattered tiles.
    for (blank, homes) in [(8, [0, 1, 2, 3, 4]), (7, [8, 0, 5, 3, 2]), (4, [1, 3, 5, 7, 0]), (8, [7, 5, 0, 4, 2])] {
        for tiles in 2..=5 {
            check_against_oracle(&pattern(3, 3, blank, &homes[..tiles]));
        }
    }
    check_against_oracle(&pattern(2, 2, 3, &[1]));
    check_against_oracle(&pattern(2, 2, 0, &[3]));
}

#[test]
fn tables_of_4x4_agree_with_the_oracle() {
    for (blank, homes) in [(15, &[0, 1, 4][..]), (14, &[15, 3, 9]), (10, &[11, 6, 9, 14])] {
        check_against_oracle(&pattern(4, 4, blank, homes));
    }
}

/// Tables for which the plain search would take too long are proved correct instead.
#[test]
fn larger_tables_are_proved() {
    for pattern in [
        pattern(3, 3, 8, &[0, 1, 2, 3, 4, 5]),
        pattern(2, 5, 9, &[0, 1, 2, 5, 6, 7]),
        pattern(3, 4, 10, &[0, 1, 4, 5, 11]),
        pattern(5, 5, 24, &[0, 6, 12, 18]),
        pattern(2, 12, 23, &[0, 5, 11, 20]),
    ] {
        proved(&build(&pattern, 2));
    }
}

/// The proof detects a single wrong bit, wherever it is.
#[test]
fn a_wrong_bit_is_found() {
    let pattern = pattern(3, 3, 8, &[0, 4, 5]);
    let right = build(&pattern, 1);
    let layout = right.layout().clone();
    for order in 0..layout.orders().count() as u32 {
        for row in (0..layout.placements().rows()).step_by(7) {
            let index = layout.join(order, row);
            let mut bits = crate::system::Zeroed::new(right.words().len());
            bits.copy_from_slice(right.words());
            bits[index / 64] ^= 1 << (index % 64);
            let wrong = Table::new(pattern.clone(), Arc::new(layout.clone()), bits);
            assert!(matches!(prove(&wrong), Err(Flaw::NoWayDown { .. } | Flaw::Value { .. })), "{order} {row}");
        }
    }
}

#[test]
fn threads_do_not_change_a_table() {
    for pattern in [
        pattern(3, 3, 8, &[0, 1, 2, 3, 4]),
        pattern(4, 4, 15, &[0, 1, 2, 4, 5]),
        pattern(3, 4, 11, &[0, 1, 2, 4, 5, 6]),
    ] {
        let builder = Builder::new(pattern.shape(), pattern.tiles());
        let one = builder.build(&pattern, 1, &NOT_STOPPED).unwrap();
        for threads in 2..=3 {
            let more = builder.build(&pattern, threads, &NOT_STOPPED).unwrap();
            assert!(one.words() == more.words(), "{pattern:?} {threads}");
        }
    }
}

#[test]
fn a_build_can_be_stopped() {
    let pattern = pattern(3, 3, 8, &[0, 1, 2, 3]);
    let builder = Builder::new(pattern.shape(), 4);
    // The build is stopped before its sixth level.
    let levels = std::cell::Cell::new(0);
    let is_stopped = || levels.replace(levels.get() + 1) == 5;
    assert!(builder.build_until(&pattern, 2, &is_stopped).is_none());
    assert_eq!(levels.get(), 6);
    assert!(builder.peak_bytes() > builder.table_bytes());
}

/// Returns the distances of all states to the goal, by rank.
pub(super) fn distances(ranking: &Ranking, goal: State) -> Vec<u8> {
    let mut distances = vec![u8::MAX; ranking.states()];
    distances[ranking.rank(&goal)] = 0;
    let mut queue = VecDeque::from([goal]);
    while let Some(state) = queue.pop_front() {
        let distance = distances[ranking.rank(&state)];
        for next in Move::ALL.iter().filter_map(|&step| state.after(ranking.shape(), step)) {
            let slot = &mut distances[ranking.rank(&next)];
            if *slot == u8::MAX {
                *slot = distance + 1;
                queue.push_back(next);
            }
        }
    }
    distances
}

/// The sum never exceeds the distance, a move changes it by at most one, and (on every eighth of
/// the checked ranks) the updated sum equals the sum from scratch. One goal with one partition is
/// checked on all states, the others on every ninth state.
#[test]
fn sums_are_admissible_and_consistent() {
    let shape = Shape::new(3, 3).unwrap();
    // `mirror` returns `None` for cell 2, so the mirrored board has separate tables.
    for blank in [8, 7, 4, 2].map(Cell::new) {
        let ranking = Ranking::new(shape, blank).unwrap();
        let distances = distances(&ranking, State::goal(shape, blank));
        for text in ["4-4", "3-3-2"] {
            let sum = PdbSum::build(&Partition::parse(text, shape, blank).unwrap(), 1, &NOT_STOPPED).unwrap();
            let stride = if (blank.index(), text) == (8, "4-4") { 1 } else { 9 };
            for (rank, &distance) in distances.iter().enumerate().step_by(stride) {
                let state = ranking.unrank(rank);
                let here = sum.start(&state);
                assert!(here.value() <= u16::from(distance), "{blank:?} {text} {state:?}");
                for to in Move::ALL.iter().filter_map(|&step| shape.neighbour(state.blank(), step)) {
                    let there = sum.after(&here, &state, to);
                    assert!(there.value().abs_diff(here.value()) <= 1);
                    if rank % 8 == 0 {
                        let mut next = state;
                        next.slide(to);
                        assert_eq!(there, sum.start(&next), "{blank:?} {text} {state:?}");
                    }
                }
            }
        }
    }
}

/// During long walks on larger boards, the updated values agree with the values found by walking
/// down each table.
#[test]
fn sums_follow_a_walk() {
    let mut random = Random::new(1);
    for (rows, cols, blank, text) in [
        (4, 4, 15, "5-5-5"),
        (4, 4, 14, "4-4-4-3"),
        (4, 4, 10, "5-5-5"),
        (3, 5, 12, "5-5-4"),
        (5, 5, 12, "4-4-4-3-3-3-3"),
    ] {
        let (shape, blank) = (Shape::new(rows, cols).unwrap(), Cell::new(blank));
        let sum = PdbSum::build(&Partition::parse(text, shape, blank).unwrap(), 2, &NOT_STOPPED).unwrap();
        let mut state = State::goal(shape, blank);
        let mut here = sum.start(&state);
        assert_eq!(here.value(), 0);
        for step in 0..5_000 {
            let Some(to) = shape.neighbour(state.blank(), Move::from_index(random.bits() as u8)) else { continue };
            here = sum.after(&here, &state, to);
            state.slide(to);
            if step % 10 == 0 {
                assert_eq!(here, sum.start(&state), "{shape} {text}");
            }
        }
    }
}

/// Proves a table, and checks that every entry has a value.
fn proved(table: &Table) -> Proved {
    let proved = prove(table).unwrap_or_else(|flaw| panic!("{}: {flaw}", table.pattern()));
    assert_eq!(proved.states, entries_of(table), "{}", table.pattern());
    proved
}

/// Proves all tables of some partitions, with and without separate tables for the mirrored board,
/// and of a collection.
#[test]
fn every_table_of_a_partition_or_a_collection_is_proved() {
    for ((rows, cols), blank, name, tables) in
        [((2, 6), 11, "6-5", 2), ((3, 3), 7, "4-4", 2), ((3, 4), 11, "4-4-3", 3), ((4, 4), 14, "4-4-4-3", 8)]
    {
        let partition = Partition::parse(name, Shape::new(rows, cols).unwrap(), Cell::new(blank)).unwrap();
        let sum = PdbSum::build(&partition, 2, &NOT_STOPPED).unwrap();
        let distinct = distinct_tables(&sum);
        assert_eq!(distinct.len(), tables, "{rows}x{cols} {name}");
        distinct.into_iter().for_each(|table| _ = proved(table));
    }
    let (shape, blank) = (Shape::new(3, 3).unwrap(), Cell::new(8));
    let collection = PdbCollection::parse("0,1,2,4;3,5,6,7;0,1,4,5;2,3,6,7", shape, blank).unwrap();
    let built = CollectionTables::build(&collection, &[], 2, &NOT_STOPPED).unwrap();
    assert_eq!(built.tables().len(), 4);
    built.tables().iter().for_each(|table| _ = proved(table));
}

/// Proves the tables of `7-8` and checks the published numbers of entries and largest values.
#[test]
#[ignore = "builds and proves 1.6 billion entries: minutes and 2 GB; run by scripts/tables"]
fn seven_and_eight_tiles_of_4x4_are_proved() {
    for (homes, states, depth) in
        [(&[8, 9, 10, 11, 12, 13, 14][..], 139_849_920, 34), (&[0, 1, 2, 3, 4, 5, 6, 7], 1_425_191_040, 38)]
    {
        let table = build(&pattern(4, 4, 15, homes), 2);
        let proved = proved(&table);
        assert_eq!((proved.states, proved.depth), (states, depth));
        println!("{}: {proved:?}", table.pattern());
    }
}

/// Proves, one by one, the tables of the collections that serve as tiers for goals with the blank
/// in the last cell.
#[test]
#[ignore = "builds and proves some 7 billion entries: minutes and 1 GB; run by scripts/tables"]
fn tables_of_the_default_collections_are_proved() {
    for (rows, cols) in [(3, 6), (4, 5), (5, 5)] {
        let (shape, blank) = (Shape::new(rows, cols).unwrap(), Cell::new(rows * cols - 1));
        let mut patterns: Vec<Pattern> = Vec::new();
        for collection in PdbCollection::defaults(shape, blank) {
            patterns.extend(
                collection.patterns().iter().filter(|pattern| !patterns.contains(pattern)).cloned().collect::<Vec<_>>(),
            );
        }
        assert!(patterns.len() >= 12, "{shape}: {}", patterns.len());
        for pattern in &patterns {
            println!("{shape} {pattern}: {:?}", proved(&build(pattern, 2)));
        }
    }
}
