//! `taquin verify`: checks a results file against its inputs.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use parking_lot::Mutex;

use super::options::{BoardLimits, Effort, Moves, Reading, Resources, Solving};
use super::ui::parts::Parts;
use super::ui::progress::{Progress, Work};
use super::ui::{Status, fail, print_lines, printable};
use crate::batch::resume::same_file;
use crate::engine::TieBreak;
use crate::format::input::{self, DecompressionLimit, Input, InputOptions, Reader, Shard};
use crate::format::last_line::LastLine;
use crate::format::passing::Pass;
use crate::tools::merge::{Faults, Merge, merged_text};
use crate::tools::verify::{self, Options, Report, SampleOptions};

const AFTER: &str = "\
Replays every path, requires exactly one result per record, and lists the claims that are not proven. Results need the
fields status and path, and index if they are not in order.

Examples:
  taquin verify results.jsonl inputs/
  taquin verify part-3.jsonl inputs/
  taquin verify parts/ inputs/
  taquin verify --unordered --sample 100 results.jsonl.zst boards.txt

Exit status:
  0  Every record has exactly one result, and all results are right
  1  A result is wrong, missing or unexpected
  2  A file cannot be read";

#[derive(Debug, Args)]
#[command(after_long_help = AFTER)]
pub(super) struct Arguments {
    /// Results: a file, a shard, or a folder of all shards
    #[arg(value_name = "RESULTS")]
    results: PathBuf,

    /// Inputs of the run, in the same order; - for standard input
    #[arg(value_name = "FILE", default_value = "-")]
    inputs: Vec<PathBuf>,

    #[command(flatten)]
    reading: Reading,

    /// Columns copied to the results
    #[arg(long, value_name = "COLUMNS", help_heading = "Input")]
    pass: Option<Pass>,

    #[command(flatten)]
    moves: Moves,

    /// Accept results in any order
    #[arg(long, help_heading = "Input")]
    unordered: bool,

    /// Solve N sampled boards again with another engine
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Search")]
    sample: usize,

    /// Choice among shortest paths: canonical (the smallest), any
    #[arg(
        long,
        value_name = "RULE",
        value_enum,
        default_value = "canonical",
        hide_possible_values = true,
        help_heading = "Search"
    )]
    tie_break: TieBreak,

    #[command(flatten)]
    resources: Resources,

    #[command(flatten)]
    effort: Effort,

    #[command(flatten)]
    limits: BoardLimits,
}

pub(super) fn run(arguments: &Arguments) -> Status {
    let Arguments { results, inputs, reading, pass, moves, unordered, sample, tie_break, .. } = arguments;
    let &Arguments { resources, effort, limits, .. } = arguments;
    let solving = &Solving { resources, quality: effort.into(), limits, ..Solving::default() };
    let is_stdin = |path: &Path| path == Path::new("-");
    if is_stdin(results) && inputs.iter().any(|path| is_stdin(path)) {
        return fail("cannot read both results and boards from standard input: name the inputs");
    }
    let named = if is_stdin(results) { Input::Stdin } else { Input::Path(results.clone()) };
    let opened = if results.is_dir() {
        open_parts(results, solving.decompression_limit())
    } else {
        open(&named, solving.decompression_limit())
            .map_err(|error| format!("cannot read {}: {error}", results.display()))
    };
    let (stream, shard, faults) = match opened {
        Ok(opened) => opened,
        Err(why) => return fail(&why),
    };
    let mut expanded = input::expand(inputs);
    // The results file is not an input even if the input folder contains it, as in the run that
    // wrote it.
    if let Ok(own) = fs::metadata(results)
        && cfg!(unix)
    {
        let is_own = |path: &Path| fs::metadata(path).is_ok_and(|other| same_file(&own, &other));
        expanded.inputs.retain(|input| !matches!(input, Input::Path(path) if is_own(path)));
    }
    let sample = (*sample > 0).then(|| SampleOptions {
        boards: *sample,
        solving: solving.settings_for_proofs(),
        any_shortest: *tie_break == TieBreak::Any,
    });
    let (pass, spelling) = (Arc::new(pass.clone().unwrap_or_default()), moves.spelling());
    let options =
        Options { ordered: !unordered, pass: Arc::clone(&pass), spelling, threads: solving.threads(), sample };
    let reading = InputOptions { pass, ..reading.options(solving) };
    let mut reader = Reader::new(expanded.inputs, reading);
    if let Some(shard) = shard {
        reader.take_only(shard);
    }
    let (progress, read) = (Progress::automatic(false, true), reader.amount_read());
    let verified = std::thread::scope(|scope| {
        let _watched = progress.watch(scope, || Work::reading(&read, None));
        verify::run(&mut reader, stream, &options, &mut |line| progress.warn(line))
    });
    match verified {
        Err(error) => fail(&format!("cannot read the results: {error}")),
        Ok(mut report) => {
            let mut faults = faults.lock();
            report.doubts += faults.len() as u64;
            // Errors in the parts may explain all other errors, so they come first.
            report.first_doubts.splice(..0, faults.drain(..));
            // Errors quote names and results.
            report.first_doubts.iter_mut().for_each(|doubt| *doubt = printable::line(doubt));
            told(&report, shard)
        }
    }
}

/// A stream of results, their shard, and the list that receives errors in the parts at the end.
type Opened = (Box<dyn Read + Send>, Option<Shard>, Arc<Mutex<Faults>>);

/// Opens one results file.
fn open(named: &Input, limit: DecompressionLimit) -> io::Result<Opened> {
    let last = match named {
        Input::Path(path) => LastLine::of_file(path, limit)?,
        Input::Stdin | Input::Text(_) => None,
    };
    Ok((input::open_text(named, limit)?, last.map(|last| last.shard), Arc::default()))
}

/// Opens all parts of a run.
fn open_parts(folder: &Path, limit: DecompressionLimit) -> Result<Opened, String> {
    let merge =
        Merge::new(Parts::of(&[folder.to_path_buf()]).open(limit)?).map_err(|error| format!("cannot read {error}"))?;
    let (text, faults) = merged_text(merge);
    Ok((text, None, faults))
}

fn told(report: &Report, shard: Option<Shard>) -> Status {
    let of = shard.map_or(String::new(), |shard| format!("shard {shard} of a run\n"));
    match print_lines(&format!("{of}{report}\n")) {
        Status::Settled if report.failed_inputs > 0 => Status::RunFailed,
        Status::Settled if !report.is_sound() => Status::SomeFailed,
        status => status,
    }
}
