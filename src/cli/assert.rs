//! `taquin assert`: a gate for sets of boards, to be run when they are changed.

use std::fs;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use indicatif::HumanCount;

use super::annotations::{Annotations, one_line};
use super::arguments::{Reading, Solving};
use super::inspect::{options, tell_of_memory};
use super::signals::Interrupt;
use super::whole::{self, WholeFile};
use super::{Status, fail, junit, say};
use crate::format::input::{self, InputError, Reader};
use crate::inspect::{self, Breach, Condition, Distinct, Examined, Rules, Taker, Tally};
use crate::resume::same_file;

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
pub(super) struct Assert {
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

    /// How what does not hold is told: auto, plain or github.
    #[arg(
        long,
        value_name = "HOW",
        value_enum,
        default_value = "auto",
        hide_possible_values = true,
        help_heading = "Telling"
    )]
    annotations: Annotations,

    /// The most that are told, one a line; the rest are counted.
    #[arg(long, value_name = "N", default_value_t = 50, help_heading = "Telling")]
    most: u64,

    /// Write a report in JUnit's XML to this file: a suite for every file, a case for every condition.
    #[arg(long, value_name = "FILE", help_heading = "Telling")]
    junit: Option<PathBuf>,

    /// No word when all of it holds.
    #[arg(short, long, help_heading = "Telling")]
    quiet: bool,

    /// `--shape` is also asserted of every board.
    #[command(flatten)]
    reading: Reading,

    #[command(flatten)]
    solving: Solving,
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
    let wrong = || format!("'{text}' is neither a number nor a range: expected 24, 20..30, 20.. or ..30");
    let number = |text: &str, open: u64| match text.trim() {
        "" => Ok(open),
        digits => digits.parse().map_err(|_| wrong()),
    };
    let (least, most) = match text.split_once("..") {
        Some((least, most)) if !(least.trim().is_empty() && most.trim().is_empty()) => {
            (number(least, 0)?, number(most, u64::MAX)?)
        }
        Some(_) => return Err(wrong()),
        None => {
            let exactly = text.trim().parse().map_err(|_| wrong())?;
            (exactly, exactly)
        }
    };
    if least > most { Err(format!("'{text}' holds no number: {least} is more than {most}")) } else { Ok(least..=most) }
}

/// The most shortest paths that are counted where more would do as well.
const COUNTED: u64 = 1_000_000;

pub(super) fn run(arguments: &Assert) -> Status {
    let rules = arguments.rules();
    if let Some(input) = arguments.overwritten() {
        return fail(&format!("--junit would write over {}, which is to be read", input.display()));
    }
    let junit = match arguments.junit.as_deref().map(WholeFile::create).transpose() {
        Ok(file) => file,
        Err(error) => return arguments.cannot_write(&error),
    };
    let part = arguments.junit.as_deref().map(whole::part_of);
    let forget = move || part.iter().for_each(|part| drop(fs::remove_file(part)));
    let interrupt = match Interrupt::listen(forget) {
        Ok(interrupt) => interrupt,
        Err(error) => return fail(&format!("cannot listen for signals: {error}")),
    };
    let least = rules.solutions.as_ref().map_or(0, |range| *range.start());
    let cap = rules.count_cap().unwrap_or(COUNTED.max(least));
    let options = options(&arguments.solving, rules.wanted(), cap, &interrupt);
    let inputs = input::expand(&arguments.inputs).inputs;
    let names: Vec<String> = inputs.iter().map(|input| input.name().into_owned()).collect();
    let mut reader = Reader::new(inputs, arguments.reading.options());
    let mut gate = Gate {
        rules: &rules,
        how: arguments.annotations.resolved(),
        most: arguments.most,
        told: 0,
        found: 0,
        tally: Tally::default(),
        unread: Vec::new(),
        out: BufWriter::new(io::stdout()),
    };
    let ended = inspect::run(&options, &mut reader, &mut gate, &|line| say(&one_line(&format!("taquin: {line}"))));
    let report = match ended {
        Ok(report) => report,
        Err(error) => return fail(&error.to_string()),
    };
    if let Some(signal) = interrupt.signal() {
        return Status::Interrupted(signal);
    }
    if let Err(error) = gate.end() {
        return fail(&format!("cannot write: {error}"));
    }
    tell_of_memory(&report);
    if let Some(mut file) = junit
        && let Err(error) =
            junit::write(&rules, &names, &gate.tally, &gate.unread, &mut file).and_then(|()| file.finish())
    {
        return arguments.cannot_write(&error);
    }
    let (records, found) = (HumanCount(gate.tally.records()), HumanCount(gate.found));
    match (gate.found, report.failed_inputs) {
        (0, 0) => {
            if !arguments.quiet {
                say(&format!("taquin: {records} records, all of it holds"));
            }
            Status::Settled
        }
        // What could not be read was told.
        (0, _) => Status::RunFailed,
        (_, failed) => {
            say(&format!("taquin: {records} records, {found} violations{}", gate.by_condition()));
            if failed > 0 { Status::RunFailed } else { Status::SomeFailed }
        }
    }
}

