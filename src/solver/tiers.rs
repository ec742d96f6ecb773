//! Builds tables when they pay off.
//!
//! The boards of a [`Space`] (a shape with a goal in the canonical frame) are first searched with a
//! *base heuristic*, which is cheap to build. Above it are *tiers* of tables, each more expensive
//! to build and faster to search with than the one below. Two rules decide when a tier is built:
//!
//! * *Expected boards.* When a board arrives that is as far from its goal as random boards are, and
//!   more such boards are expected, the tier is chosen that minimises the cost of building it and
//!   solving the expected number of random boards. The expected number is the number of boards to
//!   come times the fraction of earlier boards that were far.
//! * *Break-even.* The *break-even cost* is the build cost of the next tier, divided by the
//!   fraction of the cost that the next tier would have saved. When the cost spent at a tier
//!   reaches the break-even cost, the next tier is built (the ski-rental problem; Karlin, Manasse,
//!   Rudolph, Sleator 1988). A board whose search takes half of what is left of the break-even cost
//!   is searched again at the next tier, unless its iteration is predicted to end within the other
//!   half. So the total is at most about twice the minimum, whatever boards arrive. Once enough
//!   boards were solved, the next tier is also built if the predicted cost of the boards to come
//!   reaches the break-even cost.
//!
//! Costs are counted in nodes and in table entries, each with a weight
//! ([`tables`](super::tables)). So without a time limit, the tiers built depend only on the boards,
//! not on a clock, and on one thread a run always does the same work.
//!
//! All tiers share one memory budget: a tier that does not fit is not built, nor is any above it.
//! Searches with a *node* limit stay at the base heuristic, because their results would otherwise
//! depend on the tier.

#[cfg(test)]
mod tests;

use std::fmt;
use std::iter;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use parking_lot::RwLock;

use super::settings::HeuristicKind;
use super::tables::{EngineBuilder, FarBoards, PER_BASE_NODE, PER_SEARCH, TableSet};
use crate::board::frame::Space;
use crate::engine::contract::{AnsweredBy, Engine, Job, LowerBounds, Readiness, Scratch, WorkDone};
use crate::engine::ida::BuiltTables;
use crate::engine::{EngineKind, Outcome, SearchLog, full_table};
use crate::heuristic::pdb::Pattern;
use crate::system::{Budget, Footprint, InputPosition, Meter, stopped_at};

/// The engines of a space.
pub struct Tiers {
    space: Space,
    /// The builder that the tiers of all spaces share. It has their common memory budget.
    builder: Arc<EngineBuilder>,
    /// The tiers in the order in which they are built. Tier 0 is the base.
    tiers: Vec<Tier>,
    /// The costs of far boards, if they are known for the shape.
    far: Option<&'static FarBoards>,
    /// The number of tiers that may be built: those before the first that takes too much memory.
    allowed_tiers: AtomicUsize,
    counts: BoardCounts,
    /// The tables that collections share. A thread that builds holds the write lock, and the other
    /// threads wait.
    built: RwLock<BuiltTables>,
}

/// Tables that may be built, and the engine over them once they are built.
struct Tier {
    /// The tables; `None` for the base.
    tables: Option<TableSet>,
    /// The build cost, given the tables of the tier below.
    build_cost: f64,
    /// The cost of a node at this tier.
    node_cost: f64,
    /// The longest time after which a build was stopped, in nanoseconds.
    given_up_after: AtomicU64,
    /// The engine. The base is built for the first board that needs it. Random boards may never
    /// need it.
    engine: OnceLock<Arc<dyn Engine>>,
}

/// The numbers of boards so far, and the cost of their searches.
#[derive(Default)]
struct BoardCounts {
    /// The number of boards that arrived.
    boards: AtomicU64,
    /// The number of those that were as far from the goal as random ones.
    far_boards: AtomicU64,
    /// The number of boards being searched.
    searching: AtomicU64,
    /// The number of boards whose searches have ended at the highest tier that is built.
    solved: AtomicU64,
    /// The cost of the boards counted in `solved`.
    spent: AtomicU64,
}

