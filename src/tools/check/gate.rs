//! A sink for a batch. It checks every result.

use std::io::{self, Write};

use super::assertions::{Assertions, Place, Violation};
use super::tally::Tally;
use crate::batch::Sink;
use crate::format::json_object::id_text;
use crate::format::output::Field;
use crate::format::result::{Reading, ResultLine};

/// A receiver of violations.
pub trait Reporter: Send {
    /// Reports a violation. The receiver may buffer it.
    ///
    /// # Errors
    /// When it cannot be written. The run ends.
    fn violation(&mut self, violation: &Violation) -> io::Result<()>;

    /// Shows buffered violations, because the next records may take a while.
    ///
    /// # Errors
    /// When they cannot be written. The run ends.
    fn flush(&mut self) -> io::Result<()>;
}

/// The maximum number of records whose places are kept, to name the originals of duplicates.
const MAX_PLACES: usize = 1 << 21;

/// A sink that checks results in order.
pub struct Gate<'a, R> {
    rules: &'a Assertions,
    /// The receiver of violations.
    pub reporter: R,
    /// The violations so far.
    pub tally: Tally,
    /// The places of the records so far, if boards are compared.
    places: Vec<Place>,
}

impl<'a, R: Reporter> Gate<'a, R> {
    /// Creates a gate.
    pub fn new(rules: &'a Assertions, reporter: R) -> Gate<'a, R> {
        Gate { rules, reporter, tally: Tally::default(), places: Vec::new() }
    }

    fn check(&mut self, text: &[u8]) -> io::Result<()> {
        let result = ResultLine::read(text, Reading::STRICT).map_err(io::Error::other)?;
        let line = result.number(Field::Line).unwrap_or_default();
        let source = self.tally.count_record(result.text(Field::Source).unwrap_or_default(), line);
        let place = Place { source, line, id: result.json(Field::Id).map(|id| id_text(id).into()) };
        let violations = self.rules.check(&place, &result, &|index| self.name_of(index));
        if self.rules.unique.is_some() && self.places.len() < MAX_PLACES {
            self.places.push(place);
        }
        self.tally.add(&violations);
        violations.iter().try_for_each(|violation| self.reporter.violation(violation))
    }

    /// Returns the name of an earlier record for a message.
    fn name_of(&self, index: u64) -> String {
        match usize::try_from(index - 1).ok().and_then(|at| self.places.get(at)) {
            Some(place) => format!("record {index} ({place})"),
            None => format!("record {index}"),
        }
    }
}

impl<R: Reporter> Write for Gate<'_, R> {
    /// Checks lines. A batch writes complete lines only.
    fn write(&mut self, lines: &[u8]) -> io::Result<usize> {
        let lines_with_ends = lines.split_inclusive(|&byte| byte == b'\n');
        lines_with_ends.map(<[u8]>::trim_ascii_end).try_for_each(|line| self.check(line))?;
        self.reporter.flush()?;
        Ok(lines.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.reporter.flush()
    }
}

impl<R: Reporter> Sink for Gate<'_, R> {}
