//! `taquin inspect`: how hard every board is, in how many ways it is solved, and whether it was there before.

use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;

use clap::Args;
use indicatif::HumanCount;

use super::arguments::{Reading, Solving};
use super::output::{self, Output, Present};
use super::signals::Interrupt;
use super::{Status, fail, say};
use crate::format::input::{self, Reader};
use crate::inspect::{self, Error, Examined, Field, Fields, Options, Report, Standing, Taker};

const EXAMPLES: &str = "\
Examples:
  taquin inspect boards.txt                    a line of JSON for every record
  taquin inspect --fields index,moves,solutions,forced boards.txt
  taquin inspect --fields index,dup_of,reflection_of big.txt.gz   nothing is solved for these
  taquin inspect --as hdu3567 --count-cap 100 --time-limit 10s data.in";

const AFTER: &str = "\
Solutions are all shortest paths; `solutions` is their exact number, `solutions_at_least` what was counted where a
limit or --count-cap came first. docs/inspecting.md describes every field.

Exit status: 0 every record was settled; 1 some record was invalid or stayed unsolved; 2 the run failed;
130 or 143 interrupted, with everything that was finished written.";

#[derive(Debug, Args)]
#[command(before_help = EXAMPLES, after_help = AFTER)]
pub(super) struct Inspect {
    /// Files and folders to read, `-` for standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    inputs: Vec<PathBuf>,

    #[command(flatten)]
    reading: Reading,

    /// Write to a file instead of standard output.
    #[arg(short, long, value_name = "FILE", help_heading = "Writing")]
    output: Option<PathBuf>,

    /// Overwrite what the file holds.
    #[arg(long, requires = "output", help_heading = "Writing")]
    force: bool,

    /// Fields of a line, in order, separated by commas. What is not asked for is not worked out.
    #[arg(long, value_name = "FIELDS", value_delimiter = ',', help_heading = "Writing")]
    fields: Vec<Field>,

    /// No word on standard error, unless something is wrong.
    #[arg(short, long, help_heading = "Writing")]
    quiet: bool,

    /// The most shortest paths that are counted of a board of more than 12 cells; smaller ones are counted to the end.
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..), help_heading = "Solving")]
    count_cap: u64,

    #[command(flatten)]
    solving: Solving,
}

pub(super) fn run(arguments: &Inspect) -> Status {
    let Inspect { inputs: named, reading, solving, .. } = arguments;
    let twice = |(i, field): (usize, &Field)| arguments.fields[..i].contains(field).then_some(*field);
    if let Some(field) = arguments.fields.iter().enumerate().find_map(twice) {
        return fail(&format!("--fields names {field} twice"));
    }
    let fields = match arguments.fields.as_slice() {
        [] => Fields::default(),
        fields => Fields::new(fields.iter().copied()),
    };
    let mut expanded = input::expand(named);
    if let Err(why) = output::pass_over(arguments.output.as_deref(), named, &mut expanded) {
        return fail(&why);
    }
    let present = if arguments.force { Present::Overwrite } else { Present::Keep };
    let mut out = match Output::open(arguments.output.as_deref(), present, &expanded.inputs) {
        Ok(out) => out,
        Err(why) => return fail(&why),
    };
    let interrupt = match Interrupt::listen(|| {}) {
        Ok(interrupt) => interrupt,
        Err(error) => return fail(&format!("cannot listen for signals: {error}")),
    };
    let options = options(solving, fields.wanted(), arguments.count_cap, &interrupt);
    let mut reader = Reader::new(expanded.inputs, reading.options());
    let mut lines = Lines { fields: &fields, out: &mut out, text: Vec::new(), counts: Counts::default() };
    let ended = inspect::run(&options, &mut reader, &mut lines, &|line| say(&format!("taquin: {line}")));
    let counts = lines.counts;
    let report = match ended {
        Ok(report) => report,
        Err(Error::Write(error)) if error.kind() == ErrorKind::BrokenPipe => return Status::Settled,
        Err(Error::Write(error)) => return fail(&out.remedy(&error)),
        Err(error) => return fail(&error.to_string()),
    };
    tell_of_memory(&report);
    if !arguments.quiet {
        say(&counts.to_string());
    }
    match interrupt.signal() {
        Some(signal) => Status::Interrupted(signal),
        None if report.failed_inputs > 0 => Status::RunFailed,
        None if counts.failed > 0 => Status::SomeFailed,
        None => Status::Settled,
    }
}

/// What `inspect` and `assert` ask of the library in the same way.
pub(super) fn options<'a>(
    solving: &Solving,
    wanted: inspect::Wanted,
    count_cap: u64,
    interrupt: &'a Interrupt,
) -> Options<'a> {
    Options {
        wanted,
        count_cap,
        wishes: solving.wishes(),
        limits: solving.limits(),
        threads: solving.threads(),
        memory: solving.memory(),
        stop: interrupt.flag(),
    }
}

/// Tells that duplicates may have been overlooked.
pub(super) fn tell_of_memory(report: &Report) {
    let &Report { unknown, room, .. } = report;
    if unknown > 0 {
        let (unknown, room) = (HumanCount(unknown), HumanCount(room as u64));
        say(&format!(
            "taquin: of {unknown} boards it is not known whether they came before: --memory leaves room for {room} different ones"
        ));
    }
}

/// Records by what became of them.
#[derive(Clone, Copy, Default)]
struct Counts {
    records: u64,
    failed: u64,
    again: u64,
    reflected: u64,
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} records", HumanCount(self.records))?;
        for (number, what) in [
            (self.failed, "invalid or unsolved"),
            (self.again, "there before"),
            (self.reflected, "reflections of boards before"),
        ] {
            if number > 0 {
                write!(f, ", {} {what}", HumanCount(number))?;
            }
        }
        Ok(())
    }
}

/// Writes lines.
struct Lines<'a> {
    fields: &'a Fields,
    out: &'a mut Output,
    text: Vec<u8>,
    counts: Counts,
}

impl Taker for Lines<'_> {
    fn take(&mut self, examined: &Examined<'_>) -> io::Result<()> {
        use inspect::Again;
        let failed = match examined.facts.standing {
            Standing::Invalid(_) | Standing::Failed(_) | Standing::Unsolved { .. } => 1,
            _ => 0,
        };
        self.counts.records += 1;
        self.counts.failed += failed;
        self.counts.again += u64::from(matches!(examined.again, Some(Again::Same(_))));
        self.counts.reflected += u64::from(matches!(examined.again, Some(Again::Reflected(_))));
        self.fields.write(examined, &mut self.text);
        if self.text.len() >= 1 << 20 { self.rest() } else { Ok(()) }
    }

    fn rest(&mut self) -> io::Result<()> {
        self.out.write_all(&self.text)?;
        self.text.clear();
        self.out.flush()
    }
}
