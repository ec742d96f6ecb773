//! Tests of the guide's parts: the indices of entries against the tables' layouts, the cascade
//! against lookups of all slots, and sums against the true distances of states of 3×3 and 3×4.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};

use super::super::batch::Batched;
use super::super::deepen::{Context, search};
use super::super::expander::DynExpander;
use super::super::list::Lists;
use super::super::tests::{collection_automaton, databases_of};
use super::*;
use crate::board::{Cell, Move, Ranking, Shape};
use crate::engine::full_table::{self, tests::proof};
use crate::engine::test_support::Reference;
use crate::engine::{Outcome, Stats, ThreadShare, TieBreak};
use crate::heuristic::pdb::{Layout, Table};
use crate::system::{Budget, Limits, Random};

static NOT_STOPPED: AtomicBool = AtomicBool::new(false);

fn space(rows: usize, cols: usize, blank: usize) -> Space {
    Space { shape: Shape::new(rows, cols).unwrap(), goal_blank: Cell::new(blank), order: Move::ALL }
}

fn walk(space: &Space, moves: usize, random: &mut Random) -> State {
    let mut state = space.goal();
    for _ in 0..moves {
        if let Some(next) = state.after(space.shape, Move::from_index(random.bits() as u8)) {
            state = next;
        }
    }
    state
}

/// For every move of a node, every method of computing the index of an entry agrees with the
/// table's layout.
#[test]
fn entries_match_the_layout() {
    let mut random = Random::new(4);
    for (space, partitions) in [
        (space(3, 3, 8), "4-4+6-2"),
        (space(4, 4, 15), "1-2-3-4-5+6-5-4"),
        (space(4, 5, 19), "5-5-5-4"),
        (space(5, 5, 24), "5-4-4-4-4-3+4-4-4-4-4-4"),
        (space(5, 5, 12), "4-4-4-4-4-4"),
    ] {
        let databases = databases_of(&space, partitions);
        let guide = Collection::<PortableLookup>::new(&space, &databases, &collection_automaton(2)).unwrap();
        let tables = &guide.tables;
        for _ in 0..100 {
            let node = guide.root(&walk(&space, 300, &mut random));
            for letter in 0..4 {
                let to = tables.arrivals[usize::from(node.blank(tables.blank_home))][letter];
                if to == GuideTables::NOWHERE {
                    continue;
                }
                let tile = node.homes[usize::from(to)];
                let mut after = node.homes;
                after.swap(usize::from(node.blank(tables.blank_home)), usize::from(to));
                for slot in &tables.slots {
                    let images = tables.images[slot.view];
                    let mut homes_in_view = [0; crate::board::MAX_SEARCH_CELLS];
                    for cell in 0..space.shape.cells() {
                        homes_in_view[usize::from(images[cell])] = images[usize::from(after[cell])];
                    }
                    let blank = images[usize::from(to)];
                    let state = State::from_homes(homes_in_view, Cell::new(usize::from(blank)));
                    let layout = slot.table.layout();
                    let expected = layout.index(layout.spot(slot.table.pattern(), &state), usize::from(blank));
                    let board = PortableLookup::after(tables, &node, letter, to, tile);
                    let found = PortableLookup::entry_index(tables, &board, slot, to) as usize;
                    assert_eq!(found, expected, "{partitions}");
                    #[cfg(target_arch = "x86_64")]
                    {
                        let vector = super::vector::entry_index_after(tables, &node, letter, to, tile, slot);
                        assert_eq!(vector.map_or(expected, |entry| entry as usize), expected);
                    }
                }
            }
        }
    }
}

#[test]
fn portable_sums_match_scalar_sums() {
    let mut random = Random::new(9);
    for _ in 0..1000 {
        let sums: [u8; 32] = std::array::from_fn(|_| 100 + random.index(6) as u8 * 30);
        let (rising, h) = (random.bits() as u32, sums[random.index(32)]);
        let after = PortableLookup::sums_after(&sums, rising);
        let equal = PortableLookup::equal(&sums, h);
        for subset in 0..32 {
            let step = if rising >> subset & 1 == 1 { 1 } else { -1 };
            assert_eq!(after[subset], sums[subset].wrapping_add_signed(step));
            assert_eq!(equal >> subset & 1 == 1, sums[subset] == h);
        }
    }
}

