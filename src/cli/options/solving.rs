//! The options for solving: engine, threads, memory and limits. Every solver in the program is
//! built from these arguments.

use std::time::Duration;

use clap::Args;

use super::values::{self, OrAuto, choice, choice_or_auto};
use crate::batch;
use crate::batch::fast_path::FastPath;
use crate::engine::{EngineKind, Parallel, TieBreak};
use crate::format::fields::Need;
use crate::format::input::DecompressionLimit;
use crate::format::style::Style;
use crate::heuristic::learned::AvailableWeights;
use crate::solver::{Aim, EnginePreference, HeuristicChoice, MemoryPlan, Quality, Settings, Solver};
use crate::system::{Limits, allowed_memory};
use crate::tools::text::counted;

/// The machine resources available to a run.
#[derive(Debug, Clone, Copy, Default, Args)]
#[command(next_help_heading = "Search")]
pub struct MachineResources {
    /// Number of threads [default: all available]
    #[arg(short = 'j', long, alias = "jobs", value_name = "N", value_parser = values::threads)]
    pub threads: Option<usize>,

    /// Total memory, such as 4GiB [default: a quarter of the machine's memory]
    ///
    /// It covers tables, visited states and the records being processed. In a container, the
    /// default is a quarter of its limit.
    #[arg(long, value_name = "BYTES", value_parser = values::bytes)]
    pub memory: Option<u64>,
}

/// The limits on the search for one board.
#[derive(Debug, Clone, Copy, Default, Args)]
#[command(next_help_heading = "Search")]
pub struct BoardLimits {
    /// Time limit per board, such as 10s
    ///
    /// With a time limit, the results may differ from run to run.
    #[arg(long, alias = "timeout", value_name = "TIME", value_parser = values::duration)]
    time_limit: Option<Duration>,

    /// Node limit per board
    ///
    /// The same node limit and the same --memory give the same results on every machine.
    #[arg(long, value_name = "NODES")]
    node_limit: Option<u64>,
}

/// The required quality of paths.
#[derive(Debug, Clone, Copy, Default, Args)]
#[command(next_help_heading = "Search")]
pub struct PathQuality {
    /// Quality of paths: shortest (proven), good, auto
    ///
    /// auto: shortest for boards that have at most 25 cells or only one row or column, otherwise
    /// good. A path that is not proven shortest has the fields "optimal":false and "lower_bound".
    #[arg(long, value_name = "QUALITY", default_value = "auto", value_parser = choice_or_auto(&Quality::ALL, Quality::name))]
    pub quality: OrAuto<Quality>,

    /// Effort for good paths, from 1 (fastest) to 9 (best) [default: 5]
    ///
    /// A typical board takes, on one core, about 4 ms at level 1, 1 s at level 5 and a minute at
    /// level 9. Small boards take less, very large ones more. The same --effort and --memory give
    /// the same paths on every machine. With --time-limit, --effort is ignored: the search for a
    /// good path takes all the time that is left.
    #[arg(long, value_name = "1..9", value_parser = values::effort)]
    pub effort: Option<u8>,
}

/// The options of commands that search for paths of any quality.
#[derive(Debug, Clone, Copy, Args)]
pub struct PathSearchOptions {
    #[command(flatten)]
    resources: MachineResources,

    #[command(flatten)]
    quality: PathQuality,

    #[command(flatten)]
    limits: BoardLimits,
}

impl PathSearchOptions {
    pub fn solving(self) -> Solving {
        let PathSearchOptions { resources, quality, limits } = self;
        Solving { resources, quality, limits, ..Solving::default() }
    }
}

/// The options for solving boards.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Search")]
pub struct Solving {
    #[command(flatten)]
    pub resources: MachineResources,

    #[command(flatten)]
    pub quality: PathQuality,

    /// Quality to fall back to if a limit ends a search (only value: good)
    ///
    /// If the search for a shortest path reaches a limit, a search for a good path follows. The
    /// last fifth of --time-limit is reserved for it. --node-limit does not apply to it: without
    /// --time-limit, --effort determines how long it takes.
    #[arg(long, value_name = "QUALITY", value_parser = ["good"])]
    pub fallback: Option<String>,

    #[command(flatten)]
    pub limits: BoardLimits,

    /// Engine: auto, lookup, bidirectional, astar, idastar
    #[arg(long, value_name = "ENGINE", default_value = "auto", value_parser = choice_or_auto(&EngineKind::SEARCHES, EngineKind::name))]
    pub engine: OrAuto<EngineKind>,

    /// Heuristic: auto, manhattan, linear-conflict, walking-distance, walking-conflict, or pattern
    /// databases such as 7-8
    ///
    /// walking-conflict is the larger of walking-distance and linear-conflict. Pattern databases
    /// are named by the sizes of their patterns (6-6-3, 7-8), or by the cells that the tiles of
    /// each pattern occupy in the goal, as in 0,1,2/3,4,5 (cell 0 is at the top left). Some shapes
    /// also have collections of overlapping patterns, named by the number and size of the patterns:
    /// on 5x5, 18x6 is a collection of 18 patterns of 6 tiles each. --explain lists the tables that
    /// a run may use.
    #[arg(long, value_name = "H", default_value = "auto")]
    pub heuristic: HeuristicChoice,

