//! A whole run, and the state that its threads share. A run starts the threads, reads all chunks,
//! and finishes the output.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use rangemap::RangeSet;
use rayon::ScopeFifo;

use super::block_solvers::BlockSolvers;
use super::chunk_results::{ChunkOutput, SearchTask};
use super::earlier::EarlierBoards;
use super::memo::{Memo, SerialQueue};
use super::progress::{CompletedRecords, Sink, done_span};
use super::result_writer::ResultWriter;
use super::solve::BoardSolver;
use super::totals::Totals;
use super::window::{BufferPool, Window};
use super::{Options, panic_message};
use crate::engine::ThreadShare;
use crate::format::input::{Chunk, Position, Reader};
use crate::format::style::Style;
use crate::solver::Solver;
use crate::system::RemainingWork;

/// Approximate size of a chunk in bytes: large enough that threads rarely synchronise, and small
/// enough that a chunk and its results fit into a core's cache.
const CHUNK_BYTES: usize = 64 << 10;

/// Maximum number of chunks between reading and writing, or [`CHUNKS_IN_FLIGHT_PER_THREAD`] for
/// each thread if that is more. It limits how far other threads can get ahead of a hard board.
const CHUNKS_IN_FLIGHT: usize = 128;

/// See [`CHUNKS_IN_FLIGHT`].
const CHUNKS_IN_FLIGHT_PER_THREAD: usize = 16;

/// Maximum number of chunks per thread that are read but not started. More did not help with 4
/// million 3×3 boards (`benches/constants.csv`).
const CHUNKS_QUEUED_PER_THREAD: usize = 4;

/// The minimum size of a large record in bytes. The results of smaller ones are about as long as
/// the records.
const MIN_LARGE_BYTES: usize = 4096;

/// The index of the only stack in the pool of input buffers.
pub const INPUT_STACK: usize = 0;

/// Maximum number of records in a chunk of cheap boards. More did not help with 4 million 3×3
/// boards (`benches/constants.csv`).
const MAX_RECORDS: usize = 4096;

