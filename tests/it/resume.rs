//! A run that is interrupted at any of its writes resumes from its last checkpoint and gives the
//! output of an uninterrupted run.
//!
//! The disk is simulated in memory and fails from the n-th write on, for many n, so the test does
//! not depend on timing. `tests/it/faults.rs` interrupts the program by signals and failing system
//! calls.

use std::cell::Cell;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use taquin::Solver;
use taquin::internal::batch::resume::{Checkpoint, Identity};
use taquin::internal::batch::{self, Journal, Options, Progress, ResumePoint, Sink, Totals};
use taquin::internal::format::input::{Input, InputOptions, Reader};
use taquin::internal::format::output::{Field, Fields};
use taquin::internal::format::style::Style;
use taquin::internal::system::Checksum;

use crate::common;

/// The data that survives an interruption.
#[derive(Default)]
struct Disk {
    text: Vec<u8>,
    checkpoint: Option<Vec<u8>>,
}

/// A run that writes to a disk.
struct Run<'a> {
    disk: &'a mut Disk,
    start: ResumePoint,
    /// The number of writes until the power fails. Half of the last write reaches the disk.
    writes_left: usize,
    /// The number of writes until the run is stopped.
    stop_after: usize,
    stop: &'a AtomicBool,
    /// The number of writes between checkpoints.
    checkpoint_interval: usize,
    writes_since_checkpoint: usize,
    /// The number of writes so far.
    write_count: &'a AtomicUsize,
}

impl Write for Run<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.is_empty() {
            return Ok(0);
        }
        self.write_count.fetch_add(1, Ordering::Relaxed);
        if self.writes_left <= 1 {
            let half = if self.writes_left == 1 { bytes.len() / 2 } else { 0 };
            self.writes_left = 0;
            self.disk.text.extend_from_slice(&bytes[..half]);
            return Err(io::Error::other("no power"));
        }
        self.stop_after = self.stop_after.saturating_sub(1);
        if self.stop_after == 0 {
            self.stop.store(true, Ordering::Relaxed);
        }
        self.writes_left -= 1;
        self.writes_since_checkpoint += 1;
        self.disk.text.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Sink for Run<'_> {
    fn journal(&mut self) -> Option<&mut dyn Journal> {
        Some(self)
    }
}

impl Journal for Run<'_> {
    fn resume_point(&mut self) -> ResumePoint {
        std::mem::take(&mut self.start)
    }

    fn is_due(&self) -> bool {
        self.writes_since_checkpoint >= self.checkpoint_interval
    }

    fn commit(&mut self, progress: Progress) -> io::Result<bool> {
        if self.writes_left == 0 {
            return Err(io::Error::other("no power"));
        }
        self.writes_since_checkpoint = 0;
        let run = Identity::new([].into(), &[]).unwrap();
        self.disk.checkpoint = Some(Checkpoint { run, progress }.encode());
        Ok(true)
    }

    fn conclude(&mut self, progress: Progress) -> io::Result<()> {
        self.commit(progress).map(|_| ())
    }
}

/// The inputs and the settings of a test.
struct Case {
    inputs: Vec<PathBuf>,
    ordered: bool,
    /// The number of writes between checkpoints.
    checkpoint_interval: usize,
    solver: Solver,
    _folder: tempfile::TempDir,
}

/// The event, if any, that interrupts a run.
#[derive(Clone, Copy)]
enum Interruption {
    Never,
    /// The power fails at this write.
    Power(usize),
    /// The run is stopped after this write.
    Stop(usize),
}

impl Case {
    fn new(threads: usize, ordered: bool, checkpoint_interval: usize) -> Case {
        let folder = tempfile::tempdir().unwrap();
        let inputs = common::mixed::write(folder.path(), 400);
        let solver = Solver::builder().threads(threads).memory(1 << 28).node_limit(1_000_000).build().unwrap();
        Case { inputs, ordered, checkpoint_interval, solver, _folder: folder }
    }

    /// Runs from the checkpoint, if there is one, to the end or to the interruption. Returns the
    /// number of writes, and the totals if the run was completed.
    fn run(&self, disk: &mut Disk, interruption: Interruption) -> (usize, Option<Totals>) {
        let inputs = self.inputs.iter().cloned().map(Input::Path).collect();
        let mut reader = Reader::new(inputs, InputOptions::default());
        let start = match &disk.checkpoint {
            None => {
                reader.keep_positions();
                disk.text.clear();
                ResumePoint::default()
            }
            Some(bytes) => {
                let progress = Checkpoint::decode(bytes).unwrap().progress;
                disk.text.truncate(progress.bytes as usize);
                let mut written = Checksum::default();
                written.update(&disk.text);
                assert_eq!((written.bytes(), written.value()), (progress.bytes, progress.checksum));
                reader.go_to(&progress.position).unwrap();
                ResumePoint::new(&progress, written)
            }
        };
        let style =
            Style::Json(Fields::new([Field::Index, Field::Line, Field::Id, Field::Status, Field::Path, Field::Error]));
        let options = Options { ordered: self.ordered, ..Options::new(style) };
        let (stop, totals, write_count) = (AtomicBool::new(false), Totals::default(), AtomicUsize::new(0));
        let (writes_left, stop_after) = match interruption {
            Interruption::Never => (usize::MAX, usize::MAX),
            Interruption::Power(writes) => (writes, usize::MAX),
            Interruption::Stop(writes) => (usize::MAX, writes),
        };
        let mut sink = Run {
            disk,
            start,
            writes_left,
            stop_after,
            stop: &stop,
            checkpoint_interval: self.checkpoint_interval,
            writes_since_checkpoint: 0,
            write_count: &write_count,
        };
        let ended = batch::run(&mut reader, &mut sink, &self.solver, &options, &totals, &stop, &|_| {});
        let finished = ended.is_ok() && !stop.load(Ordering::Relaxed);
        (write_count.into_inner(), finished.then_some(totals))
    }

