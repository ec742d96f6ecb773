//! Pattern databases are paid for as a skier rents.
//!
//! How many boards will come is not known. So the boards of a space begin at the foot of a ladder, with a
//! heuristic that costs next to nothing. When the time spent solving at one rung has reached what
//! the next would cost to build, it is built, on all threads; boards that come later are solved
//! there. Searches under way go on meanwhile; who is between two boards waits, because the threads
//! that build would only be held up by boards that cost a fraction a moment later. A single
//! board that takes that long climbs by itself; where threads help it, their time counts too. Whatever
//! comes, no more time was spent than about twice what a planner would have needed who knew it
//! beforehand (the ski-rental problem; Karlin, Manasse, Rudolph, Sleator 1988).
//!
//! What a rung costs is measured on the machine at hand: the time that a placement of tiles took so far, at
//! best, times the placements of the next one. It took it when the rungs below were built, and before, because the first
//! has none below: a table of half a million placements at most is built for its time alone, which takes 2 ms. A placement
//! costs much the same in all tables: 3.3 to 4.2 ns from `6-6-3` to `7-8` and `6-6-6-6` of 5×5 (one core of a
//! shared Xeon, 2026-11-21, `benches/yardstick`). The full table of 12 cells, the last rung where there is one,
//! is priced in placements too ([`Tables::placements`]).
//!
//! All ladders build within one [`Ledger`]: a rung for which it has too little is not built, nor any above it.
//!
//! Which rung answers depends on the clock; the answer does not, since all engines give the same path.
//! How far a search comes within a limit of *nodes* would depend on it: those searches stay at the foot.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use crate::board::{Cell, Path, Shape, Solvable};
use crate::engine::automaton::Automaton;
use crate::engine::waves::{self, Waves};
use crate::engine::{Budget, Crew, Outcome, Stats, descent};
use crate::frame::Space;
use crate::heuristic::pdb::{Build, Partition, Pattern, PdbSum};
use crate::ledger::Ledger;
use crate::plan::Tables;

/// The tables of a space, in the order in which they are built.
pub struct Ladder {
    space: Space,
    rungs: Vec<Rung>,
    threads: usize,
    /// What the rungs of all ladders may take together.
    ledger: Arc<Ledger>,
    /// How many rungs are built: boards are solved by the last of these.
    height: AtomicUsize,
    /// Microseconds of processor time spent solving at this height.
    spent: AtomicU64,
    /// Microseconds of processor time that the next rung will take to build.
    price: AtomicU64,
    /// The least that a placement has cost so far, in picoseconds of processor time.
    picoseconds: AtomicU64,
    /// Somebody is building the next rung.
    building: AtomicBool,
}

struct Rung {
    tables: Tables,
    /// `None`: it would take too much memory, or the run was stopped.
    engine: OnceLock<Option<RungEngine>>,
}

