//! The engine: the house's contract around the searches of a plan.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use super::plan::{Description, describe};
use super::rounds::Rounds;
use crate::board::{Board, Cell, Shape};
use crate::engine::Outcome;
use crate::engine::contract::{Effort, Engine, Job, Scratch};
use crate::engine::line::Line;
use crate::heuristic::evaluation::{Tables, Untrained};
use crate::heuristic::lower_bound;
use crate::system::{Budget, Limit};

/// Finds good paths to one goal.
pub struct Good {
    shape: Shape,
    goal_blank: Cell,
    memory: u64,
    plan: Description,
    /// The evaluation's tables, built for the first board that needs them.
    tables: Mutex<Option<Arc<Tables>>>,
}

impl Good {
    /// The engine for a goal; `level` from 1 (some milliseconds a board) to 9 (a minute), a search may take `memory` bytes.
    pub fn new(goal: &Board, level: u8, memory: u64) -> Good {
        Good {
            shape: goal.shape(),
            goal_blank: goal.blank(),
            memory,
            plan: describe(goal.shape(), level, memory),
            tables: Mutex::new(None),
        }
    }

    /// What is searched.
    pub fn plan(&self) -> &Description {
        &self.plan
    }

    /// The bytes that a search may take.
    pub(super) fn memory(&self) -> u64 {
        self.memory
    }

    /// The evaluation's tables; `None` if the run was stopped meanwhile.
    pub(super) fn tables(&self, budget: &Budget<'_>) -> Option<Arc<Tables>> {
        // Others that need them wait here; a thread that panicked left nothing behind.
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        if tables.is_none() {
            let weights = Untrained::new(self.shape, self.goal_blank);
            *tables = Some(Arc::new(Tables::new(&weights, budget.stop())?));
        }
        tables.clone()
    }

    /// Whether the tables stand.
    pub(super) fn has_tables(&self) -> bool {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }
}

impl Engine for Good {
    fn name(&self) -> &'static str {
        "good"
    }

    fn solve(&self, job: &Job<'_>, scratch: &mut Scratch, effort: &mut Effort) -> Outcome {
        let problem = &job.problem;
        if self.shape.is_line() {
            return Line.solve(job, scratch, effort);
        }
        let lower_bound = lower_bound(problem.board, problem.goal);
        let mut rounds = Rounds::new(self, job, lower_bound);
        rounds.run();
        effort.stats.generated += rounds.generated;
        if self.plan.cut_by_memory {
            effort.limit = Some(Limit::Memory);
        }
        match rounds.best {
            Some(path) if !rounds.cancelled => Outcome::Found { path, lower_bound },
            _ => Outcome::Unsolved { lower_bound, limit: Limit::Cancelled },
        }
    }
}

impl fmt::Debug for Good {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Good").field("shape", &self.shape).field("plan", &self.plan).finish()
    }
}
