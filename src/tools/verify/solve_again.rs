//! Whether paths are the shortest, for a sample: its boards are solved again by another engine.

use std::cmp::Ordering;
use std::sync::atomic::AtomicBool;

use super::report::{Doubts, Place, SampleReport};
use super::sample::{Sample, SampledResult, SolvedPuzzle};
use crate::board::{Board, Error, MAX_SEARCH_CELLS, Path};
use crate::engine::EngineKind;
use crate::engine::Parallel;
use crate::heuristic::lower_bound;
use crate::solver::{Answer, EnginePreference, Settings, Solver, Worker};

/// How a sample is solved again.
#[derive(Clone, Debug)]
pub struct SampleOptions {
    /// Boards, at most.
    pub boards: usize,
    /// How they are solved; where no engine is asked for, by another one than a run would take by itself.
    pub solving: Settings,
    /// Whether any shortest path will do, where a run finds the first of them as a rule.
    pub any_shortest: bool,
}

/// The solvers to choose from.
struct OtherEngines {
    /// What a run would take by itself.
    usual: Solver,
    /// For boards that a run looks up in a table.
    bidirectional: Worker,
    /// For boards that a run searches.
    astar: Worker,
    /// The engine that was asked for.
    requested: Option<Worker>,
}

impl OtherEngines {
    fn new(solving: &Settings) -> OtherEngines {
        let solver = |engine| {
            let preference = EnginePreference { engine, ..solving.preference.clone() };
            // Two of them may keep tables at the same time.
            // One board comes after the other: all threads are for it.
            let parallel = Parallel::Auto;
            Solver::with(Settings { preference, parallel, memory: solving.memory / 2, ..solving.clone() })
        };
        let worker = |engine| solver(Some(engine)).pooled_worker();
        OtherEngines {
            usual: solver(None),
            bidirectional: worker(EngineKind::Bidirectional),
            astar: worker(EngineKind::AStar),
            requested: solving.preference.engine.map(worker),
        }
    }

    /// A worker for a goal; `None` where boards are too large for a proof.
    fn worker(&mut self, goal: &Board) -> Option<&mut Worker> {
        if goal.shape().cells() > MAX_SEARCH_CELLS {
            return None;
        }
        let by_table = |engine| matches!(engine, EngineKind::Lookup | EngineKind::Line);
        let looked_up = by_table(self.usual.plan(goal).engine);
        let other = if looked_up { &mut self.bidirectional } else { &mut self.astar };
        Some(self.requested.as_mut().unwrap_or(other))
    }
}

/// Solves the sample again, one board after the other on all threads. Paths that differ are doubts.
///
/// # Errors
/// When the threads cannot be started, or the program fails on a board.
pub fn solve_again(sample: Sample, how: &SampleOptions, doubts: &Doubts) -> Result<SampleReport, Error> {
    let mut report = SampleReport::default();
    let mut engines = OtherEngines::new(&how.solving);
    for SampledResult { index, line, puzzle } in sample.into_results() {
        let SolvedPuzzle { board, goal, path } = puzzle;
        let Some(worker) = engines.worker(&goal) else {
            // Too large for a search: a bound proves the path, or nothing does.
            let is_proven = lower_bound(&board, &goal) == path.len() as u64;
            *(if is_proven { &mut report.agreed } else { &mut report.unsettled }) += 1;
            continue;
        };
        match worker.answer(&board, &goal, &how.solving.limits, &AtomicBool::new(false))?.answer {
            Answer::Unsolvable => {
                doubts.add(Place::Line(line), format!("(record {index}): the solver calls this board unsolvable"));
            }
            Answer::Solved(found) if *found.path() == path => report.agreed += 1,
            Answer::Solved(found) if how.any_shortest && found.is_optimal() && found.moves() == path.len() => {
                report.agreed += 1;
            }
            Answer::Solved(found) if found.is_optimal() => {
                let what = disagreement(&path, found.path(), worker.prepare(&goal).engine().name());
                doubts.add(Place::Line(line), format!("(record {index}) {what}"));
            }
            Answer::Solved(_) | Answer::Unsolved { .. } => report.unsettled += 1,
        }
    }
    Ok(report)
}

/// How a path differs from the one that another engine found.
fn disagreement(path: &Path, found: &Path, engine: &str) -> String {
    match found.len().cmp(&path.len()) {
        Ordering::Less => format!("has {} moves, {engine} needs {}", path.len(), found.len()),
        Ordering::Equal => format!("has another path than {engine}, {found}"),
        Ordering::Greater => format!("is shorter than {engine} finds: please report this with the board"),
    }
}
