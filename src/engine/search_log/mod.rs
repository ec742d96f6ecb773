//! What a search tells of itself while it goes on: its iterations, for results and for those who wait for it; and where it
//! stands within one, so that another search can go on from there.
//!
//! A search by iterations enters each of them as it begins. As long as its list grows, all of it together takes a fraction
//! of a second. Below a frozen list an iteration may take hours: there every part of the list that is done is entered, by
//! whichever thread has done it ([`SearchSnapshot`]). What is entered decides nothing in the search that enters it.

mod iteration;
mod progress;
mod snapshot;

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

pub use iteration::Iteration;
pub use progress::SearchProgress;
pub use snapshot::{OtherPath, SearchSnapshot};

use self::iteration::Current;
use parking_lot::{Mutex, MutexGuard};

use super::Stats;

/// The log of the search of one board, or none, where nothing is entered. A clone is the same log.
#[derive(Clone, Default)]
pub struct SearchLog(Option<Arc<Mutex<Log>>>);

#[derive(Default)]
struct Log {
    /// The heuristic of the search that is at work.
    heuristic: Arc<str>,
    /// Those that have ended.
    iterations: Vec<Iteration>,
    /// The one under way: its bound, and the nodes of the search before it.
    current: Option<Current>,
    /// The greatest bound of any iteration that was begun.
    proven: u64,
    /// Where the iteration stands that is searched below a frozen list.
    snapshot: Option<Box<SearchSnapshot>>,
    /// Where an earlier search stood, until it is gone on from.
    earlier: Option<Box<SearchSnapshot>>,
}

impl SearchLog {
    /// The log of a search that may go on from where an earlier one stood.
    pub fn after(earlier: Option<SearchSnapshot>) -> SearchLog {
        SearchLog(Some(Arc::new(Mutex::new(Log { earlier: earlier.map(Box::new), ..Log::default() }))))
    }

    /// An empty log.
    pub fn new() -> SearchLog {
        SearchLog::after(None)
    }

