//! Chunks of nodes, what grows from them, and how that ends.

use crate::engine::Stats;
use crate::system::Limit;

/// A board that the search has reached.
pub trait Node: Copy + Send + Sync {
    /// Moves from the start.
    fn depth(&self) -> u16;

    /// The lower bound on the moves to the goal; 0 there and nowhere else.
    fn h(&self) -> u16;

    /// The least length of a path through it.
    #[inline(always)]
    fn f(&self) -> u16 {
        self.depth() + self.h()
    }
}

/// List nodes that are expanded together. Smaller chunks fill fewer batches; of larger ones more is expanded in vain where
/// the solution is.
pub(super) const CHUNK: usize = 96;

/// What becomes of the nodes beyond the bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CutNodes {
    /// They are roots of the next iteration; at most so many nodes may be generated.
    Kept { max_generated: u64 },
    /// They are dropped, and all is expanded, or, where any solution will do, as much as it takes to find one.
    Dropped { any: bool },
}

/// Some neighbouring nodes, to be expanded to a bound.
#[derive(Clone, Copy)]
pub struct Chunk<'a, N> {
    pub(super) roots: &'a [N],
    pub(super) bound: u16,
    pub(super) cut_nodes: CutNodes,
}

/// What grows from chunks.
#[derive(Debug)]
pub struct Grown<N> {
    /// The nodes that were cut, in depth-first order, where they are kept.
    pub(super) nodes: Vec<N>,
    /// How many of them grew from each root.
    pub(super) children: Vec<u32>,
    /// The greatest depth of a node expanded below each root, where cut nodes are dropped.
    pub(super) depths: Vec<u16>,
    pub(super) stats: Stats,
}

impl<N> Default for Grown<N> {
    fn default() -> Grown<N> {
        Grown { nodes: Vec::new(), children: Vec::new(), depths: Vec::new(), stats: Stats::default() }
    }
}

/// Why a chunk was not expanded to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unfinished {
    TooMany,
    Limit(Limit),
}

/// How a pass ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Exhausted,
    /// There was no memory for what grows from this chunk.
    Full(usize),
    /// There is a solution below the node at this place.
    Goal(usize),
    Limit(Limit),
}
