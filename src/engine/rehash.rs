//! Moving the states of a set to a larger one, by several threads.
//!
//! The move runs no other job of the pool and waits for nothing but its own items, so the caller may
//! hold what other workers of the pool wait for.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::ThreadShare;
use super::word::Word;
use super::work_queue::{ItemQueue, Job, WorkQueue};
use crate::engine::visited::{Insert, StateSet};
use crate::system::{Budget, Limits};

/// Items of work for one set: each is this share of its slots.
const PARTS: usize = 64;

/// Below this many bytes a set is one item of work.
const SMALL: usize = 1 << 20;

/// The job of moving states; an item is the number of a part of the smaller set.
struct MoveStates<W> {
    from: Arc<StateSet<W>>,
    to: Arc<StateSet<W>>,
    parts: usize,
}

impl<W: Word> Job for MoveStates<W> {
    type Item = usize;
    type Report = ();

    fn work(&self, part: usize, _: &mut dyn ItemQueue<usize>) {
        for (key, note) in self.from.entries_of_part(part, self.parts) {
            let inserted = self.to.insert(key, note);
            debug_assert_eq!(inserted, Insert::New);
        }
    }

    fn merge((): &mut (), (): ()) {}
}

/// Moves all states to a larger set, with the help of threads that are idle.
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
