//! Results and records that are not in the same block: results that were written out of order, and
//! those that a missing or duplicate line has shifted.
//!
//! Whichever of the two comes second finds the first here. For a file in order nothing is ever kept.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::format::input::{Record, Source};

/// A line of the results that waits for its record.
#[derive(Debug)]
pub struct StrayLine {
    pub number: u64,
    pub text: Box<[u8]>,
}

/// A record that waits for its line.
#[derive(Debug)]
pub struct StrayRecord {
    pub record: Record,
    pub source: Arc<Source>,
}

/// Lines and records that wait for each other, by the number of the record.
pub struct LineJoin {
    waiting: Mutex<Waiting>,
    capacity: usize,
}

#[derive(Default)]
struct Waiting {
    lines: HashMap<u64, StrayLine>,
    records: HashMap<u64, StrayRecord>,
    full: bool,
}

/// The lines of a block whose records were found, or that are duplicates.
#[derive(Default)]
pub struct Matches {
    pub pairs: Vec<(StrayLine, StrayRecord)>,
    /// Lines of records for which another line waits.
    pub duplicates: Vec<StrayLine>,
}

/// What was never matched, in order.
pub struct Unmatched {
    /// Lines, with the number of the record that they claim to be of.
    pub lines: Vec<(u64, u64)>,
    /// Records, with the place where they were read.
    pub records: Vec<(u64, String)>,
    /// More was out of order than is kept: there may be pairs that were not checked.
    pub full: bool,
}

impl LineJoin {
    /// Keeps at most this number of lines and records together.
    pub fn new(capacity: usize) -> LineJoin {
        LineJoin { waiting: Mutex::default(), capacity }
    }

    /// Adds the unmatched lines and records of a block; returns the pairs that are complete now.
    pub fn add(&self, lines: Vec<(u64, StrayLine)>, records: Vec<StrayRecord>) -> Matches {
        let Matches { mut pairs, mut duplicates } = Matches::default();
        let mut waiting = self.waiting.lock();
        for record in records {
            let index = record.record.index;
            match waiting.lines.remove(&index) {
                Some(line) => pairs.push((line, record)),
                None if waiting.has_room(self.capacity) => drop(waiting.records.insert(index, record)),
                None => {}
            }
        }
        for (index, line) in lines {
            match waiting.records.remove(&index) {
                Some(record) => pairs.push((line, record)),
                None if waiting.lines.contains_key(&index) => duplicates.push(line),
                None if waiting.has_room(self.capacity) => drop(waiting.lines.insert(index, line)),
                None => {}
            }
        }
        Matches { pairs, duplicates }
    }

    /// What is left when everything was read.
    pub fn end(self) -> Unmatched {
        let waiting = self.waiting.into_inner();
        let mut lines: Vec<_> = waiting.lines.into_iter().map(|(index, line)| (line.number, index)).collect();
        let place = |StrayRecord { record, source }: StrayRecord| format!("{}:{}", source.name, record.line);
        let mut records: Vec<_> = waiting.records.into_iter().map(|(index, record)| (index, place(record))).collect();
        lines.sort_unstable();
        records.sort_unstable();
        Unmatched { lines, records, full: waiting.full }
    }
}

impl Waiting {
    fn has_room(&mut self, capacity: usize) -> bool {
        let has_room = self.lines.len() + self.records.len() < capacity;
        self.full |= !has_room;
        has_room
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_are_kept_than_the_capacity() {
        for (capacity, full) in [(2, true), (3, false)] {
            let join = LineJoin::new(capacity);
            for index in 1..=3 {
                let matches =
                    join.add(vec![(index, StrayLine { number: 10 * index, text: (*b"line").into() })], Vec::new());
                assert!(matches.pairs.is_empty() && matches.duplicates.is_empty());
            }
            // A second line of a record that waits takes no room.
            let matches = join.add(vec![(1, StrayLine { number: 40, text: (*b"line").into() })], Vec::new());
            assert_eq!(matches.duplicates.iter().map(|line| line.number).collect::<Vec<_>>(), [40]);
            let left = join.end();
            assert_eq!(left.lines, &[(10, 1), (20, 2), (30, 3)][..capacity.min(3)]);
            assert_eq!(left.full, full);
        }
    }
}
