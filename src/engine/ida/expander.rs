//! The interface between the iterations and the code that expands nodes: a chunk of nodes in, their
//! cut descendants out, and the count of the nodes generated.
//!
//! Expanders implement [`Expander`] for their type of node. The iterations use [`DynExpander`],
//! which hides that type.

use std::any::Any;
use std::mem::take;

use super::nodes::{NodeSlice, Nodes, TreeNode, typed};
use crate::board::{Move, State};
use crate::engine::Stats;
use crate::engine::ordered_chunks::Ticket;
use crate::system::{Budget, Limit};

/// The number of list nodes expanded together. Smaller chunks leave more batches partly empty;
/// larger ones waste more work in the chunk that contains the solution.
pub(super) const CHUNK: usize = 96;

/// The treatment of cut nodes: those beyond the bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CutNodes {
    /// They become roots of the next iteration. If the chunk generates more than `max_generated`
    /// nodes, its expansion ends with [`Limit::Memory`].
    Kept { max_generated: u64 },
    /// They are dropped. With `any_solution`, the expansion ends at the first solution found, below
    /// any root. Otherwise it finds the first root that has a solution below it.
    Dropped { any_solution: bool },
}

/// Consecutive nodes to expand up to a bound. `R` is a slice or a [`NodeSlice`].
#[derive(Clone, Copy)]
pub struct NodeChunk<R> {
    pub(super) roots: R,
    pub(super) bound: u16,
    pub(super) cut_nodes: CutNodes,
}

/// The result of expanding one or more chunks. `V` is the type of the list of nodes.
#[derive(Default)]
pub struct ExpansionResult<V = Box<dyn Nodes>> {
    /// The cut nodes in depth-first order, if they are kept.
    pub(super) nodes: V,
    /// The number of cut nodes below each root.
    pub(super) cut_counts: Vec<u32>,
    /// The greatest depth expanded below each root, if cut nodes are dropped and any solution will
    /// do.
    pub(super) depths: Vec<u16>,
    pub(super) stats: Stats,
}

/// The reason a pass over a list ended before the end of the list.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum PassEnd {
    /// The memory was too small to keep the cut nodes of this chunk.
    Full(usize),
    /// There is a solution below the node with this index.
    Goal(usize),
    Limit(Limit),
}

/// A method of expanding nodes.
pub trait Expander: Sync {
    type Node: TreeNode;
    type Memory: Default + Send + 'static;

    fn root(&self, state: &State) -> Self::Node;

    /// Expands a chunk. Returns the index of the first root that has a solution below it or, if any
    /// solution will do, of one such root. The result depends only on the arguments, so chunks can
    /// be expanded in any order and by any thread.
    fn expand(
        &self,
        chunk: &NodeChunk<&[Self::Node]>,
        memory: &mut Self::Memory,
        counter: &mut NodeCounter,
        result: &mut ExpansionResult<Vec<Self::Node>>,
    ) -> Result<Option<usize>, Limit>;

    /// Returns the successors of a node, smallest letter first.
    fn successors(&self, node: &Self::Node, memory: &mut Self::Memory) -> Successors<Self::Node>;
}

/// Up to four nodes, each with the move that leads to it.
pub type Successors<N> = [Option<(Move, N)>; 4];

/// The memory of an expander of hidden type, once it is created.
pub type ExpanderMemory = Option<Box<dyn Any + Send>>;

/// An [`Expander`] whose type of node is hidden. A single node is passed as a list of one.
pub trait DynExpander: Send + Sync {
    /// Returns the root of the tree.
    fn root_node(&self, state: &State) -> Box<dyn Nodes>;

    /// Implements [`Expander::expand`].
    fn expand_chunk(
        &self,
        chunk: &NodeChunk<NodeSlice>,
        memory: &mut ExpanderMemory,
        counter: &mut NodeCounter,
        result: &mut ExpansionResult,
    ) -> Result<Option<usize>, Limit>;

    /// Replaces `children` by the children of a node within the bound, smallest letter first, and
    /// `steps` by the moves that lead to them.
    fn children(
        &self,
        node: &dyn Nodes,
        bound: u16,
        memory: &mut ExpanderMemory,
        steps: &mut Vec<Move>,
        children: &mut Box<dyn Nodes>,
    );

