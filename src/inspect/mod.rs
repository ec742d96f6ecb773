//! What a set of boards is like: for every record how hard it is, in how many ways it is solved, and whether it was there before.
//!
//! ```text
//! records ─▶ facts (many threads) ─┬─▶ desk: a shortest path      ─┐
//!                                  ├─▶ count: how many there are   ├─▶ duplicates (in order) ─▶ whoever asked
//!                                  └─▶ digests, heuristics        ─┘
//! ```
//!
//! Records are read in rounds, each as large as some tenths of a second take; a round's records are examined on all
//! threads and given away in order. What comes again is looked up then, by one thread. So the facts of a record depend on
//! the records before it alone, whatever the number of threads. (Time limits apart, and what `--memory` leaves room for.)
//!
//! In memory there are a round's records and facts, some hundred bytes each, at most [`MOST_A_THREAD`] for each thread;
//! tables and lists of the searches; what was counted (`count.rs`); and the digests (`duplicates.rs`).

mod count;
mod duplicates;
mod facts;
mod guide;
mod rules;
mod write;

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossbeam::queue::ArrayQueue;
use rayon::prelude::*;

use crate::engine::{Limit, Limits};
use crate::format::input::{Chunk, InputError, Reader};
use crate::plan::{EngineKind, Wishes};
use crate::solver::Solvers;
use count::Memo;
pub use count::{Ended, Fork, Solutions, Ways};
pub use duplicates::{Again, Keys, Place, Seen};
pub use facts::{Bounds, COUNTED_CELLS, Facts, Standing, Wanted};
use facts::{Examiner, Room};
pub use rules::{Breach, Condition, Distinct, File, Rules, Tally};
pub use write::{Field, Fields};

/// Records of a round for each thread, at most.
pub const MOST_A_THREAD: usize = 1 << 14;

/// Bytes of text that end a round: records may be long.
const MOST_TEXT: usize = 64 << 20;

/// A round that takes less is followed by one twice as large, one that takes more than four times that by a smaller one.
const ROUND: Duration = Duration::from_millis(250);

/// How records are examined.
pub struct Options<'a> {
    /// What is wanted of each.
    pub wanted: Wanted,
    /// The most shortest paths that are counted of boards of more than [`COUNTED_CELLS`] cells.
    pub count_cap: u64,
    /// What searches, and what guides them.
    pub wishes: Wishes,
    /// What may be spent on solving a board, and on counting its paths.
    pub limits: Limits,
    /// Threads.
    pub threads: usize,
    /// What all this may take, in bytes.
    pub memory: u64,
    /// Raised to end the run.
    pub stop: &'a AtomicBool,
}

/// What is known of a record, and what was there before it.
pub struct Examined<'a> {
    /// Where it was read.
    pub place: Place,
    /// The files that were read so far, as they are shown; [`Place::source`] counts them.
    pub sources: &'a [Arc<str>],
    /// What is known of it alone.
    pub facts: &'a Facts,
    /// Whether it came again; `None`: it is no board, or nobody asked.
    pub again: Option<Again>,
}

