//! The audit: whether a results file answers its inputs, proven without the engines.
//!
//! Inputs and results are read side by side, a block of records and as many lines at a time; worker
//! threads hold them against each other (`check.rs`): paths are replayed by [`crate::verify`],
//! unsolvable boards are proven by a parity argument of the audit's own (`parity.rs`), everything else that
//! a line repeats of its record is compared. Lines that are not in the order of the records find them by
//! their field `index` (`join.rs`). That paths are *shortest* takes a search: a sample can be solved
//! again by another engine (`sample.rs`).
//!
//! What is not proven, and told: that the inputs were read as they are meant – they are read by the same
//! reader – and that a limit came before an answer where a line says so.

mod check;
mod claim;
mod join;
pub(crate) mod lines;
mod order;
mod parity;
mod report;
mod sample;

use std::io::{self, Read};
use std::sync::{Arc, Mutex, PoisonError};

use crate::board::{Board, Path};
use crate::format::input::{Chunk, Puzzle, Reader, Record, Source};
use check::{Finding, Goals};
use claim::Claim;
use join::{Join, Met, StrayLine, StrayRecord};
use lines::{End, Lines};
use order::Order;
use report::{Doubts, Place};
pub use report::{Findings, Report, Resolved};
pub use sample::Resolve;
use sample::Sample;

/// Records of a block: few enough that their claims stay in a core's own cache.
const BLOCK_RECORDS: usize = 512;
const BLOCK_BYTES: usize = 64 << 10;

/// Lines and records that may wait for each other: some 300 MB of 3×3 boards. Runs with `--unordered`
/// have a window of far fewer in flight.
const MOST_STRAYS: usize = 1 << 20;

/// What is expected of the results.
#[derive(Clone, Debug)]
pub struct Options {
    /// The lines are in the order of the records; otherwise they are told apart by their index.
    pub ordered: bool,
    /// Threads that check.
    pub threads: usize,
    /// The sample that is solved again, if any.
    pub sample: Option<Resolve>,
}

/// Why an audit ended early.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The results could not be read, or not to their end.
    #[error("cannot read the results: {0}")]
    Results(#[source] io::Error),
    /// The threads could not be started.
    #[error("the worker threads cannot be started: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// A block of lines and the records that should be theirs.
struct Block {
    number: u64,
    /// None when all records were read and lines are left.
    chunk: Option<Chunk>,
    lines: Vec<u8>,
    first_line: u64,
}

/// What the workers share.
struct Audit<'a> {
    options: &'a Options,
    doubts: Doubts,
    join: Join,
    order: Order,
    sample: Sample,
    findings: Mutex<Findings>,
}

/// Holds results against the inputs behind a reader; `tell` is told which inputs cannot be read.
///
/// # Errors
/// When the results cannot be read. What they hold, and what the inputs hold, is never an error.
pub fn run(
    reader: &mut Reader,
    results: Box<dyn Read + Send>,
    options: &Options,
    tell: &mut dyn FnMut(&str),
) -> Result<Report, Error> {
    let audit = Audit {
        options,
        doubts: Doubts::default(),
        join: Join::new(MOST_STRAYS),
        order: Order::default(),
        sample: Sample::new(options.sample.as_ref().map_or(0, |sample| sample.boards)),
        findings: Mutex::default(),
    };
    let mut lines = Lines::new(results);
    let (mut number, mut records, mut read, mut failed_inputs) = (0, 0, 0, 0);
    let failure = std::thread::scope(|scope| {
        let (blocks, work) = crossbeam::channel::bounded::<Block>(4 * options.threads);
        for _ in 0..options.threads {
            let (work, audit) = (work.clone(), &audit);
            scope.spawn(move || {
                let mut goals = Goals::default();
                work.iter().for_each(|block| audit.check(&block, &mut goals));
            });
        }
        drop(work);
        loop {
            let chunk = match reader.next_chunk(BLOCK_RECORDS, BLOCK_BYTES, Vec::new()) {
                Some(Ok(chunk)) => Some(chunk),
                Some(Err(error)) => {
                    tell(&error.to_string());
                    failed_inputs += 1;
                    continue;
                }
                None => None,
            };
            reader.take_warnings().iter().for_each(|warning| tell(warning));
            let expected = chunk.as_ref().map_or(BLOCK_RECORDS, |chunk| chunk.records);
            records += chunk.as_ref().map_or(0, |chunk| chunk.records as u64);
            let mut block = Block { number, chunk, lines: Vec::new(), first_line: read + 1 };
            let taken = match lines.take(expected, &mut block.lines) {
                Ok(taken) => taken,
                Err(error) => return Some(error),
            };
            read += taken as u64;
            if block.chunk.is_none() && taken == 0 {
                break;
            }
            // Workers only end when there are no more blocks: they take every one.
            let _ = blocks.send(block);
            number += 1;
        }
        None
    });
    if let Some(error) = failure {
        return Err(Error::Results(error));
    }
    audit.conclude(failed_inputs, records, read, lines.end())
}

