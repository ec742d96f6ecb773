//! Processes one chunk: every record becomes one result.
//!
//! Cheap records (invalid ones, unsolvable boards, boards of one row or column, boards with a table
//! of whole paths) are settled immediately and written to the chunk's buffer. Other results are
//! holes at first: boards in a full table are looked up together at the end of the chunk
//! (`lookups`), and a record that needs a search becomes a separate task, which any worker may run.
//! The chunk is pending until the last of these tasks has ended.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use rayon::ScopeFifo;

use super::block_solvers::solve_in_blocks;
use super::chunk_results::{ChunkOutput, ChunkResults, Coverage, RecordHeader};
use super::earlier::Digests;
use super::guarded;
use super::lookups::{TableLookup, fill_lookups};
use super::run::{INPUT_STACK, Run};
use super::solve::{Attempt, BoardSearch};
use super::totals::Counts;
use crate::board::{Board, Path, Reflections};
use crate::format::input::{Chunk, Puzzle, Record, Records};
use crate::format::output::{Row, Verdict, json_string};
use crate::heuristic::lower_bound;
use crate::solver::LastGoal;

impl Run<'_> {
    /// Converts a chunk to its results: immediately, or in tasks of `scope` if boards need a
    /// search. The results are expected to be longer than the chunk by `reserved` bytes.
    pub fn process_chunk<'s>(&'s self, number: u64, chunk: Chunk, reserved: usize, scope: &ScopeFifo<'s>) {
        self.window.begin();
        let held_bytes = chunk.bytes.len() + reserved;
        if self.stop.load(Ordering::Relaxed) {
            return self.submit(number, ChunkOutput::new(ChunkResults::default(), Coverage::Cut, held_bytes));
        }
        let worker = rayon::current_thread_index().unwrap_or_default();
        let mut work = ChunkWork::new(self, &chunk, worker);
        work.solve_records();
        self.adapt_chunk_size(chunk.record_count, work.searches.len());
        let (results, searches) = work.finish();
        let source = Arc::clone(&chunk.source.name);
        self.input_buffers.give_back(INPUT_STACK, chunk.bytes);
        // The input buffer was given back. From now on the window counts the output instead.
        let reserved = if searches.is_empty() { 0 } else { reserved };
        let text_bytes = results.text.len();
        self.window.hold(text_bytes + reserved);
        self.window.release(held_bytes);
        if searches.is_empty() {
            let output = ChunkOutput::new(results, Coverage::All, text_bytes);
            self.submit(number, ChunkOutput { stack: Some(worker), ..output });
        } else {
            self.spawn_searches(number, (results, reserved), searches, (&source, worker), scope);
        }
    }
}

/// Minimum size of a chunk, in records, that can show that the form of the records has changed.
const MANY_RECORDS: usize = 64;

