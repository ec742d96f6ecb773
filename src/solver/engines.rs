//! Finds or builds the engine for a goal.
//!
//! Tables and heuristics are built when the first board needs them and are shared by all later
//! boards. Heuristics are shared by all spaces with the same shape and goal cell of the blank,
//! tables by all goals of a space.

use std::fmt;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;

use super::good_engines::GoodEngines;
use super::heuristics::{BuiltOnce, Heuristics};
use super::memory_plan::MemoryPlan;
use super::plan::{self, Plan, TableStage, Tables, plan, table_stages};
use super::prepared_goal::{AnswerSharing, PreparedGoal};
use super::settings::{Aim, EnginePreference, HeuristicChoice, HeuristicKind, Settings};
use super::tiers::Tiers;
use crate::board::frame::{Frame, Space};
use crate::board::{Board, Cell, Error, Goal, Shape};
use crate::engine::astar::AStar;
use crate::engine::bidirectional::{BackwardFrontier, Bidirectional};
use crate::engine::combined::{Fallback, OnlyProven};
use crate::engine::contract::Engine;
use crate::engine::full_table;
use crate::engine::ida::{BuiltTables, IdaStar};
use crate::engine::line::Line;
use crate::engine::lookup;
use crate::engine::{EngineKind, TieBreak};
use crate::heuristic::{Heuristic, Manhattan, WalkingDistance};
use crate::system::{Building, Footprint, MemoryBudget};

/// All engines built so far, and the settings for later ones.
#[derive(Debug)]
pub struct Engines {
    preference: EnginePreference,
    aim: Aim,
    threads: usize,
    /// The number of threads for which the memory is planned: the actual number, unless results
    /// depend on the plan.
    planned_threads: usize,
    pub(super) memory_plan: MemoryPlan,
    /// The unused part of the tables' share of the memory.
    memory_budget: Arc<MemoryBudget>,
    engines: BuiltOnce<Space, Arc<dyn Engine>>,
    /// The engines that sample boards for estimates.
    sampling_engines: BuiltOnce<Space, Arc<dyn Engine>>,
    good_engines: GoodEngines,
    /// The engines that find a path before the search, if any shortest path will do. Often the
    /// search then only proves that this path is shortest.
    first_path_engines: GoodEngines,
    /// Messages for the user that [`Engines::take_notices`] has not returned yet.
    notices: Mutex<Vec<String>>,
    /// The engines that find the good paths for estimates.
    estimate_beams: GoodEngines,
    /// True if boards have a time limit.
    is_timed: bool,
    /// True if the memory of `estimate_beams` could be reserved, which is tried at the first use.
    has_estimate_beams: OnceLock<bool>,
    backward_frontiers: BuiltOnce<(Shape, Cell), Arc<BackwardFrontier>>,
    heuristics: Arc<Heuristics>,
    /// A board on which the engines panic.
    #[cfg(test)]
    pub(crate) trap: Option<Board>,
}

impl Engines {
    /// The effort for finding a path before the search, if any shortest path will do. At this
    /// effort, a beam with learned weights takes a second or two and finds a shortest path of
    /// nearly every random 24-puzzle.
    const FIRST_PATH_EFFORT: u8 = 6;
    /// Maximum bytes for all engines that find a path before the search, together.
    const FIRST_PATH_BYTES: u64 = 256 << 20;

    /// Creates an empty collection and divides the memory of the settings into shares.
    pub fn new(settings: &Settings) -> Engines {
        let Settings { threads, memory, aim, ref preference, ref weights, limits, .. } = *settings;
        // With a node limit, or if any shortest path will do, the results depend on the shares of
        // the memory. The memory is then planned for a fixed number of threads. Only A* and the
        // bidirectional engine still divide the tables' share by the actual number.
        let depends_on_shares = limits.nodes.is_some() || preference.tie_break == TieBreak::Any;
        let planned_threads = if depends_on_shares { MemoryPlan::MANY_THREADS } else { threads };
        let mut memory_plan = MemoryPlan::of(memory.saturating_sub(weights.held_bytes()), planned_threads);
        let first_path_bytes = match preference.tie_break {
            TieBreak::Any => (memory_plan.good_paths / 4).min(Engines::FIRST_PATH_BYTES),
            TieBreak::Canonical | TieBreak::LengthOnly => 0,
        };
        // With a fallback, the tables and the engines for good paths exist at the same time.
        let other_bytes = first_path_bytes + if aim.fallback { memory_plan.good_paths } else { 0 };
        memory_plan.tables = memory_plan.tables.saturating_sub(other_bytes);
        Engines {
            preference: preference.clone(),
            aim,
            threads,
            planned_threads,
            memory_plan,
            memory_budget: Arc::new(MemoryBudget::new(memory_plan.tables)),
            notices: Mutex::default(),
            engines: BuiltOnce::default(),
            sampling_engines: BuiltOnce::default(),
            good_engines: GoodEngines::new(memory_plan.good_paths, threads, weights.clone()),
            first_path_engines: GoodEngines::new(first_path_bytes, threads, weights.clone()),
            estimate_beams: GoodEngines::new(Self::estimate_bytes(memory_plan.tables), threads, weights.clone()),
            is_timed: limits.time.is_some(),
            has_estimate_beams: OnceLock::new(),
            backward_frontiers: BuiltOnce::default(),
            heuristics: Arc::default(),
            #[cfg(test)]
            trap: None,
        }
    }

