//! A way to expand nodes: what all guides and heuristics have in common, and all that the iterations know of them.

use super::chunk::{Chunk, Grown, Node, Unfinished};
use super::node_counter::NodeCounter;
use crate::board::{Move, State};

/// A way to expand nodes.
pub trait Expander: Sync {
    type Node: Node + 'static;
    /// A thread's memory.
    type Memory: Default + Send + 'static;

    /// How many times the usual memory its lists take.
    const LISTS: usize = 1;

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

/// What is looked for below a node.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target {
    /// The first goal.
    Goal,
    /// The cut node of this number.
    Cut(usize),
}

/// Walks depth-first below a node, as far as the bound, to a target that is there: the moves to it are added to the path, and the
/// node is returned.
pub(super) fn walk_to<E: Expander>(
    expander: &E,
    node: &E::Node,
    bound: u16,
    target: &mut Target,
    memory: &mut E::Memory,
    path: &mut Vec<Move>,
) -> Option<E::Node> {
    for (letter, child) in expander.successors(node, memory).into_iter().flatten() {
        path.push(letter);
        let found = match target {
            Target::Cut(0) if child.f() > bound => Some(child),
            Target::Goal if child.h() == 0 => Some(child),
            Target::Cut(left) if child.f() > bound => {
                *left -= 1;
                None
            }
            _ if child.f() <= bound => walk_to(expander, &child, bound, target, memory, path),
            _ => None,
        };
        if found.is_some() {
            return found;
        }
        path.pop();
    }
    None
}
