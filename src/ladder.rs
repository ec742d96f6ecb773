//! Pattern databases are paid for as a skier rents.
//!
//! How many boards will come is not known. So the boards of a space begin at the foot of a ladder, with a
//! heuristic that costs next to nothing. When the time spent solving at one rung has reached what
//! the next would cost to build, it is built, on all threads; boards that come later are solved
//! there. Searches under way go on meanwhile; who is between two boards waits, because the threads
//! that build would only be held up by boards that cost a fraction a moment later. A single
//! board that takes that long climbs by itself. Whatever comes, no more time was spent than about
//! twice what a planner would have needed who knew it beforehand (the ski-rental problem; Karlin,
//! Manasse, Rudolph, Sleator 1988).
//!
//! What a rung costs is measured: the time that a placement of tiles took when the rungs below were
//! built, at best, times the placements of the next one. Only the first price is an assumption, and
//! that of the full table of 12 cells, which is the last rung where there is one.
//!
//! Which rung answers depends on the clock; the answer does not, since all engines give the same path.
//! How far a search comes within a limit of *nodes* would depend on it: those searches stay at the foot.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use crate::board::{Path, Solvable};
use crate::engine::automaton::Automaton;
use crate::engine::waves::{self, Waves};
use crate::engine::{Budget, Limit, Outcome, Stats, descent};
use crate::frame::Space;
use crate::heuristic::pdb::{Build, Partition, PdbSum};
use crate::ledger::Ledger;

/// The tables of a space, in the order in which they are built.
pub struct Ladder {
    space: Space,
    rungs: Vec<Rung>,
    threads: usize,
    /// What building rungs may take, on all ladders together.
    memory: Arc<Ledger>,
    /// How many rungs are built: boards are solved by the last of these.
    height: AtomicUsize,
    /// Microseconds spent solving at this height.
    spent: AtomicU64,
    /// Microseconds of processor time that the next rung will take to build.
    price: AtomicU64,
    /// The least that a placement has cost so far, in picoseconds of processor time.
    picoseconds: AtomicU64,
    /// Somebody is building the next rung.
    building: AtomicBool,
    /// When the first rung is built.
    climb: Climb,
}

/// When a ladder's first rung is built.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Climb {
    /// When it has paid.
    WhenPaid,
    /// Before the first board is solved.
    AtOnce,
}

/// What a rung is made of.
#[derive(Clone, PartialEq, Eq)]
enum Tables {
    Patterns(Partition),
    /// The full table, see [`descent`].
    Full,
}

struct Rung {
    tables: Tables,
    /// `None`: it would take too much memory, or the run was stopped.
    engine: OnceLock<Option<RungEngine>>,
}

/// What solves boards on a rung.
enum RungEngine {
    Patterns(PatternEngine),
    Full(descent::Table),
}

/// What solved a board on a ladder.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum Used {
    /// The engine itself, with the heuristic it has from the beginning.
    #[default]
    Own,
    /// Pattern databases of this name.
    Patterns(Arc<str>),
    /// The full table.
    Full,
}

/// A search guided by pattern databases, and what they are called.
pub struct PatternEngine {
    /// The search.
    pub waves: Waves,
    /// The partition, by its sizes.
    pub name: Arc<str>,
    /// Bytes of its tables.
    pub bytes: u64,
    /// How long they took to build.
    pub built_in: Duration,
}

impl PatternEngine {
    /// Strings of so many letters are examined for duplicates: for tables that are built in no time,
    /// and for those that are not. Deeper costs more than it saves on 16 cells and pays on more.
    const DEPTHS: [usize; 3] = [10, 12, 13];

    /// Builds the tables of a partition, on `threads` threads of its own.
    pub fn build(space: &Space, partition: &Partition, threads: usize) -> Option<PatternEngine> {
        let began = Instant::now();
        let how = Build { threads, stop: &AtomicBool::new(false), progress: &|_| {} };
        let sum = Arc::new(PdbSum::build(partition, &how)?);
        let depth = match (space.shape.cells() > 16, placements(partition) < 50_000_000) {
            (true, _) => Self::DEPTHS[2],
            (false, false) => Self::DEPTHS[1],
            (false, true) => Self::DEPTHS[0],
        };
        let waves = Waves::new(space, &sum, &Automaton::build(depth))?;
        let bytes = sum.bytes() as u64;
        Some(PatternEngine { waves, name: partition.sizes().into(), bytes, built_in: began.elapsed() })
    }
}

impl std::fmt::Debug for PatternEngine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PatternEngine({}, {} bytes)", self.name, self.bytes)
    }
}

