//! The frontier list: the nodes that an iteration cut, which are the roots of the next iteration.
//! They are searched in depth-first order or, if any shortest path will do, deepest first.
//!
//! To reconstruct paths, the search keeps, for each node of each list so far, the number of its
//! descendants in the next list. These counts give the index of every ancestor. The moves between
//! two consecutive ancestors are found by a search when a path is needed, once per board.
//!
//! Lists stay in the segments that the threads produced. A list is the largest data structure of a
//! search, and joining the segments would be the only work that one thread must do alone.

use std::any::TypeId;
use std::borrow::Cow;
use std::ops::Range;

use super::expander::{CHUNK, DynExpander, ExpansionResult, ThreadMemory};
use super::frozen::FrozenList;
use super::nodes::{Costs, NodeSlice, Nodes};
use crate::board::Move;

/// Nodes in depth-first order, divided into chunks.
#[derive(Default)]
pub struct List {
    /// Segments, each with the index of its first node.
    segments: Vec<(usize, Box<dyn Nodes>)>,
    nodes: usize,
    /// The order in which nodes are taken, if it differs from the order in which they were added.
    order: Vec<u32>,
}

impl List {
    fn add(&mut self, nodes: Box<dyn Nodes>) {
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
    pub(super) fn chunk<'a>(&'a self, number: usize, gathered: &'a mut Box<dyn Nodes>) -> NodeSlice<'a> {
        let (at, to) = (number * CHUNK, self.nodes.min((number + 1) * CHUNK));
        if self.order.is_empty()
            && let (start, nodes) = &self.segments[self.segment(at)]
            && to <= start + nodes.len()
        {
            return NodeSlice { nodes: &**nodes, range: at - start..to - start };
        }
        gathered.truncate(0);
        self.copy_to(at..to, gathered);
        NodeSlice::all(&**gathered)
    }

    /// Appends copies of the nodes at these places to `to`, in the order in which nodes are taken.
    fn copy_to(&self, places: Range<usize>, to: &mut Box<dyn Nodes>) {
        let numbers: Cow<[u32]> = if self.order.is_empty() {
            places.map(|place| place as u32).collect()
        } else {
            Cow::Borrowed(&self.order[places])
        };
        let mut rest = &numbers[..];
        while let Some(&first) = rest.first() {
            let (start, nodes) = &self.segments[self.segment(first as usize)];
            let segment = *start as u32..(start + nodes.len()) as u32;
            let (in_segment, later) = rest.split_at(rest.iter().take_while(|number| segment.contains(number)).count());
            nodes.copy_to(in_segment, *start, to);
            rest = later;
        }
    }

    fn segment(&self, place: usize) -> usize {
        self.segments.partition_point(|(start, _)| *start <= place).saturating_sub(1)
    }

    /// Sorts the nodes by depth, deepest first, with a counting sort. The deepest nodes have the
    /// smallest h, because all nodes have the same f. Nodes of equal depth keep their order.
    pub(super) fn sort_deepest_first(&mut self, buffer: Vec<u32>, costs: &mut Vec<Costs>) {
        costs.clear();
        for (_, nodes) in &self.segments {
            nodes.append_costs(costs);
        }
        let place_of = |costs: &Costs| usize::from(costs.depth).min(255);
        let mut places = [0u32; 256];
        for costs in costs.iter() {
            places[place_of(costs)] += 1;
        }
        let mut begin = 0;
        for place in places.iter_mut().rev() {
            begin += std::mem::replace(place, begin);
        }
        let mut order = buffer;
        order.resize(self.nodes, 0);
        for (number, costs) in (0..).zip(costs.iter()) {
            let place = &mut places[place_of(costs)];
            order[*place as usize] = number;
            *place += 1;
        }
        self.order = order;
    }
}

/// What is kept of an earlier list.
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
#[derive(Default)]
pub struct Lists {
    /// The type of the lists of nodes.
    node_type: Option<TypeId>,
    pub(super) list: List,
    /// If the list is frozen: the chunk of the previous list at which memory ran out.
    full: Option<usize>,
    generations: Vec<Generation>,
    /// The unused buffers of earlier lists.
    spare_nodes: Vec<Box<dyn Nodes>>,
    spare_numbers: Vec<Vec<u32>>,
    /// A buffer for sorting a list.
    costs: Vec<Costs>,
    pub(super) memory: ThreadMemory,
    pub(super) frozen: FrozenList,
}

impl Lists {
    /// Returns the maximum number of nodes like `root` that may be generated for lists of at most
    /// `bytes`.
    pub(super) fn max_generated(root: &dyn Nodes, bytes: usize) -> u64 {
        ((bytes / (root.node_bytes() + size_of::<u32>())).clamp(1, 1 << 29)) as u64
    }