/// What solves boards on a rung.
enum RungEngine {
    Patterns(PatternEngine),
    Full(Box<descent::Table>),
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
        let depth = match (space.shape.cells() > 16, partition.placements() < 50_000_000) {
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

impl Rung {
    fn build(&self, space: &Space, threads: usize, stop: &AtomicBool) -> Option<RungEngine> {
        match &self.tables {
            Tables::Patterns(partition) => PatternEngine::build(space, partition, threads).map(RungEngine::Patterns),
            Tables::Full => descent::Table::build(space, threads, stop).map(|table| RungEngine::Full(Box::new(table))),
        }
    }
}

/// What a placement of tiles costs to build here, in picoseconds of one thread's time.
///
/// Measured twice, because what holds a thread up – a page fetched, a neighbour's turn – makes the one
/// time longer and never shorter.
fn calibrate(shape: Shape, goal_blank: Cell) -> u64 {
    /// Enough to take longer than any clock's tick, and no longer than a board takes to be read.
    const PLACEMENTS: u64 = 600_000;
    let homes: Vec<usize> = (0..shape.cells()).filter(|&home| home != goal_blank.index()).collect();
    let of_tiles = |tiles: usize| Partition::new(vec![Pattern::new(shape, goal_blank, &homes[..tiles]).ok()?]).ok();
    let sizes = (1..=Pattern::most_tiles(shape)).map_while(of_tiles);
    let Some(sample) = sizes.take_while(|sample| sample.placements() <= PLACEMENTS).last() else { return 0 };
    let time = || {
        let (began, stop) = (Instant::now(), AtomicBool::new(false));
        drop(PdbSum::build(&sample, &Build { threads: 1, stop: &stop, progress: &|_| {} }));
        began.elapsed().as_nanos() as u64
    };
    time().min(time()) * 1000 / sample.placements()
}

impl Ladder {
    /// A ladder of the tables that are worth building for the space, as far as the ledger has room for them when it
    /// comes to that; `None` where there are none.
    pub fn new(space: &Space, threads: usize, ledger: &Arc<Ledger>) -> Option<Ladder> {
        let tables = Tables::of(space);
        let picoseconds = calibrate(space.shape, space.goal_blank);
        let first = tables.first()?.placements(space) * picoseconds / 1_000_000;
        let rung = |tables| Rung { tables, engine: OnceLock::new() };
        Some(Ladder {
            space: *space,
            rungs: tables.into_iter().map(rung).collect(),
            threads,
            ledger: Arc::clone(ledger),
            height: AtomicUsize::new(0),
            spent: AtomicU64::new(0),
            price: AtomicU64::new(first.max(1)),
            picoseconds: AtomicU64::new(picoseconds),
            building: AtomicBool::new(false),
        })
    }

    /// The full table, where it stands.
    #[inline]
    pub fn full_table(&self) -> Option<&descent::Table> {
        match self.engine(self.height.load(Ordering::Acquire))? {
            RungEngine::Full(table) => Some(table),
            RungEngine::Patterns(_) => None,
        }
    }

    /// What solves boards at a height; `None` at the foot.
    #[inline]
    fn engine(&self, height: usize) -> Option<&RungEngine> {
        self.rungs[height.checked_sub(1)?].engine.get()?.as_ref()
    }

    /// Solves a board at the height that the ladder has, and climbs when that takes too long.
    ///
    /// `at_foot` searches without tables, within the budget that it is given. What ended it is left in `used`.
    #[allow(clippy::too_many_arguments)] // what a search takes, and who helps with it
    pub fn solve(
        &self,
        start: &Solvable,
        budget: &Budget<'_>,
        crew: &Crew,
        scratch: &mut waves::Scratch,
        used: &mut Used,
        stats: &mut Stats,
        mut at_foot: impl FnMut(&Budget<'_>, &mut Stats) -> Outcome,
    ) -> Outcome {
        if budget.nodes() != u64::MAX {
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
            // Processor time is what the next rung costs, and what is spent until then.
            let threads = 1 + crew.hands() as u32;
            let patient = match self.rungs.get(height) {
                Some(_) => budget.at_most(Duration::from_micros(self.price.load(Ordering::Relaxed)) / threads),
                None => *budget,
            };
            let outcome = match self.engine(height) {
                None => at_foot(&patient, stats),
                Some(RungEngine::Patterns(engine)) => {
                    *used = Used::Patterns(Arc::clone(&engine.name));
                    engine.waves.solve(start, &patient, crew, scratch, stats)
                }
                Some(RungEngine::Full(table)) => {
                    *used = Used::Full;
                    let mut path = Path::new();
                    table.solve(start, &mut path);
                    Outcome::Solved(path)
                }
            };
            let unfinished = matches!(outcome, Outcome::Unsolved { .. });
            if !unfinished || budget.interrupted().is_some() || height == self.rungs.len() {
                self.pay(height, began.elapsed() * threads, budget.stop());
                return outcome;
            }
            self.climb(height, budget.stop());
        }
    }

    /// Counts processor time spent at a height; when it has reached the price of the next, builds that.
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
            let space = &self.space;
            let footprint = rung.tables.footprint(space, self.threads);
            let began = Instant::now();
            let engine = self.ledger.build(footprint, || rung.build(space, self.threads, stop));
            match (&engine, self.rungs.get(height + 1)) {
                (Some(_), next) => {
                    if let Some(next) = next {
                        // All threads built it, or tried to: held up by searches, it cost less than this.
                        let took = began.elapsed().as_nanos() as u64 * 1000 * self.threads as u64;
                        let each = took / rung.tables.placements(space).max(1);
                        let least = self.picoseconds.fetch_min(each, Ordering::Relaxed).min(each);
                        self.price.store(next.tables.placements(space) * least / 1_000_000, Ordering::Relaxed);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Every shape that has a ladder has a price for its first rung.
    #[test]
    fn the_first_price_is_measured_on_every_shape() {
        for (rows, cols) in [(2, 2), (2, 3), (3, 4), (2, 8), (4, 4), (5, 5), (2, 12)] {
            let shape = Shape::new(rows, cols).unwrap();
            assert!(calibrate(shape, Cell::new(shape.cells() - 1)) > 0, "{shape}");
        }
    }
}
