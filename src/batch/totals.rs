//! The totals of a run: counts by status, nodes, the slowest board.

use std::time::Duration;

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use super::active_searches::ActiveSearches;
use super::earlier::RepeatCounts;
use crate::format::input::InputError;
use crate::format::output::Verdict;
use crate::system::{Accuracy, RemainingWork};

/// The numbers of records by status.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Counts {
    /// Solved records.
    pub solved: u64,
    /// Solved records whose paths are not proven shortest.
    #[serde(default)]
    pub unproven: u64,
    /// Boards without a solution.
    pub unsolvable: u64,
    /// Solvable boards, in runs that do not request solutions.
    #[serde(default)]
    pub solvable: u64,
    /// Boards for which a limit was reached before a path was found.
    pub unsolved: u64,
    /// Records that are not boards.
    pub invalid: u64,
    /// Records on which the program failed.
    pub error: u64,
    /// Records that a file lacks, although its count line (the line that states the number of
    /// records) promises them. They have no results, and are not included in [`Counts::records`].
    #[serde(default)]
    pub missing: u64,
}

impl Counts {
    /// Counts one record.
    pub(crate) fn add(&mut self, verdict: &Verdict<'_>) {
        match verdict {
            Verdict::Solved(_) => self.solved += 1,
            Verdict::Found { .. } => {
                self.solved += 1;
                self.unproven += u64::from(verdict.is_unproven());
            }
            Verdict::Unsolvable => self.unsolvable += 1,
            Verdict::Solvable => self.solvable += 1,
            Verdict::Unsolved { .. } => self.unsolved += 1,
            Verdict::Invalid(_) => self.invalid += 1,
            Verdict::Failed(_) => self.error += 1,
        }
    }

    /// Adds other counts.
    pub(crate) fn merge(&mut self, other: &Counts) {
        self.solved += other.solved;
        self.unproven += other.unproven;
        self.unsolvable += other.unsolvable;
        self.solvable += other.solvable;
        self.unsolved += other.unsolved;
        self.invalid += other.invalid;
        self.error += other.error;
        self.missing += other.missing;
    }

    /// Returns the number of records that have results.
    pub fn records(&self) -> u64 {
        self.solved + self.unsolvable + self.solvable + self.unsolved + self.invalid + self.error
    }
}

/// The board that took longest.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Slowest {
    /// The number of its record.
    pub index: u64,
    /// The source of the record.
    pub source: String,
    /// The line on which the record begins.
    pub line: u64,
    /// The id of the record, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The time that the board took. Written in seconds, truncated to microseconds.
    #[serde(rename = "seconds", serialize_with = "as_seconds")]
    pub time: Duration,
}

fn as_seconds<S: serde::Serializer>(time: &Duration, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_f64(time.as_micros() as f64 / 1e6)
}

/// The estimated work of the boards of a run that need a search.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Estimates {
    /// Boards whose searches take at most [`Estimates::REACH`].
    pub in_reach: u64,
    /// The estimated total time of these searches on one thread.
    pub time: Duration,
    /// Boards whose searches would take longer than [`Estimates::REACH`].
    pub out_of_reach: u64,
    /// Boards whose work is not known.
    pub unknown: u64,
}

impl Estimates {
    /// The maximum time of a search in reach, on one thread: a day.
    pub const REACH: Duration = Duration::from_secs(24 * 60 * 60);

    /// Adds a board, with the time of its search if it is known.
    pub(super) fn add(&mut self, time: Option<Duration>) {
        match time {
            None => self.unknown += 1,
            Some(time) if time > Estimates::REACH => self.out_of_reach += 1,
            Some(time) => {
                self.in_reach += 1;
                self.time = self.time.saturating_add(time);
            }
        }
    }
}

/// The number of records, as far as known.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Total {
    /// Not known.
    #[default]
    Unknown,
    /// A lower bound.
    AtLeast(u64),
    /// An estimate from the bytes of the records read so far.
    About(u64),
    /// The exact number, because all records were read.
    Exactly(u64),
}

impl Total {
    /// Returns the number.
    pub fn number(self) -> Option<u64> {
        match self {
            Total::Unknown => None,
            Total::AtLeast(number) | Total::About(number) | Total::Exactly(number) => Some(number),
        }
    }
}

/// The numbers of a run at one time.
#[derive(Clone, Default, Debug)]
pub struct Numbers {
    /// The numbers of records written, by status.
    pub counts: Counts,
    /// Records that have results, written or waiting for earlier ones.
    pub done: u64,
    /// The number of records whose results an earlier run has written.
    pub done_before: u64,
    /// The number of records, as far as known.
    pub expected: Total,
    /// The slowest of the boards that were searched; boards from full tables are not timed.
    pub slowest: Option<Slowest>,
    /// Nodes generated by searches.
    pub nodes: u64,
    /// Bytes of input read, as stored in the files.
    pub bytes_read: u64,
    /// Bytes of results written.
    pub bytes_written: u64,
    /// Inputs that could not be read completely.
    pub failed_inputs: u64,
    /// The numbers of boards that occurred before.
    pub repeats: RepeatCounts,
    /// The maximum number of boards that are kept to find those that occurred before.
    pub max_kept_boards: usize,
    /// The estimated work, if it was requested.
    pub estimates: Estimates,
}

/// The totals of a run, which other threads can read at any time to show progress.
#[derive(Debug, Default)]
pub struct Totals {
    numbers: Mutex<Numbers>,
    /// The errors of the inputs that this run could not read completely.
    input_errors: Mutex<Vec<InputError>>,
    active_searches: ActiveSearches,
}

impl Totals {
    /// Returns the current numbers.
    pub fn numbers(&self) -> Numbers {
        self.numbers.lock().clone()
    }

    /// Returns the numbers of records written, by status.
    pub fn counts(&self) -> Counts {
        self.numbers.lock().counts
    }

    /// Returns the number of inputs that could not be read completely.
    pub fn failed_inputs(&self) -> u64 {
        self.numbers.lock().failed_inputs
    }

    /// Returns the active searches.
    pub fn active_searches(&self) -> &ActiveSearches {
        &self.active_searches
    }

    /// Changes the numbers. `change` must be short, because other threads wait for it.
    pub(super) fn update(&self, change: impl FnOnce(&mut Numbers)) {
        change(&mut self.numbers.lock());
    }

    pub(super) fn add_failed_input(&self, error: InputError) {
        self.update(|numbers| numbers.failed_inputs += 1);
        self.input_errors.lock().push(error);
    }

    /// Takes the errors of the inputs of this run that could not be read completely, in order.
    pub fn take_input_errors(&self) -> Vec<InputError> {
        std::mem::take(&mut self.input_errors.lock())
    }
}

impl Numbers {
    /// Sets the expected total from the number of records read and the remaining work. `skipped` of
    /// the records were done by an earlier run.
    pub(super) fn set_expected(&mut self, read: u64, skipped: u64, remaining: RemainingWork) {
        let more = (read.saturating_sub(skipped) as f64 * remaining.ratio).round() as u64;
        let total = read.saturating_add(more);
        self.expected = match remaining.accuracy {
            Accuracy::AtLeast => Total::AtLeast(total),
            // The bytes to come are known exactly, but not the number of records in them.
            Accuracy::Exact if more > 0 => Total::About(total),
            Accuracy::Exact => Total::Exactly(total),
        };
    }
}
