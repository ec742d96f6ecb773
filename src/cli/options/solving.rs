//! How boards are solved: the engine, the threads, the memory, the limits. Everything that solves boards in the program
//! is made here out of arguments.

use std::time::Duration;

use clap::Args;

use super::values::{self, OrAuto};
use crate::batch;
use crate::batch::fast_path::FastPath;
use crate::engine::{EngineKind, Parallel, TieBreak};
use crate::format::choice::one_of;
use crate::format::fields::Need;
use crate::format::input::DecompressionLimit;
use crate::format::style::Style;
use crate::heuristic::learned::Available;
use crate::solver::{Aim, EnginePreference, HeuristicChoice, MemoryPlan, Quality, Settings, Solver};
use crate::system::{Limits, allowed_memory};
use crate::tools::verify;

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Solving")]
pub struct Solving {
    /// Threads that solve. By default as many as this process may use.
    #[arg(short = 'j', long, value_name = "N", value_parser = values::threads)]
    threads: Option<usize>,

    /// How threads share boards: auto, across (a board each) or within (all on one board, then the next).
    #[arg(long, value_name = "HOW", hide = true, default_value = "auto", hide_possible_values = true, value_parser = values::named(["auto", "across", "within"], parallel))]
    pub parallel: Parallel,

    #[arg(long, value_name = "ENGINE", default_value = "auto", hide_possible_values = true, value_parser = values::named(engines(), engine), help = engine_help())]
    engine: OrAuto<EngineKind>,

    /// What guides it: auto, manhattan, linear-conflict, walking-distance, walking-conflict, or pattern
    /// databases by their sizes (6-6-3, 7-8) or by the home cells of their tiles (0,1,2/3,4,5); of 3x6,
    /// 4x5 and 5x5 also sets of patterns that form many sums (18x6; --explain names them).
    #[arg(long, value_name = "HEURISTIC", default_value = "auto")]
    heuristic: HeuristicChoice,

    /// Which of several shortest paths: canonical, the smallest, whatever finds it; or any, which takes three fifths of the time where
    /// pattern databases guide the search and is the same on any number of threads where the heuristic is named, but without a name
    /// (auto) may differ from run to run. By default canonical where paths are written, else any (with --node-limit canonical): counts of nodes that are to
    /// be compared name theirs.
    #[arg(long, value_name = "WHICH", hide_possible_values = true, value_parser = values::named(TieBreak::ALL.map(TieBreak::name), tie_break))]
    pub tie_break: Option<TieBreak>,

    /// The most that the run takes in memory, such as 500M or 4G: tables, visited states, lists of searches,
    /// and what is between reading and writing. By default a quarter of what this process may use: of the
    /// machine's memory, or of its control group's.
    #[arg(long, value_name = "BYTES", value_parser = values::bytes)]
    memory: Option<u64>,

    /// Longest time for one board, such as 500ms, 10s or 2m; what is reached in it varies.
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    time_limit: Option<Duration>,

    /// Most nodes for one board; the same number gives the same results everywhere, with the same --memory. Such a board is
    /// searched by one thread.
    #[arg(long, value_name = "NODES")]
    node_limit: Option<u64>,

    /// What paths are wanted: shortest ones, proven, or good ones soon; by default shortest ones of boards of
    /// up to 25 cells, and good ones of larger boards. A path that is not proven shortest says so in its
    /// result: "optimal":false and a lower bound.
    #[arg(long, value_name = "QUALITY", hide_possible_values = true, value_parser = values::named(Quality::ALL.map(Quality::name), quality))]
    quality: Option<Quality>,

    /// Give boards whose proof does not end within --time-limit or --node-limit a path that is not
    /// proven: good.
    #[arg(long, value_name = "QUALITY", hide_possible_values = true, value_parser = values::named([Quality::Good.name()], fallback))]
    fallback: Option<Quality>,

    /// The work for a good path, from 1 (some milliseconds a board) to 9 (a minute), by default 5 (about a
    /// second for 6x6); the same work gives the same path everywhere. With --time-limit a good path is
    /// the best that was found in that time.
    #[arg(long, value_name = "1..9", value_parser = values::effort)]
    effort: Option<u8>,

    /// Learned weights for good paths of boards of their shape, which come before those that taquin brings along
    /// (docs/learned.md says how they are trained).
    #[arg(long, value_name = "FILE", value_parser = values::weights)]
    weights: Option<Available>,

    /// Take every record the general way, also plain lines of boards up to 3x3, which are otherwise read
    /// and written in blocks. The results are the same.
    #[arg(long, hide = true)]
    no_fast_path: bool,
}

impl Solving {
    /// As if nothing but these had been given.
    pub fn within(threads: Option<usize>, memory: Option<u64>) -> Solving {
        Solving {
            threads,
            parallel: Parallel::Auto,
            engine: OrAuto(None),
            heuristic: HeuristicChoice::Auto,
            tie_break: None,
            memory,
            time_limit: None,
            node_limit: None,
            quality: None,
            fallback: None,
            effort: None,
            weights: None,
            no_fast_path: false,
        }
    }

