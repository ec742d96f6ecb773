//! The work on one chunk: every record becomes one result.
//!
//! What costs next to nothing – invalid, unsolvable, lines, lookups – is settled on the spot and
//! written into the chunk's buffer. What is answered from a full table is put off to the chunk's end (`group`). What
//! has to be searched becomes a task of its own, which any worker may take; the chunk stays open
//! until the last of them is back.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::{Arc, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rayon::ScopeFifo;

use super::accounts::Part;
use super::delivery::Piece;
use super::group::{Group, Place, Written};
use super::memo::{Answer, Key, Turn};
use super::open::{Filling, OpenChunk};
use super::totals::Counts;
use super::{READER, Run, Sink};
use crate::board::{Board, GoalSpec, Path, Shape, Solvable, is_solvable};
use crate::bulk::{Bulk, FastPath, Stretch, Template};
use crate::engine::{Budget, Limit, Outcome, Parallel, Stats, line};
use crate::format::input::{Chunk, Puzzle, Record, Records};
use crate::format::output::{Detail, Row, Verdict, json_string};
use crate::format::style::Style;
use crate::solver::Prepared;
use crate::verify;

/// What a worker keeps from record to record.
#[derive(Default)]
struct Desk {
    path: Path,
    /// The goal that was last prepared; in most files the only one.
    ready: Option<PreparedGoal>,
    /// How many results of the chunk are still missing in its text.
    gaps: usize,
}

/// What is left to do for a record.
enum Left {
    Nothing,
    /// Its board was put off to the chunk's end.
    Late,
    /// Its board has to be searched.
    Search(Search),
}

/// A goal on a shape, ready to be used.
struct PreparedGoal {
    asked: GoalSpec,
    shape: Shape,
    goal: Arc<Board>,
    /// `None`: boards of this size are not searched.
    prepared: Option<Arc<Prepared>>,
}

/// A board that has to be searched.
#[derive(Debug)]
struct Search {
    board: Board,
    goal: Arc<Board>,
    prepared: Arc<Prepared>,
    start: Solvable,
}

/// A search and the place of its result: which record, and which gap of which chunk.
#[derive(Debug)]
pub struct Task {
    search: Search,
    index: u64,
    line: u64,
    id: Option<Box<str>>,
    source: Arc<str>,
    open: Arc<OpenChunk>,
    gap: usize,
}

