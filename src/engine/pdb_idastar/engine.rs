//! IDA* over the pattern databases of one partition, or of a set of patterns, as an [`Engine`].

use std::fmt;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use super::deepen::Told;
use super::proof_by_bound::{self, ASKED_FROM, Asking};
use super::{PdbIdaStar, Scratch};
use crate::board::Shape;
use crate::board::frame::Space;
use crate::engine::automaton::{Automaton, DeepAutomaton};
use crate::engine::contract::{self, AnsweredBy, Effort, Engine, Framed, Job, LowerBounds, Problem, Readiness};
use crate::engine::sampling::{Request, Sampled};
use crate::engine::{Outcome, Stats, TieBreak};
use crate::heuristic::pdb::{BuildOptions, Partition, Pattern, PatternSet, PdbSum, SetTables, Table};
use crate::system::{Footprint, Limit};

/// A search guided by the pattern databases of one partition, or by those of a set of patterns.
pub struct PatternEngine {
    search: PdbIdaStar,
    sum: Option<Arc<PdbSum>>,
    standing: Standing,
    name: Arc<str>,
    bytes: u64,
}

/// What an engine over a set of patterns has built, for engines over larger sets to share.
#[derive(Clone, Default)]
pub struct Standing {
    /// Tables of patterns.
    pub tables: Vec<Arc<Table>>,
    /// The automaton of the space's shape.
    pub automaton: Option<Arc<DeepAutomaton>>,
}

/// The automaton of engines over a partition: deeper where tables take longer than it does. Deeper costs more than it saves on 16 cells
/// and pays on more (`benches/automaton.rs`).
struct PartitionAutomaton {
    /// Moves that it looks back.
    depth: usize,
    /// To build it takes as long as to place tiles so many times.
    placements: u64,
}

impl PartitionAutomaton {
    fn of(shape: Shape, partition: &Partition) -> PartitionAutomaton {
        let (depth, placements) = match (shape.cells() > 16, partition.placements()) {
            (true, 50_000_000..) => (13, 60_000_000),
            (false, 50_000_000..) | (true, 20_000_000..) => (12, 20_000_000),
            (_, 2_000_000..) => (10, 3_000_000),
            _ => (8, 400_000),
        };
        PartitionAutomaton { depth, placements }
    }

    /// Built once, whatever the space.
    fn get(&self) -> &'static Automaton {
        static BY_DEPTH: [OnceLock<Automaton>; Automaton::MAX_DEPTH + 1] =
            [const { OnceLock::new() }; Automaton::MAX_DEPTH + 1];
        BY_DEPTH[self.depth].get_or_init(|| Automaton::build(self.depth))
    }
}

/// The automaton of engines over a set: deeper where boards take longer, as far as memory allows.
struct SetAutomaton {
    /// Moves that it looks back.
    depth: usize,
    /// To build it takes as long as to place tiles so many times.
    placements: u64,
    footprint: Footprint,
}

impl SetAutomaton {
    fn of(shape: Shape) -> SetAutomaton {
        let of = |depth, placements, peak: u64, kept: u64| {
            let footprint = Footprint { peak: peak << 20, kept: kept << 20 };
            SetAutomaton { depth, placements, footprint }
        };
        match (shape.rows(), shape.cols()) {
            (rows, cols) if rows * cols <= 16 => of(12, 0, 32, 1),
            (5, 5) => of(16, 1_200_000_000, 450, 8),
            // More strings fit onto longer sides: of depth 16 they would take 790 MB.
            _ => of(14, 160_000_000, 96, 2),
        }
    }

    /// The one that is built with a set, if no other set's stands.
    fn beside(set: &PatternSet, standing: &[Pattern]) -> Option<SetAutomaton> {
        set.patterns().first().filter(|_| standing.is_empty()).map(|pattern| SetAutomaton::of(pattern.shape()))
    }
}

impl PatternEngine {
    /// Builds the tables of a partition, on `threads` threads of its own; `None` where building was stopped.
    pub fn build(
        space: &Space,
        partition: &Partition,
        tie_break: TieBreak,
        threads: usize,
        stop: &AtomicBool,
    ) -> Option<PatternEngine> {
        let how = BuildOptions { threads, stop, progress: &|_| {} };
        let sum = Arc::new(PdbSum::build(partition, &how)?);
        let automaton = PartitionAutomaton::of(space.shape, partition).get();
        let search = PdbIdaStar::new(space, &sum, automaton)?.with_tie_break(tie_break);
        let bytes = sum.bytes() as u64;
        let (name, standing) = (partition.sizes().into(), Standing::default());
        Some(PatternEngine { search, sum: Some(sum), standing, name, bytes })
    }

    /// Builds the tables of a set of patterns but for those that stand; `None` where building was stopped.
    pub fn build_set(
        space: &Space,
        set: &PatternSet,
        standing: &Standing,
        tie_break: TieBreak,
        threads: usize,
        stop: &AtomicBool,
    ) -> Option<PatternEngine> {
        let how = BuildOptions { threads, stop, progress: &|_| {} };
        // First, because it takes more while it is built than afterwards.
        let automaton = match &standing.automaton {
            Some(automaton) => Arc::clone(automaton),
            None => {
                let depth = SetAutomaton::of(space.shape).depth;
                let side = space.shape.cols().max(space.shape.rows());
                Arc::new(DeepAutomaton::build(depth, side, threads, stop)?)
            }
        };
        let tables = Arc::new(SetTables::build(set, &standing.tables, &how)?);
        let search = PdbIdaStar::over_set(space, &tables, &automaton, tie_break)?;
        let bytes = tables.bytes() as u64;
        let standing = Standing { tables: tables.tables().to_vec(), automaton: Some(automaton) };
        Some(PatternEngine { search, sum: None, standing, name: set.name().into(), bytes })
    }

    /// What the automaton of an engine over a partition costs beside tables: as much as placing tiles so many times. Where another
    /// space has had it built it costs nothing.
    pub fn placements_of_shared_automaton(space: &Space, partition: &Partition) -> u64 {
        PartitionAutomaton::of(space.shape, partition).placements
    }

    /// What the automaton of an engine over a set costs beside tables: as much as placing tiles so many times. It is
    /// shared as they are.
    pub fn placements_of_automaton(set: &PatternSet, standing: &[Pattern]) -> u64 {
        SetAutomaton::beside(set, standing).map_or(0, |automaton| automaton.placements)
    }

    /// The memory of an engine over a set, beside the tables of these patterns, which stand: its tables, and the automaton.
    pub fn set_footprint(set: &PatternSet, standing: &[Pattern]) -> Footprint {
        let tables = SetTables::footprint(set, standing);
        let none = Footprint { peak: 0, kept: 0 };
        let automaton = SetAutomaton::beside(set, standing).map_or(none, |automaton| automaton.footprint);
        Footprint { peak: automaton.peak.max(automaton.kept + tables.peak), kept: automaton.kept + tables.kept }
    }

    /// What it has built that engines over larger sets may share.
    pub fn standing(&self) -> &Standing {
        &self.standing
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
        let scratch = scratch.part(|list_bytes| Scratch::new(list_bytes.min(Scratch::BYTES)));
        effort.log.begin(&self.name);
        let Effort { stats, log, .. } = effort;
        let find = |stats: &mut Stats| proof_by_bound::ask(job, stats);
        // A limit of nodes is for the search alone.
        let asking = Asking { ask: &find, from: ASKED_FROM };
        let ask = (job.beam.is_some() && job.budget.nodes() == u64::MAX).then_some(asking);
        self.search.solve_and_tell(start, (job.budget, job.thread_share), scratch, stats, Told { log, ask })
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
