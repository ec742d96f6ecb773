//! One pass over the frontier list, by its owner alone or with whoever is free.
//!
//! The list is cut into *stretches*. Alone, the owner expands them one after the other into one part.
//! As soon as the crew has hands free, the stretches still to come are dealt out by a counter to the
//! owner and his helpers; each becomes a part of its own, and when all are done the owner puts the parts
//! together in the order of the list. The result is that of one thread, to the last node:
//!
//! * *A stretch that ends the pass* – a solution, a limit, a part too large – makes those behind it
//!   useless. They are not begun, or break off at their next poll. Those before it are always finished,
//!   and so the first end in the order of the list is found.
//! * *Room.* How much of the list's memory a stretch may use depends on those before it, so it is
//!   decided when parts are joined. A stretch that might not fit is expanded once more by the owner,
//!   into the list itself, and that decides where the list is frozen. While stretches are dealt out, no
//!   more are begun once all together are too large: parts under way take the list's memory once more,
//!   and a stretch a thread.
//!
//! What helpers did in vain – behind an end, or twice – is not counted.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, Thread};

use super::descend::{Descent, Desk, End, Meter, Needed, Rung};
use super::frontier::{Node, Part};
use crate::board::Packed;
use crate::engine::{Budget, Crew, Helper, Stats};
use crate::heuristic::Heuristic;

/// A pass over the list: what it reads, and what it may use.
pub(super) struct Sweep<'a, K, H: Heuristic> {
    pub(super) descent: &'a Descent<'a, K, H>,
    pub(super) roots: &'a [Node<K, H::Value>],
    /// Link of the first root.
    pub(super) first: u32,
    pub(super) bound: u16,
    /// Nodes that the part may have in all.
    pub(super) room: usize,
    pub(super) crew: &'a Crew,
    /// Nodes generated before help is called.
    pub(super) help_from: u64,
}

/// The most roots of a stretch. What hands wait for at the end of a pass, and how soon they are called.
const STRETCH: usize = 256;

/// Stretches for each thread, if the list has the roots: their sizes differ by orders of magnitude.
const STRETCHES_A_THREAD: usize = 16;

/// Nodes generated before help is called: about half a millisecond, and the next pass is longer still.
/// Calling takes some ten microseconds.
pub(super) const WORTH_HELP: u64 = 1 << 15;

/// What came of one stretch.
struct Harvest<K, V> {
    part: Part<K, V>,
    end: End,
    stats: Stats,
}

/// Stretches that are dealt out.
struct Deal<'a, K, V> {
    budget: &'a Budget<'a>,
    /// The first root of the first stretch.
    from: usize,
    /// Roots of a stretch.
    size: usize,
    /// The next stretch to be taken.
    next: AtomicUsize,
    /// The last stretch that is needed, as far as is known.
    last: AtomicUsize,
    /// Nodes of the part before, and of all that were finished.
    kept: AtomicUsize,
    harvests: Vec<OnceLock<Harvest<K, V>>>,
    /// Helpers that have begun, and that have ended.
    begun: AtomicUsize,
    ended: AtomicUsize,
    owner: Thread,
}

