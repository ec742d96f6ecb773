//! A queue of work items, shared by the threads that need the result and by idle threads.
//!
//! A layer of a parallel search is a list of items. Each thread that needs a layer is an *owner*.
//! It works on the items ([`WorkQueue::finish`]) until none are left. Helpers are spawned into the
//! owner's rayon pool. They do the same while an owner needs the layer and no board needs their
//! thread. The [`ThreadShare`] decides which threads may help: none if every board has one thread
//! (`Parallel::Across`), the idle threads (`Parallel::Auto`), or all (`Parallel::Within`). One
//! mutex guards the state. It is held to take an item and to submit a report, about every 0.2 ms,
//! and never during work.
//!
//! # Why no thread waits forever
//!
//! `join`, `scope` and parallel iterators wait by running *any* job of the pool, such as the board
//! of another record. That board could need a result that its own thread was about to finish,
//! further down the stack, and would wait forever. At best, half-solved boards would pile up in
//! memory. So no thread waits that way here. An item in progress belongs to a running thread: the
//! work on items never waits and runs no other jobs of the pool. A thread that finds no item left
//! therefore waits only for running threads, and for at most one item each. Helpers that arrive too
//! late find no item and return.
//!
//! A thread that waits at the end of a layer does nothing else, for at most the time of one item.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use super::ThreadShare;
use crate::system::{Budget, Limit};

// Under `--cfg loom`, these are the locks of loom, a model checker for concurrent code, so its
// models check the same code that runs otherwise. (The counts of a `ThreadShare` are only hints and
// use std's atomics.) loom's waits do not time out: a model that relies on a timeout ends as a
// deadlock.
#[cfg(loom)]
pub(super) use ::loom::sync::{Condvar, Mutex, MutexGuard};
#[cfg(not(loom))]
pub(super) use std::sync::{Condvar, Mutex, MutexGuard};

/// Queues a job in the pool that the caller runs in.
#[cfg(not(loom))]
fn spawn(job: impl FnOnce() + Send + 'static) {
    rayon::spawn(job);
}

/// Runs a job in a thread of the loom model.
#[cfg(loom)]
fn spawn(job: impl FnOnce() + Send + 'static) {
    ::loom::thread::spawn(job);
}

/// The work on the items of a layer.
pub(super) trait QueueJob: Sized + Send + Sync + 'static {
    /// An item of at most a few milliseconds of work, because limits are checked between items.
    type Item: Send;
    /// The combined result of all items.
    type Report: Default + Send;

    /// Works on one item. It may add items to the queue. It must neither wait nor run jobs of the
    /// pool.
    fn work(&self, item: Self::Item, queue: &SharedQueue<'_, Self>) -> Self::Report;

    /// Adds the report of one item. It runs under the queue's lock and must not panic.
    fn merge(total: &mut Self::Report, part: Self::Report);
}

/// A job, its items and its reports.
pub(super) struct WorkQueue<J: QueueJob> {
    pub(super) job: J,
    state: Mutex<QueueState<J>>,
    /// Notified when an item is added, when the last report is submitted, and when an item panics.
    changed: Condvar,
}

struct QueueState<J: QueueJob> {
    todo: Vec<J::Item>,
    /// The number of items in progress. The job is finished, for good, when this is 0 and `todo` is
    /// empty.
    running: usize,
    /// The number of owners that need the result now.
    owners: usize,
    /// The number of owners that found no item and wait.
    waiting: usize,
    total: J::Report,
    panicked: bool,
}

impl<J: QueueJob> QueueState<J> {
    fn is_finished(&self) -> bool {
        self.running == 0 && self.todo.is_empty()
    }
}

/// The reason a thread takes items.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// Its board needs the result.
    Owner,
    /// It was idle.
    Helper,
}

/// A guard that reports a panic in an item to the threads that wait for the job.
struct PanicGuard<'a, J: QueueJob>(&'a WorkQueue<J>);

impl<J: QueueJob> Drop for PanicGuard<'_, J> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.lock().panicked = true;
            self.0.changed.notify_all();
        }
    }
}

/// The queue, as passed to the work on one of its items, and the threads that may help.
pub(super) struct SharedQueue<'a, J: QueueJob>(&'a Arc<WorkQueue<J>>, &'a ThreadShare);

impl<J: QueueJob> SharedQueue<'_, J> {
    /// Returns whether the queue has fewer items than there are waiting and idle threads.
    pub(super) fn is_short(&self) -> bool {
        let idle = self.1.idle();
        let state = self.0.lock();
        state.todo.len() < state.waiting + idle
    }

    /// Adds an item.
    pub(super) fn push(&self, item: J::Item) {
        self.0.lock().todo.push(item);
        self.0.changed.notify_one();
        self.0.borrow_helper(self.1);
    }
}

impl<J: QueueJob> WorkQueue<J> {
    /// The longest time an owner sleeps before it checks its limits.
    const MAX_SLEEP: Duration = Duration::from_millis(2);

    pub(super) fn new(job: J, todo: Vec<J::Item>) -> Arc<WorkQueue<J>> {
        let total = J::Report::default();
        let state = QueueState { todo, running: 0, owners: 0, waiting: 0, total, panicked: false };
        Arc::new(WorkQueue { job, state: Mutex::new(state), changed: Condvar::new() })
    }

