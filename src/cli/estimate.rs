//! `taquin estimate`: how much work boards will be, before they are solved.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use indicatif::{HumanCount, HumanDuration};

use super::examining::{Examining, Tally};
use super::options::{Inputs, Solving, values};
use super::ui::{Status, fail};
use crate::solver::Estimate;
use crate::tools::inspect::{self, Examined, Field, Fields, Status as RecordStatus};

const EXAMPLES: &str = "\
Examples:
  taquin estimate boards.txt                   a line of JSON for every record
  taquin estimate --heuristic 18x6 --goal blank-first korf50.txt
  taquin estimate --fields index,estimated_nodes,estimated_time_us boards.txt";

const AFTER: &str = "\
The nodes are of a search for a shortest path by the heuristic in estimated_by, on any number of threads; a run of solve may come to
use better tables. docs/inspecting.md says how they are found and how far they are off.

Exit status: 0 every record has an estimate; 1 some record was invalid, promised and not there, or without one; 2 the run failed;
130 or 143 interrupted, with everything that was finished written.";

/// What a line has where nothing else is asked for.
const DEFAULT: [Field; 9] = [
    Field::Index,
    Field::Source,
    Field::Line,
    Field::Id,
    Field::Status,
    Field::EstimatedNodes,
    Field::EstimatedMoves,
    Field::EstimatedBy,
    Field::Error,
];

/// Fields for which nothing is solved.
fn offered() -> impl Iterator<Item = Field> {
    let is_solved_for = |field: &Field| Fields::new([*field]).requested().path;
    Field::ALL.into_iter().filter(move |field| *field == Field::Status || !is_solved_for(field))
}

fn field(name: &str) -> Result<Field, String> {
    offered().find(|field| field.name() == name).ok_or_else(|| {
        let names: Vec<&str> = offered().map(Field::name).collect();
        format!("expected one of {}", names.join(", "))
    })
}

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

    /// Fields of a line, in order, separated by commas.
    #[arg(long, value_name = "FIELDS", value_delimiter = ',', help_heading = "Writing", hide_possible_values = true,
          value_parser = values::named(offered().map(Field::name), field))]
    fields: Vec<Field>,

    /// No word on standard error, unless something is wrong.
    #[arg(short, long, help_heading = "Writing")]
    quiet: bool,

    #[command(flatten)]
    pub(super) solving: Solving,
}

pub(super) fn run(arguments: &Arguments) -> Status {
    arguments.estimate().unwrap_or_else(|why| fail(&why))
}

impl Arguments {
    /// # Errors
    /// Why the run failed.
    fn estimate(&self) -> Result<Status, String> {
        values::no_field_twice(&self.fields)?;
        let fields = Fields::new(if self.fields.is_empty() { DEFAULT.to_vec() } else { self.fields.clone() });
        // Whatever is written of it, a record is estimated, and not solved.
        let requested = inspect::Requested { estimate: true, path: false, ..fields.requested() };
        let examining = Examining {
            input: &self.input,
            solving: &self.solving,
            fields: &fields,
            requested,
            count_cap: 1,
            output: self.output.as_deref(),
            force: self.force,
            quiet: self.quiet,
        };
        examining.run::<Totals>()
    }
}

/// All records together.
#[derive(Clone, Copy, Default)]
struct Totals {
    records: u64,
    /// Invalid, or without an estimate.
    failed: u64,
    nodes: u128,
    time: Duration,
}

impl Tally for Totals {
    fn add(&mut self, examined: &Examined<'_>) {
        self.records += 1;
        let (status, estimate) = (&examined.facts.status, examined.facts.estimate.as_ref());
        let nodes = estimate.and_then(Estimate::nodes);
        self.failed += u64::from(nodes.is_none() && *status != RecordStatus::Unsolvable);
        self.nodes += u128::from(nodes.unwrap_or(0));
        if let Some(Estimate::Search(search)) = estimate {
            self.time = self.time.saturating_add(search.time);
        }
    }

    fn failed(&self) -> u64 {
        self.failed
    }
}

impl std::fmt::Display for Totals {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", HumanCount(self.records), if self.records == 1 { "record" } else { "records" })?;
        if self.failed > 0 {
            write!(f, ", {} invalid or without an estimate", HumanCount(self.failed))?;
        }
        let nodes = HumanCount(u64::try_from(self.nodes).unwrap_or(u64::MAX));
        write!(f, ", {nodes} nodes expected, {} of one thread", HumanDuration(self.time))
    }
}
