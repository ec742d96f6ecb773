//! The output of results: a file or standard output. It never overwrites an input, and overwrites
//! existing results only with `--force`.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;

use super::output_conflicts::{self, FileIdentity, Target};
use super::status::{ExitStatus, Stop, standard_output};
use crate::batch::resume::{Checkpoint, CheckpointFile, CheckpointWriter, Identity, NamedFile};
use crate::batch::{Journal, ResumePoint, Sink};
use crate::format::input::{Expanded, Input, Reader};
use crate::system::Checksum;
use crate::system::missing_path;

/// The treatment of existing results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IfExists {
    /// Keep them and fail.
    Keep,
    /// Overwrite them.
    Overwrite,
    /// Continue after them.
    Continue,
}

impl IfExists {
    /// Returns `Overwrite` with `--force`, otherwise `Keep`.
    pub fn forced(force: bool) -> IfExists {
        if force { IfExists::Overwrite } else { IfExists::Keep }
    }
}

/// An open output. It is not buffered because results come in chunks of whole lines.
pub struct Output {
    file: File,
    /// The output's name in messages.
    name: String,
    /// `Some` for a regular file.
    regular: Option<Regular>,
    /// Locked while a chunk is being written. At other times all lines are complete.
    pub writing: Arc<Mutex<()>>,
    checkpoints: Option<CheckpointWriter>,
    /// The checksum of everything written by this run and the runs it resumes, if requested.
    pub checksum: Option<Checksum>,
}

/// A regular file, which this run has locked.
struct Regular {
    path: PathBuf,
    named_file: NamedFile,
}

impl Output {
    /// Opens the file, or standard output.
    ///
    /// # Errors
    /// A message for the user, if no input exists, the file cannot be created, another run is
    /// writing to the file, or the file holds results that must be kept. Nothing is changed then.
    pub fn open(path: Option<&Path>, if_exists: IfExists, inputs: &[Input]) -> Result<Output, String> {
        let Some(path) = path else {
            let file = standard_output().map_err(|error| format!("cannot write to standard output: {error}"))?;
            let (name, writing) = ("standard output".into(), Arc::default());
            return Ok(Output { file, name, regular: None, writing, checkpoints: None, checksum: None });
        };
        let is_missing = |input: &Input| matches!(input, Input::Path(path) if !path.exists());
        if let [first, ..] = inputs
            && inputs.iter().all(is_missing)
        {
            return Err(format!("cannot read {}: there is no such file", first.name()));
        }
        let name = path.display().to_string();
        let cannot_write =
            |error: io::Error| format!("cannot write to {name}: {}", missing_path::explained(path, error));
        let is_special = fs::metadata(path).is_ok_and(|found| !found.is_file());
        let checkpoint = CheckpointFile::of(path);
        let checkpoint = checkpoint.path();
        if if_exists == IfExists::Continue && !path.exists() && checkpoint.exists() {
            let checkpoint = checkpoint.display();
            return Err(format!(
                "{name} is missing, but its checkpoint {checkpoint} exists: use --force to start again"
            ));
        }
        // Do not truncate the file before it is locked, and do not create a file in place of a
        // special one.
        let mut how = OpenOptions::new();
        how.write(true).read(if_exists == IfExists::Continue && !is_special).create(!is_special);
        let file = how.truncate(false).open(path).map_err(cannot_write)?;
        let regular = match file.metadata().map_err(cannot_write)?.is_file() {
            true => Some(Regular::claim(&file, path, if_exists)?),
            false if if_exists == IfExists::Continue => {
                return Err(format!("{name} is not a file: --resume needs one"));
            }
            false => None,
        };
        Ok(Output { file, name, regular, writing: Arc::default(), checkpoints: None, checksum: None })
    }

