//! A* as an [`Engine`].

use std::fmt;
use std::sync::Arc;

use super::solve;
use crate::engine::Outcome;
use crate::engine::contract::{Effort, Engine, Framed, Job, LowerBounds, Readiness, Scratch};
use crate::heuristic::Heuristic;

/// A* guided by one heuristic.
#[derive(Debug)]
pub struct AStar<H> {
    heuristic: Arc<H>,
    name: &'static str,
    bytes: u64,
}

impl<H> AStar<H> {
    /// Creates the engine with a heuristic and its name. One search takes at most `bytes`.
    pub fn new(heuristic: Arc<H>, name: &'static str, bytes: u64) -> AStar<H> {
        AStar { heuristic, name, bytes }
    }
}

impl<H: Heuristic + fmt::Debug + Send + 'static> Engine for AStar<H> {
    fn name(&self) -> &'static str {
        "astar"
    }

    fn heuristic(&self) -> Option<&str> {
        Some(self.name)
    }

    fn solve(&self, job: &Job<'_>, _: &mut Scratch, effort: &mut Effort) -> Outcome {
        let Some(Framed { space, start }) = job.problem.framed else { return job.problem.without_frame() };
        solve(&self.heuristic, space, start, job.budget, job.thread_share, self.bytes, &mut effort.stats)
    }

    fn lower_bounds(&self, _: Readiness) -> LowerBounds<'_> {
        LowerBounds::of(&self.heuristic)
    }
}
