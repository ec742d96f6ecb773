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
//! * Every path in a list of all shortest paths is replayed ([`paths`]). The paths are not counted
//!   again.
//! * A claimed lower bound is proven if linear conflict gives at least that bound.
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
mod report;
mod sample;
#[cfg(test)]
mod tests;

use std::io::{self, Read};
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::Arc;

use crate::board::{Error, ErrorKind, MAX_SEARCH_CELLS};
use crate::format::fields::Field;
use crate::format::input::{Reader, Record, Source};
use crate::format::passthrough::Pass;
use crate::format::result::ResultLine;
use crate::format::result_lines::Lines;
use crate::format::spelling::Spelling;
use crate::solver::Solver;
use crate::tools::record::board_and_goal;
use crate::tools::record_loop::RecordLoop;
use check::ResultsFormat;
use pairing::{BLOCK_RECORDS, Blocks, DUPLICATE, LineJoin, PairedBlock, Stray};
use paths::{describes_all_paths, letters_of};
use report::{Finding, FindingCounts, ProblemPlace, Problems};
pub use report::{ReadTotals, Report};
pub use sample::SampleOptions;
use sample::{Sample, SampledResult};

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
    if lines.is_csv() && options.pass.is_all() {
        return Err(Error::invalid("--pass all is not for results in CSV: name the columns that were passed on"));
    }
    let verifier = Verifier {
        options,
        format: ResultsFormat { is_csv: lines.is_csv(), spelling: options.spelling, pass: &options.pass },
        problems: Problems::default(),
        join: LineJoin::new(MAX_STRAYS),
        sample: Sample::new(options.sample.as_ref().map_or(0, |sample| sample.boards)),
    };
    let (mut findings, mut greatest_index) = (FindingCounts::default(), 0);
    let mut blocks = Blocks { reader, lines, warn, totals: ReadTotals::default() };
    let solver = &Solver::builder().threads(options.threads).build()?;
    let record_loop = RecordLoop { solver, max_records: BLOCK_RECORDS, jobs_per_thread: 8, max_bytes: MAX_BYTES };
    record_loop.run(
        |_| blocks.next().map_err(cannot_read),
        || (),
        |block: &PairedBlock, (), _| (BlockCheck::run(&verifier, block), false),
        |_, checked| {
            let checked = checked.unwrap_or_else(|panic| resume_unwind(panic));
            findings.merge(&checked.findings);
            for (line, index) in checked.indices.into_iter().filter(|_| options.ordered) {
                if index <= greatest_index {
                    let what = "is out of order (use --unordered if this is intended)";
                    verifier.problems.add(ProblemPlace::Line(line, Some(index)), what);
                }
                greatest_index = greatest_index.max(index);
            }
            Ok(ControlFlow::Continue(()))
        },
    )?;
    let totals = blocks.end(&verifier.problems);
    Ok(verifier.conclude(findings, totals, reader))
}

/// The maximum number of strays: lines and records that wait for each other. They take 80 MB for
/// 3×3 boards. `solve --unordered` has far fewer records in flight, so its results always fit.
const MAX_STRAYS: usize = 1 << 18;

/// The state of a run, shared by its threads.
struct Verifier<'a> {
    options: &'a Options,
    format: ResultsFormat<'a>,
    problems: Problems,
    join: LineJoin,
    sample: Sample,
}

/// The check of a block.
struct BlockCheck<'a> {
    verifier: &'a Verifier<'a>,
    findings: FindingCounts,
    /// The lines that have an index, each with its index.
    indices: Vec<(u64, u64)>,
}

