//! Saves snapshots of active searches, in a thread that polls them and writes a file when a board
//! takes long. Results do not depend on when the thread writes, or whether it fails.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::Scope;
use std::time::{Duration, Instant};

use super::identity::Identity;
use super::searches_file::{SearchesFile, encode};
use crate::batch::active_searches::ActiveSearches;
use crate::system::Checksum;

/// The minimum age of a search that is saved, in intervals.
const MIN_AGE_INTERVALS: u32 = 3;

/// The minimum pause as a multiple of the time that the last write took.
const PAUSE_PER_WRITE: u32 = 20;

/// The minimum interval, if a shorter one was requested.
const MIN_INTERVAL: Duration = Duration::from_millis(1);

/// The keeper of a file with snapshots of a run's searches.
#[derive(Debug)]
pub struct SearchKeeper {
    file: SearchesFile,
    run: Identity,
    interval: Duration,
    is_over: Mutex<bool>,
    ended: Condvar,
}

impl SearchKeeper {
    /// Creates a keeper that writes this file at intervals of at least `interval`.
    pub fn new(file: SearchesFile, run: Identity, interval: Duration) -> SearchKeeper {
        SearchKeeper { file, run, interval, is_over: Mutex::new(false), ended: Condvar::new() }
    }

    /// Loads the snapshots of an earlier run, and saves this run's snapshots until the returned
    /// guard is dropped. Then the last snapshots are written, or the file is removed if there are
    /// none. `report` is called at most once, if the file cannot be written.
    #[must_use]
    pub fn watch<'scope>(
        &'scope self,
        scope: &'scope Scope<'scope, '_>,
        searches: &'scope ActiveSearches,
        report: impl Fn(&str) + Send + 'scope,
    ) -> WatchGuard<'scope> {
        let saved = self.file.read(&self.run);
        // The content that the file already has is not written again.
        let file_checksum = (!saved.is_empty()).then(|| Checksum::of(&encode(&self.run, &saved)));
        let min_age = self.interval.saturating_mul(MIN_AGE_INTERVALS);
        searches.keep(saved, min_age);
        // The keeper may have watched another run before.
        *self.is_over() = false;
        scope.spawn(move || {
            let interval = self.interval.max(MIN_INTERVAL);
            let (mut last_checksum, mut is_reported, mut pause) = (file_checksum, false, interval);
            while self.wait(pause) {
                let began = Instant::now();
                self.write(searches, min_age, &mut last_checksum, &mut is_reported, &report);
                pause = pause_after(interval, began.elapsed());
            }
            self.write(searches, Duration::ZERO, &mut last_checksum, &mut is_reported, &report);
        });
        WatchGuard(self)
    }

    /// Writes the file if its content changes, or removes it if there are no snapshots.
    fn write(
        &self,
        searches: &ActiveSearches,
        min_age: Duration,
        last_checksum: &mut Option<u64>,
        is_reported: &mut bool,
        report: &impl Fn(&str),
    ) {
        let saved = searches.snapshots(min_age);
        if saved.is_empty() {
            if last_checksum.take().is_some() || self.file.exists() {
                self.file.remove();
            }
            return;
        }
        let bytes = encode(&self.run, &saved);
        let checksum = Some(Checksum::of(&bytes));
        if *last_checksum == checksum {
            return;
        }
        match self.file.write(&bytes) {
            Ok(()) => *last_checksum = checksum,
            Err(error) if !std::mem::replace(is_reported, true) => {
                report(&format!(
                    "cannot save the state of searches: {error}; if the run is interrupted, a resumed run starts \
                     them from the beginning"
                ));
            }
            Err(_) => {}
        }
    }

    /// Waits for this time, or until the run is over. Returns true if the run is not over.
    fn wait(&self, time: Duration) -> bool {
        let waited = self.ended.wait_timeout_while(self.is_over(), time, |is_over| !*is_over);
        !*waited.unwrap_or_else(PoisonError::into_inner).0
    }

    fn is_over(&self) -> MutexGuard<'_, bool> {
        self.is_over.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the pause after a write that took `took`.
fn pause_after(interval: Duration, took: Duration) -> Duration {
    interval.max(took.saturating_mul(PAUSE_PER_WRITE))
}