impl fmt::Debug for Tiers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tiers({}, at tier {})", self.space.shape, self.current_tier())
    }
}

impl Tiers {
    /// Minimum number of boards from whose mean cost the cost of others is predicted. A smaller
    /// sample is unreliable, because one board in a hundred takes ten times the mean.
    const SAMPLE: u64 = 16;

    /// Creates the tiers worth building for a space, or returns `None` if the space has no tiers.
    /// Each is built only if it fits into the memory budget at that time.
    pub fn new(space: &Space, builder: &Arc<EngineBuilder>) -> Option<Tiers> {
        let mut patterns_below: Vec<Pattern> = Vec::new();
        let tier = |tables: Option<TableSet>| {
            let build_cost = tables.as_ref().map_or(0.0, |tables| tables.build_cost(space, &patterns_below));
            let node_cost = tables.as_ref().map_or(PER_BASE_NODE, TableSet::node_cost);
            patterns_below = tables.as_ref().map_or(Vec::new(), |tables| tables.shared().to_vec());
            let (given_up_after, engine) = (AtomicU64::new(0), OnceLock::new());
            Tier { tables, build_cost, node_cost, given_up_after, engine }
        };
        let above_base = TableSet::of(space).into_iter().map(Some);
        let tiers: Vec<Tier> = iter::once(None).chain(above_base).map(tier).collect();
        (tiers.len() > 1).then(|| Tiers {
            space: *space,
            builder: Arc::clone(builder),
            far: FarBoards::of(space.shape).filter(|far| far.costs.len() == tiers.len()),
            allowed_tiers: AtomicUsize::new(tiers.len()),
            counts: BoardCounts::default(),
            built: RwLock::default(),
            tiers,
        })
    }

    /// Returns the base search, which the first call builds.
    pub fn base(&self) -> &Arc<dyn Engine> {
        self.tiers[0].engine.get_or_init(|| self.builder.base(&self.space))
    }

    /// Returns the highest tier that is built. Tiers below it may have been skipped.
    fn current_tier(&self) -> usize {
        self.tiers.iter().rposition(|tier| tier.engine.get().is_some()).unwrap_or(0)
    }

    /// Returns the tiers that may be built.
    fn allowed(&self) -> &[Tier] {
        &self.tiers[..self.allowed_tiers.load(Ordering::Relaxed)]
    }

    /// Returns the time that building a tier is expected to take, which is at least the time after
    /// which a build of the tier was stopped. Costs are in nanoseconds of one thread.
    fn build_time(&self, tier: &Tier) -> Duration {
        let expected = (tier.build_cost / self.builder.threads.max(1) as f64) as u64;
        Duration::from_nanos(expected.max(tier.given_up_after.load(Ordering::Relaxed)))
    }

    /// Returns true if a tier can be built in half of a board's remaining time. The other half is
    /// for the board's search, and a reserve in case the machine is busy.
    fn is_in_time(&self, tier: &Tier, budget: &Budget<'_>) -> bool {
        let is_early = |end: Instant| 2 * self.build_time(tier) <= end.saturating_duration_since(Instant::now());
        budget.deadline().is_none_or(is_early)
    }

    /// Returns the tier that minimises the cost of building it and solving `boards` random boards.
    fn best_tier(&self, current: usize, boards: f64) -> usize {
        let Some(far) = self.far else { return current };
        let build_cost = |tier: usize| if tier == current { 0.0 } else { self.tiers[tier].build_cost };
        let cost = |&tier: &usize| build_cost(tier) + boards * far.costs[tier];
        let choices = current..self.allowed().len();
        choices.min_by(|a, b| cost(a).total_cmp(&cost(b))).unwrap_or(current)
    }

