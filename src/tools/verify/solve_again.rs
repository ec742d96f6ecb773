//! Whether what a result says of all paths is true, for a sample: its boards are solved again by another engine.

use std::cmp::Ordering;
use std::sync::atomic::AtomicBool;

use super::all_paths::{AllPaths, Told};
use super::report::{Doubts, Place, SampleReport};
use super::sample::{Claimed, Sample, SampledResult, SolvedPuzzle};
use crate::board::{Board, Error, MAX_SEARCH_CELLS, Path};
use crate::engine::EngineKind;
use crate::engine::Parallel;
use crate::solver::shortest_paths::{CountMemo, CountOptions, Known, PathCounter};
use crate::solver::{Aim, Answer, EnginePreference, Quality, Settings, Solver, Worker};
use crate::system::Limits;

/// How a sample is solved again.
#[derive(Clone, Debug)]
pub struct SampleOptions {
    /// Boards, at most.
    pub boards: usize,
    /// How they are solved, apart from the engine: it is another one than a run would take by itself.
    pub solving: Settings,
    /// Whether any shortest path will do, where a run finds the first of them as a rule.
    pub any_shortest: bool,
}

impl SampleOptions {
    /// Nodes for the proof of a lower bound or a count where no limit was asked for: the board may be one whose proof takes days.
    const PROOF_NODES: u64 = 20_000_000;

    /// What may be spent on the proof of a lower bound, and on a count of all shortest paths.
    pub(super) fn limits_of_proofs(&self) -> Limits {
        let limits = self.solving.limits;
        let is_limited = limits.nodes.is_some() || limits.time.is_some();
        Limits { nodes: if is_limited { limits.nodes } else { Some(SampleOptions::PROOF_NODES) }, ..limits }
    }
}

/// The solvers to choose from.
struct OtherEngines {
    /// What a run would take by itself.
    usual: Solver,
    /// For boards that a run looks up in a table.
    bidirectional: Worker,
    /// For boards that a run searches.
    astar: Worker,
    /// For paths without a proof, which may contradict a result all the same.
    good: Worker,
}

impl OtherEngines {
    fn new(solving: &Settings) -> OtherEngines {
        // Some of them may keep tables at the same time. One board comes after the other: all threads are for it.
        let solver = |preference, aim| {
            let parallel = Parallel::Auto;
            Solver::with(Settings { preference, parallel, aim, memory: solving.memory / 3, ..solving.clone() })
        };
        let of = |engine| solver(EnginePreference { engine, ..solving.preference.clone() }, solving.aim);
        let worker = |engine| of(Some(engine)).pooled_worker();
        let good = Aim { quality: Some(Quality::Good), fallback: false, effort: solving.aim.effort };
        OtherEngines {
            usual: of(None),
            bidirectional: worker(EngineKind::Bidirectional),
            astar: worker(EngineKind::AStar),
            good: solver(EnginePreference::default(), good).pooled_worker(),
        }
    }

    /// A worker that proves paths to a goal; `None` where boards are too large for a proof.
    fn proving(&mut self, goal: &Board) -> Option<&mut Worker> {
        if goal.shape().cells() > MAX_SEARCH_CELLS {
            return None;
        }
        let by_table = |engine| matches!(engine, EngineKind::Lookup | EngineKind::Line);
        let looked_up = by_table(self.usual.plan(goal).engine);
        Some(if looked_up { &mut self.bidirectional } else { &mut self.astar })
    }
}

/// What solving a board again shows of a result.
enum Verdict {
    Agreed,
    /// The same, and what is said of all shortest paths is true.
    AgreedOnAll,
    BoundProven,
    /// No search came to its end within its limits.
    Unsettled,
    /// Neither proven, nor contradicted by a path.
    Uncontradicted,
    Wrong(String),
}

/// Solves the sample again, one board after the other on all threads. Paths that differ, and those that are shorter than what
/// is claimed, are doubts.
///
/// # Errors
/// When the threads cannot be started, or the program fails on a board.
pub fn solve_again(sample: Sample, how: &SampleOptions, doubts: &Doubts) -> Result<SampleReport, Error> {
    let mut report = SampleReport::default();
    let mut engines = OtherEngines::new(&how.solving);
    for SampledResult { index, line, puzzle } in sample.into_results() {
        let verdict = match (&puzzle.claimed, engines.proving(&puzzle.goal)) {
            (Claimed::Shortest(told), Some(worker)) => match (prove_shortest(&puzzle, worker, how)?, told) {
                (Verdict::Agreed, Some(told)) => count_again(&puzzle, told, worker, how),
                (verdict, _) => verdict,
            },
            (Claimed::Shortest(_), None) => contradict(&puzzle, puzzle.path.len() as u64, &mut engines, how)?,
            (&Claimed::Bound(bound), _) => prove_bound(&puzzle, bound, &mut engines, how)?,
        };
        match verdict {
            Verdict::Agreed => report.agreed += 1,
            Verdict::AgreedOnAll => {
                report.agreed += 1;
                report.counted += 1;
            }
            Verdict::BoundProven => report.bounds += 1,
            Verdict::Unsettled => report.unsettled += 1,
            Verdict::Uncontradicted => report.uncontradicted += 1,
            Verdict::Wrong(what) => doubts.add(Place::Line(line), format!("(record {index}) {what}")),
        }
    }
    Ok(report)
}

