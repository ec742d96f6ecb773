//! The size of a search, by a sample of its lists ([`crate::engine::sampling`]).

use super::depth_first::{DepthFirst, End, StackFrame, Workspace};
use super::frontier::{Link, Node, Part};
use super::move_table::MoveTable;
use super::node_counter::NodeCounter;
use crate::board::frame::Space;
use crate::board::{Packed, Solvable};
use crate::engine::sampling::{Grown, Layers, Request, Sampled, sample};
use crate::heuristic::Heuristic;
use crate::system::Limit;

/// A search whose lists are sampled.
struct Sampler<'a, 'b, K, H: Heuristic> {
    search: DepthFirst<'a, K, H>,
    part: Part<K, H::Value>,
    stack: Vec<StackFrame<K, H::Value>>,
    counter: NodeCounter<'b>,
}

/// The most nodes that are cut of some nodes at a time, in memory.
const MAX_NODES: usize = 1 << 20;

/// Nodes that are generated for each that a list holds, about.
const GENERATED_FOR_A_PLACE: f64 = 2.0;

/// Samples the search for a board, whose lists may take so many bytes.
pub(super) fn sample_search<H: Heuristic>(
    heuristic: &H,
    space: &Space,
    start: &Solvable,
    bytes: usize,
    request: &Request<'_>,
) -> Result<Sampled, Limit> {
    if space.shape.cells() <= <u64 as Packed>::MAX_CELLS {
        sample_packed::<u64, H>(heuristic, space, start, bytes, request)
    } else {
        sample_packed::<u128, H>(heuristic, space, start, bytes, request)
    }
}

fn sample_packed<K: Packed, H: Heuristic>(
    heuristic: &H,
    space: &Space,
    start: &Solvable,
    bytes: usize,
    request: &Request<'_>,
) -> Result<Sampled, Limit> {
    let (moves, budget) = (MoveTable::new(space), request.budget.without_nodes());
    let goal = K::of(&space.goal(), space.shape.cells());
    let goal_blank = space.goal_blank.index();
    let search = DepthFirst { heuristic, moves: &moves, goal, goal_blank, max_letters: Link::MAX_LETTERS };
    let root = search.root(start);
    if root.board == goal {
        return Ok(Sampled::of_goal());
    }
    let kept = (bytes / Part::<K, H::Value>::NODE_BYTES) as f64 * GENERATED_FOR_A_PLACE;
    let (first_bound, counter) = (H::plies(root.value), NodeCounter::start(&budget));
    let mut sampler = Sampler { search, part: Part::default(), stack: Vec::new(), counter };
    sample(&mut sampler, root, first_bound, kept, request)
}

impl<K: Packed, H: Heuristic> Layers for Sampler<'_, '_, K, H> {
    type Node = Node<K, H::Value>;

    fn expand(&mut self, nodes: &[Self::Node], bound: u16, next: &mut Vec<Self::Node>) -> Result<Grown, Limit> {
        let Sampler { search, part, stack, counter } = self;
        let before = counter.generated();
        // Nodes that are within the bound although they were cut, because a link holds no more letters, are due at once.
        let (mut due, mut is_solved) = (nodes.to_vec(), false);
        while !due.is_empty() {
            part.clear();
            let mut workspace = Workspace { part: &mut *part, stack: &mut *stack, counter: &mut *counter };
            match search.expand_chunk::<true>(&due, 0, bound, MAX_NODES, &mut workspace) {
                End::Exhausted => {}
                End::Goal(..) => is_solved = true,
                End::Limit(limit) => return Err(limit),
                // So many are not cut of some dozens but on boards where nothing would be told.
                End::Full(_) => return Err(Limit::Memory),
            }
            due.clear();
            for node in &part.nodes {
                let is_due = node.depth + H::plies(node.value) <= bound;
                if is_due { due.push(*node) } else { next.push(*node) }
            }
        }
        Ok(Grown { generated: counter.generated() - before, is_solved })
    }
}