/// A guard that ends the watching when it is dropped. The file is then written for the last time.
pub struct WatchGuard<'a>(&'a SearchKeeper);

impl Drop for WatchGuard<'_> {
    fn drop(&mut self) {
        *self.0.is_over() = true;
        self.0.ended.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::batch::active_searches::{SavedSearch, a_key};
    use crate::engine::SearchSnapshot;

    fn run(option: &str) -> Identity {
        Identity::new([("goal", option.to_string())].into(), &[]).unwrap()
    }

    /// Waits for a condition, and fails after 20 seconds.
    fn wait_until(condition: impl Fn() -> bool) {
        let began = Instant::now();
        while !condition() {
            assert!(began.elapsed() < Duration::from_secs(20));
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Begins a search with a snapshot of `nodes` nodes.
    fn begin(searches: &ActiveSearches, nodes: usize) -> u64 {
        let (number, log) = searches.begin(Some(a_key(nodes as u128)), (&Arc::from("a"), 1), 0);
        log.set_snapshot(SearchSnapshot::with_list(nodes));
        number
    }

    #[test]
    fn snapshots_are_written_during_searches_and_at_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let file = SearchesFile::of(&folder.path().join("results"));
        let keeper = SearchKeeper::new(file.clone(), run("x"), Duration::from_millis(1));
        let searches = ActiveSearches::default();
        std::thread::scope(|scope| {
            let _guard = keeper.watch(scope, &searches, |error| panic!("{error}"));
            begin(&searches, 3);
            wait_until(|| file.read(&run("x")).len() == 1);
            begin(&searches, 4);
            wait_until(|| file.read(&run("x")).len() == 2);
            begin(&searches, 5);
        });
        assert_eq!(file.read(&run("x")).len(), 3);
        std::thread::scope(|scope| {
            let _guard = keeper.watch(scope, &searches, |error| panic!("{error}"));
            searches.forget_all();
        });
        assert!(!file.exists());
    }

    /// The file is damaged, and the run has no searches.
    #[test]
    fn a_file_without_valid_snapshots_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let file = SearchesFile::of(&folder.path().join("results"));
        fs::write(folder.path().join("results.taquin.searches"), "anything").unwrap();
        let (keeper, searches) = (SearchKeeper::new(file.clone(), run("x"), Duration::MAX), ActiveSearches::default());
        std::thread::scope(|scope| drop(keeper.watch(scope, &searches, |error| panic!("{error}"))));
        assert!(!file.exists());
    }

    #[test]
    fn the_same_snapshots_are_not_written_again() {
        let folder = tempfile::tempdir().unwrap();
        let file = SearchesFile::of(&folder.path().join("results"));
        let (keeper, searches) = (SearchKeeper::new(file.clone(), run("x"), Duration::MAX), ActiveSearches::default());
        let saved = [SavedSearch { key: "a".into(), snapshot: SearchSnapshot::default() }];
        file.write(&encode(&run("x"), &saved)).unwrap();
        std::thread::scope(|scope| {
            let _guard = keeper.watch(scope, &searches, |error| panic!("{error}"));
            file.remove();
        });
        assert_eq!(searches.snapshots(Duration::MAX), saved);
        assert!(!file.exists());
    }

    #[test]
    fn a_write_failure_is_reported_once() {
        let folder = tempfile::tempdir().unwrap();
        let file = SearchesFile::of(&folder.path().join("none/results"));
        let keeper = SearchKeeper::new(file, run("x"), Duration::from_millis(1));
        let (searches, reports) = (ActiveSearches::default(), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            let _guard = keeper.watch(scope, &searches, |_| {
                reports.fetch_add(1, Ordering::Relaxed);
            });
            begin(&searches, 3);
            wait_until(|| reports.load(Ordering::Relaxed) > 0);
            // The failure of the last write is not reported again.
            begin(&searches, 4);
        });
        assert_eq!(reports.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn pauses_are_longer_than_writes() {
        let seconds = Duration::from_secs;
        assert_eq!(pause_after(seconds(5), Duration::from_millis(2)), seconds(5));
        assert_eq!(pause_after(seconds(5), seconds(1)), seconds(20));
    }
}