impl std::fmt::Debug for Ladder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<String> = self.rungs.iter().map(|rung| rung.tables.name()).collect();
        write!(f, "Ladder({} of {names:?})", self.height.load(Ordering::Relaxed))
    }
}

/// Ways to place the tiles of each pattern: what building the tables is proportional to.
fn placements(partition: &Partition) -> u64 {
    let of_pattern = |tiles: usize, cells: usize| (0..tiles).map(|tile| (cells - tile) as u64).product::<u64>();
    partition.patterns().iter().map(|pattern| of_pattern(pattern.tiles(), pattern.shape().cells())).sum()
}

impl Tables {
    fn name(&self) -> String {
        match self {
            Tables::Patterns(partition) => partition.sizes(),
            Tables::Full => "the full table".into(),
        }
    }

    /// The rungs that are worth building for a space, the first first.
    fn of(space: &Space, threads: usize, memory: u64) -> Vec<Tables> {
        let patterns = Partition::defaults(space.shape, space.goal_blank).into_iter().map(Tables::Patterns);
        let full = descent::is_for(space.shape) && descent::Table::peak_bytes(space.shape, threads) <= memory;
        patterns.chain(full.then_some(Tables::Full)).collect()
    }

    /// What it will cost in microseconds of processor time, where a placement costs so many picoseconds.
    fn price(&self, space: &Space, picoseconds: u64) -> u64 {
        match self {
            Tables::Patterns(partition) => placements(partition).saturating_mul(picoseconds) / 1_000_000,
            Tables::Full => descent::Table::microseconds(space.shape),
        }
    }

    fn peak_bytes(&self, space: &Space, threads: usize) -> u64 {
        match self {
            Tables::Patterns(partition) => PdbSum::peak_bytes(partition) as u64,
            Tables::Full => descent::Table::peak_bytes(space.shape, threads),
        }
    }

    fn build(&self, space: &Space, threads: usize, stop: &AtomicBool) -> Option<RungEngine> {
        match self {
            Tables::Patterns(partition) => PatternEngine::build(space, partition, threads).map(RungEngine::Patterns),
            Tables::Full => descent::Table::build(space, threads, stop).map(RungEngine::Full),
        }
    }
}

impl RungEngine {
    fn bytes(&self) -> u64 {
        match self {
            RungEngine::Patterns(engine) => engine.bytes,
            RungEngine::Full(table) => table.bytes(),
        }
    }
}

impl Ladder {
    /// What a placement is thought to cost before anything was built (2.6 GHz EPYC: 3 ns for 6-6-3).
    const FIRST_NANOSECONDS: u64 = 3;

    /// A ladder of the tables that are worth building for the space, as far as `bytes` allow and what is left of
    /// `memory` when it comes to building; `None` where there are none.
    pub fn new(space: &Space, threads: usize, bytes: u64, memory: &Arc<Ledger>) -> Option<Ladder> {
        Ladder::of(space, Tables::of(space, threads, bytes), threads, memory, Climb::WhenPaid)
    }

    /// A ladder of the full table alone, which is built for the first board.
    pub fn of_full_table(space: &Space, threads: usize, bytes: u64, memory: &Arc<Ledger>) -> Option<Ladder> {
        let rungs = Tables::of(space, threads, bytes).into_iter().filter(|tables| *tables == Tables::Full);
        Ladder::of(space, rungs.collect(), threads, memory, Climb::AtOnce)
    }

    fn of(space: &Space, tables: Vec<Tables>, threads: usize, memory: &Arc<Ledger>, climb: Climb) -> Option<Ladder> {
        let first = tables.first()?.price(space, Self::FIRST_NANOSECONDS * 1000);
        let rung = |tables| Rung { tables, engine: OnceLock::new() };
        Some(Ladder {
            space: *space,
            rungs: tables.into_iter().map(rung).collect(),
            threads,
            memory: Arc::clone(memory),
            height: AtomicUsize::new(0),
            spent: AtomicU64::new(0),
            price: AtomicU64::new(first.max(1)),
            picoseconds: AtomicU64::new(u64::MAX),
            building: AtomicBool::new(false),
            climb,
        })
    }

    /// The names of the rungs, the first to be built first.
    pub fn names(space: &Space, threads: usize, memory: u64) -> Vec<String> {
        Tables::of(space, threads, memory).iter().map(Tables::name).collect()
    }

    /// Whether it has no pattern databases.
    pub fn is_full_table(&self) -> bool {
        self.climb == Climb::AtOnce
    }

