//! The batch: from a reader of chunks to a writer of results.
//!
//! The calling thread reads. It takes a permit (`window`), cuts off the next chunk and throws it
//! to a pool of workers; a worker turns it into text (`chunk`), opening it where boards have to be
//! searched (`open`), each at most once (`memo`), or go down a full table together (`group`); whoever finishes the chunk that is due writes
//! it (`delivery`) and the permit goes back. Nothing but the reader ever waits.
//!
//! Threads that find no more chunks and boards help with the searches under way ([`Crew`]); on
//! request all of them search one board after the other (`turns.rs`).

mod accounts;
mod chunk;
mod delivery;
mod group;
mod memo;
mod open;
mod spare;
#[cfg(test)]
mod tests;
mod totals;
mod turns;
mod window;

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use crossbeam::queue::ArrayQueue;

use crate::bulk::{Bulk, FastPath};
use crate::engine::waves::Machine;
use crate::engine::{Crew, Limits, Parallel};
use crate::format::input::Reader;
use crate::format::style::Style;
use crate::outlook::Outlook;
use crate::solver::{Scratch, Solvers};
use accounts::Accounts;
pub use accounts::{Progress, Start};
use delivery::{Delivery, Piece};
use memo::Memo;
use spare::Spare;
pub use totals::{Counts, Slowest, Totals};
use turns::Turns;
use window::Window;

/// What can be written to from any thread.
pub trait Sink: Write + Send {
    /// What keeps a record of how far the run has come, so that another can go on from there.
    fn journal(&mut self) -> Option<&mut dyn Journal> {
        None
    }
}

impl Sink for Vec<u8> {}
impl Sink for io::Sink {}
impl Sink for std::fs::File {}

impl<W: Sink + ?Sized> Sink for &mut W {
    fn journal(&mut self) -> Option<&mut dyn Journal> {
        (**self).journal()
    }
}

/// A record of how far a run has come.
pub trait Journal {
    /// From where the run goes on; asked for once, at its beginning.
    fn start(&mut self) -> Start;

    /// Whether enough has happened since the last entry.
    fn is_due(&self) -> bool;

    /// Enters what was written to the sink; it may take its time to become durable.
    ///
    /// # Errors
    /// When this or an earlier entry cannot be made durable: the run ends.
    fn commit(&mut self, progress: Progress) -> io::Result<()>;

    /// Enters the last progress, which is durable when this returns.
    ///
    /// # Errors
    /// When this or an earlier entry cannot be made durable.
    fn conclude(&mut self, progress: Progress) -> io::Result<()>;
}

/// How a batch is run.
#[derive(Clone, Debug)]
pub struct Options {
    /// Worker threads.
    pub threads: usize,
    /// How they are shared out among boards.
    pub parallel: Parallel,
    /// Results in the order of the records; otherwise as they come.
    pub ordered: bool,
    /// What may be spent on one board.
    pub limits: Limits,
    /// How results are written.
    pub style: Style,
    /// Whether small boards are taken in bulk; the results are the same.
    pub fast_path: FastPath,
}

/// Why a batch ended early.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The results could not be written.
    #[error("the results cannot be written: {0}")]
    Write(#[source] io::Error),
    /// The threads could not be started.
    #[error("the worker threads cannot be started: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// The program failed where it cannot be laid to one record: what was written before is right, and no more is.
    #[error("{0}; please report this with the boards from there on")]
    Fault(String),
}

/// Everything that the threads of a batch share.
struct Run<'a, W> {
    options: &'a Options,
    solvers: &'a Solvers,
    totals: &'a Totals,
    stop: &'a AtomicBool,
    tell: &'a (dyn Fn(&str) + Sync),
    window: &'a Window,
    delivery: Delivery<'a, W>,
    memo: Memo<chunk::Task>,
    /// What the threads are busy with, so that searches know who could help.
    crew: Crew,
    /// Where searches queue that are to have all threads.
    turns: Turns<chunk::Task>,
    /// Buffers for chunks, and for their results by worker, that can be filled again.
    inputs: Spare,
    outputs: Spare,
    scratch: ArrayQueue<Box<Scratch>>,
    /// By worker.
    bulks: Vec<Mutex<Option<Box<Bulk>>>>,
    /// What ends the run: the first fault of the program that cost more than a record.
    fault: OnceLock<String>,
    /// Records that the next chunk may have.
    chunk_records: AtomicUsize,
    /// What the code for boards in bulk may make use of.
    machine: Machine,
}

/// Records of a chunk of cheap boards, at most.
const MOST_RECORDS: usize = 4096;

/// Bytes of a chunk, about: large enough that threads meet rarely, small enough that a chunk and its
/// results stay in a core's own cache.
const CHUNK_BYTES: usize = 64 << 10;

/// Chunks between reading and writing, at least, and for each thread: what a hard board at the head
/// of the window lets the others get ahead by.
const CHUNKS_IN_FLIGHT: usize = 128;
const CHUNKS_A_THREAD: usize = 16;

/// The shelf of buffers for chunks: one thread fills them.
const READER: usize = 0;

