//! How far a run has come, and where one goes on.

use rangemap::RangeSet;
use serde::{Deserialize, Serialize};

use super::totals::Counts;
use crate::format::input::Position;
use crate::system::Checksum;

/// How far a run has come: what its output holds, and where its input goes on.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Progress {
    /// All records before it have their results.
    pub position: Position,
    /// Records behind it that have theirs: their numbers, from each first one to before each second one.
    pub done: Vec<(u64, u64)>,
    /// Results by status.
    pub counts: Counts,
    /// Bytes of the output that hold them.
    pub bytes: u64,
    /// The checksum of those bytes.
    pub checksum: u64,
}

/// Where a run goes on.
#[derive(Debug, Default)]
pub struct ResumePoint {
    /// Records that are not to be solved, for they have their results.
    pub done: RangeSet<u64>,
    /// Results in the output, by status.
    pub counts: Counts,
    /// The output's bytes.
    pub written: Checksum,
}

impl ResumePoint {
    /// The point to go on from after this progress, when the output's bytes were found to be as it says.
    pub fn new(progress: &Progress, written: Checksum) -> ResumePoint {
        let done = progress.done.iter().filter(|(first, end)| first < end).map(|&(first, end)| first..end).collect();
        ResumePoint { done, counts: progress.counts, written }
    }

    /// The progress of a run that reads on from this position.
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

/// Whether this record is done, and for how many records, from this one on, the answer is the same.
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
