//! IDA* over the pattern databases of one partition, or of a set of patterns, as an [`Engine`].

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::deepen::Told;
use super::proof_by_bound::{self, ASKED_FROM, Asking};
use super::{PdbIdaStar, Scratch};
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
    build_time: Duration,
}

/// What an engine over a set of patterns has built, for engines over larger sets to share.
#[derive(Clone, Default)]
pub struct Standing {
    /// Tables of patterns.
    pub tables: Vec<Arc<Table>>,
    /// The automaton of the space's shape.
    pub automaton: Option<Arc<DeepAutomaton>>,
}

impl PatternEngine {
    /// Moves that the automaton looks back for duplicates: for tables that are built in no time, for those that are
    /// not, and for more than 16 cells. Deeper costs more than it saves on 16 cells and pays on more
    /// (`benches/automaton.rs`).
    const DEPTHS: [usize; 3] = [10, 12, 13];

    /// Builds the tables of a partition, on `threads` threads of its own; `None` where building was stopped.
    pub fn build(
        space: &Space,
        partition: &Partition,
        tie_break: TieBreak,
        threads: usize,
        stop: &AtomicBool,
    ) -> Option<PatternEngine> {
        let began = Instant::now();
        let how = BuildOptions { threads, stop, progress: &|_| {} };
        let sum = Arc::new(PdbSum::build(partition, &how)?);
        let depth = match (space.shape.cells() > 16, partition.placements() < 50_000_000) {
            (true, _) => Self::DEPTHS[2],
            (false, false) => Self::DEPTHS[1],
            (false, true) => Self::DEPTHS[0],
        };
        let search = PdbIdaStar::new(space, &sum, &Automaton::build(depth))?.with_tie_break(tie_break);
        let bytes = sum.bytes() as u64;
        let (name, standing) = (partition.sizes().into(), Standing::default());
        Some(PatternEngine { search, sum: Some(sum), standing, name, bytes, build_time: began.elapsed() })
    }

    /// Moves that the automaton of a set looks back: for up to 16 cells, and for more. Such boards take seconds to hours.
    const SET_DEPTHS: [usize; 2] = [12, 16];

    /// Builds the tables of a set of patterns but for those that stand; `None` where building was stopped.
    pub fn build_set(
        space: &Space,
        set: &PatternSet,
        standing: &Standing,
        tie_break: TieBreak,
        threads: usize,
        stop: &AtomicBool,
    ) -> Option<PatternEngine> {
        let began = Instant::now();
        let how = BuildOptions { threads, stop, progress: &|_| {} };
        let tables = Arc::new(SetTables::build(set, &standing.tables, &how)?);
        let automaton = match &standing.automaton {
            Some(automaton) => Arc::clone(automaton),
            None => {
                let depth = Self::SET_DEPTHS[usize::from(space.shape.cells() > 16)];
                let side = space.shape.cols().max(space.shape.rows());
                Arc::new(DeepAutomaton::build(depth, side, threads, stop)?)
            }
        };
        let search = PdbIdaStar::over_set(space, &tables, &automaton, tie_break)?;
        let bytes = tables.bytes() as u64;
        let standing = Standing { tables: tables.tables().to_vec(), automaton: Some(automaton) };
        Some(PatternEngine { search, sum: None, standing, name: set.name().into(), bytes, build_time: began.elapsed() })
    }

    /// Whether an engine over a set has to build an automaton that costs as much as tables do; it is shared as they are.
    pub fn builds_deep_automaton(set: &PatternSet, standing: &[Pattern]) -> bool {
        standing.is_empty() && set.patterns().iter().any(|pattern| pattern.shape().cells() > 16)
    }

    /// The memory of an engine over a set, beside the tables of these patterns, which stand: its tables, and the automaton.
    pub fn set_footprint(set: &PatternSet, standing: &[Pattern]) -> Footprint {
        /// Of the deep automaton: while it is built, and afterwards.
        const AUTOMATON: Footprint = Footprint { peak: 420 << 20, kept: 8 << 20 };
        /// Of the one for smaller boards.
        const SHALLOW: Footprint = Footprint { peak: 32 << 20, kept: 1 << 20 };
        let tables = SetTables::footprint(set, standing);
        let automaton = match Self::builds_deep_automaton(set, standing) {
            true => AUTOMATON,
            false if standing.is_empty() => SHALLOW,
            false => Footprint { peak: 0, kept: 0 },
        };
        let kept = tables.kept + automaton.kept;
        Footprint { peak: tables.peak.max(tables.kept + automaton.peak), kept }
    }

    /// What it has built that engines over larger sets may share.
    pub fn standing(&self) -> &Standing {
        &self.standing
    }

    /// The partition, by its sizes: `7-8`; or the set, by its name: `18x6`.
    pub fn partition(&self) -> &Arc<str> {
        &self.name
    }

    /// What its tables hold in memory, in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// How long they took to build.
    pub fn build_time(&self) -> Duration {
        self.build_time
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
