//! One row or one column: the blank walks to its place, nothing else can be done.

use crate::board::{Path, Solvable};
use crate::frame::Space;

/// The only path there is without detours, which is therefore the canonical one.
pub fn solve(space: &Space, start: &Solvable, path: &mut Path) {
    path.clear();
    let mut blank = start.state().blank();
    while blank != space.goal_blank {
        let closer = space.steps(blank).find(|&(_, to)| {
            space.shape.distance(to, space.goal_blank) < space.shape.distance(blank, space.goal_blank)
        });
        let Some((letter, to)) = closer else { break };
        path.push(letter);
        blank = to;
    }
}
