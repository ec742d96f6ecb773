//! The engine for boards of one row or one column: the blank moves straight to its goal cell.

use super::Outcome;
use super::contract::{Engine, Job, Scratch, WorkDone};
use crate::board::{Board, Cell, Move, Path, Shape};

/// The engine for boards of one row or one column of any length.
#[derive(Debug)]
pub struct LineEngine;

impl Engine for LineEngine {
    fn name(&self) -> &'static str {
        "line"
    }

    fn solve(&self, job: &Job<'_>, _: &mut Scratch, _: &mut WorkDone) -> Outcome {
        let mut path = Path::new();
        write_path(job.problem.board, job.problem.goal, &mut path);
        Outcome::Solved(path)
    }
}

/// Overwrites `path` with the only shortest path, which is therefore the canonical one.
pub fn write_path(board: &Board, goal: &Board, path: &mut Path) {
    path.clear();
    path.extend(walk(board.shape(), board.blank(), goal.blank()));
}

/// Returns the blank's moves along a row or a column.
fn walk(shape: Shape, from: Cell, to: Cell) -> impl Iterator<Item = Move> {
    let step = match (shape.rows() == 1, from < to) {
        (true, true) => Move::Right,
        (true, false) => Move::Left,
        (false, true) => Move::Down,
        (false, false) => Move::Up,
    };
    std::iter::repeat_n(step, from.index().abs_diff(to.index()))
}