impl<W: Sink> Run<'_, W> {
    /// Turns a chunk into its results, now or, where boards have to be searched, in tasks of `scope`.
    pub(super) fn work_on<'s>(&'s self, number: u64, chunk: Chunk, scope: &ScopeFifo<'s>) {
        self.window.begin();
        let read = chunk.bytes.len();
        if self.stop.load(Ordering::Relaxed) {
            self.hand_in(number, Piece { last: true, part: Part::Nothing, held: read, ..Piece::default() });
            return;
        }
        let name = json_string(&chunk.source.name);
        let worker = rayon::current_thread_index().unwrap_or_default();
        let (mut text, mut counts) = (self.outputs.take(worker), Counts::default());
        let (mut desk, mut searches, mut gaps) = (Desk::default(), Vec::new(), Vec::new());
        let mut group = Group::default();
        let (mut records, mut seen, mut line) = (chunk.records(), 0, chunk.first_line);
        let mut bulk = self.bulk(worker, &chunk, &mut desk);
        while seen < chunk.records {
            if let Some(ready) = &mut bulk {
                match take_in_bulk(ready, &mut records, chunk.records - seen, &mut text, &mut counts) {
                    Ok(taken) => seen += taken,
                    Err(fault) => {
                        self.report_panic(&chunk.source.name, line, &fault);
                        bulk = None;
                    }
                }
                if seen == chunk.records {
                    break;
                }
            }
            // What there is so far, should the program fail on the next record.
            let (before, counted) = (text.len(), counts);
            // A fault of the program costs this record its answer, and nothing else.
            let settled = catch_unwind(AssertUnwindSafe(|| {
                let record = records.next()?;
                desk.gaps = gaps.len();
                let goal = &chunk.source.goal;
                let left = self.settle(&record, goal, &name, &mut desk, &mut group, (&mut text, &mut counts));
                Some((record, left))
            }));
            let fault = match settled {
                Ok(Some((record, left))) => {
                    line = record.line;
                    if let Left::Search(search) = left {
                        gaps.push((text.len(), counts));
                        searches.push((search, record.index, line, record.id));
                    }
                    None
                }
                Ok(None) => Some("fewer records were found than were counted".to_string()),
                Err(panic) => Some(panic_message(&*panic)),
            };
            if let Some(fault) = fault {
                text.truncate(before);
                (counts, desk) = (counted, Desk::default());
                self.report_panic(&chunk.source.name, line, &fault);
                let index = chunk.first_index + seen as u64;
                let verdict = Verdict::Failed(&fault);
                counts.add(&verdict);
                Row { index, source: &name, line, id: None, puzzle: None, verdict, detail: None }
                    .write(&self.options.style, &mut text);
            }
            seen += 1;
        }
        if let Some(bulk) = bulk {
            *self.bulk_of(worker) = Some(bulk);
        }
        self.adapt(chunk.records, searches.len());
        if !group.is_empty() {
            let written = Written { text, counts, gaps };
            let report = |line, fault: &str| self.report_panic(&chunk.source.name, line, fault);
            let all = group.settle(&written, self.outputs.take(worker), &name, &self.options.style, report);
            self.outputs.keep(worker, written.text);
            Written { text, counts, gaps } = all;
        }
        let source = Arc::clone(&chunk.source.name);
        self.inputs.keep(READER, chunk.bytes);
        // What was read is gone; what is to be written is there.
        let held = text.len();
        self.window.hold(held);
        self.window.release(read);
        if searches.is_empty() {
            self.hand_in(number, Piece { text, counts, held, shelf: Some(worker), ..Piece::default() });
            return;
        }
        if !self.options.ordered {
            // Nothing that is settled waits for what is not.
            let part = Part::AllBut(searches.iter().map(|(_, index, ..)| *index).collect());
            let shelf = Some(worker);
            let text = std::mem::take(&mut text);
            let piece = Piece { text, counts, more: true, part, held, shelf, ..Piece::default() };
            self.hand_in(number, piece);
        }
        let open = Arc::new(OpenChunk::new(number, text, counts, gaps));
        for (gap, (search, index, line, id)) in searches.into_iter().enumerate() {
            let task = Task { search, index, line, id, source: Arc::clone(&source), open: Arc::clone(&open), gap };
            let busy = self.crew.task();
            scope.spawn_fifo(move |_| {
                let (source, line) = (Arc::clone(&task.source), task.line);
                self.or_end(|| format!("{source}:{line}"), || self.begin(task));
                drop(busy);
            });
        }
    }

    /// What takes boards in bulk, where the first of a chunk look as if they could.
    fn bulk(&self, worker: usize, chunk: &Chunk, desk: &mut Desk) -> Option<Box<Bulk>> {
        let source = &chunk.source;
        let Style::Json(fields) = &self.options.style else { return None };
        if self.options.fast_path == FastPath::Off || source.numbered || source.fault.is_some() {
            return None;
        }
        if let Some(bulk) = self.bulk_of(worker).take().filter(|bulk| bulk.is_for(source)) {
            return Some(bulk);
        }
        let template = Template::find(&chunk.bytes, source.layout)?;
        let shape = source.shape.or_else(|| Shape::square_of(template.cells()))?;
        if shape.cells() != template.cells() {
            return None;
        }
        // A fault of the program is left to the first record that meets it.
        let made = catch_unwind(AssertUnwindSafe(|| {
            let ready = self.prepare(&source.goal, shape, &mut desk.ready).ok()?;
            Bulk::new(self.machine, source, ready.prepared.as_ref()?, template, fields)
        }));
        made.unwrap_or_default().map(Box::new)
    }

    /// What a worker took boards in bulk with, and can go on with where its source does: kept in his own caches.
    fn bulk_of(&self, worker: usize) -> MutexGuard<'_, Option<Box<Bulk>>> {
        self.bulks[worker % self.bulks.len()].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes the result of a record that is cheap to settle; puts off one that a full table answers; gives back one
    /// that must be searched.
    #[inline]
    fn settle(
        &self,
        record: &Record,
        goal: &GoalSpec,
        source: &str,
        desk: &mut Desk,
        group: &mut Group,
        (text, counts): (&mut Vec<u8>, &mut Counts),
    ) -> Left {
        let text_before = text.len();
        let mut write = |puzzle, verdict, detail| {
            counts.add(&verdict);
            let (index, line, id) = (record.index, record.line, record.id.as_deref());
            Row { index, source, line, id, puzzle, verdict, detail }.write(&self.options.style, text);
            Left::Nothing
        };
        let Puzzle { board, goal: own_goal } = match &record.puzzle {
            Ok(puzzle) => puzzle,
            Err(error) => return write(None, Verdict::Invalid(&error.to_string()), None),
        };
        let (Desk { path, ready, gaps }, shape) = (desk, board.shape());
        let ready = match self.prepare(own_goal.as_ref().unwrap_or(goal), shape, ready) {
            Ok(ready) => ready,
            Err(error) => return write(None, Verdict::Invalid(&error), None),
        };
        let (goal, puzzle, mut wrong) = (&ready.goal, Some((board, &*ready.goal)), String::new());
        let Some(prepared) = &ready.prepared else {
            path.clear();
            let verdict = match is_solvable(board, goal) {
                true if shape.is_line() || board == &**goal => {
                    path.extend(line::walk(shape, board.blank(), goal.blank()));
                    return write(puzzle, replayed(board, goal, path, &mut wrong), None);
                }
                true => Verdict::Unsolved { lower_bound: board.manhattan_distance(goal), limit: Limit::Size },
                false => Verdict::Unsolvable,
            };
            return write(puzzle, verdict, None);
        };
        let Some(start) = prepared.frame.admit(board) else {
            return write(puzzle, Verdict::Unsolvable, None);
        };
        // With a limit of nodes, what answers must not depend on when the table is there.
        if self.options.limits.nodes.is_none()
            && let Some(table) = prepared.engine.full_table()
        {
            let place = Place { index: record.index, line: record.line, id: record.id.clone() };
            group.put(place, board, table.start(&start), (goal, prepared), (text_before, *gaps));
            return Left::Late;
        }
        let began = self.options.style.wants_time().then(Instant::now);
        if prepared.engine.answer_at_once(prepared.frame.space(), &start, path) {
            self.solvers.pass_trap(board);
        } else {
            return Left::Search(Search {
                board: board.clone(),
                goal: Arc::clone(goal),
                prepared: Arc::clone(prepared),
                start,
            });
        }
        let time_us = began.map_or(0, |began| began.elapsed().as_micros() as u64);
        let (engine, heuristic) = (prepared.engine.kind().name(), prepared.engine.heuristic());
        let detail = Detail { engine, heuristic, nodes: 0, time_us };
        write(puzzle, replayed(board, goal, path, &mut wrong), Some(detail))
    }

    /// The goal on this shape, ready to be used: the last one, or else in its place.
    #[inline]
    fn prepare<'d>(
        &self,
        asked: &GoalSpec,
        shape: Shape,
        ready: &'d mut Option<PreparedGoal>,
    ) -> Result<&'d PreparedGoal, String> {
        let known = ready.take().filter(|known| known.shape == shape && known.asked == *asked);
        let known = match known {
            Some(known) => known,
            None => {
                let goal = asked.on(shape).map_err(|error| format!("goal: {error}"))?;
                let prepared = self.solvers.prepare(&goal).map(Arc::new);
                PreparedGoal { asked: asked.clone(), shape, goal: Arc::new(goal), prepared }
            }
        };
        Ok(ready.insert(known))
    }

    /// Searches a board, or leaves it to be searched in its turn.
    fn begin(&self, task: Task) {
        match self.crew.parallel() {
            Parallel::Auto | Parallel::Across => self.search(task),
            Parallel::Within => self.turns.take(task, |task| self.search(task)),
        }
    }

    /// Searches a board, or finds that somebody did or does, and completes the tasks that wait for it.
    fn search(&self, task: Task) {
        let Search { prepared, start, .. } = &task.search;
        let space = *prepared.frame.space();
        let key: Key = (space, start.state().pack_wide(space.shape.cells()));
        let task = match self.memo.enter(key, task) {
            Turn::Left => return,
            Turn::Known(task, answer) => return self.answer(&task, Ok(&answer)),
            Turn::Solve(task) => task,
        };
        match catch_unwind(AssertUnwindSafe(|| self.solve(&task.search))) {
            Ok(answer) => {
                let answer = Arc::new(answer);
                self.totals.add_nodes(answer.stats.generated);
                let took = Duration::from_micros(answer.time_us);
                self.totals.offer_slowest(took, task.index, &task.source, task.line);
                for task in self.memo.done(key, &answer).iter().chain([&task]) {
                    self.answer(task, Ok(&answer));
                }
            }
            Err(panic) => {
                let message = panic_message(&*panic);
                self.report_panic(&task.source, task.line, &message);
                for task in self.memo.give_up(&key).iter().chain([&task]) {
                    self.answer(task, Err(&message));
                }
            }
        }
    }

    fn solve(&self, search: &Search) -> Answer {
        let began = Instant::now();
        let mut scratch = self.scratch.pop().unwrap_or_else(|| Box::new(self.solvers.scratch()));
        let mut stats = Stats::default();
        let budget = Budget::start(&self.options.limits, self.stop);
        let Prepared { frame, engine, .. } = &*search.prepared;
        self.solvers.pass_trap(&search.board);
        let outcome = engine.solve(frame.space(), &search.start, &budget, &self.crew, &mut scratch, &mut stats);
        let used = scratch.used().clone();
        // Full: as many are kept as there are workers.
        let _ = self.scratch.push(scratch);
        Answer { outcome, stats, time_us: began.elapsed().as_micros() as u64, used }
    }

    /// Writes the result of a task; whoever completes a chunk hands it in.
    fn answer(&self, task: &Task, answer: Result<&Answer, &str>) {
        let (search, mut wrong) = (&task.search, String::new());
        let (verdict, detail) = match answer {
            Err(message) => (Verdict::Failed(message), None),
            Ok(Answer { outcome: Outcome::Unsolved { limit: Limit::Cancelled, .. }, .. }) => {
                return self.complete(task, Filling::Cancelled);
            }
            Ok(answer) => {
                let verdict = match &answer.outcome {
                    Outcome::Solved(path) => replayed(&search.board, &search.goal, path, &mut wrong),
                    &Outcome::Unsolved { lower_bound, limit } => {
                        Verdict::Unsolved { lower_bound: u64::from(lower_bound), limit }
                    }
                };
                let (engine, heuristic) = search.prepared.engine.names(&answer.used);
                let detail = Detail { engine, heuristic, nodes: answer.stats.generated, time_us: answer.time_us };
                (verdict, Some(detail))
            }
        };
        let (mut line, mut counts) = (Vec::with_capacity(256), Counts::default());
        counts.add(&verdict);
        let row = Row {
            index: task.index,
            source: &json_string(&task.source),
            line: task.line,
            id: task.id.as_deref(),
            puzzle: Some((&search.board, &search.goal)),
            verdict,
            detail,
        };
        row.write(&self.options.style, &mut line);
        self.complete(task, Filling::Result(line, counts));
    }

    fn complete(&self, task: &Task, filling: Filling) {
        let piece = match (self.options.ordered, filling) {
            (true, filling) => task.open.fill(task.gap, filling),
            (false, Filling::Result(text, counts)) => {
                let part = Part::One(task.index);
                Some(Piece { text, counts, last: false, more: !task.open.one_less(), part, ..Piece::default() })
            }
            (false, Filling::Cancelled) => {
                task.open.one_less().then(|| Piece { part: Part::Nothing, ..Piece::default() })
            }
        };
        if let Some(piece) = piece {
            self.hand_in(task.open.number, piece);
        }
    }

    fn report_panic(&self, source: &str, line: u64, message: &str) {
        (self.tell)(&format!("{source}:{line}: {message}; please report this with the board"));
    }
}