    /// Which shortest path: canonical (alphabetically first), any (faster)
    ///
    /// With --tie-break any, searches with pattern databases take about 40% less time, but the path
    /// found depends on the databases in use. Paths may therefore differ from run to run unless
    /// --heuristic names the databases, as in --heuristic 7-8. The default is canonical if paths
    /// are written or --node-limit is given; otherwise it is any.
    #[arg(long, value_name = "RULE", value_parser = choice(&TieBreak::OPTIONS, TieBreak::name))]
    pub tie_break: Option<TieBreak>,

    /// File of learned weights for good paths (see docs/large-boards.md)
    #[arg(long, value_name = "FILE", value_parser = values::weights)]
    pub weights: Option<AvailableWeights>,

    /// Distribution of boards over threads: auto, across (one board each), within (all on one)
    #[arg(long, value_name = "HOW", default_value = "auto", hide = true, value_parser = choice(&[Parallel::Auto, Parallel::Across, Parallel::Within], Parallel::name))]
    pub parallel: Parallel,

    /// Solve small boards one by one instead of in blocks
    #[arg(long, hide = true)]
    pub no_fast_path: bool,

    /// Bytes of memory reserved for other uses.
    #[arg(skip)]
    pub reserved: u64,
}

impl MachineResources {
    /// Returns the number of threads; by default all that this process may use.
    pub fn threads(self) -> usize {
        self.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
    }

    /// Returns the memory in bytes; by default a quarter of what this process may use.
    pub fn memory(self) -> u64 {
        self.memory.unwrap_or_else(|| allowed_memory().unwrap_or(8 << 30) / 4)
    }
}

impl Solving {
    /// Returns the memory in bytes without the part reserved for other uses.
    pub fn memory(&self) -> u64 {
        self.resources.memory() - self.reserved
    }

    /// Returns a warning if the run may need more memory than was requested or than the process is
    /// allowed. In the second case the system may kill the process, which then cannot print a
    /// message.
    pub fn too_little_memory(&self) -> Option<String> {
        too_little_memory(self.resources.memory, allowed_memory(), self.resources.threads())
    }

    /// Returns true if the paths that are found depend on the amount of memory, whatever the
    /// number of threads.
    pub fn memory_decides(&self) -> bool {
        let aim = self.aim();
        let is_limited_or_any = self.limits.node_limit.is_some() || self.tie_break == Some(TieBreak::Any);
        is_limited_or_any || aim.is_good() || aim.fallback || aim.effort.is_some()
    }

