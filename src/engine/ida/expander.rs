//! The interface between the iterations and the code that expands nodes.

use super::chunk::{Chunk, CutNodes, Grown, Node, Unfinished};
use super::node_counter::NodeCounter;
use crate::board::{Move, State};
use crate::system::{Budget, Limit};

/// A method of expanding nodes.
pub trait Expander: Sync {
    type Node: Node + 'static;
    type Memory: Default + Send + 'static;

    /// The memory for frontier lists, as a multiple of that of a [`Scratch`](super::Scratch).
    const LIST_MEMORY_FACTOR: usize = 1;

    /// The size of a node in bytes, as counted against the memory for frontier lists. It determines
    /// where a list is frozen. So expanders that replace each other on different processors use the
    /// same value.
    const NODE_BYTES: usize = size_of::<Self::Node>();

    fn root(&self, state: &State) -> Self::Node;

    /// Expands a chunk. Returns the index of the first root that has a solution below it or, if any
    /// solution will do, of one such root. The result depends only on the arguments, so chunks can
    /// be expanded in any order and by any thread.
    fn expand(
        &self,
        chunk: &Chunk<Self::Node>,
        memory: &mut Self::Memory,
        counter: &mut NodeCounter,
        grown: &mut Grown<Self::Node>,
    ) -> Result<Option<usize>, Unfinished>;

    /// Returns the successors of a node, smallest letter first.
    fn successors(&self, node: &Self::Node, memory: &mut Self::Memory) -> Successors<Self::Node>;
}

/// Up to four nodes, each with the move that leads to it.
pub type Successors<N> = [Option<(Move, N)>; 4];

/// The buffers of one thread that works on a board.
pub struct ThreadMemory<E: Expander> {
    pub(super) expander: E::Memory,
    /// The roots of the current chunk, if they must be copied.
    pub(super) gathered: Vec<E::Node>,
    pub(super) grown: Grown<E::Node>,
    /// The number of nodes that the thread has generated since it last polled the budget.
    pub(super) since_poll: u64,
}

impl<E: Expander> Default for ThreadMemory<E> {
    fn default() -> Self {
        ThreadMemory { expander: E::Memory::default(), gathered: Vec::new(), grown: Grown::default(), since_poll: 0 }
    }
}

/// Expands a chunk and appends the result to `grown`, or nothing if the chunk is not completed.
///
/// If a chunk exceeds the budget, the whole budget counts as spent. The budget is checked
/// afterwards, so that neither the point where a list is frozen nor the number of nodes that a
/// search needs depends on the budget.
pub(super) fn expand<E: Expander>(
    expander: &E,
    chunk: &Chunk<E::Node>,
    memory: &mut E::Memory,
    counter: &mut NodeCounter,
    grown: &mut Grown<E::Node>,
) -> Result<Option<usize>, Unfinished> {
    let (nodes, roots, before) = (grown.nodes.len(), grown.cut_counts.len(), grown.stats);
    let end = expander.expand(chunk, memory, counter, grown).and_then(|goal| {
        let spent = grown.stats.since(&before);
        if spent.generated > counter.nodes_left() {
            return Err(Unfinished::Limit(counter.spend_all()));
        }
        counter.add(&spent);
        Ok(goal)
    });
    if end.is_err() {
        grown.nodes.truncate(nodes);
        grown.cut_counts.truncate(roots);
        grown.stats = before;
    }
    end
}

/// Searches depth-first below a node for the `number`-th node beyond the bound, counted from 0.
/// Appends the moves that lead to that node to `path`, and returns the node.
pub(super) fn walk_to<E: Expander>(
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

/// Follows a solution below a node that has one within the bound. Each step goes to the first child
/// that has a solution or, with `any_solution`, to some such child. Appends the moves to `path`.
/// This generates at most about twice as many nodes as finding the solution did, because the tree
/// to search shrinks by half or more with every move. These nodes are not counted.
pub(super) fn follow_solution<E: Expander>(
    expander: &E,
    node: &E::Node,
    (bound, any_solution): (u16, bool),
    memory: &mut ThreadMemory<E>,
    budget: &Budget,
    path: &mut Vec<Move>,
) -> Result<(), Limit> {
    let (mut node, budget) = (*node, budget.without_nodes());
    let mut counter = NodeCounter::start(&budget);
    let ThreadMemory { expander: memory, grown, .. } = memory;
    while node.h() > 0 {
        let within = |(_, child): &(Move, E::Node)| child.f() <= bound;
        let (steps, children): (Vec<Move>, Vec<E::Node>) =
            expander.successors(&node, memory).into_iter().flatten().filter(within).unzip();
        let found = match children.iter().position(|child| child.h() == 0) {
            None if children.len() > 1 => {
                let chunk = Chunk { roots: &children, bound, cut_nodes: CutNodes::Dropped { any_solution } };
                match expand(expander, &chunk, memory, &mut counter, grown) {
                    Ok(found) => found,
                    Err(Unfinished::Limit(limit)) => return Err(limit),
                    Err(Unfinished::TooMany) => unreachable!("dropped cut nodes have no maximum"),
                }
            }
            goal_or_only => goal_or_only.or(Some(0)),
        };
        let Some(found) = found.filter(|&found| found < children.len()) else {
            unreachable!("a solution was found below the node")
        };
        path.push(steps[found]);
        node = children[found];
    }
    Ok(())
}
