//! IDA* as an [`Engine`]: with one heuristic, or with the pattern databases of one partition or of
//! a collection. The engine builds the tables and an automaton of suitable depth.

use std::any::Any;
use std::fmt;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use super::deepen::{BEAM_AFTER, Context, IncumbentSource};
use super::{Scratch, Search, over_collection, over_partition, plain};
use crate::board::frame::Space;
use crate::board::{Path, Shape};
use crate::engine::automaton::Automaton;
use crate::engine::contract::{self, AnsweredBy, Engine, Framed, Job, LowerBounds, Problem, Readiness, WorkDone};
use crate::engine::sampling::{SampleRequest, Sampled};
use crate::engine::{Outcome, Stats, TieBreak};
use crate::heuristic::pdb::{CollectionTables, Partition, Pattern, PdbCollection, PdbSum, Table};
use crate::heuristic::{Heuristic, WalkingConflict};
use crate::system::{Footprint, InstructionSet, Limit};

/// The IDA* engine of one space.
pub struct IdaStar {
    search: Box<dyn Search>,
    tie_break: TieBreak,
    name: Arc<str>,
    guidance: Guidance,
}

/// The source of a search's h, with the heuristic or tables that [`Engine::lower_bounds`] returns.
enum Guidance {
    /// A heuristic. It is stored only if it is walking-conflict.
    Heuristic(Option<Arc<WalkingConflict>>),
    Partition(Arc<PdbSum>),
    Collection,
}

/// The tables and the automaton of an engine over a collection. Engines over larger collections can
/// share them.
#[derive(Clone, Default)]
pub struct BuiltTables {
    /// The pattern databases.
    pub tables: Vec<Arc<Table>>,
    /// The automaton for the space's shape.
    pub automaton: Option<Arc<Automaton>>,
}

/// Returns the depth of the automaton of an engine over a partition, and the automaton's build
/// cost: the number of table entries generated in the same time. The longer the tables take to
/// build, the deeper the automaton. The greatest depth costs more than it saves on boards of up to
/// 16 cells, and pays off on larger boards (`benches/automaton.rs`).
fn partition_automaton(shape: Shape, partition: &Partition) -> (usize, u64) {
    match (shape.cells() > 16, partition.entries_generated()) {
        (true, 50_000_000..) => (13, 60_000_000),
        (false, 50_000_000..) | (true, 20_000_000..) => (12, 20_000_000),
        (_, 2_000_000..) => (10, 3_000_000),
        _ => (8, 400_000),
    }
}

/// Returns the depth, the build cost, and the memory of the automaton of an engine over a
/// collection. The automaton is deeper for larger boards, as far as memory allows.
fn collection_automaton(shape: Shape) -> (usize, u64, Footprint) {
    let (depth, build_cost, peak, kept) = match (shape.rows(), shape.cols()) {
        (rows, cols) if rows * cols <= 16 => (12, 0, 32, 1),
        // The rejected strings come with the program; only the automaton must be compiled.
        (4, 5) | (5, 4) | (5, 5) => (16, 170_000_000, 80, 8),
        // For longer sides only the strings of up to 14 moves come with the program.
        _ => (14, 160_000_000, 96, 2),
    };
    (depth, build_cost, Footprint { peak: peak << 20, kept: kept << 20 })
}

/// Returns the shape whose automaton is built with a collection, or `None` if tables of another
/// collection, and with them the automaton, are already built.
fn shape_to_build(collection: &PdbCollection, built: &[Pattern]) -> Option<Shape> {
    collection.patterns().first().filter(|_| built.is_empty()).map(Pattern::shape)
}

