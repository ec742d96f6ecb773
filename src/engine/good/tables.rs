//! The tables of a goal, built for the first board that needs them and kept for all that follow.

use std::sync::Arc;

use parking_lot::Mutex;

use super::boards::Boards;
use super::plan::{Method, beam_shape};
use crate::board::Cell;
use crate::engine::staged::Stages;
use crate::heuristic::evaluation::{Tables, Untrained};
use crate::heuristic::learned::Available;
use crate::system::Budget;

/// What a method's searches read.
#[derive(Clone)]
pub(super) struct Prepared {
    /// The groups, where the method is staged.
    pub(super) stages: Option<Arc<Stages>>,
    /// Of the board, or of its last block.
    pub(super) tables: Arc<Tables>,
}

/// The tables of one goal; with a method, since a deadline may ask for another one than the level.
pub(super) struct GoalTables {
    boards: Boards,
    goal_blank: Cell,
    weights: Available,
    prepared: Mutex<Vec<(Method, Prepared)>>,
}

impl GoalTables {
    pub(super) fn new(boards: Boards, goal_blank: Cell, weights: Available) -> GoalTables {
        GoalTables { boards, goal_blank, weights, prepared: Mutex::new(Vec::new()) }
    }

    /// The tables of a method; `None` if the run was stopped while they were built.
    pub(super) fn get(&self, method: Method, budget: &Budget<'_>) -> Option<Prepared> {
        // Others that need them wait here. A thread that panicked left nothing half built behind.
        let mut all = self.prepared.lock();
        if let Some((_, prepared)) = all.iter().find(|(of, _)| *of == method) {
            return Some(prepared.clone());
        }
        let (stages, blank) = match method {
            Method::Staged => {
                let stages = Stages::new(self.boards.shape, self.goal_blank, budget.stop())?;
                let blank = stages.block_blank();
                (Some(Arc::new(stages)), blank)
            }
            _ => (None, self.goal_blank),
        };
        let shape = beam_shape(self.boards.shape, method);
        let tables = match self.weights.get(shape, blank) {
            Some(learned) => Tables::new(&learned, budget.stop())?,
            None => Tables::new(&Untrained::new(shape, blank), budget.stop())?,
        };
        let prepared = Prepared { stages, tables: Arc::new(tables) };
        all.push((method, prepared.clone()));
        Some(prepared)
    }

    /// Whether the tables of a method stand.
    pub(super) fn stand(&self, method: Method) -> bool {
        self.prepared.lock().iter().any(|(of, _)| *of == method)
    }
}