/// A path that is said to be a shortest one, of a board that can be searched.
fn prove_shortest(puzzle: &SolvedPuzzle, worker: &mut Worker, how: &SampleOptions) -> Result<Verdict, Error> {
    let SolvedPuzzle { board, goal, path, .. } = puzzle;
    Ok(match worker.answer(board, goal, &how.solving.limits, &AtomicBool::new(false))?.answer {
        Answer::Unsolvable => unsolvable(),
        Answer::Solved(found) if found.path() == path => Verdict::Agreed,
        Answer::Solved(found) if how.any_shortest && found.is_optimal() && found.moves() == path.len() => {
            Verdict::Agreed
        }
        Answer::Solved(found) if found.is_optimal() => {
            Verdict::Wrong(disagreement(path, found.path(), worker.prepare(goal).engine().name()))
        }
        Answer::Solved(_) | Answer::Unsolved { .. } => Verdict::Unsettled,
    })
}

/// Counts the shortest paths of a board again, by the heuristic of another engine, as far as it takes to prove what is said
/// of them.
fn count_again(puzzle: &SolvedPuzzle, told: &Told, worker: &mut Worker, how: &SampleOptions) -> Verdict {
    let SolvedPuzzle { board, goal, path, .. } = puzzle;
    let (limits, stop, prepared) = (&how.limits_of_proofs(), &AtomicBool::new(false), worker.prepare(goal));
    let options = CountOptions { limits, cap: told.cap(), stop };
    let found = PathCounter::new(CountMemo::BYTES).count(&options, &prepared, board, Known::Any(path));
    match found.map(|found| told.check(&found)) {
        Some(Err(wrong)) => Verdict::Wrong(wrong),
        Some(Ok(AllPaths::Counted)) => Verdict::AgreedOnAll,
        Some(Ok(_)) | None => Verdict::Agreed,
    }
}

/// A lower bound that the heuristics do not reach: a good path may be shorter, which is soon found out; otherwise, on boards that
/// can be searched, a proof shows it.
fn prove_bound(
    puzzle: &SolvedPuzzle,
    bound: u64,
    engines: &mut OtherEngines,
    how: &SampleOptions,
) -> Result<Verdict, Error> {
    let found = contradict(puzzle, bound, engines, how)?;
    let Some(worker) = engines.proving(&puzzle.goal).filter(|_| matches!(found, Verdict::Uncontradicted)) else {
        return Ok(found);
    };
    let limits = how.limits_of_proofs();
    Ok(match worker.answer(&puzzle.board, &puzzle.goal, &limits, &AtomicBool::new(false))?.answer {
        Answer::Unsolvable => unsolvable(),
        Answer::Solved(solution) if (solution.moves() as u64) < bound => above(bound, solution.moves()),
        Answer::Solved(solution) if solution.lower_bound() >= bound => Verdict::BoundProven,
        Answer::Unsolved { lower_bound, .. } if lower_bound >= bound => Verdict::BoundProven,
        Answer::Solved(_) | Answer::Unsolved { .. } => found,
    })
}

/// Looks for a path with fewer moves than `least`, which no path should have.
fn contradict(
    puzzle: &SolvedPuzzle,
    least: u64,
    engines: &mut OtherEngines,
    how: &SampleOptions,
) -> Result<Verdict, Error> {
    // What a limit on nodes means is the proof.
    let limits = Limits { nodes: None, ..how.solving.limits };
    Ok(match engines.good.answer(&puzzle.board, &puzzle.goal, &limits, &AtomicBool::new(false))?.answer {
        Answer::Unsolvable => unsolvable(),
        Answer::Solved(found) if (found.moves() as u64) < least => match puzzle.claimed {
            Claimed::Shortest(_) => {
                Verdict::Wrong(format!("has {least} moves, and there is a path of {}", found.moves()))
            }
            Claimed::Bound(_) => above(least, found.moves()),
        },
        Answer::Solved(_) | Answer::Unsolved { .. } => Verdict::Uncontradicted,
    })
}

fn unsolvable() -> Verdict {
    Verdict::Wrong("the solver calls this board unsolvable".into())
}

fn above(bound: u64, moves: usize) -> Verdict {
    Verdict::Wrong(format!("says that no path is shorter than {bound} moves, and there is one of {moves}"))
}

/// How a path differs from the one that another engine found.
fn disagreement(path: &Path, found: &Path, engine: &str) -> String {
    match found.len().cmp(&path.len()) {
        Ordering::Less => format!("has {} moves, {engine} needs {}", path.len(), found.len()),
        Ordering::Equal => format!("has another path than {engine}, {found}"),
        Ordering::Greater => format!("is shorter than {engine} finds: please report this with the board"),
    }
}
