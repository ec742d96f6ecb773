//! Chunks of nodes, and the results of expanding them.

use crate::engine::Stats;
use crate::system::Limit;

/// A node of the search tree.
pub trait Node: Copy + Send + Sync {
    fn depth(&self) -> u16;

    /// Returns h, which is 0 at the goal and nowhere else.
    fn h(&self) -> u16;

    #[inline(always)]
    fn f(&self) -> u16 {
        self.depth() + self.h()
    }
}

/// The number of list nodes expanded together. Smaller chunks leave more batches partly empty;
/// larger ones waste more work in the chunk that contains the solution.
pub(super) const CHUNK: usize = 96;

/// The treatment of nodes beyond the bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CutNodes {
    /// They become roots of the next iteration. At most `max_generated` nodes may be generated.
    Kept { max_generated: u64 },
    /// They are dropped. With `any_solution`, the expansion ends at the first solution found, below
    /// any root. Otherwise it finds the first root that has a solution below it.
    Dropped { any_solution: bool },
}

/// Consecutive nodes to expand up to a bound.
#[derive(Clone, Copy)]
pub struct Chunk<'a, N> {
    pub(super) roots: &'a [N],
    pub(super) bound: u16,
    pub(super) cut_nodes: CutNodes,
}

/// The result of expanding a chunk.
#[derive(Debug)]
pub struct Grown<N> {
    /// The cut nodes in depth-first order, if they are kept.
    pub(super) nodes: Vec<N>,
    /// The number of cut nodes below each root.
    pub(super) cut_counts: Vec<u32>,
    /// The greatest depth expanded below each root, if cut nodes are dropped and any solution will
    /// do.
    pub(super) depths: Vec<u16>,
    pub(super) stats: Stats,
}

impl<N> Default for Grown<N> {
    fn default() -> Grown<N> {
        Grown { nodes: Vec::new(), cut_counts: Vec::new(), depths: Vec::new(), stats: Stats::default() }
    }
}

/// The reason a chunk was not completed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unfinished {
    /// It generated more nodes than [`CutNodes::Kept`] allows.
    TooMany,
    Limit(Limit),
}

/// The outcome of a pass over a list.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Exhausted,
    /// The memory was too small to keep the cut nodes of this chunk.
    Full(usize),
    /// There is a solution below the node with this index.
    Goal(usize),
    Limit(Limit),
}
