//! `taquin merge`: joins the parts of a run into one results file.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use clap::Args;

use super::ui::atomic_file::{self, AtomicFile};
use super::ui::output_conflicts::{self, Target};
use super::ui::progress::ProgressDisplay;
use super::ui::signals::Interrupt;
use super::ui::{ExitStatus, Stop, warn};
use crate::format::input::{self, DecompressionLimit, Input};
use crate::tools::merge::{Error, Merge};
use crate::tools::text::counted;

const AFTER: &str = "\
All parts of one run must be given, each complete, in any order. Otherwise, merge says what is wrong and writes nothing. \
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
    let is_replaced = |path: &Path| path.is_file() || !path.exists();
    let stop = |error| match error {
        Error::Parts(why) => Stop::some_failed(match is_checked_first || output.is_some_and(is_replaced) {
            true => format!("the parts are not one complete run: {why}; nothing was written"),
            false => format!("the parts are not one complete run: {why}; the output is incomplete"),
        }),
        Error::Read { .. } => error.to_string().into(),
    };
    // Returns the number of results that it has passed on.
    let join = |count: &AtomicU64, write: &mut dyn FnMut(&[u8]) -> Result<(), Stop>| -> Result<u64, Stop> {
        let mut merge = open_parts(&parts).map_err(stop)?;
        while let Some(line) = merge.next_line().map_err(stop)? {
            write(line)?;
            count.fetch_add(1, Ordering::Relaxed);
            interrupt.status().map_or(Ok(()), |interrupted| Err(Stop::from(interrupted)))?;
        }
        Ok(merge.returned)
    };
    let results = ProgressDisplay::counting(*quiet, output.is_none(), |count| -> Result<u64, Stop> {
        is_checked_first.then(|| join(count, &mut |_| Ok(()))).transpose()?;
        let mut file = AtomicFile::open(output)?;
        interrupt.remove_at_exit(file.temporary_path());
        let results = join(count, &mut |line| file.write(line))?;
        file.finish().map(|()| results)
    })?;
    if !quiet {
        warn(&format!("merged {} from {}", counted(results, "result"), counted(parts.len() as u64, "part")));
    }
    Ok(ExitStatus::Settled)
}

/// Opens all parts, and begins to join them.
fn open_parts(parts: &[Input]) -> Result<Merge, Error> {
    let open = |part: &Input| {
        let name = part.name().into_owned();
        match input::open_text(part, DecompressionLimit::default()) {
            Ok(text) => Ok((name, text)),
            Err(error) => Err(Error::Read { name, error }),
        }
    };
    Merge::new(parts.iter().map(open).collect::<Result<_, _>>()?)
}
