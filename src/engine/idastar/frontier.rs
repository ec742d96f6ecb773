//! The frontier list: the cut nodes of one iteration, in depth-first order, are the next one's roots.
//!
//! A node holds its state and depth but not its path. That is in the links, one a node of every list
//! so far: the node it grew from and the moves between, so that a path is read off by walking back.
//! A list and its links come in parts, one for each chunk of roots; joining parts is appending them.

use crate::board::{Move, Path};

/// A state the search has reached and not gone beyond.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<K, V> {
    pub(super) board: K,
    pub(super) value: V,
    pub(super) depth: u16,
    pub(super) blank: u8,
    /// The letter of the move that led here, or [`Node::START`].
    pub(super) last: u8,
}

impl<K, V> Node<K, V> {
    /// No move led here.
    pub(super) const START: u8 = 4;
}

/// How a node of a list was reached: the link of the node it grew from, and the letters since then,
/// two bits each with the first highest, below a bit that marks where they begin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    parent: u32,
    letters: u64,
}

impl Link {
    /// The most letters between a node and the one it grew from.
    pub(super) const MAX_LETTERS: usize = 31;
    /// No letters.
    pub(super) const EMPTY: u64 = 1;

    /// The letters with one more at the end. Too many push the first ones out.
    #[inline(always)]
    pub(super) fn push(letters: u64, letter: u8) -> u64 {
        letters << 2 | u64::from(letter & 3)
    }

    /// The last of some letters.
    #[inline(always)]
    pub(super) fn last(letters: u64) -> u8 {
        letters as u8 & 3
    }
}

/// The part of the next list that grew from a chunk of roots.
#[derive(Clone, Debug)]
pub(super) struct Part<K, V> {
    pub(super) nodes: Vec<Node<K, V>>,
    pub(super) links: Vec<Link>,
    /// The smallest f of a node that was cut: what the next bound must reach.
    pub(super) next_bound: u16,
}

impl<K: Copy, V: Copy> Part<K, V> {
    /// Bytes for one node of a list while it is made: its link is copied once, when parts are joined.
    pub(super) const NODE_BYTES: usize = size_of::<Node<K, V>>() + 2 * size_of::<Link>();

    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.links.clear();
        self.next_bound = u16::MAX;
    }

    /// Adds a node of the given f; `false` and nothing done when there are `max_nodes` nodes already.
    #[inline(always)]
    pub(super) fn push(&mut self, node: Node<K, V>, f: u16, parent: u32, letters: u64, max_nodes: usize) -> bool {
        let len = self.nodes.len();
        if len >= max_nodes {
            return false;
        }
        if len == self.nodes.capacity() || len == self.links.capacity() {
            self.grow(max_nodes);
        }
        self.nodes.push(node);
        self.links.push(Link { parent, letters });
        self.next_bound = self.next_bound.min(f);
        true
    }

    /// Doubles the memory, but not beyond `max_nodes`.
    #[cold]
    fn grow(&mut self, max_nodes: usize) {
        let more = self.nodes.len().max(256).min(max_nodes - self.nodes.len());
        self.nodes.reserve_exact(more);
        self.links.reserve_exact(more);
    }

    /// Adds what grew from later roots. Both parts name the roots by links that the list before them
    /// already has, so nothing in them depends on where they begin.
    pub(super) fn append(&mut self, later: &Part<K, V>) {
        self.nodes.extend_from_slice(&later.nodes);
        self.links.extend_from_slice(&later.links);
        self.next_bound = self.next_bound.min(later.next_bound);
    }

    /// Forgets what was added after there were `len` nodes and the smallest f was `next_bound`.
    pub(super) fn truncate(&mut self, len: usize, next_bound: u16) {
        self.nodes.truncate(len);
        self.links.truncate(len);
        self.next_bound = next_bound;
    }
}

impl<K, V> Default for Part<K, V> {
    fn default() -> Part<K, V> {
        Part { nodes: Vec::new(), links: Vec::new(), next_bound: u16::MAX }
    }
}

/// The current list, and the links of all lists so far.
#[derive(Clone, Debug)]
pub(super) struct Frontier<K, V> {
    pub(super) nodes: Vec<Node<K, V>>,
    /// Link of the list's first node; the others follow it.
    pub(super) first: u32,
    links: Vec<Link>,
}

impl<K: Copy, V: Copy> Frontier<K, V> {
    /// A list of one node.
    pub(super) fn begin(&mut self, start: Node<K, V>) {
        self.nodes.clear();
        self.nodes.push(start);
        self.links.clear();
        self.links.push(Link { parent: 0, letters: Link::EMPTY });
        self.first = 0;
    }

    /// How many nodes the next list can have if everything together is to fit in `bytes`.
    pub(super) fn max_nodes(&self, bytes: usize) -> usize {
        let used = size_of_val(&*self.nodes) + size_of_val(&*self.links);
        let links = (u32::MAX as usize).saturating_sub(self.links.len());
        (bytes.saturating_sub(used) / Part::<K, V>::NODE_BYTES).min(links)
    }

    /// Replaces the list's first `expanded` nodes by the part that grew from them; those after them
    /// stay, with new links. The part is left empty, with the old list's memory.
    pub(super) fn advance(&mut self, expanded: usize, part: &mut Part<K, V>) {
        for (index, &node) in self.nodes.iter().enumerate().skip(expanded) {
            part.nodes.push(node);
            part.links.push(Link { parent: self.first + index as u32, letters: Link::EMPTY });
        }
        self.first = self.links.len() as u32;
        self.links.reserve_exact(part.links.len());
        self.links.append(&mut part.links);
        std::mem::swap(&mut self.nodes, &mut part.nodes);
        part.clear();
    }

    /// The path to the node of this link.
    pub(super) fn path_to(&self, link: u32) -> Path {
        let (mut path, mut at) = (Path::new(), link);
        loop {
            let Link { parent, mut letters } = self.links[at as usize];
            while letters != Link::EMPTY {
                path.push(Move::from_index(Link::last(letters)));
                letters >>= 2;
            }
            if at == 0 {
                path.reverse();
                return path;
            }
            at = parent;
        }
    }
}

impl<K, V> Default for Frontier<K, V> {
    fn default() -> Frontier<K, V> {
        Frontier { nodes: Vec::new(), first: 0, links: Vec::new() }
    }
}