/// A guide that looks up every slot of every child.
struct WithoutCascade(Collection<PortableLookup>);

impl Guide for WithoutCascade {
    type Node = CollectionNode;
    type Buffers = CollectionBuffers;
    type Bits<'a> = SlotBits<'a>;

    fn bits(&self) -> SlotBits<'_> {
        self.0.bits()
    }

    fn root(&self, state: &State) -> CollectionNode {
        self.0.root(state)
    }

    fn letters(&self, node: &CollectionNode) -> u8 {
        self.0.letters(node)
    }

    fn children(
        &self,
        bits: &SlotBits<'_>,
        parents: &[CollectionNode],
        (bound, _): (u16, Wanted),
        buffers: &mut CollectionBuffers,
        children: &mut Vec<CollectionNode>,
        origins: &mut Vec<u32>,
    ) -> usize {
        self.0.children(bits, parents, (bound, Wanted::All), buffers, children, origins)
    }
}

/// Paths and node counts are the same with the cascade and without it.
#[test]
fn the_cascade_does_not_change_the_search() {
    fn solved(expander: &dyn DynExpander, start: &State, tie_break: TieBreak, bytes: usize) -> (Outcome, Stats) {
        let (budget, alone) = (Budget::start(&Limits::default(), &NOT_STOPPED), ThreadShare::alone());
        let (mut stats, context) = (Stats::default(), Context { tie_break, ..Context::new(&budget, &alone) });
        (search(expander, &*expander.root_node(start), (&context, bytes), &mut Lists::default(), &mut stats), stats)
    }
    let mut random = Random::new(2);
    for (space, partitions, moves) in [
        (space(3, 4, 11), "4-4-3+5-5-1", 400),
        (space(4, 4, 15), "5-5-5+6-6-3", 120),
        (space(4, 4, 10), "4-4-4-3+5-5-5", 90),
    ] {
        let (databases, automaton) = (databases_of(&space, partitions), collection_automaton(8));
        let collection = || Collection::<PortableLookup>::new(&space, &databases, &automaton).unwrap();
        let instruction_set = InstructionSet::best();
        let with = Batched { guide: collection(), instruction_set };
        let without = Batched { guide: WithoutCascade(collection()), instruction_set };
        for number in 0..8 {
            let start = walk(&space, moves, &mut random);
            let (tie_break, bytes) = (TieBreak::OPTIONS[number / 2 % 2], [12 << 20, 120_000][number % 2]);
            let cascade = solved(&with, &start, tie_break, bytes);
            assert!(matches!(cascade.0, Outcome::Solved(_)));
            assert_eq!(cascade, solved(&without, &start, tie_break, bytes), "{partitions}");
        }
    }
}

/// No subset's sum exceeds the distance, and every sum changes by one with every move. On 3×3,
/// every ninth state is checked against its distance. On 3×4, only the changes are checked, along a
/// random walk: sums that are 0 at the goal and change by one with every move cannot exceed the
/// distance. The ignored test below checks all states of 3×4.
#[test]
fn every_subset_is_admissible_and_consistent() {
    let sums =
        |databases: &CollectionTables, state: &State| databases.sums(&databases.values(state)).collect::<Vec<u16>>();
    let check_moves = |space: &Space, databases: &CollectionTables, state: &State, here: &[u16]| {
        for next in Move::ALL.iter().filter_map(|&step| state.after(space.shape, step)) {
            assert!(here.iter().zip(sums(databases, &next)).all(|(&here, there)| here.abs_diff(there) == 1));
        }
    };
    let small = space(3, 3, 8);
    let table = Reference::build(&small).unwrap();
    let databases = databases_of(&small, "4-4+6-2+5-3");
    assert!(databases.collection().subsets().len() >= 3);
    let ranking = Ranking::new(small.shape, small.goal_blank).unwrap();
    for state in (0..ranking.states()).step_by(9).map(|rank| ranking.unrank(rank)) {
        let (here, distance) = (sums(&databases, &state), table.distance(&state));
        assert!(here.iter().all(|&sum| sum <= distance && (distance - sum).is_multiple_of(2)));
        check_moves(&small, &databases, &state, &here);
    }
    let large = space(3, 4, 11);
    let databases = databases_of(&large, "4-4-3+5-5-1+6-3-2");
    assert!(databases.collection().subsets().len() >= 3);
    let mut random = Random::new(6);
    let mut state = large.goal();
    assert!(sums(&databases, &state).iter().all(|&sum| sum == 0));
    for _ in 0..20_000 {
        check_moves(&large, &databases, &state, &sums(&databases, &state));
        state = state.after(large.shape, Move::from_index(random.bits() as u8)).unwrap_or(state);
    }
}

