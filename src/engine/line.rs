//! One row or one column: the blank walks to its place, nothing else can be done.

use super::Outcome;
use super::contract::{Effort, Engine, Job, Problem, Scratch};
use crate::board::{Cell, Move, Path, Shape};

/// Answers for boards of one row or one column, however long.
#[derive(Debug)]
pub struct Line;

impl Engine for Line {
    fn name(&self) -> &'static str {
        "line"
    }

    fn solve(&self, job: &Job<'_>, _: &mut Scratch, _: &mut Effort) -> Outcome {
        let mut path = Path::new();
        self.answer_at_once(&job.problem, &mut path);
        Outcome::Solved(path)
    }

    /// The only path there is without detours, which is therefore the canonical one.
    fn answer_at_once(&self, problem: &Problem<'_>, path: &mut Path) -> bool {
        let Problem { board, goal, .. } = problem;
        path.clear();
        path.extend(walk(board.shape(), board.blank(), goal.blank()));
        true
    }
}

/// The blank's way along a row or a column of any length.
fn walk(shape: Shape, from: Cell, to: Cell) -> impl Iterator<Item = Move> {
    let step = match (shape.rows() == 1, from < to) {
        (true, true) => Move::Right,
        (true, false) => Move::Left,
        (false, true) => Move::Down,
        (false, false) => Move::Up,
    };
    std::iter::repeat_n(step, from.index().abs_diff(to.index()))
}
