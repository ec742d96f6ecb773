//! The frontier list: nodes in depth-first order, in the segments that threads made.
//!
//! Segments are not copied together: a list is the largest thing that a search has, and copying it would be
//! the only work that one thread must do alone.

use super::chunk::CHUNK;
use super::node::ListNode;

/// No search over databases of patterns comes deeper in practice; nodes that do are sorted as if they were here.
const MAX_DEPTH: usize = 255;

/// Nodes in depth-first order, cut into chunks.
#[derive(Clone, Debug)]
pub(super) struct FrontierList<N> {
    segments: Vec<Segment<N>>,
    nodes: usize,
    /// The order in which nodes are taken, where that is not the one in which they were added.
    order: Vec<u32>,
}

#[derive(Clone, Debug)]
struct Segment<N> {
    /// Where in the list it begins.
    start: usize,
    /// To be added to the steps that the nodes have.
    step_offset: u32,
    nodes: Vec<N>,
}

impl<N> Default for FrontierList<N> {
    fn default() -> FrontierList<N> {
        FrontierList { segments: Vec::new(), nodes: 0, order: Vec::new() }
    }
}

impl<N: ListNode> FrontierList<N> {
    /// Adds nodes at the end; `step_offset` must be added to the steps they have.
    pub(super) fn add(&mut self, nodes: Vec<N>, step_offset: u32) {
        let start = self.nodes;
        self.nodes += nodes.len();
        self.segments.push(Segment { start, step_offset, nodes });
    }

    pub(super) fn is_empty(&self) -> bool {
        self.nodes == 0
    }

    /// How many chunks there are.
    pub(super) fn chunks(&self) -> usize {
        self.nodes.div_ceil(CHUNK)
    }

    /// The nodes of a chunk, with the true numbers of their steps. Chunks begin where they would if the
    /// list were a single segment, so that nothing depends on which thread made what.
    #[inline]
    pub(super) fn chunk<'a>(&'a self, number: usize, gathered: &'a mut Vec<N>) -> &'a [N] {
        let (mut at, to) = (number * CHUNK, self.nodes.min((number + 1) * CHUNK));
        if !self.order.is_empty() {
            gathered.clear();
            gathered.extend(self.order[at..to].iter().map(|&place| self.node(place as usize)));
            return gathered;
        }
        let first = self.segments.partition_point(|segment| segment.start <= at).saturating_sub(1);
        match &self.segments[first..] {
            [only, ..] if only.step_offset == 0 && to <= only.start + only.nodes.len() => {
                &only.nodes[at - only.start..to - only.start]
            }
            segments => {
                gathered.clear();
                for Segment { start, step_offset, nodes } in segments {
                    let end = to.min(start + nodes.len());
                    gathered
                        .extend(nodes[at - start..end - start].iter().map(|node| node.with_step_offset(*step_offset)));
                    at = end;
                    if at == to {
                        break;
                    }
                }
                gathered
            }
        }
    }

    /// The node at a place, with the true number of its step.
    #[inline]
    fn node(&self, place: usize) -> N {
        let segment = match &self.segments[..] {
            [only] => only,
            segments => &segments[segments.partition_point(|segment| segment.start <= place) - 1],
        };
        segment.nodes[place - segment.start].with_step_offset(segment.step_offset)
    }

    /// Puts the deepest nodes first: of nodes with the same f those that have the least to go. Nodes of one depth stay in order.
    /// The order is written to `memory`, which comes back from [`FrontierList::take_order`].
    pub(super) fn sort_deepest_first(&mut self, memory: Vec<u32>) {
        let nodes = || self.segments.iter().flat_map(|segment| &segment.nodes);
        let mut places = [0u32; MAX_DEPTH + 1];
        for node in nodes() {
            places[usize::from(node.depth()).min(MAX_DEPTH)] += 1;
        }
        let mut begin = 0;
        for place in places.iter_mut().rev() {
            begin += std::mem::replace(place, begin);
        }
        let mut order = memory;
        order.resize(self.nodes, 0);
        for (number, node) in (0..).zip(nodes()) {
            let place = &mut places[usize::from(node.depth()).min(MAX_DEPTH)];
            order[*place as usize] = number;
            *place += 1;
        }
        self.order = order;
    }

    /// Takes the order away, so that the nodes are again taken as they were added.
    pub(super) fn take_order(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.order)
    }

    /// Empties it; the memory of its segments.
    pub(super) fn take(&mut self) -> impl Iterator<Item = Vec<N>> + '_ {
        self.nodes = 0;
        self.order.clear();
        self.segments.drain(..).map(|segment| segment.nodes)
    }
}

/// The nodes of a list from a chunk on, all of the same f.
pub(super) struct Section<N> {
    pub(super) list: FrontierList<N>,
    /// The first chunk.
    pub(super) from: usize,
    pub(super) f: u16,
}

impl<N: ListNode> Section<N> {
    pub(super) fn chunks(&self) -> usize {
        self.list.chunks() - self.from
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::Random;

    #[derive(Clone, Copy, PartialEq, Debug)]
    struct Numbered(u32);

    impl ListNode for Numbered {
        fn f(&self) -> u16 {
            0
        }

        fn step(&self) -> u32 {
            self.0
        }

        fn depth(&self) -> u16 {
            0
        }

        fn with_step_offset(self, offset: u32) -> Self {
            Numbered(self.0 + offset)
        }
    }

    #[test]
    fn chunks_do_not_depend_on_segments() {
        let mut random = Random::new(5);
        for segments in [1, 2, 7, 300] {
            let (mut list, mut all) = (FrontierList::default(), 0);
            for number in 0..segments {
                let nodes = random.index([700, 40, 3][number % 3]) as u32;
                // Their steps begin at 0, or are the true ones.
                let offset = if number % 2 == 0 { 0 } else { all };
                list.add((all - offset..all - offset + nodes).map(Numbered).collect(), offset);
                all += nodes;
            }
            let (mut seen, mut gathered) = (0, Vec::new());
            for number in 0..list.chunks() {
                let chunk = list.chunk(number, &mut gathered);
                assert!(chunk.len() == CHUNK || number + 1 == list.chunks());
                for node in chunk {
                    assert_eq!(*node, Numbered(seen));
                    seen += 1;
                }
            }
            assert_eq!((seen, list.is_empty()), (all, all == 0));
            assert_eq!(list.take().count(), segments);
            assert!(list.is_empty());
        }
    }
}