/// The reason why a batch ended early.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The results could not be written.
    #[error("cannot write the results: {0}")]
    Write(#[source] io::Error),
    /// The threads could not be started.
    #[error(transparent)]
    Threads(#[from] crate::board::Error),
    /// The program failed outside the work on a single record. The results written before are
    /// correct.
    #[error("{0}; please report this with the input")]
    Fault(String),
}

/// Reads everything, solves everything, and writes one result for every record.
///
/// `report` is called with messages for the user, for example about a file that cannot be read or a
/// bug in the program. Other threads can read `totals` at any time. When `stop` becomes true,
/// reading ends, active searches are abandoned, and finished results are written; in an ordered
/// run, only those before the first unfinished record. The run sets `stop` itself if results cannot
/// be written, or if the run ends with [`Error::Fault`].
///
/// If the sink has a journal, the run can be resumed. The reader must then be at the position from
/// which the run resumes.
///
/// # Errors
/// If results cannot be written, threads cannot be started, or the program fails outside the work
/// on a single record. The content of a file is never an error; a file that cannot be read is
/// reported, counted in [`Totals::failed_inputs`], and skipped.
pub fn run(
    reader: &mut Reader,
    sink: &mut dyn Sink,
    solver: &Solver,
    options: &Options,
    totals: &Totals,
    stop: &AtomicBool,
    report: &(dyn Fn(&str) + Sync),
) -> Result<(), Error> {
    let (threads, pool) = (solver.threads(), solver.pool()?);
    let in_flight = CHUNKS_IN_FLIGHT.max(CHUNKS_IN_FLIGHT_PER_THREAD * threads);
    let max_bytes = solver.engines.memory_plan.texts();
    let window = Window::new(in_flight, CHUNKS_QUEUED_PER_THREAD * threads, max_bytes);
    let position = reader.position();
    let mut resume_point = sink.journal().map(|journal| journal.resume_point());
    let done = resume_point.as_ref().map(|point| point.done.clone()).unwrap_or_default();
    if let Some(point) = &resume_point {
        let records = point.counts.records();
        totals.update(|totals| {
            (totals.counts, totals.done, totals.done_before) = (point.counts, records, records);
            (totals.bytes_written, totals.failed_inputs) = (point.written.bytes(), position.failed_inputs);
        });
    }
    let header = options.style.header();
    if !header.is_empty() && resume_point.as_ref().is_none_or(|point| point.written.bytes() == 0) {
        sink.write_all(&header).map_err(Error::Write)?;
        if let Some(point) = &mut resume_point {
            point.written.update(&header);
        }
        totals.update(|totals| totals.bytes_written += header.len() as u64);
    }
    let completed = resume_point.map(|point| CompletedRecords::new(position.clone(), point));
    let earlier = EarlierBoards::new(&options.style, options.earlier_bytes);
    let run = Run {
        options,
        totals,
        stop,
        report,
        solver: BoardSolver::new(solver, options, stop),
        compares_boards: earlier.is_some(),
        block_solvers: BlockSolvers::new(options, threads),
        memo: Memo::new(solver.engines.memory_plan.answers / 2),
        // Good paths are longer, so fewer of them are kept.
        good_memo: Memo::new(solver.engines.memory_plan.answers / 8),
        serial_queue: SerialQueue::default(),
        thread_share: solver.engines.thread_share.clone(),
        chunk_records: AtomicUsize::new(1),
        window: &window,
        input_buffers: BufferPool::new(1, max_bytes / 2),
        output_buffers: BufferPool::new(threads, max_bytes / 2),
        writer: ResultWriter::new(sink, options.ordered, &window, stop, totals, completed, earlier),
        fault: OnceLock::new(),
    };
    pool.in_place_scope_fifo(|scope| {
        run.end_on_panic(|| "while reading".into(), || run.read_all(reader, position, &done, scope));
    });
    solver.engines.take_notices().iter().for_each(|notice| report(notice));
    let written = run.writer.finish().map_err(Error::Write);
    run.fault.into_inner().map_or(written, |fault| Err(Error::Fault(fault)))
}

/// State shared by the threads of a batch.
pub struct Run<'a> {
    pub options: &'a Options,
    pub totals: &'a Totals,
    /// Set to end the run.
    pub stop: &'a AtomicBool,
    /// Called with messages for the user.
    pub report: &'a (dyn Fn(&str) + Sync),
    pub solver: BoardSolver<'a>,
    pub block_solvers: BlockSolvers<'a>,
    /// True if boards are compared with earlier ones.
    pub compares_boards: bool,
    /// Results of searches for shortest paths, for repeated boards.
    pub memo: Memo<SearchTask>,
    /// Results of searches for good paths, for repeated boards.
    pub good_memo: Memo<SearchTask>,
    /// The queue of searches that use all threads.
    pub serial_queue: SerialQueue<SearchTask>,
    /// The threads of the solver's pool, among which searches find idle ones.
    pub thread_share: ThreadShare,
    /// Maximum number of records in the next chunk.
    pub chunk_records: AtomicUsize,
    pub window: &'a Window,
    /// Buffers for chunks, in one stack because only one thread fills them.
    pub input_buffers: BufferPool,
    /// Buffers for results, by worker.
    pub output_buffers: BufferPool,
    pub writer: ResultWriter<'a>,
    /// The first failure of the program outside the work on a single record, which ended the run.
    pub fault: OnceLock<String>,
}