/// The number of states that a thread examines at a time.
const RANGE: usize = 1 << 16;

/// The values of a table by entry. They are computed on first use, because a table holds only one
/// bit of each.
struct TableValues<'a> {
    table: &'a Table,
    values: Vec<AtomicU8>,
}

impl TableValues<'_> {
    const UNKNOWN: u8 = u8::MAX;

    fn of(table: &Table) -> TableValues<'_> {
        let entries = table.layout().words() * Layout::WORD_BITS;
        let values = (0..entries).map(|_| AtomicU8::new(TableValues::UNKNOWN)).collect();
        TableValues { table, values }
    }

    fn get(&self, state: &State) -> u8 {
        let layout = self.table.layout();
        let entry = layout.index(layout.spot(self.table.pattern(), state), state.blank().index());
        let value = self.values[entry].load(Ordering::Relaxed);
        if value != TableValues::UNKNOWN {
            return value;
        }
        let value = u8::try_from(self.table.value(state)).unwrap();
        self.values[entry].store(value, Ordering::Relaxed);
        value
    }
}

/// The databases of a collection and their values, from which the sums of any state are computed.
struct SumCalculator<'a> {
    databases: &'a CollectionTables,
    values: Vec<TableValues<'a>>,
}

impl SumCalculator<'_> {
    /// Computes the sums of all subsets.
    fn compute(&self, state: &State, sums: &mut Vec<u8>) {
        let collection = self.databases.collection();
        let mut by_slot = [0; 64];
        for (value, slot) in by_slot.iter_mut().zip(collection.slots()) {
            *value = self.values[slot.pattern].get(state);
        }
        sums.clear();
        sums.extend(collection.subsets().iter().map(|subset| subset.iter().map(|&slot| by_slot[slot]).sum::<u8>()));
    }
}

/// In each of the 239,500,800 states no sum exceeds the distance, and every sum has the distance's
/// parity and changes by one with every move. (The inverse of a move changes a sum by the same
/// amount, so half of the moves of each state suffice.)
#[test]
#[ignore = "takes 300 MB and a few minutes; run in release by scripts/cross-check"]
fn every_subset_of_3x4_is_admissible_and_consistent_in_every_state() {
    let space = space(3, 4, 11);
    let table = full_table::Table::build(&space, 2, &AtomicBool::new(false)).unwrap();
    let (ranking, lengths) = proof::lengths(&table, 2).unwrap();
    let databases = databases_of(&space, "4-4-3+5-5-1+6-3-2");
    let values = databases.tables().iter().map(|table| TableValues::of(table)).collect();
    let calculator = SumCalculator { databases: &databases, values };
    // The shape is not square and the blank's goal cell is a corner, so no reflection keeps that
    // cell.
    assert!(databases.collection().subsets().len() >= 3 && databases.collection().images().is_none());
    let (next, checked) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        let (mut here, mut there) = (Vec::new(), Vec::new());
        loop {
            let first = next.fetch_add(RANGE, Ordering::Relaxed);
            if first >= lengths.len() {
                return;
            }
            for (rank, &length) in lengths.iter().enumerate().skip(first).take(RANGE) {
                let state = ranking.unrank(rank);
                calculator.compute(&state, &mut here);
                assert!(
                    here.iter().all(|&sum| sum <= length && (length - sum).is_multiple_of(2)),
                    "state {rank}: {length} {here:?}"
                );
                for step in [Move::Down, Move::Right] {
                    let Some(after) = state.after(space.shape, step) else { continue };
                    calculator.compute(&after, &mut there);
                    assert!(here.iter().zip(&there).all(|(here, &there)| here.abs_diff(there) == 1), "state {rank}");
                }
                checked.fetch_add(1, Ordering::Relaxed);
            }
        }
    };
    std::thread::scope(|scope| (0..2).for_each(|_| drop(scope.spawn(work))));
    assert_eq!(checked.into_inner(), 239_500_800);
}
