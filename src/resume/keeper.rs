//! Who keeps the checkpoints: a thread that waits for the disk while all others go on.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam::channel::{Sender, TrySendError, bounded};

use super::store::about;
use super::{Checkpoint, Store};
use crate::batch::{Journal, Progress, Start};

/// A file and the name that it should have: removed, renamed or replaced, it is not what others will
/// find there.
#[derive(Debug)]
pub struct Place {
    file: File,
    path: PathBuf,
}

impl Place {
    /// A file that was opened by this name.
    pub fn new(file: File, path: &Path) -> Place {
        Place { file, path: path.to_path_buf() }
    }

    /// Whether the name still leads to the file.
    ///
    /// # Errors
    /// When it does not.
    pub fn check(&self) -> io::Result<()> {
        let named = fs::metadata(&self.path).map_err(|error| about(&self.path, &error))?;
        if same_file(&named, &self.file.metadata()?) {
            return Ok(());
        }
        let moved = io::Error::new(io::ErrorKind::NotFound, "it was replaced by another file while it was written");
        Err(about(&self.path, &moved))
    }

    /// Makes what was written durable, then a checkpoint that says so.
    fn commit(&self, store: &Store, checkpoint: &Checkpoint) -> io::Result<()> {
        self.file.sync_data().map_err(|error| about(&self.path, &error))?;
        self.check()?;
        store.write(checkpoint)
    }
}

/// Whether two files are one.
#[cfg(unix)]
pub fn same_file(a: &fs::Metadata, b: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

/// Other systems do not tell.
#[cfg(not(unix))]
pub fn same_file(_: &fs::Metadata, _: &fs::Metadata) -> bool {
    true
}

/// Keeps the checkpoints of a run.
#[derive(Debug)]
pub struct Keeper {
    /// Takes a progress when it is idle; nothing, once it has ended.
    requests: Option<Sender<Progress>>,
    thread: Option<JoinHandle<io::Result<()>>>,
    last: Instant,
    every: Duration,
    start: Start,
}

impl Keeper {
    /// Makes the first checkpoint, of a run that goes on from `start`, and keeps those that follow with at
    /// least this time between them.
    ///
    /// # Errors
    /// When it cannot be made durable.
    pub fn begin(
        place: Place,
        store: Store,
        mut checkpoint: Checkpoint,
        every: Duration,
        start: Start,
    ) -> io::Result<Keeper> {
        place.commit(&store, &checkpoint)?;
        // Of no capacity: what is handed over is being worked on.
        let (requests, wanted) = bounded(0);
        let thread = std::thread::Builder::new().name("checkpoints".into()).spawn(move || {
            for progress in wanted {
                checkpoint.progress = progress;
                place.commit(&store, &checkpoint)?;
            }
            Ok(())
        })?;
        Ok(Keeper { requests: Some(requests), thread: Some(thread), last: Instant::now(), every, start })
    }

    /// Waits for the thread, which has no more to do or has failed. After a failure nothing is ever durable
    /// again: what an fsync could not write, the next one does not try again, and tells nobody.
    fn end(&mut self) -> io::Result<()> {
        self.requests = None;
        let lost = || io::Error::other("no checkpoint can be kept any more");
        self.thread.take().ok_or_else(lost)?.join().map_err(|_| lost())?
    }
}

impl Journal for Keeper {
    fn start(&mut self) -> Start {
        std::mem::take(&mut self.start)
    }

    fn is_due(&self) -> bool {
        self.last.elapsed() >= self.every
    }

    fn commit(&mut self, progress: Progress) -> io::Result<()> {
        self.last = Instant::now();
        let Some(requests) = &self.requests else { return self.end() };
        match requests.try_send(progress) {
            // Still busy with the one before: the disk is slow, and the next will do.
            Ok(()) | Err(TrySendError::Full(_)) => Ok(()),
            Err(TrySendError::Disconnected(_)) => self.end(),
        }
    }

    fn conclude(&mut self, progress: Progress) -> io::Result<()> {
        if let Some(requests) = &self.requests {
            // Nobody takes it when the thread has failed, which is told by its end.
            let _ = requests.send(progress);
        }
        self.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::Counts;
    use crate::resume::Identity;

    fn progress(solved: u64) -> Progress {
        Progress { counts: Counts { solved, ..Counts::default() }, ..Progress::default() }
    }

    /// A keeper of a run in this folder that has come to this progress.
    fn keeper(folder: &Path, every: Duration, progress: Progress) -> (Keeper, Store) {
        let path = folder.join("results");
        let place = Place::new(File::create(&path).unwrap(), &path);
        let store = Store::beside(&path);
        let checkpoint = Checkpoint { run: Identity::new([].into(), &[]).unwrap(), progress };
        (Keeper::begin(place, store.clone(), checkpoint, every, Start::default()).unwrap(), store)
    }

    fn kept(store: &Store) -> u64 {
        store.read().unwrap().unwrap().progress.counts.solved
    }

    #[test]
    fn the_first_checkpoint_is_kept_before_the_first_result_and_the_last_at_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let (mut keeper, store) = keeper(folder.path(), Duration::MAX, progress(3));
        assert_eq!(kept(&store), 3);
        // It may be too busy to take this one.
        keeper.commit(progress(4)).unwrap();
        assert!(!keeper.is_due());
        keeper.conclude(progress(5)).unwrap();
        assert_eq!(kept(&store), 5);
        assert!(keeper.commit(progress(6)).is_err(), "it has ended");
        assert_eq!(kept(&store), 5);
    }

    #[test]
    fn it_is_due_when_its_time_has_come() {
        let folder = tempfile::tempdir().unwrap();
        assert!(keeper(folder.path(), Duration::ZERO, progress(0)).0.is_due());
    }

    /// Nothing is kept of a file that its name does not lead to, and the failure is told.
    #[test]
    fn a_file_that_was_removed_or_replaced_ends_it() {
        for replaced in [false, true] {
            let folder = tempfile::tempdir().unwrap();
            let (mut keeper, store) = keeper(folder.path(), Duration::ZERO, progress(3));
            let results = folder.path().join("results");
            fs::remove_file(&results).unwrap();
            if replaced {
                fs::write(folder.path().join("other"), "").unwrap();
                fs::rename(folder.path().join("other"), &results).unwrap();
            }
            let told = keeper.conclude(progress(4)).unwrap_err();
            assert_eq!(told.kind(), io::ErrorKind::NotFound);
            assert!(told.to_string().contains("results: "), "{told}");
            assert_eq!(kept(&store), 3);
            assert!(keeper.conclude(progress(5)).is_err());
        }
    }
}
