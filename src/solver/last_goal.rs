//! The goal that was last prepared, kept for the next board: in most streams the only one there is.

use std::sync::Arc;

use super::engines::Engines;
use super::prepared_goal::PreparedGoal;
use crate::board::{Board, Error, Goal, Shape};

/// The goal that was last prepared.
#[derive(Default, Debug)]
pub struct LastGoal {
    /// As it was asked for, by name or tile by tile, and on which shape.
    asked: Option<(Goal, Shape)>,
    prepared: Option<Arc<PreparedGoal>>,
    /// The work for good paths, where the solver has none of its own.
    effort: Option<u8>,
}

impl LastGoal {
    /// None yet; good paths get so much work where the solver was not asked for another.
    pub fn at_effort(effort: Option<u8>) -> LastGoal {
        LastGoal { effort, ..LastGoal::default() }
    }

    /// The goal on a shape: the last one, or else prepared now and kept in its place.
    ///
    /// # Errors
    /// When the goal does not fit the shape.
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

    /// The same for a goal that is laid out already.
    pub fn get_board(&mut self, engines: &Engines, goal: &Board) -> &Arc<PreparedGoal> {
        let last = self.prepared.take().filter(|last| **last.goal() == *goal);
        let prepared = last.unwrap_or_else(|| {
            self.asked = None;
            Arc::new(engines.prepare_at(goal, self.effort))
        });
        self.prepared.insert(prepared)
    }
}
