//! The iterations below a frozen list where any shortest path will do: the nodes that look best come first.
//!
//! Where the search came deepest below a node in one iteration, its bound is nearest to the truth, and there a solution is
//! most likely in the next. So before each iteration the list is sorted by that depth. Over Korf and Felner's 24-puzzles the
//! first solution then comes after a hundredth of the last iteration as a rule, in the order of the list after
//! a quarter to a third. As the last iteration would be four fifths of all work, little of which is then done, most boards take a
//! third of the time. (The idea of a good order for the last iteration: Bu and Korf 2019.)
//!
//! The order follows from the iteration before alone, so the first part with a solution is the same for any number of threads.
//! Within it a thread takes the first that it comes to, and of those below the same list node the canonical one.

use std::cmp::Reverse;
use std::ops::Range;

use super::below_frozen::Stop;
use super::chunk::{Chunk, Keep, Part};
use super::expand::{Expand, Unfinished, expand};
use super::lists::ThreadScratch;
use super::node::ListNode;
use super::node_counter::NodeCounter;
use super::pass::Done;
use super::trace::PathEnd;
use crate::engine::ordered_chunks::{Ticket, process_others_in_order};
use crate::engine::{Halfway, SearchLog, Stats, ThreadShare, TieBreak};

/// List nodes that are searched together: of the first ones, below which most is, a few, so that threads share the work and a
/// kill costs little; then more, because with few small trees at a time batches are two thirds full, and wait for memory
/// more often.
const TOGETHER: [usize; 2] = [8, 64];

/// How many parts are small; few where tests have short lists, so that these have parts of both sizes.
const SMALL_PARTS: usize = if cfg!(test) { 8 } else { 512 };

/// The nodes of a part, by their places in the order.
fn part(number: usize) -> Range<usize> {
    let small = number.min(SMALL_PARTS);
    let begin = small * TOGETHER[0] + (number - small) * TOGETHER[1];
    begin..begin + TOGETHER[usize::from(number >= SMALL_PARTS)]
}

/// How many parts so many nodes have.
fn parts(nodes: usize) -> usize {
    let in_small = nodes.min(part(SMALL_PARTS).start);
    in_small.div_ceil(TOGETHER[0]) + (nodes - in_small).div_ceil(TOGETHER[1])
}

/// A frozen list and the order of its nodes.
pub(super) struct DeepestFirst<N> {
    nodes: Vec<N>,
    /// By node, the greatest depth below it in the last iteration; before any, that of its parent.
    deepest: Vec<u16>,
    /// Numbers of nodes.
    order: Vec<u32>,
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

/// What was found below some nodes.
struct Found {
    deepest: Vec<u16>,
    stop: Option<Stop>,
    stats: Stats,
}

impl<N: ListNode> DeepestFirst<N> {
    pub(super) fn new(nodes: Vec<N>) -> DeepestFirst<N> {
        let deepest = nodes.iter().map(|node| node.depth().saturating_sub(1)).collect();
        DeepestFirst { deepest, order: Vec::new(), nodes }
    }

    /// How many parts an iteration has.
    fn parts(&self, bound: u16) -> usize {
        parts(self.nodes.iter().filter(|node| node.f() <= bound).count())
    }

    /// What is entered of an iteration of which nothing is done.
    pub(super) fn begin(&self, bound: u16) -> Halfway {
        let (depths, found) = (self.deepest.clone(), vec![0; self.nodes.len()]);
        Halfway { parts: self.parts(bound), depths, found, ..Halfway::default() }
    }

    /// Whether an earlier search can have stood there.
    pub(super) fn fits(&self, earlier: &Halfway) -> bool {
        earlier.fits(self.parts(earlier.bound), self.nodes.len())
    }

    /// One iteration, from where an earlier search stood if that is given; what ended the search, if anything did.
    pub(super) fn pass<E: Expand<Node = N>>(
        &mut self,
        pass: &Pass<E>,
        earlier: Option<&Halfway>,
        scratch: &mut ThreadScratch<E>,
        counter: &mut NodeCounter,
    ) -> Option<Stop> {
        if let Some(earlier) = earlier {
            self.deepest.clone_from(&earlier.depths);
        }
        self.sort(pass.bound);
        let found = earlier.into_iter().flat_map(|earlier| earlier.found.iter());
        for (deepest, &found) in self.deepest.iter_mut().zip(found).filter(|(_, found)| **found > 0) {
            *deepest = found;
        }
        self.search(pass, scratch, counter)
    }