impl IdaStar {
    /// Creates the engine with a heuristic for this space. `name` is the heuristic's name.
    pub fn new<H: Heuristic + Send + 'static>(
        heuristic: &Arc<H>,
        space: &Space,
        name: &str,
        tie_break: TieBreak,
    ) -> IdaStar {
        let walking_conflict = (heuristic as &dyn Any).downcast_ref().cloned();
        let guidance = Guidance::Heuristic(walking_conflict);
        IdaStar { search: plain(heuristic, space), tie_break, name: name.into(), guidance }
    }

    /// Builds the tables of a partition on `threads` threads, including the caller's. Returns
    /// `None` if stopped.
    pub fn build(
        space: &Space,
        partition: &Partition,
        tie_break: TieBreak,
        threads: usize,
        stop: &AtomicBool,
    ) -> Option<IdaStar> {
        // Automata are built once per depth and shared by all spaces.
        static AUTOMATA: [OnceLock<Automaton>; Automaton::MAX_DEPTH + 1] =
            [const { OnceLock::new() }; Automaton::MAX_DEPTH + 1];
        let sum = Arc::new(PdbSum::build(partition, threads, stop)?);
        let (depth, _) = partition_automaton(space.shape, partition);
        let automaton = AUTOMATA[depth].get_or_init(|| Automaton::build(depth));
        let search = over_partition(InstructionSet::best(), space, &sum, automaton)?;
        Some(IdaStar { search, tie_break, name: partition.sizes().into(), guidance: Guidance::Partition(sum) })
    }

    /// Builds the tables of a collection, reusing those already built. Returns the engine and the
    /// tables that engines over larger collections can share, or `None` if stopped.
    pub fn build_collection(
        space: &Space,
        collection: &PdbCollection,
        built: &BuiltTables,
        tie_break: TieBreak,
        threads: usize,
        stop: &AtomicBool,
    ) -> Option<(IdaStar, BuiltTables)> {
        // The automaton is built first, because it takes more memory while it is built than
        // afterwards.
        let automaton = match &built.automaton {
            Some(automaton) => Arc::clone(automaton),
            None => {
                let (depth, ..) = collection_automaton(space.shape);
                let side = space.shape.cols().max(space.shape.rows());
                Arc::new(Automaton::build_for_side(depth, side, stop)?)
            }
        };
        let tables = Arc::new(CollectionTables::build(collection, &built.tables, threads, stop)?);
        let search = over_collection(InstructionSet::best(), space, &tables, &automaton)?;
        let built = BuiltTables { tables: tables.tables().to_vec(), automaton: Some(automaton) };
        let name = collection.name().into();
        Some((IdaStar { search, tie_break, name, guidance: Guidance::Collection }, built))
    }

    /// Returns the build cost of the automaton for a partition, in table entries. The cost is the
    /// same even if the automaton was already built for another space.
    pub fn partition_automaton_cost(space: &Space, partition: &Partition) -> u64 {
        partition_automaton(space.shape, partition).1
    }

    /// Returns the build cost of the automaton for a collection, in table entries: 0 if it is
    /// already built with the tables of another collection.
    pub fn collection_automaton_cost(collection: &PdbCollection, built: &[Pattern]) -> u64 {
        shape_to_build(collection, built).map_or(0, |shape| collection_automaton(shape).1)
    }

    /// Returns the memory of the tables and the automaton of an engine over a collection, without
    /// what is already built.
    pub fn collection_footprint(collection: &PdbCollection, built: &[Pattern]) -> Footprint {
        let tables = CollectionTables::footprint(collection, built);
        let none = Footprint { peak: 0, kept: 0 };
        let automaton = shape_to_build(collection, built).map_or(none, |shape| collection_automaton(shape).2);
        Footprint { peak: automaton.peak.max(automaton.kept + tables.peak), kept: automaton.kept + tables.kept }
    }
}

impl fmt::Debug for IdaStar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "IdaStar({})", self.name)
    }
}

impl Engine for IdaStar {
    fn name(&self) -> &'static str {
        "idastar"
    }

    fn heuristic(&self) -> Option<&str> {
        Some(&self.name)
    }

    fn solve(&self, job: &Job<'_>, scratch: &mut contract::Scratch, work_done: &mut WorkDone) -> Outcome {
        let Some(Framed { start, .. }) = job.problem.framed else { return job.problem.without_frame() };
        work_done.log.begin(&self.name);
        let has_patterns = !matches!(self.guidance, Guidance::Heuristic(_));
        if has_patterns {
            work_done.answered_by = AnsweredBy::Patterns(Arc::clone(&self.name));
        }
        let find = |stats: &mut Stats| run_beam(job, stats);
        // With a node limit no beam runs, because the limit does not count the beam's nodes.
        let may_run_beam = has_patterns && job.beam.is_some() && job.budget.nodes() == u64::MAX;
        let context = Context {
            tie_break: self.tie_break,
            log: work_done.log.clone(),
            incumbent: may_run_beam.then_some(IncumbentSource { find: &find, after: BEAM_AFTER }),
            ..Context::new(job.budget, job.thread_share)
        };
        self.search.solve(start, &context, scratch.part(Scratch::new), &mut work_done.stats)
    }

    fn sample(&self, problem: &Problem<'_>, request: &SampleRequest<'_>) -> Option<Result<Sampled, Limit>> {
        Some(self.search.sample(problem.framed?.start, request))
    }

    fn lower_bounds(&self, which: Readiness) -> LowerBounds<'_> {
        match (&self.guidance, which) {
            (Guidance::Heuristic(Some(heuristic)), _) => LowerBounds::WalkingConflict(heuristic),
            (Guidance::Partition(sum), Readiness::Latest) => LowerBounds::Patterns(sum),
            _ => LowerBounds::None,
        }
    }
}

/// Runs the job's beam. If a limit interrupted the beam, the result depends on the clock, so it is
/// dropped.
fn run_beam(job: &Job<'_>, stats: &mut Stats) -> Option<Path> {
    let beam = job.beam?;
    let budget = job.budget.without_nodes().with_hidden_deadline();
    let mut work_done = WorkDone::default();
    let outcome =
        beam.solve(&Job { budget: &budget, beam: None, ..*job }, &mut contract::Scratch::new(0), &mut work_done);
    stats.add(&work_done.stats);
    match outcome {
        Outcome::Found { path, .. } | Outcome::Solved(path) if job.budget.interrupted().is_none() => Some(path),
        _ => None,
    }
}