    /// Returns the lines of the output, sorted if the run is unordered.
    fn lines(&self, text: &[u8]) -> Vec<String> {
        let mut lines: Vec<String> = String::from_utf8(text.to_vec()).unwrap().lines().map(String::from).collect();
        if !self.ordered {
            lines.sort();
        }
        lines
    }

    /// Interrupts a run at its n-th write, and resumes and interrupts it again until it is
    /// complete. Repeats this for every `step`-th n, up to the number of writes.
    fn interrupt_at_every_write(&self, step: usize, interruption: impl Fn(usize) -> Interruption) {
        let mut uninterrupted = Disk::default();
        let (_, totals) = self.run(&mut uninterrupted, Interruption::Never);
        let (expected, totals) = (self.lines(&uninterrupted.text), totals.unwrap());
        assert_eq!(expected.len() as u64, totals.counts().records());
        assert_eq!(totals.failed_inputs(), 1);
        let n = Cell::new(1);
        loop {
            let (mut disk, mut rounds) = (Disk::default(), 0);
            let resumed = loop {
                // Each round is interrupted one write later than the one before. Otherwise a run
                // might never make progress.
                let (_, ended) = self.run(&mut disk, interruption(n.get() + rounds));
                match ended {
                    Some(totals) => break totals,
                    None => rounds += 1,
                }
            };
            assert!(self.lines(&disk.text) == expected, "interrupted {rounds} times from write {} on", n.get());
            assert_eq!(resumed.counts(), totals.counts());
            assert_eq!(resumed.failed_inputs(), totals.failed_inputs());
            if rounds == 0 {
                return assert!(n.get() > step, "no run was interrupted");
            }
            n.set(n.get() + step);
        }
    }
}

#[test]
fn power_fails_at_every_write_of_an_ordered_run() {
    Case::new(1, true, 1).interrupt_at_every_write(1, Interruption::Power);
    Case::new(3, true, 3).interrupt_at_every_write(4, Interruption::Power);
}

#[test]
fn power_fails_at_every_write_of_an_unordered_run() {
    Case::new(1, false, 2).interrupt_at_every_write(3, Interruption::Power);
    Case::new(3, false, 1).interrupt_at_every_write(3, Interruption::Power);
}

#[test]
fn a_stop_after_every_write_loses_nothing() {
    Case::new(2, true, 5).interrupt_at_every_write(3, Interruption::Stop);
    Case::new(2, false, 5).interrupt_at_every_write(3, Interruption::Stop);
}

/// A finished run resumes at its end, and reads and writes nothing.
#[test]
fn a_finished_run_has_nothing_to_do() {
    for ordered in [true, false] {
        let case = Case::new(2, ordered, 1);
        let mut disk = Disk::default();
        let (_, first) = case.run(&mut disk, Interruption::Never);
        let text = disk.text.clone();
        let (writes, repeated) = case.run(&mut disk, Interruption::Never);
        assert_eq!((writes, disk.text == text), (0, true));
        assert_eq!(repeated.unwrap().counts(), first.unwrap().counts());
    }
}

/// Any change to an input before the checkpoint's position is detected.
#[test]
fn changed_inputs_are_detected() {
    let case = Case::new(1, true, 1);
    let (writes, _) = case.run(&mut Disk::default(), Interruption::Never);
    // How far a run has read at a given write depends on the scheduling of threads. A run that has
    // ended normally has read all inputs.
    let detected: usize =
        [Interruption::Power(writes / 2), Interruption::Power(writes.saturating_sub(2)), Interruption::Never]
            .into_iter()
            .map(|interruption| {
                let mut disk = Disk::default();
                case.run(&mut disk, interruption);
                check_changes_before(&case, &disk)
            })
            .sum();
    // The position at the end of a run is in the last input, so the test changed all other inputs.
    assert!(detected >= case.inputs.len() - 1, "{detected}");
}

/// Changes the inputs before the checkpoint's position, one at a time, and checks that each change
/// is detected. Returns the number of these inputs.
fn check_changes_before(case: &Case, disk: &Disk) -> usize {
    // There is no checkpoint if the run was interrupted before its first one.
    let Some(checkpoint) = &disk.checkpoint else { return 0 };
    let position = Checkpoint::decode(checkpoint).unwrap().progress.position;
    let go_to = || {
        let inputs = case.inputs.iter().cloned().map(Input::Path).collect();
        Reader::new(inputs, InputOptions::default()).go_to(&position).is_ok()
    };
    assert!(go_to());
    let before = position.input as usize;
    for (number, path) in case.inputs[..before].iter().enumerate() {
        let bytes = std::fs::read(path).unwrap();
        for at in [bytes.len() / 3, bytes.len() / 2, bytes.len() - 12] {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            std::fs::write(path, &changed).unwrap();
            assert!(!go_to(), "input {number}, byte {at}, {position:?}");
            std::fs::write(path, &bytes[..at]).unwrap();
            assert!(!go_to(), "input {number} cut to {at}, {position:?}");
        }
        std::fs::remove_file(path).unwrap();
        assert!(!go_to(), "input {number} removed, {position:?}");
        std::fs::write(path, &bytes).unwrap();
    }
    assert!(go_to());
    before
}
