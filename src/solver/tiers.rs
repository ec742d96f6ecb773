//! Builds tables when they pay off.
//!
//! The boards of a space begin with a *base heuristic*, which is cheap to build. Above it are
//! *tiers* of tables, each more expensive to build and faster to search with than the one below.
//! Two rules decide when a tier is built:
//!
//! * *Expected boards.* When a board arrives that is as far from its goal as random boards are, and
//!   more such boards are expected, the tier is chosen that minimises the cost of building it and
//!   solving the expected number of random boards. The expected number is the number of boards to
//!   come times the fraction of earlier boards that were far.
//! * *Break-even.* When the cost spent at a tier reaches the build cost of the next tier, divided
//!   by the fraction that the next tier would have saved, the next tier is built (the ski-rental
//!   problem; Karlin, Manasse, Rudolph, Sleator 1988). A board whose search reaches half of the
//!   remainder is searched again at the next tier, unless its iteration is predicted to end within
//!   the other half. So the total is at most about twice the minimum, whatever boards arrive. Once
//!   enough boards were solved, the next tier is also built if the predicted cost of the boards to
//!   come reaches the same quotient.
//!
//! Costs are counted in nodes and in table entries, each with a weight ([`costs`]). So without a
//! time limit, the tiers built depend only on the boards, not on a clock, and on one thread a run
//! always does the same work.
//!
//! All tiers share one [`MemoryBudget`]: a tier that does not fit is not built, nor is any above
//! it. Searches with a *node* limit stay at the base heuristic, because their results would
//! otherwise depend on the tier.

mod costs;
mod patience;
#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};
use std::time::{Duration, Instant};

use parking_lot::RwLock;

use self::costs::FarBoards;
use self::patience::{MemoryCheck, Patience};
use super::plan::{HeuristicKind, Tables};
use crate::board::frame::Space;
use crate::engine::contract::{AnsweredBy, Effort, Engine, Job, LowerBounds, Readiness, Scratch};
use crate::engine::ida::{BuiltTables, IdaStar};
use crate::engine::{EngineKind, Outcome, TieBreak, full_table};
use crate::heuristic::pdb::Pattern;
use crate::system::{Budget, Footprint, InputPosition, MemoryBudget, stopped_at};

/// Returns the approximate seconds that one thread takes to generate a number of entries.
pub fn build_seconds(entries: u64) -> f64 {
    entries as f64 * costs::PER_ENTRY / 1e9
}

/// The search below all tiers.
pub type Base = IdaStar;

/// The function that builds the base search.
pub type BuildBase = Box<dyn FnOnce() -> Base + Send>;

/// The engines of a space, in the order in which they are built.
///
/// Tier 0 is the base. Tier n is at index n − 1 of `tiers`.
pub struct Tiers {
    space: Space,
    /// The base search, built for the first board that needs it. Random boards may never need it.
    base: LazyLock<Base, BuildBase>,
    tiers: Vec<Tier>,
    /// The costs of far boards, if they are known for the shape.
    far: Option<&'static FarBoards>,
    tie_break: TieBreak,
    threads: usize,
    /// The memory that the tiers of all spaces share.
    memory_budget: Arc<MemoryBudget>,
    /// The number of tiers that may be built: those before the first that takes too much memory.
    allowed_tiers: AtomicUsize,
    /// The number of boards whose searches have ended at the highest tier that is built.
    solved: AtomicU64,
    /// The cost of these boards.
    spent: AtomicU64,
    /// The number of boards that arrived.
    boards: AtomicU64,
    /// The number of boards that arrived and were as far from the goal as random ones.
    far_boards: AtomicU64,
    /// The number of boards being searched.
    searching: AtomicU64,
    /// Write-locked by the thread that builds; the others wait for it.
    building: RwLock<()>,
}

/// Tables that may be built, and the engine over them once they are.
struct Tier {
    tables: Tables,
    /// The build cost, given the tables of the tier below.
    build_cost: f64,
    /// The cost of a node at this tier.
    node_cost: f64,
    /// The longest time after which a deadline ended a build, in nanoseconds.
    given_up_after: AtomicU64,
    engine: OnceLock<Box<dyn Engine>>,
    /// The tables that were built for this tier, which the tier above shares.
    built: OnceLock<BuiltTables>,
}

impl fmt::Debug for Tiers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.tiers.iter().map(|tier| tier.tables.name()).collect();
        write!(f, "Tiers({} of {names:?})", self.current_tier())
    }
}

