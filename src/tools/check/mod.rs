//! Conditions on a set of boards, checked record by record on the results of a batch.
//!
//! A check requests the fields that its conditions need ([`Assertions::fields`]) and reads every
//! result as it is written ([`Gate`]). So boards are solved and compared, and their solutions
//! counted, by the same code as in `solve`, and only if a condition needs it. For each condition
//! and file, the first few violations are kept and the others counted ([`CheckTally`]).

mod assertions;

use std::io::{self, Write};
use std::sync::Arc;

use crate::batch::Sink;
use crate::format::output::Field;
use crate::format::result::{ReadMode, ResultLine};
use crate::format::text::id_text;
use crate::tools::text::escaped_start;
pub use assertions::{Assertions, Condition, RecordPlace, Violation};

/// The maximum number of records whose places are kept. The message about a duplicate names the
/// place of the earlier record.
const MAX_PLACES: usize = 1 << 21;

/// The maximum number of violations kept per file and condition; the rest are only counted.
const MAX_KEPT: usize = 20;

/// A sink that checks results in order.
pub struct Gate<'a, F> {
    rules: &'a Assertions,
    /// Receives the violations after each write of results, because the next results may take a
    /// while.
    report: F,
    /// The violations so far.
    pub tally: CheckTally,
    /// The places of the records so far, if boards are compared.
    places: Vec<RecordPlace>,
}

impl<'a, F: FnMut(&[Violation]) -> io::Result<()>> Gate<'a, F> {
    /// Creates a gate. If `report` fails, the run ends.
    pub fn new(rules: &'a Assertions, report: F) -> Gate<'a, F> {
        Gate { rules, report, tally: CheckTally::default(), places: Vec::new() }
    }

    /// Checks the result of a record, and returns its violations.
    fn check(&mut self, text: &[u8]) -> io::Result<Vec<Violation>> {
        let result = ResultLine::read(text, ReadMode::STRICT).map_err(io::Error::other)?;
        let line = result.number(Field::Line).unwrap_or_default();
        let source = self.tally.count_record(result.text(Field::Source).unwrap_or_default());
        let place =
            RecordPlace { source, line, id: result.json(Field::Id).map(|id| escaped_start(&id_text(id), 160).into()) };
        let violations = self.rules.check(&place, &result, &|index| self.name_of(index));
        if self.rules.has(Condition::Unique) && self.places.len() < MAX_PLACES {
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

/// The violations of all files and conditions.
#[derive(Clone, Default, Debug)]
pub struct CheckTally {
    /// The files in the order in which they were read.
    pub files: Vec<FileTally>,
    /// The violations of conditions on the whole set of boards.
    pub whole_set_violations: Vec<Violation>,
}

/// The violations in a file.
#[derive(Clone, Debug)]
pub struct FileTally {
    /// The file's name as shown.
    pub source: Arc<str>,
    /// The number of records.
    pub records: u64,
    /// The violations of each condition.
    pub violations: [Violations; Condition::ALL.len()],
}

/// The violations of one condition.
#[derive(Clone, Default, Debug)]
pub struct Violations {
    /// The first violations.
    pub first: Vec<Violation>,
    /// The number of violations.
    pub number: u64,
}

impl FileTally {
    /// Creates the tally of a file without records.
    pub fn without_records(source: &str) -> FileTally {
        FileTally { source: source.into(), records: 0, violations: Default::default() }
    }
}

impl CheckTally {
    /// Counts a record of `source` and returns the name of its file. A file named twice in a row
    /// counts as one.
    pub fn count_record(&mut self, source: &str) -> Arc<str> {
        if self.files.last().is_none_or(|last| *last.source != *source) {
            self.files.push(FileTally::without_records(source));
        }
        let last = self.files.len() - 1;
        let file = &mut self.files[last];
        file.records += 1;
        Arc::clone(&file.source)
    }

    /// Adds the violations of the last record.
    pub fn add(&mut self, violations: &[Violation]) {
        let Some(file) = self.files.last_mut() else { return };
        for violation in violations {
            let violations = &mut file.violations[violation.condition as usize];
            violations.number += 1;
            if violations.first.len() < MAX_KEPT {
                violations.first.push(violation.clone());
            }
        }
    }

    /// Returns the number of records in all files.
    pub fn records(&self) -> u64 {
        self.files.iter().map(|file| file.records).sum()
    }

    /// Returns the number of violations of a condition.
    pub fn number(&self, condition: Condition) -> u64 {
        let in_files: u64 = self.files.iter().map(|file| file.violations[condition as usize].number).sum();
        let of_whole_set = self.whole_set_violations.iter().filter(|violation| violation.condition == condition);
        in_files + of_whole_set.count() as u64
    }
}
