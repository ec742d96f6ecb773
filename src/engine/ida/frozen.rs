//! The iterations below a list that can grow no more: nothing that is cut is kept.
//!
//! Where any shortest path will do, the nodes that look best come first. Where the search came deepest below a node in one
//! iteration, its bound is nearest to the truth, and there a solution is most likely in the next. So before each iteration the list
//! is sorted by that depth. Over Korf and Felner's 24-puzzles the first solution then comes after a hundredth of the last iteration
//! as a rule, in the order of the list after a quarter to a third. (The idea of a good order for the last iteration: Bu and
//! Korf 2019.)
//!
//! The order follows from the iteration before alone, so the first part with a solution is the same for any number of threads.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use super::chunk::{Chunk, CutNodes, End, Node, Unfinished};
use super::expander::{Expander, ThreadMemory, expand};
use super::node_counter::NodeCounter;
use crate::engine::ordered_chunks::{Ticket, process_others_in_order};
use crate::engine::{SearchLog, SearchSnapshot, Stats, ThreadShare};
use crate::system::Checksum;

/// How the nodes of a list are cut into the parts that threads search, and after which a search can be resumed.
#[derive(Clone, Copy)]
struct Parts {
    /// So many parts come first that are small.
    small: usize,
    /// Nodes of a small part, and of the others.
    sizes: [usize; 2],
}

impl Parts {
    /// Nodes that are searched together: of the first ones, where most of the work is, a few, so that threads share it and
    /// a kill costs little; then more, because with few small trees at a time batches are two thirds full, and wait for memory
    /// more often.
    const SIZES: [usize; 2] = [8, 64];

    /// How many parts are small; few where tests have short lists, so that these have parts of both sizes.
    const SMALL: usize = if cfg!(test) { 8 } else { 512 };

    /// Short lists have at least so many parts: the one that has the solution is searched to its end.
    const LEAST: usize = 256;

    fn of(nodes: usize, any: bool) -> Parts {
        let sizes = Parts::SIZES.map(|size| (nodes / Parts::LEAST).clamp(1, size));
        // In the order of the list one part is as large as another.
        Parts { small: if any { Parts::SMALL } else { 0 }, sizes }
    }

    /// The nodes of a part, by their places in the order.
    fn range(self, number: usize) -> Range<usize> {
        let Parts { small, sizes: [few, many] } = self;
        let begin = number.min(small) * few + number.saturating_sub(small) * many;
        begin..begin + if number < small { few } else { many }
    }

    /// How many parts so many nodes have.
    fn count(self, nodes: usize) -> usize {
        let Parts { small, sizes: [few, many] } = self;
        let in_small = nodes.min(small * few);
        in_small.div_ceil(few) + (nodes - in_small).div_ceil(many)
    }
}

/// A frozen list and the order of its nodes.
pub(super) struct Frozen<N> {
    nodes: Vec<N>,
    /// By node, the greatest depth below it in the last iteration; before any, that of its parent.
    deepest: Vec<u16>,
    /// Numbers of nodes.
    order: Vec<u32>,
    /// Whether any solution will do.
    any: bool,
}

/// One iteration over it.
pub(super) struct Pass<'a, E> {
    pub(super) expander: &'a E,
    pub(super) bound: u16,
    /// Parts that are done.
    pub(super) done: &'a Done,
    pub(super) thread_share: &'a ThreadShare,
    /// Where parts are entered that are done.
    pub(super) log: &'a SearchLog,
}

/// Parts that are done: the first ones, and others with what was done for them.
#[derive(Default)]
pub(super) struct Done {
    pub(super) first: usize,
    pub(super) others: BTreeMap<usize, Stats>,
}

/// What was found below some nodes.
struct Found {
    deepest: Vec<u16>,
    end: End,
    stats: Stats,
}

impl<N> Default for Frozen<N> {
    fn default() -> Frozen<N> {
        Frozen { nodes: Vec::new(), deepest: Vec::new(), order: Vec::new(), any: false }
    }
}

impl<N: Node> Frozen<N> {
    /// Starts with no nodes; where they are added.
    pub(super) fn begin(&mut self, any: bool) -> &mut Vec<N> {
        self.any = any;
        self.nodes.clear();
        self.deepest.clear();
        &mut self.nodes
    }

    fn cut(&self) -> Parts {
        Parts::of(self.nodes.len(), self.any)
    }

    /// How many parts an iteration has.
    fn parts(&self, bound: u16) -> usize {
        self.cut().count(self.nodes.iter().filter(|node| node.f() <= bound).count())
    }

    /// What is entered of an iteration of which nothing is done.
    pub(super) fn begin_iteration(&self, bound: u16) -> SearchSnapshot {
        let parts = self.parts(bound);
        if !self.any {
            return SearchSnapshot { parts, ..SearchSnapshot::default() };
        }
        SearchSnapshot {
            parts,
            depths: self.deepest.clone(),
            found: vec![0; self.nodes.len()],
            ..SearchSnapshot::default()
        }
    }

    /// Whether an earlier search can have stood there.
    pub(super) fn fits(&self, earlier: &SearchSnapshot) -> bool {
        earlier.fits(self.parts(earlier.bound), if self.any { self.nodes.len() } else { 0 })
    }

    /// The checksum of the list, by which it is known again, and of the memory that its length follows from.
    pub(super) fn checksum(&self, bytes: usize) -> u64 {
        let number = |node: &N| (u32::from(node.f()) << 16 | u32::from(node.depth())).to_le();
        let numbers: Vec<u32> = self.nodes.iter().map(number).collect();
        let mut checksum = Checksum::default();
        checksum.update(&(bytes as u64).to_le_bytes());
        checksum.update(&[self.any.into()]);
        checksum.update(bytemuck::cast_slice(&numbers));
        checksum.value()
    }

