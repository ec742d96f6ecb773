//! Saves snapshots of active searches in a file next to the checkpoint. Another run can resume the
//! searches from these snapshots. A thread polls the searches, and writes the file when a board
//! takes long.
//!
//! Unlike the checkpoint, this file is only an optimisation. If it is missing or damaged, or
//! belongs to another run, searches start from the beginning. A search resumes from a snapshot only
//! if the checksum of its list of nodes matches, so results do not depend on when the thread
//! writes, or whether it fails.

use std::fs;
use std::path::Path;
use std::thread::Scope;
use std::time::{Duration, Instant};

use crossbeam::channel::{RecvTimeoutError, Sender, bounded};
use serde::{Deserialize, Serialize};

use super::Identity;
use super::checkpoint::CheckpointFile;
use super::files::{CompanionFile, decode_with_checksum, encode_with_checksum};
use crate::batch::active_searches::{ActiveSearches, SavedSearch};
use crate::system::Checksum;

/// The minimum age of a search that is saved, in intervals.
const MIN_AGE_INTERVALS: u32 = 3;

/// The minimum pause after a write, as a multiple of the time that the write took.
const PAUSE_PER_WRITE: u32 = 20;

/// The minimum interval, if a shorter one was requested.
const MIN_INTERVAL: Duration = Duration::from_millis(1);

const TITLE: &str = "taquin-checkpoint-searches 1";

/// The content of the file: the saved searches of a run.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedSearches {
    run: Identity,
    searches: Vec<SavedSearch>,
}

/// The keeper of a file with snapshots of a run's searches.
#[derive(Debug)]
pub struct SearchKeeper {
    file: CompanionFile,
    run: Identity,
    interval: Duration,
}

impl SearchKeeper {
    /// Creates a keeper for the searches of a run with this output. The keeper writes the file at
    /// intervals of at least `interval`.
    pub fn new(output: &Path, run: Identity, interval: Duration) -> SearchKeeper {
        SearchKeeper { file: CompanionFile::of(output, CheckpointFile::SEARCHES), run, interval }
    }

    /// Loads the snapshots of an earlier run, and saves this run's snapshots until the returned
    /// sender is dropped. Then the last snapshots are written, or the file is removed if there are
    /// none. `report` is called at most once, if the file cannot be written.
    #[must_use]
    pub fn watch<'scope>(
        &'scope self,
        scope: &'scope Scope<'scope, '_>,
        searches: &'scope ActiveSearches,
        report: impl Fn(&str) + Send + 'scope,
    ) -> Sender<()> {
        let saved = self.read();
        // The content that the file already has is not written again.
        let mut last_checksum = (!saved.is_empty()).then(|| Checksum::of(&self.encode(saved.clone())));
        let min_age = self.interval.saturating_mul(MIN_AGE_INTERVALS);
        searches.keep(saved, min_age);
        let (guard, run_end) = bounded(0);
        scope.spawn(move || {
            let (interval, mut is_reported) = (self.interval.max(MIN_INTERVAL), false);
            let mut write = |min_age| {
                let failed = self.write(searches.snapshots(min_age), &mut last_checksum).err();
                if let Some(error) = failed.filter(|_| !is_reported) {
                    is_reported = true;
                    report(&format!(
                        "cannot save the state of searches: {error}; if the run is interrupted, a resumed run starts \
                         them from the beginning"
                    ));
                }
            };
            let mut pause = interval;
            while run_end.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                let began = Instant::now();
                write(min_age);
                pause = pause_after(interval, began.elapsed());
            }
            write(Duration::ZERO);
        });
        guard
    }

    /// Writes the file if its content changes, or removes it if there are no snapshots.
    fn write(&self, searches: Vec<SavedSearch>, last_checksum: &mut Option<u64>) -> std::io::Result<()> {
        if searches.is_empty() {
            *last_checksum = None;
            if self.file.path().exists() {
                // A failure is harmless.
                let _ = self.file.remove();
            }
            return Ok(());
        }
        let bytes = self.encode(searches);
        let checksum = Some(Checksum::of(&bytes));
        if *last_checksum != checksum {
            self.file.replace(&bytes)?;
            *last_checksum = checksum;
        }
        Ok(())
    }

    /// Returns the snapshots in the file; none if the file cannot be used or belongs to another
    /// run.
    fn read(&self) -> Vec<SavedSearch> {
        let content =
            fs::read(self.file.path()).ok().and_then(|bytes| decode_with_checksum::<SavedSearches>(TITLE, &bytes));
        content.filter(|content| content.run == self.run).map(|content| content.searches).unwrap_or_default()
    }

    fn encode(&self, searches: Vec<SavedSearch>) -> Vec<u8> {
        encode_with_checksum(TITLE, &SavedSearches { run: self.run.clone(), searches })
    }
}

/// Returns the pause after a write that took `took`.
fn pause_after(interval: Duration, took: Duration) -> Duration {
    interval.max(took.saturating_mul(PAUSE_PER_WRITE))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::batch::active_searches::a_key;
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
        let output = folder.path().join("results");
        let keeper = SearchKeeper::new(&output, run("x"), Duration::from_millis(1));
        let searches = ActiveSearches::default();
        std::thread::scope(|scope| {
            let _guard = keeper.watch(scope, &searches, |error| panic!("{error}"));
            begin(&searches, 3);
            wait_until(|| keeper.read().len() == 1);
            begin(&searches, 4);
            wait_until(|| keeper.read().len() == 2);
            begin(&searches, 5);
        });
        assert_eq!(keeper.read().len(), 3);
        assert!(SearchKeeper::new(&output, run("y"), Duration::ZERO).read().is_empty(), "another run");
        let bytes = fs::read(keeper.file.path()).unwrap();
        assert!(bytes.starts_with(b"taquin-checkpoint-searches 1 "));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        std::thread::scope(|scope| {
            let _guard = keeper.watch(scope, &searches, |error| panic!("{error}"));
            searches.forget_all();
        });
        assert!(!keeper.file.path().exists());
    }

    /// The file is damaged, and the run has no searches.
    #[test]
    fn a_file_without_valid_snapshots_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("results.taquin.searches"), "anything").unwrap();
        let keeper = SearchKeeper::new(&folder.path().join("results"), run("x"), Duration::MAX);
        let searches = ActiveSearches::default();
        std::thread::scope(|scope| drop(keeper.watch(scope, &searches, |error| panic!("{error}"))));
        assert!(!keeper.file.path().exists());
    }

    #[test]
    fn the_same_snapshots_are_not_written_again() {
        let folder = tempfile::tempdir().unwrap();
        let keeper = SearchKeeper::new(&folder.path().join("results"), run("x"), Duration::MAX);
        let searches = ActiveSearches::default();
        let saved = [SavedSearch { key: "a".into(), snapshot: SearchSnapshot::default() }];
        keeper.file.replace(&keeper.encode(saved.to_vec())).unwrap();
        std::thread::scope(|scope| {
            let _guard = keeper.watch(scope, &searches, |error| panic!("{error}"));
            keeper.file.remove().unwrap();
        });
        assert_eq!(searches.snapshots(Duration::MAX), saved);
        assert!(!keeper.file.path().exists());
    }

    #[test]
    fn a_write_failure_is_reported_once() {
        let folder = tempfile::tempdir().unwrap();
        let keeper = SearchKeeper::new(&folder.path().join("none/results"), run("x"), Duration::from_millis(1));
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
