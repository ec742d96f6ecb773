//! Pattern databases are paid for as a skier rents.
//!
//! How many boards will come is not known, or not for certain. So the boards of a space begin at the foot of a
//! ladder, with a heuristic that costs next to nothing. When the time spent solving at one rung has reached what
//! the next would cost to build, it is built, on all threads; boards that come later are solved
//! there. Searches under way go on meanwhile; who is between two boards waits, because the threads
//! that build would only be held up by boards that cost a fraction a moment later. A single
//! board that takes that long climbs by itself; where threads help it, their time counts too. Whatever comes, no more time was spent than about
//! twice what a planner would have needed who knew it beforehand (the ski-rental problem; Karlin,
//! Manasse, Rudolph, Sleator 1988).
//!
//! Of a file much is known beforehand, and of any stream what was read ahead ([`crate::outlook`]). As soon as the
//! boards so far tell what those to come will take, nothing is rented that will be bought, rungs that would be left at once are
//! passed over, and nothing is bought for the last few boards (`worth.rs`).
//!
//! What a rung costs is measured on the machine at hand: the time that a placement of tiles took so far, at
//! best, times the placements of the next one. It took it when the rungs below were built, and before, because the first
//! has none below: a table of half a million placements at most is built for its time alone, in 2 to 10 ms. A placement
//! costs much the same in all tables: 3.3 to 4.2 ns from `6-6-3` to `7-8` and `6-6-6-6` of 5×5 (one core of a
//! shared Xeon, 2026-11-21, `benches/yardstick`). The full table of 12 cells, the last rung where there is one,
//! is priced in placements too ([`Tables::placements`]).
//!
//! All ladders build within one [`Ledger`]: a rung for which it has too little is not built, nor any above it.
//!
//! Which rung answers depends on the clock; the answer does not, since all engines give the same path.
//! How far a search comes within a limit of *nodes* would depend on it: those searches stay at the foot.

mod worth;

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use crate::board::{Cell, Path, Shape, Solvable};
use crate::engine::automaton::Automaton;
use crate::engine::waves::{self, Waves};
use crate::engine::{Budget, Crew, Outcome, Stats, descent};
use crate::frame::Space;
use crate::heuristic::pdb::{Build, Partition, Pattern, PdbSum};
use crate::ledger::Ledger;
use crate::outlook::Outlook;
use crate::plan::Tables;
use worth::Stay;

/// The tables of a space, in the order in which they are built.
pub struct Ladder {
    space: Space,
    rungs: Vec<Rung>,
    threads: usize,
    /// What the rungs of all ladders may take together.
    ledger: Arc<Ledger>,
    /// Boards are solved by the rung below this height; the foot is 0.
    height: AtomicUsize,
    /// Rungs from here on take too much memory.
    top: AtomicUsize,
    /// Boards solved at this height, and the microseconds of processor time that they took.
    boards: AtomicU64,
    spent: AtomicU64,
    /// Boards solved at any height.
    solved: AtomicU64,
    /// The least that a placement has cost so far, in picoseconds of processor time.
    picoseconds: AtomicU64,
    /// Held by who builds. Who waits for him, waits for it.
    climbing: Mutex<()>,
    /// Somebody is building.
    building: AtomicBool,
}

struct Rung {
    tables: Tables,
    placements: u64,
    engine: OnceLock<RungEngine>,
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
    /// Its tables.
    pub sum: Arc<PdbSum>,
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
        Some(PatternEngine { waves, sum, name: partition.sizes().into(), bytes, built_in: began.elapsed() })
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
/// Memory that was never touched before is part of it, as it is of the tables that are priced by it.
fn calibrate(shape: Shape, goal_blank: Cell) -> u64 {
    /// Enough to take longer than any clock's tick, and no longer than a board takes to be read.
    const PLACEMENTS: u64 = 600_000;
    let homes: Vec<usize> = (0..shape.cells()).filter(|&home| home != goal_blank.index()).collect();
    let of_tiles = |tiles: usize| Partition::new(vec![Pattern::new(shape, goal_blank, &homes[..tiles]).ok()?]).ok();
    let sizes = (1..=Pattern::most_tiles(shape)).map_while(of_tiles);
    let Some(sample) = sizes.take_while(|sample| sample.placements() <= PLACEMENTS).last() else { return 0 };
    let (began, stop) = (Instant::now(), AtomicBool::new(false));
    drop(PdbSum::build(&sample, &Build { threads: 1, stop: &stop, progress: &|_| {} }));
    began.elapsed().as_nanos() as u64 * 1000 / sample.placements()
}

impl Ladder {
    /// A ladder of the tables that are worth building for the space, as far as the ledger has room for them when it
    /// comes to that; `None` where there are none.
    pub fn new(space: &Space, threads: usize, ledger: &Arc<Ledger>) -> Option<Ladder> {
        let rung = |tables: Tables| {
            let placements = tables.placements(space);
            Rung { tables, placements, engine: OnceLock::new() }
        };
        let rungs: Vec<Rung> = Tables::of(space).into_iter().map(rung).collect();
        if rungs.is_empty() {
            return None;
        }
        Some(Ladder {
            space: *space,
            threads,
            ledger: Arc::clone(ledger),
            height: AtomicUsize::new(0),
            top: AtomicUsize::new(rungs.len()),
            boards: AtomicU64::new(0),
            spent: AtomicU64::new(0),
            solved: AtomicU64::new(0),
            picoseconds: AtomicU64::new(calibrate(space.shape, space.goal_blank)),
            climbing: Mutex::new(()),
            building: AtomicBool::new(false),
            rungs,
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

    /// The pattern databases that solve boards, where they stand.
    pub fn patterns(&self) -> Option<&PatternEngine> {
        match self.engine(self.height.load(Ordering::Acquire))? {
            RungEngine::Full(_) => None,
            RungEngine::Patterns(engine) => Some(engine),
        }
    }

    /// What solves boards at a height; `None` at the foot.
    #[inline]
    fn engine(&self, height: usize) -> Option<&RungEngine> {
        self.rungs[height.checked_sub(1)?].engine.get()
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
                drop(self.climbing.lock());
                continue;
            }
            let began = Instant::now();
            let patient = self.patience(height, crew).map_or(*budget, |patience| budget.at_most(patience));
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
            if !unfinished || budget.interrupted().is_some() || self.patience(height, crew).is_none() {
                // Processor time is what the next rung costs, and what is spent until then.
                self.pay(height, began.elapsed() * (1 + crew.hands() as u32), &crew.outlook(), budget.stop());
                return outcome;
            }
            // It has cost the price of the next rung, whatever the boards to come will cost.
            let above = worth::rungs(&self.stay(), &crew.outlook(), self.prices(height)).unwrap_or(1);
            self.climb(height, height + above.max(1), budget.stop());
        }
    }

    /// What the rungs above a height would cost to build, in microseconds of processor time.
    fn prices(&self, height: usize) -> impl Iterator<Item = u64> + '_ {
        let picoseconds = self.picoseconds.load(Ordering::Relaxed);
        let rungs = self.rungs[..self.top.load(Ordering::Relaxed)].get(height..).unwrap_or_default();
        rungs.iter().map(move |rung| rung.placements * picoseconds / 1_000_000)
    }

