//! A record as its result describes it.

use std::sync::Arc;

use crate::format::output::Field;
use crate::format::result::ResultLine;

/// Where a record was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The file, as it is shown.
    pub source: Arc<str>,
    /// The line it begins on.
    pub line: u64,
}

/// A record that is checked.
pub struct Record<'a> {
    /// Where it was read.
    pub place: Place,
    /// Its result.
    pub result: ResultLine<'a>,
    /// Where the record with the same board, or with its reflection, was read, if that is known.
    pub earlier: Option<String>,
}

impl Record<'_> {
    /// Returns the shape of the board.
    pub fn sides(&self) -> Option<(u64, u64)> {
        self.result.number(Field::Rows).zip(self.result.number(Field::Cols))
    }
}
