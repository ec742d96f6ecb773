//! Processes one chunk: every record becomes one result.
//!
//! Cheap records (invalid ones, unsolvable boards, boards of one row or column, boards with a table
//! of whole paths) are settled immediately and written to the chunk's buffer. Boards in a full
//! table are deferred to the end of the chunk (`deferred`). A record that needs a search becomes a
//! separate task, which any worker may run. The chunk is pending until the last of these tasks has
//! ended.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use rayon::ScopeFifo;

use super::block_solvers::solve_in_blocks;
use super::chunk_output::{ChunkOutput, Coverage};
use super::chunk_text::{ChunkText, RecordHeader};
use super::deferred::Deferred;
use super::earlier::Digests;
use super::fast_path::BlockSolver;
use super::large_records::extra_bytes;
use super::panic_message::record_error;
use super::run::{READER_SHARD, Run};
use super::solve::{Attempt, Search};
use super::totals::Counts;
use crate::board::{Board, Path, Reflections};
use crate::format::input::{Chunk, Puzzle, Record, Records};
use crate::format::output::{Row, Verdict, json_string};
use crate::solver::LastGoal;

impl Run<'_> {
    /// Converts a chunk to its results: immediately, or in tasks of `scope` if boards need a
    /// search.
    pub fn process_chunk<'s>(&'s self, number: u64, chunk: Chunk, scope: &ScopeFifo<'s>) {
        self.window.begin();
        let expected = extra_bytes(&self.options.style, chunk.bytes.len(), chunk.records);
        let held_bytes = chunk.bytes.len() + expected;
        if self.stop.load(Ordering::Relaxed) {
            let coverage = Coverage::Nothing;
            self.submit(number, ChunkOutput { cut_short: true, coverage, held_bytes, ..ChunkOutput::default() });
            return;
        }
        let worker = rayon::current_thread_index().unwrap_or_default();
        let mut work = ChunkWork::new(self, &chunk, worker);
        work.solve_records();
        self.adapt_chunk_size(chunk.records, work.searches.len());
        let (results, searches) = work.finish();
        let source = Arc::clone(&chunk.source.name);
        self.input_buffers.give_back(READER_SHARD, chunk.bytes);
        // The input buffer was given back. From now on the window counts the output instead.
        let expected = if searches.is_empty() { 0 } else { expected };
        self.window.hold(results.text.len() + expected);
        self.window.release(held_bytes);
        if searches.is_empty() {
            let ChunkText { text, counts, digests, .. } = results;
            let (held_bytes, shard) = (text.len(), Some(worker));
            self.submit(number, ChunkOutput { text, counts, digests, held_bytes, shard, ..ChunkOutput::default() });
        } else {
            self.spawn_searches(number, (results, expected), searches, (&source, worker), scope);
        }
    }
}

/// A chunk being processed.
struct ChunkWork<'c, 'r> {
    run: &'c Run<'r>,
    chunk: &'c Chunk,
    worker: usize,
    /// The name of the source, as a JSON string.
    source: String,
    /// The line of the last record that was solved individually.
    line: u64,
    goals: LastGoal,
    /// The reflections of the last goal, if boards are compared.
    reflections: Option<Reflections>,
    /// A buffer for paths.
    path: Path,
    results: ChunkText,
    /// Boards that will be looked up in a full table.
    deferred: Deferred,
    /// Boards that need a search, each with a gap in `results`.
    searches: Vec<(Search, RecordHeader)>,
}

impl<'c, 'r> ChunkWork<'c, 'r> {
    fn new(run: &'c Run<'r>, chunk: &'c Chunk, worker: usize) -> Self {
        ChunkWork {
            run,
            chunk,
            worker,
            source: json_string(&chunk.source.name),
            line: chunk.first_line,
            goals: LastGoal::at_effort(chunk.source.effort),
            reflections: None,
            path: Path::new(),
            results: ChunkText::new(run.output_buffers.take(worker)),
            deferred: Deferred::default(),
            searches: Vec::new(),
        }
    }

    /// Solves all records that need no search: in blocks if the fast path recognises them,
    /// otherwise one by one.
    fn solve_records(&mut self) {
        let (mut records, mut done) = (self.chunk.records(), 0);
        let mut fast_path = self.run.block_solvers.take(self.worker, self.chunk, &self.run.solver, &mut self.goals);
        while done < self.chunk.records {
            done += self.solve_in_blocks(&mut fast_path, &mut records, self.chunk.records - done);
            if done == self.chunk.records {
                break;
            }
            self.solve_next(&mut records, self.chunk.first_index + done as u64);
            done += 1;
        }
        if let Some(block_solver) = fast_path {
            self.run.block_solvers.keep(self.worker, block_solver);
        }
    }

    /// Solves the next records by the fast path until one is not recognised, and returns their
    /// number. A bug in the program ends the fast path for this chunk.
    fn solve_in_blocks(
        &mut self,
        fast_path: &mut Option<Box<BlockSolver>>,
        records: &mut Records<'_>,
        max: usize,
    ) -> usize {
        let Some(block_solver) = fast_path else { return 0 };
        solve_in_blocks(block_solver, records, max, &mut self.results).unwrap_or_else(|fault| {
            self.run.report_fault(&self.chunk.source.name, self.line, &fault);
            *fast_path = None;
            0
        })
    }

