//! `taquin bench`: fixed work that is built in, to compare machines and versions by.

use std::fmt::Write as _;

use clap::Args;
use indicatif::HumanCount;

use super::options::{Resources, values};
use super::ui::{Status, fail, print, print_lines};
use crate::tools::bench::{self, Copy, Report};
use crate::tools::text::counted;

const EXAMPLES: &str = "\
Examples:
  taquin bench                                 on all threads
  taquin bench -j 1 --json                     on one, for programs";

const AFTER: &str = "\
'nodes' and 'answers' are the same on every machine and any number of threads; some seconds and 400 MB.";

#[derive(Debug, Args)]
#[command(before_help = EXAMPLES, after_help = AFTER)]
pub(super) struct Arguments {
    /// Threads that solve. By default as many as this process may use.
    #[arg(short = 'j', long, value_name = "N", value_parser = values::threads)]
    threads: Option<usize>,

    /// Write the figures as JSON.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments) -> Status {
    let report = match bench::run(Resources::new(arguments.threads, None).threads) {
        Ok(report) => report,
        Err(error) => return fail(&error.to_string()),
    };
    if !arguments.json {
        return print_lines(&text(&report));
    }
    match serde_json::to_string_pretty(&report) {
        Ok(text) => print((text + "\n").as_bytes()),
        Err(error) => fail(&error.to_string()),
    }
}

/// A line for each work, and what copying its bytes would take.
fn text(report: &Report) -> String {
    let mut text = format!("taquin {} on {}\n\n", report.version, counted(report.threads as u64, "thread"));
    for work in &report.works {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{:20}tables {:6.3} s {:>10} boards {:8.3} s {:>12} boards/s{}",
            work.name,
            work.table_seconds,
            HumanCount(work.boards).to_string(),
            work.seconds,
            HumanCount(work.boards_per_second as u64).to_string(),
            match work.nodes {
                0 => String::new(),
                nodes => format!(
                    " {:>12} nodes {:>12} nodes/s",
                    HumanCount(nodes).to_string(),
                    HumanCount(work.nodes_per_second as u64).to_string()
                ),
            },
        );
    }
    let Copy { bytes, seconds, bytes_per_second } = report.copy;
    let _ = writeln!(
        text,
        "\ncopying the {:.0} MB that the first work writes: {seconds:.3} s, {:.1} GB/s; the work took {:.1} times as long\nanswers: {}",
        bytes as f64 / 1e6,
        bytes_per_second / 1e9,
        report.works[0].seconds / seconds,
        report.answers,
    );
    text
}
