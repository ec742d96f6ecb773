//! The log of a search: its iterations, its progress, and a snapshot from which another search can
//! resume.
//!
//! A deepening search logs each iteration as it begins. While its list of frontier nodes grows, all
//! iterations together take a fraction of a second. Once the list no longer grows (it is *frozen*),
//! all iterations search below the same nodes, and one may take hours. In these iterations each
//! thread logs every part of the list that it completes ([`SearchSnapshot`]). The log does not
//! influence the search that writes it.

mod snapshot;

use std::sync::Arc;
use std::time::Instant;

use parking_lot::{Mutex, MutexGuard};

use self::snapshot::Current;
pub use self::snapshot::{Iteration, OtherPath, SearchProgress, SearchSnapshot};
use super::Stats;

/// The log of the searches for one board. The default logs nothing. Clones share one log.
#[derive(Clone, Default, Debug)]
pub struct SearchLog(Option<Arc<Mutex<Log>>>);

/// The content of a log.
#[derive(Default, Debug)]
struct Log {
    /// The heuristic of the current search.
    heuristic: Arc<str>,
    /// The iterations that have ended.
    iterations: Vec<Iteration>,
    /// The iteration in progress.
    current: Option<Current>,
    /// The greatest bound of any iteration that began.
    proven: u64,
    /// The snapshot of the iteration that is searched below a frozen list.
    snapshot: Option<Box<SearchSnapshot>>,
    /// The snapshot of an earlier search, until a search resumes from it.
    earlier: Option<Box<SearchSnapshot>>,
}

impl SearchLog {
    /// Creates the log of a search that may resume from an earlier snapshot.
    pub fn after(earlier: Option<SearchSnapshot>) -> SearchLog {
        SearchLog(Some(Arc::new(Mutex::new(Log { earlier: earlier.map(Box::new), ..Log::default() }))))
    }

    /// Creates an empty log.
    pub fn new() -> SearchLog {
        SearchLog::after(None)
    }

    fn lock(&self) -> Option<MutexGuard<'_, Log>> {
        // No update under the lock can be left incomplete by a panic.
        self.0.as_ref().map(|log| log.lock())
    }

    /// Begins a search with this heuristic. The search may replace another one for the same board.
    pub(super) fn begin(&self, heuristic: &str) {
        let Some(mut log) = self.lock() else { return };
        log.heuristic = heuristic.into();
        log.current = None;
    }

    /// Begins an iteration and ends the previous one. `nodes_before` is the number of nodes
    /// generated so far. If the bound is the current one, the iteration continues.
    pub(crate) fn begin_iteration(&self, bound: u64, nodes_before: u64) {
        let Some(mut log) = self.lock() else { return };
        if log.current.as_ref().is_some_and(|current| current.bound == bound) {
            return;
        }
        log.end_iteration(nodes_before);
        log.proven = log.proven.max(bound);
        // The first iteration includes the start node.
        let nodes_before = if log.current.is_some() { nodes_before } else { 0 };
        log.current = Some(Current { bound, nodes_before, began: Instant::now(), nodes_resumed: 0 });
    }

    /// Ends the search after `nodes` nodes.
    pub(super) fn end(&self, nodes: u64) {
        let Some(mut log) = self.lock() else { return };
        log.end_iteration(nodes);
        log.current = None;
    }

    /// Removes the earlier snapshot if it has the current heuristic. Returns it if its list also
    /// has this checksum.
    pub(super) fn take_earlier(&self, checksum: u64) -> Option<SearchSnapshot> {
        let mut log = self.lock()?;
        let heuristic = Arc::clone(&log.heuristic);
        // A snapshot of a different list is useless, so it is dropped.
        let earlier = log.earlier.take_if(|earlier| *earlier.heuristic == *heuristic)?;
        (earlier.list_checksum == checksum).then_some(*earlier)
    }

    /// Begins a snapshot of the current iteration, which is now searched below a frozen list.
    pub(super) fn begin_frozen_iteration(&self, mut snapshot: SearchSnapshot) {
        let Some(mut log) = self.lock() else { return };
        snapshot.heuristic = log.heuristic.to_string();
        snapshot.iterations.clone_from(&log.iterations);
        snapshot.nodes_before = log.current.as_ref().map_or(0, |current| current.nodes_before);
        log.snapshot = Some(Box::new(snapshot));
    }

    /// Sets the snapshot.
    #[cfg(test)]
    pub fn set_snapshot(&self, snapshot: SearchSnapshot) {
        self.begin_frozen_iteration(snapshot);
    }

    /// Resumes from a snapshot. Its iteration replaces the current one, and its ended iterations
    /// replace those logged so far.
    pub(super) fn resume(&self, snapshot: SearchSnapshot) {
        let Some(mut log) = self.lock() else { return };
        log.current = Some(Current {
            bound: snapshot.bound.into(),
            nodes_before: snapshot.nodes_before,
            began: Instant::now(),
            nodes_resumed: snapshot.stats_done().generated,
        });
        log.proven = log.proven.max(snapshot.bound.into());
        log.iterations.clone_from(&snapshot.iterations);
        log.snapshot = Some(Box::new(snapshot));
    }

    /// Records a completed part of the frozen list, with the depths reached below its nodes.
    pub(super) fn part_done(&self, part: usize, stats: Stats, depths: impl Iterator<Item = (usize, u16)>) {
        if let Some(snapshot) = self.lock().as_mut().and_then(|log| log.snapshot.as_mut()) {
            snapshot.add(part, stats, depths);
        }
    }

    /// Returns the heuristic of the earlier search, if there is one to resume.
    pub fn earlier_heuristic(&self) -> Option<String> {
        self.lock()?.earlier.as_ref().map(|earlier| earlier.heuristic.clone())
    }

    /// Returns the snapshot to resume from: the one with the greater bound, of this search or the
    /// earlier one.
    pub fn snapshot(&self) -> Option<SearchSnapshot> {
        let log = self.lock()?;
        log.snapshot
            .iter()
            .chain(&log.earlier)
            .max_by_key(|snapshot| snapshot.bound)
            .map(|snapshot| (**snapshot).clone())
    }

    /// Returns all ended iterations of all searches of the board. After a search has resumed, these
    /// are the iterations of the snapshot and later ones. A limit may have ended the last iteration
    /// of each search early.
    pub fn iterations(&self) -> Vec<Iteration> {
        self.lock().map_or_else(Vec::new, |log| log.iterations.clone())
    }

    /// Estimates how many nodes the current iteration still needs when the search has generated
    /// `nodes`. Assumes that the number of nodes grows by the same factor as between the previous
    /// two iterations. `None` if these two do not exist or do not directly precede the current one.
    pub fn to_end_of_iteration(&self, nodes: u64) -> Option<u64> {
        let log = self.lock()?;
        let current = log.current.as_ref()?;
        let [.., first, second] = log.iterations[..] else { return None };
        // The earlier iterations may belong to another search, with other tables.
        let are_consecutive = second.bound + 2 == current.bound && first.bound + 4 == current.bound;
        let expected = second.nodes.checked_mul(second.nodes)?.checked_div(first.nodes).filter(|_| are_consecutive)?;
        Some((current.nodes_before + expected).saturating_sub(nodes))
    }

    /// Returns the proven lower bound: the greatest bound of any iteration that began, or the bound
    /// of the earlier snapshot. No path is shorter.
    pub fn proven(&self) -> u64 {
        let Some(log) = self.lock() else { return 0 };
        log.earlier.as_ref().map_or(0, |earlier| earlier.bound.into()).max(log.proven)
    }

    /// Returns the progress of the search; `None` until there is something to report.
    pub fn search_progress(&self) -> Option<SearchProgress> {
        let log = self.lock()?;
        SearchProgress::of(&log.heuristic, log.current.as_ref()?, log.snapshot.as_ref()?, &log.iterations)
    }
}

