//! The iterations of a search, including those after memory has run out. They can also prove that
//! the path found by another engine is shortest.

use std::ops::ControlFlow;

use super::expander::{CutNodes, DynExpander, NodeChunk, NodeCounter, PassEnd, ThreadMemory, expand};
use super::frozen;
use super::growing;
use super::list::Lists;
use super::nodes::{Costs, NodeSlice, Nodes, TreeNode};
use crate::board::Path;
use crate::engine::search_log::OtherPath;
use crate::engine::{Outcome, SearchLog, SearchSnapshot, Stats, ThreadShare, TieBreak};
use crate::system::{Budget, Limit};

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
    /// The source of an incumbent (a path found by another engine), used only if any shortest path
    /// will do.
    pub incumbent: Option<IncumbentSource<'a>>,
}

impl<'a> Context<'a> {
    /// Returns a context with default options: the canonical path, no log, and no incumbent.
    pub fn new(budget: &'a Budget<'a>, thread_share: &'a ThreadShare) -> Context<'a> {
        let (tie_break, log) = (TieBreak::Canonical, SearchLog::default());
        Context { budget, thread_share, help_from: MIN_NODES_FOR_HELP, tie_break, log, incumbent: None }
    }
}

/// Finds a shortest path from `root`. The lists may take `bytes` bytes.
pub(super) fn search(
    expander: &dyn DynExpander,
    root: &dyn Nodes,
    (context, bytes): (&Context, usize),
    lists: &mut Lists,
    stats: &mut Stats,
) -> Outcome {
    let (budget, log, costs) = (context.budget, &context.log, root.costs()[0]);
    if costs.h == 0 {
        stats.generated += 1;
        return Outcome::Solved(Path::new());
    }
    // With a node limit, the search uses one thread, because the count must be exact.
    let alone = ThreadShare::alone();
    let thread_share = if budget.nodes() < u64::MAX { &alone } else { context.thread_share };
    let (counter, any_solution) = (NodeCounter::start(budget), context.tie_break.takes_any());
    let incumbent = Incumbent::new(context.incumbent.filter(|_| any_solution));
    let (bound, prior_work) = (costs.f(), *stats);
    let mut search = IterativeDeepening {
        expander,
        root,
        context,
        any_solution,
        bytes,
        thread_share,
        counter,
        bound,
        incumbent,
        prior_work,
    };
    let found = match search.counter.poll() {
        Some(limit) => Err(limit),
        None => search.run(lists),
    };
    let IterativeDeepening { counter, bound, incumbent, prior_work, .. } = search;
    *stats = prior_work;
    log.end(counter.stats.generated);
    stats.add(&counter.stats);
    stats.generated += incumbent.generated;
    match found {
        Ok(path) => Outcome::Solved(path),
        Err(limit) => Outcome::Unsolved { lower_bound: u64::from(bound).max(log.proven()), limit },
    }
}

struct IterativeDeepening<'a> {
    expander: &'a dyn DynExpander,
    root: &'a dyn Nodes,
    context: &'a Context<'a>,
    /// True if any shortest path will do.
    any_solution: bool,
    /// The memory for lists, in bytes.
    bytes: usize,
    thread_share: &'a ThreadShare,
    counter: NodeCounter<'a>,
    bound: u16,
    incumbent: Incumbent<'a>,
    /// The work done for the board before this search.
    prior_work: Stats,
}