    /// Before any iteration a node is as deep as its parent.
    pub(super) fn complete(&mut self) {
        let Frozen { nodes, deepest, any, .. } = self;
        if *any {
            deepest.extend(nodes.iter().map(|node| node.depth().saturating_sub(1)));
        }
    }

    /// One iteration, from where an earlier search stood if that is given; how it ended, a goal with the number of the node above.
    pub(super) fn pass<E: Expander<Node = N>>(
        &mut self,
        pass: &Pass<E>,
        earlier: Option<&SearchSnapshot>,
        memory: &mut ThreadMemory<E>,
        counter: &mut NodeCounter,
    ) -> End {
        if let Some(earlier) = earlier.filter(|_| self.any) {
            self.deepest.clone_from(&earlier.depths);
        }
        let Frozen { nodes, deepest, order, any } = self;
        order.clear();
        order.extend((0..).zip(nodes.iter()).filter(|(_, node)| node.f() <= pass.bound).map(|(number, _)| number));
        if *any {
            order.sort_by_key(|&number| (Reverse(deepest[number as usize]), Reverse(nodes[number as usize].depth())));
        }
        let found = earlier.into_iter().flat_map(|earlier| earlier.found.iter());
        for (deepest, &found) in deepest.iter_mut().zip(found).filter(|(_, found)| **found > 0) {
            *deepest = found;
        }
        self.search(pass, memory, counter)
    }

    fn search<E: Expander<Node = N>>(
        &mut self,
        pass: &Pass<E>,
        memory: &mut ThreadMemory<E>,
        counter: &mut NodeCounter,
    ) -> End {
        let (&Pass { done, thread_share, log, .. }, cut) = (pass, self.cut());
        let Frozen { nodes, deepest, order, any } = self;
        let (nodes, order, any) = (&*nodes, &*order, *any);
        let together = |number: usize| {
            let Range { start, end } = cut.range(number);
            &order[start..end.min(order.len())]
        };
        let parts = cut.count(order.len());
        let depths = |number, found: &[u16]| together(number).iter().map(|&node| node as usize).zip(found.to_vec());
        let work = |number, memory: &mut ThreadMemory<E>, counter: &mut NodeCounter| {
            let before = counter.stats;
            let (deepest, end) = below(pass, nodes, together(number), any, memory, counter);
            let stats = counter.stats.since(&before);
            if end == End::Exhausted {
                log.part_done(number, stats, depths(number, &deepest));
            }
            Found { deepest, end, stats }
        };
        let mut note = |number, found: &Found| {
            for (node, depth) in depths(number, &found.deepest) {
                deepest[node] = depth;
            }
        };
        if thread_share.is_alone() {
            for number in done.first..parts {
                if let Some(stats) = done.others.get(&number) {
                    counter.add(stats);
                    continue;
                }
                let found = work(number, memory, counter);
                note(number, &found);
                if found.end != End::Exhausted {
                    return found.end;
                }
            }
            return End::Exhausted;
        }
        let budget = counter.budget();
        let work = |ticket: &Ticket, memory: &mut ThreadMemory<E>| {
            let mut counter = NodeCounter::of_ticket(budget, *ticket, memory.since_poll);
            let found = work(done.first + ticket.number, memory, &mut counter);
            memory.since_poll = counter.since_poll;
            if found.end != End::Exhausted {
                ticket.end_here();
            }
            found
        };
        let known = |(&number, &stats): (&usize, &Stats)| {
            (number - done.first, Found { deepest: Vec::new(), end: End::Exhausted, stats })
        };
        let (left, known) = (parts.saturating_sub(done.first), done.others.iter().map(known));
        let results = process_others_in_order(thread_share, left, known, memory, ThreadMemory::default, work);
        // All before the first end are there.
        for (number, found) in results.into_iter().flatten().enumerate() {
            counter.add(&found.stats);
            note(done.first + number, &found);
            if found.end != End::Exhausted {
                return found.end;
            }
        }
        End::Exhausted
    }
}

/// Searches below some nodes of the list: the greatest depths, and how it ended.
fn below<E: Expander>(
    pass: &Pass<E>,
    nodes: &[E::Node],
    numbers: &[u32],
    any: bool,
    memory: &mut ThreadMemory<E>,
    counter: &mut NodeCounter,
) -> (Vec<u16>, End) {
    let ThreadMemory { expander: memory, gathered, grown, .. } = memory;
    gathered.clear();
    gathered.extend(numbers.iter().map(|&number| nodes[number as usize]));
    grown.depths.clear();
    let chunk = Chunk { roots: gathered, bound: pass.bound, cut_nodes: CutNodes::Dropped { any } };
    let end = match expand(pass.expander, &chunk, memory, counter, grown) {
        Ok(None) => End::Exhausted,
        Ok(Some(root)) => End::Goal(numbers[root] as usize),
        Err(Unfinished::Limit(limit)) => End::Limit(limit),
        Err(Unfinished::TooMany) => unreachable!("nothing is kept but a stack"),
    };
    (std::mem::take(&mut grown.depths), end)
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn every_node_is_in_one_part() {
        for nodes in [0, 1, 7, 63, 64, 65, 400, 2_047, 2_048, 20_000, 70_001] {
            for any in [false, true] {
                let cut = Parts::of(nodes, any);
                let mut next = 0;
                for part in 0..cut.count(nodes) {
                    let Range { start, end } = cut.range(part);
                    assert!(start == next && end > start && start < nodes, "{nodes} {any} {part}");
                    next = end;
                }
                assert!(next >= nodes, "{nodes} {any}");
            }
        }
    }
}
