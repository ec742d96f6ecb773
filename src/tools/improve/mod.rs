//! Shortens paths found by another solver: removes loops and solves the boards again.
//!
//! Boards and paths are read side by side, in the same order (`known.rs`). Every path is replayed
//! first; an invalid path is reported and ignored. The shorter of two paths is kept: the known path
//! without its loops (`shorten.rs`), or the path that the solver finds. Unless the kept path is
//! proven shortest, its pieces are then solved again (`polished.rs`). No path becomes longer. A
//! path as long as a lower bound is proven shortest.

mod known;
mod polished;
mod shorten;

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crossbeam::queue::ArrayQueue;

use crate::board::replay;
use crate::board::{Board, ErrorKind, MAX_SEARCH_CELLS, Path, is_solvable};
use crate::engine::Proof;
use crate::format::input::{InputError, Reader};
use crate::format::output::{Row, Verdict, json_string};
use crate::format::spelling::Spelling;
use crate::format::style::Style;
use crate::heuristic::lower_bound;
use crate::solver::{Answer, CancelToken, Solver, Worker};
use crate::system::{Limit, Limits};
use crate::tools::record::board_and_goal;
pub use known::{KnownPath, KnownPaths};

/// The number of records per thread and round. With this many, the threads that finish first do not
/// wait long for the last record.
const RECORDS_PER_THREAD: usize = 16;
/// The approximate size in bytes of the paths and boards of a round.
const ROUND_BYTES: usize = 16 << 20;

/// The options for improving paths.
#[derive(Clone, Debug)]
pub struct Options<'a> {
    /// The solver for the boards.
    pub solver: &'a Solver,
    /// The node limit for boards of at most [`MAX_SEARCH_CELLS`] cells, used if the solver has no
    /// limits.
    pub proof_nodes: Option<u64>,
    /// The notation of the paths.
    pub spelling: Spelling,
    /// The style of the results.
    pub style: Style,
    /// The flag that stops the run.
    pub stop: &'a AtomicBool,
}

/// The totals of a run.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Gain {
    /// The number of records.
    pub records: u64,
    /// The number of records whose path was a solution.
    pub paths: u64,
    /// The total length of these paths before.
    pub before: u64,
    /// The total length of these paths afterwards.
    pub after: u64,
    /// The number of paths that became shorter.
    pub shorter: u64,
    /// The number of paths that are now proven shortest.
    pub proven: u64,
    /// The number of invalid paths.
    pub wrong: u64,
    /// The number of boards that had no path and now have one.
    pub found: u64,
    /// The number of records that are invalid, failed, or solvable but still without a path.
    pub failed: u64,
    /// The number of inputs that could not be read completely.
    pub failed_inputs: u64,
    /// The number of boards that a count line promises but the input lacks.
    pub missing: u64,
}

