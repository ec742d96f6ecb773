//! Moving the states of a set into a larger one (rehashing), with several threads.
//!
//! [`move_states`] runs no other job of the pool and waits only for its own items. So the caller
//! may hold locks or layers that other workers of the pool wait for.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::ThreadShare;
use super::word::Word;
use super::work_queue::{ItemQueue, Job, WorkQueue};
use crate::engine::visited::{Insert, StateSet};
use crate::system::{Budget, Limits};

/// The number of work items for one set. Each item is an equal share of its slots.
const PARTS: usize = 64;

/// Sets of fewer bytes than this are one work item.
const SMALL: usize = 1 << 20;

/// The job that moves states. An item is the number of a part of the set `from`.
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
