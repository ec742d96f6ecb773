//! The depth-first order of nodes that were made wave by wave.
//!
//! Two passes over the nodes: from the last to the first, how many chosen nodes are at or below each; from the
//! first to the last, where in the order they begin.

/// The parents of a chunk's nodes, and the depth-first order of some of these.
#[derive(Clone, Debug, Default)]
pub(super) struct Ancestry {
    /// Of each node but the roots, its parent's place.
    pub(super) parents: Vec<u32>,
    /// Chosen nodes at or below each node; then, where in the order those begin.
    places: Vec<u32>,
    /// The chosen nodes in depth-first order.
    order: Vec<u32>,
}

impl Ancestry {
    /// The chosen nodes, none of them a root, in depth-first order; nodes stand after their parents,
    /// and those of one parent in the order of their letters.
    #[inline(always)]
    pub(super) fn depth_first(&mut self, roots: usize, chosen: impl Fn(usize) -> bool) -> &[u32] {
        let Ancestry { parents, places, order } = self;
        let nodes = roots + parents.len();
        places.clear();
        places.resize(nodes, 0);
        // Loops, here and where the order is used: what iterators do within may be compiled elsewhere, and for any processor.
        for (place, node) in places[roots..].iter_mut().zip(roots..) {
            *place = u32::from(chosen(node));
        }
        for node in (roots..nodes).rev() {
            places[parents[node - roots] as usize] += places[node];
        }
        let mut begin = 0;
        for place in &mut places[..roots] {
            begin += std::mem::replace(place, begin);
        }
        order.clear();
        // One more, for nodes that were not chosen to be written to.
        order.resize(begin as usize + 1, 0);
        for node in roots..nodes {
            // Where the parent's next descendants begin: here those of this node.
            let (parent, descendants) = (parents[node - roots] as usize, places[node]);
            let place = places[parent];
            places[parent] = place + descendants;
            places[node] = place;
            order[if chosen(node) { place } else { begin } as usize] = node as u32;
        }
        &order[..begin as usize]
    }
}
