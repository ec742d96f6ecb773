//! The engines that stand ready: from a goal to the frame and engine that answer for it.
//!
//! Tables and heuristics are built when the first board needs them and shared by all that follow:
//! distances by every space of a shape and goal cell, tables by every goal of a space.

use std::hash::Hash;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use dashmap::DashMap;

use crate::board::{Board, Cell, Path, Shape, Solvable};
use crate::engine::bidirectional::{self, GoalSide};
use crate::engine::lookup::{self, Distances};
use crate::engine::paths::Paths;
use crate::engine::{Budget, Crew, Outcome, Stats, astar, descent, idastar, line, waves};
use crate::frame::{Frame, Space};
use crate::heuristic::pdb::{Partition, PdbSum};
use crate::heuristic::{Heuristic, LinearConflict, Manhattan, WalkingConflict, WalkingDistance};
use crate::ladder::{Ladder, PatternEngine, Used};
use crate::ledger::Ledger;
use crate::memory::Share;
use crate::plan::{EngineKind, HeuristicKind, Plan, Rung, Wishes, plan, rungs};

/// An engine that is ready to solve boards of one space: immutable, shared by all workers.
#[derive(Debug)]
pub enum Engine {
    /// See [`mod@line`].
    Line,
    /// See [`lookup`].
    Lookup(lookup::Table),
    /// See [`descent`].
    Full(Box<descent::Table>),
    /// See [`bidirectional`]; what one search may take in bytes.
    Bidirectional(Arc<GoalSide>, u64),
    /// See [`astar`]; what one search may take in bytes.
    AStar(Guide, u64),
    /// See [`idastar`].
    IdaStar(Guide),
    /// See [`waves`]: IDA* by certain pattern databases.
    Patterns(PatternEngine),
    /// IDA* by the pattern databases that have paid so far, and by what costs nothing until then; for 12 cells
    /// the full table in the end.
    Ladder(Arc<Ladder>, Arc<WalkingConflict>),
}

/// The heuristic of an engine that is guided by one.
#[derive(Debug)]
pub enum Guide {
    /// See [`Manhattan`].
    Manhattan(Arc<Manhattan>),
    /// See [`LinearConflict`].
    LinearConflict(Arc<LinearConflict>),
    /// See [`WalkingDistance`].
    WalkingDistance(Arc<WalkingDistance>),
    /// See [`WalkingConflict`].
    WalkingConflict(Arc<WalkingConflict>),
}

impl Guide {
    const fn kind(&self) -> HeuristicKind {
        match self {
            Guide::Manhattan(_) => HeuristicKind::Manhattan,
            Guide::LinearConflict(_) => HeuristicKind::LinearConflict,
            Guide::WalkingDistance(_) => HeuristicKind::WalkingDistance,
            Guide::WalkingConflict(_) => HeuristicKind::WalkingConflict,
        }
    }
}

/// What one worker needs beside the shared engines; reused from board to board.
#[derive(Debug, Default)]
pub struct Scratch {
    manhattan: ScratchFor<Manhattan>,
    linear_conflict: ScratchFor<LinearConflict>,
    walking_distance: ScratchFor<WalkingDistance>,
    walking_conflict: ScratchFor<WalkingConflict>,
    waves: waves::Scratch,
    used: Used,
}

impl Scratch {
    /// What a worker needs, where a list of a search may take so many bytes.
    pub fn new(list: usize) -> Scratch {
        Scratch {
            manhattan: ScratchFor::<Manhattan>::new(list),
            linear_conflict: ScratchFor::<LinearConflict>::new(list),
            walking_distance: ScratchFor::<WalkingDistance>::new(list),
            walking_conflict: ScratchFor::<WalkingConflict>::new(list),
            waves: waves::Scratch::new(list.min(waves::Scratch::BYTES)),
            used: Used::default(),
        }
    }

    /// What answered for the last board, where its engine has several.
    pub fn used(&self) -> &Used {
        &self.used
    }
}

type ScratchFor<H> = idastar::Scratch<<H as Heuristic>::Value>;

impl Engine {
    /// Which engine it is.
    pub const fn kind(&self) -> EngineKind {
        match self {
            Engine::Line => EngineKind::Line,
            Engine::Lookup(_) | Engine::Full(_) => EngineKind::Lookup,
            Engine::Bidirectional(..) => EngineKind::Bidirectional,
            Engine::AStar(..) => EngineKind::AStar,
            Engine::IdaStar(_) | Engine::Patterns(_) | Engine::Ladder(..) => EngineKind::IdaStar,
        }
    }

