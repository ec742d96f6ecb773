//! One pass over the frontier list, by its owner alone or with whoever is free.
//!
//! Alone, the owner takes one chunk after the other. As soon as the crew has hands free, the chunks still
//! to come are dealt out in stretches ([`crate::engine::deal`]). What a stretch brings is a part of its own,
//! and the parts in the order of their numbers are what one thread would have brought, to the last node:
//!
//! * *A stretch that ends the pass* is a solution, a limit, or one for which there is no room.
//! * *Room.* How much of the memory a stretch may use depends on those before it, so it is decided when
//!   all are there. A stretch that might not fit is expanded once more by the owner, chunk by
//!   chunk, and that decides where the list is frozen. While stretches are dealt out, no more are begun
//!   once all together are too large: above the room there is at most a stretch a thread.
//!
//! What was done in vain – behind an end, or twice – is not counted.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::below::{self, Descent, Hands, Stop};
use super::expand::{Chunk, Expand, Keep, Part, Short, Watch, expand};
use super::list::List;
use super::node::ListNode;
use super::trace::Trail;
use crate::engine::deal::{Ticket, deal_out};
use crate::engine::{Crew, Stats};

/// The most chunks of a stretch whose nodes are kept: parts are not to be too small.
const STRETCH: usize = 16;

/// Stretches for each thread, if the list has the chunks: their sizes differ by orders of magnitude.
const STRETCHES_A_THREAD: usize = 16;

/// Nodes generated before help is called: about half a millisecond, and the next pass is longer still.
/// Calling takes some ten microseconds.
pub(super) const WORTH_HELP: u64 = 1 << 15;

/// Nodes of a list, from a chunk on, and their f.
pub(super) struct Stratum<N> {
    pub(super) list: List<N>,
    pub(super) from: usize,
    pub(super) f: u16,
}

impl<N: ListNode> Stratum<N> {
    fn chunks(&self) -> usize {
        self.list.chunks() - self.from
    }
}

/// What becomes of the nodes that a pass cuts.
#[derive(Clone, Copy, Debug)]
pub(super) enum Aim {
    /// They are the next list; so many more steps may be remembered.
    List { room: usize },
    /// They are dropped; so many may be in a thread's memory at a time.
    Goal { room: usize },
}

/// A pass: what it reads, and what it may use.
pub(super) struct Pass<'a, E: Expand> {
    pub(super) by: &'a E,
    /// In depth-first order; to be searched all.
    pub(super) strata: &'a [Stratum<E::Node>],
    pub(super) bound: u16,
    pub(super) aim: Aim,
    pub(super) crew: &'a Crew,
    /// Nodes generated before help is called.
    pub(super) help_from: u64,
}

/// How a pass ended.
pub(super) enum End {
    Exhausted,
    /// There was no room for what grows from this chunk.
    Full(usize),
    Stop(Stop),
}

/// What came of one stretch.
struct Harvest<N> {
    part: Part<N>,
    end: End,
    stats: Stats,
}

