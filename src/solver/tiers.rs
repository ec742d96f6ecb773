//! Tables are built when they pay.
//!
//! The boards of a space begin with a *base heuristic*, which costs next to nothing to build. Above it are *tiers* of tables,
//! each dearer to build and quicker to search with than the one below. Two rules say when a tier is built:
//!
//! * *Break-even.* When a board comes that is as far from its goal as random ones are, the tier is chosen that costs least to build and
//!   to solve as many random boards with as are expected: of those to come, the share that there was among those so far.
//! * *Rent.* When as much has been spent at a tier as the next one would have saved and costs, it is built (the ski-rental
//!   problem; Karlin, Manasse, Rudolph, Sleator 1988). A single board that takes as long is searched again there, unless the growth of its
//!   iterations says that it will end its iteration for less. So no more than about twice the least is spent, whatever comes.
//!   Nothing is rented that will be bought: once some boards show what those take that are to come, that counts as if it were spent.
//!
//! What is spent is counted in nodes and in entries of tables, each with a weight ([`costs`]). So which tiers stand depends on the
//! boards and on no clock, and on one thread a run does the same work every time.
//!
//! All tiers are built within one [`MemoryBudget`]: one that does not fit is not built, nor any above it. Searches that end at a number
//! of *nodes* stay at the base, for how far they come would depend on the tier.

mod costs;
mod patience;
#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};
use std::time::Duration;

use parking_lot::RwLock;

use self::costs::FarBoards;
use self::patience::Patience;
use super::plan::{HeuristicKind, Tables};
use crate::board::frame::Space;
use crate::engine::contract::{AnsweredBy, Effort, Engine, Job, LowerBounds, Readiness, Scratch};
use crate::engine::ida::{BuiltTables, IdaStar, PatternEngine};
use crate::engine::{EngineKind, Outcome, TieBreak, full_table};
use crate::heuristic::WalkingConflict;
use crate::heuristic::pdb::Pattern;
use crate::system::{MemoryBudget, ToCome};

/// Returns about how many seconds one thread takes to place tiles so many times.
pub fn build_seconds(placements: u64) -> f64 {
    placements as f64 * costs::OF_A_PLACEMENT / 1e9
}

/// What solves boards below all tiers.
pub type Base = IdaStar<WalkingConflict>;

/// Builds it.
pub type BuildBase = Box<dyn FnOnce() -> Base + Send>;

/// The engines of a space, in the order in which they are built.
pub struct Tiers {
    space: Space,
    /// Built for the first board that needs it: random boards may need none.
    base: LazyLock<Base, BuildBase>,
    tiers: Vec<Tier>,
    /// The boards that are as far as random ones, where it is known what they cost.
    far: Option<&'static FarBoards>,
    tie_break: TieBreak,
    threads: usize,
    /// What the tiers of all spaces may take together.
    memory_budget: Arc<MemoryBudget>,
    /// Tiers from this number on take too much memory.
    end: AtomicUsize,
    /// Boards that were solved at the highest tier that stands, and what they cost.
    solved: AtomicU64,
    spent: AtomicU64,
    /// Boards that came, and those of them that were as far from the goal as random ones.
    boards: AtomicU64,
    far_boards: AtomicU64,
    /// Boards that are being searched.
    searching: AtomicU64,
    /// Written by the thread that builds; the others wait for it.
    building: RwLock<()>,
}

/// Tables that may be built, and the engine over them once they are.
struct Tier {
    tables: Tables,
    /// What it costs to build where the tier below stands.
    build_cost: f64,
    /// What a node costs there.
    node_cost: f64,
    engine: OnceLock<Box<dyn Engine>>,
    /// What it has built that the tier above shares.
    built: OnceLock<BuiltTables>,
}

impl fmt::Debug for Tiers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.tiers.iter().map(|tier| tier.tables.name()).collect();
        write!(f, "Tiers({} of {names:?})", self.built())
    }
}

impl Tiers {
    /// The fewest boards whose mean says something of others: one in a hundred takes ten times the mean.
    const SAMPLE: u64 = 16;

    /// The tiers that are worth building for a space, as far as the memory budget has room for them when it comes to that; `None`
    /// where there are none.
    pub fn new(
        space: &Space,
        build_base: BuildBase,
        tie_break: TieBreak,
        threads: usize,
        memory_budget: &Arc<MemoryBudget>,
    ) -> Option<Tiers> {
        let (mut tiers, mut below): (Vec<Tier>, Vec<Pattern>) = (Vec::new(), Vec::new());
        for tables in Tables::of(space) {
            let build_cost = tables.placements(space, &below) as f64 * costs::OF_A_PLACEMENT;
            let node_cost = costs::of_node(&tables);
            below = tables.shared().to_vec();
            tiers.push(Tier { tables, build_cost, node_cost, engine: OnceLock::new(), built: OnceLock::new() });
        }
        (!tiers.is_empty()).then(|| Tiers {
            space: *space,
            base: LazyLock::new(build_base),
            far: FarBoards::of(space.shape).filter(|far| far.costs.len() == 1 + tiers.len()),
            tie_break,
            threads,
            memory_budget: Arc::clone(memory_budget),
            end: AtomicUsize::new(tiers.len()),
            solved: AtomicU64::new(0),
            spent: AtomicU64::new(0),
            boards: AtomicU64::new(0),
            far_boards: AtomicU64::new(0),
            searching: AtomicU64::new(0),
            building: RwLock::new(()),
            tiers,
        })
    }