impl Run<'_> {
    /// Runs `work`. Ends the run if `work` panics, because a chunk that is never submitted would
    /// block all later chunks and the reader. `place` completes the message "the program failed".
    pub fn end_on_panic(&self, place: impl FnOnce() -> String, work: impl FnOnce()) {
        // After a panic, only the writer's state is still used, and the writer records only output
        // that was written completely.
        if let Err(panic) = catch_unwind(AssertUnwindSafe(work)) {
            let (place, message) = (place(), panic_message(&*panic));
            let _ = self.fault.set(format!("the program failed {place}: {message}"));
            self.stop.store(true, Ordering::Relaxed);
            self.window.close();
        }
    }

    /// Hands results of a chunk to the writer.
    pub fn submit(&self, number: u64, output: ChunkOutput) {
        self.writer.submit(number, output, |stack, buffer| self.output_buffers.give_back(stack, buffer));
    }

    /// Reports a bug in the program that affected one record.
    pub fn report_fault(&self, source: &str, line: u64, fault: &str) {
        (self.report)(&format!("{source}:{line}: {fault}; please report this with the board"));
    }

    /// Adapts the size of the next chunk. After a chunk with searches, the next one has one record,
    /// so that results are written as they are found. Chunks of cheap boards grow, so that threads
    /// rarely synchronise.
    pub fn adapt_chunk_size(&self, records: usize, searches: usize) {
        let next = if searches > 0 { 1 } else { (records * 2).min(MAX_RECORDS) };
        self.chunk_records.store(next, Ordering::Relaxed);
    }

    /// For each permit of the window, reads a chunk and spawns a task of `scope` for it.
    fn read_all<'s>(
        &'s self,
        reader: &mut Reader,
        mut position: Position,
        done: &RangeSet<u64>,
        scope: &ScopeFifo<'s>,
    ) {
        let (mut number, skipped) = (0, reader.shard().count_in_first(position.records));
        while !self.stop.load(Ordering::Relaxed) && self.window.enter() {
            let chunk = self.next_chunk(reader, done);
            for warning in reader.take_warnings().into_iter().chain(self.solver.take_notices()) {
                (self.report)(&warning);
            }
            let missing = reader.take_missing();
            let remaining = chunk.as_ref().map_or(RemainingWork::FINISHED, |_| reader.remaining_work());
            self.totals.update(|totals| {
                totals.bytes_read = reader.bytes_read();
                totals.counts.missing += missing;
                totals.set_expected(reader.shard().count_in_first(reader.records()), skipped, remaining);
            });
            let Some(chunk) = chunk else { break };
            let reserved = extra_bytes(&self.options.style, chunk.bytes.len(), chunk.record_count);
            self.window.hold(chunk.bytes.len() + reserved);
            position = self.writer.record_chunk((number, missing), position, chunk.record_count, || reader.position());
            let busy = self.thread_share.task();
            scope.spawn_fifo(move |scope| {
                let (source, line) = (Arc::clone(&chunk.source.name), chunk.first_line);
                let process = || self.process_chunk(number, chunk, reserved, scope);
                self.end_on_panic(|| format!("at or soon after {source}:{line}"), process);
                drop(busy);
            });
            number += 1;
        }
    }

    /// Returns the next chunk of records that are not done, or `None` at the end or when the run is
    /// stopped. Reports inputs that cannot be read.
    fn next_chunk(&self, reader: &mut Reader, done: &RangeSet<u64>) -> Option<Chunk> {
        let max = self.chunk_records.load(Ordering::Relaxed);
        loop {
            // All records of the chunk are done, or none of them is.
            let (is_done, span) = done_span(done, reader.shard().next(reader.records() + 1));
            let max = max.min(usize::try_from(span).unwrap_or(usize::MAX));
            match reader.next_chunk(max, CHUNK_BYTES, self.input_buffers.take(INPUT_STACK))? {
                Err(error) => {
                    (self.report)(&error.to_string());
                    self.totals.add_failed_input(error);
                }
                Ok(chunk) if is_done => {
                    self.input_buffers.give_back(INPUT_STACK, chunk.bytes);
                    if self.stop.load(Ordering::Relaxed) {
                        return None;
                    }
                }
                Ok(chunk) => return Some(chunk),
            }
        }
    }
}

/// Estimates how many bytes longer the results of a chunk are than its records. The chunk has
/// `records` records of `bytes` bytes in total.
///
/// In large boards a number takes about five characters. A good path of a random board of n cells
/// has about 2.2 n√n moves of one letter each; 2.5 n√n are assumed. The estimate bounds the number
/// of such boards in flight.
fn extra_bytes(style: &Style, bytes: usize, records: usize) -> usize {
    let record_bytes = bytes / records.max(1);
    if record_bytes < MIN_LARGE_BYTES || !style.writes_paths() {
        return 0;
    }
    let cells = (record_bytes / 5) as f64;
    records * (2.5 * cells * cells.sqrt()) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::output::{Field, Fields};

    #[test]
    fn paths_of_large_boards_are_longer_than_their_records() {
        let style = Style::default();
        assert_eq!(extra_bytes(&style, 64 << 10, 1000), 0);
        assert_eq!(extra_bytes(&style, 0, 0), 0);
        // 255×255: 384 kB of text, about 36 million moves.
        let largest = extra_bytes(&style, 384_000, 1);
        assert!((33_000_000..66_000_000).contains(&largest), "{largest}");
        let lengths = Style::Json(Fields::new([Field::Index, Field::Moves]));
        assert_eq!(extra_bytes(&lengths, 384_000, 1), 0);
        assert_eq!(extra_bytes(&style, 768_000, 2), 2 * largest);
    }
}
