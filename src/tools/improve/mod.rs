//! Shortens paths found by another solver: removes loops and solves the boards again.
//!
//! Boards and paths are read side by side, in the same order (`known.rs`). Every path is replayed
//! first; an invalid path is reported and ignored. The shorter of two paths is kept: the known path
//! without its loops, or the path that the solver finds. Unless the kept path is proven shortest,
//! its pieces are then solved again (`shorten.rs`). No path becomes longer. A path as long as a
//! lower bound is proven shortest.

mod known;
mod shorten;

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::board::replay;
use crate::board::{Board, ErrorKind, MAX_SEARCH_CELLS, Path, is_solvable};
use crate::engine::Proof;
use crate::format::input::Reader;
use crate::format::output::{Row, Verdict, json_string};
use crate::format::spelling::Spelling;
use crate::format::style::Style;
use crate::heuristic::lower_bound;
use crate::solver::{Answer, CancelToken, Solution, Solver, Threads, Worker};
use crate::system::{Limit, Limits};
use crate::tools::record::{board_and_goal, next_chunk};
use crate::tools::record_loop::RecordLoop;
pub use known::{KnownPath, KnownPaths};

/// The approximate maximum size in bytes of the boards and paths in memory.
const MAX_BYTES: usize = 16 << 20;

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
    /// The flag that stops the run. A run that cannot write its results sets the flag.
    pub stop: &'a AtomicBool,
}

/// The totals of a run.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Gain {
    /// The number of records.
    pub records: u64,
    /// The number of records whose path was a solution.
    pub paths: u64,
    /// The total length of the paths counted in `paths`, as given.
    pub before: u64,
    /// The total length of the paths kept for the same records.
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
struct PathTask {
    source: Arc<str>,
    index: u64,
    line: u64,
    id: Option<Box<str>>,
    puzzle: Result<(Board, Board), String>,
    known_path: KnownPath,
}

/// The outcome of a record and of its known path.
struct Improvement {
    /// The answer, or the reason why there is none.
    answer: Result<Answer, String>,
    /// The length of the known path, if it is a solution.
    before: Option<u64>,
    /// The reason why the known path is invalid.
    wrong: Option<String>,
}

/// Reads boards and paths, and writes a result for every record. `warn` receives warnings for the
/// user.
///
/// # Errors
/// When paths cannot be read, results cannot be written, or threads cannot be started.
pub fn run(
    reader: &mut Reader,
    paths: &mut KnownPaths,
    options: &Options<'_>,
    out: &mut dyn Write,
    warn: &dyn Fn(&str),
) -> Result<Gain, Error> {
    let (mut gain, mut failed_inputs, mut text, solver) = (Gain::default(), 0, Vec::new(), options.solver);
    // A record may take seconds, and an interrupt should not discard many results after the first
    // unfinished one.
    RecordLoop { solver, max_records: 1, jobs_per_thread: 2, max_bytes: MAX_BYTES }.run(
        |_| {
            if options.stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let chunk = next_chunk(reader, (1, 64 << 10), &mut failed_inputs, &mut |line| warn(line));
            let record = chunk.as_ref().and_then(|chunk| Some((chunk, chunk.records().next()?)));
            let Some((chunk, record)) = record else { return Ok(None) };
            let (source, index, line, id) = (Arc::clone(&chunk.source.name), record.index, record.line, record.id);
            let puzzle = board_and_goal(record.puzzle, &chunk.source);
            let board = puzzle.as_ref().ok().map(|(board, _)| board);
            let known_path = paths.next(index, board, options.spelling).map_err(Error::Paths)?;
            let bytes = chunk.bytes.len() + if let Some(Ok(path)) = &known_path { path.len() } else { 0 };
            Ok::<_, Error>(Some((PathTask { source, index, line, id, puzzle, known_path }, bytes)))
        },
        || solver.worker_on(Threads::PoolTask),
        |task, worker, _| (improve(task, worker, options), true),
        |task, improvement| {
            let improvement = improvement.unwrap_or_else(|panic| resume_unwind(panic));
            // Keep the results finished before an interrupt, up to the first unfinished one.
            if improvement.was_cancelled() {
                return Ok(ControlFlow::Break(()));
            }
            gain.add(&improvement);
            if let Some(why) = &improvement.wrong {
                warn(&format!("{}:{}: record {}: invalid path: {why}", task.source, task.line, task.index));
            }
            write(&task, &improvement, &options.style, &mut text);
            // The running searches watch this flag.
            out.write_all(&text).inspect_err(|_| options.stop.store(true, Ordering::Relaxed))?;
            text.clear();
            Ok(ControlFlow::Continue(()))
        },
    )?;
    out.flush()?;
    (gain.failed_inputs, gain.missing) = (failed_inputs, reader.take_missing());
    let is_complete = !options.stop.load(Ordering::Relaxed);
    match is_complete.then(|| paths.next_nonempty_line()).transpose().map_err(Error::Paths)?.flatten() {
        Some(line) => Err(Error::Paths(format!("line {line} has no board: there are only {} records", gain.records))),
        None => Ok(gain),
    }
}

