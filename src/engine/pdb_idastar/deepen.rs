//! The iterations, and what happens when memory or budget run out.

use super::below_frozen::Stop;
use super::chunk::Part;
use super::deepest_first::DeepestFirst;
use super::expand::Expand;
use super::frontier_list::Section;
use super::lists::{Lists, ThreadScratch};
use super::node::ListNode;
use super::node_counter::NodeCounter;
use super::pass::{CutNodes, End, Pass, WORTH_HELP};
use crate::engine::{Outcome, Stats, ThreadShare, TieBreak};
use crate::system::Budget;

/// How much a search may keep, and a number that tests choose otherwise.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    /// For lists and steps.
    pub(super) bytes: usize,
    /// Nodes that a thread may have in memory below a frozen list.
    pub(super) nodes_below: usize,
    /// Nodes generated before idle threads are asked to help.
    pub(super) help_from: u64,
    /// Which of several shortest paths is wanted.
    pub(super) tie_break: TieBreak,
}

impl Settings {
    /// Some 95,000 nodes on 4×4. A longer list saves up to a tenth of the nodes, but memory that was never touched before
    /// costs as much, and so does memory beyond a core's own cache. Tuned with 1 to 16 MB by 80-move and by random boards;
    /// the figures are in `benches/README.md`.
    pub(super) const DEFAULT_BYTES: usize = 4 << 20;

    /// Eleven megabytes on 4×4. A chunk from which more grows is halved,
    /// and what had been generated of it is generated again.
    const MAX_NODES_BELOW: usize = 1 << 18;

    /// Bytes of lists for each node below a frozen one: with shorter lists than the usual there are fewer.
    const BYTES_A_NODE_BELOW: usize = Settings::DEFAULT_BYTES / Settings::MAX_NODES_BELOW;

    pub(super) fn new(bytes: usize) -> Settings {
        let nodes_below = (bytes / Settings::BYTES_A_NODE_BELOW).min(Settings::MAX_NODES_BELOW);
        Settings { bytes, nodes_below, help_from: WORTH_HELP, tie_break: TieBreak::Canonical }
    }
}

/// The search from a root that is not the goal.
pub(super) fn deepen<E: Expand>(
    expander: &E,
    root: E::Node,
    budget: &Budget,
    thread_share: &ThreadShare,
    settings: Settings,
    lists: &mut Lists<E>,
    stats: &mut Stats,
) -> Outcome {
    let mut counter = NodeCounter::start(budget);
    // A limit of nodes says which node is the last: one thread counts them.
    let alone = ThreadShare::alone();
    let thread_share = if budget.nodes() < u64::MAX { &alone } else { thread_share };
    let mut bound = root.f();
    let stop = match counter.poll() {
        Some(limit) => Stop::Limit(limit),
        None => Search { expander, thread_share, settings, counter: &mut counter, bound: &mut bound }.run(root, lists),
    };
    stats.generated += counter.stats.generated;
    stats.expanded += counter.stats.expanded;
    match stop {
        Stop::Goal(end) => Outcome::Solved(lists.archive.path(end)),
        Stop::Limit(limit) => Outcome::Unsolved { lower_bound: bound.into(), limit },
    }
}

struct Search<'a, 'b, E: Expand> {
    expander: &'a E,
    thread_share: &'a ThreadShare,
    settings: Settings,
    counter: &'a mut NodeCounter<'b>,
    bound: &'a mut u16,
}

impl<E: Expand> Search<'_, '_, E> {
    fn run(mut self, root: E::Node, lists: &mut Lists<E>) -> Stop {
        let max_steps = Lists::<E>::max_steps(self.settings.bytes);
        lists.begin(root, max_steps);
        match self.with_growing_list(lists, max_steps) {
            Some(stop) => stop,
            None if E::KEEPS_DEPTHS && self.settings.tie_break.takes_any() => self.deepest_first(lists),
            None => self.below_frozen_list(lists),
        }
    }

    /// The iterations as long as all steps fit into memory. `None`: the list is frozen.
    fn with_growing_list(&mut self, lists: &mut Lists<E>, max_steps: usize) -> Option<Stop> {
        loop {
            let mut parts = vec![lists.next_part()];
            let cut_nodes = CutNodes::Kept { max_steps: max_steps.saturating_sub(lists.archive.len()) };
            let end = self.pass(cut_nodes, &lists.sections, &mut parts, &mut lists.scratch);
            let mut next = Section { list: lists.join(parts), from: 0, f: *self.bound + 2 };
            if self.settings.tie_break.takes_any() {
                lists.sort_deepest_first(&mut next.list);
            }
            match end {
                End::Stop(stop) => return Some(stop),
                End::Exhausted => {
                    assert!(!next.list.is_empty(), "a state that can be solved has a path");
                    lists.replace(next);
                    *self.bound += 2;
                }
                End::Full(chunk) => {
                    lists.freeze(chunk, next);
                    return None;
                }
            }
        }
    }

    /// The iterations when the list is frozen.
    fn below_frozen_list(&mut self, lists: &mut Lists<E>) -> Stop {
        let Lists { scratch, sections, .. } = lists;
        let mut due = &sections[1..];
        let cut_nodes = CutNodes::Dropped { max_nodes: self.settings.nodes_below };
        loop {
            let mut parts = vec![Part::default()];
            if let End::Stop(stop) = self.pass(cut_nodes, due, &mut parts, scratch) {
                return stop;
            }
            *self.bound += 2;
            due = sections;
        }
    }

    /// The same, where any shortest path will do.
    fn deepest_first(&mut self, lists: &mut Lists<E>) -> Stop {
        let mut list = DeepestFirst::new(lists.take_nodes());
        loop {
            let &mut Search { expander, thread_share, .. } = self;
            match list.pass(expander, *self.bound, thread_share, &mut lists.scratch, self.counter) {
                Some(stop) => return stop,
                None => *self.bound += 2,
            }
        }
    }

    fn pass(
        &mut self,
        cut_nodes: CutNodes,
        sections: &[Section<E::Node>],
        parts: &mut Vec<Part<E::Node>>,
        scratch: &mut ThreadScratch<E>,
    ) -> End {
        let &mut Search { expander, thread_share, settings: Settings { help_from, tie_break, .. }, ref bound, .. } =
            self;
        Pass { expander, sections, bound: **bound, cut_nodes, thread_share, help_from, tie_break }.run(
            parts,
            scratch,
            self.counter,
        )
    }
}
