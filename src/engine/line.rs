//! One row or one column: the blank walks to its place, nothing else can be done.

use crate::board::{Cell, Move, Path, Shape, Solvable};
use crate::frame::Space;

/// The only path there is without detours, which is therefore the canonical one.
pub fn solve(space: &Space, start: &Solvable, path: &mut Path) {
    path.clear();
    path.extend(walk(space.shape, start.state().blank(), space.goal_blank).map(|step| space.letter_of(step)));
}

/// The blank's way along a row or a column of any length.
pub fn walk(shape: Shape, from: Cell, to: Cell) -> impl Iterator<Item = Move> {
    let step = match (shape.rows() == 1, from < to) {
        (true, true) => Move::Right,
        (true, false) => Move::Left,
        (false, true) => Move::Down,
        (false, false) => Move::Up,
    };
    std::iter::repeat_n(step, from.index().abs_diff(to.index()))
}
