//! `taquin assert`: a gate for sets of boards, to be run when they are changed.

use std::io::{self, BufWriter, ErrorKind, Write};
use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use indicatif::HumanCount;

use super::options::{Reading, Solving, values};
use super::ui::annotations::Annotations;
use super::ui::signals::Interrupt;
use super::ui::whole_file::WholeFile;
use super::ui::written::{self, Written};
use super::ui::{Status, fail, junit, overlooked, warn};
use crate::format::input::{self, InputError, Reader};
use crate::tools::inspect::{self, Assertions, Condition, Examined, Sink, Tally, Uniqueness, Violation};

const EXAMPLES: &str = "\
Examples:
  taquin assert --moves 20..30 --solvable --unique --count 1000 boards.txt
  taquin assert --as uva10181 --moves ..45 data.in
  taquin assert --shape 3x3 --unique=boards --solvable sets/   nothing is solved for these
  taquin assert --solutions 1 --junit report.xml puzzles.txt   exactly one shortest solution each";

const AFTER: &str = "\
Whatever else is asserted, every record must be a board. Boards are only solved for --moves and --solutions, which are
asserted of those that have a solution; --solvable asserts that all have.

Exit status: 0 all of it holds; 1 something does not, or could not be found out within the limits; 2 the run
failed (usage, a file that cannot be read or written); 130 or 143 interrupted.";

#[derive(Debug, Args)]
#[command(before_help = EXAMPLES, after_help = AFTER)]
pub(super) struct Arguments {
    /// Files and folders to read, `-` for standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    inputs: Vec<PathBuf>,

    /// The fewest moves of every board: 24, 20..30, 20.. or ..30, both ends included.
    #[arg(long, value_name = "MOVES", value_parser = range, help_heading = "Asserting")]
    moves: Option<RangeInclusive<u64>>,

    /// Every board has a solution.
    #[arg(long, help_heading = "Asserting")]
    solvable: bool,

    /// No board comes again, nor its reflection where that keeps the goal's blank; with =boards reflections may.
    #[arg(
        long,
        value_name = "WHAT",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "reflections",
        help_heading = "Asserting"
    )]
    unique: Option<Unique>,

    /// How many records there are in all files together: 1000, or a range as for --moves.
    #[arg(long, value_name = "N", value_parser = range, help_heading = "Asserting")]
    count: Option<RangeInclusive<u64>>,

    /// The number of every board's shortest solutions: 1, or a range as for --moves.
    #[arg(long, value_name = "N", value_parser = range, help_heading = "Asserting")]
    solutions: Option<RangeInclusive<u64>>,

    /// How what does not hold is reported: auto, plain or github.
    #[arg(
        long,
        value_name = "HOW",
        value_enum,
        default_value = "auto",
        hide_possible_values = true,
        help_heading = "Reporting"
    )]
    annotations: Annotations,

    /// The most that are reported, one a line; the rest are counted.
    #[arg(long, value_name = "N", default_value_t = 50, help_heading = "Reporting")]
    most: u64,

    /// Write a report in JUnit's XML to this file: a suite for every file, a case for every condition.
    #[arg(long, value_name = "FILE", help_heading = "Reporting")]
    junit: Option<PathBuf>,

    /// No word when all of it holds.
    #[arg(short, long, help_heading = "Reporting")]
    quiet: bool,

    /// `--shape` is also asserted of every board.
    #[command(flatten)]
    reading: Reading,

    #[command(flatten)]
    pub(super) solving: Solving,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Unique {
    /// With the same goal.
    Boards,
    /// Or as a reflection that keeps the goal.
    Reflections,
}

/// A range of numbers.
fn range(text: &str) -> Result<RangeInclusive<u64>, String> {
    values::range(text, 0..=u64::MAX, "is neither a number nor a range")
}

/// The most shortest paths that are counted where a greater number would not change the verdict.
const COUNTED: u64 = 1_000_000;

pub(super) fn run(arguments: &Arguments) -> Status {
    arguments.check().unwrap_or_else(|why| fail(&why))
}

impl Arguments {
    /// # Errors
    /// Why the run failed.
    fn check(&self) -> Result<Status, String> {
        let expanded = input::expand(&self.inputs);
        let written = [Written::standard_output(), Written::file("--junit", self.junit.as_deref())];
        written::check(&expanded.inputs, &written)?;
        let junit = self.junit.as_deref().map(WholeFile::create).transpose();
        let junit = junit.map_err(|error| self.cannot_write(&error))?;
        let interrupt = Interrupt::listen()?;
        interrupt.remove_at_exit(junit.as_ref().and_then(WholeFile::temporary_path));
        let rules = self.rules();
        let least = rules.solutions.as_ref().map_or(0, |range| *range.start());
        let cap = rules.count_cap().unwrap_or(COUNTED.max(least));
        let options = self.solving.examination(rules.requested(), cap, interrupt.flag());
        let inputs = expanded.inputs;
        let names: Vec<String> = inputs.iter().map(|input| input.name().into_owned()).collect();
        let mut reader = Reader::new(inputs, self.reading.options(&self.solving));
        let mut gate = Gate::new(&rules, self.annotations.resolved(), self.most);
        let ended = inspect::run(&options, &mut reader, &mut gate, &warn);
        let report = ended.map_err(|error| error.to_string())?;
        if let Some(signal) = interrupt.signal() {
            return Ok(Status::Interrupted(signal));
        }
        gate.end(report.missing).map_err(|error| format!("cannot write: {error}"))?;
        overlooked::warn(&report);
        if let Some(mut file) = junit {
            let written = junit::write(&rules, &names, &gate.tally, &gate.unread, &mut file);
            written.and_then(|()| file.finish()).map_err(|error| self.cannot_write(&error))?;
        }
        Ok(self.verdict(&gate, report.failed_inputs))
    }

