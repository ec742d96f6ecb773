//! Saves snapshots of active searches: a thread that polls them, and writes their file when a board
//! takes long. Results depend neither on its clock nor on its failures.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::Scope;
use std::time::{Duration, Instant};

use super::identity::Identity;
use super::searches_file::{SearchesFile, encode};
use crate::batch::under_way::UnderWay;
use crate::system::Checksum;

/// A search is saved once its age is this many intervals.
const INTERVALS_OF_QUICK_BOARDS: u32 = 3;

/// At most one part in this number of the time is spent on writing.
const PART_FOR_WRITING: u32 = 20;

/// Minimum pause, whatever was requested.
const SHORTEST: Duration = Duration::from_millis(1);

/// Saves snapshots of the searches of a run.
#[derive(Debug)]
pub struct SearchKeeper {
    file: SearchesFile,
    run: Identity,
    every: Duration,
    over: Mutex<bool>,
    ended: Condvar,
}

impl SearchKeeper {
    /// Creates a keeper that uses this file, with at least `every` between two writes.
    pub fn new(file: SearchesFile, run: Identity, every: Duration) -> SearchKeeper {
        SearchKeeper { file, run, every, over: Mutex::new(false), ended: Condvar::new() }
    }

    /// Loads the snapshots of an earlier run, and saves this run's snapshots until the returned
    /// value is dropped. Then the file holds the last snapshots, or is removed. `report` is called once
    /// if it cannot be written.
    #[must_use]
    pub fn watch<'scope>(
        &'scope self,
        scope: &'scope Scope<'scope, '_>,
        under_way: &'scope UnderWay,
        report: impl Fn(&str) + Send + 'scope,
    ) -> Kept<'scope> {
        let stood = self.file.read(&self.run);
        // The content that the file already has is not written again.
        let known = (!stood.is_empty()).then(|| Checksum::of(&encode(&self.run, &stood)));
        let worth_keeping = self.every.saturating_mul(INTERVALS_OF_QUICK_BOARDS);
        under_way.keep(stood, worth_keeping);
        // It may have watched another run before.
        *self.over() = false;
        scope.spawn(move || {
            let every = self.every.max(SHORTEST);
            let (mut last, mut is_reported, mut pause) = (known, false, every);
            while self.goes_on_after(pause) {
                let began = Instant::now();
                self.write(under_way, worth_keeping, &mut last, &mut is_reported, &report);
                pause = pause_after(every, began.elapsed());
            }
            self.write(under_way, Duration::ZERO, &mut last, &mut is_reported, &report);
        });
        Kept(self)
    }

    /// Writes the file if its content would change.
    fn write(
        &self,
        under_way: &UnderWay,
        older_than: Duration,
        last: &mut Option<u64>,
        is_reported: &mut bool,
        report: &impl Fn(&str),
    ) {
        let stood = under_way.stood(older_than);
        if stood.is_empty() {
            if last.take().is_some() || self.file.is_there() {
                self.file.remove();
            }
            return;
        }
        let bytes = encode(&self.run, &stood);
        let checksum = Some(Checksum::of(&bytes));
        if *last == checksum {
            return;
        }
        match self.file.write(&bytes) {
            Ok(()) => *last = checksum,
            Err(error) if !std::mem::replace(is_reported, true) => {
                report(&format!(
                    "cannot save the state of searches: {error}; if the run is interrupted, they start again"
                ));
            }
            Err(_) => {}
        }
    }

    /// Waits for a time or for the end. Returns true if the end has not come.
    fn goes_on_after(&self, time: Duration) -> bool {
        let waited = self.ended.wait_timeout_while(self.over(), time, |over| !*over);
        !*waited.unwrap_or_else(PoisonError::into_inner).0
    }

    fn over(&self) -> MutexGuard<'_, bool> {
        self.over.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the pause after a write that took `took`.
fn pause_after(every: Duration, took: Duration) -> Duration {
    every.max(took.saturating_mul(PART_FOR_WRITING))
}

/// A guard: when it is dropped, the file is written for the last time.
pub struct Kept<'a>(&'a SearchKeeper);

