//! A test of all subsets of a collection on 3×4 against the distances of all its states.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};

use super::super::tests::databases_of;
use super::tests::space;
use crate::board::{Move, State};
use crate::engine::full_table::{self, tests::proof};
use crate::heuristic::pdb::{CollectionTables, Layout, Table};

/// The number of states that a thread examines at a time.
const RANGE: usize = 1 << 16;

/// The values of a table by entry. They are computed on first use, because a table holds only one
/// bit of each.
struct Values<'a> {
    table: &'a Table,
    values: Vec<AtomicU8>,
}

impl Values<'_> {
    const UNKNOWN: u8 = u8::MAX;

    fn of(table: &Table) -> Values<'_> {
        let entries = table.layout().words() * Layout::WORD_BITS;
        let values = (0..entries).map(|_| AtomicU8::new(Values::UNKNOWN)).collect();
        Values { table, values }
    }

    fn get(&self, state: &State) -> u8 {
        let layout = self.table.layout();
        let entry = layout.index(layout.spot(self.table.pattern(), state), state.blank().index());
        let value = self.values[entry].load(Ordering::Relaxed);
        if value != Values::UNKNOWN {
            return value;
        }
        let value = u8::try_from(self.table.value(state)).unwrap();
        self.values[entry].store(value, Ordering::Relaxed);
        value
    }
}

/// The databases of a collection and their values, which give the sums of any state.
struct SumCalculator<'a> {
    databases: &'a CollectionTables,
    values: Vec<Values<'a>>,
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
    let values = databases.tables().iter().map(|table| Values::of(table)).collect();
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
