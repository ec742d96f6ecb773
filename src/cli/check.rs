//! `taquin check`: checks sets of boards, for example in continuous integration.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::Args;

use super::options::values;
use super::options::{BoardLimits, Inputs, MachineResources, Solving, expand_inputs};
use super::ui::atomic_file::AtomicFile;
use super::ui::output_conflicts::{self, Target};
use super::ui::progress::{ProgressDisplay, Work};
use super::ui::signals::Interrupt;
use super::ui::summary::{list_nonzero, warn_of_missed_duplicates};
use super::ui::violations::{Annotations, ViolationPrinter};
use super::ui::{ExitStatus, Stop, junit, warn};
use crate::batch::{self, Totals};
use crate::board::Shape;
use crate::format::input::Reader;
use crate::format::style::Style;
use crate::solver::Solver;
use crate::tools::check::{Assertions, CheckTally, Condition, Gate, Violation};
use crate::tools::generate::Repeats;
use crate::tools::text::counted;

const AFTER: &str = "\
Every record must be a valid board. --moves and --solutions apply to boards that have a solution; only \
these two require solving the boards.

Examples:
  taquin check --moves 20..30 --solvable --unique --count 1000 boards.txt
  taquin check --as uva10181 --moves ..45 data.in
  taquin check --shape 3x3 --unique=boards --solvable sets/
  taquin check --solutions 1 --junit report.xml puzzles.txt

Exit status:
  0         Every board meets the conditions
  1         A condition is violated, or could not be checked within the limits
  2         The run failed: usage, read or write error
  130, 143  Interrupted";

#[derive(Debug, Args)]
#[command(after_long_help = AFTER)]
pub(super) struct Arguments {
    #[command(flatten)]
    input: Inputs,

    #[command(flatten)]
    conditions: Conditions,

    /// Format of violations: auto, plain, github
    ///
    /// auto: github in GitHub Actions, and plain elsewhere. In both formats, invalid records with
    /// the same error are reported together on one line, after the other violations of their file.
    #[arg(long, value_name = "FORMAT", default_value = "auto", help_heading = "Output")]
    annotations: Annotations,

    /// Maximum number of lines to print
    #[arg(long, value_name = "N", default_value_t = 50, help_heading = "Output")]
    max: u64,

    /// Write a JUnit report to FILE, and replace an old one
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    junit: Option<PathBuf>,

    /// Print nothing on success
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,

    #[command(flatten)]
    resources: MachineResources,

    #[command(flatten)]
    limits: BoardLimits,
}

/// The conditions that boards must meet.
#[derive(Debug, Args)]
#[command(next_help_heading = "Conditions")]
struct Conditions {
    /// Length of the shortest solutions: 24, or an inclusive range: 20..30, 20.. or ..30
    #[arg(long, value_name = "MOVES", value_parser = range)]
    moves: Option<RangeInclusive<u64>>,

    /// Require that every board has a solution
    #[arg(long)]
    solvable: bool,

    /// Reject duplicates: boards (identical ones only) or reflections (also mirror images) [default
    /// without WHAT: reflections]
    ///
    /// A reflection is a mirrored or transposed board whose tiles are renumbered so that the goal
    /// stays the same. Both boards need the same number of moves.
    #[arg(long, value_name = "WHAT", num_args = 0..=1, require_equals = true, default_missing_value = "reflections", value_parser = values::unique)]
    unique: Option<Repeats>,

    /// Number of shortest solutions, such as 1 or 1..4
    #[arg(long, value_name = "N", value_parser = range)]
    solutions: Option<RangeInclusive<u64>>,

    /// Total number of records across all files, such as 1000 or 900..1000
    #[arg(long, value_name = "N", value_parser = range)]
    count: Option<RangeInclusive<u64>>,
}

/// Parses a range of numbers.
fn range(text: &str) -> Result<RangeInclusive<u64>, String> {
    values::range(text, 0..=u64::MAX, "is not a number or range")
}

