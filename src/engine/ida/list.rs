//! The frontier list: the nodes that an iteration cut, which are the roots of the next iteration.
//! They are searched in depth-first order or, if any shortest path will do, deepest first.
//!
//! To reconstruct paths, the search keeps, for each node of each list so far, the number of its
//! descendants in the next list. These counts give the index of every ancestor. The moves between
//! two consecutive ancestors are found by a search when a path is needed, once per board.
//!
//! Lists stay in the segments that the threads produced. A list is the largest data structure of a
//! search, and joining the segments would be the only work that one thread must do alone.

use super::expander::{CHUNK, Expander, ExpansionResult, ThreadMemory, TreeNode};
use super::frozen::FrozenList;
use crate::board::Move;

/// Nodes in depth-first order, divided into chunks.
#[derive(Clone, Debug)]
pub struct List<N> {
    /// Segments, each with the index of its first node.
    segments: Vec<(usize, Vec<N>)>,
    nodes: usize,
    /// The order in which nodes are taken, if it differs from the order in which they were added.
    order: Vec<u32>,
}

impl<N> Default for List<N> {
    fn default() -> List<N> {
        List { segments: Vec::new(), nodes: 0, order: Vec::new() }
    }
}

impl<N: TreeNode> List<N> {
    fn add(&mut self, nodes: Vec<N>) {
        let start = self.nodes;
        self.nodes += nodes.len();
        self.segments.push((start, nodes));
    }

    pub(super) fn len(&self) -> usize {
        self.nodes
    }

    pub(super) fn chunks(&self) -> usize {
        self.nodes.div_ceil(CHUNK)
    }

    /// Returns the nodes of a chunk, from `gathered` if they had to be copied. Chunk boundaries
    /// ignore segments, so nothing depends on which thread produced which segment.
    pub(super) fn chunk<'a>(&'a self, number: usize, gathered: &'a mut Vec<N>) -> &'a [N] {
        let (at, to) = (number * CHUNK, self.nodes.min((number + 1) * CHUNK));
        if self.order.is_empty()
            && let (start, nodes) = &self.segments[self.segment(at)]
            && to <= start + nodes.len()
        {
            return &nodes[at - start..to - start];
        }
        gathered.clear();
        gathered.extend((at..to).map(|place| {
            let place = self.order.get(place).map_or(place, |&place| place as usize);
            let (start, nodes) = &self.segments[self.segment(place)];
            nodes[place - start]
        }));
        gathered
    }

    fn segment(&self, place: usize) -> usize {
        self.segments.partition_point(|(start, _)| *start <= place).saturating_sub(1)
    }

    /// Sorts the nodes by depth, deepest first, with a counting sort. The deepest nodes have the
    /// smallest h, because all nodes have the same f. Nodes of equal depth keep their order.
    pub(super) fn sort_deepest_first(&mut self, buffer: Vec<u32>) {
        let nodes = || self.segments.iter().flat_map(|(_, nodes)| nodes);
        let mut places = [0u32; 256];
        for node in nodes() {
            places[usize::from(node.depth()).min(255)] += 1;
        }
        let mut begin = 0;
        for place in places.iter_mut().rev() {
            begin += std::mem::replace(place, begin);
        }
        let mut order = buffer;
        order.resize(self.nodes, 0);
        for (number, node) in (0..).zip(nodes()) {
            let place = &mut places[usize::from(node.depth()).min(255)];
            order[*place as usize] = number;
            *place += 1;
        }
        self.order = order;
    }
}

/// What is kept of an earlier list.
#[derive(Clone, Debug)]
struct Generation {
    /// The bound to which the list's nodes were expanded.
    bound: u16,
    /// By node, in the order in which the nodes were taken: the number of its descendants in the
    /// next list. There is one vector for each segment of the next list.
    cut_counts: Vec<Vec<u32>>,
    /// The [order](List::order) of the list.
    order: Vec<u32>,
}

/// A worker's lists, reused from board to board.
pub struct Lists<E: Expander> {
    pub(super) list: List<E::Node>,
    /// If the list is frozen: the chunk of the previous list at which memory ran out.
    full: Option<usize>,
    generations: Vec<Generation>,
    /// The unused buffers of earlier lists.
    spare_nodes: Vec<Vec<E::Node>>,
    spare_numbers: Vec<Vec<u32>>,
    pub(super) memory: ThreadMemory<E>,
    pub(super) frozen: FrozenList<E::Node>,
}

impl<E: Expander> Default for Lists<E> {
    fn default() -> Self {
        Lists {
            list: List::default(),
            full: None,
            generations: Vec::new(),
            spare_nodes: Vec::new(),
            spare_numbers: Vec::new(),
            memory: ThreadMemory::default(),
            frozen: FrozenList::default(),
        }
    }
}

