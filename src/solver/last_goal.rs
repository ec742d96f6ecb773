//! The most recently prepared goal, kept for the next board. Most streams have only one goal.

use std::sync::Arc;

use super::engines::Engines;
use super::prepared_goal::PreparedGoal;
use crate::board::{Board, Error, Goal, Shape};

/// The most recently prepared goal.
#[derive(Default, Debug)]
pub struct LastGoal {
    /// The goal as requested, and the shape.
    asked: Option<(Goal, Shape)>,
    prepared: Option<Arc<PreparedGoal>>,
    /// The effort for good paths, if the solver was not given one.
    effort: Option<u8>,
}

impl LastGoal {
    /// Creates an empty cache. `effort` is for good paths, unless the solver was given an effort.
    pub fn at_effort(effort: Option<u8>) -> LastGoal {
        LastGoal { effort, ..LastGoal::default() }
    }

    /// Returns the goal on a shape: the cached one, or a newly prepared one that replaces it.
    ///
    /// # Errors
    /// If the goal does not fit the shape.
    #[inline]
    pub fn get(&mut self, engines: &Engines, goal: &Goal, shape: Shape) -> Result<&Arc<PreparedGoal>, Error> {
        let is_last = self.asked.as_ref().is_some_and(|(asked, on)| *on == shape && asked == goal);
        if !is_last {
            let board = goal.on(shape)?;
            self.prepared = Some(Arc::new(engines.prepare_at(&board, self.effort)));
            self.asked = Some((goal.clone(), shape));
        }
        match &self.prepared {
            Some(prepared) => Ok(prepared),
            None => unreachable!("what was asked for was prepared"),
        }
    }

    /// Does the same for a goal given as a board.
    pub fn get_board(&mut self, engines: &Engines, goal: &Board) -> &Arc<PreparedGoal> {
        let last = self.prepared.take().filter(|last| **last.goal() == *goal);
        let prepared = last.unwrap_or_else(|| {
            self.asked = None;
            Arc::new(engines.prepare_at(goal, self.effort))
        });
        self.prepared.insert(prepared)
    }
}
