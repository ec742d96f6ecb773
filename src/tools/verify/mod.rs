//! Checks a results file against its inputs, without the engines.
//!
//! Records and result lines are read side by side in blocks ([`blocks`]), which several threads
//! check ([`verifier`], [`check`](mod@check)):
//!
//! * Paths are replayed by [`crate::board::replay`].
//! * A second parity argument proves that boards are unsolvable ([`parity`]).
//! * Everything else that follows from the record is compared with it. Values are checked against
//!   the schema when a line is read.
//! * Claims about all shortest paths are checked ([`paths`]). For small boards all paths are
//!   counted ([`small`]).
//! * A lower bound is proven if simple heuristics reach it ([`bound`]).
//! * A field that one line has must be on every line for which the table of fields requires it
//!   ([`presence`]).
//!
//! Lines that are not in the order of the records are matched by their field `index` ([`join`]).
//! Only a search can prove that a path is shortest: a sample is solved again by another engine
//! ([`sample`]).
//!
//! Two things are not proven: that the inputs were read as intended, because the same reader reads
//! them, and that a limit was reached where a result says so.

mod blocks;
mod bound;
mod check;
mod join;
mod parity;
mod paths;
mod presence;
mod report;
mod sample;
mod small;
#[cfg(test)]
mod tests;
mod verifier;

use std::io::{self, Read};
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::Arc;

use crate::board::{Error, ErrorKind};
use crate::format::input::Reader;
use crate::format::passthrough::Pass;
use crate::format::result::Reading;
use crate::format::result_lines::Lines;
use crate::format::spelling::Spelling;
use crate::solver::Solver;
use crate::tools::record_loop::RecordLoop;
use blocks::{BLOCK_RECORDS, Block, Blocks, Totals};
use check::{Caches, ClaimReading};
use join::{DUPLICATE, Stray};
use report::Place;
pub use report::Report;
pub use sample::SampleOptions;
use verifier::{Found, Verifier};

/// The maximum memory in bytes of the blocks in flight, in addition to one large block. A line for
/// the largest shape may take tens of megabytes.
const MAX_BYTES: usize = 48 << 20;

/// The options of a run.
#[derive(Clone, Debug)]
pub struct Options {
    /// True if the lines are in the order of the records. Otherwise they are matched by index.
    pub ordered: bool,
    /// The passthrough columns.
    pub pass: Arc<Pass>,
    /// The notation of paths.
    pub spelling: Spelling,
    /// The number of threads.
    pub threads: usize,
    /// The sample to solve again, if any.
    pub sample: Option<SampleOptions>,
}

/// Compares results with inputs. `warn` receives warnings about the inputs.
///
/// # Errors
/// When the results cannot be read, or the threads cannot be started. File contents never cause an
/// error.
pub fn run(
    reader: &mut Reader,
    results: Box<dyn Read + Send>,
    options: &Options,
    warn: &mut dyn FnMut(&str),
) -> Result<Report, Error> {
    let cannot_read = |error: io::Error| Error::new(ErrorKind::System, error.to_string());
    let lines = Lines::of_results(results).map_err(cannot_read)?;
    let is_csv = lines.is_csv();
    let line = Reading::Strict { passthrough: !options.pass.is_nothing(), csv: is_csv };
    let reading = ClaimReading { line, is_csv, spelling: options.spelling, pass: Arc::clone(&options.pass) };
    let verifier = Verifier::new(options.ordered, reading, options.sample.as_ref().map_or(0, |sample| sample.boards));
    let mut found = Found::default();
    let mut blocks = Blocks {
        reader,
        lines,
        warn,
        problems: &verifier.problems,
        totals: Totals::default(),
        header_lines: u64::from(is_csv),
        trailer: None,
    };
    let solver = &Solver::builder().threads(options.threads).build()?;
    let record_loop = RecordLoop { solver, max_records: BLOCK_RECORDS, jobs_per_thread: 8, max_bytes: MAX_BYTES };
    record_loop.run(
        |_| blocks.next().map_err(cannot_read),
        Caches::default,
        |block: &Block, caches, _| (verifier.check(block, caches), false),
        |_, checked| {
            let checked = checked.unwrap_or_else(|panic| resume_unwind(panic));
            verifier.add(&mut found, &checked);
            Ok(ControlFlow::Continue(()))
        },
    )?;
    let totals = blocks.end();
    Ok(conclude(verifier, found, options, totals, reader))
}

/// Adds a problem for each line or record without a counterpart, solves the sample again, and
/// returns the report.
fn conclude(verifier: Verifier, found: Found, options: &Options, totals: Totals, reader: &Reader) -> Report {
    let (Verifier { problems, join, sample, .. }, Found { mut findings, fields, .. }) = (verifier, found);
    let (records, shard) = (reader.records(), reader.shard());
    for (index, stray) in join.end() {
        match stray {
            Stray::Record(record, source) => {
                problems.add(Place::Record(index), format!("({}:{}) has no result", source.name, record.line));
            }
            Stray::Line(line, _) => {
                let wrong = match index {
                    _ if index == 0 || index > records => {
                        format!("is for record {index}, but the inputs have {records}")
                    }
                    _ if shard.next(index) != index => format!("is for record {index}, which is not in shard {shard}"),
                    _ => DUPLICATE.into(),
                };
                problems.add(Place::Line(line), wrong);
            }
        }
    }
    let fields = fields.end(&problems);
    if let Some(sampling) = &options.sample {
        sample::solve_again(sample, sampling, &mut findings, &problems);
    }
    let (problems, first_problems) = problems.take();
    let Totals { failed_inputs, records, results } = totals;
    let is_sampled = options.sample.is_some();
    Report { failed_inputs, records, results, findings, is_sampled, fields, problems, first_problems }
}
