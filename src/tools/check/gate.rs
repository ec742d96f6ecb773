//! The sink of a batch that checks every result.

use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::Arc;

use super::assertions::{Assertions, Violation};
use super::record::{Place, Record};
use super::tally::Tally;
use crate::batch::Sink;
use crate::format::json_object::id_text;
use crate::format::output::Field;
use crate::format::result::{Reading, ResultLine};

/// A receiver of violations.
pub trait Report: Send {
    /// Reports a violation. The receiver may buffer it.
    ///
    /// # Errors
    /// When it cannot be written. The run ends.
    fn violation(&mut self, violation: &Violation) -> io::Result<()>;

    /// Shows buffered violations, because the next records may take a while.
    ///
    /// # Errors
    /// When it cannot be written. The run ends.
    fn flush(&mut self) -> io::Result<()>;
}

/// The maximum number of records whose places are kept to name duplicates.
const MOST_PLACES: usize = 1 << 24;

/// The maximum number of ids that are kept to name duplicates.
const MOST_IDS: usize = 1 << 20;

/// A sink that checks results in order.
pub struct Gate<'a, R> {
    rules: &'a Assertions,
    /// The receiver of violations.
    pub report: R,
    /// The tally of each file.
    pub tally: Tally,
    /// The file and line of each record, if boards are compared.
    places: Vec<(u32, u32)>,
    /// The ids of records by number, if boards are compared.
    ids: HashMap<u64, Arc<str>>,
}

impl<'a, R: Report> Gate<'a, R> {
    /// Creates a gate.
    pub fn new(rules: &'a Assertions, report: R) -> Gate<'a, R> {
        Gate { rules, report, tally: Tally::default(), places: Vec::new(), ids: HashMap::new() }
    }

    fn check(&mut self, line: &[u8]) -> io::Result<()> {
        let result = ResultLine::read(line, Reading::STRICT).map_err(io::Error::other)?;
        let source = result.text(Field::Source).unwrap_or_default();
        let at = result.number(Field::Line).unwrap_or_default();
        let (number, source) = self.tally.file(source, at);
        if self.rules.unique.is_some() && self.places.len() < MOST_PLACES {
            self.places.push((number, u32::try_from(at).unwrap_or(u32::MAX)));
        }
        let id = result.json(Field::Id).map(|id| Arc::from(id_text(id)));
        if let (Some(index), Some(id), true) = (result.number(Field::Index), &id, self.rules.unique.is_some())
            && self.ids.len() < MOST_IDS
        {
            self.ids.insert(index, Arc::clone(id));
        }
        let place = Place { source, line: at, id };
        let earlier = result.number(Field::DuplicateOf).or(result.number(Field::ReflectionOf));
        let earlier = earlier.map(|index| self.named(index));
        let mut violations = Vec::new();
        self.rules.check(&Record { place, result, earlier }, &mut |violation| violations.push(violation));
        self.tally.add(&violations);
        violations.iter().try_for_each(|violation| self.report.violation(violation))
    }

    /// Returns the name of a record for a message.
    fn named(&self, index: u64) -> String {
        let place = usize::try_from(index - 1).ok().and_then(|at| self.places.get(at));
        match place {
            Some(&(file, line)) => {
                let (source, id) = (Arc::clone(&self.tally.files[file as usize].source), self.ids.get(&index).cloned());
                format!("record {index} ({})", Place { source, line: line.into(), id })
            }
            None => format!("record {index}"),
        }
    }
}

impl<R: Report> Write for Gate<'_, R> {
    /// Checks lines. A batch writes complete lines only.
    fn write(&mut self, lines: &[u8]) -> io::Result<usize> {
        let whole = lines.split_inclusive(|&byte| byte == b'\n');
        whole.map(<[u8]>::trim_ascii_end).try_for_each(|line| self.check(line))?;
        self.report.flush()?;
        Ok(lines.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.report.flush()
    }
}

impl<R: Report> Sink for Gate<'_, R> {}