    /// Starts with a list of one node. Keeps buffers for at most `max_nodes` nodes, all of the same
    /// type.
    pub(super) fn begin(&mut self, root: &dyn Nodes, max_nodes: usize) {
        let node_type = Some(root.type_id());
        if self.node_type != node_type {
            *self = Lists { node_type, ..Lists::default() };
        }
        for Generation { cut_counts, order, .. } in self.generations.drain(..) {
            self.spare_numbers.extend(cut_counts);
            self.spare_numbers.push(order);
        }
        let List { segments, order, .. } = std::mem::take(&mut self.list);
        self.spare_nodes.extend(segments.into_iter().map(|(_, nodes)| nodes));
        self.spare_numbers.push(order);
        keep_capacity(&mut self.spare_nodes, |nodes| nodes.capacity(), max_nodes);
        keep_capacity(&mut self.spare_numbers, Vec::capacity, max_nodes);
        let mut start = self.new_part().nodes;
        root.copy_to(&[0], 0, &mut start);
        self.list.add(start);
        self.full = None;
    }

    /// Creates an empty part of the next list, in unused buffers if there are any.
    pub(super) fn new_part(&mut self) -> ExpansionResult {
        let (mut nodes, mut cut_counts) =
            (self.spare_nodes.pop().unwrap_or_default(), self.spare_numbers.pop().unwrap_or_default());
        nodes.truncate(0);
        cut_counts.clear();
        ExpansionResult { nodes, cut_counts, ..ExpansionResult::default() }
    }

    /// Replaces the list, which was expanded to `bound`, by the nodes that it produced. If memory
    /// ran out at chunk `full` of the list, freezes all nodes still to be searched: first the new
    /// list, then the rest of the old one.
    pub(super) fn advance(&mut self, bound: u16, parts: Vec<ExpansionResult>, any_solution: bool, full: Option<usize>) {
        let (mut next, mut cut_counts) = (List::default(), Vec::new());
        for part in parts {
            next.add(part.nodes);
            cut_counts.push(part.cut_counts);
        }
        if any_solution {
            next.sort_deepest_first(self.spare_numbers.pop().unwrap_or_default(), &mut self.costs);
        }
        let previous = std::mem::replace(&mut self.list, next);
        self.full = full;
        if let Some(full) = full {
            self.frozen.begin(any_solution, |nodes| {
                self.list.copy_to(0..self.list.len(), nodes);
                previous.copy_to(full * CHUNK..previous.len(), nodes);
            });
        }
        self.generations.push(Generation { bound, cut_counts, order: previous.order });
        self.spare_nodes.extend(previous.segments.into_iter().map(|(_, nodes)| nodes));
    }

    /// Returns the path from the root to the node with this index in the current or the frozen
    /// list, and that node.
    pub(super) fn path_to(
        &mut self,
        expander: &dyn DynExpander,
        root: &dyn Nodes,
        index: usize,
    ) -> (Vec<Move>, Box<dyn Nodes>) {
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
        let (mut path, mut node) = (Vec::new(), root.first());
        for (bound, number) in steps.into_iter().rev() {
            expander.descend(&mut node, bound, number, &mut self.memory.expander, &mut path);
        }
        (path, node)
    }
}

/// Keeps buffers with a total capacity of at most `max_items` items.
fn keep_capacity<T>(buffers: &mut Vec<T>, capacity: impl Fn(&T) -> usize, max_items: usize) {
    let mut items = 0;
    buffers.retain(|buffer| {
        items += capacity(buffer);
        items <= max_items
    });
}