    /// What solves boards below all tiers, built now if it was never needed before.
    pub fn base(&self) -> &Base {
        &self.base
    }

    /// How many tiers stand, or are passed over: 0 is the base.
    fn built(&self) -> usize {
        self.tiers.iter().rposition(|tier| tier.engine.get().is_some()).map_or(0, |tier| tier + 1)
    }

    /// What solves boards where so many tiers stand, and what a node costs there.
    fn engine(&self, built: usize) -> (&dyn Engine, f64) {
        let tier = built.checked_sub(1).map(|number| &self.tiers[number]);
        match tier.and_then(|tier| Some((&**tier.engine.get()?, tier.node_cost))) {
            Some(engine) => engine,
            None => (self.base(), costs::OF_BASE_NODE),
        }
    }

    /// The tier above so many, if it may be built.
    fn next(&self, built: usize) -> Option<&Tier> {
        self.tiers[..self.end.load(Ordering::Relaxed)].get(built)
    }

    /// Returns how many tiers should stand for so many random boards.
    fn break_even(&self, built: usize, boards: f64) -> usize {
        let Some(far) = self.far else { return built };
        let build_cost = |tiers: usize| if tiers == built { 0.0 } else { self.tiers[tiers - 1].build_cost };
        let cost = |&tiers: &usize| build_cost(tiers) + boards * far.costs[tiers];
        // A single board may take a hundredth of the mean: nothing dear is built for it alone before it has taken long.
        let most = if boards < 2.0 { 1 } else { self.tiers.len() };
        let choices = built..=self.end.load(Ordering::Relaxed).min(most).max(built);
        choices.min_by(|a, b| cost(a).total_cmp(&cost(b))).unwrap_or(built)
    }

    /// Counts a board that comes, and builds what pays for as many as are expected, if it is like random ones.
    fn arrive(&self, is_far: bool, to_come: &ToCome, stop: &AtomicBool) {
        self.boards.fetch_add(1, Ordering::Relaxed);
        let far = u64::from(is_far) + self.far_boards.fetch_add(u64::from(is_far), Ordering::Relaxed);
        let built = self.built();
        // What is to come is not asked for where nothing depends on it.
        if is_far && self.next(built).is_some() && self.break_even(built, 1e12) > built {
            let expected = 1.0 + far as f64 * to_come.ratio();
            self.promote(built, self.break_even(built, expected), stop);
        }
    }

    /// Returns what may be spent at a tier until the next one pays; `None` where there is none.
    fn rent(&self, built: usize) -> Option<f64> {
        let costs = self.far.and_then(|far| far.costs.get(built..built + 2));
        let saved = costs.map_or(1.0, |costs| (1.0 - costs[1] / costs[0]).max(0.5));
        Some(self.next(built)?.build_cost / saved)
    }

    /// Counts a board and what it cost; whether the next tier pays.
    fn pay(&self, built: usize, cost: f64, to_come: &ToCome) -> bool {
        if self.built() != built {
            return false;
        }
        let solved = 1 + self.solved.fetch_add(1, Ordering::Relaxed);
        let spent = cost + self.spent.fetch_add(cost as u64, Ordering::Relaxed) as f64;
        let Some(rent) = self.rent(built) else { return false };
        // What is to come is asked for as seldom as its answer changes much.
        let is_asked = solved >= Self::SAMPLE && solved.is_power_of_two();
        let boards = self.boards.load(Ordering::Relaxed) as f64;
        spent >= rent || is_asked && spent / solved as f64 * boards * to_come.ratio() >= rent
    }

    /// Builds the tier below number `to`, or the highest under it that fits; nothing where another thread has done so meanwhile. At
    /// most one thread builds, on all threads.
    fn promote(&self, from: usize, to: usize, stop: &AtomicBool) {
        if to <= from {
            return;
        }
        let _one = self.building.write();
        if self.built() != from {
            return;
        }
        for number in (from..to).rev() {
            if self.build(number, stop) {
                self.solved.store(0, Ordering::Relaxed);
                self.spent.store(0, Ordering::Relaxed);
                return;
            }
            // Unless building was only stopped, by a call that was cancelled.
            if stop.load(Ordering::Relaxed) {
                return;
            }
            self.end.fetch_min(number, Ordering::Relaxed);
        }
    }