    /// Enables checkpoints, at most one per `every`. If an earlier run left a checkpoint, resumes
    /// that run: the reader skips to the checkpoint's position. Returns the number of results
    /// already in the file.
    ///
    /// # Errors
    /// A message for the user, if the file or its checkpoint is damaged or belongs to another run.
    /// Nothing is changed then.
    pub fn resume(&mut self, run: Identity, reader: &mut Reader, every: Duration) -> Result<u64, String> {
        let name = &self.name;
        let Some(regular) = &self.regular else { return Err(format!("{name} is not a file")) };
        let checkpoint_file = CheckpointFile::of(&regular.path);
        let with_remedy = |why: String| format!("{why}: use --force to start again");
        let cannot_write = |error: io::Error| format!("cannot write to {name}: {error}");
        let (start, length) = match checkpoint_file.read().map_err(with_remedy)? {
            Some(checkpoint) => {
                let start = resume_point(&mut self.file, name, &checkpoint, &run, reader).map_err(with_remedy)?;
                (start, checkpoint.progress.bytes)
            }
            None if self.file.metadata().map_err(cannot_write)?.len() > 0 => {
                let missing = checkpoint_file.path().display();
                return Err(with_remedy(format!("{name} holds results without a checkpoint {missing}")));
            }
            None => {
                reader.keep_positions();
                (ResumePoint::default(), 0)
            }
        };
        // Results after the checkpoint are computed again.
        self.file.set_len(length).map_err(cannot_write)?;
        self.file.seek(SeekFrom::Start(length)).map_err(cannot_write)?;
        let records = start.counts.records();
        if self.checksum.is_some() {
            self.checksum = Some(start.written.clone());
        }
        let checkpoint = Checkpoint { run, progress: start.progress(reader.position()) };
        let named_file = NamedFile::new(self.file.try_clone().map_err(cannot_write)?, &regular.path);
        let writer = CheckpointWriter::begin(named_file, checkpoint_file, checkpoint, every, start);
        self.checkpoints = Some(writer.map_err(|error| format!("cannot keep a checkpoint: {error}"))?);
        Ok(records)
    }

    /// Returns true if the run has checkpoints.
    pub fn can_be_resumed(&self) -> bool {
        self.checkpoints.is_some()
    }

    /// Writes the last line of the results. If the run has checkpoints, the output is on disk when
    /// this returns.
    ///
    /// # Errors
    /// When the line cannot be written, or the file is no longer at its path.
    pub fn end_with(&mut self, line: &[u8]) -> io::Result<()> {
        self.write_all(line)?;
        match &self.regular {
            Some(regular) if self.checkpoints.is_some() => regular.named_file.sync(),
            _ => self.flush(),
        }
    }

    /// Returns the [`Stop`] for a failed write, with a remedy in its message. A closed pipe is not
    /// a failure.
    pub fn stop(&self, error: &io::Error) -> Stop {
        if error.kind() == ErrorKind::BrokenPipe {
            return ExitStatus::Settled.into();
        }
        let remedy = match (&self.regular, self.can_be_resumed()) {
            (_, true) => "run the same command again to resume",
            (Some(_), false) => "start again with --force; the lines written so far are valid",
            (None, false) => "start again",
        };
        format!("cannot write to {}: {error}; {remedy}", self.name).into()
    }
}

/// Writes all bytes. An error includes the number of bytes written before it.
fn try_write(file: &mut impl Write, bytes: &[u8]) -> Result<(), (io::Error, usize)> {
    let mut written = 0;
    while written < bytes.len() {
        match file.write(&bytes[written..]) {
            Ok(0) => return Err((ErrorKind::WriteZero.into(), written)),
            Ok(more) => written += more,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err((error, written)),
        }
    }
    Ok(())
}

/// Removes an incomplete line, which is the last `torn` bytes, from an output. Does nothing if the
/// output is not a file, or if something was written after these bytes.
fn cut_off(file: &mut File, torn: u64) -> io::Result<()> {
    let found = file.metadata()?;
    if torn > 0 && found.is_file() && file.stream_position()? == found.len() {
        let whole = found.len().saturating_sub(torn);
        file.set_len(whole)?;
        file.seek(SeekFrom::Start(whole))?;
    }
    Ok(())
}

impl Regular {
    /// Locks the file and checks that it may be written to.
    fn claim(file: &File, path: &Path, if_exists: IfExists) -> Result<Regular, String> {
        let name = path.display();
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(format!("another run is writing to {name}")),
            // Some network file systems do not support locks.
            Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(format!("cannot lock {name}: {error}")),
        }
        let wrong = |error: io::Error| format!("cannot write to {name}: {error}");
        if if_exists == IfExists::Keep && file.metadata().map_err(wrong)?.len() > 0 {
            return Err(format!(
                "{name} already holds results: use --force to overwrite them, or --resume to continue an unfinished run"
            ));
        }
        if if_exists != IfExists::Continue {
            // Remove the checkpoint first, because it must never describe another output.
            CheckpointFile::of(path).remove().map_err(wrong)?;
            file.set_len(0).map_err(wrong)?;
        }
        let named_file = NamedFile::new(file.try_clone().map_err(wrong)?, path);
        Ok(Regular { path: path.to_path_buf(), named_file })
    }
}