impl Tiers {
    /// Minimum number of boards from whose mean cost the cost of others is predicted. A smaller
    /// sample is unreliable, because one board in a hundred takes ten times the mean.
    const SAMPLE: u64 = 16;

    /// Creates the tiers worth building for a space, or returns `None` if the space has no tiers.
    /// Each is built only if it fits into the memory budget at that time.
    pub fn new(
        space: &Space,
        build_base: BuildBase,
        tie_break: TieBreak,
        threads: usize,
        memory_budget: &Arc<MemoryBudget>,
    ) -> Option<Tiers> {
        let (mut tiers, mut patterns_below): (Vec<Tier>, Vec<Pattern>) = (Vec::new(), Vec::new());
        for tables in Tables::of(space) {
            let build_cost = tables.entries_generated(space, &patterns_below) as f64 * costs::PER_ENTRY;
            let node_cost = costs::per_node(&tables);
            patterns_below = tables.shared().to_vec();
            tiers.push(Tier {
                tables,
                build_cost,
                node_cost,
                given_up_after: AtomicU64::new(0),
                engine: OnceLock::new(),
                built: OnceLock::new(),
            });
        }
        (!tiers.is_empty()).then(|| Tiers {
            space: *space,
            base: LazyLock::new(build_base),
            far: FarBoards::of(space.shape).filter(|far| far.costs.len() == 1 + tiers.len()),
            tie_break,
            threads,
            memory_budget: Arc::clone(memory_budget),
            allowed_tiers: AtomicUsize::new(tiers.len()),
            solved: AtomicU64::new(0),
            spent: AtomicU64::new(0),
            boards: AtomicU64::new(0),
            far_boards: AtomicU64::new(0),
            searching: AtomicU64::new(0),
            building: RwLock::new(()),
            tiers,
        })
    }

    /// Returns the base search, which the first call builds.
    pub fn base(&self) -> &Base {
        &self.base
    }

    /// Returns the highest tier that is built; 0 is the base. Tiers below it may have been skipped.
    fn current_tier(&self) -> usize {
        self.tiers.iter().rposition(|tier| tier.engine.get().is_some()).map_or(0, |index| index + 1)
    }

    /// Returns the engine of tier `current`, and its cost per node.
    fn engine(&self, current: usize) -> (&dyn Engine, f64) {
        let tier = current.checked_sub(1).map(|index| &self.tiers[index]);
        match tier.and_then(|tier| Some((&**tier.engine.get()?, tier.node_cost))) {
            Some(engine) => engine,
            None => (self.base(), costs::PER_BASE_NODE),
        }
    }

    /// Returns the tier above tier `current`, if it may be built.
    fn next(&self, current: usize) -> Option<&Tier> {
        self.tiers[..self.allowed_tiers.load(Ordering::Relaxed)].get(current)
    }

    /// Returns the time that building a tier is expected to take: at least as long as a build that
    /// a deadline ended. Costs are in nanoseconds of one thread.
    fn build_time(&self, tier: &Tier) -> Duration {
        let expected = (tier.build_cost / self.threads.max(1) as f64) as u64;
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
        let build_cost = |tier: usize| if tier == current { 0.0 } else { self.tiers[tier - 1].build_cost };
        let cost = |&tier: &usize| build_cost(tier) + boards * far.costs[tier];
        let choices = current..=self.allowed_tiers.load(Ordering::Relaxed).max(current);
        choices.min_by(|a, b| cost(a).total_cmp(&cost(b))).unwrap_or(current)
    }

    /// Counts a board that arrives. If it is as far as random ones and others are expected, builds
    /// the best tier for their number. A single board may take a hundredth of the mean, so no tier
    /// is built for it until its search has taken long.
    fn arrive(&self, is_far: bool, input_position: &InputPosition, budget: &Budget<'_>) {
        self.boards.fetch_add(1, Ordering::Relaxed);
        let far_boards = u64::from(is_far) + self.far_boards.fetch_add(u64::from(is_far), Ordering::Relaxed);
        let current = self.current_tier();
        // The boards to come are estimated only if the decision depends on them.
        if is_far && self.next(current).is_some() && self.best_tier(current, 1e12) > current {
            let expected = 1.0 + far_boards as f64 * input_position.ratio();
            let best = if expected < 2.0 { current } else { self.best_tier(current, expected) };
            self.promote(current, best, budget);
        }
    }

