//! IDA* over the pattern databases of one partition as an [`Engine`].

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::{PdbIdaStar, Scratch};
use crate::board::frame::Space;
use crate::engine::Outcome;
use crate::engine::automaton::Automaton;
use crate::engine::contract::{self, AnsweredBy, Effort, Engine, Framed, Job, LowerBounds, Readiness};
use crate::heuristic::pdb::{BuildOptions, Partition, PdbSum};

/// A search guided by the pattern databases of one partition.
pub struct PatternEngine {
    search: PdbIdaStar,
    sum: Arc<PdbSum>,
    name: Arc<str>,
    bytes: u64,
    build_time: Duration,
}

impl PatternEngine {
    /// Moves that the automaton looks back for duplicates: for tables that are built in no time, for those that are
    /// not, and for more than 16 cells. Deeper costs more than it saves on 16 cells and pays on more
    /// (`benches/automaton.rs`).
    const DEPTHS: [usize; 3] = [10, 12, 13];

    /// Builds the tables of a partition, on `threads` threads of its own; `None` where building was stopped.
    pub fn build(space: &Space, partition: &Partition, threads: usize, stop: &AtomicBool) -> Option<PatternEngine> {
        let began = Instant::now();
        let how = BuildOptions { threads, stop, progress: &|_| {} };
        let sum = Arc::new(PdbSum::build(partition, &how)?);
        let depth = match (space.shape.cells() > 16, partition.placements() < 50_000_000) {
            (true, _) => Self::DEPTHS[2],
            (false, false) => Self::DEPTHS[1],
            (false, true) => Self::DEPTHS[0],
        };
        let search = PdbIdaStar::new(space, &sum, &Automaton::build(depth))?;
        let bytes = sum.bytes() as u64;
        Some(PatternEngine { search, sum, name: partition.sizes().into(), bytes, build_time: began.elapsed() })
    }

    /// The partition, by its sizes: `7-8`.
    pub fn partition(&self) -> &Arc<str> {
        &self.name
    }

    /// Its tables.
    pub fn sum(&self) -> &Arc<PdbSum> {
        &self.sum
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
        self.search.solve(start, job.budget, job.thread_share, scratch, &mut effort.stats)
    }

    fn lower_bounds(&self, which: Readiness) -> LowerBounds<'_> {
        match which {
            Readiness::Latest => LowerBounds::Patterns(&self.sum),
            Readiness::Fixed => LowerBounds::None,
        }
    }
}
