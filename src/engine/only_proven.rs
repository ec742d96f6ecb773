//! An engine that returns only paths that are proven shortest.

use std::sync::Arc;

use super::Outcome;
use super::contract::{Effort, Engine, Job, Scratch};
use crate::system::Limit;

/// A wrapper that discards an engine's paths unless they are as short as the proven lower bound.
#[derive(Debug)]
pub struct OnlyProven(Arc<dyn Engine>);

impl OnlyProven {
    /// Wraps an engine.
    pub fn new(engine: Arc<dyn Engine>) -> OnlyProven {
        OnlyProven(engine)
    }
}

impl Engine for OnlyProven {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn heuristic(&self) -> Option<&str> {
        self.0.heuristic()
    }

    fn solve(&self, job: &Job<'_>, scratch: &mut Scratch, effort: &mut Effort) -> Outcome {
        match self.0.solve(job, scratch, effort) {
            Outcome::Found { path, lower_bound } if lower_bound < path.len() as u64 => {
                Outcome::Unsolved { lower_bound, limit: effort.limit.take().unwrap_or(Limit::Effort) }
            }
            outcome => outcome,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::board::Board;
    use crate::engine::ThreadShare;
    use crate::engine::contract::Problem;
    use crate::system::{Budget, InputPosition, Limits};

    /// An engine that finds a path of three moves and proves the given lower bound.
    #[derive(Debug)]
    struct Finds(u64);

    impl Engine for Finds {
        fn name(&self) -> &'static str {
            "finds"
        }

        fn solve(&self, _: &Job<'_>, _: &mut Scratch, _: &mut Effort) -> Outcome {
            Outcome::Found { path: "RLR".parse().unwrap(), lower_bound: self.0 }
        }
    }

    #[test]
    fn a_path_longer_than_its_bound_is_discarded() {
        let board: Board = "1 2 3/4 5 6/7 0 8".parse().unwrap();
        let (stop, share) = (AtomicBool::new(false), ThreadShare::alone());
        let budget = Budget::start(&Limits::default(), &stop);
        let job = Job {
            problem: Problem { board: &board, goal: &board, framed: None },
            budget: &budget,
            thread_share: &share,
            input_position: &InputPosition::END,
            beam: None,
        };
        let solve =
            |bound| OnlyProven::new(Arc::new(Finds(bound))).solve(&job, &mut Scratch::new(64), &mut Effort::default());
        assert_eq!(solve(1), Outcome::Unsolved { lower_bound: 1, limit: Limit::Effort });
        assert_eq!(solve(3), Outcome::Found { path: "RLR".parse().unwrap(), lower_bound: 3 });
    }
}
