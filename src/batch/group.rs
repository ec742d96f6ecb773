//! Boards that are answered from a full table, put off to the end of their chunk.
//!
//! Going down the table is waiting for memory, unless many boards go down in turn. So the boards of
//! a chunk are gathered, go down together, and their results are put between those that were written
//! meanwhile. Where nothing else is in a chunk, its results are written once, in order.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

use super::chunk::{panic_message, replayed};
use super::totals::Counts;
use crate::board::{Board, Path};
use crate::engine::descent::Start;
use crate::format::output::{Detail, Row, Verdict};
use crate::format::style::Style;
use crate::ladder::Used;
use crate::solver::{Engine, Prepared};

/// The boards of a chunk that have been put off.
#[derive(Default)]
pub(super) struct Group {
    goals: Vec<Goal>,
    tables: Vec<Table>,
    boards: Vec<Late>,
}

/// A goal, and which table its boards go down.
struct Goal {
    goal: Arc<Board>,
    prepared: Arc<Prepared>,
    table: usize,
}

/// A full table and the boards that go down it.
struct Table {
    engine: Arc<Engine>,
    starts: Vec<Start>,
}

/// A board that was put off.
struct Late {
    place: Place,
    board: Board,
    goal: usize,
    /// Which of its table's boards it is.
    turn: usize,
    /// How much of the chunk's text goes before its result, and how many of its gaps.
    text_before: usize,
    gaps_before: usize,
}

/// The text of a chunk, what it says, and its gaps: where, and what the text before each says.
pub(super) struct Written {
    pub(super) text: Vec<u8>,
    pub(super) counts: Counts,
    pub(super) gaps: Vec<(usize, Counts)>,
}

/// Where a board stands in its file.
pub(super) struct Place {
    pub(super) index: u64,
    pub(super) line: u64,
    pub(super) id: Option<Box<str>>,
}

impl Group {
    /// Nothing was put off.
    pub(super) fn is_empty(&self) -> bool {
        self.boards.is_empty()
    }

    /// Puts a board off until all that comes before it is in `text_before` bytes and `gaps_before` gaps.
    pub(super) fn put(
        &mut self,
        place: Place,
        board: &Board,
        start: Start,
        (goal, prepared): (&Arc<Board>, &Arc<Prepared>),
        (text_before, gaps_before): (usize, usize),
    ) {
        if self.goals.last().is_none_or(|last| !Arc::ptr_eq(&last.prepared, prepared)) {
            let engine = &prepared.engine;
            let known = self.tables.iter().position(|table| Arc::ptr_eq(&table.engine, engine));
            let table = known.unwrap_or_else(|| {
                self.tables.push(Table { engine: Arc::clone(engine), starts: Vec::new() });
                self.tables.len() - 1
            });
            self.goals.push(Goal { goal: Arc::clone(goal), prepared: Arc::clone(prepared), table });
        }
        let goal = self.goals.len() - 1;
        let starts = &mut self.tables[self.goals[goal].table].starts;
        self.boards.push(Late { place, board: board.clone(), goal, turn: starts.len(), text_before, gaps_before });
        starts.push(start);
    }

    /// Solves the boards and writes their results to `text`, in their places among what was written.
    ///
    /// `report` is told of faults of the program, and the lines on which they are met.
    pub(super) fn settle(
        self,
        written: &Written,
        mut text: Vec<u8>,
        source: &str,
        style: &Style,
        report: impl Fn(u64, &str),
    ) -> Written {
        let began = Instant::now();
        let answers: Vec<Result<Vec<Path>, String>> = self.tables.iter().map(Table::descend).collect();
        let time_us = began.elapsed().as_micros() as u64 / self.boards.len().max(1) as u64;
        let (mut counts, mut gaps) = (Counts::default(), Vec::with_capacity(written.gaps.len()));
        let mut old_gaps = written.gaps.iter();
        let mut copied = 0;
        // Text up to a place, and the gaps in it, which move behind what was put in between.
        let mut copy = |text: &mut Vec<u8>, to: usize, gaps_before: usize, counts: &Counts| {
            while gaps.len() < gaps_before {
                let Some(&(at, before)) = old_gaps.next() else { break };
                text.extend_from_slice(&written.text[copied..at]);
                copied = at;
                let mut all = before;
                all.merge(counts);
                gaps.push((text.len(), all));
            }
            text.extend_from_slice(&written.text[copied..to]);
            copied = to;
        };
        for late in &self.boards {
            copy(&mut text, late.text_before, late.gaps_before, &counts);
            let Goal { goal, prepared, table } = &self.goals[late.goal];
            let (engine, heuristic) = prepared.engine.names(&Used::Full);
            let mut wrong = String::new();
            let (verdict, puzzle, detail) = match &answers[*table] {
                Ok(paths) => {
                    let verdict = replayed(&late.board, goal, &paths[late.turn], &mut wrong);
                    let detail = Detail { engine, heuristic, nodes: 0, time_us };
                    (verdict, Some((&late.board, &**goal)), Some(detail))
                }
                Err(fault) => {
                    report(late.place.line, fault);
                    (Verdict::Failed(fault), None, None)
                }
            };
            counts.add(&verdict);
            let Place { index, line, ref id } = late.place;
            Row { index, source, line, id: id.as_deref(), puzzle, verdict, detail }.write(style, &mut text);
        }
        copy(&mut text, written.text.len(), written.gaps.len(), &counts);
        counts.merge(&written.counts);
        Written { text, counts, gaps }
    }
}

impl Table {
    /// The paths of all boards, or what went wrong: a fault of the program costs them their answers, and nothing else.
    fn descend(&self) -> Result<Vec<Path>, String> {
        let paths = catch_unwind(AssertUnwindSafe(|| {
            let mut paths = vec![Path::new(); self.starts.len()];
            match self.engine.full_table() {
                Some(table) => table.solve_all(&self.starts, &mut paths),
                None => panic!("a full table was there and is not"),
            }
            paths
        }));
        paths.map_err(|panic| panic_message(&*panic))
    }
}
