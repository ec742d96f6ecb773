//! Whether a results file answers its inputs, proven without the engines.
//!
//! Inputs and results are read side by side, a block of records and as many lines at a time; worker
//! threads compare them (`block.rs`, `check.rs`): paths are replayed by [`crate::board::replay`],
//! unsolvable boards are proven by a parity argument of its own (`parity.rs`), everything else that
//! a line repeats of its record is compared. Lines that are not in the order of the records find them by
//! their field `index` (`join.rs`). That paths are *shortest* takes a search: a sample can be solved
//! again by another engine (`sample.rs`, `solve_again.rs`).
//!
//! Every value is held against the schema when it is read (`format/result.rs`), and a field that some line names must be
//! on every line that the table of fields says has it (`presence.rs`).
//!
//! Of small boards all shortest paths are counted again (`small.rs`), where a line speaks of them (`all_paths.rs`); of larger
//! ones, those of the sample.
//!
//! Results that are a part of a run end with a line of their own, which must speak of the records that were read.
//!
//! A path that is not said to be shortest has a lower bound, which is found again as far as simple heuristics go (`bound.rs`).
//!
//! Not proven, as the report says: that the inputs were read as they are meant – they are read by the same
//! reader – and that a limit came before an answer where a line says so.

mod all_paths;
mod block;
mod bound;
mod check;
mod claim;
mod finding;
mod join;
mod order;
mod parity;
mod presence;
mod report;
mod sample;
mod small;
mod solve_again;
#[cfg(test)]
mod tests;

use std::io::{self, Read};
use std::sync::Arc;

use crate::batch::window::Window;
use crate::format::input::Reader;
use crate::format::last_line::LastLine;
use crate::format::passing::Pass;
use crate::format::result::Reading;
use crate::format::result_csv::{Written, json_lines};
use crate::format::result_lines::{End, Lines};
use crate::format::spelling::Spelling;
use block::{Block, DUPLICATE, Verifier};
use check::{Caches, ClaimReading};
pub use finding::FindingCounts;
use report::Place;
pub use report::{Report, SampleReport};
pub use solve_again::SampleOptions;

/// Records of a block: few enough that their claims stay in a core's own cache.
const BLOCK_RECORDS: usize = 512;
const BLOCK_BYTES: usize = 64 << 10;
/// What blocks may hold that are read and not checked, about: a line of the largest board has 35 MB.
const MOST_BYTES: usize = 48 << 20;

/// What is expected of the results.
#[derive(Clone, Debug)]
pub struct Options {
    /// The lines are in the order of the records; otherwise they find their records by index.
    pub ordered: bool,
    /// What records pass on to the results.
    pub pass: Arc<Pass>,
    /// How paths are spelled.
    pub spelling: Spelling,
    /// Threads that check.
    pub threads: usize,
    /// The sample that is solved again, if any.
    pub sample: Option<SampleOptions>,
}