/// Shortens one board's path, as [`run`] does for files.
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
) -> Result<Answer, crate::board::Error> {
    let task = PathTask {
        source: "".into(),
        index: 1,
        line: 1,
        id: None,
        puzzle: Ok((board.clone(), goal.clone())),
        known_path: Some(Ok(path.clone())),
    };
    let (style, spelling) = (Style::default(), Spelling::default());
    let options = Options { solver, proof_nodes, spelling, style, stop: cancel.flag() };
    let improvement = improve(&task, &mut solver.worker_on(Threads::Pool), &options);
    if let Some(why) = improvement.wrong {
        return Err(crate::board::Error::new(
            ErrorKind::Mismatch,
            format!("the path does not solve this board: {why}"),
        ));
    }
    improvement.answer.map_err(|why| crate::board::Error::new(ErrorKind::Fault, why))
}

fn improve(task: &PathTask, worker: &mut Worker, options: &Options<'_>) -> Improvement {
    let (board, goal) = match &task.puzzle {
        Ok((board, goal)) => (board, goal),
        Err(why) => return Improvement { answer: Err(why.clone()), before: None, wrong: None },
    };
    let (known, wrong) = match &task.known_path {
        None => (None, None),
        Some(Err(why)) => (None, Some(why.clone())),
        Some(Ok(path)) => match replay::replay(board, goal, path.letters()) {
            Ok(()) => (Some(path), None),
            Err(fault) => (None, Some(fault.to_string())),
        },
    };
    let before = known.map(|path| path.len() as u64);
    let known = known.map(|path| shorten::without_loops(board, goal, path));
    if !is_solvable(board, goal) {
        return Improvement { answer: Ok(Answer::Unsolvable), before, wrong };
    }
    let heuristic_bound = lower_bound(board, goal);
    let found = |path, bound: u64, limit| {
        let proof = Proof::AtLeast(bound.max(heuristic_bound));
        Answer::Solved(Solution { board: board.clone(), path, proof, limit })
    };
    let is_small = board.shape().cells() <= MAX_SEARCH_CELLS;
    let solver_limits = options.solver.engines.settings.limits;
    let limits = match solver_limits {
        Limits { nodes: None, time: None } if is_small => Limits { nodes: options.proof_nodes, time: None },
        limits => limits,
    };
    let answer = match (worker.answer(board, &goal.into(), &limits, options.stop), known) {
        (Err(error), _) => Err(error.to_string()),
        (Ok(Answer::Unsolvable), _) => Err("two parity checks disagree".into()),
        (Ok(Answer::Unsolved { lower_bound, limit }), Some(path)) => Ok(found(path, lower_bound, Some(limit))),
        (Ok(Answer::Solved(solution)), Some(path)) if path.len() < solution.moves() => {
            Ok(found(path, solution.lower_bound(), solution.limit))
        }
        (Ok(Answer::Solved(solution)), _) if solution.proof != Proof::Optimal => {
            let bound = solution.lower_bound();
            Ok(found(solution.path, bound, solution.limit))
        }
        (Ok(answer), _) => Ok(answer),
    };
    let answer = match answer {
        Ok(Answer::Solved(solution)) if !solution.is_optimal() => {
            let effort = options.solver.engines.settings.aim.effort(true);
            let limits = Limits { nodes: None, time: solver_limits.time };
            let path = shorten::polished(board, goal, &solution.path, effort, &limits, options.stop);
            Ok(found(path, solution.lower_bound(), solution.limit))
        }
        answer => answer,
    };
    Improvement { answer, before, wrong }
}

