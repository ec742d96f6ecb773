//! The names of records in messages.

use std::fmt;
use std::sync::Arc;

/// The place of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The file's name as shown.
    pub source: Arc<str>,
    /// The line on which the record starts.
    pub line: u64,
    /// The record's id as text, if it has one.
    pub id: Option<Arc<str>>,
}

impl Place {
    /// Returns the record's name within its file.
    pub fn short_name(&self) -> String {
        self.id.as_ref().map_or_else(|| format!("line {}", self.line), |id| id.to_string())
    }
}

/// Formats the file and the line, and the id if there is one.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.source, self.line)?;
        self.id.as_ref().map_or(Ok(()), |id| write!(f, ": {id}"))
    }
}
