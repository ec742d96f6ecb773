//! Checks a results file against its inputs, without the engines except for a sample.
//!
//! Records and result lines are read side by side in blocks ([`pairing`]), which several threads
//! check ([`check`](mod@check)). Lines that are not in the order of the records are matched by
//! their field `index`.
//!
//! * Paths are replayed by [`crate::board::replay`].
//! * A second parity argument proves that boards are unsolvable ([`parity`]).
//! * Everything else that follows from the record is compared with it. Values are checked against
//!   the schema when a line is read.
//! * Claims about all shortest paths are checked ([`paths`]). For small boards, [`shortest`] counts
//!   all paths.
//! * A claimed lower bound is proven if linear conflict gives at least that bound.
//! * If any line has a field, all lines for which the table of fields requires it must have it
//!   ([`presence`]).
//!
//! Only a search can prove that a path is shortest: a sample is solved again by another engine
//! ([`sample`]).
//!
//! Some things are never proven: that the inputs were read as intended, because the same reader
//! reads them; that a limit was reached where a result says so; and values such as times and
//! numbers of nodes.

mod check;
mod pairing;
mod parity;
mod paths;
mod presence;
mod report;
mod sample;
mod shortest;
#[cfg(test)]
mod tests;

use std::io::{self, Read};
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::Arc;

use crate::board::{Board, Error, ErrorKind};
use crate::format::fields::Field;
use crate::format::input::{Reader, Record, Source};
use crate::format::passthrough::Pass;
use crate::format::result::{ReadMode, ResultLine};
use crate::format::result_lines::Lines;
use crate::format::spelling::Spelling;
use crate::solver::Solver;
use crate::tools::record::board_and_goal;
use crate::tools::record_loop::RecordLoop;
use check::ResultsFormat;
use pairing::{BLOCK_RECORDS, Blocks, DUPLICATE, LineJoin, PairedBlock, ReadTotals, Stray};
use paths::{CheckedAllPathsClaims, letters_of};
use presence::FieldsOfLines;
pub use report::Report;
use report::{Finding, FindingCounts, ProblemPlace, Problems};
pub use sample::SampleOptions;
use sample::{PathClaim, Sample, SampledResult};
use shortest::SmallBoards;

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
/// When the results cannot be read, or the threads cannot be started. The text of the files never
/// causes an error.
pub fn run(
    reader: &mut Reader,
    results: Box<dyn Read + Send>,
    options: &Options,
    warn: &mut dyn FnMut(&str),
) -> Result<Report, Error> {
    let cannot_read = |error: io::Error| Error::new(ErrorKind::System, error.to_string());
    let lines = Lines::of_results(results).map_err(cannot_read)?;
    let read_mode = ReadMode::Strict { passthrough: !options.pass.is_nothing(), csv: lines.is_csv() };
    let verifier = Verifier {
        options,
        format: ResultsFormat { read_mode, spelling: options.spelling, pass: &options.pass },
        problems: Problems::default(),
        join: LineJoin::new(MAX_STRAYS),
        sample: Sample::new(options.sample.as_ref().map_or(0, |sample| sample.boards)),
    };
    let mut found = LineFindings::default();
    let mut blocks =
        Blocks { reader, lines, warn, problems: &verifier.problems, totals: ReadTotals::default(), trailer: None };
    let solver = &Solver::builder().threads(options.threads).build()?;
    let record_loop = RecordLoop { solver, max_records: BLOCK_RECORDS, jobs_per_thread: 8, max_bytes: MAX_BYTES };
    record_loop.run(
        |_| blocks.next().map_err(cannot_read),
        SmallBoards::default,
        |block: &PairedBlock, small_boards, _| (verifier.check(block, small_boards), false),
        |_, checked| {
            let checked = checked.unwrap_or_else(|panic| resume_unwind(panic));
            verifier.add(&mut found, &checked);
            Ok(ControlFlow::Continue(()))
        },
    )?;
    let totals = blocks.end();
    Ok(verifier.conclude(found, totals, reader))
}

