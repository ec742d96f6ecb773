//! Batched lookups: boards in a full table are deferred to the end of their chunk.
//!
//! Memory latency dominates the lookup of one path. The lookups of many boards can be interleaved
//! to hide it. So the boards of a chunk are collected and looked up together, and their results are
//! merged with the other results. If all boards of a chunk are deferred, the merge copies nothing.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

use super::chunk_text::{ChunkText, Gap, RecordHeader};
use super::panic_message::record_error;
use super::solve::{replayed, solve_in_full_table};
use crate::board::{Board, Path};
use crate::engine::contract::{AnsweredBy, Engine};
use crate::engine::full_table::Start;
use crate::format::output::{Detail, Row, Verdict};
use crate::format::style::Style;
use crate::solver::PreparedGoal;

/// The deferred boards of a chunk.
#[derive(Default)]
pub struct Deferred {
    goals: Vec<Goal>,
    tables: Vec<Table>,
    boards: Vec<DeferredBoard>,
}

/// A goal, and the index of its table.
struct Goal {
    prepared: Arc<PreparedGoal>,
    table: usize,
}

/// A full table, and the boards to look up in it.
struct Table {
    engine: Arc<dyn Engine>,
    starts: Vec<Start>,
}

struct DeferredBoard {
    header: RecordHeader,
    board: Board,
    goal: usize,
    /// The index of the board among the boards of its table.
    nth: usize,
    /// The number of bytes in the chunk's text before its result.
    text_before: usize,
    /// The number of gaps in the chunk's text before its result.
    gaps_before: usize,
}

impl Deferred {
    /// Returns true if no board was deferred.
    pub fn is_empty(&self) -> bool {
        self.boards.is_empty()
    }

    /// Defers a board. Its result follows the current content of `results`.
    pub fn add(
        &mut self,
        header: RecordHeader,
        board: &Board,
        prepared: &Arc<PreparedGoal>,
        start: Start,
        results: &ChunkText,
    ) {
        if self.goals.last().is_none_or(|last| !Arc::ptr_eq(&last.prepared, prepared)) {
            let table = self.table_of(prepared.engine());
            self.goals.push(Goal { prepared: Arc::clone(prepared), table });
        }
        let goal = self.goals.len() - 1;
        let starts = &mut self.tables[self.goals[goal].table].starts;
        let (nth, text_before, gaps_before) = (starts.len(), results.text.len(), results.gaps.len());
        self.boards.push(DeferredBoard { header, board: board.clone(), goal, nth, text_before, gaps_before });
        starts.push(start);
    }

    fn table_of(&mut self, engine: &Arc<dyn Engine>) -> usize {
        let index = self.tables.iter().position(|table| Arc::ptr_eq(&table.engine, engine));
        index.unwrap_or_else(|| {
            self.tables.push(Table { engine: Arc::clone(engine), starts: Vec::new() });
            self.tables.len() - 1
        })
    }

    /// Solves the boards, and writes all results of the chunk to `buffer`: the new ones, and those
    /// in `chunk_text`.
    ///
    /// `report` is called for each record on which the program failed, with its line and the fault.
    pub fn solve(
        self,
        chunk_text: &ChunkText,
        buffer: Vec<u8>,
        source: &str,
        style: &Style,
        report: impl Fn(u64, &str),
    ) -> ChunkText {
        let began = Instant::now();
        let answers: Vec<Result<Vec<Path>, String>> = self.tables.iter().map(Table::solve).collect();
        let time_us = began.elapsed().as_micros() as u64 / self.boards.len().max(1) as u64;
        let mut merge = Merge { chunk_text, copied: 0, merged: ChunkText::new(buffer) };
        merge.merged.gaps.reserve_exact(chunk_text.gaps.len());
        for DeferredBoard { header, board, goal, nth, text_before, gaps_before } in &self.boards {
            merge.copy(*text_before, *gaps_before);
            let Goal { prepared, table } = &self.goals[*goal];
            let (engine, heuristic) = prepared.names(&AnsweredBy::FullTable);
            let goal = &**prepared.goal();
            let mut error = String::new();
            let (verdict, puzzle, detail) = match &answers[*table] {
                Ok(paths) => {
                    let verdict = replayed(board, prepared, &paths[*nth], &mut error);
                    (
                        verdict,
                        Some((board, goal)),
                        Some(Detail { engine, heuristic, nodes: 0, time_us, iterations: &[] }),
                    )
                }
                Err(fault) => {
                    report(header.line, fault);
                    (Verdict::Failed(fault), Some((board, goal)), None)
                }
            };
            let &RecordHeader { index, line, ref id, ref passthrough, linear_conflict } = header;
            let (id, bare) = (id.as_deref(), Row::bare(index, source, line, verdict));
            merge.merged.add(&Row { id, passthrough, puzzle, detail, linear_conflict, ..bare }, style);
        }
        merge.finish()
    }
}

impl Table {
    /// Returns the paths of all boards, or an error message if the program failed on them.
    fn solve(&self) -> Result<Vec<Path>, String> {
        catch_unwind(AssertUnwindSafe(|| solve_in_full_table(&*self.engine, &self.starts)))
            .map_err(|panic| record_error(&*panic))
    }
}

/// A merge of new results into the text of a chunk.
struct Merge<'a> {
    chunk_text: &'a ChunkText,
    /// The number of bytes copied from `chunk_text`.
    copied: usize,
    /// The merged results. Until the end, its counts are of new results only.
    merged: ChunkText,
}

impl Merge<'_> {
    /// Copies the chunk's text up to a position, and the gaps in it, which move by the length of
    /// the new results before them.
    fn copy(&mut self, to: usize, gaps_before: usize) {
        while self.merged.gaps.len() < gaps_before {
            let Some(&Gap { at, mut before }) = self.chunk_text.gaps.get(self.merged.gaps.len()) else { break };
            self.copy_text(at);
            before.merge(&self.merged.counts);
            self.merged.gaps.push(Gap { at: self.merged.text.len(), before });
        }
        self.copy_text(to);
    }

    fn copy_text(&mut self, to: usize) {
        self.merged.text.extend_from_slice(&self.chunk_text.text[self.copied..to]);
        self.copied = to;
    }

    /// Copies the rest.
    fn finish(mut self) -> ChunkText {
        self.copy(self.chunk_text.text.len(), self.chunk_text.gaps.len());
        self.merged.counts.merge(&self.chunk_text.counts);
        self.merged
    }
}
