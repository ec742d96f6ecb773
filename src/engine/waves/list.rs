//! The frontier list: nodes in depth-first order, in the pieces in which threads brought them.
//!
//! Pieces are not put together: a list is the largest thing that a search has, and copying it would be
//! the one thing that only one thread can do.

use super::expand::CHUNK;
use super::node::ListNode;

/// Nodes in depth-first order, cut into chunks.
#[derive(Clone, Debug)]
pub(super) struct List<N> {
    segments: Vec<Segment<N>>,
    nodes: usize,
}

#[derive(Clone, Debug)]
struct Segment<N> {
    /// Where in the list it begins.
    start: usize,
    /// How much the nodes' steps are ahead of the numbers they have.
    ahead: u32,
    nodes: Vec<N>,
}

impl<N> Default for List<N> {
    fn default() -> List<N> {
        List { segments: Vec::new(), nodes: 0 }
    }
}

impl<N: ListNode> List<N> {
    /// Adds nodes at the end, whose steps are so much ahead of the numbers they have.
    pub(super) fn add(&mut self, nodes: Vec<N>, ahead: u32) {
        let start = self.nodes;
        self.nodes += nodes.len();
        self.segments.push(Segment { start, ahead, nodes });
    }

    pub(super) fn is_empty(&self) -> bool {
        self.nodes == 0
    }

    /// How many chunks there are.
    pub(super) fn chunks(&self) -> usize {
        self.nodes.div_ceil(CHUNK)
    }

    /// The nodes of a chunk, with the true numbers of their steps. Chunks begin where they would if the
    /// list were of one piece, so that nothing depends on who brought what.
    #[inline]
    pub(super) fn chunk<'a>(&'a self, number: usize, gathered: &'a mut Vec<N>) -> &'a [N] {
        let (mut at, to) = (number * CHUNK, self.nodes.min((number + 1) * CHUNK));
        let first = self.segments.partition_point(|segment| segment.start <= at).saturating_sub(1);
        match &self.segments[first..] {
            [only, ..] if only.ahead == 0 && to <= only.start + only.nodes.len() => {
                &only.nodes[at - only.start..to - only.start]
            }
            segments => {
                gathered.clear();
                for Segment { start, ahead, nodes } in segments {
                    let end = to.min(start + nodes.len());
                    gathered.extend(nodes[at - start..end - start].iter().map(|node| node.ahead(*ahead)));
                    at = end;
                    if at == to {
                        break;
                    }
                }
                gathered
            }
        }
    }

    /// Empties it; the memory of its segments.
    pub(super) fn take(&mut self) -> impl Iterator<Item = Vec<N>> + '_ {
        self.nodes = 0;
        self.segments.drain(..).map(|segment| segment.nodes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, PartialEq, Debug)]
    struct Numbered(u32);

    impl ListNode for Numbered {
        fn f(&self) -> u16 {
            0
        }

        fn step(&self) -> u32 {
            self.0
        }

        fn ahead(self, steps: u32) -> Self {
            Numbered(self.0 + steps)
        }
    }

    #[test]
    fn chunks_do_not_depend_on_segments() {
        let mut seed = 5u32;
        for segments in [1, 2, 7, 300] {
            let (mut list, mut all) = (List::default(), 0);
            for number in 0..segments {
                seed = seed.wrapping_mul(1664525).wrapping_add(1013904223);
                let nodes = (seed >> 16) % [700, 40, 3][number % 3];
                // Their own numbers begin at 0, or are true.
                let ahead = if number % 2 == 0 { 0 } else { all };
                list.add((all - ahead..all - ahead + nodes).map(Numbered).collect(), ahead);
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
