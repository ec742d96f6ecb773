//! One pass over the frontier list, by its owner alone or with whoever is free.
//!
//! Alone, the owner expands stretches of the list one after the other into one part. As soon as the crew
//! has hands free, those still to come are dealt out ([`crate::engine::deal`]); each becomes a part of its
//! own, and when all are done the owner puts the parts together in the order of the list. The result
//! is that of one thread, to the last node:
//!
//! * *A stretch that ends the pass* is a solution, a limit, or a part too large.
//! * *Room.* How much of the list's memory a stretch may use depends on those before it, so it is
//!   decided when parts are joined. A stretch that might not fit is expanded once more by the owner,
//!   into the list itself, and that decides where the list is frozen. While stretches are dealt out, no
//!   more are begun once all together are too large: parts under way take the list's memory once more,
//!   and a stretch a thread.
//!
//! What helpers did in vain – behind an end, or twice – is not counted.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::descend::{Descent, Desk, End, Meter, Rung};
use super::frontier::{Node, Part};
use crate::board::Packed;
use crate::engine::deal::{Ticket, deal_out};
use crate::engine::{Crew, Stats};
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

/// The most roots of a stretch that is searched below a frozen list, where one root may take seconds and nothing is brought.
const STRETCH_BELOW: usize = 16;

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
        let (roots, threads, budget) = (self.roots.len(), self.crew.threads(), desk.meter.budget);
        let most = if KEEP { STRETCH } else { STRETCH_BELOW };
        let size = ((roots - from) / (STRETCHES_A_THREAD * threads)).clamp(1, most);
        let stretch = |number| (from + number * size, roots.min(from + (number + 1) * size));
        // Nodes of the part before, and of all that were finished.
        let kept = AtomicUsize::new(desk.part.nodes.len());
        let harvest = |ticket: &Ticket, stack: &mut Vec<Rung<K, H::Value>>| {
            let mut part = Part::default();
            let mut meter = Meter::of_stretch(budget, *ticket);
            let (at, to) = stretch(ticket.number);
            let end = self.expand::<KEEP>(at, to, &mut Desk { part: &mut part, stack, meter: &mut meter });
            if ticket.is_needed() && !matches!(end, End::Exhausted) {
                ticket.end_here();
            }
            // `AcqRel`: every stretch that was counted here had been taken before the next one's number is read.
            let kept = kept.fetch_add(part.nodes.len(), Ordering::AcqRel) + part.nodes.len();
            if KEEP && kept > self.room {
                // They do not fit, so the list will be frozen among the stretches that were taken.
                ticket.end_soon();
            }
            Harvest { part, end, stats: Stats { expanded: meter.expanded, generated: meter.generated() } }
        };
        let harvests = deal_out(self.crew, (roots - from).div_ceil(size), desk.stack, Vec::new, harvest);
        for (number, harvest) in harvests.into_iter().enumerate() {
            let (at, to) = stretch(number);
            if let end @ (End::Goal(..) | End::Full(_) | End::Limit(_)) = self.join::<KEEP>(harvest, at, to, desk) {
                return end;
            }
        }
        End::Exhausted
    }

    /// Puts the part that grew from the roots from `at` to `to` behind those before it.
    fn join<const KEEP: bool>(
        &self,
        harvest: Option<Harvest<K, H::Value>>,
        at: usize,
        to: usize,
        desk: &mut Desk<K, H::Value>,
    ) -> End {
        // No root of the stretch can be the one for which there is no room. (A full one never fits.)
        let fits = |harvest: &Harvest<K, H::Value>| {
            !KEEP || desk.part.nodes.len() + harvest.part.nodes.len() + self.roots.len() <= self.room + at
        };
        match harvest {
            Some(harvest) if fits(&harvest) => {
                desk.part.append(&harvest.part);
                desk.meter.add(&harvest.stats);
                harvest.end
            }
            _ => self.expand::<KEEP>(at, to, desk),
        }
    }
}