    /// Solves the next record, whose number is `index`. A bug in the program affects only the
    /// result of this record.
    fn solve_next(&mut self, records: &mut Records<'_>, index: u64) {
        let before = (self.results.text.len(), self.results.counts, self.results.digests.len());
        let solved = catch_unwind(AssertUnwindSafe(|| {
            let record = records.next()?;
            let needed = self.solve_record(&record);
            Some((record, needed))
        }));
        let fault = match solved {
            Ok(Some((record, needed))) => {
                self.line = record.line;
                if let Some((mut search, linear_conflict)) = needed {
                    search.input_position = self.chunk.input_position.earlier(records.bytes_left());
                    self.results.add_gap();
                    self.searches.push((search, header(record, linear_conflict)));
                }
                return;
            }
            Ok(None) => "fewer records were found than were counted".to_string(),
            Err(panic) => record_error(&*panic),
        };
        self.fail_record(index, before, &fault);
    }

    /// Settles a record and writes its result, or defers it to a lookup in a full table, or returns
    /// the search that it needs, with the board's linear-conflict bound.
    #[inline]
    fn solve_record(&mut self, record: &Record) -> Option<(Search, Option<u64>)> {
        let ChunkWork { run, chunk, source, goals, path, results, deferred, reflections, .. } = self;
        let mut error = String::new();
        let (mut shortest_paths, mut linear_conflict) = (None, None);
        let (puzzle, verdict, detail) = match &record.puzzle {
            Err(invalid) => {
                error = invalid.to_string();
                (None, Verdict::Invalid(&error), None)
            }
            Ok(Puzzle { board, goal: record_goal }) => {
                let goal = record_goal.as_ref().unwrap_or(&chunk.source.goal);
                match run.solver.prepare(goal, board.shape(), goals) {
                    Err(invalid) => {
                        error = invalid;
                        (None, Verdict::Invalid(&error), None)
                    }
                    Ok(goal) => {
                        if run.compares_boards {
                            results.digests.push((record.index, digests(board, goal.goal(), reflections)));
                        }
                        linear_conflict = run.solver.linear_conflict(board, goal);
                        match run.solver.attempt(board, goal, path, &mut error) {
                            Attempt::Settled(verdict, detail, counted) => {
                                shortest_paths = counted;
                                (Some((board, &**goal.goal())), verdict, detail)
                            }
                            Attempt::InFullTable(start) => {
                                deferred.add(header(record.clone(), linear_conflict), board, goal, start, results);
                                return None;
                            }
                            // There is no search if its result would be too large to be written.
                            Attempt::Search(search) => match run.verdict_if_too_large(&search) {
                                Some(verdict) => (Some((board, &**goal.goal())), verdict, None),
                                None => return Some((search, linear_conflict)),
                            },
                        }
                    }
                }
            }
        };
        let (all_paths, expected) = (shortest_paths.as_ref(), run.solver.expected_at_once(&verdict));
        let bare = Row::bare(record.index, source, record.line, verdict);
        let (id, passthrough) = (record.id.as_deref(), &record.passthrough);
        let row = Row { id, passthrough, puzzle, detail, all_paths, linear_conflict, expected, ..bare };
        results.add(&row, &run.options.style);
        None
    }

    /// Writes the result of a record on which the program failed, after restoring the previous
    /// state of the results.
    #[cold]
    fn fail_record(&mut self, index: u64, (text_len, counts, digests_len): (usize, Counts, usize), fault: &str) {
        self.results.text.truncate(text_len);
        self.results.digests.truncate(digests_len);
        self.results.counts = counts;
        (self.goals, self.path) = (LastGoal::at_effort(self.chunk.source.effort), Path::new());
        self.run.report_fault(&self.chunk.source.name, self.line, fault);
        let (source, line, verdict) = (&*self.source, self.line, Verdict::Failed(fault));
        self.results.add(&Row::bare(index, source, line, verdict), &self.run.options.style);
    }

    /// Solves the deferred boards. Returns all results, and the searches for the gaps in them.
    fn finish(self) -> (ChunkText, Vec<(Search, RecordHeader)>) {
        let ChunkWork { run, chunk, worker, source, results, deferred, searches, .. } = self;
        if deferred.is_empty() {
            return (results, searches);
        }
        let report = |line, fault: &str| run.report_fault(&chunk.source.name, line, fault);
        let buffer = run.output_buffers.take(worker);
        let mut complete = deferred.solve(&results, buffer, &source, &run.options.style, report);
        run.output_buffers.give_back(worker, results.text);
        complete.digests = results.digests;
        (complete, searches)
    }
}

fn header(record: Record, linear_conflict: Option<u64>) -> RecordHeader {
    let Record { index, line, id, passthrough, .. } = record;
    RecordHeader { index, line, id, passthrough, linear_conflict }
}

/// Returns the digests of a board. `last` contains the reflections of the last goal, and receives
/// those of this one.
fn digests(board: &Board, goal: &Board, last: &mut Option<Reflections>) -> Digests {
    let reflections = last.take().filter(|last| last.goal() == goal);
    Digests::of(board, last.insert(reflections.unwrap_or_else(|| Reflections::of(goal))))
}