/// Reads everything, solves everything, writes one result for every record.
///
/// `tell` is told what people should know at once (a file that cannot be read, a fault of the
/// program); `totals` can be read by others while this runs. When `stop` becomes true no more is
/// read, running searches are abandoned, and what is finished is written – in an ordered run, up to
/// the first record that is not. The run raises it itself when its results cannot be written.
///
/// A sink with a journal makes the run one that can be resumed; the reader must stand where that journal
/// has the run go on.
///
/// # Errors
/// When results cannot be written, threads not be started, or the program fails where that cannot be laid to one record. What a file contains is never an error;
/// a file that cannot be read is told, counted in [`Totals::failed_inputs`], and passed over.
pub fn run<W: Sink>(
    reader: &mut Reader,
    mut sink: W,
    solvers: &Solvers,
    options: &Options,
    totals: &Totals,
    stop: &AtomicBool,
    tell: &(dyn Fn(&str) + Sync),
) -> Result<(), Error> {
    let pool =
        rayon::ThreadPoolBuilder::new().num_threads(options.threads).thread_name(|i| format!("worker-{i}")).build()?;
    let in_flight = CHUNKS_IN_FLIGHT.max(CHUNKS_A_THREAD * options.threads);
    // Half for texts in flight, half for buffers that wait to be filled again.
    let most_bytes = solvers.share().buffers / 2;
    let window = Window::new(in_flight, 4 * options.threads, most_bytes);
    let mut position = reader.position();
    let start = sink.journal().map(|journal| journal.start());
    let done = start.as_ref().map(|start| start.done.clone()).unwrap_or_default();
    if let Some(start) = &start {
        totals.restore(&start.counts, start.written.bytes(), position.failed_inputs);
    }
    let accounts = start.map(|start| Accounts::new(position.clone(), start));
    let run = Run {
        options,
        solvers,
        totals,
        stop,
        tell,
        window: &window,
        delivery: Delivery::new(sink, options.ordered, &window, stop, totals, accounts),
        // Answers of searches that are kept for boards that come again.
        memo: Memo::new(solvers.share().answers),
        crew: Crew::new(options.parallel, options.threads),
        turns: Turns::default(),
        inputs: Spare::new(1, in_flight, most_bytes / 2),
        outputs: Spare::new(options.threads, in_flight, most_bytes / 2),
        scratch: ArrayQueue::new(options.threads),
        bulks: (0..options.threads.max(1)).map(|_| Mutex::default()).collect(),
        fault: OnceLock::new(),
        chunk_records: AtomicUsize::new(1),
        machine: Machine::best(),
    };
    pool.in_place_scope_fifo(|scope| {
        let mut number = 0;
        let read_all = || {
            while !stop.load(Ordering::Relaxed) && window.enter() {
                let most = run.chunk_records.load(Ordering::Relaxed);
                let chunk = loop {
                    // Never across the border between what is done and what is not.
                    let (is_done, alike) = accounts::alike(&done, reader.records() + 1);
                    let most = most.min(usize::try_from(alike).unwrap_or(usize::MAX));
                    match reader.next_chunk(most, CHUNK_BYTES, run.inputs.take(READER)) {
                        Some(Err(error)) => {
                            totals.add_failed_input();
                            tell(&error.to_string());
                        }
                        Some(Ok(chunk)) if is_done => {
                            run.inputs.keep(READER, chunk.bytes);
                            if stop.load(Ordering::Relaxed) {
                                break None;
                            }
                        }
                        Some(Ok(chunk)) => break Some(chunk),
                        None => break None,
                    }
                };
                totals.set_bytes_read(reader.bytes_read());
                for warning in reader.take_warnings() {
                    tell(&warning);
                }
                let Some(chunk) = chunk else { break };
                run.crew.expect(reader.outlook());
                window.hold(chunk.bytes.len());
                position = run.delivery.announce(number, position, chunk.records, || reader.position());
                let run = &run;
                let busy = run.crew.task();
                scope.spawn_fifo(move |scope| {
                    let (source, line) = (Arc::clone(&chunk.source.name), chunk.first_line);
                    run.or_end(|| format!("{source}:{line}"), || run.work_on(number, chunk, scope));
                    drop(busy);
                });
                number += 1;
            }
        };
        run.or_end(|| "while reading".into(), read_all);
        run.crew.expect(Outlook::OVER);
    });
    let written = run.delivery.finish().map_err(Error::Write);
    run.fault.into_inner().map_or(written, |fault| Err(Error::Fault(fault)))
}

impl<W: Sink> Run<'_, W> {
    /// Does a piece of work, or ends the run: a chunk that is never handed in would have those behind it, and the reader,
    /// wait for ever.
    fn or_end(&self, place: impl FnOnce() -> String, work: impl FnOnce()) {
        // What the work leaves half done is not looked at again but by the delivery, which goes by what was written.
        if let Err(panic) = catch_unwind(AssertUnwindSafe(work)) {
            let (place, said) = (place(), chunk::said(&*panic));
            let _ = self.fault.set(format!("{place}: the program failed here or soon behind: {said}"));
            self.stop.store(true, Ordering::Relaxed);
            self.window.close();
        }
    }

    fn hand_in(&self, number: u64, piece: Piece) {
        self.delivery.hand_in(number, piece, |shelf, buffer| self.outputs.keep(shelf, buffer));
    }

    /// A board that is searched is a chunk of its own, so that results come out as they are found;
    /// chunks of cheap boards grow, so that threads rarely meet.
    fn adapt(&self, records: usize, searched: usize) {
        let next = if searched > 0 { 1 } else { (records * 2).min(MOST_RECORDS) };
        self.chunk_records.store(next, Ordering::Relaxed);
    }
}
