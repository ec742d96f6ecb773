//! The iterations of a search, including those after memory runs out.

use super::chunk::{End, Node};
use super::expander::{Expander, follow_solution};
use super::frozen::{self, Done, Frozen};
use super::growing::Pass;
use super::incumbent::{Incumbent, Source};
use super::list::Lists;
use super::node_counter::NodeCounter;
use crate::board::Path;
use crate::engine::{Outcome, SearchLog, SearchSnapshot, Stats, ThreadShare, TieBreak};
use crate::system::Budget;

/// The number of nodes generated before idle threads are asked to help. Generating that many takes
/// about half a millisecond, and the next pass takes longer. Asking takes only about ten
/// microseconds.
pub(super) const MIN_NODES_FOR_HELP: u64 = 1 << 15;

/// The limits, threads and options of a search.
#[derive(Clone)]
pub struct Context<'a> {
    /// The limits.
    pub budget: &'a Budget<'a>,
    /// The threads that may help.
    pub thread_share: &'a ThreadShare,
    /// The number of nodes generated before idle threads are asked to help.
    pub help_from: u64,
    /// The choice among several shortest paths.
    pub tie_break: TieBreak,
    /// The log of iterations, which may contain a snapshot to resume from.
    pub log: SearchLog,
    /// The source of an incumbent, used only if any shortest path will do.
    pub incumbent: Option<Source<'a>>,
}

impl<'a> Context<'a> {
    /// Returns a context with default options: the canonical path, no log, and no incumbent.
    pub fn new(budget: &'a Budget<'a>, thread_share: &'a ThreadShare) -> Context<'a> {
        let (tie_break, log) = (TieBreak::Canonical, SearchLog::default());
        Context { budget, thread_share, help_from: MIN_NODES_FOR_HELP, tie_break, log, incumbent: None }
    }
}

enum Stop {
    Goal(Path),
    Limit(crate::system::Limit),
}

pub(super) fn search<E: Expander>(
    expander: &E,
    root: E::Node,
    (context, bytes): (&Context, usize),
    lists: &mut Lists<E>,
    stats: &mut Stats,
) -> Outcome {
    let (budget, log) = (context.budget, &context.log);
    if root.h() == 0 {
        stats.generated += 1;
        return Outcome::Solved(Path::new());
    }
    // With a node limit, the search uses one thread, because the count must be exact.
    let alone = ThreadShare::alone();
    let thread_share = if budget.nodes() < u64::MAX { &alone } else { context.thread_share };
    let counter = NodeCounter::start(budget);
    let incumbent = Incumbent::new(context.incumbent.filter(|_| context.tie_break.takes_any()));
    let mut search =
        Search { expander, context, bytes, thread_share, counter, bound: root.f(), incumbent, prior_work: *stats };
    let stop = match search.counter.poll() {
        Some(limit) => Stop::Limit(limit),
        None => search.run(root, lists),
    };
    let Search { counter, bound, incumbent, prior_work, .. } = search;
    *stats = prior_work;
    log.end(counter.stats.generated);
    stats.add(&counter.stats);
    stats.generated += incumbent.generated();
    match stop {
        Stop::Goal(path) => Outcome::Solved(path),
        Stop::Limit(limit) => Outcome::Unsolved { lower_bound: u64::from(bound).max(log.proven()), limit },
    }
}

struct Search<'a, E: Expander> {
    expander: &'a E,
    context: &'a Context<'a>,
    bytes: usize,
    thread_share: &'a ThreadShare,
    counter: NodeCounter<'a>,
    bound: u16,
    incumbent: Incumbent<'a>,
    /// The work done for the board before this search.
    prior_work: Stats,
}

