//! A run: rounds of records, examined on all threads and given away in order.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossbeam::queue::ArrayQueue;

use super::duplicates::{Occurrence, Place, SeenBoards};
use super::examiner::Examiner;
use super::facts::{Facts, Requested, Status};
use super::sink::{Examined, Sink};
use crate::engine::{EngineKind, TieBreak};
use crate::format::input::{Chunk, Reader, Record};
use crate::solver::{EnginePreference, Settings, Solver};
use crate::system::Limits;
use crate::tools::labels::{CountMemo, LabelOptions};

/// Records of a round for each thread, at most.
pub const MAX_RECORDS_PER_THREAD: usize = 1 << 14;

/// Bytes of text that end a round: records may be long.
const MAX_TEXT_BYTES: usize = 64 << 20;

/// Bytes of a chunk of records, at most.
const CHUNK_BYTES: usize = 1 << 18;

/// A round that takes less is followed by one twice as large, one that takes more than four times that by a smaller one.
const ROUND: Duration = Duration::from_millis(250);

/// How records are examined.
pub struct Options<'a> {
    /// What is asked for of each.
    pub requested: Requested,
    /// The most shortest paths that are counted of boards of more than 12 cells.
    pub count_cap: u64,
    /// How boards are solved. The limits are for solving a board, and again for counting its paths; the memory is for
    /// everything.
    pub solving: Settings,
    /// Raised to end the run.
    pub stop: &'a AtomicBool,
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Report {
    /// Inputs that could not be read, or not to their end.
    pub failed_inputs: u64,
    /// Records that count lines promise and that are not there.
    pub missing: u64,
    /// Boards that may or may not be duplicates, because not all boards before them could be kept.
    pub unknown: u64,
    /// How many boards could be kept.
    pub capacity: usize,
}

/// Why a run ended early.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The records could not be taken.
    #[error(transparent)]
    Write(#[from] io::Error),
    /// The threads could not be started.
    #[error(transparent)]
    Threads(#[from] crate::board::Error),
}

/// How the memory of a run is divided, in bytes.
struct MemoryShares {
    /// Digests of the boards that were met.
    digests: u64,
    /// What each thread may keep of its counts.
    memo_per_thread: u64,
    /// Tables and lists of searches.
    searches: u64,
}

impl MemoryShares {
    fn of(requested: Requested, threads: usize, memory: u64) -> MemoryShares {
        let threads = threads.max(1) as u64;
        let digests = if requested.digests { memory / 4 } else { 0 };
        let memo_per_thread = if requested.path_count { CountMemo::BYTES.min(memory / 8 / threads) } else { 0 };
        MemoryShares { digests, memo_per_thread, searches: memory - digests - memo_per_thread * threads }
    }
}

/// Examines all records. `warn` gets what users should know of the inputs.
///
/// # Errors
/// When records cannot be taken. What the inputs hold is never an error.
pub fn run(
    options: &Options<'_>,
    reader: &mut Reader,
    sink: &mut dyn Sink,
    warn: &dyn Fn(&str),
) -> Result<Report, Error> {
    let &Options { requested, count_cap, ref solving, stop } = options;
    let (threads, limits) = (solving.threads, solving.limits);
    let shares = MemoryShares::of(requested, threads, solving.memory);
    // Which tables have room, and so what is sampled, must not depend on the number of threads: as where nodes are limited.
    let nodes = limits.nodes.or(requested.estimate.then_some(u64::MAX));
    let shared_out = Limits { nodes, ..limits };
    let preference = preference(options);
    let solving = Settings { memory: shares.searches, preference, limits: shared_out, ..solving.clone() };
    let solver = &Solver::with(solving);
    let labels = LabelOptions { solver, limits, count_cap, memo_bytes: shares.memo_per_thread, stop };
    let workers = Workers { requested, labels: &labels, idle: ArrayQueue::new(threads.max(1)) };
    let seen = SeenBoards::new(shares.digests);
    let report = Report { capacity: seen.capacity(), ..Report::default() };
    let mut output = Output { sink, warn, seen, sources: Vec::new(), report };
    let mut size = 8 * threads;
    loop {
        let began = Instant::now();
        let (chunks, ended) = next_round(reader, size, threads, &mut output);
        let facts = solver.map(&chunks, |chunk| workers.examine(chunk))?;
        for warning in reader.take_warnings() {
            warn(&warning);
        }
        output.report.missing += reader.take_missing();
        let cancelled = output.round(&chunks, &facts)?;
        output.sink.flush()?;
        if cancelled || ended || stop.load(Ordering::Relaxed) {
            return Ok(output.report);
        }
        size = match began.elapsed() {
            time if time < ROUND => (2 * size).min(MAX_RECORDS_PER_THREAD * threads),
            time if time > 4 * ROUND => (size / 2).max(2 * threads),
            _ => size,
        };
    }
}

/// Paths are counted over exact distances where there may be a table of them: shapes of 8 to 12 cells have theirs at once. Where neither
/// a path nor their number is written, any shortest path will do.
fn preference(options: &Options<'_>) -> EnginePreference {
    let asked = &options.solving.preference;
    let engine = asked.engine.or_else(|| options.requested.path_count.then_some(EngineKind::Lookup));
    let guided = asked.heuristic.is_some();
    let Requested { canonical, path_count, estimate, .. } = options.requested;
    // How many boards are solved within a number of nodes, and how many nodes are expected, is not to depend on what is written.
    let is_counted = path_count || estimate || options.solving.limits.nodes.is_some();
    let tie_break = match asked.tie_break {
        TieBreak::Canonical if !canonical && !is_counted => TieBreak::Unseen,
        asked => asked,
    };
    EnginePreference { engine: if guided { asked.engine } else { engine }, tie_break, ..asked.clone() }
}

/// The chunks of a round, and whether they are the last.
fn next_round(reader: &mut Reader, size: usize, threads: usize, output: &mut Output<'_>) -> (Vec<Chunk>, bool) {
    let (mut chunks, mut records, mut text_bytes) = (Vec::new(), 0, 0);
    let chunk_records = (size / (8 * threads.max(1))).max(1);
    while records < size && text_bytes < MAX_TEXT_BYTES {
        match reader.next_chunk(chunk_records, CHUNK_BYTES, Vec::new()) {
            None => return (chunks, true),
            Some(Err(error)) => {
                output.report.failed_inputs += 1;
                (output.warn)(&error.to_string());
                output.sink.failed_input(error);
            }
            Some(Ok(chunk)) => {
                records += chunk.records;
                text_bytes += chunk.bytes.len();
                chunks.push(chunk);
            }
        }
    }
    (chunks, false)
}

/// The examiners of all threads.
struct Workers<'a> {
    requested: Requested,
    labels: &'a LabelOptions<'a>,
    idle: ArrayQueue<Examiner<'a>>,
}

