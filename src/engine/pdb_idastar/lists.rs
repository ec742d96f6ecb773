//! The memory of a search, kept from board to board: the owner's lists and steps, and each thread's own.

use super::chunk::Part;
use super::expand::Expand;
use super::frontier_list::{FrontierList, Section};
use super::node::ListNode;
#[cfg(test)]
use super::trace::PathEnd;
use super::trace::{Archive, Trace};
use crate::system::Checksum;

/// A worker's memory, kept from board to board.
pub(super) struct Lists<E: Expand> {
    pub(super) scratch: ThreadScratch<E>,
    pub(super) archive: Archive,
    /// The current list; once it is frozen, its nodes beyond the bound at that time and then the others.
    pub(super) sections: Vec<Section<E::Node>>,
    /// Memory of lists that are gone.
    spare: Vec<Vec<E::Node>>,
    /// And of their orders.
    spare_orders: Vec<Vec<u32>>,
}

/// The memory of one of the threads that work on a board.
pub(super) struct ThreadScratch<E: Expand> {
    pub(super) wave: E::Wave,
    pub(super) stack: E::Stack,
    /// What grew from the chunks that are being expanded, that of the list first.
    pub(super) layers: Vec<Part<E::Node>>,
    /// A chunk whose nodes lie in several segments.
    pub(super) gathered: Vec<E::Node>,
}

impl<E: Expand> Default for ThreadScratch<E> {
    fn default() -> Self {
        ThreadScratch { wave: E::Wave::default(), stack: E::Stack::default(), layers: Vec::new(), gathered: Vec::new() }
    }
}

impl<E: Expand> Default for Lists<E> {
    fn default() -> Self {
        Lists {
            scratch: ThreadScratch::default(),
            archive: Archive::default(),
            sections: Vec::new(),
            spare: Vec::new(),
            spare_orders: Vec::new(),
        }
    }
}

impl<E: Expand> Lists<E> {
    /// The most steps, and nodes of lists, that take at most `bytes`: a node is in one list at most, and has one step.
    pub(super) fn max_steps(bytes: usize) -> usize {
        (bytes / (size_of::<E::Node>() + size_of::<u32>())).clamp(1, Trace::MAX_STEPS)
    }

    /// Starts with a list of one node, and keeps memory for `max_nodes` nodes at most.
    pub(super) fn begin(&mut self, root: E::Node, max_nodes: usize) {
        let Lists { archive, sections, spare, .. } = self;
        archive.begin(max_nodes);
        spare.extend(sections.drain(..).flat_map(|mut section| section.list.take().collect::<Vec<_>>()));
        let mut nodes = 0;
        spare.retain(|memory| {
            nodes += memory.capacity();
            nodes <= max_nodes
        });
        let mut start = self.next_part().nodes;
        start.push(root);
        let mut list = FrontierList::default();
        list.add(start, 0);
        self.sections.push(Section { list, from: 0, f: root.f() });
    }

    /// An empty part behind all that is in the archive.
    pub(super) fn next_part(&mut self) -> Part<E::Node> {
        let mut nodes = self.spare.pop().unwrap_or_default();
        nodes.clear();
        Part { nodes, trace: self.archive.next_trace(), expanded: 0, untraced: 0, depths: Vec::new() }
    }

    /// Puts the steps of some parts into the archive; the list of their nodes.
    pub(super) fn join(&mut self, parts: Vec<Part<E::Node>>) -> FrontierList<E::Node> {
        let mut list = FrontierList::default();
        for Part { nodes, trace, .. } in parts {
            let step_offset = self.archive.add(trace);
            list.add(nodes, step_offset);
        }
        list
    }

    /// Puts the nodes of a list that have the least to go first.
    pub(super) fn sort_deepest_first(&mut self, list: &mut FrontierList<E::Node>) {
        list.sort_deepest_first(self.spare_orders.pop().unwrap_or_default());
    }

    /// Replaces the list by the next one, and keeps its memory.
    pub(super) fn replace(&mut self, next: Section<E::Node>) {
        let order = self.sections[0].list.take_order();
        // Lists that are in no order have none.
        if order.capacity() > 0 {
            self.spare_orders.push(order);
        }
        self.spare.extend(self.sections[0].list.take());
        self.sections[0] = next;
    }

    /// The nodes of all sections, in depth-first order, with the true numbers of their steps; the sections are emptied.
    pub(super) fn take_nodes(&mut self) -> Vec<E::Node> {
        let Lists { scratch, sections, spare, .. } = self;
        let mut nodes = Vec::new();
        for mut section in sections.drain(..) {
            for number in section.from..section.list.chunks() {
                nodes.extend_from_slice(section.list.chunk(number, &mut scratch.gathered));
            }
            spare.extend(section.list.take());
        }
        nodes
    }

    /// The checksum of a frozen list, and of all else that decides how it is searched.
    pub(super) fn checksum(&self, bytes: usize, nodes_below: usize) -> u64 {
        let (mut checksum, mut gathered) = (Checksum::default(), Vec::new());
        let mut add = |number: u64| checksum.update(&number.to_le_bytes());
        add(bytes as u64);
        add(nodes_below as u64);
        for Section { list, from, f } in &self.sections {
            add((*f).into());
            for number in *from..list.chunks() {
                for node in list.chunk(number, &mut gathered) {
                    add(u64::from(node.step()) << 32 | u64::from(node.f()) << 16 | u64::from(node.depth()));
                }
            }
        }
        checksum.value()
    }

    /// Freezes the list: from the chunk `full` on its nodes stay, behind the part of the next list that grew from the others.
    pub(super) fn freeze(&mut self, full: usize, next: Section<E::Node>) {
        self.sections[0].from = full;
        self.sections.insert(0, next);
    }
}

#[cfg(test)]
impl<E: Expand> Lists<E> {
    /// What the last search left: the list's nodes with the f and the path of each.
    pub(super) fn frontier(&self) -> Vec<(u16, String, crate::board::Path)>
    where
        E::Node: std::fmt::Debug,
    {
        let mut gathered = Vec::new();
        let mut all = Vec::new();
        for Section { list, from, f } in &self.sections {
            for number in *from..list.chunks() {
                let nodes = list.chunk(number, &mut gathered).iter();
                all.extend(nodes.map(|node| (*f, format!("{node:?}"), self.archive.path(PathEnd::from(node.step())))));
            }
        }
        all
    }
}
