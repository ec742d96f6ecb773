//! The iterations, and what happens when memory or budget run out.

use super::below_frozen::Stop;
use super::chunk::Part;
use super::deepest_first::{self, DeepestFirst};
use super::expand::Expand;
use super::frontier_list::Section;
use super::lists::{Lists, ThreadScratch};
use super::node::ListNode;
use super::node_counter::NodeCounter;
use super::pass::{CutNodes, Done, End, Pass, WORTH_HELP};
use super::proof_by_bound::{Asking, ProofByBound};
use crate::engine::{Halfway, Outcome, SearchLog, Stats, ThreadShare, TieBreak};
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

/// What a search has beside its tables and lists.
pub(super) struct Means<'a, 'b> {
    pub(super) budget: &'a Budget<'b>,
    pub(super) thread_share: &'a ThreadShare,
    pub(super) settings: Settings,
    pub(super) told: Told<'a>,
}

/// Whom a search tells of itself, and whom it may ask.
#[derive(Clone, Copy)]
pub(super) struct Told<'a> {
    pub(super) log: &'a SearchLog,
    /// For a path, where any shortest one will do.
    pub(super) ask: Option<Asking<'a>>,
}

/// The search from a root that is not the goal.
pub(super) fn search<E: Expand>(
    expander: &E,
    root: E::Node,
    means: &Means,
    lists: &mut Lists<E>,
    stats: &mut Stats,
) -> Outcome {
    let &Means { budget, settings, told: Told { log, ask }, .. } = means;
    let mut counter = NodeCounter::start(budget);
    // A limit of nodes says which node is the last: one thread counts them.
    let alone = ThreadShare::alone();
    let thread_share = if budget.nodes() < u64::MAX { &alone } else { means.thread_share };
    let (mut bound, mut proof) = (root.f(), ProofByBound::new(ask));
    let stop = match counter.poll() {
        Some(limit) => Stop::Limit(limit),
        None => {
            let (counter, bound, proof) = (&mut counter, &mut bound, &mut proof);
            Search { expander, thread_share, settings, log, counter, bound, proof, stats: &mut *stats }.run(root, lists)
        }
    };
    log.end(counter.stats.generated);
    stats.add(&counter.stats);
    stats.generated += proof.generated();
    match stop {
        Stop::Proven(path) => Outcome::Solved(path),
        Stop::Goal(end) => Outcome::Solved(lists.archive.path(end)),
        Stop::Limit(limit) => Outcome::Unsolved { lower_bound: u64::from(bound).max(log.proven()), limit },
    }
}

/// The same, without a log.
#[cfg(test)]
pub(super) fn deepen<E: Expand>(
    expander: &E,
    root: E::Node,
    budget: &Budget,
    thread_share: &ThreadShare,
    settings: Settings,
    lists: &mut Lists<E>,
    stats: &mut Stats,
) -> Outcome {
    let told = Told { log: &SearchLog::default(), ask: None };
    let means = Means { budget, thread_share, settings, told };
    search(expander, root, &means, lists, stats)
}

struct Search<'a, 'b, 'c, E: Expand> {
    expander: &'a E,
    thread_share: &'a ThreadShare,
    settings: Settings,
    log: &'a SearchLog,
    counter: &'a mut NodeCounter<'b>,
    bound: &'a mut u16,
    /// A path from elsewhere.
    proof: &'a mut ProofByBound<'c>,
    /// What was done before this search.
    stats: &'a mut Stats,
}

