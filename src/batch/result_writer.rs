//! Writes finished chunks in the order in which they were read, or as they finish.
//!
//! There is no writer thread. The thread that finishes the next chunk in order writes it, and all
//! chunks after it that are ready. The lock is not held while writing, so no other thread waits for
//! a disk.

use std::collections::HashMap;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;

use super::chunk_results::{ChunkOutput, ChunkResults, Coverage};
use super::earlier::EarlierBoards;
use super::progress::{CompletedRecords, Sink};
use super::totals::Totals;
use super::window::Window;
use crate::format::input::Position;

/// A writer that takes chunks in any order and writes them in the requested order.
pub struct ResultWriter<'a> {
    state: Mutex<WriterState<'a>>,
    window: &'a Window,
    stop: &'a AtomicBool,
    totals: &'a Totals,
    ordered: bool,
    /// The records whose results are written; `None` if the run cannot be resumed.
    completed: Option<Mutex<CompletedRecords>>,
    /// The earlier boards, if boards are compared with them. Only in ordered runs.
    earlier: Option<Mutex<EarlierBoards>>,
}

struct WriterState<'a> {
    /// `None` while a thread writes.
    sink: Option<&'a mut dyn Sink>,
    /// The place of the next output to write. In ordered runs, an output's place is the number of
    /// its chunk; in unordered ones, outputs are numbered in the order in which they are submitted.
    next: u64,
    /// The outputs that are not written, by place, each with the number of its chunk.
    ready: HashMap<u64, (u64, ChunkOutput)>,
    /// True if writing failed or, in ordered runs, the last chunk written was cut short. All later
    /// output is dropped.
    ended: bool,
    error: Option<io::Error>,
}

impl<'a> ResultWriter<'a> {
    /// Creates a writer to `sink`. If `ordered`, chunks are written by number, from 0. If writing
    /// fails, the writer closes the window and sets `stop`.
    pub fn new(
        sink: &'a mut dyn Sink,
        ordered: bool,
        window: &'a Window,
        stop: &'a AtomicBool,
        totals: &'a Totals,
        completed: Option<CompletedRecords>,
        earlier: Option<EarlierBoards>,
    ) -> ResultWriter<'a> {
        let state = WriterState { sink: Some(sink), next: 0, ready: HashMap::new(), ended: false, error: None };
        let (completed, earlier) = (completed.map(Mutex::new), earlier.map(Mutex::new));
        ResultWriter { state: Mutex::new(state), window, stop, totals, ordered, completed, earlier }
    }

    /// Notes that chunk `number`, which begins at position `before`, was read. `missing` is as in
    /// [`CompletedRecords::add_chunk`]. Returns the position after the chunk, or `before` if the
    /// run keeps no positions.
    pub fn record_chunk(
        &self,
        (number, missing): (u64, u64),
        before: Position,
        records: usize,
        after: impl FnOnce() -> Position,
    ) -> Position {
        let Some(completed) = &self.completed else { return before };
        let after = after();
        completed.lock().add_chunk((number, missing), before, records as u64, after.clone());
        after
    }

    /// Takes results of chunk `number`. Unless another thread is writing, writes all results that
    /// are due. Written buffers are passed to `recycle`, with their stack in the pool.
    pub fn submit(&self, number: u64, output: ChunkOutput, recycle: impl Fn(usize, Vec<u8>)) {
        let records = output.results.counts.records();
        self.totals.update(|totals| totals.done += records);
        let mut state = self.state.lock();
        let place = if self.ordered { number } else { state.next + state.ready.len() as u64 };
        state.ready.insert(place, (number, output));
        let Some(sink) = state.sink.take() else { return };
        while let Some((number, mut output)) = state.take_due() {
            if !state.ended {
                // Unlocked while writing, so that other threads can submit.
                drop(state);
                let output = &self.filled(&mut output);
                let written = self.write(&mut *sink, number, output);
                state = self.state.lock();
                match written {
                    Ok(()) => {
                        let ChunkResults { text, counts, .. } = &output.results;
                        self.totals.update(|totals| {
                            totals.counts.merge(counts);
                            totals.bytes_written += text.len() as u64;
                        });
                    }
                    Err(error) => {
                        state.error = Some(error);
                        state.ended = true;
                        self.stop.store(true, Ordering::Relaxed);
                        self.window.close();
                    }
                }
                state.ended |= self.ordered && output.coverage == Coverage::Cut;
            }
            if output.held_bytes > 0 {
                self.window.release(output.held_bytes);
            }
            if !output.more_follows {
                self.window.leave();
            }
            if let Some(stack) = output.stack {
                recycle(stack, output.results.text);
            }
        }
        state.sink = Some(sink);
    }

    /// Fills in the fields that compare boards with earlier ones.
    fn filled<'o>(&self, output: &'o mut ChunkOutput) -> &'o ChunkOutput {
        if let Some(earlier) = &self.earlier {
            let mut earlier = earlier.lock();
            output.results.text = earlier.fill(&output.results.text, &output.results.digests);
            self.totals.update(|totals| {
                (totals.repeats, totals.max_kept_boards) = (earlier.repeats, earlier.capacity);
            });
        }
        output
    }

    /// Writes results, and records them as written.
    fn write(&self, sink: &mut dyn Sink, number: u64, output: &ChunkOutput) -> io::Result<()> {
        let ChunkOutput { results, coverage, more_follows, .. } = output;
        sink.write_all(&results.text)?;
        let Some(completed) = &self.completed else { return Ok(()) };
        // In an ordered run, output that ends within a chunk is not recorded: a resumed run cuts it
        // off the file and computes it again.
        if self.ordered && *coverage == Coverage::Cut {
            return Ok(());
        }
        completed.lock().add_results(number, coverage, &results.text, &results.counts);
        if !more_follows {
            self.totals.active_searches().mark_written(number);
        }
        if let Some(journal) = sink.journal().filter(|journal| journal.is_due())
            && journal.commit(completed.lock().progress())?
        {
            self.totals.active_searches().checkpoint_begun();
        }
        Ok(())
    }

    /// Flushes the sink after the last chunk, and concludes its journal.
    ///
    /// # Errors
    /// The first error of writing, if there was one.
    pub fn finish(self) -> io::Result<()> {
        let state = self.state.into_inner();
        let Some(sink) = state.sink else { return state.error.map_or(Ok(()), Err) };
        let flushed = state.error.map_or_else(|| sink.flush(), Err);
        let completed = self.completed.map(|completed| completed.into_inner());
        let concluded = match (sink.journal(), completed) {
            (Some(journal), Some(completed)) => journal.conclude(completed.progress()),
            _ => Ok(()),
        };
        // The earlier error is returned, because it may have caused the later one.
        flushed.and(concluded)
    }
}