    /// Returns the cost that may be spent at tier `current` before the next one pays off. `None` if
    /// there is no next tier.
    fn break_even(&self, current: usize) -> Option<f64> {
        let costs = self.far.and_then(|far| far.costs.get(current..current + 2));
        let saved = costs.map_or(1.0, |costs| (1.0 - costs[1] / costs[0]).max(0.5));
        Some(self.next(current)?.build_cost / saved)
    }

    /// Counts a board and its cost, and returns true if the next tier pays off.
    fn add_cost(&self, current: usize, cost: f64, input_position: &InputPosition) -> bool {
        if self.current_tier() != current {
            return false;
        }
        let solved = 1 + self.solved.fetch_add(1, Ordering::Relaxed);
        let spent = cost + self.spent.fetch_add(cost as u64, Ordering::Relaxed) as f64;
        let Some(break_even) = self.break_even(current) else { return false };
        // The cost of the boards to come is predicted again only when the sample has doubled.
        let is_prediction_due = solved >= Self::SAMPLE && solved.is_power_of_two();
        let boards = self.boards.load(Ordering::Relaxed) as f64;
        let expected = || spent / solved as f64 * boards * input_position.ratio();
        spent >= break_even || is_prediction_due && expected() >= break_even
    }

    /// Builds tier `to`, or the highest tier between `from` and `to` that fits. Does nothing if
    /// another thread has built a tier meanwhile. Tiers are built one at a time, on all threads. A
    /// build that would not finish in time is not started, and one that has not finished at the
    /// deadline is stopped.
    fn promote(&self, from: usize, to: usize, budget: &Budget<'_>) {
        if to <= from {
            return;
        }
        let _lock = self.building.write();
        if self.current_tier() != from {
            return;
        }
        for index in (from..to).rev() {
            let (tier, began) = (&self.tiers[index], Instant::now());
            // Waiting for the lock may have taken time.
            if !self.is_in_time(tier, budget) {
                return;
            }
            if stopped_at(budget.deadline(), budget.stop(), |stop| self.build(index, stop)) {
                self.solved.store(0, Ordering::Relaxed);
                self.spent.store(0, Ordering::Relaxed);
                return;
            }
            // The build did not fail. It was stopped, by the run or by this board's deadline, and
            // later boards may have more time.
            if budget.interrupted().is_some() {
                tier.given_up_after.fetch_max(began.elapsed().as_nanos() as u64, Ordering::Relaxed);
                return;
            }
            self.allowed_tiers.fetch_min(index, Ordering::Relaxed);
        }
    }

    /// Returns the built tables that a tier can share, and the footprint of its other tables.
    fn shared(&self, tier: &Tier) -> (BuiltTables, Footprint) {
        let built_below = self.tiers.iter().rev().find_map(|tier| tier.built.get().cloned()).unwrap_or_default();
        let patterns: Vec<Pattern> = built_below.tables.iter().map(|table| table.pattern().clone()).collect();
        let footprint = tier.tables.footprint(&self.space, self.threads, &patterns);
        (built_below, footprint)
    }

    /// Builds a tier and returns true, unless it does not fit or `stop` is set.
    fn build(&self, index: usize, stop: &AtomicBool) -> bool {
        let (tier, space, threads) = (&self.tiers[index], &self.space, self.threads);
        let (built_below, footprint) = self.shared(tier);
        let build = || -> Option<Box<dyn Engine>> {
            Some(match &tier.tables {
                Tables::Collection(collection) => {
                    let tie_break = self.tie_break;
                    let (engine, built) =
                        IdaStar::build_collection(space, collection, &built_below, tie_break, threads, stop)?;
                    let _ = tier.built.set(built);
                    Box::new(engine)
                }
                Tables::Patterns(partition) => {
                    Box::new(IdaStar::build(space, partition, self.tie_break, threads, stop)?)
                }
                Tables::Full => Box::new(full_table::Table::build(space, threads, stop)?),
            })
        };
        let expected = self.build_time(tier);
        let built = self.memory_budget.build_shown((tier.tables.name(), Some(expected)), footprint, build);
        built.is_some_and(|engine| tier.engine.set(engine).is_ok())
    }

    /// Promotes to the tier at which an earlier search of the board ran, if that can be built.
    fn promote_to_earlier(&self, effort: &Effort, budget: &Budget<'_>) {
        let Some(heuristic) = effort.log.earlier_heuristic() else { return };
        let index = self.tiers.iter().position(|tier| tier.tables.name() == heuristic);
        self.promote(self.current_tier(), index.map_or(0, |index| index + 1), budget);
    }