    /// The name of its heuristic, where it has one; where that changes as boards come, the first.
    pub fn heuristic(&self) -> Option<&str> {
        match self {
            Engine::Line | Engine::Lookup(_) | Engine::Full(_) | Engine::Bidirectional(..) => None,
            Engine::AStar(guide, _) | Engine::IdaStar(guide) => Some(guide.kind().name()),
            Engine::Patterns(engine) => Some(&engine.name),
            Engine::Ladder(..) => Some(HeuristicKind::WalkingConflict.name()),
        }
    }

    /// The canonical path without a search, for engines that need none: well under a microsecond.
    ///
    /// `false`: this engine has to search; `path` was not touched.
    #[inline]
    pub fn answer_at_once(&self, space: &Space, start: &Solvable, path: &mut Path) -> bool {
        match self {
            Engine::Line => line::solve(space, start, path),
            Engine::Lookup(table) => table.solve(start, path),
            _ => return false,
        }
        true
    }

    /// What answers for a board, by name: the engine and its heuristic.
    pub fn names<'a>(&'a self, used: &'a Used) -> (&'static str, Option<&'a str>) {
        match used {
            Used::Own => (self.kind().name(), self.heuristic()),
            Used::Patterns(name) => (self.kind().name(), Some(name)),
            Used::Full => (EngineKind::Lookup.name(), None),
        }
    }

    /// The table from which many boards are answered at once, where it stands.
    #[inline]
    pub fn full_table(&self) -> Option<&descent::Table> {
        match self {
            Engine::Full(table) => Some(table),
            Engine::Ladder(ladder, _) => ladder.full_table(),
            _ => None,
        }
    }

    /// The whole paths of all boards, where this engine has them.
    pub fn paths(&self) -> Option<&Paths> {
        match self {
            Engine::Lookup(table) => table.paths(),
            _ => None,
        }
    }

    /// The canonical path of a board, or how far the search came within its budget; with the help of
    /// those of the crew who are free.
    pub fn solve(
        &self,
        space: &Space,
        start: &Solvable,
        budget: &Budget<'_>,
        crew: &Crew,
        scratch: &mut Scratch,
        stats: &mut Stats,
    ) -> Outcome {
        scratch.used = Used::Own;
        match self {
            Engine::Line | Engine::Lookup(_) => {
                let mut path = Path::new();
                self.answer_at_once(space, start, &mut path);
                Outcome::Solved(path)
            }
            Engine::Full(table) => {
                let mut path = Path::new();
                table.solve(start, &mut path);
                Outcome::Solved(path)
            }
            &Engine::Bidirectional(ref goal_side, bytes) => {
                bidirectional::solve(goal_side, space, start, budget, crew, bytes, stats)
            }
            &Engine::AStar(ref guide, bytes) => match guide {
                Guide::Manhattan(heuristic) => astar::solve(heuristic, space, start, budget, crew, bytes, stats),
                Guide::LinearConflict(heuristic) => astar::solve(heuristic, space, start, budget, crew, bytes, stats),
                Guide::WalkingDistance(heuristic) => astar::solve(heuristic, space, start, budget, crew, bytes, stats),
                Guide::WalkingConflict(heuristic) => astar::solve(heuristic, space, start, budget, crew, bytes, stats),
            },
            Engine::IdaStar(Guide::Manhattan(heuristic)) => {
                idastar::solve(&**heuristic, space, start, budget, crew, &mut scratch.manhattan, stats)
            }
            Engine::IdaStar(Guide::LinearConflict(heuristic)) => {
                idastar::solve(&**heuristic, space, start, budget, crew, &mut scratch.linear_conflict, stats)
            }
            Engine::IdaStar(Guide::WalkingDistance(heuristic)) => {
                idastar::solve(&**heuristic, space, start, budget, crew, &mut scratch.walking_distance, stats)
            }
            Engine::IdaStar(Guide::WalkingConflict(heuristic)) => {
                idastar::solve(&**heuristic, space, start, budget, crew, &mut scratch.walking_conflict, stats)
            }
            Engine::Patterns(engine) => engine.waves.solve(start, budget, crew, &mut scratch.waves, stats),
            Engine::Ladder(ladder, foot) => {
                let Scratch { walking_conflict, waves, used, .. } = scratch;
                ladder.solve(start, budget, crew, waves, used, stats, |budget, stats| {
                    idastar::solve(&**foot, space, start, budget, crew, walking_conflict, stats)
                })
            }
        }
    }
}

