//! Bidirectional search as an [`Engine`].

use std::sync::Arc;

use super::{BackwardFrontier, solve};
use crate::engine::Outcome;
use crate::engine::contract::{Effort, Engine, Framed, Job, Scratch};

/// Breadth-first search from both ends, with a backward frontier shared by all boards.
#[derive(Debug)]
pub struct Bidirectional {
    backward_frontier: Arc<BackwardFrontier>,
    bytes: u64,
}

impl Bidirectional {
    /// Creates the engine with a backward frontier. Each search may take `bytes` in addition.
    pub fn new(backward_frontier: Arc<BackwardFrontier>, bytes: u64) -> Bidirectional {
        Bidirectional { backward_frontier, bytes }
    }
}

impl Engine for Bidirectional {
    fn name(&self) -> &'static str {
        "bidirectional"
    }

    fn solve(&self, job: &Job<'_>, _: &mut Scratch, effort: &mut Effort) -> Outcome {
        let Some(Framed { space, start }) = job.problem.framed else { return job.problem.without_frame() };
        solve(&self.backward_frontier, space, start, job.budget, job.thread_share, self.bytes, &mut effort.stats)
    }
}