    /// Counts a board that arrives. If it is as far from the goal as random boards and more such
    /// boards are expected, builds the tier that is best for the expected number. A single board
    /// may take a hundredth of the mean, so no tier is built for it until its search has taken
    /// long.
    fn arrive(&self, job: &Job<'_>) {
        // With a time limit the board is searched first: its search may end before the tables would
        // be ready.
        let far = self.far.filter(|_| job.budget.deadline().is_none());
        let distance = || job.problem.board.manhattan_distance(job.problem.goal);
        let is_far = far.is_some_and(|far| distance() >= far.min_distance);
        self.counts.boards.fetch_add(1, Ordering::Relaxed);
        let far_boards = u64::from(is_far) + self.counts.far_boards.fetch_add(u64::from(is_far), Ordering::Relaxed);
        let current = self.current_tier();
        // The boards to come are estimated only if the decision depends on them.
        if is_far && self.best_tier(current, 1e12) > current {
            let expected = 1.0 + far_boards as f64 * job.input_position.ratio();
            let best = if expected < 2.0 { current } else { self.best_tier(current, expected) };
            self.promote(current, best, job.budget);
        }
    }

    /// Returns the cost that may be spent at tier `current` before the next one pays off. `None` if
    /// there is no next tier that can be built in time.
    fn break_even(&self, current: usize, budget: &Budget<'_>) -> Option<f64> {
        let next = self.allowed().get(current + 1).filter(|next| self.is_in_time(next, budget))?;
        let costs = self.far.and_then(|far| far.costs.get(current..current + 2));
        // The costs of far boards are rough. So a tier is assumed to save at least half of the
        // cost, and at most twice its build cost is spent before it is built.
        let saved = costs.map_or(1.0, |costs| (1.0 - costs[1] / costs[0]).max(0.5));
        Some(next.build_cost / saved)
    }

    /// Counts a board and its cost, and returns true if the next tier pays off.
    fn add_cost(&self, current: usize, cost: f64, budget: &Budget<'_>, input_position: &InputPosition) -> bool {
        if self.current_tier() != current {
            return false;
        }
        let solved = 1 + self.counts.solved.fetch_add(1, Ordering::Relaxed);
        let spent = cost + self.counts.spent.fetch_add(cost as u64, Ordering::Relaxed) as f64;
        let Some(break_even) = self.break_even(current, budget) else { return false };
        // The cost of the boards to come is predicted again only when the sample has doubled.
        let is_prediction_due = solved >= Self::SAMPLE && solved.is_power_of_two();
        let boards = self.counts.boards.load(Ordering::Relaxed) as f64;
        let expected = || spent / solved as f64 * boards * input_position.ratio();
        spent >= break_even || is_prediction_due && expected() >= break_even
    }

    /// Builds tier `to`, or the highest tier between `from` and `to` that fits. Does nothing if
    /// another thread has built a tier meanwhile. Tiers are built one at a time, on all threads. A
    /// build that would not finish in time is not started, and one that has not finished at the
    /// deadline is stopped.
    fn promote(&self, from: usize, to: usize, budget: &Budget<'_>) {
        if to <= from || !self.is_in_time(&self.tiers[to], budget) {
            return;
        }
        // Another thread may be building: this board's own limits are polled meanwhile.
        let mut built = loop {
            match self.built.try_write_for(Duration::from_millis(1)) {
                Some(built) => break built,
                None if budget.interrupted().is_some() => return,
                None => {}
            }
        };
        if self.current_tier() != from {
            return;
        }
        for index in (from + 1..=to).rev() {
            let (tier, began) = (&self.tiers[index], Instant::now());
            // Waiting for the lock may have taken time.
            if !self.is_in_time(tier, budget) {
                return;
            }
            if stopped_at(budget.deadline(), budget.stop(), |stop| self.build(tier, &mut built, stop)) {
                self.counts.solved.store(0, Ordering::Relaxed);
                self.counts.spent.store(0, Ordering::Relaxed);
                return;
            }
            // The build was stopped, by the run or by this board's deadline. The tier may still
            // fit, and later boards may have more time.
            if budget.interrupted().is_some() {
                tier.given_up_after.fetch_max(began.elapsed().as_nanos() as u64, Ordering::Relaxed);
                return;
            }
            self.allowed_tiers.fetch_min(index, Ordering::Relaxed);
        }
    }

