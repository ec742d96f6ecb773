//! IDA* with the pattern databases of one partition, or of a collection, as an [`Engine`].

use std::fmt;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use super::deepen::Context;
use super::incumbent::{BEAM_AFTER, Source};
use super::search::{Scratch, Search, over_collection, over_partition};
use crate::board::frame::Space;
use crate::board::{Path, Shape};
use crate::engine::automaton::Automaton;
use crate::engine::contract::{self, AnsweredBy, Effort, Engine, Framed, Job, LowerBounds, Problem, Readiness};
use crate::engine::sampling::{Request, Sampled};
use crate::engine::{Outcome, Stats, TieBreak};
use crate::heuristic::pdb::{BuildOptions, CollectionTables, Partition, Pattern, PdbCollection, PdbSum, Table};
use crate::system::{Footprint, InstructionSet, Limit};

/// A search guided by the pattern databases of one partition or one collection.
pub struct PatternEngine {
    search: Box<dyn Search>,
    tie_break: TieBreak,
    sum: Option<Arc<PdbSum>>,
    built: BuiltTables,
    name: Arc<str>,
    bytes: u64,
}

/// The tables built by an engine over a collection, which engines over larger collections can
/// share.
#[derive(Clone, Default)]
pub struct BuiltTables {
    /// The pattern databases.
    pub tables: Vec<Arc<Table>>,
    /// The automaton for the space's shape.
    pub automaton: Option<Arc<Automaton>>,
}

/// The automaton of an engine over a partition. The longer the tables take to build, the deeper it
/// is. The greatest depth costs more than it saves on boards of 16 cells, and pays off on larger
/// boards (`benches/automaton.rs`).
struct PartitionAutomaton {
    /// The length of the longest operator sequences that it rejects.
    depth: usize,
    /// The build cost, as the number of table entries generated in the same time.
    build_cost: u64,
}

impl PartitionAutomaton {
    fn of(shape: Shape, partition: &Partition) -> PartitionAutomaton {
        let (depth, build_cost) = match (shape.cells() > 16, partition.entries_generated()) {
            (true, 50_000_000..) => (13, 60_000_000),
            (false, 50_000_000..) | (true, 20_000_000..) => (12, 20_000_000),
            (_, 2_000_000..) => (10, 3_000_000),
            _ => (8, 400_000),
        };
        PartitionAutomaton { depth, build_cost }
    }

    /// Returns the automaton, which is built once per depth and shared by all spaces.
    fn get(&self) -> &'static Automaton {
        static BY_DEPTH: [OnceLock<Automaton>; Automaton::MAX_DEPTH + 1] =
            [const { OnceLock::new() }; Automaton::MAX_DEPTH + 1];
        BY_DEPTH[self.depth].get_or_init(|| Automaton::build(self.depth))
    }
}

/// The automaton of an engine over a collection: deeper for larger boards, as far as memory allows.
struct CollectionAutomaton {
    /// The length of the longest operator sequences that it rejects.
    depth: usize,
    /// The build cost, as the number of table entries generated in the same time.
    build_cost: u64,
    footprint: Footprint,
}

impl CollectionAutomaton {
    fn of(shape: Shape) -> CollectionAutomaton {
        let automaton = |depth, build_cost, peak: u64, kept: u64| {
            let footprint = Footprint { peak: peak << 20, kept: kept << 20 };
            CollectionAutomaton { depth, build_cost, footprint }
        };
        match (shape.rows(), shape.cols()) {
            (rows, cols) if rows * cols <= 16 => automaton(12, 0, 32, 1),
            // The rejected sequences come with the program; only the states must be merged.
            (4, 5) | (5, 4) | (5, 5) => automaton(16, 170_000_000, 80, 8),
            // For longer sides, only sequences of up to 14 moves come with the program.
            _ => automaton(14, 160_000_000, 96, 2),
        }
    }

    /// Returns the automaton to build with a collection, or `None` if tables of another collection,
    /// and with them the automaton, are already built.
    fn to_build(collection: &PdbCollection, built: &[Pattern]) -> Option<CollectionAutomaton> {
        let first = collection.patterns().first().filter(|_| built.is_empty());
        first.map(|pattern| CollectionAutomaton::of(pattern.shape()))
    }
}

impl PatternEngine {
    /// Builds the tables of a partition on `threads` threads, including the caller's. Returns
    /// `None` if stopped.
    pub fn build(
        space: &Space,
        partition: &Partition,
        tie_break: TieBreak,
        threads: usize,
        stop: &AtomicBool,
    ) -> Option<PatternEngine> {
        let options = BuildOptions { threads, stop, progress: &|_| {} };
        let sum = Arc::new(PdbSum::build(partition, &options)?);
        let automaton = PartitionAutomaton::of(space.shape, partition).get();
        let search = over_partition(InstructionSet::best(), space, &sum, automaton)?;
        let bytes = sum.bytes() as u64;
        let (name, built) = (partition.sizes().into(), BuiltTables::default());
        Some(PatternEngine { search, tie_break, sum: Some(sum), built, name, bytes })
    }