    pub fn threads(&self) -> usize {
        available_threads(self.threads)
    }

    pub fn fast_path(&self) -> FastPath {
        if self.no_fast_path { FastPath::Off } else { FastPath::On }
    }

    pub fn memory(&self) -> u64 {
        available_memory(self.memory)
    }

    /// A warning where so little memory was asked for, or is allowed, that a run takes more. In the second case it may be
    /// aborted, and then there is no more room for words.
    pub fn too_little_memory(&self) -> Option<String> {
        too_little_memory(self.memory, allowed_memory(), self.threads())
    }

    /// The value of `--memory`, if it was given.
    pub fn asked_memory(&self) -> Option<u64> {
        self.memory
    }

    /// Whether the memory decides which paths are found, on any number of threads.
    pub fn memory_decides(&self) -> bool {
        let aim = self.aim();
        let by_lists = self.node_limit.is_some() || self.tie_break == Some(TieBreak::Any);
        by_lists || aim.is_good() || aim.fallback || aim.effort.is_some()
    }

    /// Why runs on different machines, or one that was broken off and goes on, may not write the same bytes.
    pub fn varies(&self, on_machines: bool) -> Option<&'static str> {
        let (preference, any) = (self.preference(), self.tie_break == Some(TieBreak::Any));
        let keeps_visited = preference.engine.is_some_and(EngineKind::keeps_visited);
        if any && preference.partition.is_none() {
            return Some("--tie-break any needs a --heuristic by name: without one paths differ from run to run");
        }
        match on_machines {
            true if self.memory.is_none() && (self.memory_decides() || keeps_visited) => {
                Some("with these options the memory decides what is found: say how much, with --memory")
            }
            true if self.threads.is_none() && keeps_visited => {
                Some("with this engine the number of threads decides what is found: say how many, with --threads")
            }
            _ => None,
        }
    }

    pub fn preference(&self) -> EnginePreference {
        let (heuristic, partition) = self.heuristic.parts();
        EnginePreference {
            engine: self.engine.0,
            heuristic,
            partition,
            tie_break: self.tie_break.unwrap_or_default(),
            limited: self.node_limit.is_some(),
        }
    }

    pub fn limits(&self) -> Limits {
        Limits { nodes: self.node_limit, time: self.time_limit }
    }

    /// What paths are wanted.
    pub fn aim(&self) -> Aim {
        Aim { quality: self.quality, fallback: self.fallback.is_some(), effort: self.effort }
    }

    /// The weights for good paths.
    pub fn weights(&self) -> Available {
        self.weights.clone().unwrap_or_default()
    }

    /// The same where paths that are not proven shortest are of no use, unless they were asked for.
    pub fn for_proofs(&self) -> Solving {
        Solving { quality: self.quality.or(Some(Quality::Shortest)), ..self.clone() }
    }

    /// The same where nobody sees more of a path than its length, unless it was said which path is to be found, or which boards are
    /// solved depends on it.
    pub fn for_lengths(&self) -> Solving {
        let unseen = self.node_limit.is_none().then_some(TieBreak::Unseen);
        Solving { tie_break: self.tie_break.or(unseen), ..self.clone() }
    }

    /// The same with less memory, for what is kept beside the search: by so many bytes on each thread, but never by more than half.
    pub fn beside(&self, bytes: u64) -> Solving {
        let all = self.memory();
        let memory = all.saturating_sub(bytes * self.threads() as u64).max(all / 2);
        Solving { memory: Some(memory), ..self.clone() }
    }

    /// What contradicts itself among these options.
    pub fn contradiction(&self) -> Option<&'static str> {
        let good = self.quality == Some(Quality::Good);
        match (self.engine.0, self.node_limit, self.fallback) {
            (Some(_), ..) if good => Some("--engine chooses how shortest paths are searched for, not --quality good"),
            (_, Some(_), _) if good => {
                Some("--node-limit ends the search for a shortest path: with --quality good it is --effort")
            }
            (.., Some(_)) if good => Some("--fallback good is for shortest paths: --quality good asks for no other"),
            (.., Some(_)) if self.time_limit.is_none() && self.node_limit.is_none() => {
                Some("--fallback good needs a limit to fall back at: --time-limit or --node-limit")
            }
            _ => None,
        }
    }

    /// How boards are solved, as asked for.
    pub fn settings(&self) -> Settings {
        let (threads, memory) = (self.threads(), self.memory());
        let (parallel, preference, limits) = (self.parallel, self.preference(), self.limits());
        Settings { threads, parallel, memory, preference, aim: self.aim(), weights: self.weights(), limits }
    }

    /// The same for what only shortest paths can tell.
    pub fn settings_for_proofs(&self) -> Settings {
        Settings { aim: Aim { effort: self.effort, ..Aim::SHORTEST }, ..self.settings() }
    }

    /// What solves boards as asked for.
    pub fn solver(&self) -> Solver {
        Solver::with(self.settings())
    }

    /// How far a compressed file is trusted: its window has a share of the memory.
    pub fn decompression_limit(&self) -> DecompressionLimit {
        DecompressionLimit::default().within(MemoryPlan::of(self.memory(), self.threads()).decompression)
    }

    /// How a batch is run that writes its results in this style.
    pub fn batch_options(&self, style: &Style, count_cap: u64) -> batch::Options {
        let (earlier_bytes, fast_path) = (self.earlier_bytes(style), self.fast_path());
        batch::Options { count_cap, earlier_bytes, fast_path, ..batch::Options::new(style.clone()) }
    }

    /// Returns the memory for boards that are compared with later ones.
    fn earlier_bytes(&self, style: &Style) -> u64 {
        match style.fields() {
            Some(fields) if fields.need(Need::EarlierRecords) => self.memory() / 4,
            _ => 0,
        }
    }

    /// Returns the settings of the solver of a batch that writes its results in this style.
    pub fn batch_settings(&self, style: &Style) -> Settings {
        let settings = self.settings();
        // Which tables have room, and so what is sampled, must not depend on the number of threads: as where nodes are limited.
        let samples = style.fields().is_some_and(|fields| fields.need(Need::Sample));
        let nodes = settings.limits.nodes.or(samples.then_some(Limits::UNREACHED));
        let memory = settings.memory - self.earlier_bytes(style);
        Settings { memory, limits: Limits { nodes, ..settings.limits }, ..settings }
    }

    /// How `verify` solves a sample of this size again.
    pub fn sample(&self, boards: usize) -> verify::SampleOptions {
        let any_shortest = self.aim().is_good() || self.fallback.is_some();
        verify::SampleOptions { boards, solving: self.settings_for_proofs(), any_shortest }
    }
}

