//! The violations of each condition in each file: the first few, and the number of all.

use std::sync::Arc;

use super::assertions::{Condition, Violation};

/// The maximum number of violations kept per file and condition; the rest are only counted.
const MAX_KEPT: usize = 20;

/// The violations of all files and conditions.
#[derive(Clone, Default, Debug)]
pub struct Tally {
    /// The files in the order in which they were read.
    pub files: Vec<FileTally>,
    /// Violations of conditions on the whole set of boards.
    pub whole_set_violations: Vec<Violation>,
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
    /// The violations of each condition.
    pub violations: [Violations; Condition::ALL.len()],
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
    /// Counts a record on this line of `source` and returns the name of its file. A file named
    /// twice in a row counts as one, unless its line numbers start again.
    pub fn count_record(&mut self, source: &str, line: u64) -> Arc<str> {
        let is_same = |last: &FileTally| *last.source == *source && last.last_line <= line;
        if !self.files.last().is_some_and(is_same) {
            self.files.push(FileTally::without_records(source));
        }
        let last = self.files.len() - 1;
        let file = &mut self.files[last];
        (file.records, file.last_line) = (file.records + 1, line);
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