    /// Replaces a node by the `number`-th of its descendants that are cut, counted from 0 in
    /// depth-first order. Appends the moves that lead to that descendant to `path`.
    fn descend(
        &self,
        node: &mut Box<dyn Nodes>,
        bound: u16,
        number: usize,
        memory: &mut ExpanderMemory,
        path: &mut Vec<Move>,
    );
}

impl<E: Expander + Send> DynExpander for E {
    fn root_node(&self, state: &State) -> Box<dyn Nodes> {
        Box::new(vec![self.root(state)])
    }

    fn expand_chunk(
        &self,
        chunk: &NodeChunk<NodeSlice>,
        memory: &mut ExpanderMemory,
        counter: &mut NodeCounter,
        result: &mut ExpansionResult,
    ) -> Result<Option<usize>, Limit> {
        let chunk = NodeChunk { roots: chunk.roots.typed(), bound: chunk.bound, cut_nodes: chunk.cut_nodes };
        let ExpansionResult { nodes, cut_counts, depths, stats } = result;
        let nodes = typed(nodes);
        // The buffers are only moved, there and back.
        let mut typed_result =
            ExpansionResult { nodes: take(nodes), cut_counts: take(cut_counts), depths: take(depths), stats: *stats };
        let end = self.expand(&chunk, typed_memory(memory), counter, &mut typed_result);
        ExpansionResult { nodes: *nodes, cut_counts: *cut_counts, depths: *depths, stats: *stats } = typed_result;
        end
    }

    fn children(
        &self,
        node: &dyn Nodes,
        bound: u16,
        memory: &mut ExpanderMemory,
        steps: &mut Vec<Move>,
        children: &mut Box<dyn Nodes>,
    ) {
        let children = typed::<E::Node>(children);
        children.clear();
        steps.clear();
        let node = &NodeSlice::all(node).typed()[0];
        for (step, child) in self.successors(node, typed_memory(memory)).into_iter().flatten() {
            if child.f() <= bound {
                steps.push(step);
                children.push(child);
            }
        }
    }

    fn descend(
        &self,
        node: &mut Box<dyn Nodes>,
        bound: u16,
        mut number: usize,
        memory: &mut ExpanderMemory,
        path: &mut Vec<Move>,
    ) {
        let node = &mut typed::<E::Node>(node)[0];
        let found = walk_to(self, node, bound, &mut number, typed_memory(memory), path);
        *node = found.unwrap_or_else(|| unreachable!("a cut node is found again"));
    }
}

/// Searches depth-first below a node for the `number`-th node beyond the bound, counted from 0.
/// Appends the moves that lead to that node to `path`, and returns the node.
fn walk_to<E: Expander>(
    expander: &E,
    node: &E::Node,
    bound: u16,
    number: &mut usize,
    memory: &mut E::Memory,
    path: &mut Vec<Move>,
) -> Option<E::Node> {
    for (step, child) in expander.successors(node, memory).into_iter().flatten() {
        path.push(step);
        if child.f() <= bound {
            let found = walk_to(expander, &child, bound, number, memory, path);
            if found.is_some() {
                return found;
            }
        } else if *number == 0 {
            return Some(child);
        } else {
            *number -= 1;
        }
        path.pop();
    }
    None
}

/// Returns the memory of an expander. It is created if there is none of this type.
fn typed_memory<M: Default + Send + 'static>(memory: &mut ExpanderMemory) -> &mut M {
    if !memory.as_ref().is_some_and(|memory| memory.is::<M>()) {
        *memory = Some(Box::<M>::default());
    }
    let memory = memory.as_mut().and_then(|memory| memory.downcast_mut());
    memory.unwrap_or_else(|| unreachable!("the memory has this type now"))
}

/// The buffers of one thread that works on a board.
#[derive(Default)]
pub struct ThreadMemory {
    pub(super) expander: ExpanderMemory,
    /// The roots of the current chunk, if they must be copied.
    pub(super) gathered: Box<dyn Nodes>,
    pub(super) result: ExpansionResult,
    /// The number of nodes that the thread has generated since it last polled the budget.
    pub(super) since_poll: u64,
}

