//! Chunks of a list, processed by the thread that needs the results (the *owner*) and by idle
//! threads. The results are in the order of the list.
//!
//! A depth-first search below one node of a list does not depend on the search below another. So
//! the list is divided into *chunks*. A counter assigns them to the owner and to the helpers that
//! it borrows from its [`ThreadShare`], and the results are put in the order of the chunks. A chunk
//! that *ends* the search of the list, with a solution or at a limit, makes later chunks unneeded.
//! These are not begun, or stop at their next poll. Earlier chunks are always finished. So the
//! first chunk of the list that ends the search is found, whichever threads process the chunks.
//!
//! # Why no thread waits forever
//!
//! The work on a chunk starts no jobs in the pool and never waits. An owner that waits for its
//! helpers avoids beginning another board (see [`super::work_queue`]). It first runs the helpers
//! that no thread has taken yet. Then it parks until the others have finished their current chunks.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, Thread};

use super::{Helper, ThreadShare};

/// Processes `count` chunks, except those in `known_results`. Returns the results of all chunks in
/// order; `None` for those not needed.
///
/// `scratch` is the owner's memory, and `new_scratch` creates a helper's.
///
/// This function only stores results. The threads share the chunks in code that is compiled once
/// for all types.
pub(super) fn process_in_order<S, R: Send + Sync>(
    thread_share: &ThreadShare,
    count: usize,
    known_results: impl IntoIterator<Item = (usize, R)>,
    scratch: &mut S,
    new_scratch: impl Fn() -> S + Sync,
    work: impl Fn(&Ticket, &mut S) -> R + Sync,
) -> Vec<Option<R>> {
    let mut results: Vec<OnceLock<R>> = (0..count).map(|_| OnceLock::new()).collect();
    for (number, result) in known_results {
        results[number] = OnceLock::from(result);
    }
    let process = &|ticket: &Ticket, scratch: &mut S| {
        let result = work(ticket, scratch);
        if ticket.is_needed() {
            let first = results[ticket.number].set(result).is_ok();
            debug_assert!(first, "a chunk was taken twice");
        }
    };
    let new_helper = || -> Box<Process<'_>> {
        let (mut scratch, new_scratch) = (None, &new_scratch);
        Box::new(move |ticket| process(ticket, scratch.get_or_insert_with(new_scratch)))
    };
    let is_known = |number: usize| results[number].get().is_some();
    Chunks::new(count, &is_known).share(thread_share, &mut |ticket| process(ticket, scratch), &new_helper);
    results.into_iter().map(OnceLock::into_inner).collect()
}

/// Processes one chunk.
type Process<'a> = dyn FnMut(&Ticket) + 'a;

/// Returns the function that processes a helper's chunks.
type NewHelper<'a> = dyn Fn() -> Box<Process<'a>> + Sync + 'a;

/// The chunks of one list, taken in order.
struct Chunks<'a> {
    /// The next chunk to take.
    next: AtomicUsize,
    /// One more than the number of the last chunk that is still needed.
    needed_end: AtomicUsize,
    /// Returns true if the result of a chunk is known.
    is_known: &'a (dyn Fn(usize) -> bool + Sync),
    /// The number of helpers that have begun.
    begun: AtomicUsize,
    /// The number of helpers that have ended.
    ended: AtomicUsize,
    owner: Thread,
}

/// The number of a chunk in progress, and the shared counters by which its work can end the search.
///
/// The counters publish no other data, and a stale value only costs work, so `Relaxed` suffices.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ticket<'a> {
    /// The number of the chunk.
    pub(super) number: usize,
    next: &'a AtomicUsize,
    needed_end: &'a AtomicUsize,
}

impl Ticket<'_> {
    /// Returns whether the chunk is still needed. If not, its result is dropped.
    pub(super) fn is_needed(&self) -> bool {
        self.number < self.needed_end.load(Ordering::Relaxed)
    }

    /// Marks the chunks after this one as unneeded.
    pub(super) fn end_here(&self) {
        self.needed_end.fetch_min(self.number + 1, Ordering::Relaxed);
    }

    /// Marks the chunks that no thread has taken yet as unneeded.
    pub(super) fn take_no_more(&self) {
        self.needed_end.fetch_min(self.next.load(Ordering::Relaxed), Ordering::Relaxed);
    }
}