    fn search<E: Expand<Node = N>>(
        &mut self,
        pass: &Pass<E>,
        scratch: &mut ThreadScratch<E>,
        counter: &mut NodeCounter,
    ) -> Option<Stop> {
        let &Pass { bound, done, thread_share, log, .. } = pass;
        let DeepestFirst { nodes, deepest, order } = self;
        let (nodes, order) = (&*nodes, &*order);
        let together = |number: usize| {
            let Range { start, end } = part(number);
            &order[start..end.min(order.len())]
        };
        let parts = parts(order.len());
        let depths = |number, found: &[u16]| together(number).iter().map(|&node| node as usize).zip(found.to_vec());
        let work = |number, scratch: &mut ThreadScratch<E>, counter: &mut NodeCounter| {
            let before = counter.stats;
            let found = below(pass.expander, nodes, together(number), bound, scratch, counter);
            let found = Found { stats: counter.stats.since(&before), ..found };
            if found.stop.is_none() {
                log.part_done(number, found.stats, depths(number, &found.deepest));
            }
            found
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
                let found = work(number, scratch, counter);
                note(number, &found);
                if found.stop.is_some() {
                    return found.stop;
                }
            }
            return None;
        }
        let budget = counter.budget();
        let work = |ticket: &Ticket, scratch: &mut ThreadScratch<E>| {
            let mut counter = NodeCounter::of_ticket(budget, *ticket);
            let found = work(done.first + ticket.number, scratch, &mut counter);
            if found.stop.is_some() {
                ticket.end_here();
            }
            found
        };
        let known = |(&number, &stats): (&usize, &Stats)| {
            (number - done.first, Found { deepest: Vec::new(), stop: None, stats })
        };
        let (left, known) = (parts.saturating_sub(done.first), done.others.iter().map(known));
        let results = process_others_in_order(thread_share, left, known, scratch, ThreadScratch::default, work);
        // All before the first stop are there.
        for (number, found) in results.into_iter().flatten().enumerate() {
            counter.add(&found.stats);
            note(done.first + number, &found);
            if found.stop.is_some() {
                return found.stop;
            }
        }
        None
    }

    /// The order of those that are due: the deepest first, then those with the least bound left, then the first.
    fn sort(&mut self, bound: u16) {
        let DeepestFirst { nodes, deepest, order } = self;
        order.clear();
        order.extend((0..).zip(nodes.iter()).filter(|(_, node)| node.f() <= bound).map(|(number, _)| number));
        order.sort_by_key(|&number| (Reverse(deepest[number as usize]), Reverse(nodes[number as usize].depth())));
    }
}

/// Searches below some nodes of the list.
fn below<E: Expand>(
    expander: &E,
    nodes: &[E::Node],
    numbers: &[u32],
    bound: u16,
    scratch: &mut ThreadScratch<E>,
    counter: &mut NodeCounter,
) -> Found {
    let ThreadScratch { wave, gathered, layers, .. } = scratch;
    gathered.clear();
    gathered.extend(numbers.iter().map(|&number| nodes[number as usize]));
    if layers.is_empty() {
        layers.push(Part::default());
    }
    let part = &mut layers[0];
    part.clear();
    let chunk = Chunk { roots: gathered, bound, max_nodes: usize::MAX, keep: Keep::Depths, tie_break: TieBreak::Any };
    let stop = match expand(expander, &chunk, wave, counter, part) {
        Ok(None) => None,
        Ok(Some(step)) => Some(Stop::Goal(part.trace.trace_back(PathEnd::from(step)))),
        Err(Unfinished::Limit(limit)) => Some(Stop::Limit(limit)),
        Err(Unfinished::TooMany) => unreachable!("nothing is kept but a stack"),
    };
    Found { deepest: std::mem::take(&mut part.depths), stop, stats: Stats::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_node_is_in_one_part() {
        let small = SMALL_PARTS * TOGETHER[0];
        for nodes in [0, 1, 7, 8, 9, small - 1, small, small + 1, small + 64, small + 65, 100_000] {
            let mut next = 0;
            for number in 0..parts(nodes) {
                let Range { start, end } = part(number);
                assert_eq!(start, next, "{nodes} nodes, part {number}");
                assert!(start < nodes && end > start);
                next = end;
            }
            assert!(next >= nodes, "{nodes} nodes");
        }
    }
}
