//! One pass over a list, in which cut nodes are kept. The *owner*, the thread that searches the
//! board, works alone or together with idle threads.
//!
//! Alone, the owner expands one chunk after another. As soon as threads are idle, the remaining
//! chunks are divided into *ranges*. ([`crate::engine::ordered_chunks`] calls a range a chunk.) The
//! result of a range is a separate *part* of the next list. Joined in the order of the ranges, the
//! parts contain the same nodes as with one thread. Two rules ensure this:
//!
//! * *A range ends the pass* if it has a solution, reaches a limit, or exceeds the memory.
//! * *Memory.* The memory that a range may use depends on the ranges before it. So once all results
//!   are present, the owner checks for each range whether it fits. If a range might not fit, the
//!   owner expands the range chunk by chunk, to determine where the list is frozen.
//!
//! Work after the end of a pass is not counted, and a range that is expanded twice counts once.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicU64, Ordering};

use super::expander::{
    CHUNK, CutNodes, DynExpander, ExpansionResult, NodeChunk, NodeCounter, PassEnd, ThreadMemory, expand,
};
use super::list::List;
use crate::engine::ThreadShare;
use crate::engine::ordered_chunks::{Ticket, process_in_order};
use crate::system::Limit;

/// The maximum number of chunks in a range.
const MAX_RANGE: usize = 16;

/// The minimum number of ranges per thread, if the list has enough chunks. It is large, because the
/// costs of ranges differ by orders of magnitude.
const RANGES_PER_THREAD: usize = 16;

/// The input of one pass.
pub(super) struct Pass<'a> {
    pub(super) expander: &'a dyn DynExpander,
    pub(super) list: &'a List,
    pub(super) bound: u16,
    /// The number of nodes that may be generated before memory runs out.
    pub(super) max_generated: u64,
    pub(super) thread_share: &'a ThreadShare,
    /// The number of nodes generated before idle threads are asked to help.
    pub(super) help_from: u64,
}

impl Pass<'_> {
    /// Expands all chunks. Results go to the last of `parts`, and to new parts after it.
    pub(super) fn run(
        &self,
        parts: &mut Vec<ExpansionResult>,
        memory: &mut ThreadMemory,
        counter: &mut NodeCounter,
    ) -> ControlFlow<PassEnd> {
        let chunks = self.list.chunks();
        for number in 0..chunks {
            if self.thread_share.idle() > 0 && counter.stats.generated >= self.help_from && number + 1 < chunks {
                return self.run_together(number..chunks, parts, memory, counter);
            }
            self.expand_alone(number, parts, memory, counter)?;
        }
        ControlFlow::Continue(())
    }

    /// Expands a chunk into the last part.
    fn expand_alone(
        &self,
        number: usize,
        parts: &mut [ExpansionResult],
        memory: &mut ThreadMemory,
        counter: &mut NodeCounter,
    ) -> ControlFlow<PassEnd> {
        let before = generated(parts);
        let Some(part) = parts.last_mut() else { unreachable!("there is a part for the owner") };
        self.expand_chunk(number, before, part, memory, counter)
    }

    /// Expands a chunk after `before` nodes have been generated.
    fn expand_chunk(
        &self,
        number: usize,
        before: u64,
        part: &mut ExpansionResult,
        memory: &mut ThreadMemory,
        counter: &mut NodeCounter,
    ) -> ControlFlow<PassEnd> {
        let ThreadMemory { expander: memory, gathered, .. } = memory;
        let cut_nodes = CutNodes::Kept { max_generated: self.max_generated.saturating_sub(before) };
        let chunk = NodeChunk { roots: self.list.chunk(number, gathered), bound: self.bound, cut_nodes };
        match expand(self.expander, &chunk, memory, counter, part) {
            Ok(None) => ControlFlow::Continue(()),
            Ok(Some(root)) => ControlFlow::Break(PassEnd::Goal(number * CHUNK + root)),
            Err(Limit::Memory) => ControlFlow::Break(PassEnd::Full(number)),
            Err(limit) => ControlFlow::Break(PassEnd::Limit(limit)),
        }
    }

    /// Continues [`Pass::run`] on the remaining chunks, together with all idle threads.
    #[cold]
    fn run_together(
        &self,
        chunks: Range<usize>,
        parts: &mut Vec<ExpansionResult>,
        memory: &mut ThreadMemory,
        counter: &mut NodeCounter,
    ) -> ControlFlow<PassEnd> {
        let size = (chunks.len() / (RANGES_PER_THREAD * self.thread_share.threads())).clamp(1, MAX_RANGE);
        let range = |number| {
            let first = chunks.start + number * size;
            first..chunks.end.min(first + size)
        };
        let (before, budget) = (generated(parts), counter.budget);
        let total = AtomicU64::new(before);
        let work = |ticket: &Ticket, memory: &mut ThreadMemory| {
            let mut counter = NodeCounter::of_ticket(budget, *ticket, memory.since_poll);
            let mut part = ExpansionResult::default();
            let end = range(ticket.number).try_for_each(|number| {
                self.expand_chunk(number, before + part.stats.generated, &mut part, memory, &mut counter)
            });
            if end.is_break() {
                ticket.end_here();
            }
            memory.since_poll = counter.since_poll;
            // `AcqRel`: every range counted in the total was taken before `take_no_more` reads the
            // number of the next one.
            let so_far = total.fetch_add(part.stats.generated, Ordering::AcqRel) + part.stats.generated;
            if so_far > self.max_generated {
                // The memory is exceeded, so the list will be frozen within the ranges already
                // taken.
                ticket.take_no_more();
            }
            (part, end)
        };
        let ranges = chunks.len().div_ceil(size);
        let results = process_in_order(self.thread_share, ranges, [], memory, ThreadMemory::default, work);
        for (number, result) in results.into_iter().enumerate() {
            match result {
                Some((part, end)) if self.fits(parts, &part, end) => {
                    counter.stats.add(&part.stats);
                    parts.push(part);
                    end?;
                }
                _ => {
                    parts.push(ExpansionResult::default());
                    range(number).try_for_each(|number| self.expand_alone(number, parts, memory, counter))?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns true if the result of a range fits into memory after the earlier parts.
    fn fits(&self, parts: &[ExpansionResult], part: &ExpansionResult, end: ControlFlow<PassEnd>) -> bool {
        !matches!(end, ControlFlow::Break(PassEnd::Full(_)))
            && generated(parts) + part.stats.generated <= self.max_generated
    }
}

/// Returns the number of nodes generated for these parts.
fn generated(parts: &[ExpansionResult]) -> u64 {
    parts.iter().map(|part| part.stats.generated).sum()
}