impl WriterState<'_> {
    /// Returns the next output to write, if it is ready.
    fn take_due(&mut self) -> Option<(u64, ChunkOutput)> {
        let due = self.ready.remove(&self.next)?;
        self.next += 1;
        Some(due)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn written(ordered: bool, outputs: &[(u64, &str, bool)]) -> String {
        let (window, stop, totals) = (Window::new(9, 9, 99), AtomicBool::new(false), Totals::default());
        let mut sink = Vec::new();
        let writer = ResultWriter::new(&mut sink, ordered, &window, &stop, &totals, None, None);
        for &(number, text, cut_short) in outputs {
            assert!(window.enter());
            let coverage = if cut_short { Coverage::Cut } else { Coverage::All };
            writer.submit(number, ChunkOutput::new(ChunkResults::new(text.into()), coverage, 0), |_, _| ());
        }
        writer.finish().unwrap();
        String::from_utf8(sink).unwrap()
    }

    #[test]
    fn order_is_restored_if_requested() {
        let outputs = [(2, "c", false), (0, "a", false), (1, "b", false), (3, "d", false)];
        assert_eq!(written(true, &outputs), "abcd");
        assert_eq!(written(false, &outputs), "cabd");
    }

    #[test]
    fn an_ordered_run_writes_nothing_after_a_chunk_that_was_cut_short() {
        let outputs = [(1, "b", true), (0, "a", false), (2, "c", false)];
        assert_eq!(written(true, &outputs), "ab");
        assert_eq!(written(false, &outputs), "bac");
    }

    #[test]
    fn a_write_error_closes_the_window_and_is_returned() {
        struct BrokenSink;
        impl Write for BrokenSink {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        impl Sink for BrokenSink {}
        let (window, stop, totals) = (Window::new(9, 9, 99), AtomicBool::new(false), Totals::default());
        let mut broken = BrokenSink;
        let writer = ResultWriter::new(&mut broken, true, &window, &stop, &totals, None, None);
        assert!(window.enter());
        let output = ChunkOutput::new(ChunkResults::new(b"a".to_vec()), Coverage::All, 0);
        writer.submit(0, output, |_, _| ());
        assert!(!window.enter() && stop.load(Ordering::Relaxed));
        assert_eq!(writer.finish().unwrap_err().kind(), io::ErrorKind::BrokenPipe);
        assert_eq!(totals.numbers().bytes_written, 0);
    }
}
