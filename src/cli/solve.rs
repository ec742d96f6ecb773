//! `taquin solve`: the main job.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

use super::arguments::{FailOn, Solve};
use super::progress::Progress;
use super::signals::Interrupt;
use super::summary::Summary;
use super::{Status, explain, fail};
use crate::batch::{self, Counts, Totals};
use crate::format::input::{self, Reader};
use crate::solver::Solvers;

pub(super) fn run(arguments: &Solve) -> Status {
    let input::Expanded { inputs, passed_over } = input::expand(&arguments.inputs);
    let mut reader = Reader::new(inputs, arguments.reading.options());
    let threads = arguments.solving.threads();
    let solvers = Solvers::new(arguments.solving.wishes(), threads, arguments.solving.memory());
    if arguments.explain {
        return explain::run(&mut reader, &solvers);
    }
    let sink = match open_sink(arguments.writing.output.as_deref()) {
        Ok(sink) => sink,
        Err(why) => return fail(&why),
    };
    let interrupt = match Interrupt::listen() {
        Ok(interrupt) => interrupt,
        Err(error) => return fail(&format!("cannot listen for signals: {error}")),
    };
    let options = batch::Options {
        threads,
        parallel: arguments.solving.parallel,
        ordered: !arguments.writing.unordered,
        limits: arguments.solving.limits(),
        fields: arguments.writing.fields(),
    };

    let totals = Totals::default();
    let progress = Progress::new(!arguments.writing.quiet, reader.total_bytes());
    let began = Instant::now();
    let ended = std::thread::scope(|scope| {
        progress.watch(scope, &totals);
        let say = |line: &str| progress.say(line);
        let ended = batch::run(&mut reader, sink, &solvers, &options, &totals, interrupt.flag(), &say);
        progress.finish();
        ended
    });

    let summary = Summary::new(&totals, passed_over, threads, began.elapsed(), interrupt.signal().is_some());
    let status = match ended {
        Ok(()) => status(&totals, &arguments.writing.fail_on, interrupt.signal()),
        // Whoever reads our results has seen enough: a quiet end.
        Err(batch::Error::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => return Status::Settled,
        Err(error) => fail(&error.to_string()),
    };
    if let Some(path) = &arguments.writing.summary
        && let Err(why) = write_summary(path, &summary)
    {
        return fail(&why);
    }
    if !arguments.writing.quiet {
        eprintln!("{summary}");
    }
    status
}

/// A file, or standard output. Neither is buffered: results come in chunks.
fn open_sink(path: Option<&Path>) -> Result<Box<dyn Write + Send>, String> {
    let file = match path {
        Some(path) => File::create(path).map_err(|error| format!("cannot write to {}: {error}", path.display()))?,
        None => stdout().map_err(|error| format!("cannot write to standard output: {error}"))?,
    };
    Ok(Box::new(file))
}

/// Standard output past the line buffer of the standard library, which would cut every chunk at its last line.
#[cfg(unix)]
fn stdout() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(File::from(io::stdout().as_fd().try_clone_to_owned()?))
}

#[cfg(windows)]
fn stdout() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(File::from(io::stdout().as_handle().try_clone_to_owned()?))
}

fn status(totals: &Totals, fail_on: &[FailOn], signal: Option<u8>) -> Status {
    if let Some(signal) = signal {
        return Status::Interrupted(signal);
    }
    if totals.failed_inputs() > 0 {
        return Status::RunFailed;
    }
    let Counts { unsolvable, unsolved, invalid, error, .. } = totals.counts();
    let failed = fail_on.iter().any(|what| match what {
        FailOn::Unsolvable => unsolvable > 0,
        FailOn::Invalid => invalid > 0,
        FailOn::Unsolved => unsolved > 0,
        FailOn::None => false,
    });
    // A fault of the program is never overlooked.
    if failed || error > 0 { Status::SomeFailed } else { Status::Settled }
}

fn write_summary(path: &Path, summary: &Summary) -> Result<(), String> {
    let text = serde_json::to_string_pretty(summary).map_err(|error| error.to_string())?;
    std::fs::write(path, text + "\n").map_err(|error| format!("cannot write to {}: {error}", path.display()))
}