    /// The last line, and the status.
    fn verdict(&self, gate: &Gate<'_>, failed_inputs: u64) -> Status {
        let (records, found) = (HumanCount(gate.tally.records()), HumanCount(gate.found));
        let noun = if gate.tally.records() == 1 { "record" } else { "records" };
        match (gate.found, failed_inputs) {
            (0, 0) => {
                if !self.quiet {
                    warn(&format!("{records} {noun}, all of it holds"));
                }
                Status::Settled
            }
            // There was a warning about each.
            (0, _) => Status::RunFailed,
            (_, failed) => {
                let violations = if gate.found == 1 { "violation" } else { "violations" };
                warn(&format!("{records} {noun}, {found} {violations}{}", gate.by_condition()));
                if failed > 0 { Status::RunFailed } else { Status::SomeFailed }
            }
        }
    }

    fn rules(&self) -> Assertions {
        Assertions {
            shape: self.reading.options(&self.solving).shape,
            solvable: self.solvable,
            moves: self.moves.clone(),
            solutions: self.solutions.clone(),
            unique: self.unique.map(|unique| match unique {
                Unique::Boards => Uniqueness::Boards,
                Unique::Reflections => Uniqueness::Reflections,
            }),
            count: self.count.clone(),
        }
    }

    fn cannot_write(&self, error: &io::Error) -> String {
        let path = self.junit.as_deref().unwrap_or("-".as_ref());
        format!("cannot write to {}: {error}", path.display())
    }
}

/// Checks records as they come, and reports what is wrong with them.
struct Gate<'a> {
    rules: &'a Assertions,
    how: Annotations,
    /// The most violations that are reported.
    most: u64,
    reported: u64,
    found: u64,
    tally: Tally,
    /// Inputs that could not be read, or not to their end, in order.
    unread: Vec<InputError>,
    out: BufWriter<io::Stdout>,
}

impl<'a> Gate<'a> {
    fn new(rules: &'a Assertions, how: Annotations, most: u64) -> Gate<'a> {
        Gate {
            rules,
            how,
            most,
            reported: 0,
            found: 0,
            tally: Tally::default(),
            unread: Vec::new(),
            out: BufWriter::new(io::stdout()),
        }
    }

    fn report(&mut self, violation: &Violation, source: Option<&str>) -> io::Result<()> {
        self.found += 1;
        if self.reported >= self.most {
            return Ok(());
        }
        self.reported += 1;
        unless_closed(self.out.write_all(self.how.line(violation, source).as_bytes()))
    }

    /// What is wrong with all records together, and how many violations were not reported.
    fn end(&mut self, missing: u64) -> io::Result<()> {
        if missing > 0 {
            let (noun, are) = if missing == 1 { ("record", "is") } else { ("records", "are") };
            let message = format!("{missing} {noun} that a count line promises {are} not there");
            let violation = Violation { condition: Condition::Count, place: None, message };
            self.report(&violation, None)?;
            self.tally.of_all.push(violation);
        }
        if let Some(violation) = self.rules.check_count(self.tally.records()) {
            self.report(&violation, None)?;
            self.tally.of_all.push(violation);
        }
        if self.found > self.reported {
            unless_closed(self.out.write_all(self.how.more(self.found - self.reported).as_bytes()))?;
        }
        unless_closed(self.out.flush())
    }

    /// How many violations of each kind, where there are several kinds.
    fn by_condition(&self) -> String {
        let conditions = Condition::OF_RECORDS.into_iter().chain([Condition::Count]);
        let numbers = conditions.map(|condition| (condition, self.tally.number(condition))).filter(|(_, n)| *n > 0);
        let shown: Vec<String> =
            numbers.map(|(condition, n)| format!("{} {}", condition.name(), HumanCount(n))).collect();
        if shown.is_empty() { String::new() } else { format!(" ({})", shown.join(", ")) }
    }
}

/// That the reader of the lines has closed the pipe is no reason to let a set pass, nor to fail: the exit status is what
/// counts.
fn unless_closed(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

impl Sink for Gate<'_> {
    fn record(&mut self, examined: &Examined<'_>) -> io::Result<()> {
        let mut violations = Vec::new();
        self.rules.check(examined, &mut |violation| violations.push(violation));
        self.tally.add(examined, &violations);
        let source = &examined.sources[examined.place.source as usize];
        violations.iter().try_for_each(|violation| self.report(violation, Some(source)))
    }

    fn failed_input(&mut self, error: InputError) {
        self.unread.push(error);
    }

    fn flush(&mut self) -> io::Result<()> {
        unless_closed(self.out.flush())
    }
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
