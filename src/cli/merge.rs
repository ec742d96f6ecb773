//! `taquin merge`: joins the parts of a run into one results file.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use clap::Args;

use super::ui::atomic_file::{self, AtomicFile};
use super::ui::output::is_out_of_files;
use super::ui::output_conflicts::{self, Target};
use super::ui::signals::Interrupt;
use super::ui::{ExitStatus, Stop, warn};
use crate::format::input::{self, DecompressionLimit, Input};
use crate::tools::merge::Merge;
use crate::tools::text::counted;

const AFTER: &str = "\
All parts of one run must be given, each complete, in any order. Otherwise, merge prints the errors and writes nothing. \
If a part is a pipe, some results may be written before an error is found.

Examples:
  taquin solve --shard 1/2 -o part-1.jsonl boards/
  taquin solve --shard 2/2 -o part-2.jsonl boards/
  taquin merge part-*.jsonl -o all.jsonl
  taquin merge parts/ | taquin verify - boards/

Exit status:
  0         Merged
  1         The parts are not one complete run
  2         The run failed: usage, read or write error
  130, 143  Interrupted";

#[derive(Debug, Args)]
#[command(after_long_help = AFTER)]
pub(super) struct Arguments {
    /// Parts written by taquin solve --shard, and folders of them
    #[arg(value_name = "PART", required = true)]
    parts: Vec<PathBuf>,

    /// Write results to FILE
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Overwrite FILE
    #[arg(long, requires = "output")]
    force: bool,

    /// Print no messages except errors
    #[arg(short, long)]
    quiet: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitStatus, Stop> {
    let Arguments { parts, output, force, quiet } = arguments;
    let (parts, output) = (input::expand_all(parts).inputs, output.as_deref());
    atomic_file::check_overwriting(output, *force)?;
    output_conflicts::check(&parts, &[Target::file_or_standard_output("--output", output)])?;
    if parts.is_empty() {
        return Err(Stop::some_failed("no parts found: name the files that solve --shard wrote".into()));
    }
    let interrupt = Interrupt::listen()?;
    let is_file = |part: &Input| matches!(part, Input::Path(path) if path.is_file());
    // Text written to standard output cannot be taken back, so all parts are checked first if they
    // are files.
    let is_checked_first = output.is_none() && parts.iter().all(is_file);
    let open = || open_parts(&parts);
    let mut is_whole = !is_checked_first || write(&mut open()?, None, &interrupt)?;
    let mut merge = open()?;
    if is_whole {
        let mut file = AtomicFile::open(output)?;
        interrupt.remove_at_exit(file.temporary_path());
        is_whole = write(&mut merge, Some(&mut file), &interrupt)?;
        if is_whole && interrupt.status().is_none() {
            file.finish()?;
        }
    }
    if let Some(interrupted) = interrupt.status() {
        return Ok(interrupted);
    }
    if !is_whole {
        let outcome =
            if output.is_some() || is_checked_first { "nothing was written" } else { "the output is incomplete" };
        return Err(Stop::some_failed(format!("the parts are not one complete run: {outcome}")));
    }
    if !quiet {
        warn(&format!("merged {} from {}", counted(merge.returned, "result"), counted(parts.len() as u64, "part")));
    }
    Ok(ExitStatus::Settled)
}

/// Writes all results to `out`, if given, and reports errors in the parts. Returns true if the
/// parts have no errors and the run was not interrupted.
fn write(merge: &mut Merge, mut out: Option<&mut AtomicFile>, interrupt: &Interrupt) -> Result<bool, Stop> {
    let cannot_read = |error: io::Error| format!("cannot read {error}");
    while let Some(line) = merge.next_line().map_err(cannot_read)? {
        if let Some(out) = &mut out {
            out.write(line)?;
        }
        if interrupt.flag().load(Ordering::Relaxed) {
            return Ok(false);
        }
    }
    let faults = merge.end().map_err(cannot_read)?;
    faults.iter().for_each(|fault| warn(fault));
    Ok(faults.is_empty())
}

/// Opens all parts, and begins to join them.
///
/// # Errors
/// A message for the user, if a part cannot be read.
fn open_parts(parts: &[Input]) -> Result<Merge, String> {
    let open = |part: &Input| {
        let name = part.name().into_owned();
        match input::open_text(part, DecompressionLimit::default()) {
            Ok(text) => Ok((name, text)),
            Err(error) if is_out_of_files(&error) => Err(format!(
                "cannot read {name}: {error}; all parts are open at the same time: raise the limit on open files (ulimit -n)"
            )),
            Err(error) => Err(format!("cannot read {name}: {error}")),
        }
    };
    let texts = parts.iter().map(open).collect::<Result<_, _>>()?;
    Merge::new(texts).map_err(|error| format!("cannot read {error}"))
}
