//! The iterations on a list that can no longer grow. Cut nodes are dropped.
//!
//! If any shortest path will do, the most promising nodes are searched first. The deeper the search
//! below a node went in one iteration, the likelier is a solution below it in the next. So before
//! each iteration the list is sorted by that depth. On Korf and Felner's 24-puzzles, the first
//! solution is usually found after a hundredth of the last iteration; in list order, after a
//! quarter to a third. (Node ordering in the last iteration: Bu and Korf 2019.)
//!
//! The order depends only on the previous iteration, so the first part with a solution is the same
//! for any number of threads.

use std::cmp::Reverse;
use std::ops::{ControlFlow, Range};

use super::expander::{CutNodes, DynExpander, NodeChunk, NodeCounter, PassEnd, ThreadMemory, expand};
use super::nodes::{Costs, NodeSlice, Nodes, TreeNode};
use crate::engine::ordered_chunks::{Ticket, process_in_order};
use crate::engine::{SearchLog, SearchSnapshot, Stats, ThreadShare};
use crate::system::Checksum;

/// The division of a list into parts. Threads search one part at a time, and a search can be
/// resumed after any part.
#[derive(Clone, Copy)]
struct Division {
    /// The number of small parts, which come first.
    small: usize,
    /// The number of nodes in a small part, and in any other part.
    sizes: [usize; 2],
}

impl Division {
    /// The numbers of nodes in small and in other parts. The first nodes cause most of the work:
    /// small parts let threads share it, and little is lost if the process is killed. Later parts
    /// are larger, because batches over a few small trees are only two thirds full and wait for
    /// memory more often.
    const SIZES: [usize; 2] = [8, 64];

    /// The number of small parts. It is lower in tests, whose short lists then have parts of both
    /// sizes.
    const SMALL: usize = if cfg!(test) { 8 } else { 512 };

    /// The minimum number of parts, if the list has at least that many nodes. Parts of a short list
    /// are small, because the part that contains the solution may be searched to its end.
    const MIN_PARTS: usize = 256;

    fn of(nodes: usize, any_solution: bool) -> Division {
        let sizes = Division::SIZES.map(|size| (nodes / Division::MIN_PARTS).clamp(1, size));
        // In list order all parts are equally promising.
        Division { small: if any_solution { Division::SMALL } else { 0 }, sizes }
    }

    fn range(self, number: usize) -> Range<usize> {
        let Division { small, sizes: [small_size, large_size] } = self;
        let begin = number.min(small) * small_size + number.saturating_sub(small) * large_size;
        begin..begin + if number < small { small_size } else { large_size }
    }

    fn count(self, nodes: usize) -> usize {
        let Division { small, sizes: [small_size, large_size] } = self;
        let in_small = nodes.min(small * small_size);
        in_small.div_ceil(small_size) + (nodes - in_small).div_ceil(large_size)
    }
}

/// A frozen list and the order of its nodes.
#[derive(Default)]
pub(super) struct FrozenList {
    nodes: Box<dyn Nodes>,
    /// The costs of each node.
    costs: Vec<Costs>,
    /// By node, if any solution will do: the greatest depth reached below the node when it was last
    /// expanded; before that, the depth of the node's parent.
    deepest: Vec<u16>,
    /// The indices of the nodes within the bound, in the order of the search.
    order: Vec<u32>,
    /// True if any solution will do.
    any_solution: bool,
}

/// The input of one iteration.
pub(super) struct Pass<'a> {
    pub(super) expander: &'a dyn DynExpander,
    pub(super) thread_share: &'a ThreadShare,
    /// The log of completed parts.
    pub(super) log: &'a SearchLog,
    /// The snapshot to start from: that of the beginning of the iteration, or that of the search to
    /// resume.
    pub(super) snapshot: &'a SearchSnapshot,
}

/// Sorts nodes by their two depths, deepest first. Equal nodes stay in list order.
fn sort_by_depths(mut nodes: Vec<((u16, u16), u32)>, order: &mut Vec<u32>) {
    nodes.sort_unstable_by_key(|&(depths, number)| (Reverse(depths), number));
    order.clear();
    order.extend(nodes.iter().map(|&(_, number)| number));
}

struct PartResult {
    /// Pairs of a node and the greatest depth below it; empty unless any solution will do.
    depths: Vec<(usize, u16)>,
    end: ControlFlow<PassEnd>,
    stats: Stats,
}

impl FrozenList {
    /// Replaces the list for a new search. `fill` adds the nodes to an empty list.
    pub(super) fn begin(&mut self, any_solution: bool, fill: impl FnOnce(&mut Box<dyn Nodes>)) {
        let FrozenList { nodes, costs, deepest, .. } = self;
        nodes.truncate(0);
        fill(nodes);
        costs.clear();
        nodes.append_costs(costs);
        deepest.clear();
        if any_solution {
            deepest.extend(costs.iter().map(|node| node.depth.saturating_sub(1)));
        }
        self.any_solution = any_solution;
    }

    fn division(&self) -> Division {
        Division::of(self.nodes.len(), self.any_solution)
    }

    fn parts(&self, bound: u16) -> usize {
        self.division().count(self.costs.iter().filter(|node| node.f() <= bound).count())
    }

    /// Returns the snapshot at the beginning of an iteration.
    pub(super) fn begin_iteration(&self, bound: u16) -> SearchSnapshot {
        let (parts, depths) = (self.parts(bound), self.deepest.clone());
        SearchSnapshot { bound, parts, new_depths: vec![0; depths.len()], depths, ..SearchSnapshot::default() }
    }