impl<E: Expand> Search<'_, '_, '_, E> {
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
            self.log.begin_iteration((*self.bound).into(), self.counter.stats.generated);
            let mut parts = vec![lists.next_part()];
            let cut_nodes = CutNodes::Kept { max_steps: max_steps.saturating_sub(lists.archive.len()) };
            let end = self.pass(cut_nodes, &Done::default(), &lists.sections, &mut parts, &mut lists.scratch);
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
        let Settings { bytes, nodes_below, .. } = self.settings;
        let (list, frozen_at) = (lists.checksum(bytes, nodes_below), *self.bound);
        let Lists { scratch, sections, .. } = lists;
        // Those of the first part were cut beyond the bound at which the list was frozen.
        let due = |bound: u16| if bound == frozen_at { &sections[1..] } else { &sections[..] };
        let parts = |bound: u16| due(bound).iter().map(Section::chunks).sum::<usize>();
        let cut_nodes = CutNodes::Dropped { max_nodes: nodes_below };
        let mut done = match self.earlier(list, |earlier| earlier.fits(parts(earlier.bound), 0)) {
            Some(earlier) => self.go_on(earlier),
            None => self.begin_below(Halfway { list, parts: parts(frozen_at), ..Halfway::default() }),
        };
        loop {
            let mut kept = vec![Part::default()];
            if let End::Stop(stop) = self.pass(cut_nodes, &done, due(*self.bound), &mut kept, scratch) {
                return stop;
            }
            *self.bound += 2;
            self.log.begin_iteration((*self.bound).into(), self.counter.stats.generated);
            done = self.begin_below(Halfway { list, parts: parts(*self.bound), ..Halfway::default() });
        }
    }

    /// The same, where any shortest path will do.
    fn deepest_first(&mut self, lists: &mut Lists<E>) -> Stop {
        let Settings { bytes, nodes_below, .. } = self.settings;
        let checksum = lists.checksum(bytes, nodes_below);
        let mut list = DeepestFirst::new(lists.take_nodes());
        let mut earlier = self.earlier(checksum, |earlier| list.fits(earlier));
        loop {
            let done = match &earlier {
                Some(earlier) => {
                    self.proof.restore(earlier.other.as_ref());
                    self.go_on(earlier.clone())
                }
                None => {
                    self.begin_below(Halfway { list: checksum, other: self.proof.kept(), ..list.begin(*self.bound) })
                }
            };
            let &mut Search { expander, thread_share, log, .. } = self;
            let pass = deepest_first::Pass { expander, bound: *self.bound, done: &done, thread_share, log };
            if let Some(stop) = list.pass(&pass, earlier.take().as_ref(), &mut lists.scratch, self.counter) {
                return stop;
            }
            *self.bound += 2;
            if let Some(path) = self.proof.at(*self.bound, self.counter.stats.generated) {
                return Stop::Proven(path);
            }
            self.log.begin_iteration((*self.bound).into(), self.counter.stats.generated);
        }
    }

    /// Where an earlier search stood below this list, if it can be gone on from.
    fn earlier(&self, list: u64, fits: impl Fn(&Halfway) -> bool) -> Option<Halfway> {
        let is_within = |earlier: &Halfway| earlier.spent().is_some_and(|spent| spent <= self.counter.budget().nodes());
        let is_ahead = |earlier: &Halfway| earlier.bound >= *self.bound && earlier.bound % 2 == *self.bound % 2;
        self.log.earlier(list).filter(|earlier| is_ahead(earlier) && is_within(earlier) && fits(earlier))
    }

    /// Enters that an iteration below the frozen list begins, of which nothing is done.
    fn begin_below(&self, halfway: Halfway) -> Done {
        let (bound, before, others_before) = (*self.bound, self.counter.stats, *self.stats);
        self.log.search_below(Halfway { bound, before, others_before, ..halfway });
        Done::default()
    }

    /// Takes the search to where an earlier one stood; what is done.
    fn go_on(&mut self, earlier: Halfway) -> Done {
        *self.bound = earlier.bound;
        *self.stats = earlier.others_before;
        self.counter.stats = earlier.before;
        self.counter.add(&earlier.first_stats);
        let done = Done { first: earlier.first, others: earlier.others.clone() };
        self.log.go_on(earlier);
        done
    }

    fn pass(
        &mut self,
        cut_nodes: CutNodes,
        done: &Done,
        sections: &[Section<E::Node>],
        parts: &mut Vec<Part<E::Node>>,
        scratch: &mut ThreadScratch<E>,
    ) -> End {
        let &mut Search { expander, thread_share, log, ref bound, .. } = self;
        let Settings { help_from, tie_break, .. } = self.settings;
        let pass =
            Pass { expander, sections, done, bound: **bound, cut_nodes, thread_share, help_from, tie_break, log };
        pass.run(parts, scratch, self.counter)
    }
}