impl Workers<'_> {
    fn examine(&self, chunk: &Chunk) -> Vec<Facts> {
        let new = || Examiner::new(self.requested, self.labels);
        let mut examiner = self.idle.pop().unwrap_or_else(new);
        let examine = |record: Record| {
            let (index, line, id) = (record.index, record.line, record.id.clone());
            let examined = catch_unwind(AssertUnwindSafe(|| examiner.examine(chunk, record)));
            examined.unwrap_or_else(|_| {
                examiner = new();
                let status = Status::Failed("the program failed on this record; please report it".into());
                Facts { index, line, id, puzzle: None, status, bounds: None, digests: None, estimate: None }
            })
        };
        let facts = chunk.records().map(examine).collect();
        // This cannot fail: at most one for each thread is kept.
        let _ = self.idle.push(examiner);
        facts
    }
}

/// What is done with records in their order.
struct Output<'a> {
    sink: &'a mut dyn Sink,
    warn: &'a dyn Fn(&str),
    seen: SeenBoards,
    sources: Vec<Arc<str>>,
    report: Report,
}

impl Output<'_> {
    /// Looks up duplicates and gives the records of a round away. True when the run is to end.
    fn round(&mut self, chunks: &[Chunk], facts: &[Vec<Facts>]) -> io::Result<bool> {
        for (chunk, facts) in chunks.iter().zip(facts) {
            if self.sources.last().is_none_or(|last| !Arc::ptr_eq(last, &chunk.source.name)) {
                self.sources.push(Arc::clone(&chunk.source.name));
            }
            for facts in facts {
                if facts.is_cancelled() {
                    return Ok(true);
                }
                let (source, line) = (self.sources.len() as u32 - 1, u32::try_from(facts.line).unwrap_or(u32::MAX));
                let place = Place { index: facts.index, source, line };
                let occurrence = facts.digests.as_ref().map(|digests| self.seen.insert(digests, place));
                self.report.unknown += u64::from(occurrence == Some(Occurrence::Unknown));
                self.sink.record(&Examined { place, sources: &self.sources, facts, occurrence })?;
            }
        }
        Ok(false)
    }
}
