//! IDA* as an [`Engine`].

use std::fmt;
use std::sync::Arc;

use super::sampling::sample_search;
use super::{Scratch, solve_and_tell};
use crate::engine::Outcome;
use crate::engine::contract::{self, Effort, Engine, Framed, Job, LowerBounds, Problem, Readiness};
use crate::engine::sampling::{Request, Sampled};
use crate::heuristic::{Heuristic, WalkingConflict};
use crate::system::Limit;

/// IDA* guided by one heuristic.
#[derive(Debug)]
pub struct IdaStar<H> {
    heuristic: Arc<H>,
    name: &'static str,
}

impl<H> IdaStar<H> {
    /// The engine with this heuristic, and what the heuristic is called.
    pub fn new(heuristic: Arc<H>, name: &'static str) -> IdaStar<H> {
        IdaStar { heuristic, name }
    }
}

impl<H: Heuristic + fmt::Debug + Send + 'static> Engine for IdaStar<H> {
    fn name(&self) -> &'static str {
        "idastar"
    }

    fn heuristic(&self) -> Option<&str> {
        Some(self.name)
    }

    fn solve(&self, job: &Job<'_>, scratch: &mut contract::Scratch, effort: &mut Effort) -> Outcome {
        let Some(Framed { space, start }) = job.problem.framed else { return job.problem.without_frame() };
        let scratch = scratch.part(Scratch::<H::Value>::new);
        effort.log.begin(self.name);
        let (problem, means) = ((space, start), (job.budget, job.thread_share));
        let Effort { stats, log, .. } = effort;
        solve_and_tell(&*self.heuristic, problem, means, scratch, stats, log)
    }

    fn sample(&self, problem: &Problem<'_>, request: &Request<'_>) -> Option<Result<Sampled, Limit>> {
        let Framed { space, start } = problem.framed?;
        Some(sample_search(&*self.heuristic, space, start, Scratch::<H::Value>::FRONTIER_BYTES, request))
    }

    fn lower_bounds(&self, _: Readiness) -> LowerBounds<'_> {
        walking_conflict(&self.heuristic).map_or(LowerBounds::None, LowerBounds::WalkingConflict)
    }
}

/// The heuristic, where it is walking-conflict.
pub(in crate::engine) fn walking_conflict<H: 'static>(heuristic: &Arc<H>) -> Option<&Arc<WalkingConflict>> {
    (heuristic as &dyn std::any::Any).downcast_ref()
}
