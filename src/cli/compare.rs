//! `taquin compare`: every engine on every board, and a table of what they took.

use clap::Args;
use indicatif::{HumanBytes, HumanCount};

use super::options::{Inputs, Solving};
use super::ui::{Status, fail, print_lines, warn};
use crate::tools::compare::{self, Report, Score};

const EXAMPLES: &str = "\
Examples:
  taquin compare boards.txt                    which engine suits these boards
  taquin compare --time-limit 5s --heuristic linear-conflict inputs/korf.txt";

const AFTER: &str = "\
Exit status: 0 all engines that solved a board agree on its length and its path; 1 some do not (please
report it); 2 the run failed.";

#[derive(Debug, Args)]
#[command(before_help = EXAMPLES, after_help = AFTER)]
pub(super) struct Arguments {
    #[command(flatten)]
    input: Inputs,

    #[command(flatten)]
    pub(super) solving: Solving,
}

pub(super) fn run(arguments: &Arguments) -> Status {
    let Arguments { input, solving } = arguments;
    let threads = solving.threads();
    let mut reader = input.reader(solving);
    let report = match compare::run(solving.solvers_by_engine(), &mut reader, &mut |line| warn(line)) {
        Ok(report) => report,
        Err(error) => return fail(&error.to_string()),
    };
    match print_lines(&text(&report, threads)) {
        Status::Settled if report.failed_inputs > 0 => Status::RunFailed,
        Status::Settled if report.disagreements > 0 => Status::SomeFailed,
        status => status,
    }
}

const HEAD: [&str; 7] = ["engine", "solved", "expanded", "generated", "seconds", "nodes/s", "own peak"];

fn row(score: &Score) -> [String; 7] {
    let Score { name, boards, solved, stats, time, peak_bytes } = score;
    let seconds = time.as_secs_f64();
    [
        name.clone(),
        format!("{solved} of {boards}"),
        HumanCount(stats.expanded).to_string(),
        HumanCount(stats.generated).to_string(),
        format!("{seconds:.3}"),
        HumanCount((stats.generated as f64 / seconds.max(1e-9)) as u64).to_string(),
        peak_bytes.map_or("unknown".into(), |bytes| HumanBytes(bytes).to_string()),
    ]
}

/// The table of all engines that any board was for, and a line about all boards.
fn text(report: &Report, threads: usize) -> String {
    let &Report { ref scores, boards, passed_over, disagreements, .. } = report;
    let mut rows = vec![HEAD.map(String::from)];
    rows.extend(scores.iter().filter(|score| score.boards > 0).map(row));
    let mut widths = [0; 7];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.len());
        }
    }
    let mut text = String::new();
    for row in &rows {
        let mut line = format!("{:<width$}", row[0], width = widths[0]);
        for (cell, width) in row.iter().zip(widths).skip(1) {
            line += &format!("  {cell:>width$}");
        }
        text += line.trim_end();
        text.push('\n');
    }
    let verdict = match disagreements {
        0 => "all engines that solved a board agree on its length and its path".to_string(),
        some => format!("the engines DISAGREE on {}", HumanCount(some)),
    };
    let not_compared = match passed_over {
        0 => String::new(),
        some => format!("; {} records passed over (no board, unsolvable, or too large)", HumanCount(some)),
    };
    let noun = if boards == 1 { "board" } else { "boards" };
    text + &format!("{} {noun} on {threads} threads: {verdict}{not_compared}\n", HumanCount(boards))
}
