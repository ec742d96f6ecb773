//! `taquin solve`: the main job.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::HumanCount;

use super::arguments::{FailOn, Solve};
use super::output::{self, Output, Present};
use super::progress::Progress;
use super::signals::Interrupt;
use super::summary::Summary;
use super::{Status, explain, fail, identity, say};
use crate::batch::{self, Counts, Totals};
use crate::format::input::{self, Reader};
use crate::format::profile::Complaint;
use crate::format::style::Style;
use crate::resume::Identity;
use crate::solver::Solvers;

pub(super) fn run(arguments: &Solve) -> Status {
    let Solve { inputs: named, reading, writing, solving, explain, .. } = arguments;
    if writing.fail_on.contains(&FailOn::None) && writing.fail_on.len() > 1 {
        return fail("--fail-on none goes with nothing else");
    }
    let style = match arguments.style() {
        Ok(style) => style,
        Err(why) => return fail(&why),
    };
    if *explain {
        return explain::run(named, reading, solving);
    }
    let mut expanded = input::expand(named);
    let threads = solving.threads();
    let solvers = Solvers::new(solving.wishes(), threads, solving.memory());
    if let Some(told) = solving.too_little_memory() {
        say(&format!("taquin: {told}"));
    }
    let present = match (writing.force, writing.resume) {
        (true, _) => Present::Overwrite,
        (false, true) => Present::Continue,
        (false, false) => Present::Keep,
    };
    if let Err(why) = output::pass_over(writing.output.as_deref(), named, &mut expanded) {
        return fail(&why);
    }
    let asked = match (&style, writing.resume) {
        (_, false) => None,
        (Style::Json(fields), true) => Some(identity::options(reading, solving, fields, writing.unordered)),
        // What is finished is told by whole lines, and an answer may be several.
        (Style::Answers(_), true) => return fail("--resume goes with JSON lines, not with --as"),
    };
    let run = match asked.map(|run| Identity::new(run, &expanded.inputs)).transpose() {
        Ok(run) => run,
        Err(why) => return fail(&why),
    };
    let mut output = match Output::open(writing.output.as_deref(), present, &expanded.inputs) {
        Ok(output) => output,
        Err(why) => return fail(&why),
    };
    let mut how = reading.options();
    how.unpacking = how.unpacking.within(solvers.share().decompression);
    let mut reader = Reader::new(expanded.inputs, how);
    let behind = run.map(|run| output.resume(run, &mut reader, writing.checkpoint_every)).transpose();
    match behind {
        Ok(Some(results @ 1..)) if !writing.quiet => {
            say(&format!("taquin: going on behind {} results", HumanCount(results)));
        }
        Ok(_) => {}
        Err(why) => return fail(&why),
    }
    let report = match Report::open(writing.summary.as_deref(), writing.quiet, expanded.passed_over, threads) {
        Ok(report) => Arc::new(report),
        Err(why) => return fail(&why),
    };
    let interrupt = Interrupt::listen({
        let (report, writing) = (Arc::clone(&report), output.writing());
        // The run still waits for input, or for whoever reads its results: not in the middle of a line,
        // unless nobody reads on.
        move || {
            for _ in 0..1000 {
                if !writing.load(Ordering::Acquire) {
                    break;
                }
                std::thread::sleep(Duration::from_millis(1));
            }
            report.write(true);
        }
    });
    let interrupt = match interrupt {
        Ok(interrupt) => interrupt,
        Err(error) => return fail(&format!("cannot listen for signals: {error}")),
    };
    let options = batch::Options {
        threads,
        parallel: solving.parallel,
        ordered: !writing.unordered,
        limits: solving.limits(),
        style,
        fast_path: solving.fast_path(),
    };

    let progress = Progress::new(!writing.quiet, reader.total_bytes());
    let ended = std::thread::scope(|scope| {
        let watched = progress.watch(scope, &report.totals);
        let tell = |line: &str| progress.say(line);
        let ended = batch::run(&mut reader, &mut output, &solvers, &options, &report.totals, interrupt.flag(), &tell);
        drop(watched);
        ended
    });
    tell_complaints(&options.style);
    let status = match ended {
        Ok(()) => status(&report.totals.counts(), report.totals.failed_inputs(), &writing.fail_on, interrupt.signal()),
        // Whoever reads our results has seen enough: a quiet end.
        Err(batch::Error::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            report.write_file(false);
            return Status::Settled;
        }
        Err(batch::Error::Write(error)) => fail(&output.remedy(&error)),
        Err(error) => fail(&error.to_string()),
    };
    if interrupt.signal().is_some() && output.can_be_resumed() && !writing.quiet {
        say("taquin: the same command goes on from here");
    }
    if report.write(interrupt.signal().is_some()) { status } else { Status::RunFailed }
}

