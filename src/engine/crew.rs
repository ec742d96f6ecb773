//! Who may help with a board: the threads of a pool that have nothing of their own to do.
//!
//! While there are boards enough every thread searches one, which shares nothing and wastes nothing.
//! When they run out – the last boards of a batch, a slow stream, one board alone – the threads that
//! fall idle take parts of a search that is under way. Both are counted here: *tasks*, things that
//! occupy a thread or wait for one, and *helpers*. What neither takes is free.
//!
//! The counts are advice. A helper too many finds nothing to do and goes home, one too few is called a
//! moment later; no answer depends on them. So they are read and written without any order
//! (`Relaxed`), and asking costs two loads.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::outlook::{Latest, Outlook};

/// How a pool's threads are shared out among boards.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Parallel {
    /// A board a thread while there are boards enough, then all threads on those that are left.
    #[default]
    Auto,
    /// Always a board a thread.
    Across,
    /// All threads on one board, then on the next.
    Within,
}

impl Parallel {
    /// The word it is asked for by.
    pub const fn name(self) -> &'static str {
        match self {
            Parallel::Auto => "auto",
            Parallel::Across => "across",
            Parallel::Within => "within",
        }
    }
}

/// The threads of one pool, as seen by a search that runs in it. A clone is the same crew.
#[derive(Clone, Debug)]
pub struct Crew {
    parallel: Parallel,
    threads: usize,
    count: Arc<Count>,
    outlook: Arc<Latest>,
}

#[derive(Debug, Default)]
struct Count {
    tasks: AtomicUsize,
    helpers: AtomicUsize,
}

impl Crew {
    /// The crew of a rayon pool of so many threads. Searches must run *in* that pool to find it.
    pub fn new(parallel: Parallel, threads: usize) -> Crew {
        Crew { parallel, threads, count: Arc::default(), outlook: Arc::default() }
    }

    /// One thread and no help.
    pub fn alone() -> Crew {
        Crew::new(Parallel::Across, 1)
    }

    /// How the threads are shared out.
    pub fn parallel(&self) -> Parallel {
        self.parallel
    }

    /// How many threads there are, the caller's among them.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// What is still to come for the crew to do, as far as that is known.
    pub fn outlook(&self) -> Outlook {
        self.outlook.get()
    }

    /// Tells the crew what is still to come.
    pub fn expect(&self, outlook: Outlook) {
        self.outlook.set(outlook);
    }

    /// Counts something that will need a thread, from now until the task is dropped.
    pub fn task(&self) -> Task<'_> {
        self.count.tasks.fetch_add(1, Ordering::Relaxed);
        Task(self)
    }

    /// How many things need a thread or occupy one.
    pub fn tasks(&self) -> usize {
        self.count.tasks.load(Ordering::Relaxed)
    }

    /// How many threads would help now.
    #[inline]
    pub fn hands(&self) -> usize {
        match self.parallel {
            Parallel::Across => 0,
            Parallel::Auto | Parallel::Within => self.room().saturating_sub(self.count.helpers.load(Ordering::Relaxed)),
        }
    }

    /// Calls one of the hands that are free: a helper, who counts until dropped.
    pub fn enlist(&self) -> Option<Helper> {
        if self.hands() == 0 {
            return None;
        }
        // Two may have seen the same free hand: only one of them gets it.
        let before = self.count.helpers.fetch_add(1, Ordering::Relaxed);
        let helper = Helper(self.clone());
        (before < self.room()).then_some(helper)
    }

    /// How many helpers there can be.
    fn room(&self) -> usize {
        match self.parallel {
            Parallel::Across => 0,
            Parallel::Auto => self.threads.saturating_sub(self.tasks()),
            Parallel::Within => self.threads - 1,
        }
    }
}

/// Something that needs a thread: it runs or waits for one.
#[derive(Debug)]
pub struct Task<'a>(&'a Crew);

impl Drop for Task<'_> {
    fn drop(&mut self) {
        self.0.count.tasks.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A thread that helps with somebody else's board. It may outlive the board, so it borrows nothing.
#[derive(Debug)]
pub struct Helper(Crew);

impl Helper {
    /// The crew it belongs to.
    pub fn crew(&self) -> &Crew {
        &self.0
    }

    /// Whether there are too many helpers, because boards have come that need the threads.
    #[inline]
    pub fn unwanted(&self) -> bool {
        self.0.count.helpers.load(Ordering::Relaxed) > self.0.room()
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        self.0.count.helpers.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn auto_lends_what_tasks_leave() {
        let crew = Crew::new(Parallel::Auto, 3);
        let first = crew.task();
        assert_eq!(crew.hands(), 2);
        let helpers: Vec<Helper> = std::iter::from_fn(|| crew.enlist()).collect();
        assert_eq!((helpers.len(), crew.hands()), (2, 0));
        assert!(!helpers[0].unwanted());
        let second = crew.task();
        assert!(helpers[0].unwanted());
        assert_eq!(crew.tasks(), 2);
        drop(helpers);
        assert_eq!(crew.hands(), 1);
        drop((first, second));
        assert_eq!(crew.hands(), 3);
    }

    #[test]
    fn what_is_to_come_is_unknown_until_it_is_told() {
        use crate::outlook::End;

        let crew = Crew::new(Parallel::Auto, 2);
        assert_eq!(crew.outlook(), Outlook::NONE);
        let outlook = Outlook { more: 2.5, end: End::Known };
        crew.expect(outlook);
        assert_eq!(crew.clone().outlook(), outlook);
    }

    #[test]
    fn within_lends_all_but_the_owner_and_across_none() {
        let within = Crew::new(Parallel::Within, 4);
        let _tasks: Vec<Task> = (0..9).map(|_| within.task()).collect();
        let helpers: Vec<Helper> = std::iter::from_fn(|| within.enlist()).collect();
        assert_eq!((helpers.len(), within.hands()), (3, 0));
        for crew in [Crew::new(Parallel::Across, 4), Crew::alone(), Crew::new(Parallel::Within, 1)] {
            assert!(crew.hands() == 0 && crew.enlist().is_none());
        }
    }
}