    /// Panics if the board is the one that a test has chosen.
    #[inline]
    pub(crate) fn panic_if_trapped(&self, _board: &Board) {
        #[cfg(test)]
        assert!(self.trap.as_ref() != Some(_board), "a planted fault");
    }

    /// Returns the plan for the boards of a goal, without building anything. `effort` is for good
    /// paths if the solver has none of its own.
    pub fn plan(&self, goal: &Board, effort: Option<u8>) -> Plan {
        let aim = self.aim_at(effort);
        match Frame::new(goal) {
            Some(frame) => {
                let (space, plan) = (frame.space(), self.plan_for(frame.space(), &aim));
                plan::reported(plan, space, &self.preference, self.planned_threads, self.memory_plan.tables)
            }
            None => self.plan_large(goal, &aim),
        }
    }

    /// Returns the objective with the solver's own effort, or with `effort` if it has none.
    fn aim_at(&self, effort: Option<u8>) -> Aim {
        Aim { effort: self.aim.effort.or(effort), ..self.aim }
    }

    /// Returns the tables that may be built for the boards of a goal, without building them.
    pub fn table_stages(&self, goal: &Board) -> Vec<TableStage> {
        let Some(frame) = Frame::new(goal) else { return Vec::new() };
        let (space, bytes) = (frame.space(), self.memory_plan.tables);
        table_stages(space, &self.preference, &self.plan_for(space, &self.aim), self.planned_threads, bytes)
    }

    /// Returns the tables that are being built, if any.
    pub fn building(&self) -> Option<Building> {
        self.memory_budget.building()
    }

    fn plan_for(&self, space: &Space, aim: &Aim) -> Plan {
        let shortest = plan(space, &self.preference, self.planned_threads, self.memory_plan.tables);
        let effort = aim.effort_or_default();
        match shortest.engine {
            // Boards that are answered at once get shortest paths.
            EngineKind::Line | EngineKind::Lookup => shortest,
            _ if aim.is_good() => {
                let searches = self.good_engines.describe(space.shape, space.goal_blank, effort);
                plan::good(&searches, &format!("good paths were requested, at effort {effort}"))
            }
            _ if aim.fallback => plan::with_fallback(shortest, effort),
            _ => shortest,
        }
    }

    /// Returns the plan for boards that are too large for a proof.
    fn plan_large(&self, goal: &Board, aim: &Aim) -> Plan {
        let shape = goal.shape();
        if shape.is_line() {
            return plan::line();
        }
        let (effort, cells) = (aim.large_effort(), shape.cells());
        let condition = if aim.proof_required() { ", kept only if as short as the lower bound" } else { "" };
        let why = format!("{cells} cells are too many for a proof: good paths at effort {effort}{condition}");
        plan::good(&self.good_engines.describe(shape, goal.blank(), effort), &why)
    }

