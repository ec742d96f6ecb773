//! Searches of boards, as tasks that any worker may run. Repeated boards are searched once if their
//! results are still in the memo.

use std::cell::LazyCell;
use std::sync::Arc;
use std::time::Duration;

use rayon::ScopeFifo;

use super::active_searches::Ended;
use super::chunk_results::{ChunkResults, PendingChunk, RecordHeader, SearchTask};
use super::guarded;
use super::memo::{LookupResult, Memo};
use super::run::Run;
use super::solve::{BoardSearch, SearchKey, SearchResult};
use super::totals::Slowest;
use crate::board::{Board, MAX_SEARCH_CELLS, Path};
use crate::engine::{Parallel, Task};
use crate::format::output::{Row, Verdict, json_string};
use crate::format::text::id_text;
use crate::heuristic::lower_bound;
use crate::system::Limit;

impl Run<'_> {
    /// Starts the searches of a chunk, each in a task of `scope`. `results` has a hole for each
    /// search, and the window counts `reserved` bytes for their results.
    pub fn spawn_searches<'s>(
        &'s self,
        number: u64,
        (results, reserved): (ChunkResults, usize),
        searches: Vec<(BoardSearch, RecordHeader)>,
        (source, worker): (&Arc<str>, usize),
        scope: &ScopeFifo<'s>,
    ) {
        let mut chunk = PendingChunk::new(number, results, reserved);
        if !self.options.ordered {
            // Known results do not wait for the others.
            let searched = searches.iter().map(|(_, header)| header.index).collect();
            self.submit(number, chunk.take_known(searched, worker));
        }
        let chunk = Arc::new(chunk);
        let task = |(hole, (search, header))| {
            let (source, chunk) = (Arc::clone(source), Arc::clone(&chunk));
            SearchTask { search, header, source, chunk, hole }
        };
        let tasks: Vec<SearchTask> = searches.into_iter().enumerate().map(task).collect();
        // From now on, only the searches refer to the chunk.
        drop(chunk);
        for task in tasks {
            let busy = self.thread_share.task();
            scope.spawn_fifo(move |_| self.run_search(task, busy));
        }
    }

    /// Searches a board, or queues it if boards are searched one at a time.
    fn run_search(&self, task: SearchTask, busy: Task) {
        let (source, line) = (Arc::clone(&task.source), task.header.line);
        let search = || match self.thread_share.parallel() {
            Parallel::Auto | Parallel::Across => self.search(task),
            Parallel::Within => self.serial_queue.run(task, |task| self.search(task)),
        };
        self.end_on_panic(|| format!("at or soon after {source}:{line}"), search);
        drop(busy);
    }

    /// Returns the verdict `unsolved` if even a shortest path would have more moves than allowed,
    /// or would make the result too long. Returns `None` if the board must be searched.
    pub fn verdict_if_too_large(&self, board: &Board, goal: &Board) -> Option<Verdict<'static>> {
        if board.shape().cells() <= MAX_SEARCH_CELLS && self.options.max_moves.is_none() {
            return None;
        }
        let bound = LazyCell::new(|| lower_bound(board, goal));
        let has_too_many = self.options.max_moves.is_some_and(|max| *bound > max);
        let is_too_large = has_too_many || self.options.style.is_too_large(board, || *bound);
        is_too_large.then(|| Verdict::Unsolved { lower_bound: *bound, limit: Limit::Effort })
    }

    /// Searches a board, unless its result is in the memo or another thread is searching it.
    /// Completes the tasks that wait for the result.
    fn search(&self, task: SearchTask) {
        match self.solver.key(&task.search) {
            None => {
                let result = self.search_now(&task);
                self.complete(task, result.as_ref().map_err(String::as_str));
            }
            Some(key @ SearchKey::Proven(_)) => self.search_once(&self.memo, key, task),
            Some(key @ SearchKey::Good(_)) => self.search_once(&self.good_memo, key, task),
        }
    }

    fn search_once(&self, memo: &Memo<SearchTask>, key: SearchKey, task: SearchTask) {
        let task = match memo.look_up(key.clone(), task) {
            LookupResult::Queued => return,
            LookupResult::Known(task, result) => return self.complete(task, Ok(&result)),
            LookupResult::Search(task) => task,
        };
        let result = self.search_now(&task).map(Arc::new);
        for task in memo.finish(key, result.as_ref().ok()).into_iter().chain([task]) {
            self.complete(task, result.as_deref().map_err(String::as_str));
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
        let searched = guarded(|| self.solver.search(&task.search, log));
        let how = match &searched {
            Ok(result) if result.is_cancelled() => Ended::Interrupted,
            _ => Ended::Finished,
        };
        active.end(number, how);
        let result = searched.inspect_err(|fault| self.report_fault(&task.source, task.header.line, fault))?;
        let took = Duration::from_micros(result.time_us);
        let RecordHeader { index, line, ref id, .. } = task.header;
        self.totals.update(|totals| {
            totals.nodes += result.work_done.stats.generated;
            if totals.slowest.as_ref().is_none_or(|slowest| slowest.time < took) {
                let (source, id) = (task.source.to_string(), id.as_deref().map(id_text));
                totals.slowest = Some(Slowest { index, source, line, id, time: took });
            }
        });
        Ok(result)
    }

    /// Formats the result of a task, and submits the output that this completes, if any.
    fn complete(&self, task: SearchTask, result: Result<&SearchResult, &str>) {
        let line = self.result_line(&task, result);
        let SearchTask { chunk, hole, header, .. } = task;
        let number = chunk.number;
        let output = match self.options.ordered {
            true => chunk.end_search(hole, line),
            false => Some(chunk.end_unordered_search(header.index, line)),
        };
        if let Some(output) = output {
            self.submit(number, output);
        }
    }

    /// Returns the result line of a task, from the result of its search or the message of a bug, or
    /// `None` if the run was stopped before its search ended.
    fn result_line(&self, task: &SearchTask, result: Result<&SearchResult, &str>) -> Option<ChunkResults> {
        let mut error = String::new();
        let (verdict, detail) = match result {
            Ok(result) => task.search.verdict(result, &mut error)?,
            Err(fault) => (Verdict::Failed(fault), None),
        };
        let result = result.ok();
        if self.solver.needs_estimate {
            let time = result.and_then(SearchResult::expected_time);
            self.totals.update(|totals| totals.estimates.add(time));
        }
        let all_paths = result.and_then(|result| result.all_paths.as_ref());
        let source = json_string(&task.source);
        let row = Row {
            puzzle: Some((&task.search.board, &*task.search.goal.goal)),
            detail,
            all_paths: all_paths.filter(|_| verdict.path().is_some()),
            expected: result.and_then(SearchResult::expected),
            ..task.header.row(&source, verdict)
        };
        // Room for the whole path is reserved now, so that a path of millions of moves is not
        // copied when the buffer grows.
        let path = verdict.path().filter(|_| self.options.style.writes_paths()).map_or(0, Path::len);
        let mut line = ChunkResults::new(Vec::with_capacity(path + 256));
        line.add(&row, &self.options.style);
        Some(line)
    }
}