/// Why a run ended early.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The results could not be read, or not to their end.
    #[error("cannot read the results: {0}")]
    Results(#[source] io::Error),
    /// The threads could not be started.
    #[error("the worker threads cannot be started: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// The sample could not be solved again.
    #[error(transparent)]
    Solver(#[from] crate::board::Error),
}

/// What was read of inputs and results.
#[derive(Default)]
struct Totals {
    failed_inputs: u64,
    records: u64,
    lines: u64,
    /// Lines before the first result.
    header: u64,
    /// What is wrong with the results as a part of a run.
    part: Option<String>,
}

/// Compares results with the inputs behind a reader; `warn` gets which inputs cannot be read.
///
/// # Errors
/// When the results cannot be read. What they hold, and what the inputs hold, is never an error.
pub fn run(
    reader: &mut Reader,
    results: Box<dyn Read + Send>,
    options: &Options,
    warn: &mut dyn FnMut(&str),
) -> Result<Report, Error> {
    let (results, written) = json_lines(results).map_err(Error::Results)?;
    let line = Reading::Strict { own: !options.pass.is_nothing(), csv: written == Written::Csv };
    let reading = ClaimReading { line, written, spelling: options.spelling, pass: Arc::clone(&options.pass) };
    let verifier = Verifier::new(options.ordered, reading, options.sample.as_ref().map_or(0, |sample| sample.boards));
    let mut lines = Lines::new(results);
    let blocks_in_flight = 4 * options.threads;
    let window = &Window::new(blocks_in_flight, blocks_in_flight, MOST_BYTES);
    let totals = std::thread::scope(|scope| {
        let (blocks, work) = crossbeam::channel::unbounded::<Block>();
        for _ in 0..options.threads {
            let (work, verifier) = (work.clone(), &verifier);
            scope.spawn(move || {
                let mut caches = Caches::default();
                work.iter().for_each(|block| {
                    let _permit = Permit::begin(window, block.bytes());
                    verifier.check(&block, &mut caches);
                });
            });
        }
        drop(work);
        read_blocks(reader, &mut lines, written, warn, window, |block| {
            // Workers only end when there are no more blocks: they take every one.
            let _ = blocks.send(block);
        })
    });
    conclude(verifier, options, totals.map_err(Error::Results)?, lines.end(), reader)
}

/// Reads records, and as many lines, until there are no more of either.
fn read_blocks(
    reader: &mut Reader,
    lines: &mut Lines,
    written: Written,
    warn: &mut dyn FnMut(&str),
    window: &Window,
    send: impl Fn(Block),
) -> io::Result<Totals> {
    let (mut number, mut last) = (0, None);
    let mut totals = Totals { header: u64::from(written == Written::Csv), ..Totals::default() };
    // Nobody closes the window: there is a permit when blocks before it are done.
    while window.enter() {
        let chunk = match reader.next_chunk(BLOCK_RECORDS, BLOCK_BYTES, Vec::new()) {
            Some(Ok(chunk)) => Some(chunk),
            Some(Err(error)) => {
                warn(&error.to_string());
                totals.failed_inputs += 1;
                drop(Permit::begin(window, 0));
                continue;
            }
            None => None,
        };
        reader.take_warnings().iter().for_each(|warning| warn(warning));
        let expected = chunk.as_ref().map_or(BLOCK_RECORDS, |chunk| chunk.records);
        totals.records += chunk.as_ref().map_or(0, |chunk| chunk.records as u64);
        let mut block = Block { number, chunk, lines: Vec::new(), first_line: totals.header + totals.lines + 1 };
        let mut taken = lines.take(expected, &mut block.lines)?;
        if last.is_some() && taken > 0 {
            totals.part = Some("go on behind the line of their shard".into());
        } else if let Some(line) = take_last_line(&mut block.lines, lines.end()) {
            (last, taken) = (Some(line), taken - 1);
        }
        totals.lines += taken as u64;
        if block.chunk.is_none() && taken == 0 {
            break;
        }
        window.hold(block.bytes());
        send(block);
        number += 1;
    }
    totals.part = totals.part.or_else(|| last.and_then(|line| wrong_part(&line, reader, totals.lines)));
    Ok(totals)
}

/// Takes off the line that a part ends with, if that is the last of these.
fn take_last_line(lines: &mut Vec<u8>, end: End) -> Option<Vec<u8>> {
    let whole = if end == End::Torn { return None } else { lines.strip_suffix(b"\n")? };
    let start = memchr::memrchr(b'\n', whole).map_or(0, |feed| feed + 1);
    LastLine::is_one(&lines[start..]).then(|| lines.split_off(start))
}

/// What a part says of itself and is not so.
fn wrong_part(line: &[u8], reader: &Reader, lines: u64) -> Option<String> {
    let LastLine { shard, records, written, .. } = match LastLine::read(line) {
        Ok(last) => last,
        Err(why) => return Some(format!("end with a line that is none of a shard: {why}")),
    };
    match (reader.shard(), reader.records()) {
        (asked, _) if asked != shard => {
            Some(format!("are shard {shard} of a run, which a file tells, and a stream too late"))
        }
        (_, read) if read != records => Some(format!("are of a run over {records} records: there are {read}")),
        _ => (written != lines).then(|| format!("end with the line of {written} results: there are {lines}")),
    }
}

/// A block that is being checked: when it is done, or given up by a fault, another may be read.
struct Permit<'a> {
    window: &'a Window,
    bytes: usize,
}

impl<'a> Permit<'a> {
    fn begin(window: &'a Window, bytes: usize) -> Permit<'a> {
        window.begin();
        Permit { window, bytes }
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.window.release(self.bytes);
        self.window.leave();
    }
}

/// What is left when everything was read: lines and records without a counterpart, and the sample.
fn conclude(verifier: Verifier, options: &Options, totals: Totals, end: End, reader: &Reader) -> Result<Report, Error> {
    let Verifier { doubts, join, sample, findings, fields, .. } = verifier;
    let Totals { failed_inputs, records, lines, header, part } = totals;

    match end {
        End::Open | End::Whole => {}
        End::Torn => doubts.add(Place::Line(header + lines), "does not end with a line feed: the file was cut off"),
        End::TooLong => doubts.add(Place::Line(header + lines + 1), "is too long to be read, with all behind it"),
    }
    let unmatched = join.end();
    for (line, index) in unmatched.lines {
        match index {
            index if index == 0 || index > reader.records() => {
                doubts.add(Place::Line(line), format!("is of record {index}: there are {}", reader.records()));
            }
            index if reader.shard().next(index) != index => {
                doubts
                    .add(Place::Line(line), format!("is of record {index}, which is not of shard {}", reader.shard()));
            }
            _ => doubts.add(Place::Line(line), DUPLICATE),
        }
    }
    for (index, place) in unmatched.records {
        doubts.add(Place::Record(index), format!("({place}) has no result"));
    }
    if unmatched.full {
        doubts.add(Place::Whole, "are so far out of order that not all could be held against their records");
    }
    let fields = fields.into_inner().end(&doubts);
    let sample = match &options.sample {
        Some(how) => Some(solve_again::solve_again(sample, how, &doubts)?),
        None => None,
    };
    let (mut doubts, mut first_doubts) = doubts.take();
    // It may explain all others.
    if let Some(wrong) = part {
        doubts += 1;
        first_doubts.insert(0, format!("{} {wrong}", Place::Whole));
    }
    let findings = findings.into_inner();
    Ok(Report { failed_inputs, records, lines, findings, sample, fields, doubts, first_doubts })
}
