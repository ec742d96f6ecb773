//! The progress of a run, and the point from which a run resumes.

use rangemap::RangeSet;
use serde::{Deserialize, Serialize};

use super::totals::Counts;
use crate::format::input::Position;
use crate::system::Checksum;

/// The progress of a run: the extent of its output, and the position in its input.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Progress {
    /// The position before which all records have results.
    pub position: Position,
    /// Ranges of later records that have results, each as the number of its first record and one
    /// more than the number of its last.
    pub done: Vec<(u64, u64)>,
    /// The numbers of results by status.
    pub counts: Counts,
    /// The length of the output in bytes.
    pub bytes: u64,
    /// The checksum of the output.
    pub checksum: u64,
}

/// The point from which a run resumes.
#[derive(Debug, Default)]
pub struct ResumePoint {
    /// Records that are skipped because they have results.
    pub done: RangeSet<u64>,
    /// The numbers of results in the output, by status.
    pub counts: Counts,
    /// The length and checksum of the output.
    pub written: Checksum,
}

impl ResumePoint {
    /// Creates the resume point for this progress. `written` must have been verified to match it.
    pub fn new(progress: &Progress, written: Checksum) -> ResumePoint {
        let done = progress.done.iter().filter(|(first, end)| first < end).map(|&(first, end)| first..end).collect();
        ResumePoint { done, counts: progress.counts, written }
    }

    /// Returns the progress of a run whose next position is `position`.
    pub fn progress(&self, position: Position) -> Progress {
        Progress {
            position,
            done: self.done.iter().map(|range| (range.start, range.end)).collect(),
            counts: self.counts,
            bytes: self.written.bytes(),
            checksum: self.written.value(),
        }
    }
}

/// Returns true if a record is done, and the number of consecutive records, beginning with this
/// one, for which the answer is the same.
pub fn done_span(done: &RangeSet<u64>, record: u64) -> (bool, u64) {
    match done.get(&record) {
        Some(range) => (true, range.end - record),
        None => {
            let next = done.overlapping(record..u64::MAX).next();
            (false, next.map_or(u64::MAX, |range| range.start - record))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_reach_to_the_next_change() {
        let progress = Progress { done: vec![(3, 5), (9, 9), (9, 12)], ..Progress::default() };
        let point = ResumePoint::new(&progress, Checksum::default());
        let spans: Vec<_> = [1, 3, 4, 5, 9, 12].iter().map(|&record| done_span(&point.done, record)).collect();
        assert_eq!(spans, [(false, 2), (true, 2), (true, 1), (false, 4), (true, 3), (false, u64::MAX)]);
    }
}
