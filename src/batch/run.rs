//! What the threads of a batch share.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::block_solvers::BlockSolvers;
use super::buffer_pool::BufferPool;
use super::chunk_output::ChunkOutput;
use super::memo::Memo;
use super::options::Options;
use super::panic_message;
use super::result_writer::ResultWriter;
use super::search_task::SearchTask;
use super::serial_queue::SerialQueue;
use super::solve::BoardSolver;
use super::totals::Totals;
use crate::batch::window::Window;
use crate::board::frame::Space;
use crate::engine::ThreadShare;

/// Everything that the threads of a batch share.
pub struct Run<'a> {
    pub options: &'a Options,
    pub totals: &'a Totals,
    /// Raised when the run is to end.
    pub stop: &'a AtomicBool,
    /// Called with what users should know at once.
    pub report: &'a (dyn Fn(&str) + Sync),
    pub solver: BoardSolver<'a>,
    pub block_solvers: BlockSolvers<'a>,
    /// Whether boards are compared with earlier ones.
    pub compares: bool,
    /// Results of searches, for boards that come again.
    pub memo: Memo<(Space, u128), SearchTask>,
    /// The same for good paths.
    pub good_memo: Memo<Box<[u8]>, SearchTask>,
    /// Where searches queue that are to have all threads.
    pub serial_queue: SerialQueue<SearchTask>,
    /// What the threads are busy with, so that searches know which could help.
    pub thread_share: ThreadShare,
    /// Records that the next chunk may have.
    pub chunk_records: AtomicUsize,
    pub window: &'a Window,
    /// Buffers for chunks: in one shard, as one thread fills them.
    pub input_buffers: BufferPool,
    /// Buffers for results, by worker.
    pub output_buffers: BufferPool,
    pub writer: ResultWriter<'a>,
    /// What ended the run: the first fault of the program that cost more than a record.
    pub fault: OnceLock<String>,
}

/// The only shard of the buffers for chunks.
pub const READER_SHARD: usize = 0;

/// Records of a chunk of cheap boards, at most. More gained nothing with 4 million 3×3 boards
/// (`benches/constants.csv`).
const MAX_RECORDS: usize = 4096;

impl Run<'_> {
    /// Does a piece of work, or ends the run if it panics: behind a chunk that is never submitted, those that follow it,
    /// and the reader, would wait for ever.
    pub fn end_on_panic(&self, place: impl FnOnce() -> String, work: impl FnOnce()) {
        // What the work leaves half done is read by the writer only, which goes by what was written.
        if let Err(panic) = catch_unwind(AssertUnwindSafe(work)) {
            let (place, message) = (place(), panic_message::message(&*panic));
            let _ = self.fault.set(format!("{place}: the program failed here or soon behind: {message}"));
            self.stop.store(true, Ordering::Relaxed);
            self.window.close();
        }
    }

    /// Gives results of a chunk to the writer.
    pub fn submit(&self, number: u64, output: ChunkOutput) {
        self.writer.submit(number, output, |shard, buffer| self.output_buffers.give_back(shard, buffer));
    }

    /// Reports a fault of the program that cost one record its result.
    pub fn report_fault(&self, source: &str, line: u64, fault: &str) {
        (self.report)(&format!("{source}:{line}: {fault}; please report this with the board"));
    }

    /// A board that is searched is a chunk of its own, so that results come out as they are found;
    /// chunks of cheap boards grow, so that threads rarely meet.
    pub fn adapt_chunk_size(&self, records: usize, searches: usize) {
        let next = if searches > 0 { 1 } else { (records * 2).min(MAX_RECORDS) };
        self.chunk_records.store(next, Ordering::Relaxed);
    }
}
