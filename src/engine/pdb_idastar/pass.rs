//! One pass over the frontier list, by its owner alone or with the help of idle threads.
//!
//! Alone, the owner takes one chunk after the other. As soon as there are idle threads, the chunks still
//! to come are shared out by *ranges*, each of which is one chunk to [`crate::engine::ordered_chunks`]. What grows from a
//! range is a part of its own, and the parts in the order of their numbers are those of one thread, to the last node:
//!
//! * *A range that ends the pass* has a solution, met a limit, or grew more than there is memory for.
//! * *Memory.* How much of the memory a range may use depends on those before it, so that is decided when
//!   all are there. A range that might not fit is expanded once more by the owner, chunk by
//!   chunk, and that decides where the list is frozen. While ranges are shared out, no more are begun
//!   once all together are too large: above the limit there is at most one range for each thread.
//!
//! What was done in vain – behind an end, or twice – is not counted.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::below_frozen::{BelowFrozen, Stop, layer_count};
use super::chunk::{Chunk, Keep, Part};
use super::expand::{Expand, Unfinished, expand};
use super::frontier_list::Section;
use super::lists::ThreadScratch;
use super::node::ListNode;
use super::node_counter::NodeCounter;
use super::trace::PathEnd;
use crate::engine::ordered_chunks::{Ticket, process_others_in_order};
use crate::engine::{SearchLog, Stats, ThreadShare, TieBreak};

/// The most chunks of a range whose nodes are kept: many small parts would be a list in many segments.
const MAX_RANGE: usize = 16;

/// Ranges for each thread, if the list has enough chunks: their sizes differ by orders of magnitude.
const RANGES_A_THREAD: usize = 16;

/// Nodes generated before idle threads are asked to help: about half a millisecond, and the next pass is longer still.
/// Asking takes some ten microseconds.
pub(super) const WORTH_HELP: u64 = 1 << 15;

/// What becomes of the nodes that a pass cuts.
#[derive(Clone, Copy, Debug)]
pub(super) enum CutNodes {
    /// They are the next list; this many more steps may be kept.
    Kept { max_steps: usize },
    /// They are dropped; this many nodes may be in a thread's memory at a time.
    Dropped { max_nodes: usize },
}

/// A pass: what it reads, and what it may use.
pub(super) struct Pass<'a, E: Expand> {
    pub(super) expander: &'a E,
    /// In depth-first order; all of them are to be searched.
    pub(super) sections: &'a [Section<E::Node>],
    /// Chunks that are done.
    pub(super) done: &'a Done,
    pub(super) bound: u16,
    pub(super) cut_nodes: CutNodes,
    pub(super) thread_share: &'a ThreadShare,
    /// Nodes generated before idle threads are asked to help.
    pub(super) help_from: u64,
    pub(super) tie_break: TieBreak,
    /// Where chunks below a frozen list are entered that are done.
    pub(super) log: &'a SearchLog,
}

/// Parts of a frozen list that are done: the first ones, and others with what was done for them.
#[derive(Default)]
pub(super) struct Done {
    pub(super) first: usize,
    pub(super) others: BTreeMap<usize, Stats>,
}

/// How a pass ended.
pub(super) enum End {
    Exhausted,
    /// There was no memory for what grows from this chunk.
    Full(usize),
    Stop(Stop),
}

/// The result of one range.
struct RangeResult<N> {
    part: Part<N>,
    end: End,
    stats: Stats,
}

