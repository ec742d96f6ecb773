//! `taquin merge`: joins the parts of a run into one results file.

use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use clap::Args;
use indicatif::HumanCount;

use super::ui::parts::Parts;
use super::ui::signals::Interrupt;
use super::ui::whole_file::{self, Present, WholeFile};
use super::ui::written::{self, Written};
use super::ui::{Status, fail, warn};
use crate::format::input::DecompressionLimit;
use crate::tools::merge::Merge;
use crate::tools::text::counted;

const AFTER: &str = "\
All parts of one run must be there, complete, in any order. Otherwise the errors are printed and nothing is written.
Parts that are pipes are read once: standard output may then have received the first results.

Examples:
  taquin solve --shard 1/2 -o part-1.jsonl boards/
  taquin solve --shard 2/2 -o part-2.jsonl boards/
  taquin merge part-*.jsonl -o all.jsonl
  taquin merge parts/ | taquin verify - boards/

Exit status:
  0         Merged
  1         The parts are not one complete run
  2         A file cannot be read or written
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

    /// Print only errors
    #[arg(short, long)]
    quiet: bool,
}

/// The reason why nothing was merged.
enum Failure {
    Parts(io::Error),
    Output(io::Error),
}

pub(super) fn run(arguments: &Arguments) -> Status {
    merge(arguments).unwrap_or_else(|why| fail(&why))
}

/// # Errors
/// An error message for people.
fn merge(arguments: &Arguments) -> Result<Status, String> {
    let Arguments { parts, output, force, quiet } = arguments;
    if let Some(path) = output {
        whole_file::may_write(path, Present::forced(*force))?;
    }
    let parts = Parts::of(parts);
    written::check(parts.inputs(), &[Written::file_or_standard_output("--output", output.as_deref())])?;
    if parts.inputs().is_empty() {
        warn("no parts found: name the files that solve --shard wrote");
        return Ok(Status::SomeFailed);
    }
    let open =
        || Merge::new(parts.open(DecompressionLimit::default())?).map_err(|error| format!("cannot read {error}"));
    let interrupt = Interrupt::listen()?;
    let name = output.as_ref().map_or("standard output".into(), |path| path.display().to_string());
    let cannot_write = |error: io::Error| format!("cannot write to {name}: {error}");
    let ended = |ended: Result<bool, Failure>| match ended {
        Ok(whole) => Ok(whole),
        Err(Failure::Parts(error)) => Err(format!("cannot read {error}")),
        Err(Failure::Output(error)) => Err(cannot_write(error)),
    };
    // What standard output has received cannot be taken back, so files are checked first.
    let is_checked_first = output.is_none() && parts.are_files();
    let is_sound = !is_checked_first || ended(write(&mut open()?, &mut io::sink(), &interrupt))?;
    let mut merge = open()?;
    let whole = match output {
        _ if !is_sound => false,
        Some(path) => {
            let mut file = WholeFile::create(path).map_err(cannot_write)?;
            interrupt.remove_at_exit(file.temporary_path());
            let whole = ended(write(&mut merge, &mut file, &interrupt))?;
            if whole && interrupt.signal().is_none() {
                file.finish().map_err(cannot_write)?;
            }
            whole
        }
        None => match write(&mut merge, &mut BufWriter::with_capacity(1 << 18, io::stdout().lock()), &interrupt) {
            Err(Failure::Output(error)) if error.kind() == ErrorKind::BrokenPipe => return Ok(Status::Settled),
            other => ended(other)?,
        },
    };
    if let Some(signal) = interrupt.signal() {
        return Ok(Status::Interrupted(signal));
    }
    if !whole {
        let left =
            if output.is_some() || is_checked_first { "nothing was written" } else { "the output is incomplete" };
        warn(&format!("the parts are not one complete run: {left}"));
        return Ok(Status::SomeFailed);
    }
    if !quiet {
        let (results, noun) = (merge.written(), if merge.written() == 1 { "result" } else { "results" });
        warn(&format!("merged {} {noun} from {}", HumanCount(results), counted(parts.inputs().len() as u64, "part")));
    }
    Ok(Status::Settled)
}

/// Writes all results and reports errors in the parts. Returns true if the parts have no errors.
fn write(merge: &mut Merge, out: &mut impl Write, interrupt: &Interrupt) -> Result<bool, Failure> {
    while let Some(line) = merge.next_line().map_err(Failure::Parts)? {
        out.write_all(line).map_err(Failure::Output)?;
        if interrupt.flag().load(Ordering::Relaxed) {
            return Ok(false);
        }
    }
    let faults = merge.end().map_err(Failure::Parts)?;
    faults.iter().for_each(|fault| warn(fault));
    out.flush().map_err(Failure::Output)?;
    Ok(faults.is_empty())
}