    /// Prepares a goal: finds its frame and its engine, and builds the engine if there is none yet.
    /// `effort` is as in [`Self::plan`].
    pub fn prepare(&self, goal: &Board, effort: Option<u8>) -> PreparedGoal {
        let aim = self.aim_at(effort);
        let goal_board = Arc::new(goal.clone());
        let heuristics = Arc::clone(&self.heuristics);
        let Some(frame) = Frame::new(goal) else {
            let engine = if goal.shape().is_line() { Arc::new(Line) } else { self.large(goal, &aim) };
            let sharing = AnswerSharing::AtEffort(aim.large_effort());
            return PreparedGoal { goal: goal_board, framed: None, engine, beam: None, sharing, heuristics };
        };
        let space = frame.space();
        let plan = self.plan_for(space, &aim);
        let good = || self.good_engines.get(goal, aim.effort_or_default());
        let (engine, is_proven) = match plan.engine {
            EngineKind::Good => (good(), false),
            EngineKind::Line | EngineKind::Lookup => (self.shortest(space, &plan), true),
            _ if aim.fallback => {
                let fallback: Arc<dyn Engine> = Arc::new(Fallback::new(self.shortest(space, &plan), good()));
                (fallback, false)
            }
            _ => (self.shortest(space, &plan), true),
        };
        let in_frame = AnswerSharing::InFrame(self.preference.tie_break);
        let sharing = if is_proven { in_frame } else { AnswerSharing::AtEffort(aim.effort_or_default()) };
        let is_searched = plan.engine == EngineKind::IdaStar && self.preference.tie_break == TieBreak::Any;
        let beam = is_searched.then(|| self.first_path_engines.get(goal, Engines::FIRST_PATH_EFFORT));
        PreparedGoal { goal: goal_board, framed: Some((frame, plan)), engine, beam, sharing, heuristics }
    }

    /// Returns the engine for shortest paths.
    fn shortest(&self, space: &Space, plan: &Plan) -> Arc<dyn Engine> {
        self.engines.get(space, || self.build(space, plan))
    }

    /// Returns the engine for boards that are too large for a proof.
    fn large(&self, goal: &Board, aim: &Aim) -> Arc<dyn Engine> {
        let good = self.good_engines.get(goal, aim.large_effort());
        if aim.proof_required() { Arc::new(OnlyProven::new(good)) } else { good }
    }

    /// Returns the engine that samples the boards of a space to estimate their work. It depends
    /// only on the settings, not on the tiers built so far. Unless a heuristic was requested, it
    /// uses the best tables that can be built in a second or two.
    pub fn sampling_engine(&self, space: &Space) -> Arc<dyn Engine> {
        self.sampling_engines.get(space, || self.build_sampling_engine(space))
    }

    fn build_sampling_engine(&self, space: &Space) -> Arc<dyn Engine> {
        let kind = self.preference.heuristic.kind();
        let guided = || self.guided(space, EngineKind::IdaStar, kind);
        if !matches!(kind, None | Some(HeuristicKind::Patterns)) {
            return guided();
        }
        let requested = Tables::requested(space, &self.preference);
        let mut tables = requested.into_iter().chain(quickly_built(space).into_iter().rev());
        tables.find_map(|tables| self.build_tables(space, &tables)).unwrap_or_else(guided)
    }

    /// Returns true if the settings allow a tier with the full table of all states. The shape must
    /// have such a table.
    pub fn may_build_full_table(&self, space: &Space) -> bool {
        let is_automatic = self.preference.engine.is_none() && self.preference.heuristic == HeuristicChoice::Auto;
        let footprint = || full_table::Table::footprint(space.shape, self.planned_threads);
        is_automatic && footprint().peak <= self.memory_plan.tables
    }

    /// Returns the engine that finds good paths for estimates, or `None` if there was too little
    /// memory left for such engines when the first was requested.
    pub fn estimate_beam(&self, goal: &Board, effort: u8) -> Option<Arc<dyn Engine>> {
        let bytes = Self::estimate_bytes(self.memory_plan.tables);
        let footprint = Footprint { peak: bytes, kept: bytes };
        let reserve = || self.memory_budget.build(footprint, || Some(())).is_some();
        self.has_estimate_beams.get_or_init(reserve).then(|| self.estimate_beams.get(goal, effort))
    }

    /// Returns the bytes of the tables' share that the beams of estimates may take: half of it, but
    /// no more than four beams of a 24-puzzle need at the same time.
    fn estimate_bytes(tables: u64) -> u64 {
        (tables / 2).min(160 << 20)
    }

    /// Builds the search with these tables, if there is memory for them.
    fn build_tables(&self, space: &Space, tables: &Tables) -> Option<Arc<dyn Engine>> {
        let (threads, never) = (self.threads, AtomicBool::new(false));
        let tie_break = self.preference.tie_break;
        let build = || match tables {
            Tables::Patterns(partition) => IdaStar::build(space, partition, tie_break, threads, &never),
            Tables::Collection(collection) => {
                let built = BuiltTables::default();
                let built = IdaStar::build_collection(space, collection, &built, tie_break, threads, &never);
                built.map(|(engine, _)| engine)
            }
            Tables::Full => None,
        };
        let footprint = tables.footprint(space, threads, &[]);
        let engine = self.memory_budget.build_shown((tables.name(), None), footprint, build)?;
        Some(Arc::new(engine))
    }

