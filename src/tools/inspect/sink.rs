//! Where examined records go.

use std::io;
use std::sync::Arc;

use super::duplicates::{Occurrence, Place};
use super::facts::Facts;
use crate::format::input::InputError;

/// What is known of a record, and whether it occurred before.
pub struct Examined<'a> {
    /// Where it was read.
    pub place: Place,
    /// The files that were read so far, as they are shown; [`Place::source`] is an index into them.
    pub sources: &'a [Arc<str>],
    /// What is known of it alone.
    pub facts: &'a Facts,
    /// Whether it occurred before; `None`: it is no board, or this was not asked for.
    pub occurrence: Option<Occurrence>,
}

/// Takes records as they are examined, in order.
pub trait Sink {
    /// Takes one.
    ///
    /// # Errors
    /// When it cannot be taken: the run ends.
    fn record(&mut self, examined: &Examined<'_>) -> io::Result<()>;

    /// An input could not be read, or not to its end. Users were warned already.
    fn failed_input(&mut self, _error: InputError) {}

    /// The next records take a while: those that were taken should be written.
    ///
    /// # Errors
    /// When they cannot be written: the run ends.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