impl<E: Expand> Pass<'_, E> {
    /// Expands all chunks. What is to be kept goes to `parts`: to the last of them, and to others behind it.
    pub(super) fn run(
        &self,
        parts: &mut Vec<Part<E::Node>>,
        scratch: &mut ThreadScratch<E>,
        counter: &mut NodeCounter,
    ) -> End {
        let chunks = self.sections.iter().map(Section::chunks).sum();
        for number in self.done.first..chunks {
            if let Some(stats) = self.done.others.get(&number) {
                counter.add(stats);
                continue;
            }
            if self.thread_share.idle() > 0 && counter.stats.generated >= self.help_from && number + 1 < chunks {
                return self.run_together(number..chunks, parts, scratch, counter);
            }
            let end = self.own_chunk(number, parts, scratch, counter);
            if !matches!(end, End::Exhausted) {
                return end;
            }
        }
        End::Exhausted
    }

    /// Expands a chunk into the last part.
    fn own_chunk(
        &self,
        number: usize,
        parts: &mut [Part<E::Node>],
        scratch: &mut ThreadScratch<E>,
        counter: &mut NodeCounter,
    ) -> End {
        let Some((part, before)) = parts.split_last_mut() else { unreachable!("there is a part for the owner") };
        let spent = counter.stats;
        let end = self.chunk(number, steps(before), part, scratch, counter);
        self.enter(number, &end, counter.stats.since(&spent));
        end
    }

    /// Enters a chunk below a frozen list, if it is done.
    fn enter(&self, number: usize, end: &End, stats: Stats) {
        if let (CutNodes::Dropped { .. }, End::Exhausted) = (self.cut_nodes, end) {
            self.log.part_done(number, stats, std::iter::empty());
        }
    }

    /// Expands a chunk. `steps_before`: steps of other parts.
    fn chunk(
        &self,
        number: usize,
        steps_before: usize,
        part: &mut Part<E::Node>,
        scratch: &mut ThreadScratch<E>,
        counter: &mut NodeCounter,
    ) -> End {
        let (section, in_section) = self.section(number);
        let ThreadScratch { wave, stack, layers, gathered } = scratch;
        let roots = section.list.chunk(section.from + in_section, gathered);
        debug_assert!(roots.iter().all(|root| root.f() == section.f));
        match self.cut_nodes {
            CutNodes::Kept { max_steps } => {
                let max_nodes = max_steps.saturating_sub(steps_before + part.trace.len());
                let chunk = Chunk { roots, bound: self.bound, max_nodes, keep: Keep::Cut, tie_break: self.tie_break };
                match expand(self.expander, &chunk, wave, counter, part) {
                    Ok(None) => End::Exhausted,
                    Ok(Some(step)) => End::Stop(Stop::Goal(part.trace.trace_back(PathEnd::from(step)))),
                    Err(Unfinished::TooMany) => End::Full(number),
                    Err(Unfinished::Limit(limit)) => End::Stop(Stop::Limit(limit)),
                }
            }
            CutNodes::Dropped { max_nodes } => {
                let needed = layer_count(section.f, self.bound);
                if layers.len() < needed {
                    layers.resize_with(needed, Part::default);
                }
                let &Pass { expander, bound, tie_break, .. } = self;
                let mut below = BelowFrozen { expander, wave, stack, counter, bound, tie_break };
                match below.search(roots, section.f, max_nodes, layers) {
                    Ok(()) => End::Exhausted,
                    Err(stop) => End::Stop(stop),
                }
            }
        }
    }

    /// The section that a chunk is in, and its number there.
    fn section(&self, mut number: usize) -> (&Section<E::Node>, usize) {
        for section in self.sections {
            match number.checked_sub(section.chunks()) {
                Some(rest) => number = rest,
                None => return (section, number),
            }
        }
        unreachable!("the sections end {number} chunks before")
    }

    /// As [`Pass::run`], from a chunk on, with all threads that are idle.
    #[cold]
    fn run_together(
        &self,
        chunks: Range<usize>,
        parts: &mut Vec<Part<E::Node>>,
        scratch: &mut ThreadScratch<E>,
        counter: &mut NodeCounter,
    ) -> End {
        let size = match self.cut_nodes {
            CutNodes::Kept { .. } => {
                (chunks.len() / (RANGES_A_THREAD * self.thread_share.threads())).clamp(1, MAX_RANGE)
            }
            // What is below a single chunk is large enough.
            CutNodes::Dropped { .. } => 1,
        };
        let range = |number| {
            let first = chunks.start + number * size;
            first..chunks.end.min(first + size)
        };
        let (steps_before, budget) = (steps(parts), counter.budget());
        let kept = AtomicUsize::new(steps_before);
        let work = |ticket: &Ticket, scratch: &mut ThreadScratch<E>| {
            let mut counter = NodeCounter::of_ticket(budget, *ticket);
            let (mut part, mut end) = (Part::default(), End::Exhausted);
            for number in range(ticket.number) {
                end = self.chunk(number, steps_before, &mut part, scratch, &mut counter);
                if !matches!(end, End::Exhausted) {
                    ticket.end_here();
                    break;
                }
            }
            self.enter(range(ticket.number).start, &end, counter.stats);
            // `AcqRel`: every range that was counted here had been taken before the next one's number is read.
            let kept = kept.fetch_add(part.trace.len(), Ordering::AcqRel) + part.trace.len();
            if let CutNodes::Kept { max_steps } = self.cut_nodes
                && kept > max_steps
            {
                // They do not fit, so the list will be frozen among the ranges that were taken.
                ticket.take_no_more();
            }
            RangeResult { part, end, stats: counter.stats }
        };
        let ranges = chunks.len().div_ceil(size);
        let known = |(&number, &stats): (&usize, &Stats)| {
            let nothing = RangeResult { part: Part::default(), end: End::Exhausted, stats };
            number.checked_sub(chunks.start).map(|number| (number, nothing))
        };
        let known = self.done.others.iter().filter_map(known);
        let results = process_others_in_order(self.thread_share, ranges, known, scratch, ThreadScratch::default, work);
        for (number, result) in results.into_iter().enumerate() {
            let end = self.join(result, range(number), parts, scratch, counter);
            if !matches!(end, End::Exhausted) {
                return end;
            }
        }
        End::Exhausted
    }

    /// Puts what grew from a range behind the parts before it.
    fn join(
        &self,
        result: Option<RangeResult<E::Node>>,
        range: Range<usize>,
        parts: &mut Vec<Part<E::Node>>,
        scratch: &mut ThreadScratch<E>,
        counter: &mut NodeCounter,
    ) -> End {
        let fits = |result: &RangeResult<E::Node>| match (self.cut_nodes, &result.end) {
            (CutNodes::Kept { .. }, End::Full(_)) => false,
            (CutNodes::Kept { max_steps }, _) => steps(parts) + result.part.trace.len() <= max_steps,
            (CutNodes::Dropped { .. }, _) => true,
        };
        match result {
            Some(result) if fits(&result) => {
                counter.add(&result.stats);
                parts.push(result.part);
                result.end
            }
            _ => {
                parts.push(Part::default());
                for number in range {
                    let end = self.own_chunk(number, parts, scratch, counter);
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