    /// How long one board may take at a height before it climbs; `None`: as long as it will, for nothing is above.
    ///
    /// As long as the next rung would take to build, less what was spent already, by the clock: as a rule every thread
    /// has a board of its own, or they help each other. At the foot, where nothing is known of the boards but that others
    /// wait, it is supposed that they are like this one.
    fn patience(&self, height: usize, crew: &Crew) -> Option<Duration> {
        let price = self.prices(height).next()?;
        let (least, others) = match height {
            0 => (price / 8, crew.tasks().saturating_sub(1) as u64),
            _ => (price / 4, 0),
        };
        let left = price.saturating_sub(self.spent.load(Ordering::Relaxed)) / (1 + others);
        Some(Duration::from_micros(left.max(least)) / self.threads as u32)
    }

    fn stay(&self) -> Stay {
        Stay {
            boards: self.boards.load(Ordering::Relaxed),
            spent: self.spent.load(Ordering::Relaxed),
            solved: self.solved.load(Ordering::Relaxed),
        }
    }

    /// Counts a board and the processor time that it took at a height, and climbs when it is time to.
    fn pay(&self, height: usize, time: Duration, outlook: &Outlook, stop: &AtomicBool) {
        self.solved.fetch_add(1, Ordering::Relaxed);
        if self.height.load(Ordering::Acquire) != height {
            return;
        }
        self.boards.fetch_add(1, Ordering::Relaxed);
        self.spent.fetch_add(time.as_micros() as u64, Ordering::Relaxed);
        let (stay, mut prices) = (self.stay(), self.prices(height).peekable());
        let Some(&price) = prices.peek() else { return };
        let above = worth::rungs(&stay, outlook, prices).unwrap_or(usize::from(stay.spent >= price));
        if above > 0 {
            self.climb(height, height + above, stop);
        }
    }

    /// Builds the rung below a height, or the highest under it for which there is room; if somebody has climbed
    /// from the same height meanwhile, that will do. At most one builds.
    fn climb(&self, from: usize, to: usize, stop: &AtomicBool) {
        // Nothing is half done under the lock that a panic could spoil: tables are built whole or not at all.
        let _one = self.climbing.lock().unwrap_or_else(PoisonError::into_inner);
        if self.height.load(Ordering::Acquire) != from {
            return;
        }
        let _flag = Raised::raise(&self.building);
        let built = (from..to).rev().find_map(|index| {
            let rung = &self.rungs[index];
            let footprint = rung.tables.footprint(&self.space, self.threads);
            let began = Instant::now();
            let engine = self.ledger.build(footprint, || rung.build(&self.space, self.threads, stop));
            // Too large: so is all above it.
            let Some(engine) = engine else {
                self.top.fetch_min(index, Ordering::Relaxed);
                return None;
            };
            // All threads built it, or tried to: held up by searches, it cost less than this.
            let took = began.elapsed().as_nanos() as u64 * 1000 * self.threads as u64;
            self.picoseconds.fetch_min(took / rung.placements.max(1), Ordering::Relaxed);
            rung.engine.set(engine).ok().map(|()| index + 1)
        });
        if let Some(height) = built {
            self.boards.store(0, Ordering::Relaxed);
            self.spent.store(0, Ordering::Relaxed);
            self.height.store(height, Ordering::Release);
        }
    }
}

/// A flag that is down again when this is dropped, also by a panic.
struct Raised<'a>(&'a AtomicBool);

impl Raised<'_> {
    fn raise(flag: &AtomicBool) -> Raised<'_> {
        flag.store(true, Ordering::Relaxed);
        Raised(flag)
    }
}

impl Drop for Raised<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
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
