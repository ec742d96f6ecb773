//! Tests that compare all implementations with a simple sum.

use super::*;
use crate::system::Random;

/// Random tables for boards of this many cells, and so as many tiles including the blank.
struct RandomTables {
    cells: usize,
    row: Vec<u8>,
    triples: Vec<Triple>,
    entries: Vec<u8>,
}

impl RandomTables {
    fn new(cells: usize, random: &mut Random) -> RandomTables {
        let mut bytes = |len: usize| (0..len).map(|_| random.bits() as u8).collect::<Vec<u8>>();
        let (row, entries) = (bytes(cells * cells + SEGMENT), bytes(3 * cells.pow(3) + OVERREAD));
        let strides = [1, cells, cells * cells];
        let triple = |number: usize| {
            let other = |i: usize| (random_tile(cells, number + i), strides[(number + i) % 3] as u16);
            Triple { start: number * cells.pow(3), stride: strides[number], others: [other(1), other(2)] }
        };
        RandomTables { cells, row, triples: (0..3).map(triple).collect(), entries }
    }

    fn terms(&self, ends: (usize, usize)) -> Terms<'_> {
        Terms::new(self.cells, &self.row, &self.triples, ends, &self.entries)
    }

    fn simple_sum(&self, (first, second): (usize, usize), cell_of: &[u8]) -> i32 {
        let row = |tile: usize| i32::from(self.row[tile * self.cells + usize::from(cell_of[tile])]) - i32::from(ZERO);
        let mut sum = (0..self.cells).map(row).sum();
        for triple in &self.triples {
            let others =
                triple.others.map(|(tile, stride)| usize::from(cell_of[usize::from(tile)]) * usize::from(stride));
            let entry =
                |end: usize| i32::from(self.entries[triple.start + triple.stride * end + others[0] + others[1]]);
            sum += entry(second) - entry(first);
        }
        sum
    }
}

fn random_tile(cells: usize, number: usize) -> u8 {
    (crate::system::scramble(0, number as u64) % cells as u64) as u8
}

fn available() -> impl Iterator<Item = SumMethod> {
    SumMethod::ALL.into_iter().filter(|method| method.is_available())
}

fn check<const M: usize>(cells: usize, random: &mut Random) {
    let tables = RandomTables::new(cells, random);
    let mut group = Group::<M>::default();
    for len in [1, 2, 15, 16, 17, 31, 33, 48, 49, 63, 64] {
        for at in &mut group.by_position[..len] {
            at[..cells].fill_with(|| random.index(cells) as u8);
        }
        let ends = (random.index(cells), random.index(cells));
        for method in available() {
            group.sums.fill(-1);
            method.sum(&tables.terms(ends), &mut group, len);
            for (at, sum) in group.by_position[..len].iter().zip(group.sums) {
                assert_eq!(i32::from(sum), tables.simple_sum(ends, at), "{method:?} {cells} {len}");
            }
        }
    }
}

#[test]
fn all_implementations_give_the_same_sums() {
    let mut random = Random::new(1);
    for cells in [2, 4, 9, 15, 16] {
        check::<16>(cells, &mut random);
    }
    for cells in [17, 25, 32] {
        check::<32>(cells, &mut random);
    }
    for cells in [36, 48] {
        check::<48>(cells, &mut random);
    }
    for cells in [49, 63, 64] {
        check::<64>(cells, &mut random);
    }
}

/// No vector implementation reads beyond the tables, even if the bytes are not valid cells.
#[test]
fn cells_beyond_the_board_are_not_read() {
    let mut random = Random::new(2);
    for cells in [2, 36, 48] {
        let tables = RandomTables::new(cells, &mut random);
        let mut group = Group::<48>::default();
        group.by_position.fill([255; 48]);
        for method in available().filter(|&method| method != SumMethod::Portable) {
            method.sum(&tables.terms((0, cells - 1)), &mut group, LANES);
            let expected = tables.simple_sum((0, cells - 1), &[cells as u8 - 1; 48]);
            assert_eq!(i32::from(group.sums[7]), expected, "{method:?}");
        }
    }
}

#[test]
fn terms_with_missing_entries_are_rejected() {
    let mut random = Random::new(3);
    let mut tables = RandomTables::new(9, &mut random);
    tables.entries.pop();
    assert!(std::panic::catch_unwind(|| tables.terms((0, 1))).is_err());
    let mut tables = RandomTables::new(9, &mut random);
    tables.row.pop();
    assert!(std::panic::catch_unwind(|| tables.terms((0, 1))).is_err());
    let mut tables = RandomTables::new(9, &mut random);
    tables.triples[1].others[0].0 = 9;
    assert!(std::panic::catch_unwind(|| tables.terms((0, 1))).is_err());
}

#[test]
fn an_unsupported_implementation_is_rejected() {
    for method in SumMethod::ALL.into_iter().filter(|method| !method.is_available()) {
        let tables = RandomTables::new(9, &mut Random::new(4));
        let summed = std::panic::catch_unwind(|| method.sum(&tables.terms((0, 1)), &mut Group::<16>::default(), 1));
        assert!(summed.is_err(), "{method:?}");
    }
    assert!(SumMethod::Portable.is_available() && SumMethod::best().is_available());
}
