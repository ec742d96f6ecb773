//! The lookup table as an [`Engine`].

use super::Table;
use crate::board::Path;
use crate::engine::Outcome;
use crate::engine::contract::{Effort, Engine, Job, LowerBounds, Problem, Readiness, Scratch};
use crate::engine::path_table::Paths;

impl Engine for Table {
    fn name(&self) -> &'static str {
        "lookup"
    }

    fn solve(&self, job: &Job<'_>, _: &mut Scratch, _: &mut Effort) -> Outcome {
        let mut path = Path::new();
        if self.answer_at_once(&job.problem, &mut path) { Outcome::Solved(path) } else { job.problem.without_frame() }
    }

    #[inline]
    fn answer_at_once(&self, problem: &Problem<'_>, path: &mut Path) -> bool {
        let framed = problem.framed.as_ref();
        framed.inspect(|framed| Table::solve(self, framed.start, path)).is_some()
    }

    fn path_table(&self) -> Option<&Paths> {
        Some(self.paths())
    }

    fn searches_left(&self) -> usize {
        Table::searches_left(self)
    }

    fn lower_bounds(&self, _: Readiness) -> LowerBounds<'_> {
        LowerBounds::Lookup(self)
    }
}