impl IterativeDeepening<'_> {
    /// Runs the iterations. If memory runs out, the list is frozen for the remaining iterations.
    fn run(&mut self, lists: &mut Lists) -> Result<Path, Limit> {
        let max_nodes = Lists::max_generated(self.root, self.bytes);
        lists.begin(self.root, max_nodes as usize);
        loop {
            self.begin_iteration();
            let mut parts = vec![lists.new_part()];
            let max_generated = max_nodes.saturating_sub(self.counter.stats.generated);
            let (list, help_from) = (&lists.list, self.context.help_from);
            let &mut IterativeDeepening { expander, thread_share, bound, .. } = self;
            let pass = growing::Pass { expander, list, bound, max_generated, thread_share, help_from };
            let full = match pass.run(&mut parts, &mut lists.memory, &mut self.counter) {
                ControlFlow::Continue(()) => None,
                ControlFlow::Break(PassEnd::Full(chunk)) => Some(chunk),
                ControlFlow::Break(PassEnd::Goal(index)) => return self.solution(lists, index),
                ControlFlow::Break(PassEnd::Limit(limit)) => return Err(limit),
            };
            lists.advance(bound, parts, self.any_solution, full);
            if full.is_some() {
                return self.run_frozen(lists);
            }
            assert!(lists.list.len() > 0, "a solvable state has a path");
            self.bound += 2;
        }
    }

    /// Runs the iterations on the frozen list.
    fn run_frozen(&mut self, lists: &mut Lists) -> Result<Path, Limit> {
        let log = &self.context.log;
        let list_checksum = lists.frozen.checksum(self.bytes);
        let mut earlier = log.take_earlier(list_checksum).filter(|earlier| self.can_resume(earlier, lists));
        loop {
            let snapshot = match earlier.take() {
                Some(earlier) => {
                    self.resume(&earlier);
                    earlier
                }
                None => {
                    let snapshot = SearchSnapshot {
                        list_checksum,
                        prior_work: self.prior_work,
                        stats_before_parts: self.counter.stats,
                        incumbent: self.incumbent.saved(),
                        ..lists.frozen.begin_iteration(self.bound)
                    };
                    log.begin_frozen_iteration(snapshot.clone());
                    snapshot
                }
            };
            let &mut IterativeDeepening { expander, thread_share, .. } = self;
            let pass = frozen::Pass { expander, thread_share, log, snapshot: &snapshot };
            match lists.frozen.run_iteration(&pass, &mut lists.memory, &mut self.counter) {
                ControlFlow::Break(PassEnd::Limit(limit)) => return Err(limit),
                ControlFlow::Break(PassEnd::Goal(index)) => return self.solution(lists, index),
                ControlFlow::Break(PassEnd::Full(_)) | ControlFlow::Continue(()) => {}
            }
            self.bound += 2;
            if let Some(path) = self.incumbent.proven_at(self.bound, self.counter.stats.generated) {
                return Ok(path);
            }
            self.begin_iteration();
        }
    }

    /// Returns the path from the root to the solution below the node with this index in the list.
    /// Below that node, each step goes to the first child that has a solution below it or, if any
    /// solution will do, to some such child. This generates at most about twice as many nodes as
    /// finding the solution did, because the tree to search shrinks by half or more with every
    /// move. These nodes are not counted.
    fn solution(&self, lists: &mut Lists, index: usize) -> Result<Path, Limit> {
        let (mut path, mut node) = lists.path_to(self.expander, self.root, index);
        let (bound, cut_nodes) = (self.bound, CutNodes::Dropped { any_solution: self.any_solution });
        let budget = self.context.budget.without_nodes();
        let mut counter = NodeCounter::start(&budget);
        let ThreadMemory { expander: memory, result, .. } = &mut lists.memory;
        let (mut h, mut steps, mut children, mut costs) =
            (node.costs()[0].h, Vec::new(), Box::<dyn Nodes>::default(), Vec::new());
        while h > 0 {
            self.expander.children(&*node, bound, memory, &mut steps, &mut children);
            costs.clear();
            children.append_costs(&mut costs);
            let found = match costs.iter().position(|child: &Costs| child.h == 0) {
                None if steps.len() > 1 => {
                    let chunk = NodeChunk { roots: NodeSlice::all(&*children), bound, cut_nodes };
                    expand(self.expander, &chunk, memory, &mut counter, result)?
                }
                goal_or_only => goal_or_only.or(Some(0)),
            };
            let Some(found) = found else { unreachable!("a solution was found below the node") };
            path.push(steps[found]);
            node.truncate(0);
            children.copy_to(&[found as u32], 0, &mut node);
            h = costs[found].h;
        }
        Ok(path.into_iter().collect())
    }

    fn begin_iteration(&self) {
        self.context.log.begin_iteration(self.bound.into(), self.counter.stats.generated);
    }

    /// Returns true if the snapshot of an earlier search on the frozen list can be resumed.
    fn can_resume(&self, earlier: &SearchSnapshot, lists: &Lists) -> bool {
        let is_ahead = earlier.bound >= self.bound && earlier.bound % 2 == self.bound % 2;
        let is_within = earlier.spent().is_some_and(|spent| spent <= self.counter.budget.nodes());
        is_ahead && is_within && lists.frozen.fits(earlier)
    }

    /// Continues from the snapshot of an earlier search.
    fn resume(&mut self, earlier: &SearchSnapshot) {
        self.bound = earlier.bound;
        self.prior_work = earlier.prior_work;
        self.counter.stats = earlier.stats_before_parts;
        self.counter.stats.add(&earlier.stats_before_first_incomplete);
        self.incumbent.restore(earlier.incumbent.as_ref());
        self.context.log.resume(earlier.clone());
    }
}