impl<E: Expander> Search<'_, E> {
    fn run(&mut self, root: E::Node, lists: &mut Lists<E>) -> Stop {
        let any_solution = self.context.tie_break.takes_any();
        let max_generated = Lists::<E>::max_generated(self.bytes);
        lists.begin(root, max_generated as usize);
        // Iterate while the lists fit into memory.
        let mut spent = 1;
        let (mut frozen, full) = loop {
            self.begin_iteration();
            let mut parts = vec![lists.next_part()];
            let (help_from, before) = (self.context.help_from, self.counter.stats.generated);
            let &mut Search { expander, thread_share, bound, .. } = self;
            let remaining = max_generated.saturating_sub(spent);
            let pass = Pass { expander, list: &lists.list, bound, max_generated: remaining, thread_share, help_from };
            let end = pass.run(&mut parts, &mut lists.memory, &mut self.counter);
            spent += self.counter.stats.generated - before;
            match end {
                End::Limit(limit) => return Stop::Limit(limit),
                End::Goal(place) => return self.solution(lists, None, place),
                End::Exhausted | End::Full(_) => {}
            }
            let previous = lists.advance(bound, parts, any_solution);
            if let End::Full(full) = end {
                let mut frozen = std::mem::take(&mut lists.frozen);
                lists.freeze(previous, full, frozen.begin(any_solution));
                frozen.init_depths();
                break (frozen, full);
            }
            assert!(lists.list.len() > 0, "a solvable state has a path");
            lists.retire(previous);
            self.bound += 2;
        };
        let stop = self.run_frozen(lists, &mut frozen, full);
        lists.frozen = frozen;
        stop
    }

    /// Runs the iterations on a list that was frozen at chunk `full`.
    fn run_frozen(&mut self, lists: &mut Lists<E>, frozen: &mut Frozen<E::Node>, full: usize) -> Stop {
        let list_checksum = frozen.checksum(self.bytes);
        let mut earlier = self.earlier_snapshot(list_checksum, |earlier| frozen.fits(earlier));
        loop {
            let done = match &earlier {
                Some(earlier) => {
                    self.incumbent.restore(earlier.incumbent.as_ref());
                    self.resume(earlier.clone())
                }
                None => self.begin_frozen_iteration(SearchSnapshot {
                    list_checksum,
                    incumbent: self.incumbent.saved(),
                    ..frozen.begin_iteration(self.bound)
                }),
            };
            let &mut Search { expander, thread_share, bound, .. } = self;
            let pass = frozen::Pass { expander, bound, done: &done, thread_share, log: &self.context.log };
            match frozen.pass(&pass, earlier.take().as_ref(), &mut lists.memory, &mut self.counter) {
                End::Limit(limit) => return Stop::Limit(limit),
                End::Goal(place) => return self.solution(lists, Some(full), place),
                End::Exhausted | End::Full(_) => {}
            }
            self.bound += 2;
            if let Some(path) = self.incumbent.proven_at(self.bound, self.counter.stats.generated) {
                return Stop::Goal(path);
            }
            self.begin_iteration();
        }
    }

    /// Returns the solution below the node with this index in the list.
    fn solution(&mut self, lists: &mut Lists<E>, frozen: Option<usize>, place: usize) -> Stop {
        let &mut Search { expander, context, bound, .. } = self;
        let (mut path, node) = lists.path_to(expander, frozen, place);
        let any_solution = context.tie_break.takes_any();
        match follow_solution(expander, &node, (bound, any_solution), &mut lists.memory, context.budget, &mut path) {
            Ok(()) => Stop::Goal(path.into_iter().collect()),
            Err(limit) => Stop::Limit(limit),
        }
    }

    fn begin_iteration(&self) {
        self.context.log.begin_iteration(self.bound.into(), self.counter.stats.generated);
    }

    /// Returns the snapshot of an earlier search on the list with this checksum, if it can be
    /// resumed.
    fn earlier_snapshot(&self, checksum: u64, fits: impl Fn(&SearchSnapshot) -> bool) -> Option<SearchSnapshot> {
        let is_within =
            |earlier: &SearchSnapshot| earlier.spent().is_some_and(|spent| spent <= self.counter.budget().nodes());
        let is_ahead = |earlier: &SearchSnapshot| earlier.bound >= self.bound && earlier.bound % 2 == self.bound % 2;
        let earlier = self.context.log.take_earlier(checksum);
        earlier.filter(|earlier| is_ahead(earlier) && is_within(earlier) && fits(earlier))
    }

    /// Logs the start of an iteration on the frozen list, and returns its completed parts: none.
    fn begin_frozen_iteration(&self, snapshot: SearchSnapshot) -> Done {
        let (bound, stats_before_parts, prior_work) = (self.bound, self.counter.stats, self.prior_work);
        self.context.log.begin_frozen_iteration(SearchSnapshot { bound, stats_before_parts, prior_work, ..snapshot });
        Done::default()
    }

    /// Restores the state of an earlier search and returns its completed parts.
    fn resume(&mut self, earlier: SearchSnapshot) -> Done {
        self.bound = earlier.bound;
        self.prior_work = earlier.prior_work;
        self.counter.stats = earlier.stats_before_parts;
        self.counter.add(&earlier.stats_before_first_incomplete);
        let done = Done { first_incomplete: earlier.first_incomplete, later: earlier.later_stats.clone() };
        self.context.log.resume(earlier);
        done
    }
}