impl<E: Expander> Lists<E> {
    /// Returns the maximum number of nodes that may be generated for lists of at most `bytes`.
    pub(super) fn max_generated(bytes: usize) -> u64 {
        ((bytes / (E::Node::BYTES + size_of::<u32>())).clamp(1, 1 << 29)) as u64
    }

    /// Starts with a list of one node. Keeps buffers for at most `max_nodes` nodes.
    pub(super) fn begin(&mut self, root: E::Node, max_nodes: usize) {
        for Generation { cut_counts, order, .. } in self.generations.drain(..) {
            self.spare_numbers.extend(cut_counts);
            self.spare_numbers.push(order);
        }
        let List { segments, order, .. } = std::mem::take(&mut self.list);
        self.spare_nodes.extend(segments.into_iter().map(|(_, nodes)| nodes));
        self.spare_numbers.push(order);
        keep_capacity(&mut self.spare_nodes, max_nodes);
        keep_capacity(&mut self.spare_numbers, max_nodes);
        let mut start = self.new_part().nodes;
        start.push(root);
        self.list.add(start);
        self.full = None;
    }

    /// Creates an empty part of the next list, in unused buffers if there are any.
    pub(super) fn new_part(&mut self) -> ExpansionResult<E::Node> {
        let (mut nodes, mut cut_counts) =
            (self.spare_nodes.pop().unwrap_or_default(), self.spare_numbers.pop().unwrap_or_default());
        nodes.clear();
        cut_counts.clear();
        ExpansionResult { nodes, cut_counts, ..ExpansionResult::default() }
    }

    /// Replaces the list, which was expanded to `bound`, by the nodes that it produced. If memory
    /// ran out at chunk `full` of the list, freezes all nodes still to be searched: first the new
    /// list, then the rest of the old one.
    pub(super) fn advance(
        &mut self,
        bound: u16,
        parts: Vec<ExpansionResult<E::Node>>,
        any_solution: bool,
        full: Option<usize>,
    ) {
        let (mut next, mut cut_counts) = (List::default(), Vec::new());
        for part in parts {
            next.add(part.nodes);
            cut_counts.push(part.cut_counts);
        }
        if any_solution {
            next.sort_deepest_first(self.spare_numbers.pop().unwrap_or_default());
        }
        let previous = std::mem::replace(&mut self.list, next);
        self.full = full;
        if let Some(full) = full {
            self.frozen.begin(any_solution);
            for (list, from) in [(&self.list, 0), (&previous, full)] {
                for number in from..list.chunks() {
                    self.frozen.extend(list.chunk(number, &mut self.memory.gathered));
                }
            }
        }
        self.generations.push(Generation { bound, cut_counts, order: previous.order });
        self.spare_nodes.extend(previous.segments.into_iter().map(|(_, nodes)| nodes));
    }

    /// Returns the path from the root to the node with this index in the current or the frozen
    /// list, and that node.
    pub(super) fn path_to(&mut self, expander: &E, root: E::Node, index: usize) -> (Vec<Move>, E::Node) {
        let mut generations = &self.generations[..];
        // The index of the node in the order in which nodes were added.
        let mut at = self.list.order.get(index).map_or(index, |&added| added as usize);
        if let Some(full) = self.full
            && index >= self.list.len()
            && let Some((last, before)) = generations.split_last()
        {
            // The node is in the rest of the previous list.
            at = full * CHUNK + index - self.list.len();
            at = last.order.get(at).map_or(at, |&added| added as usize);
            generations = before;
        }
        let mut steps = Vec::new();
        for Generation { bound, cut_counts, order } in generations.iter().rev() {
            let parent = cut_counts.iter().flatten().position(|&count| match at.checked_sub(count as usize) {
                Some(rest) => {
                    at = rest;
                    false
                }
                None => true,
            });
            let Some(parent) = parent else { unreachable!("every node has a parent") };
            steps.push((*bound, at));
            at = order.get(parent).map_or(parent, |&added| added as usize);
        }
        let (mut path, mut node) = (Vec::new(), root);
        for (bound, mut number) in steps.into_iter().rev() {
            let found = walk_to(expander, &node, bound, &mut number, &mut self.memory.expander, &mut path);
            let Some(found) = found else { unreachable!("a cut node is found again") };
            node = found;
        }
        (path, node)
    }
}

/// Keeps buffers with a total capacity of at most `max_items` items.
fn keep_capacity<T>(buffers: &mut Vec<Vec<T>>, max_items: usize) {
    let mut items = 0;
    buffers.retain(|buffer| {
        items += buffer.capacity();
        items <= max_items
    });
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
