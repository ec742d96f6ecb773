//! The active searches of a run: their progress, and snapshots from which another run can resume
//! them.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use crate::board::frame::Space;
use crate::engine::{SearchLog, SearchProgress, SearchSnapshot};

/// A snapshot of a search, with the key of the search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedSearch {
    /// The key of the search as text.
    #[serde(rename = "board")]
    pub key: String,
    /// The snapshot.
    pub snapshot: SearchSnapshot,
}

/// The key of a search for a shortest path: the space of the board's canonical frame
/// ([`crate::board::frame`]), and the state of the board in this frame, packed into bits.
pub type BoardKey = (Space, u128);

/// Returns the key as text.
fn key_text((space, board): &BoardKey) -> String {
    let letters: String = space.order.iter().map(|step| char::from(step.letter())).collect();
    format!("{} {} {letters} {board:032x}", space.shape, space.goal_blank.index())
}

/// The progress of a search, shown to the user.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchStatus {
    /// The source of the record.
    pub source: Arc<str>,
    /// The line on which the record begins.
    pub line: u64,
    /// The progress of the search.
    pub progress: SearchProgress,
}

/// The active searches.
#[derive(Debug, Default)]
pub struct ActiveSearches(Mutex<TrackedSearches>);

#[derive(Debug, Default)]
struct TrackedSearches {
    /// The active searches, in ascending order of their numbers.
    active: Vec<ActiveSearch>,
    /// The number of the next search.
    next: u64,
    /// Snapshots of long searches that have finished, but whose results are not yet durable.
    finished: VecDeque<FinishedSearch>,
    /// The number of checkpoints that have begun.
    checkpoints: u64,
    /// The size of the snapshots in `finished`, in bytes.
    finished_bytes: usize,
    /// The minimum duration of the searches in `finished`, except for resumed ones. If `None`, no
    /// finished search is kept.
    min_duration: Option<Duration>,
    /// Snapshots of searches that an earlier run or the end of this run has interrupted, by key,
    /// until the searches are resumed.
    interrupted: HashMap<String, SearchSnapshot>,
}

#[derive(Debug)]
struct ActiveSearch {
    number: u64,
    key: Option<BoardKey>,
    source: Arc<str>,
    line: u64,
    /// The number of the record's chunk.
    chunk: u64,
    log: SearchLog,
    began: Instant,
    /// True if this search resumes an earlier one. Then its snapshot is kept, however short the
    /// search is.
    is_resumed: bool,
}

/// The snapshot of a finished search whose result is not yet durable.
#[derive(Debug)]
struct FinishedSearch {
    chunk: u64,
    /// The number of the checkpoint at whose beginning this snapshot is dropped; `None` until the
    /// result is written. When this checkpoint begins, the previous one, which includes the result,
    /// has succeeded.
    dropped_at: Option<u64>,
    saved: SavedSearch,
}

/// Maximum size in bytes of the snapshots of finished searches. The oldest ones are dropped first.
const MAX_FINISHED_BYTES: usize = 4 << 20;

/// The way in which a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// With a result.
    Finished,
    /// By the end of the run.
    Interrupted,
}

impl ActiveSearches {
    /// Adds the snapshots of an earlier run. From now on, also keeps the snapshots of finished
    /// searches that took at least `min_duration`, until their results are durable.
    pub fn keep(&self, saved: Vec<SavedSearch>, min_duration: Duration) {
        let mut searches = self.0.lock();
        searches.interrupted.extend(saved.into_iter().map(|SavedSearch { key, snapshot }| (key, snapshot)));
        searches.min_duration = Some(min_duration);
    }

    /// Drops everything. Called when all results are written.
    pub fn forget_all(&self) {
        *self.0.lock() = TrackedSearches::default();
    }

    /// Records that a chunk was written.
    pub(super) fn mark_written(&self, chunk: u64) {
        let mut searches = self.0.lock();
        let dropped_at = Some(searches.checkpoints + 2);
        let results = searches.finished.iter_mut().filter(|finished| finished.chunk == chunk);
        results.for_each(|finished| finished.dropped_at = dropped_at);
    }

    /// Records that the previous checkpoint has succeeded, and that a checkpoint of everything
    /// written so far has begun.
    pub(super) fn checkpoint_begun(&self) {
        let mut searches = self.0.lock();
        let TrackedSearches { finished, finished_bytes, checkpoints, .. } = &mut *searches;
        *checkpoints += 1;
        finished.retain(|finished| finished.dropped_at.is_none_or(|at| at > *checkpoints));
        *finished_bytes = finished.iter().map(|finished| finished.saved.snapshot.bytes()).sum();
    }

