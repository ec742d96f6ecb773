//! A cache of the most recently prepared goal. Most streams have only one goal.

use std::sync::Arc;

use super::engines::Engines;
use super::prepared_goal::PreparedGoal;
use crate::board::{Board, Error, Goal, Shape};

/// The most recently prepared goal.
#[derive(Default, Debug)]
pub struct LastGoal {
    /// The goal and the shape that were requested.
    requested: Option<(Goal, Shape)>,
    prepared: Option<Arc<PreparedGoal>>,
    /// The effort for good paths if the solver has none of its own.
    effort: Option<u8>,
}

impl LastGoal {
    /// Creates an empty cache. `effort` is for good paths if the solver has none of its own.
    pub fn at_effort(effort: Option<u8>) -> LastGoal {
        LastGoal { effort, ..LastGoal::default() }
    }

    /// Returns the prepared goal for a shape, from the cache if possible.
    ///
    /// # Errors
    /// If the goal does not fit the shape.
    #[inline]
    pub fn get(&mut self, engines: &Engines, goal: &Goal, shape: Shape) -> Result<&Arc<PreparedGoal>, Error> {
        let is_last = self.requested.as_ref().is_some_and(|(last, on_shape)| *on_shape == shape && last == goal);
        if !is_last {
            let board = goal.on(shape)?;
            self.prepared = Some(Arc::new(engines.prepare_at(&board, self.effort)));
            self.requested = Some((goal.clone(), shape));
        }
        match &self.prepared {
            Some(prepared) => Ok(prepared),
            None => unreachable!("the requested goal was prepared"),
        }
    }

    /// Does the same as [`Self::get`] for a goal given as a board.
    pub fn get_board(&mut self, engines: &Engines, goal: &Board) -> &Arc<PreparedGoal> {
        let last = self.prepared.take().filter(|last| **last.goal() == *goal);
        let prepared = last.unwrap_or_else(|| {
            self.requested = None;
            Arc::new(engines.prepare_at(goal, self.effort))
        });
        self.prepared.insert(prepared)
    }
}