/// Takes records as they are examined, in order.
pub trait Taker {
    /// Takes one.
    ///
    /// # Errors
    /// When it cannot be taken: the run ends.
    fn take(&mut self, examined: &Examined<'_>) -> io::Result<()>;

    /// An input could not be read, or not to its end; people are told of it elsewhere.
    fn unread(&mut self, _error: InputError) {}

    /// Some were taken, and the next take a while.
    ///
    /// # Errors
    /// When what was taken cannot be written: the run ends.
    fn rest(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Report {
    /// Inputs that could not be read, or not to their end.
    pub failed_inputs: u64,
    /// Boards of which it is not known whether they came again, for there was no room to keep those before.
    pub unknown: u64,
    /// Most of them for which there is room.
    pub room: usize,
}

/// Why a run ended before its time.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The records could not be taken.
    #[error(transparent)]
    Write(#[from] io::Error),
    /// The threads could not be started.
    #[error("the worker threads cannot be started: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// How so many bytes are shared out: digests, what each thread has counted, and tables and searches.
fn shares(wanted: Wanted, threads: usize, memory: u64) -> (u64, u64, u64) {
    let digests = if wanted.keys { memory / 4 } else { 0 };
    let memo = if wanted.ways { Memo::BYTES.min(memory / 8 / threads.max(1) as u64) } else { 0 };
    (digests, memo, memory - digests - memo * threads.max(1) as u64)
}

/// Examines all records. `tell` is told what people should know of the inputs.
///
/// # Errors
/// When records cannot be taken. What the inputs hold is never an error.
pub fn run(
    options: &Options<'_>,
    reader: &mut Reader,
    taker: &mut dyn Taker,
    tell: &dyn Fn(&str),
) -> Result<Report, Error> {
    let &Options { wanted, count_cap, limits, threads, memory, stop, .. } = options;
    let (digests, memo_bytes, searches) = shares(wanted, threads, memory);
    let solvers = Solvers::new(wishes(options), threads, searches);
    let room = Room { solvers: &solvers, limits, count_cap, wanted, memo_bytes, stop };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let examiners = ArrayQueue::new(threads.max(1));
    let mut seen = Seen::new(digests);
    let mut report = Report { room: seen.most(), ..Report::default() };
    let mut sources: Vec<Arc<str>> = Vec::new();
    let mut size = 8 * threads;
    loop {
        let began = Instant::now();
        let (chunks, ended) = next_round(reader, size, threads, &mut report, taker, tell);
        let facts: Vec<Vec<Facts>> =
            pool.install(|| chunks.par_iter().map(|chunk| examine(&room, &examiners, chunk)).collect());
        for warning in reader.take_warnings() {
            tell(&warning);
        }
        for (chunk, facts) in chunks.iter().zip(&facts) {
            if sources.last().is_none_or(|last| !Arc::ptr_eq(last, &chunk.source.name)) {
                sources.push(Arc::clone(&chunk.source.name));
            }
            for facts in facts {
                if facts.is_cancelled() {
                    taker.rest()?;
                    return Ok(report);
                }
                let (source, line) = (sources.len() as u32 - 1, u32::try_from(facts.line).unwrap_or(u32::MAX));
                let place = Place { index: facts.index, source, line };
                let again = facts.keys.as_ref().map(|keys| seen.meet(keys, place));
                report.unknown += u64::from(again == Some(Again::Unknown));
                taker.take(&Examined { place, sources: &sources, facts, again })?;
            }
        }
        taker.rest()?;
        if ended || stop.load(Ordering::Relaxed) {
            return Ok(report);
        }
        size = match began.elapsed() {
            time if time < ROUND => (2 * size).min(MOST_A_THREAD * threads),
            time if time > 4 * ROUND => (size / 2).max(2 * threads),
            _ => size,
        };
    }
}

/// Paths are counted over exact distances where there may be a table of them: shapes of 12 cells have theirs at once.
fn wishes(options: &Options<'_>) -> Wishes {
    let engine = options.wishes.engine.or_else(|| options.wanted.ways.then_some(EngineKind::Lookup));
    let guided = options.wishes.heuristic.is_some();
    Wishes { engine: if guided { options.wishes.engine } else { engine }, ..options.wishes.clone() }
}

/// The chunks of a round, and whether they are the last.
fn next_round(
    reader: &mut Reader,
    size: usize,
    threads: usize,
    report: &mut Report,
    taker: &mut dyn Taker,
    tell: &dyn Fn(&str),
) -> (Vec<Chunk>, bool) {
    let (mut chunks, mut records, mut text) = (Vec::new(), 0, 0);
    let share = (size / (8 * threads.max(1))).max(1);
    while records < size && text < MOST_TEXT {
        match reader.next_chunk(share, 1 << 18, Vec::new()) {
            None => return (chunks, true),
            Some(Err(error)) => {
                report.failed_inputs += 1;
                tell(&error.to_string());
                taker.unread(error);
            }
            Some(Ok(chunk)) => {
                records += chunk.records;
                text += chunk.bytes.len();
                chunks.push(chunk);
            }
        }
    }
    (chunks, false)
}

fn examine(room: &Room<'_>, examiners: &ArrayQueue<Examiner>, chunk: &Chunk) -> Vec<Facts> {
    let mut examiner = examiners.pop().unwrap_or_default();
    let examine = |record: crate::format::input::Record| {
        let (index, line, id) = (record.index, record.line, record.id.clone());
        let examined = catch_unwind(AssertUnwindSafe(|| examiner.examine(room, chunk, record)));
        examined.unwrap_or_else(|_| {
            examiner = Examiner::default();
            Facts::of_panic(index, line, id)
        })
    };
    let facts = chunk.records().map(examine).collect();
    // Full: as many are kept as there are threads.
    let _ = examiners.push(examiner);
    facts
}

impl Facts {
    fn of_panic(index: u64, line: u64, id: Option<Box<str>>) -> Facts {
        let standing = Standing::Failed("the program failed on this record; please report it".into());
        Facts { index, line, id, puzzle: None, standing, bounds: Bounds::default(), keys: None }
    }

    /// True for a record that was given up because the run is to end.
    fn is_cancelled(&self) -> bool {
        match &self.standing {
            Standing::Unsolved { limit: Limit::Cancelled, .. } => true,
            Standing::Solved { ways: Some(ways), .. } => {
                matches!(ways.solutions, Solutions::AtLeast(_, Ended::Limit(Limit::Cancelled)))
            }
            _ => false,
        }
    }
}
