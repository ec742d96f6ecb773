//! `taquin inspect`: how hard every board is, in how many ways it is solved, and whether it was there before.

use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;

use clap::Args;
use indicatif::HumanCount;

use super::options::{Inputs, Solving, values};
use super::ui::output::{self, Output, Present};
use super::ui::signals::Interrupt;
use super::ui::{Status, fail, message, overlooked, warn};
use crate::format::input::{self, Reader};
use crate::tools::inspect::{self, Error, Examined, Field, Fields, Occurrence, Sink, Status as RecordStatus};

const EXAMPLES: &str = "\
Examples:
  taquin inspect boards.txt                    a line of JSON for every record
  taquin inspect --fields index,moves,solutions,forced boards.txt
  taquin inspect --fields index,dup_of,reflection_of big.txt.gz   nothing is solved for these
  taquin inspect --as hdu3567 --count-cap 100 --time-limit 10s data.in";

const AFTER: &str = "\
Solutions are all shortest paths; `solutions` is their exact number, `solutions_at_least` what was counted where a
limit or --count-cap came first. docs/inspecting.md describes every field.

Exit status: 0 every record was settled; 1 some record was invalid, promised and not there, or unsolved; 2 the run failed;
130 or 143 interrupted, with everything that was finished written.";

#[derive(Debug, Args)]
#[command(before_help = EXAMPLES, after_help = AFTER)]
pub(super) struct Arguments {
    #[command(flatten)]
    input: Inputs,

    /// Write to a file instead of standard output.
    #[arg(short, long, value_name = "FILE", help_heading = "Writing")]
    output: Option<PathBuf>,

    /// Overwrite what the file holds.
    #[arg(long, requires = "output", help_heading = "Writing")]
    force: bool,

    /// Fields of a line, in order, separated by commas. What is not asked for is not worked out.
    #[arg(long, value_name = "FIELDS", value_delimiter = ',', help_heading = "Writing", hide_possible_values = true,
          value_parser = values::named(Field::NAMES.iter().copied(), values::read::<Field>))]
    fields: Vec<Field>,

    /// No word on standard error, unless something is wrong.
    #[arg(short, long, help_heading = "Writing")]
    quiet: bool,

    /// The most shortest paths that are counted of a board of more than 12 cells; smaller ones are counted to the end.
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..), help_heading = "Solving")]
    count_cap: u64,

    #[command(flatten)]
    pub(super) solving: Solving,
}

pub(super) fn run(arguments: &Arguments) -> Status {
    arguments.inspect().unwrap_or_else(|why| fail(&why))
}

impl Arguments {
    /// # Errors
    /// Why the run failed.
    fn inspect(&self) -> Result<Status, String> {
        values::no_field_twice(&self.fields)?;
        let fields = match self.fields.as_slice() {
            [] => Fields::default(),
            fields => Fields::new(fields.iter().copied()),
        };
        let (path, mut expanded) = (self.output.as_deref(), input::expand(&self.input.inputs));
        output::pass_over(path, &self.input.inputs, &mut expanded)?;
        output::check_written(path, &expanded.inputs, &[])?;
        let present = if self.force { Present::Overwrite } else { Present::Keep };
        let mut out = Output::open(path, present, &expanded.inputs)?;
        let interrupt = Interrupt::listen()?;
        let options = self.solving.examination(fields.requested(), self.count_cap, interrupt.flag());
        let mut reader = Reader::new(expanded.inputs, self.input.reading.options(&self.solving));
        let mut lines = Lines { fields: &fields, out: &mut out, text: Vec::new(), counts: Counts::default() };
        let ended = inspect::run(&options, &mut reader, &mut lines, &warn);
        let counts = lines.counts;
        let report = match ended {
            Ok(report) => report,
            Err(Error::Write(error)) if error.kind() == ErrorKind::BrokenPipe => return Ok(Status::Settled),
            Err(Error::Write(error)) => return Err(out.remedy(&error)),
            Err(error) => return Err(error.to_string()),
        };
        overlooked::warn(&report);
        if !self.quiet {
            message(&counts.to_string());
        }
        Ok(match interrupt.signal() {
            Some(signal) => Status::Interrupted(signal),
            None if report.failed_inputs > 0 => Status::RunFailed,
            None if counts.failed > 0 || report.missing > 0 => Status::SomeFailed,
            None => Status::Settled,
        })
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
        write!(f, "{} {}", HumanCount(self.records), if self.records == 1 { "record" } else { "records" })?;
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

impl Sink for Lines<'_> {
    fn record(&mut self, examined: &Examined<'_>) -> io::Result<()> {
        let failed = match examined.facts.status {
            RecordStatus::Invalid(_) | RecordStatus::Failed(_) | RecordStatus::Unsolved { .. } => 1,
            _ => 0,
        };
        self.counts.records += 1;
        self.counts.failed += failed;
        self.counts.again += u64::from(matches!(examined.occurrence, Some(Occurrence::DuplicateOf(_))));
        self.counts.reflected += u64::from(matches!(examined.occurrence, Some(Occurrence::ReflectionOf(_))));
        self.fields.write(examined, &mut self.text);
        if self.text.len() >= 1 << 20 { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(&self.text)?;
        self.text.clear();
        self.out.flush()
    }
}
