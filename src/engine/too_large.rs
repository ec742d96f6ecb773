//! Boards of more cells than any engine searches: the goal itself is solved, and of all others only a lower bound is known.

use super::Outcome;
use super::contract::{AtOnce, Effort, Engine, Job, Problem, Scratch};
use crate::board::Path;
use crate::system::Limit;

/// Answers for boards that no engine searches.
#[derive(Debug)]
pub struct TooLarge;

impl Engine for TooLarge {
    fn name(&self) -> &'static str {
        "none"
    }

    fn solve(&self, job: &Job<'_>, _: &mut Scratch, _: &mut Effort) -> Outcome {
        answer(&job.problem).outcome(Path::new())
    }

    fn answer_at_once(&self, problem: &Problem<'_>, path: &mut Path) -> Option<AtOnce> {
        path.clear();
        Some(answer(problem))
    }
}

fn answer(problem: &Problem<'_>) -> AtOnce {
    match problem.board.manhattan_distance(problem.goal) {
        0 => AtOnce::Solved,
        lower_bound => AtOnce::Unsolved { lower_bound, limit: Limit::Effort },
    }
}