/// Moves the reader to the position of a checkpoint, and returns the point from which the run
/// resumes. Fails if the checkpoint belongs to another run, or if its checksum does not match the
/// results.
fn resume_point(
    file: &mut File,
    name: &str,
    checkpoint: &Checkpoint,
    run: &Identity,
    reader: &mut Reader,
) -> Result<ResumePoint, String> {
    let progress = &checkpoint.progress;
    if let Some(difference) = run.difference(&checkpoint.run) {
        return Err(format!("the run that wrote {name} {difference}"));
    }
    let mut written = Checksum::default();
    let mut block = vec![0; 1 << 20];
    while written.bytes() < progress.bytes {
        let most = block.len().min(usize::try_from(progress.bytes - written.bytes()).unwrap_or(usize::MAX));
        match file.read(&mut block[..most]) {
            Ok(0) => return Err(format!("{name} is shorter than its checkpoint says")),
            Ok(read) => written.update(&block[..read]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(format!("cannot read {name}: {error}")),
        }
    }
    if written.value() != progress.checksum {
        return Err(format!("{name} was changed or damaged since its checkpoint was made"));
    }
    reader.go_to(&progress.position).map_err(|changed| changed.to_string())?;
    Ok(ResumePoint::new(progress, written))
}

/// Rejects outputs that would overwrite each other or an input. The checkpoint next to `output` is
/// included even if this run keeps none, because an existing one is removed.
///
/// # Errors
/// A message for the user.
pub fn check_conflicts(output: Option<&Path>, inputs: &[Input], other_outputs: &[Target<'_>]) -> Result<(), String> {
    let checkpoint = output.map(CheckpointFile::of);
    let checkpoint_files = checkpoint.iter().flat_map(CheckpointFile::files);
    let mut written = vec![Target::file_or_standard_output("--output", output)];
    written.extend(other_outputs);
    written.extend(checkpoint_files.map(Target::Checkpoint));
    output_conflicts::check(inputs, &written)
}

/// Removes the output from the inputs if a folder contains it, and it is empty or has a checkpoint.
/// A shell creates the file of `> FILE` before the run, which would then read its own output
/// endlessly. `named` are the arguments; a file among them stays.
pub fn skip_own_output(output: Option<&Path>, named: &[PathBuf], inputs: &mut Expanded) {
    let identity = match output {
        Some(path) => FileIdentity::of_path(path),
        None => FileIdentity::of_stream(&io::stdout()),
    };
    let is_empty = |path: &Path| fs::metadata(path).is_ok_and(|found| found.len() == 0);
    let is_resumable = |path: &Path| CheckpointFile::of(path).path().exists();
    let is_output = |path: &Path| identity.is_some() && FileIdentity::of_path(path) == identity;
    inputs.skip_results(|path| !named.contains(path) && is_output(path) && (is_empty(path) || is_resumable(path)));
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        let _writing = self.writing.lock();
        let written = try_write(&mut self.file, bytes);
        if let Some(checksum) = &mut self.checksum {
            checksum.update(bytes);
        }
        written.map_err(|(error, written)| {
            // Complete lines are results. Remove an incomplete line if the device still allows it.
            let whole = bytes[..written].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
            let _ = cut_off(&mut self.file, (written - whole) as u64);
            error
        })
    }

    /// Checks that the file is still at its path.
    fn flush(&mut self) -> io::Result<()> {
        self.regular.as_ref().map_or(Ok(()), |regular| regular.named_file.check())
    }
}

impl Sink for Output {
    fn journal(&mut self) -> Option<&mut dyn Journal> {
        self.checkpoints.as_mut().map(|checkpoints| checkpoints as &mut dyn Journal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file that accepts at most three bytes per write, except that the `nth` write returns the
    /// result of `fault`.
    struct FaultyWriter {
        bytes: Vec<u8>,
        nth: usize,
        fault: fn() -> io::Result<usize>,
    }

    impl Write for FaultyWriter {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.nth = self.nth.wrapping_sub(1);
            let most = if self.nth == 0 { (self.fault)()? } else { 3 };
            let some = &bytes[..most.min(bytes.len())];
            self.bytes.extend(some);
            Ok(some.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn interrupted_writes_continue_and_failed_writes_report_the_bytes_before_them() {
        let text: Vec<u8> = (0..50).collect();
        for nth in 1..=18 {
            let write = |fault: fn() -> io::Result<usize>| {
                let mut file = FaultyWriter { bytes: Vec::new(), nth, fault };
                let written = try_write(&mut file, &text).map_err(|(error, written)| (error.kind(), written));
                assert!(text.starts_with(&file.bytes));
                (written, file.bytes.len())
            };
            assert_eq!(write(|| Ok(1)), (Ok(()), 50));
            assert_eq!(write(|| Err(ErrorKind::Interrupted.into())), (Ok(()), 50));
            // The 18th write does not happen.
            let before = (3 * (nth - 1)).min(50);
            let ended = |kind| if nth < 18 { (Err((kind, before)), before) } else { (Ok(()), 50) };
            assert_eq!(write(|| Ok(0)), ended(ErrorKind::WriteZero));
            assert_eq!(write(|| Err(ErrorKind::StorageFull.into())), ended(ErrorKind::StorageFull));
        }
    }
}
