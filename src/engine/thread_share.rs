//! The threads of a pool, shared among the boards that are being searched.
//!
//! While there are enough boards, every thread searches its own board. Nothing is shared and no
//! work is wasted. When boards run out (the end of a batch, a slow stream, a single board), idle
//! threads help with a search in progress. Two numbers are counted here: *tasks*, which occupy a
//! thread or wait for one, and *helpers*. All other threads are idle.
//!
//! The counts are hints. A surplus helper finds nothing to do and returns, and a missing one is
//! borrowed a moment later. No answer depends on the counts, so they are accessed without ordering
//! (`Relaxed`), and a query costs two loads.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The distribution of a pool's threads among boards.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Parallel {
    /// One board per thread while there are enough boards, then all threads on the remaining ones.
    #[default]
    Auto,
    /// Always one board per thread.
    Across,
    /// All threads on one board, then on the next.
    Within,
}

impl Parallel {
    /// Returns the value's name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Parallel::Auto => "auto",
            Parallel::Across => "across",
            Parallel::Within => "within",
        }
    }
}

/// The threads of one pool, as seen by a search that runs in it. Clones share the same counts.
#[derive(Clone, Debug)]
pub struct ThreadShare {
    parallel: Parallel,
    threads: usize,
    counts: Arc<ThreadCounts>,
}

#[derive(Debug, Default)]
struct ThreadCounts {
    tasks: AtomicUsize,
    helpers: AtomicUsize,
}

impl ThreadShare {
    /// Creates the share for a rayon pool of this size. Searches must run *in* that pool, because
    /// helpers are spawned into the current one.
    pub fn new(parallel: Parallel, threads: usize) -> ThreadShare {
        ThreadShare { parallel, threads, counts: Arc::default() }
    }

    /// Creates the share of one thread without helpers.
    pub fn alone() -> ThreadShare {
        ThreadShare::new(Parallel::Across, 1)
    }

    /// Returns whether no other thread will ever help.
    pub fn is_alone(&self) -> bool {
        self.parallel == Parallel::Across || self.threads <= 1
    }

    /// Returns the distribution of threads among boards.
    pub fn parallel(&self) -> Parallel {
        self.parallel
    }

    /// Returns the number of threads, including the caller's.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Counts a task, which needs a thread until the [`Task`] is dropped.
    pub fn task(&self) -> Task {
        self.counts.tasks.fetch_add(1, Ordering::Relaxed);
        Task(self.clone())
    }

    /// Returns the number of tasks that need a thread or occupy one.
    pub fn tasks(&self) -> usize {
        self.counts.tasks.load(Ordering::Relaxed)
    }

    /// Returns the number of threads that could help now.
    #[inline]
    pub fn idle(&self) -> usize {
        self.max_helpers().saturating_sub(self.counts.helpers.load(Ordering::Relaxed))
    }

    /// Borrows an idle thread, if there is one. The helper is counted until it is dropped.
    pub fn borrow_idle(&self) -> Option<Helper> {
        if self.idle() == 0 {
            return None;
        }
        // Two callers may have seen the same idle thread. Only one of them gets it.
        let before = self.counts.helpers.fetch_add(1, Ordering::Relaxed);
        let helper = Helper(self.clone());
        (before < self.max_helpers()).then_some(helper)
    }

    /// Returns the maximum number of helpers at present.
    fn max_helpers(&self) -> usize {
        match self.parallel {
            Parallel::Across => 0,
            Parallel::Auto => self.threads.saturating_sub(self.tasks()),
            Parallel::Within => self.threads - 1,
        }
    }
}

/// A task that occupies a thread or waits for one.
#[derive(Debug)]
pub struct Task(ThreadShare);

impl Drop for Task {
    fn drop(&mut self) {
        self.0.counts.tasks.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A thread that helps with another thread's board. It may outlive the search of that board, so it
/// borrows nothing.
#[derive(Debug)]
pub struct Helper(ThreadShare);

impl Helper {
    /// Returns the share that the helper was borrowed from.
    pub fn thread_share(&self) -> &ThreadShare {
        &self.0
    }

    /// Returns whether the thread is needed elsewhere, because new boards need threads.
    #[inline]
    pub fn should_return(&self) -> bool {
        self.0.counts.helpers.load(Ordering::Relaxed) > self.0.max_helpers()
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        self.0.counts.helpers.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn auto_lends_the_threads_that_tasks_do_not_need() {
        let thread_share = ThreadShare::new(Parallel::Auto, 3);
        let first = thread_share.task();
        assert_eq!(thread_share.idle(), 2);
        let helpers: Vec<Helper> = std::iter::from_fn(|| thread_share.borrow_idle()).collect();
        assert_eq!((helpers.len(), thread_share.idle()), (2, 0));
        assert!(!helpers[0].should_return());
        let second = thread_share.task();
        assert!(helpers[0].should_return());
        assert_eq!(thread_share.tasks(), 2);
        drop(helpers);
        assert_eq!(thread_share.idle(), 1);
        drop((first, second));
        assert_eq!(thread_share.idle(), 3);
    }

    #[test]
    fn within_lends_all_other_threads_and_across_none() {
        let within = ThreadShare::new(Parallel::Within, 4);
        let _tasks: Vec<Task> = (0..9).map(|_| within.task()).collect();
        let helpers: Vec<Helper> = std::iter::from_fn(|| within.borrow_idle()).collect();
        assert_eq!((helpers.len(), within.idle()), (3, 0));
        for thread_share in
            [ThreadShare::new(Parallel::Across, 4), ThreadShare::alone(), ThreadShare::new(Parallel::Within, 1)]
        {
            assert!(thread_share.idle() == 0 && thread_share.borrow_idle().is_none());
        }
    }
}