/// Takes the next records in bulk, as far as they are recognised; how many those were, or what went wrong,
/// and then nothing was taken.
fn take_in_bulk(
    bulk: &mut Bulk,
    records: &mut Records<'_>,
    most: usize,
    text: &mut Vec<u8>,
    counts: &mut Counts,
) -> Result<usize, String> {
    let Some((bytes, index, line)) = records.rest() else { return Ok(0) };
    let stretch = Stretch { bytes, records: most, index, line };
    let before = text.len();
    let taken = catch_unwind(AssertUnwindSafe(|| bulk.take(stretch, text))).map_err(|panic| {
        text.truncate(before);
        panic_message(&*panic)
    })?;
    records.pass(taken.records, taken.bytes);
    counts.solved += taken.solved as u64;
    counts.unsolvable += (taken.records - taken.solved) as u64;
    Ok(taken.records)
}

/// The verdict on a board for which an engine found a path: solved, if the path is one.
#[inline]
pub(super) fn replayed<'a>(board: &Board, goal: &Board, path: &'a Path, wrong: &'a mut String) -> Verdict<'a> {
    match verify::replay(board, goal, path.letters()) {
        Ok(()) => Verdict::Solved(path),
        Err(fault) => {
            *wrong = format!("a path was found that is none: {fault}");
            Verdict::Failed(wrong)
        }
    }
}

pub(super) fn panic_message(panic: &(dyn Any + Send)) -> String {
    format!("the program failed on this record: {}", said(panic))
}

/// What a panic said.
pub(super) fn said(panic: &(dyn Any + Send)) -> &str {
    let said = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    said.unwrap_or("no message")
}
