//! Batched lookups: boards in a full table are looked up at the end of their chunk.
//!
//! Memory latency dominates the lookup of one path. The lookups of many boards can be interleaved
//! to hide it. So the boards of a chunk are collected and looked up together, and the results fill
//! the holes that the boards left.

use std::sync::Arc;
use std::time::Instant;

use super::chunk_results::{ChunkResults, RecordHeader};
use super::guarded;
use super::solve::replayed;
use crate::board::{Board, Path};
use crate::engine::contract::AnsweredBy;
use crate::engine::full_table::Start;
use crate::format::output::{Detail, Row, Verdict};
use crate::format::style::Style;
use crate::solver::PreparedGoal;

/// A board that will be looked up.
#[derive(Debug)]
pub struct TableLookup {
    /// The number of its hole in the results of the chunk.
    pub hole: usize,
    pub header: RecordHeader,
    pub board: Board,
    pub goal: Arc<PreparedGoal>,
    pub start: Start,
}

impl TableLookup {
    /// Returns the address of the engine that has the table. The address identifies the table.
    fn table(&self) -> *const () {
        Arc::as_ptr(&self.goal.engine).cast()
    }
}

/// Looks up boards, and moves all results of their chunk to `buffer`. The holes of searches remain.
///
/// `report` is called for each record on which the program failed, with its line and the fault.
pub fn fill_lookups(
    lookups: &[TableLookup],
    results: &mut ChunkResults,
    buffer: Vec<u8>,
    (source, style): (&str, &Style),
    report: impl Fn(u64, &str),
) -> ChunkResults {
    let began = Instant::now();
    // Boards of several tables may alternate. All boards of a table are looked up together.
    let mut by_table: Vec<&TableLookup> = lookups.iter().collect();
    by_table.sort_by_key(|lookup| lookup.table());
    let paths = by_table.chunk_by(|one, other| one.table() == other.table()).flat_map(paths_of);
    let mut found: Vec<_> = by_table.iter().zip(paths).collect();
    found.sort_unstable_by_key(|(lookup, _)| lookup.hole);
    let time_us = began.elapsed().as_micros() as u64 / lookups.len().max(1) as u64;
    let mut found = found.iter().peekable();
    results.filled(buffer, |hole, filled| {
        let Some((lookup, path)) = found.next_if(|(lookup, _)| lookup.hole == hole) else {
            filled.add_hole();
            return true;
        };
        let TableLookup { header, board, goal, .. } = lookup;
        let mut error = String::new();
        let (verdict, detail) = match path {
            Ok(path) => {
                let (engine, heuristic) = goal.names(&AnsweredBy::FullTable);
                let detail = Detail { engine, heuristic, nodes: 0, time_us, iterations: &[] };
                (replayed(board, goal, path, &mut error), Some(detail))
            }
            Err(fault) => {
                report(header.line, fault);
                (Verdict::Failed(fault), None)
            }
        };
        let puzzle = Some((board, &*goal.goal));
        filled.add(&Row { puzzle, detail, ..header.row(source, verdict) }, style);
        true
    })
}

/// Returns the paths of boards in the same table, or for each of them the message of a bug.
fn paths_of(lookups: &[&TableLookup]) -> Vec<Result<Path, String>> {
    let found = guarded(|| {
        let starts: Vec<Start> = lookups.iter().map(|lookup| lookup.start).collect();
        let mut paths = vec![Path::new(); starts.len()];
        if let [first, ..] = lookups {
            first.goal.look_up(&starts, &mut paths);
        }
        paths
    });
    match found {
        Ok(paths) => paths.into_iter().map(Ok).collect(),
        Err(fault) => vec![Err(fault); lookups.len()],
    }
}