    /// Builds a tier. Returns false if the tier does not fit or if `stop` is set.
    fn build(&self, tier: &Tier, built: &mut BuiltTables, stop: &AtomicBool) -> bool {
        let Some(tables) = &tier.tables else { return false };
        let (shown, footprint) = ((tables.name(), Some(self.build_time(tier))), self.footprint(tables, built));
        let engine = self.builder.build(&self.space, tables, shown, footprint, built, stop);
        engine.is_some_and(|engine| tier.engine.set(engine).is_ok())
    }

    /// Returns the footprint of tables, without those already built.
    fn footprint(&self, tables: &TableSet, built: &BuiltTables) -> Footprint {
        let patterns: Vec<Pattern> = built.tables.iter().map(|table| table.pattern().clone()).collect();
        tables.footprint(&self.space, self.builder.threads, &patterns)
    }

    /// Returns true if enough memory is free to build a tier. If not, the tier and those above it
    /// are never built. While a tier is being built, returns true without a check: the search that
    /// asks then ends, and its board waits for that tier.
    fn fits(&self, tier: usize) -> bool {
        let (Some(built), Some(tables)) = (self.built.try_read(), &self.tiers[tier].tables) else { return true };
        let fits = self.builder.memory_budget.fits(self.footprint(tables, &built));
        if !fits {
            self.allowed_tiers.fetch_min(tier, Ordering::Relaxed);
        }
        fits
    }

    /// Promotes to the tier at which an earlier search of the board ran, if that can be built.
    fn promote_to_tier_of_earlier_search(&self, work: &WorkDone, budget: &Budget<'_>) {
        let Some(heuristic) = work.log.earlier_heuristic() else { return };
        let is_earlier = |tier: &Tier| tier.tables.as_ref().is_some_and(|tables| tables.name() == heuristic);
        self.promote(self.current_tier(), self.tiers.iter().position(is_earlier).unwrap_or(0), budget);
    }

    /// Searches a board at a tier until the search ends or the next tier pays off. Returns the
    /// outcome, whether the search was limited by a next tier, and the cost.
    fn search(&self, tier: usize, job: &Job<'_>, scratch: &mut Scratch, work: &mut WorkDone) -> (Outcome, bool, f64) {
        let Tier { engine, node_cost, .. } = &self.tiers[tier];
        let engine = engine.get().unwrap_or_else(|| self.base());
        // The remaining break-even cost is divided among the boards being searched.
        let searching = 1 + self.counts.searching.fetch_add(1, Ordering::Relaxed);
        let unspent = |break_even: f64| break_even - self.counts.spent.load(Ordering::Relaxed) as f64;
        let nodes = |break_even: f64| unspent(break_even).max(0.0) / searching as f64 / node_cost;
        let patience = self
            .break_even(tier, job.budget)
            .map(|break_even| Patience::new(self, tier + 1, nodes(break_even), work.log.clone()));
        let before = work.stats.generated;
        let budget = patience.as_ref().map_or(*job.budget, |patience| job.budget.metered(patience));
        work.answered_by = AnsweredBy::Engine;
        let outcome = engine.solve(&Job { budget: &budget, ..*job }, scratch, work);
        self.counts.searching.fetch_sub(1, Ordering::Relaxed);
        let search_start = if tier == 0 { 0.0 } else { PER_SEARCH };
        (outcome, patience.is_some(), search_start + (work.stats.generated - before) as f64 * node_cost)
    }
}

/// The number of nodes that a search may generate, on all its threads together, before the next
/// tier is built. When half of them are used up, the search may continue only if its iteration is
/// predicted, from the growth of earlier iterations, to end within the other half. A search is not
/// ended for a tier that does not fit into the memory, because it would begin again at its own
/// tier.
#[derive(Debug)]
struct Patience<'a> {
    tiers: &'a Tiers,
    /// The next tier.
    next: usize,
    nodes: u64,
    log: SearchLog,
    polls: AtomicU64,
    /// The number of polls after which the limit is checked next.
    next_check: AtomicU64,
}

