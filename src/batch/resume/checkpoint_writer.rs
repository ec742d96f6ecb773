//! Writes the checkpoints of a run in a separate thread, so that no other thread waits for the
//! disk.

use std::io;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam::channel::{Sender, TrySendError, bounded};

use super::checkpoint::{Checkpoint, CheckpointFile};
use super::files::NamedFile;
use crate::batch::progress::{Journal, Progress, ResumePoint};

/// The writer of a run's checkpoints.
#[derive(Debug)]
pub struct CheckpointWriter {
    /// The requests to the thread, which receives only when it is idle; `None` once the thread has
    /// ended.
    requests: Option<Sender<Progress>>,
    thread: Option<JoinHandle<io::Result<()>>>,
    last_commit: Instant,
    interval: Duration,
    resume_point: ResumePoint,
}

impl CheckpointWriter {
    /// Writes the first checkpoint of a run that resumes from `resume_point`, and starts the thread
    /// for later ones, at least `interval` apart.
    ///
    /// # Errors
    /// If the first checkpoint cannot be made durable.
    pub fn begin(
        output: NamedFile,
        file: CheckpointFile,
        mut checkpoint: Checkpoint,
        interval: Duration,
        resume_point: ResumePoint,
    ) -> io::Result<CheckpointWriter> {
        // The output is made durable before the checkpoint that refers to it.
        let commit = move |checkpoint: &Checkpoint| {
            output.sync()?;
            file.write(checkpoint)
        };
        commit(&checkpoint)?;
        // The channel has no capacity, so a request that was sent is being processed.
        let (requests, received) = bounded(0);
        let thread = std::thread::Builder::new().name("checkpoints".into()).spawn(move || {
            for progress in received {
                checkpoint.progress = progress;
                commit(&checkpoint)?;
            }
            Ok(())
        })?;
        let last_commit = Instant::now();
        Ok(CheckpointWriter { requests: Some(requests), thread: Some(thread), last_commit, interval, resume_point })
    }

    /// Waits for the thread to finish its last request. Returns the thread's error, if the thread
    /// failed. After a failure no further checkpoint is written: data that a failed fsync lost is
    /// not written by the next fsync, which may report success.
    fn end(&mut self) -> io::Result<()> {
        self.requests = None;
        let lost = || io::Error::other("cannot write any more checkpoints");
        self.thread.take().ok_or_else(lost)?.join().map_err(|_| lost())?
    }
}

impl Journal for CheckpointWriter {
    fn resume_point(&mut self) -> ResumePoint {
        std::mem::take(&mut self.resume_point)
    }

    fn is_due(&self) -> bool {
        self.last_commit.elapsed() >= self.interval
    }

    fn commit(&mut self, progress: Progress) -> io::Result<bool> {
        self.last_commit = Instant::now();
        let Some(requests) = &self.requests else { return self.end().map(|()| false) };
        match requests.try_send(progress) {
            Ok(()) => Ok(true),
            // The previous checkpoint is still being written, because the disk is slow. A later
            // request will succeed.
            Err(TrySendError::Full(_)) => Ok(false),
            Err(TrySendError::Disconnected(_)) => self.end().map(|()| false),
        }
    }

    fn conclude(&mut self, progress: Progress) -> io::Result<()> {
        if let Some(requests) = &self.requests {
            // Sending fails if the thread has failed. `end` then returns the error.
            let _ = requests.send(progress);
        }
        self.end()
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::path::Path;

    use super::*;
    use crate::batch::Counts;
    use crate::batch::resume::Identity;

    fn progress(solved: u64) -> Progress {
        Progress { counts: Counts { solved, ..Counts::default() }, ..Progress::default() }
    }

    /// Creates a writer of checkpoints in this folder, for a run with this progress.
    fn writer(folder: &Path, interval: Duration, progress: Progress) -> (CheckpointWriter, CheckpointFile) {
        let path = folder.join("results");
        let output = NamedFile::new(File::create(&path).unwrap(), &path);
        let file = CheckpointFile::of(&path);
        let checkpoint = Checkpoint { run: Identity::new([].into(), &[]).unwrap(), progress };
        let begun = CheckpointWriter::begin(output, file.clone(), checkpoint, interval, ResumePoint::default());
        (begun.unwrap(), file)
    }

    fn solved_in(file: &CheckpointFile) -> u64 {
        file.read().unwrap().unwrap().progress.counts.solved
    }

    #[test]
    fn the_first_and_the_last_checkpoint_are_durable() {
        let folder = tempfile::tempdir().unwrap();
        let (mut writer, file) = writer(folder.path(), Duration::MAX, progress(3));
        assert_eq!(solved_in(&file), 3);
        // This progress is skipped if the thread is still writing.
        writer.commit(progress(4)).unwrap();
        assert!(!writer.is_due());
        writer.conclude(progress(5)).unwrap();
        assert_eq!(solved_in(&file), 5);
        assert!(writer.commit(progress(6)).is_err(), "it has ended");
        assert_eq!(solved_in(&file), 5);
    }

    #[test]
    fn a_checkpoint_is_due_after_the_interval() {
        let folder = tempfile::tempdir().unwrap();
        assert!(writer(folder.path(), Duration::ZERO, progress(0)).0.is_due());
    }

    /// After the output was removed or replaced, no checkpoint is written, and the failure is
    /// returned.
    #[test]
    fn checkpoints_end_if_the_output_is_removed_or_replaced() {
        for replaced in [false, true] {
            let folder = tempfile::tempdir().unwrap();
            let (mut writer, file) = writer(folder.path(), Duration::ZERO, progress(3));
            let results = folder.path().join("results");
            fs::remove_file(&results).unwrap();
            if replaced {
                fs::write(folder.path().join("other"), "").unwrap();
                fs::rename(folder.path().join("other"), &results).unwrap();
            }
            let error = writer.conclude(progress(4)).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::NotFound);
            assert!(error.to_string().contains("results: "), "{error}");
            assert_eq!(solved_in(&file), 3);
            assert!(writer.conclude(progress(5)).is_err());
        }
    }
}
