//! The contract of those who expand nodes, and the counting that goes with it.

use super::dive::Below;
use super::node::ListNode;
use super::trace::Trace;
use crate::engine::deal::Ticket;
use crate::engine::{Budget, Limit, Stats};

/// List nodes that are expanded together. Smaller chunks fill fewer vectors, of larger ones more is
/// expanded in vain where the solution is. With 7-8 and AVX-512 on a Zen 5, 4,000 random boards:
/// 48: 3,150 boards/s, 64: 3,220, 96: 3,440, 128: 3,450, 192: 3,450; portable: no difference.
pub(super) const CHUNK: usize = 96;

/// Whether what is cut will be needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Keep {
    /// The nodes beyond the bound, in depth-first order.
    Cut,
    Nothing,
}

/// A stretch of list nodes to be expanded to a bound.
pub(super) struct Chunk<'a, N> {
    pub(super) roots: &'a [N],
    pub(super) bound: u16,
    /// The most nodes that may be generated.
    pub(super) most: usize,
    pub(super) keep: Keep,
}

/// What grows from chunks: nodes that were cut, and the steps to all that were generated.
#[derive(Clone, Debug)]
pub(super) struct Part<N> {
    pub(super) nodes: Vec<N>,
    pub(super) trace: Trace,
    /// Nodes expanded.
    pub(super) expanded: u64,
}

impl<N> Default for Part<N> {
    fn default() -> Part<N> {
        Part { nodes: Vec::new(), trace: Trace::default(), expanded: 0 }
    }
}

impl<N> Part<N> {
    /// Empties it; the number of its first step will not be known before others have been counted.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.trace.begin(0);
        self.expanded = 0;
    }
}

/// How the expansion of a chunk ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ChunkEnd {
    /// Every node within the bound has been expanded.
    Exhausted,
    /// So it was, and this is the step of the first solution in depth-first order.
    Goal(u32),
    /// There are more nodes than were allowed; what was added to the part is to be thrown away.
    TooMany,
    /// The clock or the stop flag ended it; likewise.
    Interrupted(Limit),
}

/// A way to expand nodes. Every implementation has the same answers and the same number of nodes.
pub(super) trait Expand: Sync {
    type Node: ListNode;
    /// A thread's memory for the nodes of one chunk.
    type Wave: Default;
    /// A thread's memory for going down.
    type Stack: Default;

    /// Expands a chunk: a function of its arguments, so that chunks can be expanded in any order, by
    /// any thread, and their parts joined in the order of the list.
    fn chunk(
        &self,
        chunk: &Chunk<Self::Node>,
        wave: &mut Self::Wave,
        watch: &mut Watch,
        part: &mut Part<Self::Node>,
    ) -> ChunkEnd;

    /// Searches depth-first below a node of the list, as far as the bound, and keeps nothing.
    fn below(&self, root: &Self::Node, bound: u16, stack: &mut Self::Stack, watch: &mut Watch) -> Below;
}

/// How the expansion of one chunk among many ended, if not well.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Short {
    /// There was no room for it.
    Room,
    Limit(Limit),
}

/// Expands a chunk into a part; the step of its first solution. Who falls short leaves the part as it was.
///
/// A budget that a chunk exceeds is spent to its end. It is asked afterwards, so that where a list is
/// frozen or a chunk halved, and with it what a search needs, does not depend on the budget.
pub(super) fn expand<E: Expand>(
    by: &E,
    chunk: &Chunk<E::Node>,
    wave: &mut E::Wave,
    watch: &mut Watch,
    part: &mut Part<E::Node>,
) -> Result<Option<u32>, Short> {
    let (kept, steps, expanded) = (part.nodes.len(), part.trace.len(), part.expanded);
    let end = by.chunk(chunk, wave, watch, part);
    let stats = Stats { generated: (part.trace.len() - steps) as u64, expanded: part.expanded - expanded };
    let end = match end {
        ChunkEnd::Exhausted | ChunkEnd::Goal(_) if stats.generated > watch.left() => Err(Short::Limit(watch.spend())),
        ChunkEnd::Exhausted => Ok(None),
        ChunkEnd::Goal(step) => Ok(Some(step)),
        ChunkEnd::TooMany => Err(Short::Room),
        ChunkEnd::Interrupted(limit) => Err(Short::Limit(limit)),
    };
    if end.is_ok() {
        watch.add(&stats);
    } else {
        part.nodes.truncate(kept);
        part.trace.truncate(steps);
        part.expanded = expanded;
    }
    end
}

/// Counts nodes and looks at the budget now and then.
pub(super) struct Watch<'a> {
    budget: &'a Budget<'a>,
    /// For one stretch among several: the others may say that it is no longer needed.
    stretch: Option<Ticket<'a>>,
    /// Nodes generated since the budget was last looked at.
    since: u64,
    /// Those of the chunk in hand not counted.
    pub(super) stats: Stats,
}

impl<'a> Watch<'a> {
    /// For a search that has its start node.
    pub(super) fn start(budget: &'a Budget<'a>) -> Watch<'a> {
        Watch { budget, stretch: None, since: 0, stats: Stats { expanded: 0, generated: 1 } }
    }

    /// For one stretch of a search without a limit of nodes.
    pub(super) fn of_stretch(budget: &'a Budget<'a>, stretch: Ticket<'a>) -> Watch<'a> {
        Watch { budget, stretch: Some(stretch), since: 0, stats: Stats::default() }
    }

    pub(super) fn budget(&self) -> &'a Budget<'a> {
        self.budget
    }

    /// Adds what was spent on a stretch.
    pub(super) fn add(&mut self, stats: &Stats) {
        self.stats.generated += stats.generated;
        self.stats.expanded += stats.expanded;
    }

    /// How many nodes may still be generated.
    fn left(&self) -> u64 {
        self.budget.nodes() - self.stats.generated
    }

    /// A budget that has fewer nodes than were asked for is spent to its end.
    fn spend(&mut self) -> Limit {
        self.stats.generated = self.budget.nodes();
        Limit::Nodes
    }

    /// Counts nodes of a chunk; what interrupts the search, if anything does.
    #[inline(always)]
    pub(super) fn tick(&mut self, nodes: usize) -> Option<Limit> {
        self.since += nodes as u64;
        if self.since < Budget::POLL_NODES { None } else { self.look() }
    }

    #[cold]
    pub(super) fn look(&mut self) -> Option<Limit> {
        self.since = 0;
        if self.stretch.is_some_and(|stretch| !stretch.is_needed()) {
            return Some(Limit::Cancelled);
        }
        self.budget.interrupted()
    }

    /// Asks for nodes of a depth-first search.
    #[inline(always)]
    pub(super) fn grant(&mut self, nodes: usize) -> Option<Limit> {
        if nodes as u64 > self.left() {
            return Some(self.spend());
        }
        self.stats.generated += nodes as u64;
        self.tick(nodes)
    }
}
