//! A batch run as the user sees it: results in a file or on standard output, progress, checkpoints,
//! signals, a summary and the exit status. `solve` runs one, and `generate` runs one for each file
//! of answers.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use parking_lot::Mutex;

use super::options::{FailOn, Solving, Writing, expand_inputs};
use super::ui::output::{self, Output};
use super::ui::output_conflicts::Target;
use super::ui::progress::{ProgressDisplay, Work};
use super::ui::signals::Interrupt;
use super::ui::summary::{SummaryWriter, warn_of_missed_duplicates};
use super::ui::{ExitStatus, Stop, atomic_file, warn};
use crate::batch::resume::{Identity, SearchKeeper};
use crate::batch::{self, Counts};
use crate::format::input::{InputOptions, Reader, Shard, SkippedFiles};
use crate::format::output::Field;
use crate::format::style::Style;
use crate::format::trailer::{RunChecksum, Trailer};
use crate::solver::Solver;
use crate::system::Checksum;
use crate::tools::text::counted;

/// The configuration of a run: inputs, solver and outputs.
pub(super) struct BatchRun<'a> {
    /// Files, folders or boards, as typed.
    pub inputs: &'a [PathBuf],
    pub reading: InputOptions,
    pub solving: &'a Solving,
    pub solver: &'a Solver,
    pub style: Style,
    pub writing: &'a Writing,
    /// The maximum number of shortest paths to count for boards of more than 12 cells.
    pub count_cap: u64,
    /// `Some` if the run is one shard, which is a part of a larger run.
    pub shard: Option<Shard>,
    /// The options that decide which bytes are written. A resumed run and all shards must have the
    /// same values.
    pub identity: BTreeMap<&'static str, String>,
    pub progress: &'a ProgressDisplay,
    pub interrupt: &'a Interrupt,
    /// The time limit of the whole run.
    pub run_limit: Option<Duration>,
}

/// The opened inputs and output.
struct Opened {
    reader: Reader,
    output: Output,
    /// The shard and the checksum that identifies its run.
    shard: Option<(Shard, RunChecksum)>,
    /// The files that were skipped when folders were expanded.
    skipped: SkippedFiles,
    /// Saves snapshots of unfinished searches; `Some` if the run can be resumed.
    keeper: Option<SearchKeeper>,
}

impl BatchRun<'_> {
    /// Runs the batch and returns its exit status.
    ///
    /// # Errors
    /// When the run cannot start, or the summary file cannot be written.
    pub fn run(self) -> Result<ExitStatus, Stop> {
        if let Some(warning) = self.solving.too_little_memory() {
            warn(&warning);
        }
        let Opened { mut reader, mut output, shard, skipped, keeper } = self.open()?;
        let (writing, interrupt, quiet) = (self.writing, self.interrupt, self.writing.showing.quiet);
        let summary = SummaryWriter::new(writing.summary.as_deref(), quiet, skipped, self.solving.resources.threads());
        let (summary, shows_resume_hint) = (Arc::new(summary), output.can_be_resumed() && !quiet);
        save_when_interrupted(interrupt, (Arc::clone(&summary), shows_resume_hint), Arc::clone(&output.writing));
        let run_limit = self.run_limit.map(|limit| interrupt.limit_run(limit)).transpose()?;
        let ended = self.solve((&mut reader, &mut output), &summary, keeper.as_ref());
        let ended = ended.and_then(|()| match shard {
            // An interrupted shard is not complete and gets no trailer.
            Some((shard, run_checksum)) if !interrupt.flag().load(Ordering::Relaxed) => {
                let (end, written) = (reader.position(), summary.totals.counts().records());
                let checksum = output.checksum.clone().unwrap_or_default();
                let trailer = Trailer::new(shard, end.records, written, run_checksum.end(&end), &checksum);
                output.end_with(trailer.line().as_bytes()).map_err(batch::Error::Write)
            }
            _ => Ok(()),
        });
        drop(run_limit);
        // The warnings are about records that a judge's format cannot express.
        if let Style::Answers(answers) = &self.style {
            answers.take_warnings().iter().for_each(|warning| warn(warning));
        }
        warn_of_missed_duplicates(&summary.totals);
        let (totals, interrupted) = (&summary.totals, interrupt.status());
        let status = match ended {
            Ok(()) => status(&totals.counts(), totals.failed_inputs(), &writing.fail_on, interrupted),
            // The reader of the results has closed the pipe because it needs no more. Exit quietly.
            Err(batch::Error::Write(error)) if error.kind() == ErrorKind::BrokenPipe => {
                summary.write(None, false)?;
                return Ok(ExitStatus::Settled);
            }
            Err(batch::Error::Write(error)) => output.stop(&error).report(),
            Err(error) => Stop::from(error.to_string()).report(),
        };
        if interrupted.is_some() && shows_resume_hint {
            warn(TO_RESUME);
        }
        summary.write(interrupted, true)?;
        Ok(status)
    }

    /// Opens the inputs and the output, at the checkpoint of an earlier run if there is one.
    fn open(&self) -> Result<Opened, Stop> {
        let (writing, path) = (self.writing, self.writing.output.as_deref());
        let mut expanded = expand_inputs(self.inputs)?;
        output::skip_own_output(path, self.inputs, &mut expanded);
        output::check_conflicts(path, &expanded.inputs, &[Target::File("--summary", writing.summary.as_deref())])?;
        let (identity, inputs) = (&self.identity, &expanded.inputs);
        let whole_identity = || {
            let shard = self.shard.map(|shard| ("shard", shard.to_string()));
            Identity::new(identity.clone().into_iter().chain(shard).collect(), inputs)
        };
        let resumable = writing.resume.then(whole_identity).transpose()?;
        let shard = self.shard.map(|shard| {
            let options = identity.iter().map(|(name, value)| (*name, value.as_str()));
            let has_names = self.style.fields().is_some_and(|fields| fields.contains(Field::Source));
            (shard, RunChecksum::new(options, has_names.then_some(inputs)))
        });
        // An existing output is only replaced if the summary can be written as well.
        writing.summary.as_deref().map_or(Ok(()), atomic_file::check_creation)?;
        let mut output = Output::open(path, writing.if_exists(), &expanded.inputs)?;
        let mut reader = Reader::new(expanded.inputs, self.reading.clone());
        if let Some((shard, _)) = &shard {
            output.checksum = Some(Checksum::default());
            reader.take_only(*shard);
        }
        let mut keeper = None;
        if let Some(run) = resumable {
            let every = writing.checkpoint_every;
            keeper = path.map(|path| SearchKeeper::new(path, run.clone(), every));
            let results = output.resume(run, &mut reader, every)?;
            if results > 0 && !writing.showing.quiet {
                warn(&format!("resuming after {}", counted(results, "result")));
            }
        }
        Ok(Opened { reader, output, shard, skipped: expanded.skipped, keeper })
    }

    fn solve(
        &self,
        (reader, output): (&mut Reader, &mut Output),
        summary: &SummaryWriter,
        keeper: Option<&SearchKeeper>,
    ) -> Result<(), batch::Error> {
        let (solver, interrupt) = (self.solver, self.interrupt);
        let options = batch::Options {
            ordered: !self.writing.unordered,
            ..self.solving.batch_options(&self.style, self.count_cap)
        };
        let run = || {
            std::thread::scope(|scope| {
                let warn = |line: &str| self.progress.warn(line);
                let _guard = keeper.map(|keeper| keeper.watch(scope, summary.totals.active_searches(), warn));
                reader.read_ahead(solver.engines.memory_plan.read_ahead());
                if keeper.is_some() {
                    interrupt.allow_time_to_write();
                }
                let ended = batch::run(reader, output, solver, &options, &summary.totals, interrupt.flag(), &warn);
                interrupt.allow_time_to_write();
                if ended.is_ok() && !interrupt.flag().load(Ordering::Relaxed) {
                    summary.totals.active_searches().forget_all();
                }
                ended
            })
        };
        self.progress.during(|| Work::of(&summary.totals, solver), run)
    }
}