/// The number of nodes that a search with pattern databases generates before the beam runs: twice
/// as many as the beam generates. The beam saves only the last iteration, which rarely has to be
/// searched far. So an earlier beam would cost easier boards more than it saves.
pub(super) const BEAM_AFTER: u64 = 60_000_000;

/// A source of incumbents: another engine that searches for a path.
#[derive(Clone, Copy)]
pub struct IncumbentSource<'a> {
    /// Searches for a path and adds its work to the stats. Returns `None` if it found no path, or
    /// if a limit interrupted it.
    pub(super) find: &'a (dyn Fn(&mut Stats) -> Option<Path> + Sync),
    /// The number of nodes that the search generates before the source is used.
    pub(super) after: u64,
}

/// The incumbent: a path found by another engine, if there is one. It is proven shortest once every
/// bound below its length has been searched without a solution.
///
/// Without a good node ordering, the last iteration is most of a search. Even with a good one, the
/// last iteration searches the whole list on some boards. A beam search finds a shortest path of
/// most 24-puzzles in seconds (`engine/good`), which makes the last iteration unnecessary. The beam
/// runs at the end of the iteration in which the search reaches [`BEAM_AFTER`] nodes, not after a
/// certain time. So it costs easy boards nothing, and the path does not depend on the number of
/// threads. Only searches for any shortest path have an incumbent, because the beam's path need not
/// be the canonical one.
struct Incumbent<'a> {
    source: Option<IncumbentSource<'a>>,
    path: Option<Path>,
    /// The number of nodes that the source generated.
    generated: u64,
}

impl<'a> Incumbent<'a> {
    fn new(source: Option<IncumbentSource<'a>>) -> Incumbent<'a> {
        Incumbent { source, path: None, generated: 0 }
    }

    fn restore(&mut self, saved: Option<&OtherPath>) {
        if let Some(OtherPath { letters, nodes }) = saved
            && let Ok(path) = letters.parse()
        {
            (self.path, self.generated) = (Some(path), *nodes);
        }
    }

    /// Returns the incumbent as saved in a snapshot.
    fn saved(&self) -> Option<OtherPath> {
        self.path.as_ref().map(|path| OtherPath { letters: path.to_string(), nodes: self.generated })
    }

    /// Uses the source if it is due. Then returns the path if its length is at most `bound`, the
    /// bound of the next iteration: such a path is a shortest one. `generated` is the number of
    /// nodes that the search has generated so far.
    fn proven_at(&mut self, bound: u16, generated: u64) -> Option<Path> {
        // A source that found nothing is not used again.
        if self.path.is_none()
            && let Some(IncumbentSource { find, .. }) = self.source.take_if(|source| generated >= source.after)
        {
            let mut stats = Stats::default();
            self.path = find(&mut stats);
            self.generated += stats.generated;
        }
        self.path.take_if(|path| path.len() <= usize::from(bound))
    }
}