impl Assert {
    /// The input that the report for JUnit would be written over.
    fn overwritten(&self) -> Option<&Path> {
        let report = fs::metadata(self.junit.as_deref()?).ok().filter(fs::Metadata::is_file)?;
        let is_report = |path: &&Path| fs::metadata(path).is_ok_and(|input| same_file(&report, &input));
        self.inputs.iter().map(PathBuf::as_path).find(is_report)
    }

    fn rules(&self) -> Rules {
        Rules {
            shape: self.reading.options().shape,
            solvable: self.solvable,
            moves: self.moves.clone(),
            solutions: self.solutions.clone(),
            distinct: self.unique.map(|unique| match unique {
                Unique::Boards => Distinct::Boards,
                Unique::Reflections => Distinct::Reflections,
            }),
            count: self.count.clone(),
        }
    }

    fn cannot_write(&self, error: &io::Error) -> Status {
        let path = self.junit.as_deref().unwrap_or("-".as_ref());
        fail(&format!("cannot write to {}: {error}", path.display()))
    }
}

/// Checks records as they come, and tells what is wrong with them.
struct Gate<'a> {
    rules: &'a Rules,
    how: Annotations,
    most: u64,
    told: u64,
    found: u64,
    tally: Tally,
    /// Inputs that could not be read, or not to their end, in order.
    unread: Vec<InputError>,
    out: BufWriter<io::Stdout>,
}

impl Gate<'_> {
    fn tell(&mut self, breach: &Breach, source: Option<&str>) -> io::Result<()> {
        self.found += 1;
        if self.told >= self.most {
            return Ok(());
        }
        self.told += 1;
        quiet(self.out.write_all(self.how.line(breach, source).as_bytes()))
    }

    /// What is wrong with all records together, and what was not told.
    fn end(&mut self) -> io::Result<()> {
        if let Some(breach) = self.rules.check_count(self.tally.records()) {
            self.tell(&breach, None)?;
            self.tally.of_all.push(breach);
        }
        if self.found > self.told {
            quiet(self.out.write_all(self.how.more(self.found - self.told).as_bytes()))?;
        }
        quiet(self.out.flush())
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

/// Nobody who reads the lines is no reason to let a set pass, nor to fail: the exit status is what counts.
fn quiet(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

impl Taker for Gate<'_> {
    fn take(&mut self, examined: &Examined<'_>) -> io::Result<()> {
        let mut breaches = Vec::new();
        self.rules.check(examined, &mut |breach| breaches.push(breach));
        self.tally.add(examined, &breaches);
        let source = &examined.sources[examined.place.source as usize];
        breaches.iter().try_for_each(|breach| self.tell(breach, Some(source)))
    }

    fn unread(&mut self, error: InputError) {
        self.unread.push(error);
    }

    fn rest(&mut self) -> io::Result<()> {
        quiet(self.out.flush())
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