/// The hint for an unfinished run that has a checkpoint.
const TO_RESUME: &str = "run the same command again to resume";

/// Registers what the process does if it must exit before the run has stopped: it waits up to a
/// second for results that are being written, writes the summary and, if there is a checkpoint,
/// says how to resume.
fn save_when_interrupted(
    interrupt: &Interrupt,
    (summary, shows_resume_hint): (Arc<SummaryWriter>, bool),
    writing: Arc<Mutex<()>>,
) {
    let handle = interrupt.clone();
    interrupt.save_at_exit(move || {
        let _written = writing.try_lock_for(Duration::from_secs(1));
        if let Err(stop) = summary.write(handle.status(), true) {
            stop.report();
        }
        if shows_resume_hint {
            warn(TO_RESUME);
        }
    });
}

/// Returns the status of a run. The status of an interrupt takes precedence.
fn status(counts: &Counts, failed_inputs: u64, fail_on: &[FailOn], interrupted: Option<ExitStatus>) -> ExitStatus {
    let Counts { unsolvable, unsolved, invalid, error, missing, .. } = *counts;
    let failed = fail_on.iter().any(|what| match what {
        FailOn::Unsolvable => unsolvable > 0,
        FailOn::Invalid => invalid > 0 || missing > 0,
        FailOn::Unsolved => unsolved > 0,
        FailOn::None => false,
    });
    // An internal error always fails the run.
    interrupted.unwrap_or(ExitStatus::of(failed_inputs > 0, failed || error > 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_internal_error_always_fails_the_run() {
        let counts = Counts { solved: 9, error: 1, ..Counts::default() };
        assert_eq!(status(&counts, 0, &[FailOn::None], None), ExitStatus::SomeFailed);
        assert_eq!(status(&counts, 1, &[FailOn::None], None), ExitStatus::RunFailed);
        assert_eq!(status(&counts, 1, &[FailOn::None], Some(ExitStatus::Interrupted(15))), ExitStatus::Interrupted(15));
        let invalid = Counts { solved: 9, invalid: 1, ..Counts::default() };
        assert_eq!(status(&invalid, 0, &[FailOn::None], None), ExitStatus::Settled);
        assert_eq!(status(&invalid, 0, &[FailOn::Invalid], None), ExitStatus::SomeFailed);
        let missing = Counts { solved: 9, missing: 1, ..Counts::default() };
        assert_eq!(status(&missing, 0, &[FailOn::Unsolved], None), ExitStatus::Settled);
        assert_eq!(status(&missing, 0, &[FailOn::Invalid], None), ExitStatus::SomeFailed);
    }
}
