//! Solution reconstruction: the canonical path from sets of visited states.
//!
//! A backward pass marks the states on shortest paths. A forward pass then follows the marked
//! states, smallest letter first.
//!
//! A state of depth g > 0 has a neighbour of depth g − 1, and each such neighbour begins a path
//! back to the root. So the neighbours at depth g − 1 of the marked states of depth g are exactly
//! the states of depth g − 1 on shortest paths to them. From a marked state of depth g, every
//! marked neighbour of depth g + 1 continues a shortest path. The smallest letter that leads to
//! such a neighbour begins the smallest of these paths.

use super::word::{Steps, Word};
use crate::board::frame::Space;
use crate::board::{Cell, Path};
use crate::engine::visited::StateSet;

/// The flag of states on a shortest path.
const ON_PATH: u8 = 1;

/// Marks the shortest paths from the root to `ends`, which are all at depth `depth`.
///
/// In this module `set` returns the set that contains the states of a depth.
pub(super) fn mark<'a, W: Word>(set: impl Fn(u16) -> &'a StateSet<W>, steps: &Steps, ends: Vec<W>, depth: u16) {
    let first_mark = |key: &W, depth| set(depth).mark(*key, ON_PATH).is_some_and(|note| note.flags() & ON_PATH == 0);
    let mut layer: Vec<W> = ends.into_iter().filter(|key| first_mark(key, depth)).collect();
    for depth in (0..depth).rev() {
        let is_shallower = |key: &W| set(depth).get(*key).is_some_and(|note| u16::from(note.depth()) == depth);
        layer = layer
            .into_iter()
            .flat_map(|key| steps.neighbours(key))
            .filter(|key| is_shallower(key) && first_mark(key, depth))
            .collect();
    }
}

/// Follows marked states from the marked root for `moves` moves, one deeper with each move. Returns
/// the last state.
pub(super) fn follow<'a, W: Word>(
    set: impl Fn(u16) -> &'a StateSet<W>,
    space: &Space,
    key: W,
    moves: u16,
    path: &mut Path,
) -> W {
    (1..=moves).fold(key, |key, depth| {
        step_to(space, key, path, |next| {
            let note = set(depth).get(next);
            note.is_some_and(|note| u16::from(note.depth()) == depth && note.flags() & ON_PATH != 0)
        })
    })
}

/// Walks back to the root of the sets: to a neighbour at depth `depth`, then down to depth 0.
pub(super) fn descend<'a, W: Word>(
    set: impl Fn(u16) -> &'a StateSet<W>,
    space: &Space,
    key: W,
    depth: u16,
    path: &mut Path,
) {
    (0..=depth).rev().fold(key, |key, depth| {
        step_to(space, key, path, |next| set(depth).get(next).is_some_and(|note| u16::from(note.depth()) == depth))
    });
}

/// Makes the smallest move to a state that satisfies `continues`.
fn step_to<W: Word>(space: &Space, key: W, path: &mut Path, continues: impl Fn(W) -> bool) -> W {
    let goal_blank = space.goal_blank.index();
    let blank = key.cell_of(goal_blank);
    let next = space
        .steps(Cell::new(blank))
        .map(|(letter, to)| (letter, key.slid(blank, to.index(), goal_blank)))
        .find(|&(_, next)| continues(next));
    let Some((letter, next)) = next else { unreachable!("a shortest path continues") };
    path.push(letter);
    next
}