impl<'a> Chunks<'a> {
    fn new(count: usize, is_known: &'a (dyn Fn(usize) -> bool + Sync)) -> Chunks<'a> {
        Chunks {
            next: AtomicUsize::new(0),
            needed_end: AtomicUsize::new(count),
            is_known,
            begun: AtomicUsize::new(0),
            ended: AtomicUsize::new(0),
            owner: thread::current(),
        }
    }

    /// Processes the chunks as the owner, together with idle threads.
    fn share(&self, thread_share: &ThreadShare, process: &mut Process<'_>, new_helper: &NewHelper<'_>) {
        if thread_share.is_alone() {
            // The caller might run outside all thread pools. A scope would then start the global
            // one.
            while let Some(ticket) = self.take() {
                process(&ticket);
            }
            return;
        }
        rayon::in_place_scope(|scope| {
            let mut spawned = 0;
            while let Some(ticket) = self.take() {
                for _ in 0..thread_share.idle().min(self.remaining()) {
                    let Some(helper) = thread_share.borrow_idle() else { break };
                    spawned += 1;
                    scope.spawn(move |_| self.help(&helper, new_helper));
                }
                process(&ticket);
            }
            self.wait_for_helpers(spawned);
        });
    }

    /// Takes the next chunk that is needed and whose result is not known.
    fn take(&self) -> Option<Ticket<'_>> {
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number >= self.needed_end.load(Ordering::Relaxed) {
                return None;
            }
            if !(self.is_known)(number) {
                return Some(Ticket { number, next: &self.next, needed_end: &self.needed_end });
            }
        }
    }

    /// Returns how many needed chunks have not been taken, including those with known results.
    fn remaining(&self) -> usize {
        self.needed_end.load(Ordering::Relaxed).saturating_sub(self.next.load(Ordering::Relaxed))
    }

    /// Processes chunks as a helper, until none are left or the thread is needed elsewhere.
    fn help(&self, helper: &Helper, new_helper: &NewHelper<'_>) {
        self.begun.fetch_add(1, Ordering::Relaxed);
        let _guard = HelperGuard { ended: &self.ended, owner: &self.owner };
        let mut process = new_helper();
        while !helper.should_return()
            && let Some(ticket) = self.take()
        {
            process(&ticket);
        }
    }

    /// Waits until all `spawned` helpers have ended.
    ///
    /// The scope would wait as well, but by running jobs of the pool. So this thread might begin
    /// the board of another record, and its own board would wait until that one is done. Helpers
    /// that no thread has taken yet are on top of this thread's own queue, where
    /// [`rayon::yield_local`] finds them.
    fn wait_for_helpers(&self, spawned: usize) {
        while self.ended.load(Ordering::Acquire) < spawned {
            // A helper that was just taken begins within this time.
            let all_begun = || self.begun.load(Ordering::Relaxed) >= spawned;
            for _ in 0..100 {
                if !all_begun() {
                    std::hint::spin_loop();
                }
            }
            if all_begun() {
                // Each helper unparks this thread when it ends.
                thread::park();
            } else if rayon::yield_local() != Some(rayon::Yield::Executed) {
                thread::yield_now();
            }
        }
    }
}

/// A guard of a helper in progress. Dropping it counts the helper as ended.
struct HelperGuard<'a> {
    ended: &'a AtomicUsize,
    owner: &'a Thread,
}

impl Drop for HelperGuard<'_> {
    fn drop(&mut self) {
        // The scope keeps the counter and the handle alive.
        self.ended.fetch_add(1, Ordering::Release);
        self.owner.unpark();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Parallel;

    /// The way a chunk ends the search of the list.
    #[derive(Clone, Copy, PartialEq, Debug)]
    enum Ending {
        Here,
        TakeNoMore,
    }

    /// Returns the results of chunks if chunk `end` ends the search of the list.
    fn results(threads: usize, count: usize, end: usize, ending: Ending) -> Vec<Option<usize>> {
        results_given(threads, count, end, ending, &[])
    }

    /// Like [`results`], but with known results.
    fn results_given(threads: usize, count: usize, end: usize, ending: Ending, known: &[usize]) -> Vec<Option<usize>> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let thread_share = ThreadShare::new(Parallel::Within, threads);
        let results = pool.install(|| {
            process_in_order(
                &thread_share,
                count,
                known.iter().map(|&number| (number, number * 3)),
                &mut 0,
                || 0,
                |ticket, processed: &mut usize| {
                    *processed += 1;
                    assert!(!known.contains(&ticket.number), "a known chunk was processed");
                    if ticket.number == end {
                        match ending {
                            Ending::Here => ticket.end_here(),
                            Ending::TakeNoMore => ticket.take_no_more(),
                        }
                    }
                    ticket.number * 3
                },
            )
        });
        assert_eq!((results.len(), thread_share.idle()), (count, threads - 1), "every helper has returned");
        results
    }

    #[test]
    fn every_chunk_up_to_the_end_is_processed() {
        for threads in [1, 2, 8] {
            for (count, end) in [(0, 0), (1, 9), (1, 0), (500, 999), (500, 0), (500, 77), (500, 499)] {
                for ending in [Ending::Here, Ending::TakeNoMore] {
                    let results = results(threads, count, end, ending);
                    let needed = count.min(end + 1);
                    assert!(results[..needed].iter().enumerate().all(|(number, result)| *result == Some(number * 3)));
                    // No later chunk has a result, unless another thread finished a chunk that it
                    // took before it saw the end.
                    let later = results[needed..].iter().flatten().count();
                    assert!(later == 0 || ending == Ending::TakeNoMore && threads > 1);
                }
            }
        }
    }

    #[test]
    fn known_results_are_kept() {
        for threads in [1, 3] {
            let results = results_given(threads, 300, 999, Ending::Here, &[0, 1, 7, 298, 299]);
            assert!(results.iter().enumerate().all(|(number, result)| *result == Some(number * 3)));
        }
    }
}