/// Expands a chunk and adds what was found to `result`, or nothing if a limit ended the expansion.
///
/// If the chunk exceeds the node limit, the search counts as having generated exactly as many nodes
/// as the limit allows. While cut nodes are kept, the node limit is checked only after the chunk.
/// So neither the point where a list is frozen nor the number of nodes that a search needs depends
/// on the node limit.
pub(super) fn expand(
    expander: &dyn DynExpander,
    chunk: &NodeChunk<NodeSlice>,
    memory: &mut ExpanderMemory,
    counter: &mut NodeCounter,
    result: &mut ExpansionResult,
) -> Result<Option<usize>, Limit> {
    let (nodes, roots, before) = (result.nodes.len(), result.cut_counts.len(), result.stats);
    let end = expander.expand_chunk(chunk, memory, counter, result).and_then(|goal| {
        let spent = result.stats.since(&before);
        if spent.generated > counter.nodes_left() {
            return Err(counter.spend_all());
        }
        counter.stats.add(&spent);
        Ok(goal)
    });
    if end.is_err() {
        result.nodes.truncate(nodes);
        result.cut_counts.truncate(roots);
        result.stats = before;
    }
    end
}

/// A count of nodes, with periodic polling of the budget.
pub struct NodeCounter<'a> {
    pub(super) budget: &'a Budget<'a>,
    /// If several threads share a list: the ticket of the range or part whose nodes are counted.
    /// The result of an earlier one may make this one unnecessary.
    ticket: Option<Ticket<'a>>,
    /// The number of nodes generated since the budget was last polled.
    pub(super) since_poll: u64,
    /// The work counted so far, without the chunk in progress.
    pub(super) stats: Stats,
}

impl<'a> NodeCounter<'a> {
    /// Starts the count of a search, which includes the start node.
    pub(super) fn start(budget: &'a Budget<'a>) -> NodeCounter<'a> {
        NodeCounter { budget, ticket: None, since_poll: 0, stats: Stats { expanded: 0, generated: 1 } }
    }

    /// Starts the count of one range or part of a list, in a search without a node limit. The
    /// thread has generated `since_poll` nodes since it last polled the budget.
    pub(super) fn of_ticket(budget: &'a Budget<'a>, ticket: Ticket<'a>, since_poll: u64) -> NodeCounter<'a> {
        NodeCounter { budget, ticket: Some(ticket), since_poll, stats: Stats::default() }
    }

    fn nodes_left(&self) -> u64 {
        self.budget.nodes().saturating_sub(self.stats.generated)
    }

    /// Counts all nodes of the budget as generated, because a chunk exceeds it. Returns the limit
    /// reached.
    fn spend_all(&mut self) -> Limit {
        self.stats.generated = self.budget.nodes();
        Limit::Nodes
    }

    /// Checks the limits after a chunk has generated `generated` nodes in total, `new` of them
    /// since the last check. Returns the number of nodes that the chunk may generate before the
    /// next check.
    #[inline(always)]
    pub(super) fn check<R>(&mut self, chunk: &NodeChunk<R>, generated: u64, new: u64) -> Result<u64, Limit> {
        let left = match chunk.cut_nodes {
            CutNodes::Kept { max_generated } => max_generated.checked_sub(generated).ok_or(Limit::Memory)?,
            CutNodes::Dropped { .. } => self.nodes_left().checked_sub(generated).ok_or_else(|| self.spend_all())?,
        };
        self.since_poll += new;
        if self.since_poll >= Budget::POLL_NODES
            && let Some(limit) = self.poll()
        {
            return Err(limit);
        }
        Ok(left.saturating_add(1).min(Budget::POLL_NODES))
    }

    #[cold]
    pub(super) fn poll(&mut self) -> Option<Limit> {
        self.since_poll = 0;
        if self.ticket.is_some_and(|ticket| !ticket.is_needed()) {
            return Some(Limit::Cancelled);
        }
        self.budget.interrupted()
    }
}
