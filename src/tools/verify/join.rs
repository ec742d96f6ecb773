//! Joins results and records that are not in the same block: results written out of order, and
//! those shifted by a missing or duplicate line.
//!
//! Whichever comes first waits here for the other. Nothing waits if the results are in order.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::format::input::{Record, Source};

/// A line of the results and its number.
#[derive(Debug)]
pub struct Line {
    pub number: u64,
    pub text: Box<[u8]>,
}

/// A line without its record, or a record without its line.
#[derive(Debug)]
pub enum Stray {
    Line(Line),
    Record(Box<Record>, Arc<Source>),
}

/// The outcome of adding a stray.
#[derive(Debug)]
pub enum Joined {
    /// It waits.
    Waits,
    /// Its counterpart was waiting.
    Pair(Line, Box<Record>, Arc<Source>),
    /// It is a line, and another line of its record waits.
    Duplicate(Stray),
    /// Too many are waiting.
    NoRoom(Stray),
}

/// Lines and records that wait for each other, by the number of the record.
pub struct LineJoin {
    waiting: Mutex<HashMap<u64, Stray>>,
    capacity: usize,
}

impl LineJoin {
    /// Creates a join in which at most this number of lines and records wait.
    pub fn new(capacity: usize) -> LineJoin {
        LineJoin { waiting: Mutex::default(), capacity }
    }

    /// Adds a line or a record.
    pub fn add(&self, index: u64, stray: Stray) -> Joined {
        let mut waiting = self.waiting.lock();
        let (kept, joined) = match (waiting.remove(&index), stray) {
            (Some(Stray::Line(line)), Stray::Record(record, source))
            | (Some(Stray::Record(record, source)), Stray::Line(line)) => {
                return Joined::Pair(line, record, source);
            }
            (Some(first), stray) => (first, Joined::Duplicate(stray)),
            (None, stray) if waiting.len() == self.capacity => return Joined::NoRoom(stray),
            (None, stray) => (stray, Joined::Waits),
        };
        waiting.insert(index, kept);
        joined
    }

    /// Returns what still waits, by the number of the record.
    pub fn end(self) -> HashMap<u64, Stray> {
        self.waiting.into_inner()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_are_kept_than_the_capacity() {
        for (capacity, has_room) in [(2, false), (3, true)] {
            let join = LineJoin::new(capacity);
            let add = |index, number| join.add(index, Stray::Line(Line { number, text: (*b"line").into() }));
            assert!(matches!((add(1, 10), add(2, 20)), (Joined::Waits, Joined::Waits)));
            assert_eq!(matches!(add(3, 30), Joined::Waits), has_room);
            // A second line of a record that waits takes no room.
            assert!(matches!(add(1, 40), Joined::Duplicate(Stray::Line(Line { number: 40, .. }))));
            let left = join.end();
            assert_eq!(left.len(), capacity);
            assert!(matches!(left[&1], Stray::Line(Line { number: 10, .. })));
        }
    }
}
