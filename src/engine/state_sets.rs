//! Operations on a search's sets of visited states: rehashing and solution reconstruction.
//!
//! *Rehashing* moves the states of a set into a larger one, with several threads. [`move_states`]
//! runs no other job of the pool and waits only for its own items. So the caller may hold a lock or
//! have begun a layer that other workers of the pool wait for.
//!
//! *Solution reconstruction* finds the canonical path. A backward pass marks the states on shortest
//! paths. A forward pass then follows the marked states, smallest letter first.
//!
//! A state of depth g > 0 has a neighbour of depth g − 1, and each such neighbour begins a path
//! back to the root. So the neighbours at depth g − 1 of the marked states of depth g are exactly
//! the states of depth g − 1 on shortest paths to them. From a marked state of depth g, every
//! marked neighbour of depth g + 1 continues a shortest path. The smallest letter that leads to
//! such a neighbour begins the smallest of these paths.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::ThreadShare;
use super::visited::{Insert, StateSet};
use super::word::{Steps, Word};
use super::work_queue::{QueueJob, SharedQueue, WorkQueue};
use crate::board::frame::Space;
use crate::board::{Cell, Path};
use crate::system::{Budget, Limits};

/// The number of work items for one set. Each item is an equal share of the set's slots.
const PARTS: usize = 64;

/// Sets of fewer bytes than this are one work item.
const SMALL: usize = 1 << 20;

/// The job that moves states. An item is the number of a part of the set `from`.
struct MoveStates<W> {
    from: Arc<StateSet<W>>,
    to: Arc<StateSet<W>>,
    parts: usize,
}

impl<W: Word> QueueJob for MoveStates<W> {
    type Item = usize;
    type Report = ();

    fn work(&self, part: usize, _: &SharedQueue<'_, Self>) {
        for (key, note) in self.from.entries_of_part(part, self.parts) {
            let inserted = self.to.insert(key, note);
            debug_assert_eq!(inserted, Insert::New);
        }
    }

    fn merge((): &mut (), (): ()) {}
}

/// Moves all states into a larger set, with the help of idle threads.
pub(super) fn move_states<W: Word>(
    from: &Arc<StateSet<W>>,
    to: StateSet<W>,
    thread_share: &ThreadShare,
) -> Arc<StateSet<W>> {
    static NEVER: AtomicBool = AtomicBool::new(false);
    let to = Arc::new(to);
    let parts = if from.bytes() < SMALL { 1 } else { PARTS };
    let job = MoveStates { from: Arc::clone(from), to: Arc::clone(&to), parts };
    let queue = WorkQueue::new(job, (0..parts).rev().collect());
    let end = queue.finish(&Budget::start(&Limits::default(), &NEVER), thread_share);
    debug_assert_eq!(end, Ok(()), "there is no limit");
    to
}

/// The flag that marks states on shortest paths.
const ON_PATH: u8 = 1;

/// Marks the shortest paths from the root to `ends`, which are all at depth `depth`.
///
/// Here and below `set` returns the set that contains the states of a depth.
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

/// Follows marked states from the marked root `key` for `moves` moves, one layer deeper with each
/// move. Adds the moves to `path`. Returns the last state.
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

/// Walks from `key` back to the root of the sets: first to a neighbour at depth `depth`, then down
/// to depth 0. Adds the moves to `path`.
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