    /// The full table, where it stands.
    #[inline]
    pub fn full_table(&self) -> Option<&descent::Table> {
        match self.rungs.get(self.height.load(Ordering::Acquire).checked_sub(1)?)?.engine.get()? {
            Some(RungEngine::Full(table)) => Some(table),
            _ => None,
        }
    }

    /// Solves a board at the height that the ladder has, and climbs when that takes too long.
    ///
    /// `at_foot` searches without tables, within the budget that it is given. What ended it is left in `used`.
    pub fn solve(
        &self,
        start: &Solvable,
        budget: &Budget<'_>,
        scratch: &mut waves::Scratch,
        used: &mut Used,
        stats: &mut Stats,
        mut at_foot: impl FnMut(&Budget<'_>, &mut Stats) -> Outcome,
    ) -> Outcome {
        if self.climb == Climb::AtOnce {
            // Once: whoever comes later finds it built, or too large.
            self.climb(0, budget.stop());
        } else if budget.nodes() != u64::MAX {
            return at_foot(budget, stats);
        }
        loop {
            let height = self.height.load(Ordering::Acquire);
            if self.building.load(Ordering::Relaxed) {
                // Waits for it, and looks again.
                self.climb(height, budget.stop());
                if self.height.load(Ordering::Acquire) != height {
                    continue;
                }
            }
            let began = Instant::now();
            let patient = match self.rungs.get(height) {
                Some(_) => budget.at_most(Duration::from_micros(self.price.load(Ordering::Relaxed))),
                None => *budget,
            };
            let engine = height.checked_sub(1).and_then(|below| self.rungs[below].engine.get()?.as_ref());
            let outcome = match engine {
                None => at_foot(&patient, stats),
                Some(RungEngine::Patterns(engine)) => {
                    *used = Used::Patterns(Arc::clone(&engine.name));
                    engine.waves.solve(start, &patient, scratch, stats)
                }
                Some(RungEngine::Full(table)) => {
                    *used = Used::Full;
                    let mut path = Path::new();
                    table.solve(start, &mut path);
                    return Outcome::Solved(path);
                }
            };
            let unfinished = matches!(outcome, Outcome::Unsolved { limit: Limit::Time, .. });
            if !unfinished || budget.interrupted().is_some() || height == self.rungs.len() {
                self.pay(height, began.elapsed(), budget.stop());
                return outcome;
            }
            self.climb(height, budget.stop());
        }
    }

    /// Counts time spent at a height; when it has reached the price of the next, builds that.
    fn pay(&self, height: usize, time: Duration, stop: &AtomicBool) {
        let time = time.as_micros() as u64;
        let spent = self.spent.fetch_add(time, Ordering::Relaxed);
        let price = self.price.load(Ordering::Relaxed);
        let due = spent < price && spent + time >= price;
        if due && height < self.rungs.len() && self.height.load(Ordering::Acquire) == height {
            self.climb(height, stop);
        }
    }

    /// Builds the rung above this height, or waits for who does; at most one builds.
    fn climb(&self, height: usize, stop: &AtomicBool) {
        let Some(rung) = self.rungs.get(height) else { return };
        rung.engine.get_or_init(|| {
            self.building.store(true, Ordering::Relaxed);
            let (space, began) = (&self.space, Instant::now());
            let peak = rung.tables.peak_bytes(space, self.threads);
            let fits = self.memory.take(peak);
            let engine = fits.then(|| rung.tables.build(space, self.threads, stop)).flatten();
            if fits {
                let kept = engine.as_ref().map_or(0, RungEngine::bytes);
                self.memory.give_back(peak.saturating_sub(kept));
            }
            if let (Some(RungEngine::Patterns(_)), Tables::Patterns(partition)) = (&engine, &rung.tables) {
                // All threads built it, or tried to: held up by searches, it cost less than this.
                let took = began.elapsed().as_nanos() as u64 * 1000 * self.threads as u64;
                self.picoseconds.fetch_min(took / placements(partition).max(1), Ordering::Relaxed);
            }
            match (&engine, self.rungs.get(height + 1)) {
                (Some(_), next) => {
                    if let Some(next) = next {
                        let least = self.picoseconds.load(Ordering::Relaxed);
                        self.price.store(next.tables.price(space, least), Ordering::Relaxed);
                    }
                    self.height.store(height + 1, Ordering::Release);
                }
                // Too large: so is all above it. Boards stay at this height, without end of patience.
                (None, _) => self.price.store(u64::MAX / 2, Ordering::Relaxed),
            }
            self.spent.store(0, Ordering::Relaxed);
            self.building.store(false, Ordering::Relaxed);
            engine
        });
    }
}