impl<K: Packed, H: Heuristic> Sweep<'_, K, H> {
    /// Expands the roots from the given one on; indices in what it returns are those of the list.
    pub(super) fn run<const KEEP: bool>(&self, from: usize, desk: &mut Desk<K, H::Value>) -> End {
        let (mut at, roots) = (from, self.roots.len());
        while at < roots {
            if self.crew.hands() > 0 && desk.meter.generated() >= self.help_from && at + 1 < roots {
                return self.run_together::<KEEP>(at, desk);
            }
            let to = roots.min(at + STRETCH);
            match self.expand::<KEEP>(at, to, desk) {
                End::Exhausted => at = to,
                end => return end,
            }
        }
        End::Exhausted
    }

    /// Expands the roots from `at` to `to`.
    fn expand<const KEEP: bool>(&self, at: usize, to: usize, desk: &mut Desk<K, H::Value>) -> End {
        // Some of the room is kept for the roots still to come.
        let room = self.room.saturating_sub(self.roots.len() - to);
        match self.descent.expand_chunk::<KEEP>(&self.roots[at..to], self.first + at as u32, self.bound, room, desk) {
            End::Goal(index, path) => End::Goal(at + index, path),
            End::Full(index) => End::Full(at + index),
            end => end,
        }
    }

    /// As [`Sweep::run`], with everybody who is free.
    #[cold]
    fn run_together<const KEEP: bool>(&self, from: usize, desk: &mut Desk<K, H::Value>) -> End {
        let deal = Deal::new(from, self.roots.len(), self.crew.threads(), desk.part.nodes.len(), desk.meter.budget);
        let stack = &mut *desk.stack;
        rayon::in_place_scope(|scope| {
            let mut called = 0;
            while let Some(number) = deal.take() {
                for _ in 0..self.crew.hands().min(deal.left()) {
                    let Some(helper) = self.crew.enlist() else { break };
                    called += 1;
                    let deal = &deal;
                    scope.spawn(move |_| self.help::<KEEP>(deal, &helper));
                }
                self.harvest::<KEEP>(&deal, number, stack);
            }
            deal.wait_for(called);
        });
        self.join::<KEEP>(deal, desk)
    }

    /// What a helper does: stretches, until there are none or the thread is needed elsewhere.
    fn help<const KEEP: bool>(&self, deal: &Deal<K, H::Value>, helper: &Helper) {
        let _present = deal.enter();
        let mut stack = Vec::new();
        while !helper.unwanted()
            && let Some(number) = deal.take()
        {
            self.harvest::<KEEP>(deal, number, &mut stack);
        }
    }

    /// Expands one stretch into a part of its own.
    fn harvest<const KEEP: bool>(&self, deal: &Deal<K, H::Value>, number: usize, stack: &mut Vec<Rung<K, H::Value>>) {
        let mut part = Part::default();
        let mut meter = Meter::of_stretch(deal.budget, Needed { number, last: &deal.last });
        let (at, to) = deal.roots(number, self.roots.len());
        let end = self.expand::<KEEP>(at, to, &mut Desk { part: &mut part, stack, meter: &mut meter });
        if number > deal.last.load(Ordering::Relaxed) {
            return;
        }
        if !matches!(end, End::Exhausted) {
            deal.last.fetch_min(number, Ordering::Relaxed);
        }
        // `AcqRel`: every stretch that was counted here had been taken before `next` is read.
        let kept = deal.kept.fetch_add(part.nodes.len(), Ordering::AcqRel) + part.nodes.len();
        if KEEP && kept > self.room {
            // They do not fit, so the list will be frozen among the stretches that were taken.
            deal.last.fetch_min(deal.next.load(Ordering::Relaxed), Ordering::Relaxed);
        }
        let stats = Stats { expanded: meter.expanded, generated: meter.generated() };
        let first = deal.harvests[number].set(Harvest { part, end, stats }).is_ok();
        debug_assert!(first, "a stretch was dealt twice");
    }

    /// Puts the parts together in the order of the list, up to the first end.
    fn join<const KEEP: bool>(&self, deal: Deal<K, H::Value>, desk: &mut Desk<K, H::Value>) -> End {
        let (from, size, roots) = (deal.from, deal.size, self.roots.len());
        let starts = (from..roots).step_by(size);
        for (at, harvest) in starts.zip(deal.harvests) {
            let to = roots.min(at + size);
            // No root of the stretch can be the one for which there is no room. (A full one never fits.)
            let fits = |harvest: &Harvest<K, H::Value>| {
                !KEEP || desk.part.nodes.len() + harvest.part.nodes.len() + roots <= self.room + at
            };
            let end = match harvest.into_inner() {
                Some(harvest) if fits(&harvest) => {
                    desk.part.append(&harvest.part);
                    desk.meter.add(&harvest.stats);
                    harvest.end
                }
                _ => self.expand::<KEEP>(at, to, desk),
            };
            if !matches!(end, End::Exhausted) {
                return end;
            }
        }
        End::Exhausted
    }
}

impl<'a, K, V> Deal<'a, K, V> {
    /// The roots from the given one on, for so many threads, after a part of so many nodes.
    fn new(from: usize, roots: usize, threads: usize, kept: usize, budget: &'a Budget<'a>) -> Self {
        let size = ((roots - from) / (STRETCHES_A_THREAD * threads)).clamp(1, STRETCH);
        let stretches = (roots - from).div_ceil(size);
        Deal {
            budget,
            from,
            size,
            next: AtomicUsize::new(0),
            last: AtomicUsize::new(stretches - 1),
            kept: AtomicUsize::new(kept),
            harvests: (0..stretches).map(|_| OnceLock::new()).collect(),
            begun: AtomicUsize::new(0),
            ended: AtomicUsize::new(0),
            owner: thread::current(),
        }
    }

    /// The next stretch that is needed. Who takes which decides nothing: `Relaxed`.
    fn take(&self) -> Option<usize> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        (number <= self.last.load(Ordering::Relaxed)).then_some(number)
    }

    /// How many stretches have not been taken.
    fn left(&self) -> usize {
        (self.last.load(Ordering::Relaxed) + 1).saturating_sub(self.next.load(Ordering::Relaxed))
    }

    /// The roots of a stretch.
    fn roots(&self, number: usize, roots: usize) -> (usize, usize) {
        let at = self.from + number * self.size;
        (at, roots.min(at + self.size))
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