impl<E: Expand> Pass<'_, E> {
    /// Expands all chunks. What is to be kept goes to `parts`: to the last of them, and to others behind it.
    pub(super) fn run(&self, parts: &mut Vec<Part<E::Node>>, hands: &mut Hands<E>, watch: &mut Watch) -> End {
        let chunks = self.strata.iter().map(Stratum::chunks).sum();
        for number in 0..chunks {
            if self.crew.hands() > 0 && watch.stats.generated >= self.help_from && number + 1 < chunks {
                return self.run_together(number..chunks, parts, hands, watch);
            }
            let end = self.own_chunk(number, parts, hands, watch);
            if !matches!(end, End::Exhausted) {
                return end;
            }
        }
        End::Exhausted
    }

    /// Expands a chunk into the last part.
    fn own_chunk(&self, number: usize, parts: &mut [Part<E::Node>], hands: &mut Hands<E>, watch: &mut Watch) -> End {
        let Some((part, before)) = parts.split_last_mut() else { unreachable!("there is a part for the owner") };
        self.chunk(number, steps(before), part, hands, watch)
    }

    /// Expands a chunk. `before`: steps of other parts.
    fn chunk(
        &self,
        mut number: usize,
        before: usize,
        part: &mut Part<E::Node>,
        hands: &mut Hands<E>,
        watch: &mut Watch,
    ) -> End {
        let full = End::Full(number);
        let mut strata = self.strata.iter();
        let stratum = loop {
            let Some(stratum) = strata.next() else { unreachable!("there is no chunk {number}") };
            match number.checked_sub(stratum.chunks()) {
                Some(rest) => number = rest,
                None => break stratum,
            }
        };
        let Hands { wave, stack, layers, gathered } = hands;
        let roots = stratum.list.chunk(stratum.from + number, gathered);
        debug_assert!(roots.iter().all(|root| root.f() == stratum.f));
        match self.aim {
            Aim::List { room } => {
                let most = room.saturating_sub(before + part.trace.len());
                match expand(self.by, &Chunk { roots, bound: self.bound, most, keep: Keep::Cut }, wave, watch, part) {
                    Ok(None) => End::Exhausted,
                    Ok(Some(step)) => End::Stop(Stop::Goal(part.trace.rewound(Trail::from(step)))),
                    Err(Short::Room) => full,
                    Err(Short::Limit(limit)) => End::Stop(Stop::Limit(limit)),
                }
            }
            Aim::Goal { room } => {
                let needed = below::layers(stratum.f, self.bound);
                if layers.len() < needed {
                    layers.resize_with(needed, Part::default);
                }
                let mut descent = Descent { by: self.by, wave, stack, watch, bound: self.bound };
                match descent.search(roots, stratum.f, room, layers) {
                    Ok(()) => End::Exhausted,
                    Err(stop) => End::Stop(stop),
                }
            }
        }
    }

    /// As [`Pass::run`], from a chunk on, with everybody who is free.
    #[cold]
    fn run_together(
        &self,
        chunks: Range<usize>,
        parts: &mut Vec<Part<E::Node>>,
        hands: &mut Hands<E>,
        watch: &mut Watch,
    ) -> End {
        let size = match self.aim {
            Aim::List { .. } => (chunks.len() / (STRETCHES_A_THREAD * self.crew.threads())).clamp(1, STRETCH),
            // What is below a chunk is large enough.
            Aim::Goal { .. } => 1,
        };
        let stretch = |number| {
            let first = chunks.start + number * size;
            first..chunks.end.min(first + size)
        };
        let (before, budget) = (steps(parts), watch.budget());
        let kept = AtomicUsize::new(before);
        let harvest = |ticket: &Ticket, hands: &mut Hands<E>| {
            let mut watch = Watch::of_stretch(budget, *ticket);
            let (mut part, mut end) = (Part::default(), End::Exhausted);
            for number in stretch(ticket.number) {
                end = self.chunk(number, before, &mut part, hands, &mut watch);
                if !matches!(end, End::Exhausted) {
                    ticket.end_here();
                    break;
                }
            }
            // `AcqRel`: every stretch that was counted here had been taken before the next one's number is read.
            let kept = kept.fetch_add(part.trace.len(), Ordering::AcqRel) + part.trace.len();
            if let Aim::List { room } = self.aim
                && kept > room
            {
                // They do not fit, so the list will be frozen among the stretches that were taken.
                ticket.end_soon();
            }
            Harvest { part, end, stats: watch.stats }
        };
        let harvests = deal_out(self.crew, chunks.len().div_ceil(size), hands, Hands::default, harvest);
        for (number, harvest) in harvests.into_iter().enumerate() {
            let end = self.join(harvest, stretch(number), parts, hands, watch);
            if !matches!(end, End::Exhausted) {
                return end;
            }
        }
        End::Exhausted
    }

    /// Puts what grew from a stretch behind what is there.
    fn join(
        &self,
        harvest: Option<Harvest<E::Node>>,
        stretch: Range<usize>,
        parts: &mut Vec<Part<E::Node>>,
        hands: &mut Hands<E>,
        watch: &mut Watch,
    ) -> End {
        let fits = |harvest: &Harvest<E::Node>| match (self.aim, &harvest.end) {
            (Aim::List { .. }, End::Full(_)) => false,
            (Aim::List { room }, _) => steps(parts) + harvest.part.trace.len() <= room,
            (Aim::Goal { .. }, _) => true,
        };
        match harvest {
            Some(harvest) if fits(&harvest) => {
                watch.add(&harvest.stats);
                parts.push(harvest.part);
                harvest.end
            }
            _ => {
                parts.push(Part::default());
                for number in stretch {
                    let end = self.own_chunk(number, parts, hands, watch);
                    if !matches!(end, End::Exhausted) {
                        return end;
                    }
                }
                End::Exhausted
            }
        }
    }
}

/// Steps of some parts.
fn steps<N>(parts: &[Part<N>]) -> usize {
    parts.iter().map(|part| part.trace.len()).sum()
}
