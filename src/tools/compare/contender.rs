//! One engine of a comparison, and what it has done.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::account::{Account, reset_peak};
use crate::board::{Board, Path};
use crate::engine::{EngineKind, Stats};
use crate::solver::{Answer, Solver, Worker};

/// What an engine has done.
#[derive(Clone, Debug)]
pub struct Score {
    /// The engine, and its heuristic where it has one. Empty before its first board.
    pub name: String,
    /// Boards that it was for.
    pub boards: u64,
    /// Those that it solved.
    pub solved: u64,
    /// Nodes.
    pub stats: Stats,
    /// What building and searching took.
    pub time: Duration,
    /// The most memory that the process held on its account, in bytes; `None`: the system does not report it.
    pub peak_bytes: Option<u64>,
}

/// What an engine came to on a board.
pub(super) enum Attempt {
    /// It is for boards of another kind.
    NotForIt,
    /// A limit came first.
    Unsolved,
    Solved(Path),
    /// The program failed.
    Failed(String),
}

pub(super) struct Contender {
    engine: EngineKind,
    solver: Solver,
    worker: Worker,
    score: Score,
    memory: Option<Account>,
}

impl Contender {
    pub(super) fn new(engine: EngineKind, solver: Solver) -> Contender {
        let score = Score {
            name: String::new(),
            boards: 0,
            solved: 0,
            stats: Stats::default(),
            time: Duration::ZERO,
            peak_bytes: None,
        };
        Contender { engine, worker: solver.pooled_worker(), solver, score, memory: Some(Account::default()) }
    }

    pub(super) fn name(&self) -> &str {
        &self.score.name
    }

    pub(super) fn into_score(self) -> Score {
        Score { peak_bytes: self.memory.map(|account| account.peak()), ..self.score }
    }

    pub(super) fn solve(&mut self, board: &Board, goal: &Board) -> Attempt {
        let plan = self.solver.plan(goal);
        if plan.engine != self.engine {
            return Attempt::NotForIt;
        }
        let (stop, before) = (AtomicBool::new(false), reset_peak());
        // Building is part of the price: the first board pays it.
        let began = Instant::now();
        let answered = self.worker.answer(board, goal, &self.solver.settings().limits, &stop);
        let (time, score) = (began.elapsed(), &mut self.score);
        let answered = match answered {
            Ok(answered) if answered.answer == Answer::Unsolvable => return Attempt::NotForIt,
            answered => answered,
        };
        score.time += time;
        self.memory = self.memory.zip(before).and_then(|(account, before)| account.after(before));
        score.boards += 1;
        if score.name.is_empty() {
            let prepared = self.worker.prepare(goal);
            let heuristic = prepared.engine().heuristic().map_or(String::new(), |name| format!(", {name}"));
            score.name = format!("{}{heuristic}", plan.engine);
        }
        match answered {
            Err(error) => Attempt::Failed(error.to_string()),
            Ok(answered) => {
                score.stats.add(&answered.effort.unwrap_or_default().stats);
                match answered.answer.into_solution() {
                    Some(solution) => {
                        score.solved += 1;
                        Attempt::Solved(solution.into_path())
                    }
                    None => Attempt::Unsolved,
                }
            }
        }
    }
}
