//! The state that all clones of a solver share: its settings, threads, memory, and engines.
//!
//! [`Engines::prepare`] finds or builds the engine for a goal. Tables and heuristics are built when
//! the first board needs them and serve all later boards. Goals with the same [`Space`] (the part
//! of the canonical frame that engines need) share tables. Spaces with the same shape and goal cell
//! of the blank share the walking-conflict heuristic.

use std::fmt;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;
use rayon::ThreadPool;

use super::caches::{BuiltOnce, GoodEngines, get_or_build};
use super::memory_plan::MemoryPlan;
use super::plan::{self, Plan, PlannedTables, Planner};
use super::prepared_goal::{AnswerSharing, PreparedGoal};
use super::settings::{Aim, HeuristicChoice, HeuristicKind, Settings};
use super::tables::{EngineBuilder, TableSet};
use super::tiers::Tiers;
use crate::board::frame::{Frame, Space};
use crate::board::{Board, Cell, Error, Goal, Shape};
use crate::engine::astar::AStar;
use crate::engine::bidirectional::{BackwardFrontier, Bidirectional};
use crate::engine::combined::{Fallback, OnlyProven};
use crate::engine::contract::{Engine, Scratch};
use crate::engine::ida::{BuiltTables, IdaStar};
use crate::engine::line::LineEngine;
use crate::engine::{EngineKind, ThreadShare, TieBreak, full_table, lookup};
use crate::heuristic::{Heuristic, LinearConflict, Manhattan, SimpleHeuristic, WalkingDistance};
use crate::system::{Building, Footprint, MemoryBudget};

/// The state that all clones of a solver share: its settings, its threads and memory, and the
/// engines built so far.
#[derive(Debug)]
pub struct Engines {
    /// The settings.
    pub settings: Settings,
    /// The distribution of the threads among searches.
    pub thread_share: ThreadShare,
    /// The threads, once they are started.
    pub(super) pool: Mutex<Option<Arc<ThreadPool>>>,
    /// Scratch memory for reuse.
    pub(super) scratch: Mutex<Vec<Scratch>>,
    /// The number of threads for which the memory is planned: the actual number, or
    /// [`MemoryPlan::MANY_THREADS`] if results depend on the plan.
    planned_threads: usize,
    /// The division of the memory.
    pub memory_plan: MemoryPlan,
    builder: Arc<EngineBuilder>,
    /// The engines for shortest paths.
    pub(super) engines: BuiltOnce<Space, Arc<dyn Engine>>,
    /// The engines that sample searches for estimates.
    sampling_engines: BuiltOnce<Space, Arc<dyn Engine>>,
    good_engines: GoodEngines,
    /// The engines that find a path before the search, if any shortest path will do. Often the
    /// search then only proves that this path is shortest.
    first_path_engines: GoodEngines,
    /// The engines that find the good paths for estimates, once they are needed. `None` if there
    /// was too little memory for them.
    estimate_beams: OnceLock<Option<GoodEngines>>,
    /// Messages for the user that [`Engines::take_notices`] has not returned yet.
    notices: Mutex<Vec<String>>,
    backward_frontiers: BuiltOnce<(Shape, Cell), Arc<BackwardFrontier>>,
}

impl Engines {
    /// The effort for finding a path before the search, if any shortest path will do. At this
    /// effort, a beam with learned weights takes a second or two and finds a shortest path of
    /// nearly every random 24-puzzle.
    const FIRST_PATH_EFFORT: u8 = 6;
    /// Maximum bytes for all engines that find a path before the search, together.
    const FIRST_PATH_BYTES: u64 = 256 << 20;

    /// Divides the memory of the settings into shares. No engine is built yet.
    pub fn new(settings: Settings) -> Engines {
        let Settings { threads, memory, aim, ref preference, ref weights, limits, .. } = settings;
        // With a node limit, or if any shortest path will do, the results depend on the shares of
        // the memory. The memory is then planned for a fixed number of threads. Only A* and the
        // bidirectional engine still divide the tables' share by the actual number.
        let any_path = preference.tie_break == TieBreak::Any;
        let planned_threads = if limits.nodes.is_some() || any_path { MemoryPlan::MANY_THREADS } else { threads };
        let mut memory_plan = MemoryPlan::of(memory.saturating_sub(weights.held_bytes()), planned_threads);
        let first_path_bytes = if any_path { Engines::FIRST_PATH_BYTES.min(memory_plan.good_paths / 4) } else { 0 };
        // With a fallback, the tables and the engines for good paths exist at the same time.
        let other_bytes = first_path_bytes + if aim.fallback { memory_plan.good_paths } else { 0 };
        memory_plan.tables = memory_plan.tables.saturating_sub(other_bytes);
        Engines {
            thread_share: ThreadShare::new(settings.parallel, threads),
            pool: Mutex::default(),
            scratch: Mutex::default(),
            planned_threads,
            memory_plan,
            builder: Arc::new(EngineBuilder {
                tie_break: preference.tie_break,
                threads,
                walking_conflicts: BuiltOnce::default(),
                memory_budget: MemoryBudget::new(memory_plan.tables),
            }),
            engines: BuiltOnce::default(),
            sampling_engines: BuiltOnce::default(),
            good_engines: GoodEngines::new(memory_plan.good_paths, weights.clone()),
            first_path_engines: GoodEngines::new(first_path_bytes, weights.clone()),
            estimate_beams: OnceLock::new(),
            notices: Mutex::default(),
            backward_frontiers: BuiltOnce::default(),
            settings,
        }
    }