impl<'a> Patience<'a> {
    /// Allows `nodes` nodes before tier `next` is built.
    fn new(tiers: &'a Tiers, next: usize, nodes: f64, log: SearchLog) -> Patience<'a> {
        let first_check = AtomicU64::new((nodes / 2.0 / Budget::POLL_NODES as f64) as u64);
        Patience { tiers, next, nodes: nodes as u64, log, polls: AtomicU64::new(0), next_check: first_check }
    }
}

impl Meter for Patience<'_> {
    fn is_spent(&self) -> bool {
        let polls = self.polls.fetch_add(1, Ordering::Relaxed);
        if polls < self.next_check.load(Ordering::Relaxed) {
            return false;
        }
        let generated = polls * Budget::POLL_NODES;
        let rest = self.log.to_end_of_iteration(generated);
        let next_check = match rest.filter(|&rest| rest > 0 && generated + rest <= self.nodes) {
            Some(rest) => polls + rest.div_ceil(Budget::POLL_NODES),
            None if self.tiers.fits(self.next) => return true,
            None => u64::MAX,
        };
        self.next_check.store(next_check, Ordering::Relaxed);
        false
    }
}

impl Engine for Tiers {
    fn name(&self) -> &'static str {
        EngineKind::IdaStar.name()
    }

    fn heuristic(&self) -> Option<&str> {
        Some(HeuristicKind::WalkingConflict.name())
    }

    /// Solves a board at the highest tier that is built, and promotes when the next one pays off.
    fn solve(&self, job: &Job<'_>, scratch: &mut Scratch, work: &mut WorkDone) -> Outcome {
        let budget = job.budget;
        if budget.nodes() != u64::MAX {
            return self.base().solve(job, scratch, work);
        }
        self.promote_to_tier_of_earlier_search(work, budget);
        self.arrive(job);
        loop {
            // Before a search, a thread waits for tables that another thread builds, but polls its
            // own limits every millisecond.
            if self.built.try_read_for(Duration::from_millis(1)).is_none() && budget.interrupted().is_none() {
                continue;
            }
            let current = self.current_tier();
            let (outcome, was_limited, cost) = self.search(current, job, scratch, work);
            // Whether there is a next tier may have changed meanwhile. What counts is whether this
            // search was limited by one.
            let is_over =
                !matches!(outcome, Outcome::Unsolved { .. }) || budget.interrupted().is_some() || !was_limited;
            if !is_over || self.add_cost(current, cost, budget, job.input_position) {
                self.promote(current, (current + 1).min(self.allowed().len() - 1), budget);
            }
            if !is_over {
                continue;
            }
            let Outcome::Unsolved { lower_bound, limit } = outcome else { return outcome };
            // A bound proven at a lower tier remains true, even if the search with larger tables
            // did not reach it again. The limit reported is the board's own, even if the search was
            // ended for the next tier just before it would have reached that limit.
            let lower_bound = lower_bound.max(work.log.proven());
            return Outcome::Unsolved { lower_bound, limit: budget.interrupted().unwrap_or(limit) };
        }
    }

    /// Returns the full table if it is built: it is the highest tier.
    #[inline]
    fn full_table(&self) -> Option<&full_table::Table> {
        self.tiers.last()?.engine.get()?.full_table()
    }

    fn lower_bounds(&self, which: Readiness) -> LowerBounds<'_> {
        // Nothing is built for bounds: if no engine offers any, paths are counted with
        // walking-conflict, as if the base were built.
        let tiers = self.tiers.iter().rev().filter(|_| which == Readiness::Latest);
        let mut bounds = tiers.filter_map(|tier| Some(tier.engine.get()?.lower_bounds(which)));
        // A search over a collection offers no bounds, so the bounds of a lower tier are used.
        bounds.find(|bounds| !matches!(bounds, LowerBounds::None)).unwrap_or(LowerBounds::None)
    }
}
