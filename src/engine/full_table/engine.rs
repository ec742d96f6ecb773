//! The full table as an [`Engine`].

use super::Table;
use crate::board::Path;
use crate::engine::Outcome;
use crate::engine::contract::{AnsweredBy, Effort, Engine, Job, LowerBounds, Readiness, Scratch};

impl Engine for Table {
    fn name(&self) -> &'static str {
        "lookup"
    }

    fn solve(&self, job: &Job<'_>, _: &mut Scratch, effort: &mut Effort) -> Outcome {
        let Some(framed) = job.problem.framed else { return job.problem.without_frame() };
        effort.answered_by = AnsweredBy::FullTable;
        let mut path = Path::new();
        Table::solve(self, framed.start, &mut path);
        Outcome::Solved(path)
    }

    fn full_table(&self) -> Option<&Table> {
        Some(self)
    }

    fn lower_bounds(&self, _: Readiness) -> LowerBounds<'_> {
        LowerBounds::FullTable(self)
    }
}