impl BlockCheck<'_> {
    /// Checks a block. If a line and the record at its place do not belong together, each is joined
    /// with its counterpart, from this or any other block.
    fn run<'a>(verifier: &'a Verifier<'a>, block: &PairedBlock) -> BlockCheck<'a> {
        let mut check = BlockCheck { verifier, findings: FindingCounts::default(), indices: Vec::new() };
        let (ordered, mut records) = (verifier.options.ordered, block.records());
        for (text, number) in block.lines.split_inclusive(|&byte| byte == b'\n').zip(block.first_line..) {
            let problem = |what: String| verifier.problems.add(ProblemPlace::Line(number, None), what);
            let record = records.next();
            let claim = verifier.format.read(text).map_err(problem).ok();
            let index = claim.as_ref().and_then(|claim| claim.number(Field::Index));
            check.indices.extend(index.map(|index| (number, index)));
            // The place of an ordered result stands for its index.
            let index = index.or((ordered && claim.is_some()).then(|| number - u64::from(verifier.format.is_csv)));
            let belongs_to = |record: &Record| index == Some(record.index);
            match (claim, record) {
                (Some(claim), Some((record, source))) if belongs_to(&record) => {
                    check.check_claim(&record, source, &claim, number);
                }
                (claim, record) => {
                    match index {
                        Some(index) => check.join(index, Stray::Line(number, text.into())),
                        None if claim.is_none() => {}
                        None => problem("has no field `index`, which unordered results need".into()),
                    }
                    record.into_iter().for_each(|record| check.join_record(record));
                }
            }
        }
        records.for_each(|record| check.join_record(record));
        check
    }

    fn join_record(&mut self, (record, source): (Record, &Arc<Source>)) {
        self.join(record.index, Stray::Record(Box::new(record), Arc::clone(source)));
    }

    /// Adds a stray, and checks the pair if its counterpart was waiting.
    fn join(&mut self, index: u64, stray: Stray) {
        match self.verifier.join.add(index, stray) {
            Ok(None) => {}
            Ok(Some((number, text, record, source))) => {
                // The line was read before, without errors.
                if let Ok(claim) = self.verifier.format.read(&text) {
                    self.check_claim(&record, &source, &claim, number);
                }
            }
            Err((place, what)) => self.verifier.problems.add(place, what),
        }
    }

    /// Checks one claim against its record.
    fn check_claim(&mut self, record: &Record, source: &Source, claim: &ResultLine<'_>, line: u64) {
        let Verifier { format, problems, sample, .. } = self.verifier;
        let place = ProblemPlace::Line(line, Some(record.index));
        let puzzle = board_and_goal(record.puzzle.clone(), source);
        match check::check(record, puzzle.as_ref(), source, claim, format) {
            Ok((finding, about_length)) => {
                self.findings.add(finding);
                about_length.into_iter().for_each(|finding| self.findings.add(finding));
                if describes_all_paths(claim) {
                    self.findings.add(Finding::AllPathsUnproven);
                }
                // What a bound or parity proves needs no search, and larger boards are out of reach.
                let is_searched = puzzle.as_ref().is_ok_and(|(board, _)| board.shape().cells() <= MAX_SEARCH_CELLS);
                if is_searched && about_length == Some(Finding::ShortestUnproven) {
                    sample.offer(record.index, || {
                        let puzzle = puzzle.ok()?;
                        let path = letters_of(claim.text(Field::Path)?, &puzzle.0, format.spelling).ok()?.into();
                        Some(SampledResult { place, puzzle, path })
                    });
                }
            }
            Err(wrong) => problems.add(place, wrong),
        }
    }
}

impl Verifier<'_> {
    /// Adds a problem for each line or record without a counterpart, solves the sample again, and
    /// returns the report.
    fn conclude(self, mut findings: FindingCounts, totals: ReadTotals, reader: &Reader) -> Report {
        let Verifier { options, problems, join, sample, .. } = self;
        let records = reader.records();
        for (index, stray) in join.end() {
            let what = match stray {
                Stray::Record(..) => "has no result".into(),
                Stray::Line(..) if index > records => {
                    format!("is for a record that does not exist: the inputs have {records}")
                }
                Stray::Line(..) => DUPLICATE.into(),
            };
            problems.add(stray.place(index), what);
        }
        if let Some(sampling) = &options.sample {
            sample::solve_again(sample, sampling, &mut findings, &problems);
        }
        let (problems, problem_lines) = problems.take();
        Report { totals, findings, problems, problem_lines }
    }
}
