//! A record as described by its result.

use std::sync::Arc;

use crate::format::output::Field;
use crate::format::result::ResultLine;

/// The place of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The file's name as shown.
    pub source: Arc<str>,
    /// The line on which the record starts.
    pub line: u64,
}

/// A record to check.
pub struct Record<'a> {
    /// The record's place.
    pub place: Place,
    /// The record's result.
    pub result: ResultLine<'a>,
    /// The name of the record with the same or the reflected board, if known.
    pub earlier: Option<String>,
}

impl Record<'_> {
    /// Returns the shape of the board.
    pub fn sides(&self) -> Option<(u64, u64)> {
        self.result.number(Field::Rows).zip(self.result.number(Field::Cols))
    }
}
