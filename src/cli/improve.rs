//! `taquin improve`: shortens paths found by another solver.

use std::path::{Path, PathBuf};

use clap::Args;

use super::options::{FieldList, Moves, PathSearchOptions, ReadingOptions, Solving, values};
use super::ui::output::{self, IfExists, Output};
use super::ui::progress::{ProgressDisplay, Work};
use super::ui::signals::Interrupt;
use super::ui::summary::list_nonzero;
use super::ui::{ExitStatus, Stop, message};
use crate::format::fields::{Field, Need};
use crate::format::input::{self, Input, Reader};
use crate::format::style::Style;
use crate::heuristic::learned::AvailableWeights;
use crate::solver::{Aim, Settings, Solver};
use crate::system::grouped;
use crate::tools::improve::{self, Gain, KnownPaths};
use crate::tools::text::counted;

const AFTER: &str = "\
Every path is replayed first. The board of an invalid path is solved from scratch. Results have the \
fields of taquin solve, and no path is longer than the one given.

Examples:
  taquin improve boards.txt results.jsonl -o better.jsonl
  taquin improve --effort 7 --notation udlr boards.txt paths.txt
  taquin improve --as uva10181 data.in paths.txt

Exit status:
  0         Every given path is valid, and every solvable record has a result with a path
  1         A record or given path is invalid, a solvable record got no path, or a file has fewer
            records than its count line
  2         The run failed: usage, read or write error
  130, 143  Interrupted";

/// The node limit of a search for the shortest path of a board of up to 25 cells, if no limit is
/// given.
const PROOF_NODES: u64 = 20_000_000;

#[derive(Debug, Args)]
#[command(after_long_help = AFTER)]
pub(super) struct Arguments {
    /// Boards: a file or a folder; - for standard input
    #[arg(value_name = "BOARDS")]
    boards: PathBuf,

    /// Paths in the order of the boards: results of taquin solve, or one path per line
    #[arg(value_name = "PATHS")]
    paths: PathBuf,

    #[command(flatten)]
    reading: ReadingOptions,

    /// Write results to FILE
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,

    /// Overwrite FILE
    #[arg(long, requires = "output", help_heading = "Output")]
    force: bool,

    #[command(flatten)]
    fields: FieldList,

    #[command(flatten, next_help_heading = "Input")]
    moves: Moves,

    /// Print no messages except errors
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,

    #[command(flatten)]
    search: PathSearchOptions,

    /// File of learned weights for good paths (see docs/large-boards.md)
    #[arg(long, value_name = "FILE", value_parser = values::weights, help_heading = "Search")]
    weights: Option<AvailableWeights>,
}

impl Arguments {
    pub fn run(&self) -> Result<ExitStatus, Stop> {
        let (Arguments { reading, moves, .. }, output) = (self, self.output.as_deref());
        let solving = &Solving { weights: self.weights.clone(), ..self.search.solving() };
        solving.check()?;
        let is_stdin = |path: &Path| path == Path::new("-");
        if is_stdin(&self.boards) && is_stdin(&self.paths) {
            return Err("cannot read both boards and paths from standard input: give a file for one of them".into());
        }
        let fields = self.fields.fields()?;
        if let Some(field) = fields.iter().find(|&field| !is_available(field)) {
            return Err(format!("taquin improve cannot write the field {field}: taquin solve can").into());
        }
        let spelling = match reading.boards.profile {
            Some(profile) => moves.answer_format(profile, reading.options(solving).shape)?.spelling,
            None => moves.spelling(),
        };
        let paths_input = Input::named(&self.paths);
        let cannot_read = |error| format!("cannot read {}: {error}", self.paths.display());
        let text = input::open_text(&paths_input, solving.decompression_limit()).map_err(cannot_read)?;
        let mut known_paths = KnownPaths::of_text(text).map_err(cannot_read)?;
        let inputs = [self.boards.clone()];
        let mut expanded = input::expand(&inputs);
        output::skip_own_output(output, &inputs, &mut expanded);
        let all_inputs: Vec<Input> = expanded.inputs.iter().cloned().chain([paths_input]).collect();
        output::check_conflicts(output, &all_inputs, &[])?;
        let mut out = Output::open(output, IfExists::forced(self.force), &expanded.inputs)?;
        let interrupt = Interrupt::listen()?;
        let requested = solving.settings();
        // A board whose proof does not finish gets a good path.
        let aim = Aim { fallback: !requested.aim.is_good(), ..requested.aim };
        let solver = Solver::with(Settings { aim, ..requested });
        let options = improve::Options {
            solver: &solver,
            proof_nodes: (!solving.aim().is_good()).then_some(PROOF_NODES),
            spelling,
            style: Style::Json(fields),
            stop: interrupt.flag(),
        };
        let mut reader = Reader::new(expanded.inputs, reading.options(solving));
        let (progress, read) = (ProgressDisplay::usual(self.quiet, output.is_none()), reader.amount_read());
        let improved = progress.during(
            || Work::reading(&read, Some(&solver)),
            || improve::run(&mut reader, &mut known_paths, &options, &mut out, &|line| progress.warn(line)),
        );
        let gain = improved.map_err(|error| match error {
            improve::Error::Write(error) => out.stop(&error),
            error => error.to_string().into(),
        })?;
        if !self.quiet {
            message(&summary(&gain));
        }
        let has_failed = gain.failed > 0 || gain.wrong > 0 || gain.missing > 0;
        Ok(interrupt.status().unwrap_or_else(|| ExitStatus::of(gain.failed_inputs > 0, has_failed)))
    }
}

/// Returns true if a field is available for an improved path.
fn is_available(field: Field) -> bool {
    !matches!(field.need(), Need::AllPaths | Need::Sample | Need::EarlierRecords) && field != Field::LinearConflict
}

fn summary(gain: &Gain) -> String {
    let &Gain { records, paths, before, after, shorter, proven, wrong, found, failed, missing, failed_inputs: _ } =
        gain;
    let share = if before == 0 { 0.0 } else { (before - after) as f64 / before as f64 * 100.0 };
    let text = format!(
        "{}: {} ({} shortened), {} moves before, {} after ({share:.1} % less), {} proven shortest",
        counted(records, "record"),
        counted(paths, "path"),
        grouped(shorter),
        grouped(before),
        grouped(after),
        grouped(proven),
    );
    let missing = (missing, "promised by a count line but missing");
    text + &list_nonzero([
        (found, "solved from scratch"),
        (wrong, "with an invalid path"),
        (failed, "invalid or unsolved"),
        missing,
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_reports_the_gain() {
        let gain =
            Gain { records: 3, paths: 2, before: 400, after: 300, shorter: 1, proven: 1, wrong: 1, ..Gain::default() };
        assert_eq!(
            summary(&gain),
            "3 records: 2 paths (1 shortened), 400 moves before, 300 after (25.0 % less), 1 proven shortest, 1 with an \
             invalid path"
        );
        assert!(summary(&Gain::default()).contains("(0.0 % less)"));
    }
}
