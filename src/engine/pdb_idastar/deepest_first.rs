//! The iterations below a frozen list where any shortest path will do: the nodes that look best come first.
//!
//! Where the search came deepest below a node in one iteration, its bound is nearest to the truth, and there a solution is
//! most likely in the next. So before each iteration the list is sorted by that depth. Over Korf and Felner's 24-puzzles the
//! first solution then comes after a hundredth of the last iteration as a rule, in the order of the list after
//! a quarter to a third. As the last iteration would be four fifths of all work, little of which is then done, most boards take a
//! third of the time. (The idea of a good order for the last iteration: Bu and Korf 2019.)
//!
//! The order follows from the iteration before alone, so the first solution in it is the same for any number of threads. Of
//! the nodes in a chunk the first one counts that has a solution, and of those below it the canonical one.

use std::cmp::Reverse;

use super::below_frozen::Stop;
use super::chunk::{Chunk, Keep, Part};
use super::expand::{Expand, Unfinished, expand};
use super::lists::ThreadScratch;
use super::node::ListNode;
use super::node_counter::NodeCounter;
use super::trace::PathEnd;
use crate::engine::ordered_chunks::{Ticket, process_in_order};
use crate::engine::{Stats, ThreadShare, TieBreak};

/// List nodes that are searched together. What is below all of them is searched when one has a solution; batches are full
/// all the same, because it is thousands of nodes.
const TOGETHER: usize = 8;

/// A frozen list and the order of its nodes.
pub(super) struct DeepestFirst<N> {
    nodes: Vec<N>,
    /// By node, the greatest depth below it in the last iteration; before any, that of its parent.
    deepest: Vec<u16>,
    /// Numbers of nodes.
    order: Vec<u32>,
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

    /// One iteration; what ended the search, if anything did.
    pub(super) fn pass<E: Expand<Node = N>>(
        &mut self,
        expander: &E,
        bound: u16,
        thread_share: &ThreadShare,
        scratch: &mut ThreadScratch<E>,
        counter: &mut NodeCounter,
    ) -> Option<Stop> {
        self.sort(bound);
        let DeepestFirst { nodes, deepest, order } = self;
        let (nodes, order) = (&*nodes, &*order);
        let together = |number: usize| &order[number * TOGETHER..order.len().min((number + 1) * TOGETHER)];
        let chunks = order.len().div_ceil(TOGETHER);
        let mut note = |number: usize, found: &[u16]| {
            for (&node, &depth) in together(number).iter().zip(found) {
                deepest[node as usize] = depth;
            }
        };
        if thread_share.is_alone() {
            return (0..chunks).find_map(|number| {
                let found = below(expander, nodes, together(number), bound, scratch, counter);
                note(number, &found.deepest);
                found.stop
            });
        }
        let budget = counter.budget();
        let work = |ticket: &Ticket, scratch: &mut ThreadScratch<E>| {
            let mut counter = NodeCounter::of_ticket(budget, *ticket);
            let found = below(expander, nodes, together(ticket.number), bound, scratch, &mut counter);
            if found.stop.is_some() {
                ticket.end_here();
            }
            Found { stats: counter.stats, ..found }
        };
        let results = process_in_order(thread_share, chunks, scratch, ThreadScratch::default, work);
        // All before the first stop are there.
        for (number, found) in results.into_iter().flatten().enumerate() {
            counter.add(&found.stats);
            note(number, &found.deepest);
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
