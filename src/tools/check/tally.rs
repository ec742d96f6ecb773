//! The violations of each file and condition: the first few and their number.

use std::sync::Arc;

use super::assertions::{Condition, Violation};

/// The maximum number of violations kept per file and condition; the rest are counted.
const MAX_KEPT: usize = 20;

/// The violations of all files and conditions.
#[derive(Clone, Default, Debug)]
pub struct Tally {
    /// The files in the order in which they were read.
    pub files: Vec<FileTally>,
    /// Violations by all records together.
    pub of_all: Vec<Violation>,
}

/// The violations in a file.
#[derive(Clone, Debug)]
pub struct FileTally {
    /// The file's name as shown.
    pub source: Arc<str>,
    /// The number of records.
    pub records: u64,
    /// The line of the last record.
    last_line: u64,
    /// The violations of each of [`Condition::OF_RECORDS`].
    pub violations: [Violations; 6],
}

/// Violations of one condition.
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
        FileTally { source: source.into(), records: 0, last_line: 0, violations: Default::default() }
    }
}

impl Tally {
    /// Counts a record on this line of `source` and returns the number and name of its file. A file
    /// named twice in a row counts as one, unless its line numbers start again.
    pub fn file(&mut self, source: &str, line: u64) -> (u32, Arc<str>) {
        let is_same = |last: &FileTally| *last.source == *source && last.last_line <= line;
        if !self.files.last().is_some_and(is_same) {
            let name = shared(self.files.last().map(|last| &last.source), source);
            self.files.push(FileTally { source: name, ..FileTally::without_records(source) });
        }
        let number = self.files.len() - 1;
        let file = &mut self.files[number];
        (file.records, file.last_line) = (file.records + 1, line);
        (number as u32, Arc::clone(&file.source))
    }

    /// Adds the violations of the last record.
    pub fn add(&mut self, violations: &[Violation]) {
        let Some(file) = self.files.last_mut() else { return };
        for violation in violations {
            let at = Condition::OF_RECORDS.iter().position(|&condition| condition == violation.condition);
            let Some(kept) = at.and_then(|at| file.violations.get_mut(at)) else { continue };
            kept.number += 1;
            if kept.first.len() < MAX_KEPT {
                kept.first.push(violation.clone());
            }
        }
    }

    /// Returns the number of records in all files.
    pub fn records(&self) -> u64 {
        self.files.iter().map(|file| file.records).sum()
    }

    /// Returns the number of violations of a condition.
    pub fn number(&self, condition: Condition) -> u64 {
        match Condition::OF_RECORDS.iter().position(|&each| each == condition) {
            Some(at) => self.files.iter().map(|file| file.violations[at].number).sum(),
            None => self.of_all.iter().filter(|violation| violation.condition == condition).count() as u64,
        }
    }
}

/// Returns the name of a file, shared with the last one if it is the same.
fn shared(last: Option<&Arc<str>>, source: &str) -> Arc<str> {
    last.filter(|last| ***last == *source).map_or_else(|| source.into(), Arc::clone)
}