    /// Returns the plan for the boards of a goal, without building anything. `effort` is the effort
    /// for good paths if the settings have none.
    pub fn plan(&self, goal: &Board, effort: Option<u8>) -> Plan {
        let frame = Frame::new(goal);
        let plan = self.plan_for(goal, frame.as_ref(), &self.aim_at(effort));
        if let Some(frame) = frame { self.planner(frame.space()).reported(plan) } else { plan }
    }

    /// Returns the objective with the effort of the settings, or with `effort` if they have none.
    fn aim_at(&self, effort: Option<u8>) -> Aim {
        let aim = self.settings.aim;
        Aim { effort: aim.effort.or(effort), ..aim }
    }

    /// Returns the tables that may be built for the boards of a goal with this plan. None are built
    /// by this call.
    pub fn planned_tables(&self, goal: &Board, plan: &Plan) -> Vec<PlannedTables> {
        Frame::new(goal).map_or(Vec::new(), |frame| self.planner(frame.space()).planned_tables(plan))
    }

    /// Returns the tables that are being built, if any.
    pub fn building(&self) -> Option<Building> {
        self.builder.memory_budget.building()
    }

    fn planner<'a>(&'a self, space: &'a Space) -> Planner<'a> {
        let (preference, threads) = (&self.settings.preference, self.planned_threads);
        Planner { space, preference, threads, bytes: self.memory_plan.tables }
    }

    /// Returns the plan for the boards of a goal. There is no frame if the boards have too many
    /// cells for a proof by search.
    fn plan_for(&self, goal: &Board, frame: Option<&Frame>, aim: &Aim) -> Plan {
        let (shape, effort) = (goal.shape(), aim.effort(frame.is_some()));
        let good = |shape, blank, why: &str| plan::good(&self.good_engines.describe(shape, blank, effort), why);
        let Some(space) = frame.map(Frame::space) else {
            if shape.is_line() {
                return plan::line();
            }
            let condition = if aim.proof_required() { ", kept only if as short as the lower bound" } else { "" };
            let too_many = format!("{} cells are too many for a proof", shape.cells());
            return good(shape, goal.blank(), &format!("{too_many}: good paths at effort {effort}{condition}"));
        };
        let mut plan = self.planner(space).plan();
        // Boards that are answered at once get shortest paths, even if good ones were requested.
        if !matches!(plan.engine, EngineKind::Line | EngineKind::Lookup) {
            if aim.is_good() {
                let why = format!("good paths were requested, at effort {effort}");
                return good(space.shape, space.goal_blank, &why);
            }
            if aim.fallback {
                plan.why += &format!("; if a limit comes first, a good path at effort {effort}");
            }
        }
        plan
    }

    /// Prepares a goal: finds its frame and its engine, and builds the engine if there is none yet.
    /// `effort` is as in [`Self::plan`].
    pub fn prepare(&self, goal: &Board, effort: Option<u8>) -> PreparedGoal {
        let (aim, tie_break) = (self.aim_at(effort), self.settings.preference.tie_break);
        let frame = Frame::new(goal);
        let plan = self.plan_for(goal, frame.as_ref(), &aim);
        let (kind, effort) = (plan.engine, aim.effort(frame.is_some()));
        let good = || self.good_engines.get(goal, effort);
        let (mut sharing, mut beam) = (AnswerSharing::AtEffort(effort), None);
        let engine: Arc<dyn Engine> = match &frame {
            // Boards with too many cells for a proof by search.
            None if kind == EngineKind::Line => Arc::new(LineEngine),
            None if aim.proof_required() => Arc::new(OnlyProven::new(good())),
            Some(frame) if kind != EngineKind::Good => {
                let shortest = get_or_build(&self.engines, frame.space(), || self.build(frame.space(), &plan));
                if kind == EngineKind::IdaStar && tie_break == TieBreak::Any {
                    beam = Some(self.first_path_engines.get(goal, Engines::FIRST_PATH_EFFORT));
                }
                if aim.fallback && !matches!(kind, EngineKind::Line | EngineKind::Lookup) {
                    Arc::new(Fallback::new(shortest, good()))
                } else {
                    sharing = AnswerSharing::InFrame(tie_break);
                    shortest
                }
            }
            _ => good(),
        };
        let (goal, builder) = (Arc::new(goal.clone()), Arc::clone(&self.builder));
        PreparedGoal { goal, frame, kind, engine, beam, sharing, builder }
    }

