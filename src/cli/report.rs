//! `taquin report`: summarises results as an HTML page.

use std::path::PathBuf;

use clap::Args;

use super::ui::output_conflicts::{self, Target};
use super::ui::progress::ProgressDisplay;
use super::ui::{ExitStatus, Stop, atomic_file, print, warn};
use crate::board::{Goal, Shape};
use crate::format::input::{self, DecompressionLimit};
use crate::tools::report::{Tally, page};
use crate::tools::text::counted;

const AFTER: &str = "\
The page is one file and needs no network. Solved results need the field moves. The page has nodes and times only for results of taquin solve --detail. \
Lengths of solutions are compared with the distribution over all boards of the shape, if it is known and if the results \
state their shape (taquin solve --boards) or --shape is given.

Examples:
  taquin solve --boards --detail boards.txt -o results.jsonl
  taquin report results.jsonl -o report.html
  taquin report --shape 3x3 results.jsonl > report.html
  taquin report --title 'Two days' monday.jsonl.zst tuesday.jsonl.zst -o report.html

Exit status:
  0  The page is written
  1  The page is written, but it lists lines that are not results
  2  The run failed: usage, read or write error";

#[derive(Debug, Args)]
#[command(after_long_help = AFTER)]
pub(super) struct Arguments {
    /// Results, and folders of them; - for standard input
    #[arg(value_name = "RESULTS", default_value = "-")]
    results: Vec<PathBuf>,

    /// Write the page to FILE
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Overwrite FILE
    #[arg(long, requires = "output")]
    force: bool,

    /// Title of the page
    #[arg(long, value_name = "TEXT", default_value = "Sliding-tile puzzles, solved")]
    title: String,

    /// Shape of the boards, for results written without solve --boards
    #[arg(long, value_name = "ROWSxCOLS")]
    shape: Option<Shape>,

    /// Goal: blank-last, blank-first, snail (a spiral), or a board such as 1,2,3/8,0,4/7,6,5
    /// [default: blank-last]
    #[arg(long, value_name = "GOAL")]
    goal: Option<Goal>,
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitStatus, Stop> {
    let Arguments { results, output, force, title, shape, goal } = arguments;
    atomic_file::check_overwriting(output.as_deref(), *force)?;
    let inputs = input::expand_all(results).inputs;
    output_conflicts::check(&inputs, &[Target::file_or_standard_output("--output", output.as_deref())])?;
    let goal = goal.clone().unwrap_or_default();
    if let Some(shape) = shape {
        goal.on(*shape).map_err(|why| format!("invalid goal: {why}"))?;
    }
    let (mut tally, mut unread) = (Tally::new(*shape, goal), Vec::new());
    ProgressDisplay::counting(false, output.is_none(), |lines_read| {
        for input in &inputs {
            let opened = input::open_text(input, DecompressionLimit::default());
            if let Err(error) = tally.read(&input.name(), opened, lines_read) {
                unread.push(format!("cannot read {}: {error}", input.name()));
            }
        }
    });
    unread.iter().for_each(|why| warn(why));
    let problems = tally.problems.total;
    if problems > 0 {
        warn(&format!("{} in the results (see the page)", counted(problems, "problem")));
    }
    let page = page(&tally, title);
    match output {
        Some(path) => atomic_file::write(path, page.as_bytes())?,
        None => _ = print(page.as_bytes())?,
    }
    Ok(ExitStatus::of(!unread.is_empty(), problems > 0))
}