impl Log {
    /// Adds the current iteration to the ended ones. `nodes` is the number of nodes generated so
    /// far.
    fn end_iteration(&mut self, nodes: u64) {
        if let Some(Current { bound, nodes_before, .. }) = self.current {
            self.iterations.push(Iteration { bound, nodes: nodes.saturating_sub(nodes_before) });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bound proven by one search is kept if a later search with larger tables proves less.
    #[test]
    fn the_best_bound_of_all_searches_is_kept() {
        let log = SearchLog::new();
        log.begin("small");
        for (bound, nodes) in [(50, 1), (52, 10), (52, 20), (54, 90)] {
            log.begin_iteration(bound, nodes);
        }
        log.end(100);
        log.begin("large");
        log.begin_iteration(51, 1);
        log.end(7);
        assert_eq!(log.proven(), 54);
        let logged: Vec<_> = log.iterations().iter().map(|iteration| (iteration.bound, iteration.nodes)).collect();
        assert_eq!(logged, [(50, 10), (52, 80), (54, 10), (51, 7)]);
        let earlier = SearchLog::after(Some(SearchSnapshot { bound: 60, ..SearchSnapshot::default() }));
        earlier.begin_iteration(40, 1);
        assert_eq!(earlier.proven(), 60);
    }

    /// The earlier snapshot is returned while its bound is greater than this search's. Only a
    /// search with the snapshot's heuristic takes the snapshot.
    #[test]
    fn the_snapshot_with_the_greater_bound_is_returned() {
        let snapshot = |heuristic: &str, bound| SearchSnapshot {
            heuristic: heuristic.into(),
            bound,
            list_checksum: 7,
            ..SearchSnapshot::default()
        };
        let log = SearchLog::after(Some(snapshot("large", 60)));
        assert_eq!(log.earlier_heuristic().as_deref(), Some("large"));
        log.begin("small");
        log.begin_iteration(50, 1);
        assert_eq!(log.take_earlier(7), None);
        log.begin_frozen_iteration(snapshot("", 50));
        assert_eq!(log.snapshot(), Some(snapshot("large", 60)));
        log.begin("large");
        assert_eq!(log.take_earlier(7), Some(snapshot("large", 60)));
        assert_eq!((log.take_earlier(7), log.snapshot()), (None, Some(snapshot("small", 50))));
    }
}