    /// Returns the engine that estimates the work for the boards of a space by sampling their
    /// searches. It depends on the settings but not on the tiers built so far, unless these leave
    /// too little memory. If no heuristic was requested, it uses the best tables that can be built
    /// in a second or two.
    pub fn sampling_engine(&self, space: &Space) -> Arc<dyn Engine> {
        get_or_build(&self.sampling_engines, space, || {
            let preference = &self.settings.preference;
            if let HeuristicChoice::Kind(kind) = preference.heuristic
                && kind != HeuristicKind::Patterns
            {
                return self.guided(space, EngineKind::IdaStar, kind);
            }
            let requested = TableSet::requested(space, preference);
            let mut tables = requested.into_iter().chain(TableSet::quickly_built(space).into_iter().rev());
            tables.find_map(|tables| self.build_tables(space, &tables)).unwrap_or_else(|| self.builder.base(space))
        })
    }

    /// Returns true if the shape has a full table, and the settings and the memory allow a tier
    /// with it.
    pub fn may_build_full_table(&self, space: &Space) -> bool {
        let preference = &self.settings.preference;
        let is_automatic = preference.engine.is_none() && preference.heuristic == HeuristicChoice::Auto;
        let footprint = || full_table::Table::footprint(space.shape, self.planned_threads);
        full_table::is_for(space.shape) && is_automatic && footprint().peak <= self.memory_plan.tables
    }

    /// Returns the engine that finds good paths for estimates, or `None` if there was too little
    /// memory left for such engines when the first was requested. They may take half of the tables'
    /// share, but no more than four beams of a 24-puzzle need at the same time.
    pub fn estimate_beam(&self, goal: &Board, effort: u8) -> Option<Arc<dyn Engine>> {
        let beams = self.estimate_beams.get_or_init(|| {
            let bytes = (self.memory_plan.tables / 2).min(160 << 20);
            let build = || Some(GoodEngines::new(bytes, self.settings.weights.clone()));
            self.builder.memory_budget.build(Footprint { peak: bytes, kept: bytes }, build)
        });
        Some(beams.as_ref()?.get(goal, effort))
    }

    /// Builds these tables and the engine over them, if there is memory for them.
    fn build_tables(&self, space: &Space, tables: &TableSet) -> Option<Arc<dyn Engine>> {
        let name = if *tables == TableSet::Full { format!("all {} boards", space.shape) } else { tables.name() };
        let (footprint, never) = (tables.footprint(space, self.planned_threads, &[]), AtomicBool::new(false));
        self.builder.build(space, tables, (name, None), footprint, &mut BuiltTables::default(), &never)
    }

    fn build(&self, space: &Space, plan: &Plan) -> Arc<dyn Engine> {
        match (plan.engine, plan.heuristic) {
            (EngineKind::Lookup, _) => self.all_states(space).unwrap_or_else(|| self.tiers(space)),
            (EngineKind::Bidirectional, _) => self.bidirectional(space),
            (EngineKind::Line, _) => Arc::new(LineEngine),
            (engine, heuristic) => self.guided(space, engine, heuristic.unwrap_or(HeuristicKind::WalkingConflict)),
        }
    }

    /// Builds the table of all states, if there is memory for it.
    fn all_states(&self, space: &Space) -> Option<Arc<dyn Engine>> {
        if full_table::is_for(space.shape) {
            return self.build_tables(space, &TableSet::Full);
        }
        let footprint = lookup::Table::footprint(space.shape);
        Some(Arc::new(self.builder.memory_budget.build(footprint, || lookup::Table::new(space))?))
    }

