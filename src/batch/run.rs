//! State shared by the threads of a batch.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::block_solvers::BlockSolvers;
use super::buffer_pool::BufferPool;
use super::chunk_results::{ChunkOutput, SearchTask};
use super::faults::message;
use super::memo::Memo;
use super::options::Options;
use super::result_writer::ResultWriter;
use super::serial_queue::SerialQueue;
use super::solve::BoardSolver;
use super::totals::Totals;
use crate::batch::window::Window;
use crate::engine::ThreadShare;

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
    /// Buffers for chunks, in one shard because only one thread fills them.
    pub input_buffers: BufferPool,
    /// Buffers for results, by worker.
    pub output_buffers: BufferPool,
    pub writer: ResultWriter<'a>,
    /// The first failure of the program outside the work on a single record, which ended the run.
    pub fault: OnceLock<String>,
}

/// The only shard of the buffers for chunks.
pub const READER_SHARD: usize = 0;

/// Maximum number of records in a chunk of cheap boards. More did not help with 4 million 3×3
/// boards (`benches/constants.csv`).
const MAX_RECORDS: usize = 4096;

impl Run<'_> {
    /// Runs `work`, and ends the run if it panics, because a chunk that is never submitted would
    /// block all later chunks and the reader.
    pub fn end_on_panic(&self, place: impl FnOnce() -> String, work: impl FnOnce()) {
        // After a panic, only the writer's state is still used, and the writer records only output
        // that was written completely.
        if let Err(panic) = catch_unwind(AssertUnwindSafe(work)) {
            let (place, message) = (place(), message(&*panic));
            let _ = self.fault.set(format!("{place}: the program failed here or soon after: {message}"));
            self.stop.store(true, Ordering::Relaxed);
            self.window.close();
        }
    }

    /// Hands results of a chunk to the writer.
    pub fn submit(&self, number: u64, output: ChunkOutput) {
        self.writer.submit(number, output, |shard, buffer| self.output_buffers.give_back(shard, buffer));
    }

    /// Reports a bug in the program that affected one record.
    pub fn report_fault(&self, source: &str, line: u64, fault: &str) {
        (self.report)(&format!("{source}:{line}: {fault}; please report this with the board"));
    }

    /// Adapts the size of the next chunk. After a chunk with searches it is one record, so that
    /// results are written as they are found. Chunks of cheap boards grow, so that threads
    /// rarely synchronise.
    pub fn adapt_chunk_size(&self, records: usize, searches: usize) {
        let next = if searches > 0 { 1 } else { (records * 2).min(MAX_RECORDS) };
        self.chunk_records.store(next, Ordering::Relaxed);
    }
}