    /// Builds the tables of a collection, reusing those already built. Returns `None` if stopped.
    pub fn build_collection(
        space: &Space,
        collection: &PdbCollection,
        built: &BuiltTables,
        tie_break: TieBreak,
        threads: usize,
        stop: &AtomicBool,
    ) -> Option<PatternEngine> {
        let options = BuildOptions { threads, stop, progress: &|_| {} };
        // The automaton is built first, because it takes more memory while it is built than
        // afterwards.
        let automaton = match &built.automaton {
            Some(automaton) => Arc::clone(automaton),
            None => {
                let depth = CollectionAutomaton::of(space.shape).depth;
                let side = space.shape.cols().max(space.shape.rows());
                Arc::new(Automaton::build_for_side(depth, side, stop)?)
            }
        };
        let tables = Arc::new(CollectionTables::build(collection, &built.tables, &options)?);
        let search = over_collection(InstructionSet::best(), space, &tables, &automaton)?;
        let bytes = tables.bytes() as u64;
        let built = BuiltTables { tables: tables.tables().to_vec(), automaton: Some(automaton) };
        Some(PatternEngine { search, tie_break, sum: None, built, name: collection.name().into(), bytes })
    }

    /// Returns the build cost of the automaton for a partition, in table entries. It is the same if
    /// the automaton was already built for another space.
    pub fn partition_automaton_cost(space: &Space, partition: &Partition) -> u64 {
        PartitionAutomaton::of(space.shape, partition).build_cost
    }

    /// Returns the build cost of the automaton for a collection, in table entries: 0 if it is
    /// already built with the tables of another collection.
    pub fn collection_automaton_cost(collection: &PdbCollection, built: &[Pattern]) -> u64 {
        CollectionAutomaton::to_build(collection, built).map_or(0, |automaton| automaton.build_cost)
    }

    /// Returns the memory of an engine over a collection, tables and automaton, without the tables
    /// already built.
    pub fn collection_footprint(collection: &PdbCollection, built: &[Pattern]) -> Footprint {
        let tables = CollectionTables::footprint(collection, built);
        let none = Footprint { peak: 0, kept: 0 };
        let automaton = CollectionAutomaton::to_build(collection, built).map_or(none, |automaton| automaton.footprint);
        Footprint { peak: automaton.peak.max(automaton.kept + tables.peak), kept: automaton.kept + tables.kept }
    }

    /// Returns the tables that engines over larger collections can share.
    pub fn built(&self) -> &BuiltTables {
        &self.built
    }
}

impl fmt::Debug for PatternEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PatternEngine({}, {} bytes)", self.name, self.bytes)
    }
}

impl Engine for PatternEngine {
    fn name(&self) -> &'static str {
        "idastar"
    }

    fn heuristic(&self) -> Option<&str> {
        Some(&self.name)
    }

    fn solve(&self, job: &Job<'_>, scratch: &mut contract::Scratch, effort: &mut Effort) -> Outcome {
        let Some(Framed { start, .. }) = job.problem.framed else { return job.problem.without_frame() };
        effort.answered_by = AnsweredBy::Patterns(Arc::clone(&self.name));
        effort.log.begin(&self.name);
        let find = |stats: &mut Stats| run_beam(job, stats);
        // With a node limit no beam runs, because the limit does not count the beam's nodes.
        let may_run_beam = job.beam.is_some() && job.budget.nodes() == u64::MAX;
        let context = Context {
            tie_break: self.tie_break,
            log: effort.log.clone(),
            incumbent: may_run_beam.then_some(Source { find: &find, after: BEAM_AFTER }),
            ..Context::new(job.budget, job.thread_share)
        };
        let scratch = scratch.part(|list_bytes| Scratch::new(list_bytes.min(Scratch::BYTES)));
        self.search.solve(start, &context, scratch, &mut effort.stats)
    }

    fn sample(&self, problem: &Problem<'_>, request: &Request<'_>) -> Option<Result<Sampled, Limit>> {
        Some(self.search.sample(problem.framed?.start, request))
    }

    fn lower_bounds(&self, which: Readiness) -> LowerBounds<'_> {
        match (which, &self.sum) {
            (Readiness::Latest, Some(sum)) => LowerBounds::Patterns(sum),
            _ => LowerBounds::None,
        }
    }
}

/// Runs the job's beam. If a limit interrupted the beam, its result is dropped, because it would
/// depend on the clock.
fn run_beam(job: &Job<'_>, stats: &mut Stats) -> Option<Path> {
    let beam = job.beam?;
    let budget = job.budget.without_nodes().with_hidden_deadline();
    let mut effort = Effort::default();
    let outcome = beam.solve(&Job { budget: &budget, beam: None, ..*job }, &mut contract::Scratch::new(0), &mut effort);
    stats.add(&effort.stats);
    match outcome {
        Outcome::Found { path, .. } | Outcome::Solved(path) if job.budget.interrupted().is_none() => Some(path),
        _ => None,
    }
}