    /// Builds the bidirectional engine. A third of its memory is for the backward frontier, which
    /// all boards share, and the rest is for the boards being searched.
    fn bidirectional(&self, space: &Space) -> Arc<dyn Engine> {
        let bytes = self.memory_plan.tables;
        let build = || Arc::new(BackwardFrontier::new(space.shape, space.goal_blank, bytes / 3));
        let backward_frontier = get_or_build(&self.backward_frontiers, &(space.shape, space.goal_blank), build);
        Arc::new(Bidirectional::new(backward_frontier, bytes * 2 / 3 / self.settings.threads as u64))
    }

    /// Builds the requested partition or collection if it exists and fits, otherwise the tiers.
    fn patterns(&self, space: &Space) -> Arc<dyn Engine> {
        let requested = TableSet::requested(space, &self.settings.preference);
        let Some(tables) = requested else { return self.tiers(space) };
        self.build_tables(space, &tables).unwrap_or_else(|| {
            let (name, shape, available) = (tables.name(), space.shape, self.memory_plan.tables);
            let peak = tables.footprint(space, self.settings.threads, &[]).peak;
            let why = match peak > available {
                true => {
                    let (needed, share) = (peak as f64 / 1e6, available as f64 / 1e6);
                    format!("it takes {needed:.2} MB, and --memory leaves {share:.2} MB for tables")
                }
                false => "the tables of other goals leave too little of --memory".to_string(),
            };
            self.notices.lock().push(format!(
                "{name} is not built for {shape}: {why}; tables that fit are used instead, and the number of nodes may vary from run to run"
            ));
            self.tiers(space)
        })
    }

    /// Returns the messages about building engines that no earlier call has returned.
    pub fn take_notices(&self) -> Vec<String> {
        std::mem::take(&mut *self.notices.lock())
    }

    fn tiers(&self, space: &Space) -> Arc<dyn Engine> {
        let Some(tiers) = Tiers::new(space, &self.builder) else { return self.builder.base(space) };
        if self.settings.limits.time.is_some() {
            // The base is built now, so that its build does not count towards a board's time limit.
            tiers.base();
        }
        Arc::new(tiers)
    }

    /// Builds A* or IDA* with a heuristic. Only IDA* can have pattern databases.
    fn guided(&self, space: &Space, engine: EngineKind, kind: HeuristicKind) -> Arc<dyn Engine> {
        let (shape, blank) = (space.shape, space.goal_blank);
        let simple = |heuristic| self.guided_by(engine, space, kind, Arc::new(heuristic));
        match kind {
            HeuristicKind::Manhattan => simple(SimpleHeuristic::Manhattan(Manhattan::new(shape, blank))),
            HeuristicKind::LinearConflict => simple(SimpleHeuristic::LinearConflict(LinearConflict::new(shape, blank))),
            HeuristicKind::WalkingDistance => {
                simple(SimpleHeuristic::WalkingDistance(WalkingDistance::new(shape, blank)))
            }
            HeuristicKind::WalkingConflict => self.guided_by(engine, space, kind, self.builder.walking_conflict(space)),
            HeuristicKind::Patterns => self.patterns(space),
        }
    }

    fn guided_by<H: Heuristic + fmt::Debug + Send + 'static>(
        &self,
        engine: EngineKind,
        space: &Space,
        kind: HeuristicKind,
        heuristic: Arc<H>,
    ) -> Arc<dyn Engine> {
        let bytes = self.memory_plan.tables / self.settings.threads as u64;
        match engine {
            EngineKind::AStar => Arc::new(AStar::new(heuristic, kind.name(), bytes)),
            _ => Arc::new(IdaStar::new(&heuristic, space, kind.name(), self.settings.preference.tie_break)),
        }
    }
}

/// A cache of the most recently prepared goal. Most inputs have only one goal.
#[derive(Default, Debug)]
pub struct LastGoal {
    /// The goal as requested, and prepared for a shape.
    last: Option<(Goal, Arc<PreparedGoal>)>,
    /// The effort for good paths if the settings have none.
    effort: Option<u8>,
}

impl LastGoal {
    /// Creates an empty cache. `effort` is the effort for good paths if the settings have none.
    pub fn at_effort(effort: Option<u8>) -> LastGoal {
        LastGoal { effort, last: None }
    }

    /// Returns the prepared goal for a shape, from the cache if possible.
    ///
    /// # Errors
    /// If the goal does not fit the shape.
    #[inline]
    pub fn get(&mut self, engines: &Engines, goal: &Goal, shape: Shape) -> Result<&Arc<PreparedGoal>, Error> {
        let last = self.last.take_if(|(last, prepared)| prepared.goal.shape() == shape && *last == *goal);
        let last = match last {
            Some(last) => last,
            None => (goal.clone(), Arc::new(engines.prepare(&goal.on(shape)?, self.effort))),
        };
        Ok(&self.last.insert(last).1)
    }
}