    /// Begins the search of a board of this chunk, and returns the search's number and log. A
    /// search without a key cannot be resumed.
    pub(super) fn begin(
        &self,
        key: Option<BoardKey>,
        (source, line): (&Arc<str>, u64),
        chunk: u64,
    ) -> (u64, SearchLog) {
        let mut searches = self.0.lock();
        let keyed = key.as_ref().filter(|_| !searches.interrupted.is_empty());
        let earlier = keyed.and_then(|key| searches.interrupted.remove(&key_text(key)));
        let (number, source, is_resumed) = (searches.next, Arc::clone(source), earlier.is_some());
        let log = SearchLog::after(earlier);
        searches.next += 1;
        let began = Instant::now();
        searches.active.push(ActiveSearch { number, key, source, line, chunk, log: log.clone(), began, is_resumed });
        (number, log)
    }

    /// Ends a search.
    pub(super) fn end(&self, number: u64, how: Ended) {
        let mut searches = self.0.lock();
        let Ok(at) = searches.active.binary_search_by_key(&number, |search| search.number) else { return };
        let search = searches.active.remove(at);
        match how {
            Ended::Interrupted => {
                searches.interrupted.extend(search.saved().map(|SavedSearch { key, snapshot }| (key, snapshot)));
            }
            Ended::Finished => searches.keep_finished(&search),
        }
    }

    /// Returns all snapshots, in the order of their keys. Active searches are included if they have
    /// at least this age, or were resumed.
    pub fn snapshots(&self, min_age: Duration) -> Vec<SavedSearch> {
        let searches = self.0.lock();
        let is_included = |search: &&ActiveSearch| search.is_resumed || search.began.elapsed() >= min_age;
        let interrupted = searches.interrupted.iter();
        let mut snapshots: Vec<_> =
            interrupted.map(|(key, snapshot)| SavedSearch { key: key.clone(), snapshot: snapshot.clone() }).collect();
        snapshots.extend(searches.finished.iter().map(|finished| finished.saved.clone()));
        snapshots.extend(searches.active.iter().filter(is_included).filter_map(ActiveSearch::saved));
        snapshots.sort_by(|one, other| one.key.cmp(&other.key));
        snapshots
    }

    /// Returns the progress of the search with the most nodes, among the active searches of at
    /// least this age.
    pub fn hardest(&self, min_age: Duration) -> Option<SearchStatus> {
        let searches = self.0.lock();
        let old = searches.active.iter().filter(|search| search.began.elapsed() >= min_age);
        let statuses = old.filter_map(|search| {
            let (source, line) = (Arc::clone(&search.source), search.line);
            Some(SearchStatus { source, line, progress: search.log.search_progress()? })
        });
        statuses.max_by_key(|status| status.progress.nodes)
    }
}

impl TrackedSearches {
    fn keep_finished(&mut self, search: &ActiveSearch) {
        let took_long = |min| search.is_resumed || search.began.elapsed() >= min;
        if !self.min_duration.is_some_and(took_long) {
            return;
        }
        let Some(saved) = search.saved() else { return };
        self.finished_bytes += saved.snapshot.bytes();
        self.finished.push_back(FinishedSearch { chunk: search.chunk, dropped_at: None, saved });
        while self.finished_bytes > MAX_FINISHED_BYTES
            && let Some(oldest) = self.finished.pop_front()
        {
            self.finished_bytes -= oldest.saved.snapshot.bytes();
        }
    }
}

impl ActiveSearch {
    /// Returns the snapshot with its key, if the search has both.
    fn saved(&self) -> Option<SavedSearch> {
        Some(SavedSearch { key: key_text(self.key.as_ref()?), snapshot: self.log.snapshot()? })
    }
}

#[cfg(test)]
fn key(blank: usize, order: [crate::board::Move; 4], board: u128) -> BoardKey {
    use crate::board::{Cell, Shape};
    (Space { shape: Shape::new(4, 4).unwrap(), goal_blank: Cell::new(blank), order }, board)
}

