//! `taquin verify`: whether a results file answers its inputs.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use clap::Args;

use super::options::{Moves, Reading, Solving};
use super::ui::parts::Parts;
use super::ui::{Status, fail, print_lines, printable, warn};
use crate::batch::resume::same_file;
use crate::format::input::{self, DecompressionLimit, Input, InputOptions, Reader, Shard};
use crate::format::last_line::LastLine;
use crate::format::passing::Pass;
use crate::tools::merge::{Faults, Merge, MergedText};
use crate::tools::verify::{self, Options, Report};

const EXAMPLES: &str = "\
Examples:
  taquin verify results.jsonl inputs/          the inputs and options of the run that wrote them
  taquin verify part-3.jsonl inputs/           one part of a run (solve --shard)
  taquin verify parts/ inputs/                 all parts, as one run
  taquin verify --unordered --sample 100 results.jsonl.zst boards.txt";

const AFTER: &str = "\
Results need the fields `status` and `path`, which are among the default ones, and `index` where they are
not in order. What else they hold is compared. What is not proven is reported, too.

Exit status: 0 every record has exactly one result, and it holds; 1 there is a doubt; 2 something could
not be read.";

#[derive(Debug, Args)]
#[command(before_help = EXAMPLES, after_help = AFTER)]
pub(super) struct Arguments {
    /// The results, JSON Lines or CSV; plain, .gz or .zst. A part of a run (solve --shard) is held against its records, a folder
    /// of parts against all.
    #[arg(value_name = "RESULTS")]
    results: PathBuf,

    /// The files and folders that were read, in the same order; `-` for standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    inputs: Vec<PathBuf>,

    #[command(flatten)]
    reading: Reading,

    /// Own fields of the records that the results have, as they were given to solve.
    #[arg(long, value_name = "NAMES", help_heading = "Reading")]
    pass: Option<Pass>,

    #[command(flatten)]
    moves: Moves,

    /// The results may be in any order, as they are written with --unordered.
    #[arg(long, help_heading = "Checking")]
    unordered: bool,

    /// Solve so many of the boards again by another engine, and compare the paths.
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Checking")]
    sample: usize,

    #[command(flatten)]
    pub(super) solving: Solving,
}

pub(super) fn run(arguments: &Arguments) -> Status {
    let Arguments { results, inputs, reading, pass, moves, unordered, sample, solving } = arguments;
    let is_stdin = |path: &Path| path == Path::new("-");
    if is_stdin(results) && inputs.iter().any(|path| is_stdin(path)) {
        return fail("the results and the boards cannot both come from standard input: name the inputs");
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
    // In a folder of inputs the results themselves are no input, as in the run that wrote them.
    if let Ok(own) = fs::metadata(results)
        && cfg!(unix)
    {
        let is_own = |path: &Path| fs::metadata(path).is_ok_and(|other| same_file(&own, &other));
        expanded.inputs.retain(|input| !matches!(input, Input::Path(path) if is_own(path)));
    }
    let sample = (*sample > 0).then(|| solving.sample(*sample));
    let pass = pass.clone().unwrap_or_default();
    let (passes, spelling) = (!pass.is_nothing(), moves.spelling());
    let options = Options { ordered: !unordered, passes, spelling, threads: solving.threads(), sample };
    let reading = InputOptions { pass: Arc::new(pass), ..reading.options(solving) };
    let mut reader = Reader::new(expanded.inputs, reading);
    if let Some(shard) = shard {
        reader.take_only(shard);
    }
    match verify::run(&mut reader, stream, &options, &mut |line| warn(line)) {
        Err(error) => fail(&error.to_string()),
        Ok(mut report) => {
            let mut faults = faults.lock().unwrap_or_else(PoisonError::into_inner);
            report.doubts += faults.len() as u64;
            // They may explain all others.
            report.first_doubts.splice(..0, faults.drain(..));
            // They quote names and results.
            report.first_doubts.iter_mut().for_each(|doubt| *doubt = printable::line(doubt));
            told(&report, shard)
        }
    }
}

/// Results, which shard of a run they are, and where it is told at their end what is wrong with parts.
type Opened = (Box<dyn Read + Send>, Option<Shard>, Arc<Mutex<Faults>>);

/// One file of results.
fn open(named: &Input, limit: DecompressionLimit) -> io::Result<Opened> {
    let last = match named {
        Input::Path(path) => LastLine::of_file(path, limit)?,
        Input::Stdin => None,
    };
    Ok((input::open_text(named, limit)?, last.map(|last| last.shard), Arc::default()))
}

/// All parts of a run.
fn open_parts(folder: &Path, limit: DecompressionLimit) -> Result<Opened, String> {
    let merge =
        Merge::new(Parts::of(&[folder.to_path_buf()]).open(limit)?).map_err(|error| format!("cannot read {error}"))?;
    let (text, faults) = MergedText::new(merge);
    Ok((Box::new(text), None, faults))
}

fn told(report: &Report, shard: Option<Shard>) -> Status {
    let of = shard.map_or(String::new(), |shard| format!("shard {shard} of a run\n"));
    match print_lines(&format!("{of}{report}\n")) {
        Status::Settled if report.failed_inputs > 0 => Status::RunFailed,
        Status::Settled if !report.is_sound() => Status::SomeFailed,
        status => status,
    }
}