impl Audit<'_> {
    /// Checks a block.
    fn check(&self, block: &Block, goals: &mut Goals) {
        let expected = block.chunk.as_ref().map_or(0, |chunk| chunk.records);
        let first_index = block.chunk.as_ref().map_or(u64::MAX, |chunk| chunk.first_index);
        let mut claims: Vec<Option<(u64, &[u8], Claim)>> = Vec::with_capacity(expected);
        claims.resize_with(expected, || None);
        let (mut strays, mut span) = (Vec::new(), order::Span::default());
        for (place, line) in block.lines.split_inclusive(|&byte| byte == b'\n').enumerate() {
            let number = block.first_line + place as u64;
            let claim = match Claim::read(line) {
                Ok(claim) => claim,
                Err(wrong) => {
                    self.doubts.add(Place::Line(number), wrong);
                    continue;
                }
            };
            if let Some(index) = claim.index
                && self.options.ordered
                && !span.add(index)
            {
                self.doubts.add(Place::Line(number), format!("is out of order: record {index}{UNORDERED}"));
            }
            let at = match claim.index {
                Some(index) => usize::try_from(index.wrapping_sub(first_index)).unwrap_or(usize::MAX),
                None if self.options.ordered => place,
                None => {
                    self.doubts.add(Place::Line(number), "has no field `index`, which tells unordered results apart");
                    continue;
                }
            };
            match claims.get_mut(at) {
                Some(free @ None) => *free = Some((number, line, claim)),
                Some(Some(_)) => self.doubts.add(Place::Line(number), TWICE),
                None => match claim.index {
                    Some(index) => strays.push((index, StrayLine { number, text: line.into() })),
                    None => self.doubts.add(Place::Line(number), "is one too many: all records have their results"),
                },
            }
        }
        if let Some(place) = self.order.add(block.number, block.first_line, span) {
            self.doubts.add(Place::Line(place), format!("is out of order{UNORDERED}"));
        }
        let (mut missing, mut findings) = (Vec::new(), Findings::default());
        if let Some(chunk) = &block.chunk {
            for (record, claim) in chunk.records().zip(claims) {
                match claim {
                    Some((number, _, claim)) => {
                        self.hold(&record, &chunk.source, &claim, number, goals, &mut findings);
                    }
                    None => missing.push(StrayRecord { record, source: Arc::clone(&chunk.source) }),
                }
            }
        }
        if !(missing.is_empty() && strays.is_empty()) {
            let Met { pairs, twice } = self.join.meet(strays, missing);
            for (line, StrayRecord { record, source }) in pairs {
                // It was read before.
                if let Ok(claim) = Claim::read(&line.text) {
                    self.hold(&record, &source, &claim, line.number, goals, &mut findings);
                }
            }
            for line in twice {
                self.doubts.add(Place::Line(line.number), TWICE);
            }
        }
        self.findings.lock().unwrap_or_else(PoisonError::into_inner).merge(&findings);
    }

    /// Holds one claim against its record.
    fn hold(
        &self,
        record: &Record,
        source: &Source,
        claim: &Claim<'_>,
        line: u64,
        goals: &mut Goals,
        findings: &mut Findings,
    ) {
        match check::check(record, source, claim, goals) {
            Ok(finding) => {
                findings.add(finding);
                if finding == Finding::Solved {
                    self.sample.offer(record.index, line, || solved(record, source, claim, goals));
                }
            }
            Err(wrong) => self.doubts.add(Place::Line(line), format!("(record {}) {wrong}", record.index)),
        }
    }

    fn conclude(self, failed_inputs: u64, records: u64, lines: u64, end: End) -> Result<Report, Error> {
        let Audit { options, doubts, join, sample, findings, .. } = self;
        match end {
            End::Open | End::Whole => {}
            End::Torn => doubts.add(Place::Line(lines), "does not end with a line feed: the file was cut off"),
            End::TooLong => doubts.add(Place::Line(lines + 1), "is too long to be read, with all behind it"),
        }
        let unmatched = join.end();
        for (line, index) in unmatched.lines {
            match index {
                index if index == 0 || index > records => {
                    doubts.add(Place::Line(line), format!("is of record {index}: there are {records}"));
                }
                _ => doubts.add(Place::Line(line), TWICE),
            }
        }
        for (index, place) in unmatched.records {
            doubts.add(Place::Record(index), format!("({place}) has no result"));
        }
        if unmatched.full {
            doubts.add(Place::Whole, "are so far out of order that not all could be held against their records");
        }
        let resolved = match &options.sample {
            Some(how) => Some(sample.resolve(how, &doubts)?),
            None => None,
        };
        let (doubts, told) = doubts.take();
        let findings = findings.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(Report { failed_inputs, records, lines, findings, resolved, doubts, told })
    }
}

const TWICE: &str = "is one too many: its record has a result already";
const UNORDERED: &str = " (--unordered for results that may be)";

/// Board, goal and path of a record that was found to be solved.
fn solved(record: &Record, source: &Source, claim: &Claim<'_>, goals: &mut Goals) -> Option<(Board, Board, Path)> {
    let Puzzle { board, goal } = record.puzzle.as_ref().ok()?;
    let goal = goals.on(goal.as_ref().unwrap_or(&source.goal), board.shape()).ok()?;
    Some((board.clone(), goal.clone(), claim.path.as_ref()?.0.parse().ok()?))
}