/// Frame and engine for the boards of one goal.
#[derive(Debug)]
pub struct Prepared {
    /// The way into the frame.
    pub frame: Frame,
    /// What answers there.
    pub engine: Arc<Engine>,
    /// Why it was chosen.
    pub plan: Plan,
}

/// Everything that was built so far.
#[derive(Debug)]
pub struct Solvers {
    wishes: Wishes,
    threads: usize,
    /// Who may take how much of the memory.
    share: Share,
    /// What tables have left of their share.
    ledger: Arc<Ledger>,
    engines: Built<Space, Engine>,
    goal_sides: Built<(Shape, Cell), GoalSide>,
    distances: Built<(Shape, Cell), Distances>,
    manhattan: Built<(Shape, Cell), Manhattan>,
    linear_conflict: Built<(Shape, Cell), LinearConflict>,
    walking_distance: Built<(Shape, Cell), WalkingDistance>,
    walking_conflict: Built<(Shape, Cell), WalkingConflict>,
    /// A board that the engines fail on.
    #[cfg(test)]
    pub(crate) trap: Option<Board>,
}

impl Solvers {
    /// Nothing built yet. Boards will be solved, and tables built, on `threads` threads; all that is kept in memory
    /// for it – tables, sets of visited states, lists of searches, and what a batch has in flight – will take at most
    /// `memory` bytes together.
    pub fn new(wishes: Wishes, threads: usize, memory: u64) -> Solvers {
        let share = Share::of(memory, threads);
        Solvers {
            wishes,
            threads,
            share,
            ledger: Arc::new(Ledger::new(share.tables)),
            engines: Built::new(),
            goal_sides: Built::new(),
            distances: Built::new(),
            manhattan: Built::new(),
            linear_conflict: Built::new(),
            walking_distance: Built::new(),
            walking_conflict: Built::new(),
            #[cfg(test)]
            trap: None,
        }
    }

    /// Where tests have an engine fail on a board.
    #[inline]
    pub(crate) fn pass_trap(&self, _board: &Board) {
        #[cfg(test)]
        assert!(self.trap.as_ref() != Some(_board), "a planted fault");
    }

    /// What the boards of a goal would be solved by, without building it; `None`: too large to be searched.
    pub fn plan(&self, goal: &Board) -> Option<Plan> {
        Some(self.plan_for(Frame::new(goal)?.space()))
    }

    /// The tables that the boards of a goal may come to be solved by, without building them.
    pub fn rungs(&self, goal: &Board) -> Vec<Rung> {
        let Some(frame) = Frame::new(goal) else { return Vec::new() };
        let (space, bytes) = (frame.space(), self.for_tables());
        rungs(space, &self.wishes, &self.plan_for(space), self.threads, bytes)
    }

    /// What pattern databases and full tables may take together, in bytes.
    pub fn for_tables(&self) -> u64 {
        self.share.tables
    }

    /// Who may take how much of the memory.
    pub(crate) fn share(&self) -> &Share {
        &self.share
    }

    /// What a worker needs, within its share of the memory.
    pub fn scratch(&self) -> Scratch {
        Scratch::new(self.share.list)
    }

    fn plan_for(&self, space: &Space) -> Plan {
        plan(space, &self.wishes, self.threads, self.for_tables())
    }

    /// The frame of a goal and an engine for it, built now if nobody needed it before; `None`: too
    /// large to be searched.
    pub fn prepare(&self, goal: &Board) -> Option<Prepared> {
        let frame = Frame::new(goal)?;
        let space = frame.space();
        let plan = self.plan_for(space);
        let engine = self.engines.get(space, || self.build(space, &plan));
        Some(Prepared { frame, engine, plan })
    }

