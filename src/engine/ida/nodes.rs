//! Lists of nodes whose type only the expander knows.
//!
//! The iterations only move nodes and read their depth and h. They do this through [`Nodes`], so
//! their code is compiled once, not once for every type of node. Every call concerns a chunk or a
//! whole list, so the calls cost next to nothing.

use std::any::Any;
use std::ops::Range;

/// A node of the search tree.
pub trait TreeNode: Copy + Send + Sync + 'static {
    /// The memory for frontier lists ([`super::list`]), as a multiple of the bytes of a
    /// [`Scratch`](super::Scratch).
    const LIST_MEMORY_FACTOR: usize = 1;

    /// The size of a node as counted against the memory for frontier lists. It determines where a
    /// list is frozen. So node types that replace each other on different processors have the same
    /// value.
    const BYTES: usize = size_of::<Self>();

    fn depth(&self) -> u16;

    /// Returns h, which is 0 at the goal and nowhere else.
    fn h(&self) -> u16;

    #[inline(always)]
    fn f(&self) -> u16 {
        self.depth() + self.h()
    }
}

/// The depth and h of a node.
#[derive(Clone, Copy, Debug)]
pub struct Costs {
    pub depth: u16,
    pub h: u16,
}

impl TreeNode for Costs {
    fn depth(&self) -> u16 {
        self.depth
    }

    fn h(&self) -> u16 {
        self.h
    }
}

/// A list of nodes of one type.
pub trait Nodes: Any + Send + Sync {
    fn len(&self) -> usize;

    fn capacity(&self) -> usize;

    fn truncate(&mut self, len: usize);

    /// Appends copies of the nodes with these indices to `to`. The first node has the index
    /// `first`.
    fn copy_to(&self, indices: &[u32], first: usize, to: &mut Box<dyn Nodes>);

    /// Appends the costs of all nodes to `costs`.
    fn append_costs(&self, costs: &mut Vec<Costs>);

    /// Returns [`TreeNode::BYTES`].
    fn node_bytes(&self) -> usize;

    /// Returns [`TreeNode::LIST_MEMORY_FACTOR`].
    fn list_memory_factor(&self) -> usize;
}

impl<N: TreeNode> Nodes for Vec<N> {
    fn len(&self) -> usize {
        self.len()
    }

    fn capacity(&self) -> usize {
        self.capacity()
    }

    fn truncate(&mut self, len: usize) {
        self.truncate(len);
    }

    fn copy_to(&self, indices: &[u32], first: usize, to: &mut Box<dyn Nodes>) {
        typed(to).extend(indices.iter().map(|&index| self[index as usize - first]));
    }

    fn append_costs(&self, costs: &mut Vec<Costs>) {
        costs.extend(self.iter().map(|node| Costs { depth: node.depth(), h: node.h() }));
    }

    fn node_bytes(&self) -> usize {
        N::BYTES
    }

    fn list_memory_factor(&self) -> usize {
        N::LIST_MEMORY_FACTOR
    }
}

impl dyn Nodes {
    /// Returns the costs of all nodes.
    pub fn costs(&self) -> Vec<Costs> {
        let mut costs = Vec::new();
        self.append_costs(&mut costs);
        costs
    }

    /// Returns a list that contains only the first node.
    pub fn first(&self) -> Box<dyn Nodes> {
        let mut first = Box::default();
        self.copy_to(&[0], 0, &mut first);
        first
    }
}

/// An empty list. It becomes a list of another type when nodes of that type are added.
impl Default for Box<dyn Nodes> {
    fn default() -> Box<dyn Nodes> {
        Box::new(Vec::<Costs>::new())
    }
}

/// Returns a list as one of this type. If it has another type, an empty list replaces it.
pub fn typed<N: TreeNode>(nodes: &mut Box<dyn Nodes>) -> &mut Vec<N> {
    if !(&**nodes as &dyn Any).is::<Vec<N>>() {
        *nodes = Box::new(Vec::<N>::new());
    }
    let nodes: &mut dyn Any = &mut **nodes;
    nodes.downcast_mut().unwrap_or_else(|| unreachable!("the list has this type now"))
}

/// Consecutive nodes of a list.
#[derive(Clone)]
pub struct NodeSlice<'a> {
    pub nodes: &'a dyn Nodes,
    pub range: Range<usize>,
}

impl<'a> NodeSlice<'a> {
    /// Returns all nodes of a list.
    pub fn all(nodes: &'a dyn Nodes) -> NodeSlice<'a> {
        NodeSlice { nodes, range: 0..nodes.len() }
    }

    pub fn halves(self) -> [NodeSlice<'a>; 2] {
        let NodeSlice { nodes, range: Range { start, end } } = self;
        let middle = start + (end - start) / 2;
        [start..middle, middle..end].map(|range| NodeSlice { nodes, range })
    }

    /// Returns the nodes, which must have this type.
    pub fn typed<N: TreeNode>(&self) -> &'a [N] {
        let nodes: Option<&Vec<N>> = (self.nodes as &dyn Any).downcast_ref();
        &nodes.unwrap_or_else(|| unreachable!("all lists of a search have one type"))[self.range.clone()]
    }
}
