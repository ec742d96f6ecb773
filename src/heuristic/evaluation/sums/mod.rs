//! The change of an evaluation when one tile moves along one *edge* (between two adjacent cells),
//! computed for many positions at a time.
//!
//! The change is a sum of terms from two kinds of tables ([`Terms`]). A *row* belongs to the moved
//! tile and the edge. It has a segment for each tile, with a byte for each cell that the tile can
//! be in. Each *triple* that contains the moved tile has a byte for each end of the edge and each
//! placement of the other two tiles. The positions of a group are transposed, so that a register
//! contains the cells of one tile in many positions. With AVX-512 a whole segment is in one
//! register, and one instruction looks up the bytes of 64 positions. With AVX2 a segment takes up
//! to four registers, and as many instructions look up the bytes of 32 positions. Entries of
//! triples are gathered for 16 or 8 positions at a time. All implementations give the same sums.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod terms;

use crate::system::InstructionSet;

pub use terms::{Group, LANES, OVERREAD, SEGMENT, Terms, Triple, ZERO};

/// Returns true if this processor has all features that the implementation for an instruction set
/// needs. The AVX-512 implementation needs VBMI, which [`InstructionSet::Avx512`] does not include.
fn is_available(set: InstructionSet) -> bool {
    match set {
        InstructionSet::Portable => true,
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx2 => is_x86_feature_detected!("avx2"),
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx512 => {
            is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vbmi")
        }
        #[cfg(not(target_arch = "x86_64"))]
        InstructionSet::Avx2 | InstructionSet::Avx512 => false,
    }
}

/// Returns the instruction set of the fastest implementation up to [`InstructionSet::best`].
pub fn fastest_instruction_set() -> InstructionSet {
    let is_allowed = |set: &InstructionSet| *set <= InstructionSet::best() && is_available(*set);
    InstructionSet::ALL.into_iter().rev().find(is_allowed).unwrap_or(InstructionSet::Portable)
}

/// Sums the terms for the first `len` positions of a group, and stores the results in `group.sums`.
///
/// # Panics
/// If the processor does not support the implementation for the instruction set, or if there are
/// more than [`LANES`] positions.
#[allow(unsafe_code)] // calls to functions compiled for more features than the crate
#[inline]
pub fn sum(set: InstructionSet, terms: &Terms<'_>, group: &mut Group, len: usize) {
    assert!(is_available(set) && len <= LANES);
    match set {
        // SAFETY: the assertion has checked that the processor has the features that the functions
        // are compiled for. Guarded by the test `an_unsupported_implementation_is_rejected`.
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx2 => unsafe { avx2::sum(terms, group, len) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx512 => unsafe { avx512::sum(terms, group, len) },
        _ => portable_sum(terms, group, len),
    }
}

/// Sums the terms byte by byte.
fn portable_sum(terms: &Terms<'_>, group: &mut Group, len: usize) {
    // Also the number of tiles including the blank.
    let cells = terms.cells();
    for (sum, cell_of) in group.sums.iter_mut().zip(&group.by_position[..len]) {
        let segments = terms.row().chunks_exact(cells);
        let bytes = segments.zip(&cell_of[..cells]).map(|(segment, &cell)| i16::from(segment[usize::from(cell)]));
        *sum = bytes.sum::<i16>() - cells as i16 * i16::from(ZERO);
        // For a tile that goes from the first end of the edge to the second, a triple adds its
        // entry at the second end and subtracts the one at the first. Callers negate the sum of the
        // opposite move.
        for (triple, at_first_end, at_second_end) in terms.triples() {
            let index = |(tile, stride): (u8, u16)| usize::from(stride) * usize::from(cell_of[usize::from(tile)]);
            let index = index(triple.others[0]) + index(triple.others[1]);
            *sum += i16::from(at_second_end[index]) - i16::from(at_first_end[index]);
        }
    }
}

/// All implementations give the same sums as a simple one.
#[cfg(test)]
mod tests {
    use super::*;
    use crate::heuristic::evaluation::MAX_CELLS;
    use crate::system::Random;

    /// Random tables for boards of `cells` cells, and thus `cells` tiles including the blank.
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
            let row =
                |tile: usize| i32::from(self.row[tile * self.cells + usize::from(cell_of[tile])]) - i32::from(ZERO);
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

    fn available() -> impl Iterator<Item = InstructionSet> {
        InstructionSet::ALL.into_iter().filter(|&set| is_available(set))
    }

    fn check(cells: usize, random: &mut Random) {
        let tables = RandomTables::new(cells, random);
        let mut group = Group::default();
        for len in [1, 2, 15, 16, 17, 31, 33, 48, 49, 63, 64] {
            for cell_of in &mut group.by_position[..len] {
                cell_of[..cells].fill_with(|| random.index(cells) as u8);
            }
            let ends = (random.index(cells), random.index(cells));
            for set in available() {
                group.sums.fill(-1);
                sum(set, &tables.terms(ends), &mut group, len);
                for (cell_of, sum) in group.by_position[..len].iter().zip(group.sums) {
                    assert_eq!(i32::from(sum), tables.simple_sum(ends, cell_of), "{set:?} {cells} {len}");
                }
            }
        }
    }

    #[test]
    fn all_implementations_give_the_same_sums() {
        let mut random = Random::new(1);
        for cells in [2, 4, 9, 15, 16, 17, 25, 32, 36, 48, 49, 63, 64] {
            check(cells, &mut random);
        }
    }

    /// No vector implementation reads beyond the tables, even if the positions contain bytes that
    /// are not cells of the board. Such bytes count as the last cell.
    #[test]
    fn cells_beyond_the_board_are_not_read() {
        let mut random = Random::new(2);
        for cells in [2, 36, 48] {
            let tables = RandomTables::new(cells, &mut random);
            let mut group = Group::default();
            group.by_position.fill([255; MAX_CELLS]);
            for set in available().filter(|&set| set != InstructionSet::Portable) {
                sum(set, &tables.terms((0, cells - 1)), &mut group, LANES);
                let expected = tables.simple_sum((0, cells - 1), &[cells as u8 - 1; MAX_CELLS]);
                assert_eq!(i32::from(group.sums[7]), expected, "{set:?}");
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
        for set in InstructionSet::ALL.into_iter().filter(|&set| !is_available(set)) {
            let tables = RandomTables::new(9, &mut Random::new(4));
            let summed = std::panic::catch_unwind(|| sum(set, &tables.terms((0, 1)), &mut Group::default(), 1));
            assert!(summed.is_err(), "{set:?}");
        }
        assert!(is_available(InstructionSet::Portable) && is_available(fastest_instruction_set()));
    }
}