    fn build(&self, space: &Space, plan: &Plan) -> Arc<dyn Engine> {
        match (plan.engine, plan.heuristic) {
            (EngineKind::Line, _) => Arc::new(Line),
            (EngineKind::Lookup, _) if full_table::is_for(space.shape) => self.full_table(space),
            (EngineKind::Lookup, _) => {
                let footprint = lookup::Table::footprint(space.shape);
                self.all_states(space, footprint, || lookup::Table::new(space))
            }
            (EngineKind::Bidirectional, _) => self.bidirectional(space),
            (EngineKind::IdaStar, Some(HeuristicKind::Patterns)) => self.patterns(space),
            (EngineKind::AStar | EngineKind::IdaStar | EngineKind::Good, heuristic) => {
                self.guided(space, plan.engine, heuristic)
            }
        }
    }

    fn full_table(&self, space: &Space) -> Arc<dyn Engine> {
        let footprint = full_table::Table::footprint(space.shape, self.planned_threads);
        let threads = full_table::Table::threads(space.shape, self.threads);
        let build = || full_table::Table::build(space, threads, &AtomicBool::new(false));
        self.all_states(space, footprint, build)
    }

    /// Builds a table of all states if there is memory for it, otherwise the tiers.
    fn all_states<T: Engine + 'static>(
        &self,
        space: &Space,
        footprint: Footprint,
        build: impl FnOnce() -> Option<T>,
    ) -> Arc<dyn Engine> {
        let name = format!("all {} boards", space.shape);
        match self.memory_budget.build_shown((name, None), footprint, build) {
            Some(table) => Arc::new(table),
            None => self.tiers(space),
        }
    }

    /// Builds the bidirectional engine. A third of its memory is for the backward frontier, which
    /// all boards share, and the rest is for the boards being searched.
    fn bidirectional(&self, space: &Space) -> Arc<dyn Engine> {
        let bytes = self.memory_plan.tables;
        let backward_frontier = self.backward_frontiers.get(&(space.shape, space.goal_blank), || {
            Arc::new(BackwardFrontier::new(space.shape, space.goal_blank, bytes / 3))
        });
        Arc::new(Bidirectional::new(backward_frontier, bytes * 2 / 3 / self.threads as u64))
    }

    /// Builds the requested partition or collection if it exists and fits, otherwise the tiers.
    fn patterns(&self, space: &Space) -> Arc<dyn Engine> {
        let Some(tables) = Tables::requested(space, &self.preference) else { return self.tiers(space) };
        self.build_tables(space, &tables).unwrap_or_else(|| {
            let (name, shape, available) = (tables.name(), space.shape, self.memory_plan.tables);
            let peak = tables.footprint(space, self.threads, &[]).peak;
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

    /// Returns the messages, about building engines, that no earlier call has returned.
    pub fn take_notices(&self) -> Vec<String> {
        std::mem::take(&mut *self.notices.lock())
    }

    fn tiers(&self, space: &Space) -> Arc<dyn Engine> {
        let (base_space, heuristics) = (*space, Arc::clone(&self.heuristics));
        let tie_break = self.preference.tie_break;
        let base = Box::new(move || {
            let heuristic = heuristics.walking_conflict(&base_space);
            IdaStar::new(&heuristic, &base_space, HeuristicKind::WalkingConflict.name(), tie_break)
        });
        match Tiers::new(space, base, self.preference.tie_break, self.threads, &self.memory_budget) {
            Some(tiers) => {
                if self.is_timed {
                    // The base is built now, so that its build does not count towards a board's
                    // time limit.
                    tiers.base();
                }
                Arc::new(tiers)
            }
            None => self.guided(space, EngineKind::IdaStar, None),
        }
    }

    /// Builds A* or IDA* with a heuristic other than pattern databases (see [`Engines::patterns`]).
    fn guided(&self, space: &Space, kind: EngineKind, heuristic: Option<HeuristicKind>) -> Arc<dyn Engine> {
        let (shape, blank) = (space.shape, space.goal_blank);
        match heuristic.unwrap_or(HeuristicKind::WalkingConflict) {
            HeuristicKind::Manhattan => {
                self.guided_by(kind, space, Arc::new(Manhattan::new(shape, blank)), HeuristicKind::Manhattan)
            }
            HeuristicKind::LinearConflict => {
                let heuristic = self.heuristics.linear_conflict(space);
                self.guided_by(kind, space, heuristic, HeuristicKind::LinearConflict)
            }
            HeuristicKind::WalkingDistance => {
                let heuristic = Arc::new(WalkingDistance::new(shape, blank));
                self.guided_by(kind, space, heuristic, HeuristicKind::WalkingDistance)
            }
            HeuristicKind::WalkingConflict | HeuristicKind::Patterns => {
                let heuristic = self.heuristics.walking_conflict(space);
                self.guided_by(kind, space, heuristic, HeuristicKind::WalkingConflict)
            }
        }
    }

    fn guided_by<H>(
        &self,
        kind: EngineKind,
        space: &Space,
        heuristic: Arc<H>,
        heuristic_kind: HeuristicKind,
    ) -> Arc<dyn Engine>
    where
        H: Heuristic + fmt::Debug + Send + 'static,
    {
        let (name, bytes) = (heuristic_kind.name(), self.memory_plan.tables / self.threads as u64);
        match kind {
            EngineKind::AStar => Arc::new(AStar::new(heuristic, name, bytes)),
            _ => Arc::new(IdaStar::new(&heuristic, space, name, self.preference.tie_break)),
        }
    }
}

/// The most recently prepared goal. Most streams have only one goal.
#[derive(Default, Debug)]
pub struct LastGoal {
    /// The goal and the shape that were requested.
    requested: Option<(Goal, Shape)>,
    prepared: Option<Arc<PreparedGoal>>,
    /// The effort for good paths if the solver has none of its own.
    effort: Option<u8>,
}

impl LastGoal {
    /// Creates an empty cache. `effort` is for good paths if the solver has none of its own.
    pub fn at_effort(effort: Option<u8>) -> LastGoal {
        LastGoal { effort, ..LastGoal::default() }
    }

    /// Returns the prepared goal for a shape, from the cache if possible.
    ///
    /// # Errors
    /// If the goal does not fit the shape.
    #[inline]
    pub fn get(&mut self, engines: &Engines, goal: &Goal, shape: Shape) -> Result<&Arc<PreparedGoal>, Error> {
        let is_last = self.requested.as_ref().is_some_and(|(last, on_shape)| *on_shape == shape && last == goal);
        if !is_last {
            let board = goal.on(shape)?;
            self.prepared = Some(Arc::new(engines.prepare(&board, self.effort)));
            self.requested = Some((goal.clone(), shape));
        }
        match &self.prepared {
            Some(prepared) => Ok(prepared),
            None => unreachable!("the requested goal was prepared"),
        }
    }

    /// Does the same as [`Self::get`] for a goal given as a board.
    pub fn get_board(&mut self, engines: &Engines, goal: &Board) -> &Arc<PreparedGoal> {
        let last = self.prepared.take().filter(|last| **last.goal() == *goal);
        let prepared = last.unwrap_or_else(|| {
            self.requested = None;
            Arc::new(engines.prepare(goal, self.effort))
        });
        self.prepared.insert(prepared)
    }
}

/// Returns the tables of a space that can be built in a second or two, the cheapest first.
fn quickly_built(space: &Space) -> Vec<Tables> {
    /// Maximum number of entries generated. The tables of 7-8 on 4×4, of the smaller collection on
    /// 4×5 and of 6-6-6-6 on 5×5 need fewer; larger ones need more.
    const MAX_ENTRIES: u64 = 900_000_000;
    let mut tables = Tables::of(space);
    tables.retain(|tables| tables.entries_generated(space, &[]) <= MAX_ENTRIES);
    tables
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Cell, Move};

    /// The estimate is described in docs/formats.md.
    #[test]
    fn boards_are_sampled_with_tables_built_in_a_second_or_two() {
        let best = |rows, cols, blank| {
            let space =
                Space { shape: Shape::new(rows, cols).unwrap(), goal_blank: Cell::new(blank), order: Move::ALL };
            quickly_built(&space).last().map(Tables::name)
        };
        for (rows, cols, blank, name) in [
            (4, 4, 15, "7-8"),
            (3, 6, 17, "8x6-4x5"),
            (4, 5, 19, "13x6-6x5-6x2-1x1"),
            (5, 5, 24, "6-6-6-6"),
            (5, 5, 12, "6-6-6-6"),
        ] {
            assert_eq!(best(rows, cols, blank).as_deref(), Some(name), "{rows}x{cols} {blank}");
        }
    }
}
