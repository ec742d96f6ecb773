//! The engine: the house's contract around the searches of a plan.

use super::plan::{Description, describe};
use crate::board::Board;
use crate::engine::Outcome;
use crate::engine::constructive::construct;
use crate::engine::contract::{Effort, Engine, Job, Scratch};
use crate::engine::line::Line;
use crate::heuristic::lower_bound;
use crate::system::Limit;

/// Finds good paths to one goal.
#[derive(Debug)]
pub struct Good {
    plan: Description,
}

impl Good {
    /// The engine for a goal; `level` from 1 (some milliseconds a board) to 9 (a minute), a search may take `memory` bytes.
    pub fn new(goal: &Board, level: u8, memory: u64) -> Good {
        Good { plan: describe(goal.shape(), level, memory) }
    }

    /// What is searched.
    pub fn plan(&self) -> &Description {
        &self.plan
    }
}

impl Engine for Good {
    fn name(&self) -> &'static str {
        "good"
    }

    fn solve(&self, job: &Job<'_>, scratch: &mut Scratch, effort: &mut Effort) -> Outcome {
        let problem = &job.problem;
        if problem.board.shape().is_line() {
            return Line.solve(job, scratch, effort);
        }
        let lower_bound = lower_bound(problem.board, problem.goal);
        match construct(problem.board, problem.goal, job.budget.stop()) {
            Some(path) => Outcome::Found { path, lower_bound },
            None => Outcome::Unsolved { lower_bound, limit: Limit::Cancelled },
        }
    }
}