/// What a judge's format has no words for.
fn tell_complaints(style: &Style) {
    let Style::Answers(answers) = style else { return };
    for complaint in answers.take_complaints() {
        match complaint {
            Complaint::Record(what) => say(&format!("taquin: {what}")),
            Complaint::More(more) => say(&format!("taquin: and {more} more records of that kind")),
        }
    }
}

/// The totals of the run, and where they are to be told.
struct Report {
    totals: Totals,
    began: Instant,
    file: Option<(PathBuf, File)>,
    quiet: bool,
    passed_over: u64,
    threads: usize,
    told: AtomicBool,
}

impl Report {
    fn open(path: Option<&Path>, quiet: bool, passed_over: u64, threads: usize) -> Result<Report, String> {
        let create = |path: &Path| match File::create(path) {
            Ok(file) => Ok((path.to_path_buf(), file)),
            Err(error) => Err(format!("cannot write to {}: {error}", path.display())),
        };
        let file = path.map(create).transpose()?;
        let (totals, began, told) = (Totals::default(), Instant::now(), AtomicBool::new(false));
        Ok(Report { totals, began, file, quiet, passed_over, threads, told })
    }

    fn summary(&self, interrupted: bool) -> Summary {
        Summary::new(&self.totals, self.passed_over, self.threads, self.began.elapsed(), interrupted)
    }

    /// Tells the summary, once; `false` when it cannot be written.
    fn write(&self, interrupted: bool) -> bool {
        if self.told.swap(true, Ordering::AcqRel) {
            return true;
        }
        if !self.quiet {
            say(&self.summary(interrupted).to_string());
        }
        self.write_file(interrupted)
    }

    fn write_file(&self, interrupted: bool) -> bool {
        let Some((path, mut file)) = self.file.as_ref().map(|(path, file)| (path, file)) else { return true };
        let written = serde_json::to_string_pretty(&self.summary(interrupted))
            .map_err(io::Error::from)
            .and_then(|text| writeln!(file, "{text}"));
        if let Err(error) = &written {
            fail(&format!("cannot write to {}: {error}", path.display()));
        }
        written.is_ok()
    }
}

fn status(counts: &Counts, failed_inputs: u64, fail_on: &[FailOn], signal: Option<u8>) -> Status {
    if let Some(signal) = signal {
        return Status::Interrupted(signal);
    }
    if failed_inputs > 0 {
        return Status::RunFailed;
    }
    let Counts { unsolvable, unsolved, invalid, error, .. } = *counts;
    let failed = fail_on.iter().any(|what| match what {
        FailOn::Unsolvable => unsolvable > 0,
        FailOn::Invalid => invalid > 0,
        FailOn::Unsolved => unsolved > 0,
        FailOn::None => false,
    });
    // A fault of the program is never overlooked.
    if failed || error > 0 { Status::SomeFailed } else { Status::Settled }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_of_the_program_is_never_overlooked() {
        let counts = Counts { solved: 9, error: 1, ..Counts::default() };
        assert_eq!(status(&counts, 0, &[FailOn::None], None), Status::SomeFailed);
        assert_eq!(status(&counts, 1, &[FailOn::None], None), Status::RunFailed);
        assert_eq!(status(&counts, 1, &[FailOn::None], Some(15)), Status::Interrupted(15));
        let invalid = Counts { solved: 9, invalid: 1, ..Counts::default() };
        assert_eq!(status(&invalid, 0, &[FailOn::None], None), Status::Settled);
        assert_eq!(status(&invalid, 0, &[FailOn::Invalid], None), Status::SomeFailed);
    }
}
