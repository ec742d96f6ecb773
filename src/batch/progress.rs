//! The progress of a run: the records whose results are in the output, and the input position from
//! which the other records must be read.
//!
//! The reader adds each chunk with the position before it, and the writer adds the results that it
//! has written. All records before the first incomplete chunk are done. In unordered runs, later
//! records may also be done; they are kept as ranges. The window bounds the number of incomplete
//! chunks, and adjacent ranges are merged. So the state stays small, however long a board takes.

use std::collections::BTreeMap;
use std::io::{self, Write};

use rangemap::RangeSet;
use serde::{Deserialize, Serialize};

use super::chunk_results::Coverage;
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
    /// Creates the resume point for this progress. `written` must have been verified to match the
    /// progress.
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

/// A destination that any thread can write to.
pub trait Sink: Write + Send {
    /// Returns the journal that keeps the progress of the run, if the run can be resumed.
    fn journal(&mut self) -> Option<&mut dyn Journal> {
        None
    }
}

impl Sink for Vec<u8> {}

/// A log of the progress of a run.
pub trait Journal {
    /// Returns the point from which the run resumes. Called once, at the start.
    fn resume_point(&mut self) -> ResumePoint;

    /// Returns true if enough time has passed since the last entry.
    fn is_due(&self) -> bool;

    /// Adds an entry, unless the previous entry is still being written. `progress` describes
    /// everything that was written to the sink. The entry may become durable later. Returns true if
    /// it was added.
    ///
    /// # Errors
    /// If this or an earlier entry cannot be made durable. Then the run ends.
    fn commit(&mut self, progress: Progress) -> io::Result<bool>;

    /// Adds the entry with the final progress, which is durable on return.
    ///
    /// # Errors
    /// If this or an earlier entry cannot be made durable.
    fn conclude(&mut self, progress: Progress) -> io::Result<()>;
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

/// A chunk that is not completely written.
#[derive(Debug)]
struct IncompleteChunk {
    /// The position in the input before the chunk.
    before: Position,
    /// The number of the chunk's first record.
    first: u64,
    /// One more than the number of the chunk's last record.
    end: u64,
    /// The number of records whose results are not written.
    unwritten: u64,
}

/// The records of a run whose results are written.
#[derive(Debug)]
pub struct CompletedRecords {
    /// The incomplete chunks by number.
    incomplete: BTreeMap<u64, IncompleteChunk>,
    /// The position after the last chunk that was read.
    read_to: Position,
    /// The results written, by earlier runs and by this one.
    so_far: ResumePoint,
    /// By the number of a chunk: the number of records missing from the inputs that ended before
    /// it. A record is missing if a count line, which states the number of records, promises it.
    missing: BTreeMap<u64, u64>,
}

impl CompletedRecords {
    /// Creates the state of a run that resumes from `start` and reads from this position.
    pub fn new(position: Position, start: ResumePoint) -> CompletedRecords {
        let (incomplete, missing) = (BTreeMap::new(), BTreeMap::new());
        CompletedRecords { incomplete, read_to: position, so_far: start, missing }
    }

    /// Adds a chunk that was read. Its records are between the two positions. `missing` is the
    /// number of records that count lines promise but that the inputs lack, for the inputs that
    /// ended after the previous chunk.
    pub fn add_chunk(&mut self, (number, missing): (u64, u64), before: Position, records: u64, after: Position) {
        if missing > 0 {
            self.missing.insert(number, missing);
        }
        let first = after.records + 1 - records;
        self.incomplete.insert(number, IncompleteChunk { before, first, end: first + records, unwritten: records });
        self.read_to = after;
    }

    /// Adds written results of a chunk.
    pub fn add_results(&mut self, number: u64, coverage: &Coverage, text: &[u8], counts: &Counts) {
        self.so_far.written.update(text);
        self.so_far.counts.merge(counts);
        let Some(chunk) = self.incomplete.get_mut(&number) else { return };
        let done = &mut self.so_far.done;
        match coverage {
            // The run is unordered (others do not add this output), so there are no results.
            Coverage::Cut => {}
            Coverage::All => chunk.unwritten = 0,
            &Coverage::One(record) => {
                done.insert(record..record + 1);
                chunk.unwritten -= 1;
            }
            Coverage::AllBut(records) => {
                let mut from = chunk.first;
                for &record in records {
                    if from < record {
                        done.insert(from..record);
                    }
                    from = record + 1;
                }
                if from < chunk.end {
                    done.insert(from..chunk.end);
                }
                chunk.unwritten = records.len() as u64;
            }
        }
        if chunk.unwritten == 0 {
            done.insert(chunk.first..chunk.end);
            self.incomplete.remove(&number);
        }
        let first = self.position().records + 1;
        if self.so_far.done.first().is_some_and(|range| range.start < first) {
            self.so_far.done.remove(0..first);
        }
    }

