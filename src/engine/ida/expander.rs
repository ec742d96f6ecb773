//! A way to expand nodes: what all guides and heuristics have in common, and all that the iterations know of them.

use super::chunk::{Chunk, CutNodes, Grown, Node, Unfinished};
use super::node_counter::NodeCounter;
use crate::board::{Move, State};
use crate::system::{Budget, Limit};

/// A way to expand nodes.
pub trait Expander: Sync {
    type Node: Node + 'static;
    /// A thread's memory.
    type Memory: Default + Send + 'static;

    /// How many times the usual memory its lists take.
    const LISTS: usize = 1;

    /// What a node counts against the memory for lists, in bytes. Where a list is frozen follows from it, so expanders that stand in
    /// for each other on different processors count the same.
    const NODE_BYTES: usize = size_of::<Self::Node>();

    /// The node of a state.
    fn root(&self, state: &State) -> Self::Node;

    /// Expands a chunk: a function of its arguments, so that chunks can be expanded in any order, by any thread. The first
    /// root, in order, with a solution below it; where any will do, one of them.
    fn expand(
        &self,
        chunk: &Chunk<Self::Node>,
        memory: &mut Self::Memory,
        counter: &mut NodeCounter,
        grown: &mut Grown<Self::Node>,
    ) -> Result<Option<usize>, Unfinished>;

    /// The nodes that a node's moves lead to, smallest letter first.
    fn successors(&self, node: &Self::Node, memory: &mut Self::Memory) -> Successors<Self::Node>;
}

/// Up to four nodes, each with the move that leads to it.
pub type Successors<N> = [Option<(Move, N)>; 4];

/// The memory of one of the threads that work on a board.
pub struct ThreadMemory<E: Expander> {
    pub(super) expander: E::Memory,
    pub(super) gathered: Vec<E::Node>,
    pub(super) grown: Grown<E::Node>,
    /// Nodes that the thread has generated since it last looked at the budget.
    pub(super) since_poll: u64,
}

impl<E: Expander> Default for ThreadMemory<E> {
    fn default() -> Self {
        ThreadMemory { expander: E::Memory::default(), gathered: Vec::new(), grown: Grown::default(), since_poll: 0 }
    }
}

/// Expands a chunk into what grew from others. What it adds is taken back if it is not finished.
///
/// A budget that a chunk exceeds is spent to its end. It is asked afterwards, so that where a list is frozen, and with it
/// what a search needs, does not depend on the budget.
pub(super) fn expand<E: Expander>(
    expander: &E,
    chunk: &Chunk<E::Node>,
    memory: &mut E::Memory,
    counter: &mut NodeCounter,
    grown: &mut Grown<E::Node>,
) -> Result<Option<usize>, Unfinished> {
    let (nodes, roots, before) = (grown.nodes.len(), grown.children.len(), grown.stats);
    let end = expander.expand(chunk, memory, counter, grown).and_then(|goal| {
        let spent = grown.stats.since(&before);
        if spent.generated > counter.left() {
            return Err(Unfinished::Limit(counter.spend_all()));
        }
        counter.add(&spent);
        Ok(goal)
    });
    if end.is_err() {
        grown.nodes.truncate(nodes);
        grown.children.truncate(roots);
        grown.stats = before;
    }
    end
}

/// Walks depth-first below a node, as far as the bound, to the cut node of this number: the moves to it are added to the path, and
/// the node is returned.
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

/// Follows a solution below a node, which has one within the bound: of the children that have one the first, or with `any` some, again
/// and again. The moves are added to the path. What is expanded is about twice what the search for the solution expanded
/// below the node, because the children's trees become smaller by half or more with every move; it is not counted.
pub(super) fn follow_solution<E: Expander>(
    expander: &E,
    node: &E::Node,
    (bound, any): (u16, bool),
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
                let chunk = Chunk { roots: &children, bound, cut_nodes: CutNodes::Dropped { any } };
                match expand(expander, &chunk, memory, &mut counter, grown) {
                    Ok(found) => found,
                    Err(Unfinished::Limit(limit)) => return Err(limit),
                    Err(Unfinished::TooMany) => unreachable!("nothing is kept but a stack"),
                }
            }
            goal_or_only => goal_or_only.or(Some(0)),
        };
        let Some(found) = found.filter(|&found| found < children.len()) else {
            unreachable!("a solution was seen below the node")
        };
        path.push(steps[found]);
        node = children[found];
    }
    Ok(())
}