    /// Builds a tier, if it fits and `stop` is not raised.
    fn build(&self, number: usize, stop: &AtomicBool) -> bool {
        let (tier, space, threads) = (&self.tiers[number], &self.space, self.threads);
        let below = self.tiers.iter().rev().find_map(|tier| tier.built.get().cloned()).unwrap_or_default();
        let patterns: Vec<Pattern> = below.tables.iter().map(|table| table.pattern().clone()).collect();
        let build = || -> Option<Box<dyn Engine>> {
            Some(match &tier.tables {
                Tables::Set(set) => {
                    let engine = PatternEngine::build_set(space, set, &below, self.tie_break, threads, stop)?;
                    let _ = tier.built.set(engine.built().clone());
                    Box::new(engine)
                }
                Tables::Patterns(partition) => {
                    Box::new(PatternEngine::build(space, partition, self.tie_break, threads, stop)?)
                }
                Tables::Full => Box::new(full_table::Table::build(space, threads, stop)?),
            })
        };
        let built = self.memory_budget.build(tier.tables.footprint(space, threads, &patterns), build);
        built.is_some_and(|engine| tier.engine.set(engine).is_ok())
    }

    /// Promotes to the tier at which an earlier search of the board stood, if that can be built.
    fn promote_to_earlier(&self, effort: &Effort, stop: &AtomicBool) {
        let Some(heuristic) = effort.log.earlier_heuristic() else { return };
        let number = self.tiers.iter().position(|tier| tier.tables.name() == heuristic);
        self.promote(self.built(), number.map_or(0, |number| number + 1), stop);
    }

    /// Searches a board at a tier until it ends, or the next tier pays; the outcome, whether it was to end for a tier, and what it cost.
    fn search(&self, built: usize, job: &Job<'_>, scratch: &mut Scratch, effort: &mut Effort) -> (Outcome, bool, f64) {
        let (engine, node_cost) = self.engine(built);
        // What is left of the rent is shared by those that are searched now.
        let searching = 1 + self.searching.fetch_add(1, Ordering::Relaxed);
        let left = |rent: f64| (rent - self.spent.load(Ordering::Relaxed) as f64).max(0.0) / searching as f64;
        let patience = self
            .rent(built)
            .zip(self.next(built))
            .map(|(rent, next)| Patience::new(left(rent) / node_cost, next.build_cost / node_cost, effort.log.clone()));
        let before = effort.stats.generated;
        let budget = patience.as_ref().map_or(*job.budget, |patience| job.budget.metered(patience));
        effort.answered_by = AnsweredBy::Engine;
        let outcome = engine.solve(&Job { budget: &budget, ..*job }, scratch, effort);
        self.searching.fetch_sub(1, Ordering::Relaxed);
        let beginning = if built == 0 { 0.0 } else { costs::OF_BEGINNING };
        (outcome, patience.is_some(), beginning + (effort.stats.generated - before) as f64 * node_cost)
    }
}

impl Engine for Tiers {
    fn name(&self) -> &'static str {
        EngineKind::IdaStar.name()
    }

    fn heuristic(&self) -> Option<&str> {
        Some(HeuristicKind::WalkingConflict.name())
    }

    /// Solves a board at the highest tier that stands, and promotes when the next one pays.
    fn solve(&self, job: &Job<'_>, scratch: &mut Scratch, effort: &mut Effort) -> Outcome {
        let &Job { budget, problem, to_come, .. } = job;
        if budget.nodes() != u64::MAX {
            return self.base().solve(job, scratch, effort);
        }
        self.promote_to_earlier(effort, budget.stop());
        // Where time is limited the board is searched first: it may end before the tables would stand.
        let is_far = budget.deadline().is_none()
            && self.far.is_some_and(|far| far.contain(problem.board.manhattan_distance(problem.goal)));
        self.arrive(is_far, to_come, budget.stop());
        loop {
            // A thread between two boards waits for tables that another builds, but not longer than this call may go unlooked at.
            if self.building.try_read_for(Duration::from_millis(1)).is_none() && budget.interrupted().is_none() {
                continue;
            }
            let built = self.built();
            let (outcome, was_patient, cost) = self.search(built, job, scratch, effort);
            // Whether there is a next tier may have changed meanwhile: what counts is whether the search was ended for it.
            let is_over =
                !matches!(outcome, Outcome::Unsolved { .. }) || budget.interrupted().is_some() || !was_patient;
            if !is_over || self.pay(built, cost, to_come) {
                self.promote(built, built + 1, budget.stop());
            }
            if is_over {
                return match outcome {
                    // What a search below has proven is true, also where one with larger tables did not come so far again.
                    // The search may have lost patience just before it would have met its own limit.
                    Outcome::Unsolved { lower_bound, limit } => Outcome::Unsolved {
                        lower_bound: lower_bound.max(effort.log.proven()),
                        limit: budget.interrupted().unwrap_or(limit),
                    },
                    found => found,
                };
            }
        }
    }

    #[inline]
    fn full_table(&self) -> Option<&full_table::Table> {
        self.tiers.last()?.engine.get()?.full_table()
    }

    fn lower_bounds(&self, which: Readiness) -> LowerBounds<'_> {
        let tiers = self.tiers.iter().rev().filter_map(|tier| tier.engine.get());
        let mut bounds = tiers.map(|engine| engine.lower_bounds(which));
        match which {
            // A search over a set has none to offer that tiers below it have not.
            Readiness::Latest => bounds.find(|bounds| !matches!(bounds, LowerBounds::None)),
            Readiness::Fixed => None,
        }
        .unwrap_or_else(|| self.base().lower_bounds(which))
    }
}