impl Improvement {
    fn was_cancelled(&self) -> bool {
        let limit = match &self.answer {
            Ok(Answer::Solved(solution)) => solution.limit,
            Ok(Answer::Unsolved { limit, .. }) => Some(*limit),
            _ => None,
        };
        limit == Some(Limit::Cancelled)
    }
}

impl Gain {
    fn add(&mut self, improvement: &Improvement) {
        self.records += 1;
        self.wrong += u64::from(improvement.wrong.is_some());
        match (&improvement.answer, improvement.before) {
            (Ok(Answer::Unsolvable), _) => {}
            (Ok(Answer::Unsolved { .. }) | Err(_), _) => self.failed += 1,
            (Ok(Answer::Solved(solution)), before) => {
                self.proven += u64::from(solution.is_optimal());
                let Some(before) = before else {
                    self.found += 1;
                    return;
                };
                let moves = solution.moves() as u64;
                self.paths += 1;
                self.before += before;
                self.after += moves;
                self.shorter += u64::from(moves < before);
            }
        }
    }
}

fn write(task: &PathTask, improvement: &Improvement, style: &Style, out: &mut Vec<u8>) {
    let verdict = match (&task.puzzle, &improvement.answer) {
        (Err(why), _) => Verdict::Invalid(why),
        (Ok(_), Err(why)) => Verdict::Failed(why),
        (Ok(_), Ok(Answer::Unsolvable)) => Verdict::Unsolvable,
        (Ok(_), &Ok(Answer::Unsolved { lower_bound, limit })) => Verdict::Unsolved { lower_bound, limit },
        (Ok(_), Ok(Answer::Solved(solution))) => match solution.proof {
            Proof::Optimal => Verdict::Solved(&solution.path),
            Proof::AtLeast(lower_bound) => Verdict::Found { path: &solution.path, lower_bound, limit: solution.limit },
        },
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
        let mut out = Vec::new();
        let (ended, warnings, _) = run_text(boards, paths, &mut out);
        (String::from_utf8(out).unwrap(), ended.unwrap(), warnings)
    }

    /// Returns the outcome of a run, the warnings, and whether the run set its stop flag.
    fn run_text(boards: &str, paths: &str, out: &mut dyn Write) -> (Result<Gain, Error>, Vec<String>, bool) {
        let mut reader = Reader::of_text("boards", Cursor::new(boards.as_bytes().to_vec()), InputOptions::default());
        let mut known = KnownPaths::of_text(Box::new(Cursor::new(paths.as_bytes().to_vec()))).unwrap();
        let (solver, stop) = (Solver::builder().threads(2).memory(1 << 28).build().unwrap(), AtomicBool::new(false));
        let style = Style::Json("index,status,moves,optimal".parse().unwrap());
        let spelling = Spelling::default();
        let options = Options { solver: &solver, proof_nodes: None, spelling, style, stop: &stop };
        let warnings = std::sync::Mutex::<Vec<String>>::default();
        let warn = |line: &str| warnings.lock().unwrap().push(line.to_string());
        let ended = run(&mut reader, &mut known, &options, out, &warn);
        (ended, warnings.into_inner().unwrap(), stop.into_inner())
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
        let Answer::Solved(solution) = improve_path("LRR").unwrap() else { panic!("the board has a solution") };
        let found = (solution.path.as_str(), solution.lower_bound(), solution.limit);
        assert_eq!(found, ("R", 1, None));
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

    #[test]
    fn a_write_error_stops_the_searches() {
        let (ended, _, stopped) = run_text("1 2 3 4 5 6 7 0 8\n", "R\n", &mut &mut [0; 0][..]);
        assert!(matches!(ended, Err(Error::Write(_))) && stopped);
    }
}
