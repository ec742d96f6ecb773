//! Finds repeated boards in a run, unchanged or reflected.
//!
//! A puzzle is identified by a 128-bit digest (XXH3; Collet 2019) of its shape, its board and its
//! goal. The probability that two of a billion different puzzles have the same digest is about
//! 10⁻²¹. The digest does not protect against deliberate collisions.
//!
//! The threads that parse records compute the digests of each board and of its reflections
//! ([`Reflections`]). The writer looks them up in the order of the records, and fills in the fields
//! of the results ([`fill`]). The writer keeps one digest for each new board in a hash table. An
//! entry takes at most [`EarlierBoards::BYTES_PER_PUZZLE`] bytes, while the table grows, and
//! usually half of that.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use twox_hash::XxHash3_128;

use crate::board::{Board, Reflections};
use crate::format::output::{Occurrence, fill};
use crate::format::style::Style;

/// The digests of a puzzle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Digests {
    unreflected: Digest,
    /// The digests of the puzzle's reflections that differ from `unreflected`.
    reflected: Vec<Digest>,
}

/// A digest in two words: a `u128` would be aligned to 16 bytes in the table.
type Digest = [u64; 2];

impl Digests {
    /// Returns the digests of a board and its goal.
    pub fn of(board: &Board, reflections: &Reflections) -> Digests {
        let (goal, mut bytes) = (reflections.goal(), Vec::with_capacity(4 * board.tiles().len() + 2));
        let mut digest = |board: &Board| {
            bytes.clear();
            bytes.extend([board.shape().rows() as u8, board.shape().cols() as u8]);
            let tiles = goal.tiles().iter().chain(board.tiles());
            bytes.extend(tiles.flat_map(|tile| (tile.label() as u16).to_le_bytes()));
            let hash = XxHash3_128::oneshot(&bytes);
            [hash as u64, (hash >> 64) as u64]
        };
        let unreflected = digest(board);
        let mut reflected: Vec<Digest> =
            reflections.each(board).map(|board| digest(&board)).filter(|digest| *digest != unreflected).collect();
        reflected.sort_unstable();
        reflected.dedup();
        Digests { unreflected, reflected }
    }
}

/// The numbers of boards that occurred before, as far as known.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct RepeatCounts {
    /// Boards that occurred before.
    pub duplicates: u64,
    /// New boards of which a reflection occurred before.
    pub reflections: u64,
    /// Boards that may have occurred before.
    pub unknown: u64,
}

impl RepeatCounts {
    fn add(&mut self, occurrence: Occurrence) {
        match occurrence {
            Occurrence::New => {}
            Occurrence::DuplicateOf(_) => self.duplicates += 1,
            Occurrence::ReflectionOf(_) => self.reflections += 1,
            Occurrence::Unknown => self.unknown += 1,
        }
    }
}

/// The earlier boards of a run, with which the boards of written results are compared.
#[derive(Debug)]
pub struct EarlierBoards {
    /// The index of the first record of each puzzle.
    first_records: HashMap<Digest, u64>,
    /// The number of boards that can be kept.
    pub capacity: usize,
    is_csv: bool,
    /// The number of fields of a result that depend on earlier boards.
    fields_per_result: usize,
    /// The numbers of boards that occurred before.
    pub repeats: RepeatCounts,
}

impl EarlierBoards {
    /// Maximum number of bytes per puzzle: 25 bytes for each slot of a table that doubles when it
    /// is seven eighths full, and half as much for the old table while it is copied.
    const BYTES_PER_PUZZLE: u64 = 86;

    /// Creates an empty set that may take this number of bytes, or returns `None` if no field of
    /// the results depends on earlier boards.
    pub fn new(style: &Style, bytes: u64) -> Option<EarlierBoards> {
        let fields_per_result = style.fields()?.count_earlier_record_fields();
        let capacity = usize::try_from(bytes / EarlierBoards::BYTES_PER_PUZZLE).unwrap_or(usize::MAX).max(1);
        let (is_csv, repeats) = (matches!(style, Style::Csv(_)), RepeatCounts::default());
        let first_records = HashMap::new();
        let earlier = EarlierBoards { first_records, capacity, is_csv, fields_per_result, repeats };
        (fields_per_result > 0).then_some(earlier)
    }

