//! Joins results and records that are not in the same block: results written out of order, and
//! those shifted by a missing or duplicate line.
//!
//! Whichever comes first waits here for the other. Nothing waits if the results are in order.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;

use super::report::Place;
use crate::format::input::{Record, Source};

/// The problem with a second line of a record.
pub const DUPLICATE: &str = "is one too many: its record has a result already";

/// A line without its record, or a record without its line.
#[derive(Debug)]
pub enum Stray {
    /// The line's number and text.
    Line(u64, Box<[u8]>),
    Record(Box<Record>, Arc<Source>),
}

impl Stray {
    fn place(&self, index: u64) -> Place {
        match self {
            &Stray::Line(number, _) => Place::Line(number),
            Stray::Record(..) => Place::Record(index),
        }
    }
}

/// A line and its record: the line's number and text, the record, and its source.
pub type Pair = (u64, Box<[u8]>, Box<Record>, Arc<Source>);

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

    /// Adds a line or a record. Returns the pair if the counterpart was waiting.
    ///
    /// # Errors
    /// The problem with the line or record, if it is a duplicate or too many are waiting.
    pub fn add(&self, index: u64, stray: Stray) -> Result<Option<Pair>, (Place, &'static str)> {
        let mut waiting = self.waiting.lock();
        let (stray, problem) = match (waiting.remove(&index), stray) {
            (Some(Stray::Line(number, text)), Stray::Record(record, source))
            | (Some(Stray::Record(record, source)), Stray::Line(number, text)) => {
                return Ok(Some((number, text, record, source)));
            }
            // Records are never duplicated.
            (Some(first), second) => (first, Some((second.place(index), DUPLICATE))),
            (None, stray) if waiting.len() == self.capacity => {
                return Err((stray.place(index), "is too far out of order to be compared"));
            }
            (None, stray) => (stray, None),
        };
        waiting.insert(index, stray);
        problem.map_or(Ok(None), Err)
    }

    /// Returns the lines and records that still wait, by the number of the record.
    pub fn end(self) -> HashMap<u64, Stray> {
        self.waiting.into_inner()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_most_capacity_entries_wait() {
        for (capacity, has_room) in [(2, false), (3, true)] {
            let join = LineJoin::new(capacity);
            let add = |index, number| join.add(index, Stray::Line(number, (*b"line").into()));
            assert!([add(1, 10), add(2, 20)].iter().all(|added| matches!(added, Ok(None))));
            assert_eq!(add(3, 30).is_ok(), has_room);
            // A second line for the same record takes no room.
            assert_eq!(add(1, 40).unwrap_err(), (Place::Line(40), DUPLICATE));
            let waiting = join.end();
            assert_eq!(waiting.len(), capacity);
            assert!(matches!(waiting[&1], Stray::Line(10, _)));
        }
    }
}
