//! One pass over the frontier list, by its owner alone or with the help of idle threads.
//!
//! Alone, the owner expands the list chunk by chunk into one part. As soon as there are idle
//! threads, the chunks still to come are shared out ([`crate::engine::ordered_chunks`]). Each becomes a part of its
//! own, and when all are done the owner puts the parts together in the order of the list. The result
//! is that of one thread, to the last node:
//!
//! * *A chunk that ends the pass* has a solution, met a limit, or grew too large a part.
//! * *Memory.* How much of the list's memory a chunk may use depends on those before it, so that is
//!   decided when parts are joined. A chunk that might not fit is expanded once more by the owner,
//!   into the list itself, and that decides where the list is frozen. While chunks are shared out, no
//!   more are begun once all together are too large: parts in work take up to the list's memory once more,
//!   and one chunk for each thread.
//!
//! What helpers did in vain – behind an end, or twice – is not counted.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::depth_first::{DepthFirst, End, StackFrame, Workspace};
use super::frontier::{Node, Part};
use super::node_counter::NodeCounter;
use crate::board::Packed;
use crate::engine::ordered_chunks::{Ticket, process_in_order};
use crate::engine::{Stats, ThreadShare};
use crate::heuristic::Heuristic;

/// A pass over the list: what it reads, and what it may use.
pub(super) struct Pass<'a, K, H: Heuristic> {
    pub(super) search: &'a DepthFirst<'a, K, H>,
    pub(super) roots: &'a [Node<K, H::Value>],
    /// Link of the first root.
    pub(super) first: u32,
    pub(super) bound: u16,
    /// Nodes that the part may have in all.
    pub(super) max_nodes: usize,
    pub(super) thread_share: &'a ThreadShare,
    /// Nodes generated before idle threads are asked to help.
    pub(super) help_from: u64,
}

/// The most roots of a chunk. It bounds how long threads wait for the last chunk of a pass, and how soon
/// an owner that works alone sees idle threads.
const CHUNK: usize = 256;

/// The most roots of a chunk that is searched below a frozen list: one root may take seconds, and its part holds no nodes.
const CHUNK_BELOW: usize = 16;

/// Chunks for each thread, if the list has enough roots: their sizes differ by orders of magnitude.
const CHUNKS_A_THREAD: usize = 16;

/// Nodes generated before idle threads are asked to help: about half a millisecond, and the next pass is longer still.
/// Asking takes some ten microseconds.
pub(super) const WORTH_HELP: u64 = 1 << 15;

/// The result of one chunk.
struct ChunkResult<K, V> {
    part: Part<K, V>,
    end: End,
    stats: Stats,
}

impl<K: Packed, H: Heuristic> Pass<'_, K, H> {
    /// Expands the roots from the given one on; indices in what it returns are those of the list.
    pub(super) fn run<const KEEP: bool>(&self, from: usize, workspace: &mut Workspace<K, H::Value>) -> End {
        let (mut at, roots) = (from, self.roots.len());
        while at < roots {
            if self.thread_share.idle() > 0 && workspace.counter.generated() >= self.help_from && at + 1 < roots {
                return self.run_together::<KEEP>(at, workspace);
            }
            let to = roots.min(at + CHUNK);
            match self.expand::<KEEP>(at, to, workspace) {
                End::Exhausted => at = to,
                end => return end,
            }
        }
        End::Exhausted
    }

    /// Expands the roots from `at` to `to`.
    fn expand<const KEEP: bool>(&self, at: usize, to: usize, workspace: &mut Workspace<K, H::Value>) -> End {
        // Some places are kept for the roots still to come.
        let max_nodes = self.max_nodes.saturating_sub(self.roots.len() - to);
        let (roots, first) = (&self.roots[at..to], self.first + at as u32);
        match self.search.expand_chunk::<KEEP>(roots, first, self.bound, max_nodes, workspace) {
            End::Goal(index, path) => End::Goal(at + index, path),
            End::Full(index) => End::Full(at + index),
            end => end,
        }
    }

    /// As [`Pass::run`], with all threads that are idle.
    #[cold]
    fn run_together<const KEEP: bool>(&self, from: usize, workspace: &mut Workspace<K, H::Value>) -> End {
        let (roots, threads, budget) = (self.roots.len(), self.thread_share.threads(), workspace.counter.budget);
        let most = if KEEP { CHUNK } else { CHUNK_BELOW };
        let size = ((roots - from) / (CHUNKS_A_THREAD * threads)).clamp(1, most);
        let chunk = |number| (from + number * size, roots.min(from + (number + 1) * size));
        // Nodes of the part so far, and of all chunks that were finished.
        let kept = AtomicUsize::new(workspace.part.nodes.len());
        let work = |ticket: &Ticket, stack: &mut Vec<StackFrame<K, H::Value>>| {
            let mut part = Part::default();
            let mut counter = NodeCounter::of_chunk(budget, *ticket);
            let (at, to) = chunk(ticket.number);
            let end = self.expand::<KEEP>(at, to, &mut Workspace { part: &mut part, stack, counter: &mut counter });
            if ticket.is_needed() && !matches!(end, End::Exhausted) {
                ticket.end_here();
            }
            // `AcqRel`: every chunk that was counted here had been taken before the next one's number is read.
            let kept = kept.fetch_add(part.nodes.len(), Ordering::AcqRel) + part.nodes.len();
            if KEEP && kept > self.max_nodes {
                // They do not fit, so the list will be frozen among the chunks that were taken.
                ticket.take_no_more();
            }
            ChunkResult { part, end, stats: Stats { expanded: counter.expanded, generated: counter.generated() } }
        };
        let chunks = (roots - from).div_ceil(size);
        let results = process_in_order(self.thread_share, chunks, workspace.stack, Vec::new, work);
        for (number, result) in results.into_iter().enumerate() {
            let (at, to) = chunk(number);
            if let end @ (End::Goal(..) | End::Full(_) | End::Limit(_)) = self.join::<KEEP>(result, at, to, workspace) {
                return end;
            }
        }
        End::Exhausted
    }

    /// Puts the part that grew from the roots from `at` to `to` behind those before it.
    fn join<const KEEP: bool>(
        &self,
        result: Option<ChunkResult<K, H::Value>>,
        at: usize,
        to: usize,
        workspace: &mut Workspace<K, H::Value>,
    ) -> End {
        // No root of the chunk can be the one that does not fit. (A part that is full never fits.)
        let fits = |result: &ChunkResult<K, H::Value>| {
            !KEEP || workspace.part.nodes.len() + result.part.nodes.len() + self.roots.len() <= self.max_nodes + at
        };
        match result {
            Some(result) if fits(&result) => {
                workspace.part.append(&result.part);
                workspace.counter.add(&result.stats);
                result.end
            }
            _ => self.expand::<KEEP>(at, to, workspace),
        }
    }
}