fn available_threads(asked: Option<usize>) -> usize {
    asked.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
}

fn available_memory(asked: Option<u64>) -> u64 {
    asked.unwrap_or_else(|| allowed_memory().unwrap_or(8 << 30) / 4)
}

fn too_little_memory(asked: Option<u64>, allowed: Option<u64>, threads: usize) -> Option<String> {
    let megabytes = |bytes: u64| bytes.div_ceil(1 << 20);
    // Of the least there is, nothing goes to tables.
    let least = MemoryPlan::of(0, threads).total(threads);
    if let Some(allowed) = allowed.filter(|&allowed| allowed < least) {
        return Some(format!(
            "this process may use {}M of memory, and {threads} threads take up to {}M: when it gets no more it is aborted; \
             take fewer threads (-j), or raise the limit (ulimit -v, or that of the control group)",
            megabytes(allowed),
            megabytes(least)
        ));
    }
    let asked = asked?;
    let takes = MemoryPlan::of(asked, threads).total(threads);
    (asked < takes).then(|| {
        format!("--memory {}M cannot be kept: {threads} threads take up to {}M", megabytes(asked), megabytes(takes))
    })
}

fn engines() -> impl Iterator<Item = &'static str> {
    ["auto"].into_iter().chain(EngineKind::SEARCHES.map(EngineKind::name))
}

fn engine_help() -> String {
    format!("What searches: {}", one_of(engines()))
}

fn engine(name: &str) -> Result<OrAuto<EngineKind>, String> {
    OrAuto::by_name(name, &EngineKind::SEARCHES, EngineKind::name)
}

fn quality(name: &str) -> Result<Quality, String> {
    let found = Quality::ALL.into_iter().find(|quality| quality.name() == name);
    found.ok_or_else(|| format!("choose from {}", Quality::ALL.map(Quality::name).join(", ")))
}

fn fallback(name: &str) -> Result<Quality, String> {
    quality(name).ok().filter(|quality| *quality == Quality::Good).ok_or_else(|| "choose good".into())
}

fn parallel(name: &str) -> Result<Parallel, String> {
    match OrAuto::by_name(name, &[Parallel::Across, Parallel::Within], Parallel::name)? {
        OrAuto(how) => Ok(how.unwrap_or(Parallel::Auto)),
    }
}

fn tie_break(name: &str) -> Result<TieBreak, String> {
    let found = TieBreak::ALL.into_iter().find(|which| which.name() == name);
    found.ok_or_else(|| format!("expected {}", TieBreak::ALL.map(TieBreak::name).join(" or ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_little_memory_is_told() {
        let told = |asked, allowed| too_little_memory(asked, allowed, 2).unwrap_or_default();
        assert_eq!(told(None, None), "");
        assert_eq!(told(Some(1 << 30), Some(64 << 20)), "");
        assert!(told(Some(1 << 20), Some(1 << 30)).starts_with("--memory 1M cannot be kept: 2 threads take up to 31M"));
        for asked in [None, Some(1 << 20), Some(1 << 30)] {
            assert!(told(asked, Some(20 << 20)).starts_with("this process may use 20M of memory, and 2 threads"));
        }
    }
}