/// The error that ended a run.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The paths could not be read, or are not in the order of the boards.
    #[error("cannot read the paths: {0}")]
    Paths(String),
    /// The results could not be written.
    #[error("cannot write the results: {0}")]
    Write(#[from] io::Error),
    /// The threads could not be started.
    #[error(transparent)]
    Threads(#[from] crate::board::Error),
}

/// A record and its known path.
struct Task {
    source: Arc<str>,
    index: u64,
    line: u64,
    id: Option<Box<str>>,
    puzzle: Result<(Board, Board), String>,
    known_path: KnownPath,
}

/// The outcome of a record.
enum Outcome {
    Invalid,
    Unsolvable,
    /// No path: a lower bound, and the limit that ended the search.
    Unsolved(u64, Limit),
    /// The canonical shortest path.
    Shortest(Path),
    /// Any other path, a lower bound, and the limit that ended the search, if any.
    Found(Path, u64, Option<Limit>),
    Failed(String),
}

/// The outcome of a record and of its known path.
struct Improvement {
    outcome: Outcome,
    /// The length of the known path, if it is a solution.
    before: Option<u64>,
    /// The reason why the known path is invalid.
    wrong: Option<String>,
}

/// Reads boards and paths, and writes a result for every record. `warn` receives warnings for the
/// user.
///
/// # Errors
/// When paths cannot be read, or results cannot be written.
pub fn run(
    reader: &mut Reader,
    paths: &mut KnownPaths,
    options: &Options<'_>,
    out: &mut dyn Write,
    warn: &dyn Fn(&str),
) -> Result<Gain, Error> {
    let (mut gain, mut text) = (Gain::default(), Vec::new());
    let workers = ArrayQueue::new(options.solver.threads());
    loop {
        let tasks = next_round(reader, paths, options, &mut gain, warn)?;
        if tasks.is_empty() || options.stop.load(Ordering::Relaxed) {
            break;
        }
        let improvements = options.solver.map(&tasks, |task| {
            let mut worker = workers.pop().unwrap_or_else(|| options.solver.task_worker());
            let improvement = improve(task, &mut worker, options);
            // This cannot fail: the queue has a slot per thread.
            let _ = workers.push(worker);
            improvement
        })?;
        // Keep the results finished before an interrupt, up to the first unfinished one.
        let finished = tasks.iter().zip(&improvements).take_while(|(_, improvement)| !improvement.was_cancelled());
        for (task, improvement) in finished {
            gain.add(improvement);
            if let Some(why) = &improvement.wrong {
                warn(&format!("{}:{}: record {}: invalid path: {why}", task.source, task.line, task.index));
            }
            write(task, improvement, &options.style, &mut text);
            if text.len() >= 1 << 20 {
                out.write_all(&text)?;
                text.clear();
            }
        }
        // Write these results even if the next paths cannot be read.
        out.write_all(&text)?;
        text.clear();
    }
    out.write_all(&text)?;
    out.flush()?;
    gain.missing = reader.take_missing();
    let extra_line = paths.next_nonempty_line().map_err(Error::Paths)?;
    match extra_line.filter(|_| !options.stop.load(Ordering::Relaxed)) {
        Some(line) => Err(Error::Paths(format!("line {line} has no board: there are only {} records", gain.records))),
        None => Ok(gain),
    }
}

/// Shortens one board's path, as [`run`] does for files. Returns the new path, a lower bound, and
/// the limit that ended the search, if any; `None` if the board is unsolvable.
///
/// # Errors
/// When the path does not lead from the board to the goal, or an internal error occurs.
pub fn improve_path(
    board: &Board,
    goal: &Board,
    path: &Path,
    solver: &Solver,
    proof_nodes: Option<u64>,
    cancel: &CancelToken,
) -> Result<Option<(Path, u64, Option<Limit>)>, crate::board::Error> {
    let task = Task {
        source: "".into(),
        index: 1,
        line: 1,
        id: None,
        puzzle: Ok((board.clone(), goal.clone())),
        known_path: KnownPath::Path(path.clone()),
    };
    let (style, spelling) = (Style::default(), Spelling::default());
    let options = Options { solver, proof_nodes, spelling, style, stop: cancel.flag() };
    let improvement = improve(&task, &mut solver.pooled_worker(), &options);
    if let Some(why) = improvement.wrong {
        return Err(crate::board::Error::new(
            ErrorKind::Mismatch,
            format!("the path does not solve this board: {why}"),
        ));
    }
    match improvement.outcome {
        Outcome::Unsolvable => Ok(None),
        Outcome::Shortest(path) => Ok(Some((path.clone(), path.len() as u64, None))),
        Outcome::Found(path, bound, limit) => Ok(Some((path, bound, limit))),
        Outcome::Unsolved(bound, limit) => Ok(Some((path.clone(), bound, Some(limit)))),
        Outcome::Failed(why) => Err(crate::board::Error::new(ErrorKind::Fault, why)),
        Outcome::Invalid => unreachable!("the board is valid"),
    }
}

/// Reads the next records with their paths; returns no tasks at the end.
fn next_round(
    reader: &mut Reader,
    paths: &mut KnownPaths,
    options: &Options<'_>,
    gain: &mut Gain,
    warn: &dyn Fn(&str),
) -> Result<Vec<Task>, Error> {
    let (mut tasks, mut bytes) = (Vec::new(), 0);
    let max_records = records_per_thread(options) * options.solver.threads();
    while tasks.len() < max_records && bytes < ROUND_BYTES {
        let chunk = match reader.next_chunk(max_records - tasks.len(), 64 << 10, Vec::new()) {
            None => break,
            Some(Ok(chunk)) => chunk,
            Some(Err(error @ InputError { .. })) => {
                warn(&error.to_string());
                gain.failed_inputs += 1;
                continue;
            }
        };
        reader.take_warnings().iter().for_each(|warning| warn(warning));
        paths.expect_record_bytes(chunk.bytes.len() / chunk.records.max(1));
        bytes += chunk.bytes.len();
        for record in chunk.records() {
            let (source, index, line, id) = (Arc::clone(&chunk.source.name), record.index, record.line, record.id);
            let puzzle = board_and_goal(record.puzzle, &chunk.source);
            let board = puzzle.as_ref().ok().map(|(board, _)| board);
            let known_path = paths.next(index, board, options.spelling).map_err(Error::Paths)?;
            bytes += known_path.bytes();
            tasks.push(Task { source, index, line, id, puzzle, known_path });
        }
    }
    Ok(tasks)
}

fn improve(task: &Task, worker: &mut Worker, options: &Options<'_>) -> Improvement {
    let Ok((board, goal)) = &task.puzzle else {
        return Improvement { outcome: Outcome::Invalid, before: None, wrong: None };
    };
    let (known, wrong) = match &task.known_path {
        KnownPath::Nothing => (None, None),
        KnownPath::Malformed(why) => (None, Some(why.clone())),
        KnownPath::Path(path) => match replay::replay(board, goal, path.letters()) {
            Ok(()) => (Some(path), None),
            Err(fault) => (None, Some(fault.to_string())),
        },
    };
    let before = known.map(|path| path.len() as u64);
    let known = known.map(|path| shorten::without_loops(board, goal, path));
    if !is_solvable(board, goal) {
        return Improvement { outcome: Outcome::Unsolvable, before, wrong };
    }
    let heuristic_bound = lower_bound(board, goal);
    let is_small = board.shape().cells() <= MAX_SEARCH_CELLS;
    // A small board is always solved: the known path may be shortest, but not the canonical one.
    if !is_small && let Some(path) = known.as_ref().filter(|path| path.len() as u64 == heuristic_bound) {
        return Improvement { outcome: Outcome::Found(path.clone(), heuristic_bound, None), before, wrong };
    }
    let solver_limits = options.solver.settings().limits;
    let limits = match solver_limits {
        Limits { nodes: None, time: None } if is_small => Limits { nodes: options.proof_nodes, time: None },
        limits => limits,
    };
    let answered = worker.answer(board, goal, &limits, options.stop).map(|answered| answered.answer);
    let outcome = match (answered, known) {
        (Err(error), _) => Outcome::Failed(error.to_string()),
        (Ok(Answer::Unsolvable), _) => Outcome::Failed("two parity checks disagree".into()),
        (Ok(Answer::Unsolved { lower_bound, limit }), None) => Outcome::Unsolved(lower_bound, limit),
        (Ok(Answer::Unsolved { lower_bound, limit }), Some(path)) => {
            Outcome::Found(path, lower_bound.max(heuristic_bound), Some(limit))
        }
        (Ok(Answer::Solved(solution)), known) => {
            let bound = solution.lower_bound().max(heuristic_bound);
            let (limit, proof) = (solution.limit(), solution.proof());
            match known.filter(|path| path.len() < solution.moves()) {
                Some(path) => Outcome::Found(path, bound, limit),
                None if proof == Proof::Optimal => Outcome::Shortest(solution.into_path()),
                None => Outcome::Found(solution.into_path(), bound, limit),
            }
        }
    };
    let outcome = match outcome {
        Outcome::Found(path, bound, limit) if bound < path.len() as u64 => {
            let effort = options.solver.settings().aim.effort_or_default();
            let limits = Limits { nodes: None, time: solver_limits.time };
            let path = polished::polished(board, goal, &path, effort, &limits, options.stop);
            Outcome::Found(path, bound, limit)
        }
        outcome => outcome,
    };
    Improvement { outcome, before, wrong }
}

/// Returns the number of records per thread and round. It is 1 if a record takes seconds at this
/// effort: an interrupt discards the round's results after the first unfinished one.
fn records_per_thread(options: &Options<'_>) -> usize {
    if options.solver.settings().aim.effort_or_default() < 5 { RECORDS_PER_THREAD } else { 1 }
}

impl Improvement {
    fn was_cancelled(&self) -> bool {
        matches!(self.outcome, Outcome::Unsolved(_, Limit::Cancelled) | Outcome::Found(_, _, Some(Limit::Cancelled)))
    }
}

impl Gain {
    fn add(&mut self, improvement: &Improvement) {
        self.records += 1;
        self.wrong += u64::from(improvement.wrong.is_some());
        let (moves, is_proven) = match &improvement.outcome {
            Outcome::Shortest(path) => (path.len() as u64, true),
            Outcome::Found(path, bound, _) => (path.len() as u64, path.len() as u64 == *bound),
            Outcome::Unsolvable => return,
            Outcome::Invalid | Outcome::Unsolved(..) | Outcome::Failed(_) => {
                self.failed += 1;
                return;
            }
        };
        self.proven += u64::from(is_proven);
        match improvement.before {
            None => self.found += 1,
            Some(before) => {
                self.paths += 1;
                self.before += before;
                self.after += moves;
                self.shorter += u64::from(moves < before);
            }
        }
    }
}

fn write(task: &Task, improvement: &Improvement, style: &Style, out: &mut Vec<u8>) {
    let verdict = match (&improvement.outcome, &task.puzzle) {
        (Outcome::Shortest(path), _) => Verdict::Solved(path),
        (Outcome::Found(path, lower_bound, limit), _) => {
            Verdict::Found { path, lower_bound: *lower_bound, limit: *limit }
        }
        (Outcome::Unsolvable, _) => Verdict::Unsolvable,
        (Outcome::Unsolved(lower_bound, limit), _) => Verdict::Unsolved { lower_bound: *lower_bound, limit: *limit },
        (Outcome::Failed(why), _) | (Outcome::Invalid, Err(why)) => match improvement.outcome {
            Outcome::Invalid => Verdict::Invalid(why),
            _ => Verdict::Failed(why),
        },
        (Outcome::Invalid, Ok(_)) => Verdict::Failed("an invalid board has no error"),
    };
    let source = json_string(&task.source);
    let row = Row {
        id: task.id.as_deref(),
        puzzle: task.puzzle.as_ref().ok().map(|(board, goal)| (board, goal)),
        ..Row::bare(task.index, &source, task.line, verdict)
    };
    row.write(style, out);
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::format::input::InputOptions;

    fn improve_text(boards: &str, paths: &str) -> (String, Gain, Vec<String>) {
        let mut reader = Reader::of_text("boards", Cursor::new(boards.as_bytes().to_vec()), InputOptions::default());
        let mut known = KnownPaths::of_text(Box::new(Cursor::new(paths.as_bytes().to_vec()))).unwrap();
        let (solver, stop) = (Solver::builder().threads(2).memory(1 << 28).build().unwrap(), AtomicBool::new(false));
        let style = Style::Json("index,status,moves,optimal".parse().unwrap());
        let spelling = Spelling::default();
        let options = Options { solver: &solver, proof_nodes: None, spelling, style, stop: &stop };
        let (mut out, warnings) = (Vec::new(), std::sync::Mutex::<Vec<String>>::default());
        let warn = |line: &str| warnings.lock().unwrap().push(line.to_string());
        let gain = run(&mut reader, &mut known, &options, &mut out, &warn).unwrap();
        (String::from_utf8(out).unwrap(), gain, warnings.into_inner().unwrap())
    }

    #[test]
    fn paths_get_shorter_and_never_longer() {
        let boards =
            "1 2 3 4 5 6 7 0 8\n1 2 3 4 5 6 0 7 8\n2 1 3 4 5 6 7 8 0\n1 2 3 4 5 6 7 0 8\n1 2 2\n1 2 3 4 5 6 7 0 8\n";
        let (out, gain, warnings) = improve_text(boards, "LRR\nRR\n\nUU\n\n\n");
        let expected = "{\"index\":1,\"status\":\"solved\",\"moves\":1,\"optimal\":true}\n\
                        {\"index\":2,\"status\":\"solved\",\"moves\":2,\"optimal\":true}\n\
                        {\"index\":3,\"status\":\"unsolvable\"}\n\
                        {\"index\":4,\"status\":\"solved\",\"moves\":1,\"optimal\":true}\n\
                        {\"index\":5,\"status\":\"invalid\"}\n\
                        {\"index\":6,\"status\":\"solved\",\"moves\":1,\"optimal\":true}\n";
        assert_eq!(out, expected);
        let expected = Gain {
            records: 6,
            paths: 2,
            before: 5,
            after: 3,
            shorter: 1,
            proven: 4,
            wrong: 3,
            found: 2,
            failed: 1,
            failed_inputs: 0,
            missing: 0,
        };
        assert_eq!(gain, expected);
        assert!(warnings[0].starts_with("boards:3: record 3: invalid path"), "{warnings:?}");
    }

    #[test]
    fn a_single_path_is_improved() {
        let [board, goal] = ["1 2 3/4 5 6/7 0 8", "1 2 3/4 5 6/7 8 0"].map(|text| text.parse::<Board>().unwrap());
        let solver = Solver::builder().threads(1).memory(1 << 28).build().unwrap();
        let improve_path =
            |path: &str| super::improve_path(&board, &goal, &path.parse().unwrap(), &solver, None, &CancelToken::new());
        let (path, bound, limit) = improve_path("LRR").unwrap().unwrap();
        assert_eq!((path.as_str(), bound, limit), ("R", 1, None));
        assert!(improve_path("LL").is_err());
    }

    #[test]
    fn paths_are_read_from_results() {
        let boards = "1 2 3 4 5 6 7 0 8\n1 2 3 4 5 6 0 7 8\n";
        let results = "{\"index\":1,\"status\":\"solved\",\"path\":\"LRR\"}\n{\"index\":2,\"status\":\"unsolved\"}\n";
        let (_, gain, warnings) = improve_text(boards, results);
        assert_eq!((gain.paths, gain.before, gain.after, gain.found), (1, 3, 1, 1));
        assert!(warnings.is_empty(), "{warnings:?}");
    }
}
