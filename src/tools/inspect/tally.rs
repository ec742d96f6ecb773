//! The violations of each file and condition: the first of them, and how many there are.

use std::sync::Arc;

use super::assertions::{Condition, Violation};
use super::sink::Examined;

/// The most violations of one condition that are kept of a file; the rest are counted.
const MAX_KEPT: usize = 20;

/// What was found of each file and condition.
#[derive(Clone, Default, Debug)]
pub struct Tally {
    /// The files that were read, in order.
    pub files: Vec<FileTally>,
    /// Violations by all records together.
    pub of_all: Vec<Violation>,
}

/// What was found in a file.
#[derive(Clone, Debug)]
pub struct FileTally {
    /// As it is shown.
    pub source: Arc<str>,
    /// Its records.
    pub records: u64,
    /// The violations of each of [`Condition::OF_RECORDS`].
    pub violations: [Violations; 6],
}

/// Violations of one condition.
#[derive(Clone, Default, Debug)]
pub struct Violations {
    /// The first of them.
    pub first: Vec<Violation>,
    /// How many there are.
    pub number: u64,
}

impl FileTally {
    /// A file in which nothing was found yet.
    pub fn without_records(source: &str) -> FileTally {
        FileTally { source: source.into(), records: 0, violations: Default::default() }
    }
}

impl Tally {
    /// Adds a record and its violations.
    pub fn add(&mut self, examined: &Examined<'_>, violations: &[Violation]) {
        let place = examined.place.source as usize;
        while self.files.len() <= place {
            let source = Arc::clone(&examined.sources[self.files.len()]);
            self.files.push(FileTally { source, records: 0, violations: Default::default() });
        }
        let file = &mut self.files[place];
        file.records += 1;
        for violation in violations {
            let at = Condition::OF_RECORDS.iter().position(|&condition| condition == violation.condition);
            let Some(kept) = at.and_then(|at| file.violations.get_mut(at)) else { continue };
            kept.number += 1;
            if kept.first.len() < MAX_KEPT {
                kept.first.push(violation.clone());
            }
        }
    }

    /// The number of records in all files.
    pub fn records(&self) -> u64 {
        self.files.iter().map(|file| file.records).sum()
    }

    /// How many violations of a condition there are.
    pub fn number(&self, condition: Condition) -> u64 {
        match Condition::OF_RECORDS.iter().position(|&each| each == condition) {
            Some(at) => self.files.iter().map(|file| file.violations[at].number).sum(),
            None => self.of_all.iter().filter(|violation| violation.condition == condition).count() as u64,
        }
    }
}