    /// Locks the state. The only code of a job that runs under the lock is [`QueueJob::merge`],
    /// which does not panic. So a poisoned lock guards a consistent state.
    fn lock(&self) -> MutexGuard<'_, QueueState<J>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets an idle thread help, if there is one.
    fn borrow_helper(self: &Arc<Self>, thread_share: &ThreadShare) {
        let Some(helper) = thread_share.borrow_idle() else { return };
        let queue = Arc::clone(self);
        spawn(move || {
            // An unwinding job would abort the whole process. So the panic is caught here, and the
            // owner that waits for the item panics instead.
            let help = || while !helper.should_return() && queue.step(Role::Helper, helper.thread_share()) {};
            drop(std::panic::catch_unwind(std::panic::AssertUnwindSafe(help)));
        });
    }

    /// Works on one item. Returns `false` if no item is left or, for helpers, if no owner needs the
    /// result.
    fn step(self: &Arc<Self>, role: Role, thread_share: &ThreadShare) -> bool {
        let mut state = self.lock();
        if role == Role::Helper && state.owners == 0 {
            return false;
        }
        let Some(item) = state.todo.pop() else { return false };
        state.running += 1;
        let has_more = !state.todo.is_empty();
        drop(state);
        if has_more {
            // A thread borrows at most one helper for each item that it takes. So threads that
            // become idle later help too.
            self.borrow_helper(thread_share);
        }
        let guard = PanicGuard(self);
        let part = self.job.work(item, &SharedQueue(self, thread_share));
        drop(guard);
        let mut state = self.lock();
        J::merge(&mut state.total, part);
        state.running -= 1;
        if state.is_finished() {
            self.changed.notify_all();
        }
        true
    }

    /// Works until the job is finished or the budget is spent. If the budget is spent, other owners
    /// may continue the job. Idle threads help.
    pub(super) fn finish(self: &Arc<Self>, budget: &Budget, thread_share: &ThreadShare) -> Result<(), Limit> {
        self.lock().owners += 1;
        let end = self.work_as_owner(budget, thread_share);
        self.lock().owners -= 1;
        end
    }

    fn work_as_owner(self: &Arc<Self>, budget: &Budget, thread_share: &ThreadShare) -> Result<(), Limit> {
        loop {
            if let Some(limit) = budget.interrupted() {
                return Err(limit);
            }
            if self.step(Role::Owner, thread_share) {
                continue;
            }
            let mut state = self.lock();
            assert!(!state.panicked, "an item of this board's work panicked in another thread");
            if state.is_finished() {
                return Ok(());
            }
            if state.todo.is_empty() {
                state.waiting += 1;
                let waited = self.changed.wait_timeout(state, Self::MAX_SLEEP);
                waited.unwrap_or_else(PoisonError::into_inner).0.waiting -= 1;
            }
        }
    }

    /// Takes the merged reports. Later calls return the default.
    pub(super) fn take_report(&self) -> J::Report {
        std::mem::take(&mut self.lock().total)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::collections::HashSet;
    use std::sync::Barrier;
    use std::sync::atomic::AtomicBool;
    use std::thread::ThreadId;

    use super::*;
    use crate::engine::Parallel;
    use crate::system::Limits;

    /// A job whose report names the threads that worked on it. Its barrier sets how many must work
    /// at once.
    struct RecordThreads(Barrier);

    impl QueueJob for RecordThreads {
        type Item = ();
        type Report = HashSet<ThreadId>;

        fn work(&self, (): (), _: &SharedQueue<'_, Self>) -> HashSet<ThreadId> {
            self.0.wait();
            HashSet::from([std::thread::current().id()])
        }

        fn merge(total: &mut HashSet<ThreadId>, part: HashSet<ThreadId>) {
            total.extend(part);
        }
    }

    /// Returns how many threads of a pool of three worked on the items, with `together` items in
    /// progress at once.
    fn threads_used(parallel: Parallel, tasks: usize, items: usize, together: usize) -> usize {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        pool.install(|| {
            let (thread_share, stop) = (ThreadShare::new(parallel, 3), AtomicBool::new(false));
            let _tasks: Vec<_> = (0..tasks).map(|_| thread_share.task()).collect();
            let queue = WorkQueue::new(RecordThreads(Barrier::new(together)), vec![(); items]);
            queue.finish(&Budget::start(&Limits::default(), &stop), &thread_share).unwrap();
            queue.take_report().len()
        })
    }

    #[test]
    fn across_boards_no_thread_helps() {
        assert_eq!(threads_used(Parallel::Across, 1, 200, 1), 1);
    }

    #[test]
    fn threads_with_their_own_boards_do_not_help() {
        assert_eq!(threads_used(Parallel::Auto, 3, 200, 1), 1);
    }

    /// Ends only if three threads work at once.
    #[test]
    fn all_threads_help_within_a_board_and_idle_ones_otherwise() {
        assert_eq!(threads_used(Parallel::Within, 9, 30, 3), 3);
        assert_eq!(threads_used(Parallel::Auto, 1, 30, 3), 3);
    }
}