    fn lock(&self) -> Option<MutexGuard<'_, Log>> {
        // Nothing is half done under the lock that a panic could spoil.
        self.0.as_ref().map(|log| log.lock())
    }

    /// A search with this heuristic begins; another one may have been given up for it.
    pub(super) fn begin(&self, heuristic: &str) {
        let Some(mut log) = self.lock() else { return };
        log.heuristic = heuristic.into();
        log.current = None;
    }

    /// An iteration begins, and the one before has ended: so many nodes were generated in all. One with the same bound goes on.
    pub(crate) fn begin_iteration(&self, bound: u64, nodes_before: u64) {
        let Some(mut log) = self.lock() else { return };
        if log.current.as_ref().is_some_and(|current| current.bound == bound) {
            return;
        }
        log.end_iteration(nodes_before);
        log.proven = log.proven.max(bound);
        // The first one has the start, too.
        let nodes_before = if log.current.is_some() { nodes_before } else { 0 };
        log.current = Some(Current { bound, nodes_before, began: Instant::now(), nodes_earlier: 0 });
    }

    /// The search has ended after so many nodes.
    pub(super) fn end(&self, nodes: u64) {
        let Some(mut log) = self.lock() else { return };
        log.end_iteration(nodes);
        log.current = None;
    }

    /// Where an earlier search with this heuristic stood within an iteration below such a list.
    pub(super) fn earlier(&self, list: u64) -> Option<SearchSnapshot> {
        let mut log = self.lock()?;
        let heuristic = Arc::clone(&log.heuristic);
        // Below another list nothing of it is of use.
        let earlier = log.earlier.take_if(|earlier| *earlier.heuristic == *heuristic)?;
        (earlier.list == list).then_some(*earlier)
    }

    /// The iteration under way is searched below a frozen list, from its first part on.
    pub(super) fn search_below(&self, mut snapshot: SearchSnapshot) {
        let Some(mut log) = self.lock() else { return };
        snapshot.heuristic = log.heuristic.to_string();
        snapshot.iterations.clone_from(&log.iterations);
        snapshot.nodes_before = log.current.as_ref().map_or(0, |current| current.nodes_before);
        log.snapshot = Some(Box::new(snapshot));
    }

    /// The search stands there.
    #[cfg(test)]
    pub fn stand_at(&self, snapshot: SearchSnapshot) {
        self.search_below(snapshot);
    }

    /// The search goes on from there, instead of the iteration that it has come to.
    pub(super) fn go_on(&self, snapshot: SearchSnapshot) {
        let Some(mut log) = self.lock() else { return };
        log.current = Some(Current {
            bound: snapshot.bound.into(),
            nodes_before: snapshot.nodes_before,
            began: Instant::now(),
            nodes_earlier: snapshot.stats_done().generated,
        });
        log.proven = log.proven.max(snapshot.bound.into());
        log.iterations.clone_from(&snapshot.iterations);
        log.snapshot = Some(Box::new(snapshot));
    }

    /// A part of the frozen list is done.
    pub(super) fn part_done(&self, part: usize, stats: Stats, depths: impl Iterator<Item = (usize, u16)>) {
        if let Some(snapshot) = self.lock().as_mut().and_then(|log| log.snapshot.as_mut()) {
            snapshot.add(part, stats, depths);
        }
    }

    /// The heuristic of the search that is to be gone on from.
    pub fn earlier_heuristic(&self) -> Option<String> {
        self.lock()?.earlier.as_ref().map(|earlier| earlier.heuristic.clone())
    }

    /// Where the search stands that can be gone on from: this one, or the earlier one as long as this one has not come so far.
    pub fn snapshot(&self) -> Option<SearchSnapshot> {
        let log = self.lock()?;
        log.snapshot
            .iter()
            .chain(&log.earlier)
            .max_by_key(|snapshot| snapshot.bound)
            .map(|snapshot| (**snapshot).clone())
    }

    /// All iterations so far, of all searches that were tried; the last one may not have come to its end.
    pub fn iterations(&self) -> Vec<Iteration> {
        self.lock().map_or_else(Vec::new, |log| log.iterations.clone())
    }

    /// About how many nodes the iteration under way still takes, after so many of the search: it grows by what the one before it has
    /// grown. `None` before the third.
    pub fn to_end_of_iteration(&self, nodes: u64) -> Option<u64> {
        let log = self.lock()?;
        let current = log.current.as_ref()?;
        let [.., first, second] = log.iterations[..] else { return None };
        // Those before may be of another search, over other tables.
        let follow = second.bound + 2 == current.bound && first.bound + 4 == current.bound;
        let expected = second.nodes.checked_mul(second.nodes)?.checked_div(first.nodes).filter(|_| follow)?;
        Some((current.nodes_before + expected).saturating_sub(nodes))
    }

    /// Proven by iterations that have ended: no path is shorter.
    pub fn proven(&self) -> u64 {
        let Some(log) = self.lock() else { return 0 };
        log.earlier.as_ref().map_or(0, |earlier| earlier.bound.into()).max(log.proven)
    }

    /// What those are told who wait for it; `None` as long as there is nothing to tell.
    pub fn search_progress(&self) -> Option<SearchProgress> {
        let log = self.lock()?;
        SearchProgress::of(&log.heuristic, log.current.as_ref()?, log.snapshot.as_ref()?, &log.iterations)
    }
}

impl Log {
    fn end_iteration(&mut self, nodes: u64) {
        if let Some(Current { bound, nodes_before, .. }) = self.current {
            self.iterations.push(Iteration { bound, nodes: nodes.saturating_sub(nodes_before) });
        }
    }
}

impl fmt::Debug for SearchLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(log) = self.lock() else { return f.write_str("SearchLog(none)") };
        write!(f, "SearchLog({}, {} iterations, at least {})", log.heuristic, log.iterations.len(), log.proven)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What one search has proven holds also when another one, with larger tables, has not come so far.
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
        let told: Vec<_> = log.iterations().iter().map(|iteration| (iteration.bound, iteration.nodes)).collect();
        assert_eq!(told, [(50, 10), (52, 80), (54, 10), (51, 7)]);
        let earlier = SearchLog::after(Some(SearchSnapshot { bound: 60, ..SearchSnapshot::default() }));
        earlier.begin_iteration(40, 1);
        assert_eq!(earlier.proven(), 60);
    }

    /// An earlier search's place is told until this one has come as far, and is taken up only by the same search.
    #[test]
    fn the_place_that_is_further_is_told() {
        let place = |heuristic: &str, bound| SearchSnapshot {
            heuristic: heuristic.into(),
            bound,
            list: 7,
            ..SearchSnapshot::default()
        };
        let log = SearchLog::after(Some(place("large", 60)));
        assert_eq!(log.earlier_heuristic().as_deref(), Some("large"));
        log.begin("small");
        log.begin_iteration(50, 1);
        assert_eq!(log.earlier(7), None);
        log.search_below(place("", 50));
        assert_eq!(log.snapshot(), Some(place("large", 60)));
        log.begin("large");
        assert_eq!(log.earlier(7), Some(place("large", 60)));
        assert_eq!((log.earlier(7), log.snapshot()), (None, Some(place("small", 50))));
    }
}
