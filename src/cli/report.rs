//! `taquin report`: summarises results as an HTML page.

use std::path::PathBuf;

use clap::Args;

use super::options::Moves;
use super::ui::output_conflicts::{self, Target};
use super::ui::{ExitStatus, Stop, atomic_file, print, warn};
use crate::board::{Goal, Shape};
use crate::format::input::{self, DecompressionLimit};
use crate::tools::report::{Assumptions, ReportBuilder};

const AFTER: &str = "\
The page is one file and needs no network. It has charts of nodes and time only \
for results of taquin solve --detail. Boards are drawn if the results contain them (taquin solve --boards); with --shape, \
they are reconstructed from the goal and the path. In both cases, path lengths are also compared with the distribution \
over all boards of the shape, if it is known.

Examples:
  taquin solve --boards --detail boards.txt -o results.jsonl
  taquin report results.jsonl -o report.html
  taquin report --shape 3x3 results.jsonl > report.html
  taquin report --title 'Two days' monday.jsonl.zst tuesday.jsonl.zst -o report.html

Exit status:
  0  The page is written
  1  The page is written, but it reports invalid lines or missing shards
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

    /// Shape of the boards, if results were written without solve --boards
    #[arg(long, value_name = "ROWSxCOLS")]
    shape: Option<Shape>,

    /// Goal: blank-last, blank-first, snail (a spiral), or a board such as 1,2,3/8,0,4/7,6,5
    /// [default: blank-last]
    #[arg(long, value_name = "GOAL")]
    goal: Option<Goal>,

    #[command(flatten, next_help_heading = "Input")]
    moves: Moves,
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitStatus, Stop> {
    let Arguments { results, output, force, title, shape, goal, moves } = arguments;
    atomic_file::check_overwriting(output.as_deref(), *force)?;
    let inputs = input::expand_all(results).inputs;
    output_conflicts::check(&inputs, &[Target::file_or_standard_output("--output", output.as_deref())])?;
    let assumed = Assumptions { shape: *shape, goal: goal.clone().unwrap_or_default(), spelling: moves.spelling() };
    if let Some(shape) = shape {
        assumed.goal.on(*shape).map_err(|why| format!("invalid goal: {why}"))?;
    }
    let (mut report, mut has_unread) = (ReportBuilder::new(assumed), false);
    for input in &inputs {
        if let Err(error) = report.read(&input.name(), input::open_text(input, DecompressionLimit::default())) {
            warn(&format!("cannot read {}: {error}", input.name()));
            has_unread = true;
        }
    }
    let part_faults = report.end_parts();
    part_faults.iter().for_each(|fault| warn(fault));
    let faulty_lines = report.faulty_lines();
    match faulty_lines {
        0 => {}
        1 => warn("1 line is not a result (see the page)"),
        _ => warn(&format!("{faulty_lines} lines are not results (see the page)")),
    }
    let page = report.page(title);
    match output {
        Some(path) => atomic_file::write(path, page.as_bytes())?,
        None => _ = print(page.as_bytes())?,
    }
    Ok(ExitStatus::of(has_unread, faulty_lines > 0 || !part_faults.is_empty()))
}
