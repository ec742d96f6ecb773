//! IDA* with one heuristic other than pattern databases, as an [`Engine`].

use std::fmt;
use std::sync::Arc;

use super::deepen::Context;
use super::search::{Scratch, Search, plain};
use crate::board::frame::Space;
use crate::engine::contract::{self, Effort, Engine, Framed, Job, LowerBounds, Problem, Readiness};
use crate::engine::sampling::{Request, Sampled};
use crate::engine::{Outcome, TieBreak};
use crate::heuristic::Heuristic;
use crate::system::Limit;

/// IDA* guided by one heuristic.
pub struct IdaStar<H> {
    heuristic: Arc<H>,
    name: &'static str,
    tie_break: TieBreak,
    search: Box<dyn Search>,
}

impl<H: Heuristic + Send + 'static> IdaStar<H> {
    /// Creates the engine for a space, with a heuristic for this space and the heuristic's name.
    pub fn new(heuristic: Arc<H>, space: &Space, name: &'static str, tie_break: TieBreak) -> IdaStar<H> {
        IdaStar { search: plain(&heuristic, space), heuristic, name, tie_break }
    }
}

impl<H> fmt::Debug for IdaStar<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "IdaStar({})", self.name)
    }
}

impl<H: Heuristic + Send + 'static> Engine for IdaStar<H> {
    fn name(&self) -> &'static str {
        "idastar"
    }

    fn heuristic(&self) -> Option<&str> {
        Some(self.name)
    }

    fn solve(&self, job: &Job<'_>, scratch: &mut contract::Scratch, effort: &mut Effort) -> Outcome {
        let Some(Framed { start, .. }) = job.problem.framed else { return job.problem.without_frame() };
        effort.log.begin(self.name);
        let (tie_break, log) = (self.tie_break, effort.log.clone());
        let context = Context { tie_break, log, ..Context::new(job.budget, job.thread_share) };
        self.search.solve(start, &context, scratch.part(Scratch::new), &mut effort.stats)
    }

    fn sample(&self, problem: &Problem<'_>, request: &Request<'_>) -> Option<Result<Sampled, Limit>> {
        Some(self.search.sample(problem.framed?.start, request))
    }

    fn lower_bounds(&self, _: Readiness) -> LowerBounds<'_> {
        LowerBounds::of(&self.heuristic)
    }
}
