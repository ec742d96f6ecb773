//! `taquin verify`: checks a results file against its inputs.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::options::values::choice;
use super::options::{BoardLimits, MachineResources, Moves, ReadingOptions, Solving};
use super::ui::output_conflicts::FileIdentity;
use super::ui::progress::{ProgressDisplay, Work};
use super::ui::{ExitStatus, Stop, print_lines};
use crate::engine::TieBreak;
use crate::format::input::{self, DecompressionLimit, Input, InputOptions, Reader};
use crate::format::passthrough::Pass;
use crate::tools::text::escaped;
use crate::tools::verify::{self, SampleOptions};

const AFTER: &str = "\
Replays every path and requires exactly one result per record. Each result needs the field status, solved ones also path, and all need index if they are not in the order of \
the input. The report lists what is proven and what is not, for example that paths outside the sample are shortest.

Examples:
  taquin verify results.jsonl inputs/
  taquin merge parts/ | taquin verify - inputs/
  taquin verify --unordered --sample 100 results.jsonl.zst boards.txt

Exit status:
  0  Every record has exactly one result, and no error was found
  1  A result is wrong, missing or extra, or has the status unsolved or error
     (error is a bug in taquin)
  2  The run failed: usage, read or write error";

#[derive(Debug, Args)]
#[command(after_long_help = AFTER)]
pub(super) struct Arguments {
    /// Results of a run; - for standard input
    #[arg(value_name = "RESULTS")]
    results: PathBuf,

    /// Inputs of the run, in the same order; - for standard input
    #[arg(value_name = "FILE", default_value = "-")]
    inputs: Vec<PathBuf>,

    #[command(flatten)]
    reading: ReadingOptions,

    /// Value of --pass that was given to taquin solve
    #[arg(long, value_name = "COLUMNS", help_heading = "Input")]
    pass: Option<Pass>,

    #[command(flatten, next_help_heading = "Input")]
    moves: Moves,

    /// Accept results in any order
    #[arg(long, help_heading = "Input")]
    unordered: bool,

    /// Solve N sampled boards of up to 25 cells again with another engine
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Search")]
    sample: usize,

    /// Value of --tie-break that was given to taquin solve: canonical, any
    ///
    /// With canonical, a sampled path must be the canonical one. Give any for results of --quality
    /// good, --fallback good or taquin improve: their paths need not be canonical.
    #[arg(long, value_name = "RULE", default_value = "canonical", help_heading = "Search", value_parser = choice(&TieBreak::OPTIONS, TieBreak::name))]
    tie_break: TieBreak,

    #[command(flatten)]
    resources: MachineResources,

    #[command(flatten)]
    limits: BoardLimits,
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitStatus, Stop> {
    let Arguments { results, inputs, reading, pass, moves, unordered, sample, tie_break, .. } = arguments;
    let &Arguments { resources, limits, .. } = arguments;
    let solving = &Solving { resources, limits, ..Solving::default() }.shortest_by_default();
    let is_stdin = |path: &Path| path == Path::new("-");
    if is_stdin(results) && inputs.iter().any(|path| is_stdin(path)) {
        return Err("cannot read both results and boards from standard input: name the inputs".into());
    }
    let stream = open(results, solving.decompression_limit())?;
    let mut expanded = input::expand(inputs);
    // The results file is not an input, even if an input folder contains it.
    if let Some(results) = FileIdentity::of_path(results) {
        expanded.skip_results(|path| FileIdentity::of_path(path).as_ref() == Some(&results));
    }
    let sample = (*sample > 0).then(|| SampleOptions {
        boards: *sample,
        solving: solving.settings(),
        any_shortest: *tie_break == TieBreak::Any,
    });
    let (pass, spelling) = (Arc::new(pass.clone().unwrap_or_default()), moves.spelling());
    let threads = resources.threads();
    let options = verify::Options { ordered: !unordered, pass: Arc::clone(&pass), spelling, threads, sample };
    let reading = InputOptions { pass, ..reading.options(solving) };
    let mut reader = Reader::new(expanded.inputs, reading);
    let (progress, read) = (ProgressDisplay::usual(false, true), reader.amount_read());
    let verified = progress.during(
        || Work::reading(&read, None),
        || verify::run(&mut reader, stream, &options, &mut |line| progress.warn(line)),
    );
    let mut report = verified.map_err(|error| error.to_string())?;
    // Errors quote names and results, which may contain control characters.
    report.problem_lines.iter_mut().for_each(|line| *line = escaped(line));
    print_lines(&format!("{report}\n"))?;
    Ok(ExitStatus::of(report.totals.failed_inputs > 0, !report.is_sound()))
}

fn open(results: &Path, limit: DecompressionLimit) -> Result<Box<dyn Read + Send>, String> {
    let name = results.display();
    if results.is_dir() {
        return Err(format!("{name} is a folder: use taquin merge {name} | taquin verify - FILE..."));
    }
    input::open_text(&Input::named(results), limit).map_err(|error| format!("cannot read {name}: {error}"))
}