    /// Searches a board at a tier until the search ends or the next tier pays off. Returns the
    /// outcome, whether the search was limited by a next tier, and the cost.
    fn search(
        &self,
        current: usize,
        job: &Job<'_>,
        scratch: &mut Scratch,
        effort: &mut Effort,
    ) -> (Outcome, bool, f64) {
        let (engine, node_cost) = self.engine(current);
        // The remaining break-even cost is divided among the boards being searched.
        let searching = 1 + self.searching.fetch_add(1, Ordering::Relaxed);
        let allowance = |break_even: f64| {
            let unspent = break_even - self.spent.load(Ordering::Relaxed) as f64;
            unspent.max(0.0) / searching as f64
        };
        let next = self.next(current).filter(|next| self.is_in_time(next, job.budget));
        let patience = self
            .break_even(current)
            .filter(|_| next.is_some())
            .map(|break_even| Patience::new(self, current, allowance(break_even) / node_cost, effort.log.clone()));
        let before = effort.stats.generated;
        let budget = patience.as_ref().map_or(*job.budget, |patience| job.budget.metered(patience));
        effort.answered_by = AnsweredBy::Engine;
        let outcome = engine.solve(&Job { budget: &budget, ..*job }, scratch, effort);
        self.searching.fetch_sub(1, Ordering::Relaxed);
        let search_start = if current == 0 { 0.0 } else { costs::PER_SEARCH };
        (outcome, patience.is_some(), search_start + (effort.stats.generated - before) as f64 * node_cost)
    }
}

impl MemoryCheck for Tiers {
    fn fits(&self, index: usize) -> bool {
        let fits = self.memory_budget.fits(self.shared(&self.tiers[index]).1);
        if !fits {
            self.allowed_tiers.fetch_min(index, Ordering::Relaxed);
        }
        fits
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
    fn solve(&self, job: &Job<'_>, scratch: &mut Scratch, effort: &mut Effort) -> Outcome {
        let &Job { budget, problem, input_position, .. } = job;
        if budget.nodes() != u64::MAX {
            return self.base().solve(job, scratch, effort);
        }
        self.promote_to_earlier(effort, budget);
        // With a time limit the board is searched first: its search may end before the tables would
        // be ready.
        let is_far = budget.deadline().is_none()
            && self.far.is_some_and(|far| far.contain(problem.board.manhattan_distance(problem.goal)));
        self.arrive(is_far, input_position, budget);
        loop {
            // Before a search, a thread waits for tables that another thread builds, but polls its
            // own limits every millisecond.
            if self.building.try_read_for(Duration::from_millis(1)).is_none() && budget.interrupted().is_none() {
                continue;
            }
            let current = self.current_tier();
            let (outcome, was_limited, cost) = self.search(current, job, scratch, effort);
            // Whether there is a next tier may have changed meanwhile. What counts is whether this
            // search was limited by one.
            let is_over =
                !matches!(outcome, Outcome::Unsolved { .. }) || budget.interrupted().is_some() || !was_limited;
            let is_due = !is_over || self.add_cost(current, cost, input_position);
            if is_due && self.next(current).is_some_and(|next| self.is_in_time(next, budget)) {
                self.promote(current, current + 1, budget);
            }
            if is_over {
                return match outcome {
                    // A bound proven at a lower tier remains true, even if the search with larger
                    // tables did not reach it again. The limit reported is the board's own, even if
                    // the search was ended for the next tier just before it would have reached that
                    // limit.
                    Outcome::Unsolved { lower_bound, limit } => Outcome::Unsolved {
                        lower_bound: lower_bound.max(effort.log.proven()),
                        limit: budget.interrupted().unwrap_or(limit),
                    },
                    found => found,
                };
            }
        }
    }

    fn lower_bounds(&self, which: Readiness) -> LowerBounds<'_> {
        let tiers = self.tiers.iter().rev().filter_map(|tier| tier.engine.get());
        let mut bounds = tiers.map(|engine| engine.lower_bounds(which));
        match which {
            // A search over a collection offers no bounds, so those of a tier below it are used.
            Readiness::Latest => bounds.find(|bounds| !matches!(bounds, LowerBounds::None)),
            Readiness::Fixed => None,
        }
        .unwrap_or_else(|| self.base().lower_bounds(which))
    }
}
