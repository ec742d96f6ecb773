//! Searches of boards, as tasks that any worker may run. Repeated boards are searched once if their
//! results are still in the memo.

use std::cell::OnceCell;
use std::hash::Hash;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use rayon::ScopeFifo;

use super::active_searches::Ended;
use super::chunk_output::{ChunkOutput, Coverage};
use super::chunk_text::{ChunkText, RecordHeader};
use super::memo::{Lookup, Memo};
use super::panic_message::record_error;
use super::pending_chunk::{GapResult, PendingChunk};
use super::run::Run;
use super::search_task::SearchTask;
use super::solve::{Search, SearchKey, SearchResult};
use crate::board::{MAX_SEARCH_CELLS, Path};
use crate::engine::{Parallel, Task};
use crate::format::output::{Row, Verdict, json_string};
use crate::heuristic::lower_bound;
use crate::system::Limit;

impl Run<'_> {
    /// Starts the searches of a chunk, each in a task of `scope`. `results` has a gap for each
    /// search, and the window counts `expected` bytes for their results.
    pub fn spawn_searches<'s>(
        &'s self,
        number: u64,
        (mut results, expected): (ChunkText, usize),
        searches: Vec<(Search, RecordHeader)>,
        (source, worker): (&Arc<str>, usize),
        scope: &ScopeFifo<'s>,
    ) {
        if !self.options.ordered {
            // Known results do not wait for the others.
            self.submit_known(number, &mut results, &searches, worker);
        }
        let chunk = Arc::new(PendingChunk::new(number, results, expected));
        for (gap, (search, header)) in searches.into_iter().enumerate() {
            let task = SearchTask { search, header, source: Arc::clone(source), chunk: Arc::clone(&chunk), gap };
            let busy = self.thread_share.task();
            scope.spawn_fifo(move |_| self.run_search(task, busy));
        }
    }

    fn run_search(&self, task: SearchTask, busy: Task) {
        let (source, line) = (Arc::clone(&task.source), task.header.line);
        self.end_on_panic(|| format!("{source}:{line}"), || self.start_search(task));
        drop(busy);
    }

    /// Takes the known results and submits them.
    fn submit_known(&self, number: u64, results: &mut ChunkText, searches: &[(Search, RecordHeader)], worker: usize) {
        let text = std::mem::take(&mut results.text);
        let output = ChunkOutput {
            held_bytes: text.len(),
            text,
            counts: results.counts,
            more_follows: true,
            coverage: Coverage::AllBut(searches.iter().map(|(_, header)| header.index).collect()),
            shard: Some(worker),
            ..ChunkOutput::default()
        };
        self.submit(number, output);
    }

    /// Searches a board, or queues it if boards are searched one at a time.
    fn start_search(&self, task: SearchTask) {
        match self.thread_share.parallel() {
            Parallel::Auto | Parallel::Across => self.search(task),
            Parallel::Within => self.serial_queue.run(task, |task| self.search(task)),
        }
    }

    /// Returns the verdict on a board whose every path would be too long, or `None` if the board
    /// must be searched.
    pub fn verdict_if_too_large(&self, search: &Search) -> Option<Verdict<'static>> {
        let (board, goal) = search.puzzle();
        if board.shape().cells() <= MAX_SEARCH_CELLS && self.options.max_moves.is_none() {
            return None;
        }
        let bound = OnceCell::new();
        let lower_bound = || *bound.get_or_init(|| lower_bound(board, goal));
        let has_too_many = self.options.max_moves.is_some_and(|max| lower_bound() > max);
        let is_too_large = has_too_many || self.options.style.is_too_large(board, lower_bound);
        is_too_large.then(|| Verdict::Unsolved { lower_bound: lower_bound(), limit: Limit::Effort })
    }

    /// Searches a board unless it was searched or is being searched, and completes the tasks that
    /// wait for its result.
    fn search(&self, task: SearchTask) {
        match self.solver.key(&task.search) {
            None => {
                let result = self.search_now(&task);
                self.complete(&task, result.as_ref().map_err(String::as_str));
            }
            Some(SearchKey::Proven(space, board)) => self.search_once(&self.memo, (space, board), task),
            Some(SearchKey::Good(key)) => self.search_once(&self.good_memo, key, task),
        }
    }

    fn search_once<K: Clone + Eq + Hash>(&self, memo: &Memo<K, SearchTask>, key: K, task: SearchTask) {
        let task = match memo.look_up(key.clone(), task) {
            Lookup::Queued => return,
            Lookup::Known(task, result) => return self.complete(&task, Ok(&result)),
            Lookup::Search(task) => task,
        };
        match self.search_now(&task) {
            Ok(result) => {
                let result = Arc::new(result);
                for task in memo.finish(key, &result).iter().chain([&task]) {
                    self.complete(task, Ok(&result));
                }
            }
            Err(fault) => {
                for task in memo.abandon(&key).iter().chain([&task]) {
                    self.complete(task, Err(&fault));
                }
            }
        }
    }

    /// Searches a board, and adds the work to the totals.
    ///
    /// # Errors
    /// The message of a bug in the program, which is also reported.
    fn search_now(&self, task: &SearchTask) -> Result<SearchResult, String> {
        let active = self.totals.active_searches();
        let place = (&task.source, task.header.line);
        let (number, log) = active.begin(task.search.board_key(), place, task.chunk.number);
        let searched = catch_unwind(AssertUnwindSafe(|| self.solver.search(&task.search, log)));
        let how = match &searched {
            Ok(result) if result.is_cancelled() => Ended::Interrupted,
            _ => Ended::Finished,
        };
        active.end(number, how);
        let result = searched.map_err(|panic| {
            let fault = record_error(&*panic);
            self.report_fault(&task.source, task.header.line, &fault);
            fault
        })?;
        self.totals.add_nodes(result.effort.stats.generated);
        let took = Duration::from_micros(result.time_us);
        let RecordHeader { index, line, ref id, .. } = task.header;
        self.totals.offer_slowest(took, &task.source, (index, line), id.as_deref());
        Ok(result)
    }

    /// Formats the result of a task, and submits the output that this completes, if any.
    fn complete(&self, task: &SearchTask, result: Result<&SearchResult, &str>) {
        let result = self.gap_result(task, result);
        let output = match (self.options.ordered, result) {
            (true, result) => task.chunk.fill(task.gap, result),
            (false, GapResult::Line(text, counts)) => {
                let (is_last, coverage) = (task.chunk.count_down(), Coverage::One(task.header.index));
                let held_bytes = if is_last { task.chunk.expected } else { 0 };
                Some(ChunkOutput {
                    text,
                    counts,
                    more_follows: !is_last,
                    coverage,
                    held_bytes,
                    ..ChunkOutput::default()
                })
            }
            (false, GapResult::Cancelled) => {
                let (coverage, held_bytes) = (Coverage::Nothing, task.chunk.expected);
                let nothing = || ChunkOutput { coverage, held_bytes, ..ChunkOutput::default() };
                task.chunk.count_down().then(nothing)
            }
        };
        if let Some(output) = output {
            self.submit(task.chunk.number, output);
        }
    }

    /// Returns the result line of a task, from the result of its search or the message of a bug.
    fn gap_result(&self, task: &SearchTask, result: Result<&SearchResult, &str>) -> GapResult {
        let mut error = String::new();
        let (verdict, detail) = match result {
            Ok(result) => match task.search.verdict(result, &mut error) {
                Some(verdict) => verdict,
                None => return GapResult::Cancelled,
            },
            Err(fault) => (Verdict::Failed(fault), None),
        };
        if self.solver.needs_estimate() {
            self.totals.add_estimate(result.ok().and_then(SearchResult::expected_time));
        }
        let all_paths = result.ok().and_then(|result| result.all_paths.as_ref());
        let source = json_string(&task.source);
        let row = Row {
            id: task.header.id.as_deref(),
            passthrough: &task.header.passthrough,
            puzzle: Some(task.search.puzzle()),
            detail,
            all_paths: all_paths.filter(|_| verdict.path().is_some()),
            linear_conflict: task.header.linear_conflict,
            expected: result.ok().and_then(SearchResult::expected),
            ..Row::bare(task.header.index, &source, task.header.line, verdict)
        };
        // Reserved in advance, so that a path of millions of moves is not copied when the buffer
        // grows.
        let path = verdict.path().filter(|_| self.options.style.writes_paths()).map_or(0, Path::len);
        let mut line = ChunkText::new(Vec::with_capacity(path + 256));
        line.add(&row, &self.options.style);
        GapResult::Line(line.text, line.counts)
    }
}
