//! Results and records that did not meet in their block: results that were written out of order, and
//! what a missing or doubled line has shifted.
//!
//! Whichever of the two comes second finds the first here. In a file in order nothing is ever kept.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

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

/// What waits, by the number of the record.
pub struct Join {
    waiting: Mutex<Waiting>,
    most: usize,
}

#[derive(Default)]
struct Waiting {
    lines: HashMap<u64, StrayLine>,
    records: HashMap<u64, StrayRecord>,
    full: bool,
}

/// What a block brought together.
#[derive(Default)]
pub struct Met {
    pub pairs: Vec<(StrayLine, StrayRecord)>,
    /// Lines of records for which another line waits.
    pub twice: Vec<StrayLine>,
}

/// What never met, in order.
pub struct Unmatched {
    pub lines: Vec<(u64, u64)>,
    pub records: Vec<(u64, String)>,
    /// More was out of order than is kept: there may be pairs that were not checked.
    pub full: bool,
}

impl Join {
    /// A place for so many lines and records together.
    pub fn new(most: usize) -> Join {
        Join { waiting: Mutex::default(), most }
    }

    /// Takes in what a block left over; gives back what is complete.
    pub fn meet(&self, lines: Vec<(u64, StrayLine)>, records: Vec<StrayRecord>) -> Met {
        let Met { mut pairs, mut twice } = Met::default();
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        for record in records {
            let index = record.record.index;
            match waiting.lines.remove(&index) {
                Some(line) => pairs.push((line, record)),
                None if waiting.has_room(self.most) => drop(waiting.records.insert(index, record)),
                None => {}
            }
        }
        for (index, line) in lines {
            match waiting.records.remove(&index) {
                Some(record) => pairs.push((line, record)),
                None if waiting.lines.contains_key(&index) => twice.push(line),
                None if waiting.has_room(self.most) => drop(waiting.lines.insert(index, line)),
                None => {}
            }
        }
        Met { pairs, twice }
    }

    /// What is left when everything was read.
    pub fn end(self) -> Unmatched {
        let waiting = self.waiting.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut lines: Vec<_> = waiting.lines.into_iter().map(|(index, line)| (line.number, index)).collect();
        let place = |StrayRecord { record, source }: StrayRecord| format!("{}:{}", source.name, record.line);
        let mut records: Vec<_> = waiting.records.into_iter().map(|(index, record)| (index, place(record))).collect();
        lines.sort_unstable();
        records.sort_unstable();
        Unmatched { lines, records, full: waiting.full }
    }
}

impl Waiting {
    fn has_room(&mut self, most: usize) -> bool {
        let room = self.lines.len() + self.records.len() < most;
        self.full |= !room;
        room
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_wait_than_there_is_room_for() {
        for (most, full) in [(2, true), (3, false)] {
            let join = Join::new(most);
            for index in 1..=3 {
                let met =
                    join.meet(vec![(index, StrayLine { number: 10 * index, text: (*b"line").into() })], Vec::new());
                assert!(met.pairs.is_empty() && met.twice.is_empty());
            }
            // A second line of a record that waits takes no room.
            let met = join.meet(vec![(1, StrayLine { number: 40, text: (*b"line").into() })], Vec::new());
            assert_eq!(met.twice.iter().map(|line| line.number).collect::<Vec<_>>(), [40]);
            let left = join.end();
            assert_eq!(left.lines, &[(10, 1), (20, 2), (30, 3)][..most.min(3)]);
            assert_eq!(left.full, full);
        }
    }
}