    /// Returns results with the fields that depend on earlier boards filled in. Must be called in
    /// the order of the records.
    pub fn fill(&mut self, results: &[u8], boards: &[(u64, Digests)]) -> Vec<u8> {
        let (mut boards, mut filled) = (boards.iter(), Vec::with_capacity(results.len()));
        let (is_csv, fields_per_result) = (self.is_csv, self.fields_per_result);
        let next = || {
            let next = boards.next();
            let occurrence = next.map_or(Occurrence::Unknown, |(index, digests)| self.insert(digests, *index));
            self.repeats.add(occurrence);
            occurrence
        };
        fill(results, is_csv, fields_per_result, next, &mut filled);
        filled
    }

    /// Compares a puzzle with the earlier ones, and adds it if it is new. Must be called in the
    /// order of the records.
    fn insert(&mut self, digests: &Digests, index: u64) -> Occurrence {
        let has_room = self.first_records.len() < self.capacity;
        match self.first_records.entry(digests.unreflected) {
            Entry::Occupied(first) => return Occurrence::DuplicateOf(*first.get()),
            Entry::Vacant(free) if has_room => _ = free.insert(index),
            // The puzzle may have occurred before without being kept.
            Entry::Vacant(_) => return Occurrence::Unknown,
        }
        let reflected = digests.reflected.iter().filter_map(|digest| self.first_records.get(digest)).min();
        reflected.map_or(Occurrence::New, |&first| Occurrence::ReflectionOf(first))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Goal, Shape, Tile};
    use crate::format::output::{Field, Fields};

    fn digests(labels: [usize; 9], goal: &str) -> Digests {
        let shape = Shape::new(3, 3).unwrap();
        let goal = goal.parse::<Goal>().unwrap().on(shape).unwrap();
        Digests::of(&Board::new(shape, &labels.map(Tile::new)).unwrap(), &Reflections::of(&goal))
    }

    fn earlier(bytes: u64) -> EarlierBoards {
        EarlierBoards::new(&Style::Json(Fields::new([Field::DuplicateOf])), bytes).unwrap()
    }

    /// The two boards of 31 moves, as published. For a goal whose blank is in the centre, they are
    /// not reflections of each other.
    const FAR: [[usize; 9]; 2] = [[6, 4, 7, 8, 5, 0, 3, 2, 1], [8, 6, 7, 2, 5, 4, 3, 0, 1]];

    #[test]
    fn repeated_boards_refer_to_the_first_record() {
        let (mut table, last) = (earlier(1 << 20), "blank-last");
        assert_eq!(table.insert(&digests(FAR[0], last), 1), Occurrence::New);
        assert_eq!(table.insert(&digests(FAR[0], "blank-first"), 2), Occurrence::New);
        assert_eq!(table.insert(&digests(FAR[1], last), 3), Occurrence::ReflectionOf(1));
        assert_eq!(table.insert(&digests(FAR[1], last), 4), Occurrence::DuplicateOf(3));
        assert_eq!(table.insert(&digests(FAR[0], last), 5), Occurrence::DuplicateOf(1));
        assert_eq!(table.insert(&digests(FAR[1], "snail"), 6), Occurrence::New);
        // A board that is its own mirror image is not a reflection of another.
        let symmetric = [1, 2, 3, 4, 5, 6, 7, 8, 0];
        assert_eq!(table.insert(&digests(symmetric, last), 7), Occurrence::New);
        assert_eq!(table.insert(&digests(symmetric, last), 8), Occurrence::DuplicateOf(7));
    }

    #[test]
    fn boards_beyond_the_capacity_are_unknown() {
        let (mut table, last) = (earlier(2 * EarlierBoards::BYTES_PER_PUZZLE), "blank-last");
        assert_eq!(table.capacity, 2);
        assert_eq!(table.insert(&digests(FAR[0], last), 1), Occurrence::New);
        assert_eq!(table.insert(&digests([1, 2, 3, 4, 5, 6, 7, 8, 0], last), 2), Occurrence::New);
        assert_eq!(table.insert(&digests([1, 2, 3, 4, 5, 6, 7, 0, 8], last), 3), Occurrence::Unknown);
        // Kept boards are still found. A reflection of a kept board is unknown, because it may also
        // be a duplicate of a board that was not kept.
        assert_eq!(table.insert(&digests(FAR[0], last), 4), Occurrence::DuplicateOf(1));
        assert_eq!(table.insert(&digests(FAR[1], last), 5), Occurrence::Unknown);
    }
}
