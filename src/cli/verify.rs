//! `taquin verify`: whether a results file answers its inputs.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::options::{Moves, Reading, Solving};
use super::ui::{Status, fail, print_lines, printable, warn};
use crate::batch::resume::same_file;
use crate::format::input::{self, Input, InputOptions, Reader};
use crate::format::passing::Pass;
use crate::tools::verify::{self, Options, Report};

const EXAMPLES: &str = "\
Examples:
  taquin verify results.jsonl inputs/          the inputs and options of the run that wrote them
  taquin verify --unordered --sample 100 results.jsonl.zst boards.txt";

const AFTER: &str = "\
Results need the fields `status` and `path`, which are among the default ones, and `index` where they are
not in order. What else they hold is compared. What is not proven is reported, too.

Exit status: 0 every record has exactly one result, and it holds; 1 there is a doubt; 2 something could
not be read.";

#[derive(Debug, Args)]
#[command(before_help = EXAMPLES, after_help = AFTER)]
pub(super) struct Arguments {
    /// The results, JSON Lines or CSV; plain, .gz or .zst.
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
    let stream = match input::open_text(&named, solving.decompression_limit()) {
        Ok(stream) => stream,
        Err(error) => return fail(&format!("cannot read {}: {error}", results.display())),
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
    match verify::run(&mut reader, stream, &options, &mut |line| warn(line)) {
        Err(error) => fail(&error.to_string()),
        Ok(mut report) => {
            // They quote names and results.
            report.first_doubts.iter_mut().for_each(|doubt| *doubt = printable::line(doubt));
            told(&report)
        }
    }
}

fn told(report: &Report) -> Status {
    match print_lines(&format!("{report}\n")) {
        Status::Settled if report.failed_inputs > 0 => Status::RunFailed,
        Status::Settled if !report.is_sound() => Status::SomeFailed,
        status => status,
    }
}