impl Arguments {
    pub fn run(&self) -> Result<ExitStatus, Stop> {
        let &Arguments { resources, limits, .. } = self;
        let requested = Solving { resources, limits, ..Solving::default() };
        let (reading, expanded) = (self.input.options(&requested)?, expand_inputs(&self.input.inputs)?);
        let written = [Target::StandardOutput, Target::File("--junit", self.junit.as_deref())];
        output_conflicts::check(&expanded.inputs, &written)?;
        let interrupt = Interrupt::listen()?;
        let junit = self.junit.as_deref().map(|path| AtomicFile::open(Some(path))).transpose()?;
        interrupt.remove_at_exit(junit.as_ref().and_then(AtomicFile::temporary_path));
        let rules = self.conditions.rules(reading.shape);
        let least = rules.solutions.as_ref().map_or(0, |range| *range.start());
        // Counting needs a cap even if the range of `--solutions` has no upper end. The cap must
        // not be below this range.
        let cap = rules.count_cap().unwrap_or(batch::Options::COUNT_CAP.max(least));
        let (solving, style) = (requested.shortest_by_default().for_lengths(), Style::Json(rules.fields()));
        let options = batch::Options { max_moves: rules.max_moves(), ..solving.batch_options(&style, cap) };
        expanded.skipped.lines().iter().filter(|_| !self.quiet).for_each(|line| warn(line));
        let mut names: Vec<String> = expanded.inputs.iter().map(|input| input.name().into_owned()).collect();
        // The results of a file that is named twice in a row are counted together.
        names.dedup();
        let mut reader = Reader::new(expanded.inputs, reading);
        let mut reporter = ViolationPrinter::new(self.annotations.resolved(), self.max);
        let (mut gate, totals) =
            (Gate::new(&rules, |found: &[Violation]| reporter.print_all(found)), Totals::default());
        let solver = Solver::with(solving.batch_settings(&style));
        let progress = ProgressDisplay::usual(self.quiet, true);
        let warn = |line: &str| progress.warn(line);
        let ended = progress.during(
            || Work::of(&totals, &solver),
            || batch::run(&mut reader, &mut gate, &solver, &options, &totals, interrupt.flag(), &warn),
        );
        let cannot_write = |error| Stop::writing("standard output", &error);
        let Gate { mut tally, .. } = gate;
        if let Some(interrupted) = interrupt.status() {
            reporter.end().map_err(cannot_write)?;
            return Ok(interrupted);
        }
        ended.map_err(|error| error.to_string())?;
        let records = tally.records();
        // If nothing could be read, only the read error is reported.
        let count = if records == 0 && totals.failed_inputs() > 0 { None } else { rules.check_count(records) };
        tally.whole_set_violations.extend(missing(totals.counts().missing).into_iter().chain(count));
        reporter.print_all(&tally.whole_set_violations).map_err(cannot_write)?;
        reporter.end().map_err(cannot_write)?;
        warn_of_missed_duplicates(&totals);
        if let Some(mut file) = junit {
            file.write(junit::report(&rules, &names, &tally, &totals.take_input_errors()).as_bytes())?;
            file.finish()?;
        }
        Ok(self.verdict(&tally, reporter.found, totals.failed_inputs()))
    }

    /// Prints the last line and returns the status.
    fn verdict(&self, tally: &CheckTally, found: u64, failed_inputs: u64) -> ExitStatus {
        let records = counted(tally.records(), "record");
        if found > 0 {
            warn(&format!("{records}: {}{}", counted(found, "violation"), by_condition(tally)));
        } else if failed_inputs == 0 && !self.quiet {
            warn(&format!("{records}: all checks passed"));
        }
        // Each failed input was already reported.
        ExitStatus::of(failed_inputs > 0, found > 0)
    }
}

impl Conditions {
    fn rules(&self, shape: Option<Shape>) -> Assertions {
        Assertions {
            shape,
            solvable: self.solvable,
            moves: self.moves.clone(),
            solutions: self.solutions.clone(),
            unique: self.unique.unwrap_or_default(),
            count: self.count.clone(),
        }
    }
}

/// Returns the violation for records that a count line promises but the file does not have.
fn missing(records: u64) -> Option<Violation> {
    let message = format!("{} promised by a count line but missing", counted(records, "record"));
    (records > 0).then_some(Violation { condition: Condition::Count, place: None, message })
}

/// Returns the number of violations of each violated condition, in parentheses; an empty text if
/// there are none.
fn by_condition(tally: &CheckTally) -> String {
    let numbers = Condition::ALL.into_iter().map(|(condition, _, label)| (tally.number(condition), label));
    let numbers = list_nonzero(numbers);
    numbers.strip_prefix(", ").map_or(String::new(), |numbers| format!(" ({numbers})"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_ranges() {
        assert_eq!((range("24"), range("20..30")), (Ok(24..=24), Ok(20..=30)));
        assert_eq!((range("..5"), range("7..")), (Ok(0..=5), Ok(7..=u64::MAX)));
        for wrong in ["", "..", " .. ", "x", "3..2", "-1", "1..x", "99999999999999999999"] {
            assert!(range(wrong).is_err(), "{wrong}");
        }
    }
}