/// Returns the key of a board of the 15-puzzle, for tests.
#[cfg(test)]
pub fn a_key(board: u128) -> BoardKey {
    key(15, crate::board::Move::ALL, board)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Move;

    #[test]
    fn boards_of_different_spaces_have_different_keys() {
        let mut reversed = Move::ALL;
        reversed.reverse();
        let one = key_text(&key(15, Move::ALL, 255));
        assert_eq!(one, "4x4 15 DLRU 000000000000000000000000000000ff");
        assert!(one != key_text(&key(15, reversed, 255)) && one != key_text(&key(14, Move::ALL, 255)));
    }

    fn saved(number: u128) -> SavedSearch {
        SavedSearch { key: key_text(&a_key(number)), snapshot: SearchSnapshot::default() }
    }

    /// Snapshots of an earlier run are kept until their searches begin, and kept again if the
    /// searches are interrupted.
    #[test]
    fn snapshots_of_an_earlier_run_are_kept() {
        let (active, source) = (ActiveSearches::default(), Arc::from("a"));
        active.keep(vec![saved(1), saved(2)], Duration::ZERO);
        assert_eq!(active.snapshots(Duration::MAX), [saved(1), saved(2)]);
        let (first, _log) = active.begin(Some(a_key(2)), (&source, 3), 0);
        let (second, log) = active.begin(Some(a_key(3)), (&source, 4), 1);
        let (third, _log) = active.begin(None, (&source, 5), 2);
        assert_eq!((log.snapshot(), active.hardest(Duration::ZERO)), (None, None));
        assert_eq!(active.snapshots(Duration::MAX), [saved(1), saved(2)]);
        active.end(first, Ended::Interrupted);
        active.end(second, Ended::Interrupted);
        active.end(third, Ended::Finished);
        assert_eq!(active.snapshots(Duration::ZERO), [saved(1), saved(2)]);
        active.forget_all();
        assert!(active.snapshots(Duration::ZERO).is_empty());
    }

    /// A result waits until earlier ones are written, and then for a checkpoint. Until then, it
    /// could be lost.
    #[test]
    fn snapshots_are_kept_until_a_checkpoint_includes_their_results() {
        let (active, source) = (ActiveSearches::default(), Arc::from("a"));
        active.keep(vec![saved(1), saved(2)], Duration::ZERO);
        let [one, two] = [1, 2].map(|number| active.begin(Some(a_key(number)), (&source, 3), 10 + number as u64).0);
        active.end(two, Ended::Finished);
        assert_eq!(active.snapshots(Duration::MAX), [saved(1), saved(2)]);
        active.end(one, Ended::Finished);
        active.mark_written(11);
        assert_eq!(active.snapshots(Duration::MAX), [saved(1), saved(2)]);
        active.checkpoint_begun();
        assert_eq!(active.snapshots(Duration::MAX), [saved(1), saved(2)], "the checkpoint may fail");
        active.checkpoint_begun();
        assert_eq!(active.snapshots(Duration::MAX), [saved(2)]);
        active.mark_written(12);
        active.checkpoint_begun();
        active.checkpoint_begun();
        assert!(active.snapshots(Duration::ZERO).is_empty());
    }

    /// No snapshot is kept without a minimum duration, or if the search was short. The total size
    /// of those kept is limited.
    #[test]
    fn snapshots_of_finished_searches_are_limited() {
        for (min_duration, size, kept_count) in [
            (None, 0, 0),
            (Some(Duration::MAX), 0, 0),
            (Some(Duration::ZERO), 0, 2),
            (Some(Duration::ZERO), MAX_FINISHED_BYTES / 4, 1),
            (Some(Duration::ZERO), MAX_FINISHED_BYTES / 2, 0),
        ] {
            let mut searches = TrackedSearches { min_duration, ..TrackedSearches::default() };
            for number in [1, 2] {
                let (source, line, chunk) = (Arc::from("a"), 1, 0);
                let log = SearchLog::after(Some(SearchSnapshot::with_list(size)));
                let (began, is_resumed, key) = (Instant::now(), false, Some(a_key(number)));
                searches.keep_finished(&ActiveSearch { number: 0, key, source, line, chunk, log, began, is_resumed });
            }
            let keys: Vec<_> = searches.finished.iter().map(|finished| finished.saved.key.clone()).collect();
            let expected = [1, 2].map(|number| key_text(&a_key(number)));
            assert_eq!(keys, expected[2 - kept_count..], "{min_duration:?} {size}");
        }
    }
}