    /// Returns the progress of the run.
    pub fn progress(&self) -> Progress {
        let mut progress = self.so_far.progress(self.position().clone());
        // A run that resumes at the first incomplete chunk will read the end of the previous input
        // again, and count the records missing there. So they are not counted here.
        let next = self.incomplete.first_key_value().map_or(u64::MAX, |(&number, _)| number);
        progress.counts.missing += self.missing.range(..next).map(|(_, missing)| missing).sum::<u64>();
        progress
    }

    fn position(&self) -> &Position {
        self.incomplete.first_key_value().map_or(&self.read_to, |(_, chunk)| &chunk.before)
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

    fn at(records: u64) -> Position {
        Position { records, ..Position::default() }
    }

    /// Returns the state after chunks of 10, 1 and 5 records were read.
    fn completed() -> CompletedRecords {
        let mut completed = CompletedRecords::new(at(0), ResumePoint::default());
        completed.add_chunk((0, 0), at(0), 10, at(10));
        completed.add_chunk((1, 0), at(10), 1, at(11));
        completed.add_chunk((2, 0), at(11), 5, at(16));
        completed
    }

    fn progress(completed: &CompletedRecords) -> (u64, Vec<(u64, u64)>) {
        let progress = completed.progress();
        (progress.position.records, progress.done)
    }

    #[test]
    fn ordered_progress_is_a_position() {
        let mut completed = completed();
        assert_eq!(progress(&completed), (0, vec![]));
        completed.add_results(0, &Coverage::All, b"abc", &Counts { solved: 10, ..Counts::default() });
        assert_eq!(progress(&completed), (10, vec![]));
        completed.add_results(1, &Coverage::All, b"d", &Counts { solved: 1, ..Counts::default() });
        completed.add_results(2, &Coverage::All, b"", &Counts::default());
        assert_eq!(progress(&completed), (16, vec![]));
        let complete = completed.progress();
        assert_eq!((complete.counts.solved, complete.bytes, complete.checksum), (11, 4, Checksum::of(b"abcd")));
    }

    /// Missing records are not counted while a resumed run would count them again.
    #[test]
    fn missing_records_are_counted_once() {
        let mut completed = CompletedRecords::new(at(0), ResumePoint::default());
        completed.add_chunk((0, 0), at(0), 10, at(10));
        completed.add_chunk((1, 7), at(10), 1, at(11));
        let missing = |completed: &CompletedRecords| completed.progress().counts.missing;
        completed.add_results(1, &Coverage::All, b"", &Counts::default());
        assert_eq!(missing(&completed), 0);
        completed.add_results(0, &Coverage::All, b"", &Counts::default());
        assert_eq!((missing(&completed), missing(&completed)), (7, 7));
        let start = ResumePoint::new(&completed.progress(), Checksum::default());
        assert_eq!(missing(&CompletedRecords::new(at(11), start)), 7);
    }

    #[test]
    fn unordered_progress_is_a_position_and_ranges() {
        let mut completed = completed();
        let mut add = |number, coverage| {
            completed.add_results(number, &coverage, b"", &Counts::default());
            progress(&completed)
        };
        assert_eq!(add(2, Coverage::AllBut(vec![12, 14])), (0, vec![(13, 14), (15, 17)]));
        assert_eq!(add(0, Coverage::AllBut(vec![10])), (0, vec![(1, 10), (13, 14), (15, 17)]));
        assert_eq!(add(2, Coverage::One(14)), (0, vec![(1, 10), (13, 17)]));
        assert_eq!(add(1, Coverage::Cut), (0, vec![(1, 10), (13, 17)]));
        assert_eq!(add(0, Coverage::One(10)), (10, vec![(13, 17)]));
        assert_eq!(add(2, Coverage::One(12)), (10, vec![(12, 17)]));
        assert_eq!(add(1, Coverage::All), (16, vec![]));
    }
}