/// The maximum number of strays: lines and records that wait for each other. They take 300 MB for
/// 3×3 boards. `solve --unordered` has far fewer records in flight, so its results always fit.
const MAX_STRAYS: usize = 1 << 20;

/// The state of a run, shared by its threads.
struct Verifier<'a> {
    options: &'a Options,
    format: ResultsFormat<'a>,
    problems: Problems,
    join: LineJoin,
    sample: Sample,
}

/// The advice in messages about lines out of order.
const UNORDERED: &str = " (use --unordered if this is intended)";

/// The findings and fields of lines.
#[derive(Default)]
struct LineFindings {
    findings: FindingCounts,
    fields: FieldsOfLines,
    /// The first index and its line, if a line has an index.
    first: Option<(u64, u64)>,
    /// The greatest index.
    greatest: u64,
}

impl Verifier<'_> {
    /// Checks a block and returns its findings. If a line and the record at its place do not belong
    /// together, each is joined with its counterpart, from this or any other block.
    fn check(&self, block: &PairedBlock, small_boards: &mut SmallBoards) -> LineFindings {
        let (mut found, mut records) = (LineFindings::default(), block.records());
        for (text, number) in block.lines.split_inclusive(|&byte| byte == b'\n').zip(block.first_line..) {
            let (record, problem) =
                (records.next(), |what: String| self.problems.add(ProblemPlace::Line(number), what));
            let claim = self.read(text).map_err(problem).ok();
            let index = claim.as_ref().and_then(|claim| claim.number(Field::Index));
            if let Some(index) = index.filter(|_| self.options.ordered) {
                if index <= found.greatest {
                    problem(format!("is out of order: record {index}{UNORDERED}"));
                }
                found.first = found.first.or(Some((index, number)));
                found.greatest = found.greatest.max(index);
            }
            let belongs_to = |record: &Record| index.map_or(self.options.ordered, |index| index == record.index);
            match (claim, record) {
                (Some(claim), Some((record, source))) if belongs_to(&record) => {
                    self.check_claim(&record, source, &claim, number, small_boards, &mut found);
                }
                (claim, record) => {
                    match index {
                        Some(index) => self.join(index, Stray::Line(number, text.into()), small_boards, &mut found),
                        None if claim.is_none() => {}
                        None if self.options.ordered => {
                            problem("is one too many: all records have their results".into())
                        }
                        None => problem("has no field `index`, which unordered results need".into()),
                    }
                    if let Some(record) = record {
                        self.join_record(record, small_boards, &mut found);
                    }
                }
            }
        }
        records.for_each(|record| self.join_record(record, small_boards, &mut found));
        found
    }

    /// Adds the findings of the next block.
    fn add(&self, total: &mut LineFindings, block: &LineFindings) {
        if let Some((_, line)) = block.first.filter(|&(index, _)| index <= total.greatest) {
            self.problems.add(ProblemPlace::Line(line), format!("is out of order{UNORDERED}"));
        }
        total.greatest = total.greatest.max(block.greatest);
        total.findings.merge(&block.findings);
        total.fields.merge(&block.fields);
    }

    fn read<'a>(&self, line: &'a [u8]) -> Result<ResultLine<'a>, String> {
        ResultLine::read(line, self.format.read_mode).map_err(|wrong| {
            // The CSV reader replaces an invalid row with an error message, which is not JSON.
            if self.format.is_csv() && line.first() != Some(&b'{') {
                return format!("is not a result: {}", String::from_utf8_lossy(line.trim_ascii()));
            }
            wrong
        })
    }

    fn join_record(
        &self,
        (record, source): (Record, &Arc<Source>),
        small_boards: &mut SmallBoards,
        found: &mut LineFindings,
    ) {
        self.join(record.index, Stray::Record(Box::new(record), Arc::clone(source)), small_boards, found);
    }

    /// Adds a stray, and checks the pair if its counterpart was waiting.
    fn join(&self, index: u64, stray: Stray, small_boards: &mut SmallBoards, found: &mut LineFindings) {
        match self.join.add(index, stray) {
            Ok(None) => {}
            Ok(Some((number, text, record, source))) => {
                // The line was read before, without errors.
                if let Ok(claim) = self.read(&text) {
                    self.check_claim(&record, &source, &claim, number, small_boards, found);
                }
            }
            Err((place, what)) => self.problems.add(place, what),
        }
    }

    /// Checks one claim against its record.
    fn check_claim(
        &self,
        record: &Record,
        source: &Source,
        claim: &ResultLine<'_>,
        line: u64,
        small_boards: &mut SmallBoards,
        found: &mut LineFindings,
    ) {
        let puzzle = board_and_goal(record.puzzle.clone(), source);
        match check::check(record, puzzle.as_ref(), source, claim, &self.format, small_boards) {
            Ok((finding, all_paths)) => {
                found.findings.add(finding);
                if let Some(CheckedAllPathsClaims { is_counted, .. }) = all_paths {
                    found.findings.add(if is_counted { Finding::PathsCounted } else { Finding::PathsUncounted });
                }
                found.fields.add(line, record, claim);
                // Claims that a bound or parity proves need no search.
                if matches!(finding, Finding::Solved | Finding::ShortestUnproven | Finding::BoundUnproven) {
                    let result = || self.sampled_result(record.index, line, puzzle.ok()?, claim, all_paths);
                    self.sample.offer(record.index, result);
                }
            }
            Err(wrong) => self.problems.add(ProblemPlace::Line(line), format!("(record {}) {wrong}", record.index)),
        }
    }

    /// Returns a result for the sample; `None` if it lacks what a search would check.
    fn sampled_result(
        &self,
        index: u64,
        line: u64,
        (board, goal): (Board, Board),
        claim: &ResultLine<'_>,
        all_paths: Option<CheckedAllPathsClaims>,
    ) -> Option<SampledResult> {
        let letters = letters_of(claim.text(Field::Path)?, &board, self.format.spelling).ok()?;
        let path = std::str::from_utf8(&letters).ok()?.parse().ok()?;
        let claim = match claim.flag(Field::Optimal) {
            Some(false) => PathClaim::Bound(claim.number(Field::LowerBound)?),
            _ => PathClaim::Shortest(all_paths.filter(|paths| !paths.is_counted).map(|paths| paths.claims)),
        };
        Some(SampledResult { index, line, board, goal, path, claim })
    }

    /// Adds a problem for each line or record without a counterpart, solves the sample again, and
    /// returns the report.
    fn conclude(self, found: LineFindings, totals: ReadTotals, reader: &Reader) -> Report {
        let (Verifier { options, problems, join, sample, .. }, LineFindings { mut findings, fields, .. }) =
            (self, found);
        let (records, shard) = (reader.records(), reader.shard());
        for (index, stray) in join.end() {
            match stray {
                Stray::Record(record, source) => {
                    let what = format!("({}:{}) has no result", source.name, record.line);
                    problems.add(ProblemPlace::Record(index), what);
                }
                Stray::Line(line, _) => {
                    let wrong = match index {
                        _ if index == 0 || index > records => {
                            format!("is for record {index}, but the inputs have {records}")
                        }
                        _ if shard.next(index) != index => {
                            format!("is for record {index}, which is not in shard {shard}")
                        }
                        _ => DUPLICATE.into(),
                    };
                    problems.add(ProblemPlace::Line(line), wrong);
                }
            }
        }
        fields.end(&problems);
        if let Some(sampling) = &options.sample {
            sample::solve_again(sample, sampling, &mut findings, &problems);
        }
        let (problems, first_problems) = problems.take();
        let ReadTotals { failed_inputs, records, results } = totals;
        let is_sampled = options.sample.is_some();
        Report { failed_inputs, records, results, findings, is_sampled, problems, first_problems }
    }
}
