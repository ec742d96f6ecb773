//! Which boards of a set come again, as they are or in a mirror.
//!
//! A puzzle is known by a digest of 128 bits (XXH3; Collet 2019) of its shape, its board and its goal. That two
//! different puzzles of a set of a billion share one by chance happens once in 10²⁰ such sets; it is no protection
//! against somebody who forges boards with that aim.
//!
//! Digests are made by the threads that read boards, one of the board and one of each of its reflections
//! ([`Reflections`]); what was met before is looked up in the order of the records. Only boards that are new are kept, so
//! that a set costs at most [`Seen::BYTES_A_BOARD`] bytes for each of them while the table grows, half of that as a rule.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use twox_hash::XxHash3_128;

use crate::board::{Board, Reflections};

/// The digests of a puzzle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Keys {
    own: Key,
    /// Of its reflections, its own left out.
    reflected: Vec<Key>,
}

/// A digest in two words, which need no more room than they are long.
type Key = [u64; 2];

impl Keys {
    /// Those of a board and its goal.
    pub fn of(board: &Board, reflections: &Reflections) -> Keys {
        let (goal, mut bytes) = (reflections.goal(), Vec::with_capacity(4 * board.tiles().len() + 2));
        let mut key = |board: &Board| {
            bytes.clear();
            bytes.extend([board.shape().rows() as u8, board.shape().cols() as u8]);
            let tiles = goal.tiles().iter().chain(board.tiles());
            bytes.extend(tiles.flat_map(|tile| (tile.label() as u16).to_le_bytes()));
            let digest = XxHash3_128::oneshot(&bytes);
            [digest as u64, (digest >> 64) as u64]
        };
        let own = key(board);
        let mut reflected: Vec<Key> =
            reflections.each(board).map(|board| key(&board)).filter(|key| *key != own).collect();
        reflected.sort_unstable();
        reflected.dedup();
        Keys { own, reflected }
    }
}

/// Where a record was read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    /// Number of the record in the run.
    pub index: u64,
    /// Number of the file, from 0 in the order in which they were read.
    pub source: u32,
    /// The line, or the greatest number there is where that is greater.
    pub line: u32,
}

/// What is known of a board that comes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Again {
    /// It was not met before.
    New,
    /// The first record with the same board and goal.
    Same(Place),
    /// The board is new; the first record with a reflection of it, and the same goal.
    Reflected(Place),
    /// Not met among those that were kept, but not all were.
    Unknown,
}

/// The puzzles that were met.
#[derive(Debug)]
pub struct Seen {
    first: HashMap<Key, Place>,
    most: usize,
    full: bool,
}

impl Seen {
    /// What a puzzle takes at the most: 33 bytes for each place of a table that is doubled when it is seven eighths full, and
    /// half as much for the table before, while it is copied.
    pub const BYTES_A_BOARD: u64 = 115;

    /// Nothing met yet; so many bytes may be taken.
    pub fn new(bytes: u64) -> Seen {
        let most = usize::try_from(bytes / Seen::BYTES_A_BOARD).unwrap_or(usize::MAX).max(1);
        Seen { first: HashMap::new(), most, full: false }
    }

    /// How many puzzles can be kept.
    pub fn most(&self) -> usize {
        self.most
    }

    /// True once a puzzle came that could not be kept.
    pub fn is_full(&self) -> bool {
        self.full
    }

    /// Meets a puzzle; the places come in the order of their records.
    pub fn meet(&mut self, keys: &Keys, place: Place) -> Again {
        let room = self.first.len() < self.most;
        let again = match self.first.entry(keys.own) {
            Entry::Occupied(first) => return Again::Same(*first.get()),
            Entry::Vacant(free) if room => {
                free.insert(place);
                Again::New
            }
            // It may have come before all the same, which a mirror that is kept says nothing about.
            Entry::Vacant(_) => {
                self.full = true;
                return Again::Unknown;
            }
        };
        let reflected = keys.reflected.iter().filter_map(|key| self.first.get(key)).min();
        reflected.map_or(again, |&first| Again::Reflected(first))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{GoalSpec, Shape, Tile};

    fn keys(labels: [usize; 9], goal: &str) -> Keys {
        let shape = Shape::new(3, 3).unwrap();
        let goal = goal.parse::<GoalSpec>().unwrap().on(shape).unwrap();
        Keys::of(&Board::new(shape, &labels.map(Tile::new)).unwrap(), &Reflections::of(&goal))
    }

    /// The two boards of 31 moves, as published; they are no reflections for a goal whose blank is in the centre.
    const FAR: [[usize; 9]; 2] = [[6, 4, 7, 8, 5, 0, 3, 2, 1], [8, 6, 7, 2, 5, 4, 3, 0, 1]];

    fn place(index: u64) -> Place {
        Place { index, source: 0, line: index as u32 }
    }

    #[test]
    fn the_first_record_is_told() {
        let (mut seen, last) = (Seen::new(1 << 20), "blank-last");
        assert_eq!(seen.meet(&keys(FAR[0], last), place(1)), Again::New);
        assert_eq!(seen.meet(&keys(FAR[0], "blank-first"), place(2)), Again::New);
        assert_eq!(seen.meet(&keys(FAR[1], last), place(3)), Again::Reflected(place(1)));
        assert_eq!(seen.meet(&keys(FAR[1], last), place(4)), Again::Same(place(3)));
        assert_eq!(seen.meet(&keys(FAR[0], last), place(5)), Again::Same(place(1)));
        assert_eq!(seen.meet(&keys(FAR[1], "snail"), place(6)), Again::New);
        // A board that is its own mirror image is no reflection of another.
        let own = [1, 2, 3, 4, 5, 6, 7, 8, 0];
        assert_eq!(seen.meet(&keys(own, last), place(7)), Again::New);
        assert_eq!(seen.meet(&keys(own, last), place(8)), Again::Same(place(7)));
        assert!(!seen.is_full());
    }

    #[test]
    fn what_has_no_room_is_not_known() {
        let (mut seen, last) = (Seen::new(2 * Seen::BYTES_A_BOARD), "blank-last");
        assert_eq!(seen.most(), 2);
        assert_eq!(seen.meet(&keys(FAR[0], last), place(1)), Again::New);
        assert_eq!(seen.meet(&keys([1, 2, 3, 4, 5, 6, 7, 8, 0], last), place(2)), Again::New);
        assert!(!seen.is_full());
        assert_eq!(seen.meet(&keys([1, 2, 3, 4, 5, 6, 7, 0, 8], last), place(3)), Again::Unknown);
        assert!(seen.is_full());
        // What is kept is still found. A mirror of it may have come before, or not.
        assert_eq!(seen.meet(&keys(FAR[0], last), place(4)), Again::Same(place(1)));
        assert_eq!(seen.meet(&keys(FAR[1], last), place(5)), Again::Unknown);
    }
}
