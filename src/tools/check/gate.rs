//! A sink for a batch. It checks every result.

use std::io::{self, Write};

use super::assertions::{Assertions, Place, Violation};
use super::tally::Tally;
use crate::batch::Sink;
use crate::format::output::Field;
use crate::format::result::{Reading, ResultLine};
use crate::format::text::id_text;

/// The maximum number of records whose places are kept, to name the originals of duplicates.
const MAX_PLACES: usize = 1 << 21;

/// A sink that checks results in order.
pub struct Gate<'a, F> {
    rules: &'a Assertions,
    /// Receives the violations by consecutive records. The next records may take a while.
    report: F,
    /// The violations so far.
    pub tally: Tally,
    /// The places of the records so far, if boards are compared.
    places: Vec<Place>,
}

impl<'a, F: FnMut(&[Violation]) -> io::Result<()>> Gate<'a, F> {
    /// Creates a gate. If `report` fails, the run ends.
    pub fn new(rules: &'a Assertions, report: F) -> Gate<'a, F> {
        Gate { rules, report, tally: Tally::default(), places: Vec::new() }
    }

    /// Returns the violations by a record.
    fn check(&mut self, text: &[u8]) -> io::Result<Vec<Violation>> {
        let result = ResultLine::read(text, Reading::STRICT).map_err(io::Error::other)?;
        let line = result.number(Field::Line).unwrap_or_default();
        let source = self.tally.count_record(result.text(Field::Source).unwrap_or_default(), line);
        let place = Place { source, line, id: result.json(Field::Id).map(|id| id_text(id).into()) };
        let violations = self.rules.check(&place, &result, &|index| self.name_of(index));
        if self.rules.unique.is_some() && self.places.len() < MAX_PLACES {
            self.places.push(place);
        }
        self.tally.add(&violations);
        Ok(violations)
    }

    /// Returns the name of an earlier record for a message.
    fn name_of(&self, index: u64) -> String {
        match usize::try_from(index - 1).ok().and_then(|at| self.places.get(at)) {
            Some(place) => format!("record {index} ({place})"),
            None => format!("record {index}"),
        }
    }
}

impl<F: FnMut(&[Violation]) -> io::Result<()>> Write for Gate<'_, F> {
    /// Checks lines. A batch writes complete lines only.
    fn write(&mut self, lines: &[u8]) -> io::Result<usize> {
        let lines_with_ends = lines.split_inclusive(|&byte| byte == b'\n');
        let violations =
            lines_with_ends.map(|line| self.check(line.trim_ascii_end())).collect::<io::Result<Vec<_>>>()?;
        (self.report)(&violations.concat())?;
        Ok(lines.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<F: FnMut(&[Violation]) -> io::Result<()> + Send> Sink for Gate<'_, F> {}
