//! The lookup table as an [`Engine`].

use super::Table;
use crate::board::Path;
use crate::engine::Outcome;
use crate::engine::contract::{Effort, Engine, Job, LowerBounds, Readiness, Scratch};

impl Engine for Table {
    fn name(&self) -> &'static str {
        "lookup"
    }

    fn solve(&self, job: &Job<'_>, _: &mut Scratch, _: &mut Effort) -> Outcome {
        let Some(framed) = job.problem.framed else { return job.problem.without_frame() };
        let mut path = Path::new();
        Table::solve(self, framed.start, &mut path);
        Outcome::Solved(path)
    }

    #[inline]
    fn lookup(&self) -> Option<&Table> {
        Some(self)
    }

    fn lower_bounds(&self, _: Readiness) -> LowerBounds<'_> {
        LowerBounds::Lookup(self)
    }
}
