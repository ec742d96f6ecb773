//! The unit of work: some list nodes that are expanded together, and what grows from them.

use super::trace::Trace;
use crate::engine::TieBreak;

/// List nodes that are expanded together. Smaller chunks fill fewer vectors; of larger ones more is
/// expanded in vain where the solution is. Tuned by `benches/yardstick` with AVX-512, where 96 to 192 are alike;
/// the portable code does not depend on it.
pub(super) const CHUNK: usize = 96;

/// Whether the nodes that are cut will be needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Keep {
    /// The nodes beyond the bound, in depth-first order.
    Cut,
    Nothing,
    /// How deep the search came below each root. Roots may be further from the bound than a move. Not every expander can.
    Depths,
}

/// Some neighbouring list nodes, to be expanded to a bound.
pub(super) struct Chunk<'a, N> {
    pub(super) roots: &'a [N],
    pub(super) bound: u16,
    /// The most nodes that may be generated.
    pub(super) max_nodes: usize,
    pub(super) keep: Keep,
    /// Whether the first solution in depth-first order is wanted, or any: the first that is met.
    pub(super) tie_break: TieBreak,
}

/// What grows from chunks: nodes that were cut, and the steps to all that were generated.
#[derive(Clone, Debug)]
pub(super) struct Part<N> {
    pub(super) nodes: Vec<N>,
    pub(super) trace: Trace,
    /// Nodes expanded.
    pub(super) expanded: u64,
    /// Nodes generated that have no step in the trace, modulo 2^64: less the steps that are not of a node generated.
    pub(super) untraced: u64,
    /// The greatest depth of a node expanded below each root, where that is kept.
    pub(super) depths: Vec<u16>,
}

impl<N> Default for Part<N> {
    fn default() -> Part<N> {
        Part { nodes: Vec::new(), trace: Trace::default(), expanded: 0, untraced: 0, depths: Vec::new() }
    }
}

impl<N> Part<N> {
    /// Empties it; the number of its first step will not be known before others have been counted.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.trace.begin(0);
        self.expanded = 0;
        self.untraced = 0;
        self.depths.clear();
    }
}