    /// Returns the reason why a resumed run may write different results than an uninterrupted one
    /// or, if `on_several_machines`, why several machines may write different results. `None` if
    /// the results are the same, byte for byte.
    pub fn why_irreproducible(&self, on_several_machines: bool) -> Option<&'static str> {
        let (preference, any) = (self.preference(), self.tie_break == Some(TieBreak::Any));
        let keeps_visited = preference.engine.is_some_and(EngineKind::keeps_visited);
        if any && !matches!(preference.heuristic, HeuristicChoice::Partition(_)) {
            return Some(
                "--tie-break any needs a --heuristic that names pattern databases: otherwise paths differ from run to \
                 run",
            );
        }
        match on_several_machines {
            true if self.resources.memory.is_none() && (self.memory_decides() || keeps_visited) => {
                Some("with these options the results depend on the memory: set --memory")
            }
            true if self.resources.threads.is_none() && keeps_visited => {
                Some("with this engine the results depend on the number of threads: set --threads")
            }
            _ => None,
        }
    }

    pub fn preference(&self) -> EnginePreference {
        EnginePreference {
            engine: self.engine,
            heuristic: self.heuristic.clone(),
            tie_break: self.tie_break.unwrap_or_default(),
            has_node_limit: self.limits.node_limit.is_some(),
        }
    }

    pub fn limits(&self) -> Limits {
        Limits { nodes: self.limits.node_limit, time: self.limits.time_limit }
    }

    /// Returns the quality of paths to aim for, with the fallback and the effort.
    pub fn aim(&self) -> Aim {
        Aim { quality: self.quality.quality, fallback: self.fallback.is_some(), effort: self.quality.effort }
    }

    /// Returns the weights for good paths.
    pub fn weights(&self) -> AvailableWeights {
        self.weights.clone().unwrap_or_default()
    }

    /// Returns the same options, but shortest paths only unless `--quality` was given.
    pub fn shortest_by_default(&self) -> Solving {
        let quality = self.quality.quality.or(Some(Quality::Shortest));
        Solving { quality: PathQuality { quality, ..self.quality }, ..self.clone() }
    }

    /// Returns the same options for callers that use only the lengths of paths: any shortest path
    /// will do. The tie-break stays if `--tie-break` was given, or if a node limit makes the set
    /// of solved boards depend on it.
    pub fn for_lengths(&self) -> Solving {
        let length_only = self.limits.node_limit.is_none().then_some(TieBreak::LengthOnly);
        Solving { tie_break: self.tie_break.or(length_only), ..self.clone() }
    }

    /// Returns the same options with `bytes` per thread reserved for other uses, at most half of
    /// the memory.
    pub fn with_reserved(&self, bytes: u64) -> Solving {
        let reserved = (bytes * self.resources.threads() as u64).min(self.resources.memory() / 2);
        Solving { reserved, ..self.clone() }
    }

    /// Checks that no options contradict each other.
    ///
    /// # Errors
    /// A message for the user.
    pub fn check(&self) -> Result<(), &'static str> {
        let BoardLimits { time_limit, node_limit } = self.limits;
        let good = self.aim().is_good();
        if good && self.engine.is_some() {
            return Err("--engine cannot be combined with --quality good: engines search for shortest paths");
        }
        if good && node_limit.is_some() {
            return Err("--node-limit cannot be combined with --quality good: use --effort");
        }
        match &self.fallback {
            Some(_) if good => {
                Err("--fallback cannot be combined with --quality good: a fallback replaces an unfinished proof")
            }
            Some(_) if time_limit.is_none() && node_limit.is_none() => {
                Err("--fallback needs a limit: add --time-limit or --node-limit")
            }
            _ => Ok(()),
        }
    }

    /// Returns the settings of the solver.
    pub fn settings(&self) -> Settings {
        let (threads, memory) = (self.resources.threads(), self.memory());
        let (parallel, preference, limits) = (self.parallel, self.preference(), self.limits());
        Settings { threads, parallel, memory, preference, aim: self.aim(), weights: self.weights(), limits }
    }

    /// Returns a solver with these options.
    pub fn solver(&self) -> Solver {
        Solver::with(self.settings())
    }

    /// Returns the limits on decompression. The maximum size of a zstd window is a share of the
    /// memory.
    pub fn decompression_limit(&self) -> DecompressionLimit {
        DecompressionLimit::default().within(MemoryPlan::of(self.memory(), self.resources.threads()).decompression)
    }

    /// Returns the options of a batch that writes its results in this style.
    pub fn batch_options(&self, style: &Style, count_cap: u64) -> batch::Options {
        let earlier_bytes = self.earlier_bytes(style);
        let fast_path = if self.no_fast_path { FastPath::Off } else { FastPath::On };
        batch::Options { count_cap, earlier_bytes, fast_path, ..batch::Options::new(style.clone()) }
    }

    /// Returns the memory reserved for the digests of earlier boards, which are kept to find
    /// duplicates.
    fn earlier_bytes(&self, style: &Style) -> u64 {
        match style.fields() {
            Some(fields) if fields.need(Need::EarlierRecords) => self.resources.memory() / 4,
            _ => 0,
        }
    }

    /// Returns the settings of the solver of a batch that writes its results in this style.
    pub fn batch_settings(&self, style: &Style) -> Settings {
        let settings = self.settings();
        // The sampled estimate depends on which tables fit, but must not depend on the number of
        // threads. With a node limit, the shares of memory do not depend on that number, so a limit
        // is set that no search reaches.
        let samples = style.fields().is_some_and(|fields| fields.need(Need::Sample));
        let nodes = settings.limits.nodes.or(samples.then_some(Limits::UNREACHED));
        let memory = settings.memory - self.earlier_bytes(style);
        Settings { memory, limits: Limits { nodes, ..settings.limits }, ..settings }
    }
}

fn too_little_memory(requested: Option<u64>, allowed: Option<u64>, threads: usize) -> Option<String> {
    let megabytes = |bytes: u64| bytes.div_ceil(1 << 20);
    let who = counted(threads as u64, "thread");
    // The memory that the threads need even without tables.
    let least = MemoryPlan::of(0, threads).total(threads);
    if let Some(allowed) = allowed.filter(|&allowed| allowed < least) {
        return Some(format!(
            "this process is limited to {}M of memory, but {who} may need {}M: \
             use fewer threads (-j), or raise the limit (ulimit -v, or the control group's)",
            megabytes(allowed),
            megabytes(least)
        ));
    }
    let requested = requested?;
    let needed = MemoryPlan::of(requested, threads).total(threads);
    let (given, most) = (megabytes(requested), megabytes(needed));
    (requested < needed).then(|| format!("{who} may use {most}M, more than --memory {given}M"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_little_memory_is_reported() {
        let warning = |requested, allowed| too_little_memory(requested, allowed, 2).unwrap_or_default();
        assert_eq!(warning(None, None), "");
        assert_eq!(warning(Some(1 << 30), Some(64 << 20)), "");
        assert_eq!(warning(Some(1 << 20), Some(1 << 30)), "2 threads may use 31M, more than --memory 1M");
        for memory in [None, Some(1 << 20), Some(1 << 30)] {
            assert!(
                warning(memory, Some(20 << 20)).starts_with("this process is limited to 20M of memory, but 2 threads")
            );
        }
    }
}
