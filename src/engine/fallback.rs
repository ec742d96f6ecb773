//! A pair of engines. The second one solves the boards that the first cannot solve within its
//! limits.

use std::sync::Arc;
use std::time::Instant;

use super::contract::{AnsweredBy, Effort, Engine, Job, LowerBounds, Readiness, Scratch};
use super::{Outcome, full_table};
use crate::system::Limit;

/// An engine that proves its paths, and one that finds a path if the first reaches a limit.
#[derive(Debug)]
pub struct Fallback {
    first: Arc<dyn Engine>,
    second: Arc<dyn Engine>,
}

impl Fallback {
    /// A board's time divided by this number is reserved for the second engine.
    const TIME_PARTS: u32 = 5;

    /// Returns the first engine with the second as its fallback.
    pub fn new(first: Arc<dyn Engine>, second: Arc<dyn Engine>) -> Fallback {
        Fallback { first, second }
    }
}

impl Engine for Fallback {
    fn name(&self) -> &'static str {
        self.first.name()
    }

    fn heuristic(&self) -> Option<&str> {
        self.first.heuristic()
    }

    fn solve(&self, job: &Job<'_>, scratch: &mut Scratch, effort: &mut Effort) -> Outcome {
        let remaining = job.budget.deadline().map(|end| end.saturating_duration_since(Instant::now()));
        let max_time = remaining.map(|time| time - time / Fallback::TIME_PARTS);
        let first_budget = max_time.map_or(*job.budget, |time| job.budget.at_most(time));
        let (proven, reached) = match self.first.solve(&Job { budget: &first_budget, ..*job }, scratch, effort) {
            Outcome::Unsolved { lower_bound, limit } if limit != Limit::Cancelled => (lower_bound, limit),
            ended => return ended,
        };
        // The first search may have used up the nodes, so the second search has no node limit. Its
        // path does not depend on the limit and is still the same on every machine.
        let budget = job.budget.without_nodes();
        let limit = Some(reached);
        match self.second.solve(&Job { budget: &budget, ..*job }, scratch, effort) {
            Outcome::Found { path, lower_bound } => {
                (effort.limit, effort.answered_by) = (limit, AnsweredBy::Good);
                Outcome::Found { path, lower_bound: lower_bound.max(proven) }
            }
            Outcome::Unsolved { limit: Limit::Cancelled, lower_bound } => {
                Outcome::Unsolved { lower_bound: lower_bound.max(proven), limit: Limit::Cancelled }
            }
            Outcome::Unsolved { lower_bound, .. } => {
                Outcome::Unsolved { lower_bound: lower_bound.max(proven), limit: reached }
            }
            solved @ Outcome::Solved(_) => solved,
        }
    }

    fn full_table(&self) -> Option<&full_table::Table> {
        self.first.full_table()
    }

    fn lower_bounds(&self, which: Readiness) -> LowerBounds<'_> {
        self.first.lower_bounds(which)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    use super::*;
    use crate::board::{Board, Path};
    use crate::engine::ThreadShare;
    use crate::engine::contract::Problem;
    use crate::system::{Budget, InputPosition, Limits};

    /// An engine whose every search ends in the same way.
    #[derive(Debug)]
    struct Ends(Outcome);

    impl Engine for Ends {
        fn name(&self) -> &'static str {
            "ends"
        }

        fn solve(&self, job: &Job<'_>, _: &mut Scratch, _: &mut Effort) -> Outcome {
            assert!(job.budget.deadline().is_some_and(|end| end <= Instant::now() + Duration::from_secs(5)));
            self.0.clone()
        }
    }

    fn ended(first: Outcome, second: Outcome) -> (Outcome, Option<Limit>) {
        let fallback = Fallback::new(Arc::new(Ends(first)), Arc::new(Ends(second)));
        let board: Board = "1 2 3/4 5 6/7 0 8".parse().unwrap();
        let goal: Board = "1 2 3/4 5 6/7 8 0".parse().unwrap();
        let (stop, limits) = (AtomicBool::new(false), Limits { time: Some(Duration::from_secs(5)), nodes: Some(7) });
        let budget = Budget::start(&limits, &stop);
        let problem = Problem { board: &board, goal: &goal, framed: None };
        let job = Job {
            problem,
            budget: &budget,
            thread_share: &ThreadShare::alone(),
            input_position: &InputPosition::END,
            beam: None,
        };
        let mut effort = Effort::default();
        (fallback.solve(&job, &mut Scratch::new(64), &mut effort), effort.limit)
    }

    #[test]
    fn the_second_engine_runs_if_the_first_reaches_a_limit() {
        let path = || "R".parse::<Path>().unwrap();
        let unsolved = |lower_bound, limit| Outcome::Unsolved { lower_bound, limit };
        let found = |lower_bound| Outcome::Found { path: path(), lower_bound };
        let proven = Outcome::Solved(path());
        assert_eq!(ended(proven.clone(), found(0)), (proven.clone(), None));
        // The first engine's limit and the larger of the two lower bounds are reported.
        assert_eq!(ended(unsolved(1, Limit::Nodes), found(0)), (found(1), Some(Limit::Nodes)));
        assert_eq!(ended(unsolved(0, Limit::Time), found(1)), (found(1), Some(Limit::Time)));
        assert_eq!(ended(unsolved(0, Limit::Memory), unsolved(1, Limit::Time)).0, unsolved(1, Limit::Memory));
        let cancelled = unsolved(1, Limit::Cancelled);
        assert_eq!(ended(cancelled.clone(), found(0)), (cancelled.clone(), None));
        assert_eq!(ended(unsolved(1, Limit::Nodes), unsolved(0, Limit::Cancelled)).0, cancelled);
    }
}