impl Drop for Kept<'_> {
    fn drop(&mut self) {
        *self.0.over() = true;
        self.0.ended.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::batch::under_way::{Stood, a_key};
    use crate::engine::SearchSnapshot;

    fn run(option: &str) -> Identity {
        Identity::new([("goal", option.to_string())].into(), &[]).unwrap()
    }

    /// Waits for a condition, and fails after 20 seconds.
    fn wait_until(is_so: impl Fn() -> bool) {
        let began = Instant::now();
        while !is_so() {
            assert!(began.elapsed() < Duration::from_secs(20));
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Begins a search with a snapshot of `nodes` nodes.
    fn begun(under_way: &UnderWay, nodes: usize) -> u64 {
        let (number, log) = under_way.begin(Some(a_key(nodes as u128)), (&Arc::from("a"), 1), 0);
        log.set_snapshot(SearchSnapshot::with_list(nodes));
        number
    }

    #[test]
    fn where_searches_stand_is_written_while_they_go_on_and_at_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let file = SearchesFile::beside(&folder.path().join("results"));
        let keeper = SearchKeeper::new(file.clone(), run("x"), Duration::from_millis(1));
        let under_way = UnderWay::default();
        std::thread::scope(|scope| {
            let _kept = keeper.watch(scope, &under_way, |error| panic!("{error}"));
            begun(&under_way, 3);
            wait_until(|| file.read(&run("x")).len() == 1);
            begun(&under_way, 4);
            wait_until(|| file.read(&run("x")).len() == 2);
            begun(&under_way, 5);
        });
        assert_eq!(file.read(&run("x")).len(), 3);
        std::thread::scope(|scope| {
            let _kept = keeper.watch(scope, &under_way, |error| panic!("{error}"));
            under_way.forget_all();
        });
        assert!(!file.is_there());
    }

    /// The file is of another run, or of one whose searches have all ended.
    #[test]
    fn a_file_that_says_nothing_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let file = SearchesFile::beside(&folder.path().join("results"));
        fs::write(folder.path().join("results.taquin.searches"), "anything").unwrap();
        let (keeper, under_way) = (SearchKeeper::new(file.clone(), run("x"), Duration::MAX), UnderWay::default());
        std::thread::scope(|scope| drop(keeper.watch(scope, &under_way, |error| panic!("{error}"))));
        assert!(!file.is_there());
    }

    #[test]
    fn what_the_file_says_already_is_not_written_again() {
        let folder = tempfile::tempdir().unwrap();
        let file = SearchesFile::beside(&folder.path().join("results"));
        let (keeper, under_way) = (SearchKeeper::new(file.clone(), run("x"), Duration::MAX), UnderWay::default());
        let stood = [Stood { board: "a".into(), snapshot: SearchSnapshot::default() }];
        file.write(&encode(&run("x"), &stood)).unwrap();
        std::thread::scope(|scope| {
            let _kept = keeper.watch(scope, &under_way, |error| panic!("{error}"));
            file.remove();
        });
        assert_eq!(under_way.stood(Duration::MAX), stood);
        assert!(!file.is_there());
    }

    #[test]
    fn that_it_cannot_be_written_is_told_once() {
        let folder = tempfile::tempdir().unwrap();
        let file = SearchesFile::beside(&folder.path().join("none/results"));
        let keeper = SearchKeeper::new(file, run("x"), Duration::from_millis(1));
        let (under_way, told) = (UnderWay::default(), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            let _kept = keeper.watch(scope, &under_way, |_| {
                told.fetch_add(1, Ordering::Relaxed);
            });
            begun(&under_way, 3);
            wait_until(|| told.load(Ordering::Relaxed) > 0);
            // A failure of the last write is not counted.
            begun(&under_way, 4);
        });
        assert_eq!(told.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn little_of_the_time_is_spent_on_writing() {
        let seconds = Duration::from_secs;
        assert_eq!(pause_after(seconds(5), Duration::from_millis(2)), seconds(5));
        assert_eq!(pause_after(seconds(5), seconds(1)), seconds(20));
    }
}
