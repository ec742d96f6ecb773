//! The accounts of a run: which records have their results in the output, and where reading has to go on for
//! those that have not.
//!
//! The reader announces each chunk with the position before it; whoever writes results settles them.
//! All records before the first chunk that is not settled are done. In ordered runs that is all there
//! is; in unordered ones others behind it are done too, as ranges. What is open is bounded by the window
//! of chunks in flight, and ranges that touch are one: the accounts stay small however long a board at
//! the head of the window takes.

use std::collections::BTreeMap;

use rangemap::RangeSet;
use serde::{Deserialize, Serialize};

use super::totals::Counts;
use crate::digest::Digest;
use crate::format::input::Position;

/// How far a run has come: what its output holds, and where its input goes on.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Progress {
    /// All records before it have their results.
    pub position: Position,
    /// Records behind it that have theirs: their numbers, from each first one to before each second one.
    pub done: Vec<(u64, u64)>,
    /// Results by status.
    pub counts: Counts,
    /// Bytes of the output that hold them.
    pub bytes: u64,
    /// The checksum of those bytes.
    pub checksum: u64,
}

/// From where a run goes on.
#[derive(Debug, Default)]
pub struct Start {
    /// Records that are not to be solved, for they have their results.
    pub done: RangeSet<u64>,
    /// Results in the output, by status.
    pub counts: Counts,
    /// The output's bytes.
    pub written: Digest,
}

impl Start {
    /// The start that goes on from this progress, when the output's bytes were found to be as it says.
    pub fn new(progress: &Progress, written: Digest) -> Start {
        let done = progress.done.iter().filter(|(first, end)| first < end).map(|&(first, end)| first..end).collect();
        Start { done, counts: progress.counts, written }
    }

    /// The progress of a run that reads on from this position.
    pub fn progress(&self, position: Position) -> Progress {
        Progress {
            position,
            done: self.done.iter().map(|range| (range.start, range.end)).collect(),
            counts: self.counts,
            bytes: self.written.bytes(),
            checksum: self.written.value(),
        }
    }
}

/// Whether this record is done, and how many from it on are alike.
pub fn alike(done: &RangeSet<u64>, record: u64) -> (bool, u64) {
    match done.get(&record) {
        Some(range) => (true, range.end - record),
        None => {
            let next = done.overlapping(record..u64::MAX).next();
            (false, next.map_or(u64::MAX, |range| range.start - record))
        }
    }
}

/// Which records of a chunk a piece of output settles.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum Part {
    /// All.
    #[default]
    Whole,
    /// All but these, in rising order.
    AllBut(Vec<u64>),
    /// This one.
    One(u64),
    /// None: the run was stopped.
    Nothing,
}

/// A chunk of which not everything is written.
#[derive(Debug)]
struct Open {
    before: Position,
    first: u64,
    end: u64,
    missing: u64,
}

/// What is written and what is not.
#[derive(Debug)]
pub struct Accounts {
    open: BTreeMap<u64, Open>,
    /// The position behind the last chunk that was announced.
    tip: Position,
    start: Start,
}

impl Accounts {
    /// Accounts that begin at this position.
    pub fn new(position: Position, start: Start) -> Accounts {
        Accounts { open: BTreeMap::new(), tip: position, start }
    }

    /// A chunk was read: its records lie between the two positions.
    pub fn announce(&mut self, number: u64, before: Position, records: u64, after: Position) {
        let first = after.records + 1 - records;
        self.open.insert(number, Open { before, first, end: first + records, missing: records });
        self.tip = after;
    }

    /// Results of a chunk were written.
    pub fn settle(&mut self, number: u64, part: &Part, text: &[u8], counts: &Counts) {
        self.start.written.update(text);
        self.start.counts.merge(counts);
        let Some(open) = self.open.get_mut(&number) else { return };
        let done = &mut self.start.done;
        match part {
            Part::Nothing => {}
            Part::Whole => open.missing = 0,
            &Part::One(record) => {
                done.insert(record..record + 1);
                open.missing -= 1;
            }
            Part::AllBut(records) => {
                let mut from = open.first;
                for &record in records {
                    if from < record {
                        done.insert(from..record);
                    }
                    from = record + 1;
                }
                if from < open.end {
                    done.insert(from..open.end);
                }
                open.missing = records.len() as u64;
            }
        }
        if open.missing == 0 {
            done.insert(open.first..open.end);
            self.open.remove(&number);
        }
        let first = self.position().records + 1;
        if self.start.done.first().is_some_and(|range| range.start < first) {
            self.start.done.remove(0..first);
        }
    }

    /// How far the run has come.
    pub fn progress(&self) -> Progress {
        self.start.progress(self.position().clone())
    }

    fn position(&self) -> &Position {
        self.open.first_key_value().map_or(&self.tip, |(_, open)| &open.before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(records: u64) -> Position {
        Position { records, ..Position::default() }
    }

    /// Chunks of 10, 1 and 5 records.
    fn accounts() -> Accounts {
        let mut accounts = Accounts::new(at(0), Start::default());
        accounts.announce(0, at(0), 10, at(10));
        accounts.announce(1, at(10), 1, at(11));
        accounts.announce(2, at(11), 5, at(16));
        accounts
    }

    fn progress(accounts: &Accounts) -> (u64, Vec<(u64, u64)>) {
        let progress = accounts.progress();
        (progress.position.records, progress.done)
    }

    #[test]
    fn in_order_there_is_only_a_position() {
        let mut accounts = accounts();
        assert_eq!(progress(&accounts), (0, vec![]));
        accounts.settle(0, &Part::Whole, b"abc", &Counts { solved: 10, ..Counts::default() });
        assert_eq!(progress(&accounts), (10, vec![]));
        accounts.settle(1, &Part::Whole, b"d", &Counts { solved: 1, ..Counts::default() });
        accounts.settle(2, &Part::Whole, b"", &Counts::default());
        assert_eq!(progress(&accounts), (16, vec![]));
        let all = accounts.progress();
        assert_eq!((all.counts.solved, all.bytes, all.checksum), (11, 4, Digest::of(b"abcd")));
    }

    #[test]
    fn out_of_order_there_are_ranges_behind_it() {
        let mut accounts = accounts();
        let mut settle = |number, part| {
            accounts.settle(number, &part, b"", &Counts::default());
            progress(&accounts)
        };
        assert_eq!(settle(2, Part::AllBut(vec![12, 14])), (0, vec![(13, 14), (15, 17)]));
        assert_eq!(settle(0, Part::AllBut(vec![10])), (0, vec![(1, 10), (13, 14), (15, 17)]));
        assert_eq!(settle(2, Part::One(14)), (0, vec![(1, 10), (13, 17)]));
        assert_eq!(settle(1, Part::Nothing), (0, vec![(1, 10), (13, 17)]));
        assert_eq!(settle(0, Part::One(10)), (10, vec![(13, 17)]));
        assert_eq!(settle(2, Part::One(12)), (10, vec![(12, 17)]));
        assert_eq!(settle(1, Part::Whole), (16, vec![]));
    }

    #[test]
    fn neighbours_that_are_alike_are_counted() {
        let progress = Progress { done: vec![(3, 5), (9, 9), (9, 12)], ..Progress::default() };
        let start = Start::new(&progress, Digest::default());
        let alike: Vec<_> = [1, 3, 4, 5, 9, 12].iter().map(|&record| alike(&start.done, record)).collect();
        assert_eq!(alike, [(false, 2), (true, 2), (true, 1), (false, 4), (true, 3), (false, u64::MAX)]);
    }
}
