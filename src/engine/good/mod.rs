//! The engine for good paths on boards of any size. The paths are not proven shortest, but are
//! reported with a proven lower bound.
//!
//! A constructive path is found first, so there is always a path. The searches after it keep only
//! the best positions of each layer (*beam searches*). The number and the widths of these searches
//! follow from the *level*, which is the effort of the settings, or from the deadline (`plan.rs`).
//! The engine returns the shortest path found.
//!
//! Without a deadline, the searches depend only on the goal, the learned weights, the level and the
//! memory limit, so the path is the same on every machine and with any number of threads.

mod plan;
mod rounds;
mod tables;
#[cfg(test)]
mod tests;

use std::fmt;

use self::plan::{level_search, rest_to_search};
use self::rounds::{GoalResources, Rounds};
use self::tables::TablesByMethod;
use crate::board::Board;
use crate::engine::Outcome;
use crate::engine::contract::{Engine, Job, Scratch, WorkDone};
use crate::engine::line::LineEngine;
use crate::heuristic::learned::AvailableWeights;
use crate::heuristic::lower_bound;
use crate::system::Limit;

pub use plan::{BoardProperties, Description, Search, describe};

/// The engine that finds good paths to one goal.
pub struct Good {
    plan: Description,
    resources: GoalResources,
}

impl Good {
    /// Creates the engine for a goal. `level` ranges from 1 (some milliseconds per board) to 9 (a
    /// minute). A search may take `memory` bytes.
    pub fn new(goal: &Board, level: u8, memory: u64, weights: &AvailableWeights) -> Good {
        let properties = BoardProperties::of(goal.shape(), goal.blank(), weights);
        let plan = describe(properties, level, memory);
        let rest = rest_to_search(goal.shape(), goal.blank());
        let (shape, blank) = rest.map_or((goal.shape(), goal.blank()), |rest| (rest.shape(), rest.goal_blank()));
        let properties = BoardProperties { shape, ..properties };
        let level_search = level_search(properties, level, memory);
        let tables = TablesByMethod::new(properties, blank, weights.clone());
        Good { plan, resources: GoalResources { rest, properties, level, level_search, memory, tables } }
    }
}

impl Engine for Good {
    fn name(&self) -> &'static str {
        "good"
    }

    fn solve(&self, job: &Job<'_>, scratch: &mut Scratch, work_done: &mut WorkDone) -> Outcome {
        let problem = &job.problem;
        if problem.board.shape().is_line() {
            return LineEngine.solve(job, scratch, work_done);
        }
        let lower_bound = lower_bound(problem.board, problem.goal);
        let mut rounds = Rounds::new(&self.resources, job, lower_bound);
        rounds.run();
        work_done.stats.generated += rounds.generated;
        if self.plan.cut_by_memory {
            work_done.limit = Some(Limit::Memory);
        }
        match rounds.best {
            Some(path) if rounds.limit != Some(Limit::Cancelled) => Outcome::Found { path, lower_bound },
            _ => Outcome::Unsolved { lower_bound, limit: Limit::Cancelled },
        }
    }
}

impl fmt::Debug for Good {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Good").field("plan", &self.plan).finish_non_exhaustive()
    }
}