/// A chunk being processed.
struct ChunkWork<'c, 'r> {
    run: &'c Run<'r>,
    chunk: &'c Chunk,
    worker: usize,
    /// The name of the source, as a JSON string.
    source: String,
    /// The line of the last record that was read individually.
    line: u64,
    goals: LastGoal,
    /// The reflections of the last goal, if boards are compared.
    reflections: Option<Reflections>,
    /// A buffer for paths.
    path: Path,
    /// The results, with a hole for each lookup and each search.
    results: ChunkResults,
    lookups: Vec<TableLookup>,
    searches: Vec<(BoardSearch, RecordHeader)>,
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
            results: ChunkResults::new(run.output_buffers.take(worker)),
            lookups: Vec::new(),
            searches: Vec::new(),
        }
    }

    /// Settles all records that need neither a lookup nor a search: in blocks if the fast path
    /// recognises them, otherwise one by one. Adds a hole for each of the others.
    fn solve_records(&mut self) {
        let (mut records, mut done, mut in_blocks) = (self.chunk.records(), 0, 0);
        let mut fast_path = self.run.block_solvers.take(self.worker, self.chunk, &self.run.solver, &mut self.goals);
        while done < self.chunk.record_count {
            if let Some(block_solver) = &mut fast_path {
                match solve_in_blocks(block_solver, &mut records, self.chunk.record_count - done, &mut self.results) {
                    Ok(solved) => {
                        done += solved;
                        in_blocks += solved;
                    }
                    // A bug in the program ends the fast path for this chunk.
                    Err(fault) => {
                        self.run.report_fault(&self.chunk.source.name, self.line, &fault);
                        fast_path = None;
                    }
                }
                if done == self.chunk.record_count {
                    break;
                }
            }
            self.solve_next(&mut records, self.chunk.first_index + done as u64);
            done += 1;
        }
        // If most records were not recognised, the form of the records has changed, and the next
        // chunk gets a new block solver. A few records do not show this: forms may alternate, and a
        // block solver is expensive to make.
        if let Some(block_solver) = fast_path.filter(|_| done < MANY_RECORDS || 2 * in_blocks >= done) {
            self.run.block_solvers.keep(self.worker, block_solver);
        }
    }

    /// Solves the next record, whose number is `index`. A bug in the program affects only the
    /// result of this record.
    fn solve_next(&mut self, records: &mut Records<'_>, index: u64) {
        let before = (self.results.text.len(), self.results.counts, self.results.digests.len());
        let solved = guarded(|| {
            let record = records.next()?;
            self.line = record.line;
            self.solve_record(record, records.bytes_left());
            Some(())
        });
        match solved {
            Ok(Some(())) => {}
            Ok(None) => self.fail_record(index, before, "fewer records were found than were counted"),
            Err(fault) => self.fail_record(index, before, &fault),
        }
    }

    /// Settles a record and writes its result. If the record needs a lookup or a search, adds a
    /// hole for the result, and keeps the lookup or search for later. `bytes_left` bytes of the
    /// chunk follow the record.
    #[inline]
    fn solve_record(&mut self, record: Record, bytes_left: u64) {
        let ChunkWork { run, chunk, source, goals, path, results, .. } = self;
        let Record { index, line, id, passthrough, puzzle } = record;
        let mut header = RecordHeader { index, line, id, passthrough, linear_conflict: None };
        let prepared = match puzzle {
            Err(invalid) => Err(invalid.to_string()),
            Ok(Puzzle { board, goal }) => {
                let goal = goal.as_ref().unwrap_or(&chunk.source.goal);
                run.solver.prepare(goal, board.shape(), goals).map(|goal| (board, goal))
            }
        };
        let (board, goal) = match prepared {
            Ok(prepared) => prepared,
            Err(invalid) => return results.add(&header.row(source, Verdict::Invalid(&invalid)), &run.options.style),
        };
        if run.compares_boards {
            results.digests.push((index, digests(&board, &goal.goal, &mut self.reflections)));
        }
        if run.solver.needs_linear_conflict {
            header.linear_conflict = goal.admit(&board).map(|_| lower_bound(&board, &goal.goal));
        }
        let mut error = String::new();
        let (verdict, detail, all_paths) = match run.solver.attempt(&board, goal, path, &mut error) {
            Attempt::Settled(verdict, detail, all_paths) => (verdict, detail, all_paths),
            Attempt::InFullTable(start) => {
                let (hole, goal) = (results.add_hole(), Arc::clone(goal));
                return self.lookups.push(TableLookup { hole, header, board, goal, start });
            }
            // A board is not searched if even its shortest path, or the result with that path,
            // would be too long.
            Attempt::Search(admitted) => match run.verdict_if_too_large(&board, &goal.goal) {
                Some(verdict) => (verdict, None, None),
                None => {
                    let (goal, input_position) = (Arc::clone(goal), chunk.input_position.earlier(bytes_left));
                    results.add_hole();
                    return self.searches.push((BoardSearch { board, goal, admitted, input_position }, header));
                }
            },
        };
        let (puzzle, expected) = (Some((&board, &*goal.goal)), run.solver.expected_without_search(&verdict));
        let all_paths = all_paths.as_ref();
        let row = Row { puzzle, detail, all_paths, expected, ..header.row(source, verdict) };
        results.add(&row, &run.options.style);
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
        let row = Row::bare(index, &self.source, self.line, Verdict::Failed(fault));
        self.results.add(&row, &self.run.options.style);
    }

    /// Looks up the boards in full tables. Returns the results, and the searches that will fill the
    /// holes that remain in them.
    fn finish(self) -> (ChunkResults, Vec<(BoardSearch, RecordHeader)>) {
        let ChunkWork { run, chunk, worker, source, mut results, lookups, searches, .. } = self;
        if !lookups.is_empty() {
            let report = |line, fault: &str| run.report_fault(&chunk.source.name, line, fault);
            let buffer = run.output_buffers.take(worker);
            let filled = fill_lookups(&lookups, &mut results, buffer, (&source, &run.options.style), report);
            run.output_buffers.give_back(worker, std::mem::replace(&mut results, filled).text);
        }
        (results, searches)
    }
}

/// Returns the digests of a board. `last` contains the reflections of the last goal, and receives
/// those of this one.
fn digests(board: &Board, goal: &Board, last: &mut Option<Reflections>) -> Digests {
    let reflections = last.take().filter(|last| last.goal() == goal);
    Digests::of(board, last.insert(reflections.unwrap_or_else(|| Reflections::of(goal))))
}