    /// Returns true if a snapshot is consistent with this list.
    pub(super) fn fits(&self, earlier: &SearchSnapshot) -> bool {
        earlier.fits(self.parts(earlier.bound), self.deepest.len())
    }

    /// Returns a checksum that identifies the list. It covers f and depth of all nodes, the memory
    /// that determines the list's length, and whether any solution will do.
    pub(super) fn checksum(&self, bytes: usize) -> u64 {
        let number = |node: &Costs| (u32::from(node.f()) << 16 | u32::from(node.depth)).to_le();
        let numbers: Vec<u32> = self.costs.iter().map(number).collect();
        let mut checksum = Checksum::default();
        checksum.update(&(bytes as u64).to_le_bytes());
        checksum.update(&[self.any_solution.into()]);
        checksum.update(bytemuck::cast_slice(&numbers));
        checksum.value()
    }

    /// Runs one iteration from its snapshot. A goal is reported with the index of the list node
    /// above it.
    pub(super) fn run_iteration(
        &mut self,
        pass: &Pass,
        memory: &mut ThreadMemory,
        counter: &mut NodeCounter,
    ) -> ControlFlow<PassEnd> {
        let FrozenList { costs, deepest, order, any_solution, .. } = self;
        let SearchSnapshot { bound, depths, new_depths, .. } = pass.snapshot;
        deepest.clone_from(depths);
        order.clear();
        order.extend((0..).zip(costs.iter()).filter(|(_, node)| node.f() <= *bound).map(|(number, _)| number));
        if *any_solution {
            let depths = |number: u32| (deepest[number as usize], costs[number as usize].depth);
            let keys = order.iter().map(|&number| (depths(number), number)).collect();
            sort_by_depths(keys, order);
        }
        for (deepest, &depth) in deepest.iter_mut().zip(new_depths).filter(|(_, depth)| **depth > 0) {
            *deepest = depth;
        }
        self.search(pass, memory, counter)
    }

    fn search(&mut self, pass: &Pass, memory: &mut ThreadMemory, counter: &mut NodeCounter) -> ControlFlow<PassEnd> {
        let (&Pass { expander, thread_share, log, snapshot }, division) = (pass, self.division());
        let &SearchSnapshot { bound, first_incomplete, ref later_stats, .. } = snapshot;
        let FrozenList { nodes, deepest, order, any_solution, .. } = self;
        let (nodes, order, any_solution) = (&*nodes, &*order, *any_solution);
        let parts = division.count(order.len());
        let mut store = |depths: Vec<(usize, u16)>| depths.into_iter().for_each(|(node, depth)| deepest[node] = depth);
        let work = |number, memory: &mut ThreadMemory, counter: &mut NodeCounter| {
            let ThreadMemory { expander: memory, gathered, result, .. } = memory;
            let (Range { start, end }, before) = (division.range(number), counter.stats);
            let numbers = &order[start..end.min(order.len())];
            gathered.truncate(0);
            nodes.copy_to(numbers, 0, gathered);
            result.depths.clear();
            let chunk =
                NodeChunk { roots: NodeSlice::all(&**gathered), bound, cut_nodes: CutNodes::Dropped { any_solution } };
            let end = match expand(expander, &chunk, memory, counter, result) {
                Ok(None) => ControlFlow::Continue(()),
                Ok(Some(root)) => ControlFlow::Break(PassEnd::Goal(numbers[root] as usize)),
                Err(limit) => ControlFlow::Break(PassEnd::Limit(limit)),
            };
            let stats = counter.stats.since(&before);
            let depths: Vec<_> = numbers.iter().map(|&node| node as usize).zip(result.depths.drain(..)).collect();
            if end.is_continue() {
                log.part_done(number, stats, depths.iter().copied());
            }
            PartResult { depths, end, stats }
        };
        if thread_share.is_alone() {
            for number in first_incomplete..parts {
                match later_stats.get(&number) {
                    Some(stats) => counter.stats.add(stats),
                    None => {
                        let PartResult { depths, end, .. } = work(number, memory, counter);
                        store(depths);
                        end?;
                    }
                }
            }
            return ControlFlow::Continue(());
        }
        let budget = counter.budget;
        let work = |ticket: &Ticket, memory: &mut ThreadMemory| {
            let mut counter = NodeCounter::of_ticket(budget, *ticket, memory.since_poll);
            let result = work(first_incomplete + ticket.number, memory, &mut counter);
            memory.since_poll = counter.since_poll;
            if result.end.is_break() {
                ticket.end_here();
            }
            result
        };
        let completed = later_stats.iter().map(|(number, &stats)| {
            (number - first_incomplete, PartResult { depths: Vec::new(), end: ControlFlow::Continue(()), stats })
        });
        let remaining = parts.saturating_sub(first_incomplete);
        let results = process_in_order(thread_share, remaining, completed, memory, ThreadMemory::default, work);
        // All results up to the first one that ends the pass are present.
        for PartResult { depths, end, stats } in results.into_iter().flatten() {
            counter.stats.add(&stats);
            store(depths);
            end?;
        }
        ControlFlow::Continue(())
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn every_node_is_in_one_part() {
        for nodes in [0, 1, 7, 63, 64, 65, 400, 2_047, 2_048, 20_000, 70_001] {
            for any_solution in [false, true] {
                let parts = Division::of(nodes, any_solution);
                let mut next = 0;
                for part in 0..parts.count(nodes) {
                    let Range { start, end } = parts.range(part);
                    assert!(start == next && end > start && start < nodes, "{nodes} {any_solution} {part}");
                    next = end;
                }
                assert!(next >= nodes, "{nodes} {any_solution}");
            }
        }
    }
}
