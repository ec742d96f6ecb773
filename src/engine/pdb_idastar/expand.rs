//! The contract of the code that expands nodes: in waves, in vectors, or in a test.

use super::chunk::{Chunk, Part};
use super::node::ListNode;
use super::node_counter::NodeCounter;
use crate::board::Path;
use crate::engine::Stats;
use crate::system::Limit;

/// How the expansion of a chunk ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ChunkEnd {
    /// Every node within the bound has been expanded.
    Exhausted,
    /// The same, and this is the step of the first solution in depth-first order; or, where any will do, that of a solution,
    /// and no more was expanded than it took to find it.
    Goal(u32),
    /// There are more nodes than were allowed; what was added to the part must be dropped.
    TooMany,
    /// The clock or the stop flag ended it; likewise.
    Interrupted(Limit),
}

/// How the depth-first search below one list node ended.
pub(super) enum SubtreeEnd {
    Exhausted,
    /// The goal, by these letters.
    Goal(Path),
    Limit(Limit),
}

/// A way to expand nodes. Every implementation has the same answers and the same number of nodes.
pub(super) trait Expand: Sync {
    type Node: ListNode;
    /// A thread's memory for the nodes of one chunk.
    type Wave: Default;
    /// A thread's memory for depth-first search.
    type Stack: Default;

    /// Whether it can keep [`Keep::Depths`](super::chunk::Keep).
    const KEEPS_DEPTHS: bool = false;

    /// Expands a chunk: a function of its arguments, so that chunks can be expanded in any order, by
    /// any thread, and their parts joined in the order of the list.
    fn chunk(
        &self,
        chunk: &Chunk<Self::Node>,
        wave: &mut Self::Wave,
        counter: &mut NodeCounter,
        part: &mut Part<Self::Node>,
    ) -> ChunkEnd;

    /// Searches depth-first below a node of the list, as far as the bound, and keeps nothing.
    fn below(&self, root: &Self::Node, bound: u16, stack: &mut Self::Stack, counter: &mut NodeCounter) -> SubtreeEnd;
}

/// Why a chunk was not expanded to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unfinished {
    TooMany,
    Limit(Limit),
}

/// Expands a chunk into a part; the step of its first solution. The part of an unfinished chunk is as it was.
///
/// A budget that a chunk exceeds is spent to its end. It is asked afterwards, so that where a list is
/// frozen or a chunk halved, and with it what a search needs, does not depend on the budget.
pub(super) fn expand<E: Expand>(
    expander: &E,
    chunk: &Chunk<E::Node>,
    wave: &mut E::Wave,
    counter: &mut NodeCounter,
    part: &mut Part<E::Node>,
) -> Result<Option<u32>, Unfinished> {
    let (kept, steps, expanded, untraced) = (part.nodes.len(), part.trace.len(), part.expanded, part.untraced);
    let end = expander.chunk(chunk, wave, counter, part);
    let generated = ((part.trace.len() - steps) as u64).wrapping_add(part.untraced.wrapping_sub(untraced));
    let stats = Stats { generated, expanded: part.expanded - expanded };
    let end = match end {
        ChunkEnd::Exhausted | ChunkEnd::Goal(_) if stats.generated > counter.left() => {
            Err(Unfinished::Limit(counter.spend_all()))
        }
        ChunkEnd::Exhausted => Ok(None),
        ChunkEnd::Goal(step) => Ok(Some(step)),
        ChunkEnd::TooMany => Err(Unfinished::TooMany),
        ChunkEnd::Interrupted(limit) => Err(Unfinished::Limit(limit)),
    };
    if end.is_ok() {
        counter.add(&stats);
    } else {
        part.nodes.truncate(kept);
        part.trace.truncate(steps);
        part.expanded = expanded;
        part.untraced = untraced;
    }
    end
}