    fn build(&self, space: &Space, plan: &Plan) -> Engine {
        let goal = (space.shape, space.goal_blank);
        match (plan.engine, plan.heuristic) {
            (EngineKind::Line, _) => Engine::Line,
            (EngineKind::Lookup, _) if descent::is_for(space.shape) => {
                let footprint = descent::Table::footprint(space.shape, self.threads);
                let build = || descent::Table::build(space, self.threads, &AtomicBool::new(false));
                match self.ledger.build(footprint, build) {
                    Some(table) => Engine::Full(Box::new(table)),
                    None => self.ladder(space),
                }
            }
            (EngineKind::Lookup, _) => {
                let build = || {
                    Some(lookup::Table::packed(space).unwrap_or_else(|| {
                        let distances = self.distances.get(&goal, || {
                            Distances::search(space.shape, space.goal_blank, self.threads)
                                .unwrap_or_else(|| unreachable!("{} was planned for lookup", space.shape))
                        });
                        lookup::Table::derive(distances, space, self.threads)
                    }))
                };
                let built = self.ledger.build(lookup::Table::footprint(space.shape), build);
                built.map_or_else(|| self.ladder(space), Engine::Lookup)
            }
            // A third for the goal's side, which all boards share, the rest for the boards under way.
            (EngineKind::Bidirectional, _) => Engine::Bidirectional(
                self.goal_sides.get(&goal, || GoalSide::new(space.shape, space.goal_blank, self.share.tables / 3)),
                self.share.tables * 2 / 3 / self.threads as u64,
            ),
            (EngineKind::AStar, heuristic) => {
                Engine::AStar(self.guide(heuristic, goal), self.share.tables / self.threads as u64)
            }
            (EngineKind::IdaStar, Some(HeuristicKind::Patterns)) => {
                let named = self.wishes.partition.as_deref();
                let named = named.and_then(|name| Partition::parse(name, space.shape, space.goal_blank).ok());
                let built = named.and_then(|partition| {
                    let build = || PatternEngine::build(space, &partition, self.threads);
                    self.ledger.build(PdbSum::footprint(&partition), build)
                });
                built.map_or_else(|| self.ladder(space), Engine::Patterns)
            }
            (EngineKind::IdaStar, heuristic) => Engine::IdaStar(self.guide(heuristic, goal)),
        }
    }

    fn ladder(&self, space: &Space) -> Engine {
        let goal = (space.shape, space.goal_blank);
        let foot = self.walking_conflict.get(&goal, || WalkingConflict::new(space.shape, space.goal_blank));
        match Ladder::new(space, self.threads, &self.ledger) {
            Some(ladder) => Engine::Ladder(Arc::new(ladder), foot),
            None => Engine::IdaStar(Guide::WalkingConflict(foot)),
        }
    }

    fn guide(&self, heuristic: Option<HeuristicKind>, goal: (Shape, Cell)) -> Guide {
        let (shape, blank) = goal;
        match heuristic.unwrap_or(HeuristicKind::WalkingConflict) {
            HeuristicKind::Manhattan => Guide::Manhattan(self.manhattan.get(&goal, || Manhattan::new(shape, blank))),
            HeuristicKind::LinearConflict => {
                Guide::LinearConflict(self.linear_conflict.get(&goal, || LinearConflict::new(shape, blank)))
            }
            HeuristicKind::WalkingDistance => {
                Guide::WalkingDistance(self.walking_distance.get(&goal, || WalkingDistance::new(shape, blank)))
            }
            // Only IDA* is guided by pattern databases so far.
            HeuristicKind::WalkingConflict | HeuristicKind::Patterns => {
                Guide::WalkingConflict(self.walking_conflict.get(&goal, || WalkingConflict::new(shape, blank)))
            }
        }
    }
}

/// Things that are built once a key, by whoever needs one first; the others wait for it.
///
/// Builders never run a worker pool's jobs while they build, so nobody can come to wait for himself.
#[derive(Debug)]
struct Built<K: Eq + Hash, V>(DashMap<K, Arc<OnceLock<Arc<V>>>>);

impl<K: Eq + Hash + Copy, V> Built<K, V> {
    fn new() -> Self {
        Built(DashMap::new())
    }

    fn get(&self, key: &K, build: impl FnOnce() -> V) -> Arc<V> {
        if let Some(built) = self.0.get(key).and_then(|cell| cell.get().cloned()) {
            return built;
        }
        // The map's lock is let go before building: others may ask for other keys meanwhile.
        let cell = Arc::clone(&*self.0.entry(*key).or_default());
        Arc::clone(cell.get_or_init(|| Arc::new(build())))
    }
}
