//! Stretches of a frontier list, dealt out to its owner and to whoever is free.
//!
//! What a depth-first search does below one node of its list depends on nothing that it does below
//! another. So the list is cut into *stretches*, a counter deals them out to the owner of the board and to
//! the [`Crew`]'s free hands, and what they bring is put together by number. A stretch that *ends* the pass – a
//! solution, a limit – makes those behind it useless: they are not begun, or break off at their next
//! poll. Those before it are always finished, and so the first end in the order of the list is found,
//! whoever worked on what.
//!
//! # Why nobody waits for ever
//!
//! Stretches start no jobs of the pool and wait for nothing, and who waits for helpers begins nobody else's
//! board (see [`super::pieces`]): he parks until those that have begun are done, each within one stretch.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, Thread};

use super::{Crew, Helper};

/// Deals `count` stretches out; what became of each, in order. `None`: not needed.
///
/// `desk` is the owner's memory, and `lend` makes one for a helper.
pub(super) fn deal_out<D, R: Send + Sync>(
    crew: &Crew,
    count: usize,
    desk: &mut D,
    lend: impl Fn() -> D + Sync,
    work: impl Fn(&Ticket, &mut D) -> R + Sync,
) -> Vec<Option<R>> {
    let deal = Deal::new(count);
    rayon::in_place_scope(|scope| {
        let mut called = 0;
        while let Some(number) = deal.take() {
            for _ in 0..crew.hands().min(deal.left()) {
                let Some(helper) = crew.enlist() else { break };
                called += 1;
                let (deal, lend, work) = (&deal, &lend, &work);
                scope.spawn(move |_| deal.help(&helper, lend, work));
            }
            deal.work_on(number, desk, &work);
        }
        deal.wait_for(called);
    });
    deal.results.into_iter().map(OnceLock::into_inner).collect()
}

/// Stretches that are dealt out.
struct Deal<R> {
    /// The next stretch to be taken.
    next: AtomicUsize,
    /// One more than the last stretch that is needed, as far as is known.
    needed: AtomicUsize,
    results: Vec<OnceLock<R>>,
    /// Helpers that have begun, and that have ended.
    begun: AtomicUsize,
    ended: AtomicUsize,
    owner: Thread,
}

/// A stretch in work.
///
/// What tickets tell each other is a number and nothing behind it, and later is soon enough: `Relaxed`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ticket<'a> {
    /// Which stretch.
    pub(super) number: usize,
    next: &'a AtomicUsize,
    needed: &'a AtomicUsize,
}

impl Ticket<'_> {
    /// Whether the stretch is needed still; what it brings otherwise is thrown away.
    pub(super) fn is_needed(&self) -> bool {
        self.number < self.needed.load(Ordering::Relaxed)
    }

    /// Stretches behind this one are not needed.
    pub(super) fn end_here(&self) {
        self.needed.fetch_min(self.number + 1, Ordering::Relaxed);
    }

    /// No more stretches are to be begun.
    pub(super) fn end_soon(&self) {
        self.needed.fetch_min(self.next.load(Ordering::Relaxed), Ordering::Relaxed);
    }
}

impl<R> Deal<R> {
    fn new(count: usize) -> Deal<R> {
        Deal {
            next: AtomicUsize::new(0),
            needed: AtomicUsize::new(count),
            results: (0..count).map(|_| OnceLock::new()).collect(),
            begun: AtomicUsize::new(0),
            ended: AtomicUsize::new(0),
            owner: thread::current(),
        }
    }

    /// The next stretch that is needed.
    fn take(&self) -> Option<usize> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        (number < self.needed.load(Ordering::Relaxed)).then_some(number)
    }

    /// How many stretches have not been taken.
    fn left(&self) -> usize {
        self.needed.load(Ordering::Relaxed).saturating_sub(self.next.load(Ordering::Relaxed))
    }

    /// Works on one stretch.
    fn work_on<D>(&self, number: usize, desk: &mut D, work: &impl Fn(&Ticket, &mut D) -> R) {
        let ticket = Ticket { number, next: &self.next, needed: &self.needed };
        let result = work(&ticket, desk);
        if ticket.is_needed() {
            let first = self.results[number].set(result).is_ok();
            debug_assert!(first, "a stretch was dealt twice");
        }
    }

    /// What a helper does: stretches, until there are none or the thread is needed elsewhere.
    fn help<D>(&self, helper: &Helper, lend: impl Fn() -> D, work: &impl Fn(&Ticket, &mut D) -> R) {
        let _present = self.enter();
        let mut desk = None;
        while !helper.unwanted()
            && let Some(number) = self.take()
        {
            self.work_on(number, desk.get_or_insert_with(&lend), work);
        }
    }

    /// Counts a helper, until what is returned is dropped.
    fn enter(&self) -> Present<'_> {
        self.begun.fetch_add(1, Ordering::Relaxed);
        Present { ended: &self.ended, owner: &self.owner }
    }

    /// Waits until as many helpers have ended as were called.
    ///
    /// The scope would wait as well, but working: it might begin somebody's board, and this one be
    /// kept until that is done. Helpers that nobody came to take lie on top of this thread's own jobs.
    fn wait_for(&self, called: usize) {
        while self.ended.load(Ordering::Acquire) < called {
            // One that was taken this moment begins within this time.
            let begun = || self.begun.load(Ordering::Relaxed) >= called;
            for _ in 0..100 {
                if !begun() {
                    std::hint::spin_loop();
                }
            }
            if begun() {
                // Each of them ends with a wake-up call.
                thread::park();
            } else if rayon::yield_local() != Some(rayon::Yield::Executed) {
                thread::yield_now();
            }
        }
    }
}

/// A helper is at work.
struct Present<'a> {
    ended: &'a AtomicUsize,
    owner: &'a Thread,
}

impl Drop for Present<'_> {
    fn drop(&mut self) {
        // The scope keeps the counter alive, and the handle with it.
        self.ended.fetch_add(1, Ordering::Release);
        self.owner.unpark();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Parallel;

    fn dealt(threads: usize, count: usize, end: usize, soon: bool) -> Vec<Option<usize>> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let crew = Crew::new(Parallel::Within, threads);
        let results = pool.install(|| {
            deal_out(
                &crew,
                count,
                &mut 0,
                || 0,
                |ticket, worked: &mut usize| {
                    *worked += 1;
                    if ticket.number == end {
                        if soon { ticket.end_soon() } else { ticket.end_here() }
                    }
                    ticket.number * 3
                },
            )
        });
        assert_eq!((results.len(), crew.hands()), (count, threads - 1), "every helper went home");
        results
    }

    #[test]
    fn every_stretch_up_to_the_end_is_worked_on() {
        for threads in [1, 2, 8] {
            for (count, end) in [(0, 0), (1, 9), (1, 0), (500, 999), (500, 0), (500, 77), (500, 499)] {
                for soon in [false, true] {
                    let results = dealt(threads, count, end, soon);
                    let needed = count.min(end + 1);
                    assert!(results[..needed].iter().enumerate().all(|(number, result)| *result == Some(number * 3)));
                    // Of those behind an end nothing is left; with the softer one, some were under way.
                    let behind = results[needed..].iter().flatten().count();
                    assert!(behind <= if soon { threads } else { 0 });
                }
            }
        }
    }
}
