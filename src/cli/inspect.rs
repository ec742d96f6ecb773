//! `taquin inspect`: how hard every board is, in how many ways it is solved, and whether it was there before.

use std::path::PathBuf;

use clap::Args;
use indicatif::HumanCount;

use super::examining::{Examining, Tally};
use super::options::{Inputs, Solving, values};
use super::ui::{Status, fail};
use crate::tools::inspect::{Examined, Field, Fields, Occurrence, Status as RecordStatus};

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
        let examining = Examining {
            input: &self.input,
            solving: &self.solving,
            fields: &fields,
            requested: fields.requested(),
            count_cap: self.count_cap,
            output: self.output.as_deref(),
            force: self.force,
            quiet: self.quiet,
        };
        examining.run::<Counts>()
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

impl Tally for Counts {
    fn add(&mut self, examined: &Examined<'_>) {
        let failed = match examined.facts.status {
            RecordStatus::Invalid(_) | RecordStatus::Failed(_) | RecordStatus::Unsolved { .. } => 1,
            _ => 0,
        };
        self.records += 1;
        self.failed += failed;
        self.again += u64::from(matches!(examined.occurrence, Some(Occurrence::DuplicateOf(_))));
        self.reflected += u64::from(matches!(examined.occurrence, Some(Occurrence::ReflectionOf(_))));
    }

    fn failed(&self) -> u64 {
        self.failed
    }
}
