//! Tables are paid for as a skier rents.
//!
//! How many boards will come is not known, or not for certain. So the boards of a space begin at the foot of a
//! ladder, with a heuristic that costs next to nothing. When the time spent solving at one stage has reached what
//! the next one costs to build, that one is built, on all threads; boards that come later are solved
//! there. Searches under way go on meanwhile; a thread that is between two boards waits, because the threads
//! that build would only be held up by boards that cost a fraction a moment later. A single
//! board that takes that long climbs by itself; where threads help it, their time counts too. Whatever comes, no more
//! time is spent than about twice what a planner would have needed who knew it beforehand (the ski-rental problem;
//! Karlin, Manasse, Rudolph, Sleator 1988).
//!
//! Of a file much is known beforehand, and of any stream what was read ahead ([`RemainingWork`]). As soon as the
//! boards so far show what those to come will take, nothing is rented that will be bought, stages that would be left
//! at once are passed over, and nothing is bought for the last few boards (`worth.rs`). Until then, a board that is not easy
//! is taken for one of a file of random boards (`typical.rs`), so that their tables are begun with. The first whose tiles are as far from
//! home as those of a random board is taken for one before it is searched: what is best for as many random boards as are known to come is built
//! at once where it costs little.
//!
//! What a stage costs is measured on the machine at hand: the least time that a placement of tiles took so far, times
//! the placements of the next stage. Where no stage has told it yet and a board has taken a few milliseconds, a small table is
//! built for its time alone, in a millisecond or two; easy boards are solved without. A placement costs much the same in all tables
//! (`benches/yardstick`); the full table, the last stage of 12 cells, is priced in placements too ([`Tables::placements`]).
//!
//! All ladders build within one [`MemoryBudget`]: a stage that does not fit is not built, nor any above it.
//!
//! Which stage answers depends on the clock; the answer does not, since all engines give the same path.
//! How far a search comes within a limit of *nodes* would depend on it: those searches stay at the foot.

mod stage;
#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use self::stage::Stage;
use super::calibrate::{MOST_PICOSECONDS, calibrate};
use super::farness::{IS_RANDOM, MAY_BE_RANDOM, farness};
use super::plan::{HeuristicKind, Tables};
use super::typical::placements_a_board;
use super::worth::{self, Above, GAIN, Stay};
use crate::board::frame::Space;
use crate::engine::contract::{AnsweredBy, Effort, Engine, Job, LowerBounds, Readiness, Scratch};
use crate::engine::idastar::IdaStar;
use crate::engine::pdb_idastar::Standing;
use crate::engine::{EngineKind, Outcome, ThreadShare, TieBreak, full_table};
use crate::heuristic::WalkingConflict;
use crate::heuristic::pdb::Pattern;
use crate::system::{Budget, MemoryBudget};

/// What solves boards at the foot of a ladder.
pub type Foot = IdaStar<WalkingConflict>;

/// Builds it.
pub type BuildFoot = Box<dyn Fn() -> Foot + Send + Sync>;

/// The engines of a space, in the order in which they are built.
pub struct Ladder {
    space: Space,
    /// Solves boards before any stage is built; itself built for the first of them, for random boards may need none.
    foot: OnceLock<Foot>,
    build_foot: BuildFoot,
    stages: Vec<Stage>,
    tie_break: TieBreak,
    threads: usize,
    /// What the stages of all ladders may take together.
    memory_budget: Arc<MemoryBudget>,
    /// Boards are solved by the stage below this height; the foot is 0.
    height: AtomicUsize,
    /// Stages from here on take too much memory.
    top: AtomicUsize,
    /// Boards solved at this height, and the microseconds of processor time that they took.
    boards: AtomicU64,
    spent: AtomicU64,
    /// Boards solved at any height.
    solved: AtomicU64,
    /// What a random board costs in placements, by height, where that is known.
    random_boards: Option<&'static [f64]>,
    /// What a placement costs by a small table, in picoseconds of processor time; measured when it is first asked for, if nothing has told it.
    measured: OnceLock<u64>,
    /// The least that one has cost in the stages that were built.
    least_picoseconds: AtomicU64,
    /// Held by the thread that builds; the others wait for it.
    climbing: Mutex<()>,
    /// True while a thread builds.
    building: AtomicBool,
    /// Whether a board has come that is supposed to be a random one.
    had_random: AtomicBool,
}

impl fmt::Debug for Ladder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.stages.iter().map(|stage| stage.tables.name()).collect();
        write!(f, "Ladder({} of {names:?})", self.height.load(Ordering::Relaxed))
    }
}

/// Boards that take no longer, in all, are solved without a thought of tables.
const EASY: Duration = Duration::from_millis(4);

/// A table that is more than one stage away is not built before boards have taken such a part of its price at the foot: until then they
/// may be the hardest of a file of easy ones, of which nobody knows yet. Of random boards that costs a twentieth of the time.
const PROOF: u64 = 10;

/// Up to so many placements a stage is built for boards that are supposed to be random ones, and nothing more is known of them: some
/// eighty milliseconds.
const BUILT_AT_ONCE: u64 = 30_000_000;

/// A first stage that costs less than such a part of what a random board takes without it is built for the first board that may be one, and for
/// any that is not easy.
const CHEAP: f64 = 64.0;

/// Of boards that are nearer it is supposed that they take such a part of what a random board takes, until something is known of them.
const NEARER: f64 = 1.0 / 128.0;

/// Boards that are known to come after the one that is searched.
fn waiting(thread_share: &ThreadShare) -> u64 {
    thread_share.tasks().saturating_sub(1) as u64
}

impl Ladder {
    /// A ladder of the tables that are worth building for the space, as far as the memory budget has room for them when
    /// it comes to that; `None` where there are none.
    pub fn new(
        space: &Space,
        build_foot: BuildFoot,
        tie_break: TieBreak,
        threads: usize,
        memory_budget: &Arc<MemoryBudget>,
    ) -> Option<Ladder> {
        let mut stages: Vec<Stage> = Vec::new();
        for tables in Tables::of(space) {
            let stage = Stage::new(tables, space, &stages);
            stages.push(stage);
        }
        if stages.is_empty() {
            return None;
        }
        let random_boards = placements_a_board(space.shape).filter(|boards| boards.len() == stages.len() + 1);
        Some(Ladder {
            space: *space,
            foot: OnceLock::new(),
            build_foot,
            tie_break,
            threads,
            memory_budget: Arc::clone(memory_budget),
            height: AtomicUsize::new(0),
            top: AtomicUsize::new(stages.len()),
            boards: AtomicU64::new(0),
            spent: AtomicU64::new(0),
            solved: AtomicU64::new(0),
            random_boards,
            measured: OnceLock::new(),
            least_picoseconds: AtomicU64::new(u64::MAX),
            climbing: Mutex::new(()),
            building: AtomicBool::new(false),
            had_random: AtomicBool::new(false),
            stages,
        })
    }

    /// What solves boards at the foot, built now if it was never needed before.
    pub fn foot(&self) -> &Foot {
        self.foot.get_or_init(|| (self.build_foot)())
    }

    /// What was built below a height.
    #[inline]
    fn stage(&self, height: usize) -> Option<&dyn Engine> {
        self.stages[height.checked_sub(1)?].engine.get().map(|engine| &**engine)
    }

    /// What solves boards at a height; the foot where nothing is built.
    #[inline]
    fn engine(&self, height: usize) -> &dyn Engine {
        self.stage(height).unwrap_or_else(|| self.foot())
    }

    /// What the highest stage that was built lets others share.
    fn standing(&self) -> Standing {
        self.stages.iter().rev().find_map(|stage| stage.standing.get().cloned()).unwrap_or_default()
    }

    /// What a placement costs, in picoseconds.
    fn picoseconds(&self) -> u64 {
        let told = self.least_picoseconds.load(Ordering::Relaxed);
        // What one thread has built has told it. Of many threads some may have waited.
        let measured = match self.threads == 1 && told < u64::MAX {
            true => *self.measured.get().unwrap_or(&MOST_PICOSECONDS),
            false => *self.measured.get_or_init(|| calibrate(self.space.shape, self.space.goal_blank).max(1)),
        };
        told.min(measured)
    }

    /// Whether boards were easy so far: that a board takes as long as this is not known to be worth a stage, and what a stage costs
    /// need not be measured.
    fn is_easy(&self, height: usize) -> bool {
        let spent = Duration::from_micros(self.spent.load(Ordering::Relaxed));
        height == 0 && spent < EASY && self.measured.get().is_none()
    }

    /// Whether the first stage costs next to nothing beside a random board.
    fn is_first_cheap(&self) -> bool {
        self.random_boards.is_some_and(|boards| boards[0] > CHEAP * self.stages[0].placements(0) as f64)
    }

    /// The stages above a height: what they would cost to build, in microseconds of processor time, and what they gain.
    fn above(&self, height: usize) -> impl Iterator<Item = Above> + '_ {
        let (picoseconds, stay) = (self.picoseconds(), self.stay());
        let stages = self.stages[..self.top.load(Ordering::Relaxed)].get(height..).unwrap_or_default();
        // What boards take at the stages one after the other, in placements, as far as it is known.
        let mut mean = match stay.boards {
            ..worth::SMALL_SAMPLE => f64::INFINITY,
            boards => stay.spent as f64 * 1e6 / (boards * picoseconds) as f64,
        };
        stages.iter().enumerate().map(move |(index, stage)| {
            let price = stage.placements(height) * picoseconds / 1_000_000;
            let gain = self.random_boards.map_or(GAIN, |boards| {
                let (below, above) = (boards[height + index], boards[height + index + 1]);
                match (height + index, &stage.tables) {
                    // Easy boards gain as much by the first tables as random ones.
                    (0, _) => below / above,
                    // All states take the same in a table of all.
                    (_, Tables::Full) => (mean.min(below) / above).max(1.0),
                    _ => worth::gain(mean, below, above),
                }
            });
            mean /= gain;
            Above { price, gain }
        })
    }

    /// How long one board may take at a height before it climbs; `None`: as long as it will, for nothing is above.
    ///
    /// As long as the next stage would take to build, less what was spent already, by the clock: as a rule every thread
    /// has a board of its own, or they help each other. At the foot, where nothing is known of the boards but that others
    /// wait, it is supposed that they are like this one.
    fn patience(&self, height: usize, like_random: bool, thread_share: &ThreadShare) -> Option<Duration> {
        if self.is_easy(height) {
            return Some(EASY);
        }
        let (next, stay, remaining_work) = (self.above(height).next()?, self.stay(), thread_share.remaining_work());
        let waiting = 1 + waiting(thread_share);
        let (price, left) = (next.price, next.price.saturating_sub(stay.spent));
        let patience = match height {
            // Where those that are left are known to be too few for it, this board has to pay for the next stage alone.
            _ if (height > 0 || left == 0)
                && worth::stages_for_few(&stay, waiting, &remaining_work, self.above(height)) == 0 =>
            {
                price
            }
            0 if like_random => {
                let supposed = self.stages_for_hard(height, like_random, thread_share);
                let dear = match supposed {
                    0 | 1 => 0,
                    _ => self.above(height).nth(supposed - 1).map_or(0, |stage| stage.price),
                };
                // Where random boards are known not to pay for it, the others are not supposed to be as hard as this one.
                let like_this = match (supposed, self.random_boards) {
                    (0, Some(_)) => 1.0,
                    _ => worth::to_come(&stay, waiting, &remaining_work).max(1.0),
                };
                let least = (price / 8).max((dear / PROOF).saturating_sub(stay.spent));
                least.max((left as f64 / like_this) as u64)
            }
            0 => worth::shows_after(&stay, waiting, &remaining_work, next).min(left).max(price / 16),
            _ => left.max(price / 4),
        };
        Some(Duration::from_micros(patience) / self.threads as u32)
    }

    /// How far it is worth to climb when a board has turned out not to be easy. Those to come are supposed to be random ones where it may be
    /// one.
    fn stages_for_hard(&self, height: usize, like_random: bool, thread_share: &ThreadShare) -> usize {
        let (stay, remaining_work) = (self.stay(), thread_share.remaining_work());
        let waiting = 1 + waiting(thread_share);
        match self.random_boards {
            None => worth::stages(&stay, None, waiting, &remaining_work, self.above(height)).unwrap_or(0),
            Some(placements) => {
                let part = if like_random { 1.0 } else { NEARER };
                let random = part * placements[height] * self.picoseconds() as f64 / 1e6;
                worth::stages_for_hard(&stay, random, waiting, &remaining_work, self.above(height))
            }
        }
    }

    /// How far it is worth to climb for random boards, as many as are known to come, while few were searched; only as far as costs little.
    fn stages_for_random(&self, height: usize, thread_share: &ThreadShare) -> usize {
        let (Some(boards), stay) = (self.random_boards, self.stay()) else { return 0 };
        let Some(stages) = self.stages[..self.top.load(Ordering::Relaxed)].get(height..) else { return 0 };
        if stay.solved >= worth::SAMPLE {
            return 0;
        }
        let to_come = worth::to_come(&stay, 1 + waiting(thread_share), &thread_share.remaining_work());
        let gains = boards[height..].windows(2).map(|boards| boards[0] / boards[1]);
        let above = stages.iter().zip(gains).map(|(stage, gain)| Above { price: stage.placements(height), gain });
        let best = worth::for_random(boards[height], to_come, above);
        let is_cheap = best.checked_sub(1).is_some_and(|index| stages[index].placements(height) <= BUILT_AT_ONCE);
        if is_cheap { best } else { 0 }
    }

    fn stay(&self) -> Stay {
        Stay {
            height: self.height.load(Ordering::Relaxed),
            boards: self.boards.load(Ordering::Relaxed),
            spent: self.spent.load(Ordering::Relaxed),
            solved: self.solved.load(Ordering::Relaxed),
        }
    }

    /// Counts a board and the processor time that it took at a height, and climbs when it is time to.
    fn pay(&self, height: usize, time: Duration, thread_share: &ThreadShare, stop: &AtomicBool) {
        self.solved.fetch_add(1, Ordering::Relaxed);
        if self.height.load(Ordering::Acquire) != height {
            return;
        }
        self.boards.fetch_add(1, Ordering::Relaxed);
        self.spent.fetch_add(time.as_micros() as u64, Ordering::Relaxed);
        if self.is_easy(height) {
            return;
        }
        let (stay, remaining_work) = (self.stay(), thread_share.remaining_work());
        let Some(Above { price, .. }) = self.above(height).next() else { return };
        let waiting = waiting(thread_share);
        let random = self.random_boards.map(|boards| boards[height] * self.picoseconds() as f64 / 1e6);
        let known = worth::stages(&stay, random, waiting, &remaining_work, self.above(height));
        let above = known.unwrap_or_else(|| match stay.spent >= price {
            true => worth::stages_for_few(&stay, waiting, &remaining_work, self.above(height)),
            false => 0,
        });
        if above > 0 {
            self.climb(height, height + above, stop);
        }
    }

    /// Builds the stage below height `to`, or the highest under it that fits; nothing where another thread has climbed
    /// from the same height meanwhile. At most one thread builds.
    fn climb(&self, from: usize, to: usize, stop: &AtomicBool) {
        // Nothing is half done under the lock that a panic could spoil: tables are built whole or not at all.
        let _one = self.climbing.lock().unwrap_or_else(PoisonError::into_inner);
        if self.height.load(Ordering::Acquire) != from {
            return;
        }
        let _flag = Raised::raise(&self.building);
        let built = (from..to).rev().find_map(|index| {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let stage = &self.stages[index];
            let standing = self.standing();
            let patterns: Vec<Pattern> = standing.tables.iter().map(|table| table.pattern().clone()).collect();
            let footprint = stage.tables.footprint(&self.space, self.threads, &patterns);
            // What stands already may be other things than the price supposes. What spaces share is left out, so that prices are rather too high:
            // a table that is not built costs less than one that does not pay.
            let placements = stage.tables.placements_of_its_own(&self.space, &patterns).max(1);
            let began = Instant::now();
            let engine = self
                .memory_budget
                .build(footprint, || stage.build(&self.space, &standing, self.tie_break, self.threads, stop));
            let Some(engine) = engine else {
                // Too large, and so is all above it; unless building was only stopped, by a call that was cancelled.
                if !stop.load(Ordering::Relaxed) {
                    self.top.fetch_min(index, Ordering::Relaxed);
                }
                return None;
            };
            // All threads built it, or tried to: held up by searches, it cost less than this.
            let took = began.elapsed().as_nanos() as u64 * 1000 * self.threads as u64;
            self.least_picoseconds.fetch_min((took / placements).max(1), Ordering::Relaxed);
            stage.engine.set(engine).ok().map(|()| index + 1)
        });
        if let Some(height) = built {
            self.boards.store(0, Ordering::Relaxed);
            self.spent.store(0, Ordering::Relaxed);
            self.height.store(height, Ordering::Release);
        }
    }
}

impl Ladder {
    /// Climbs to the stage at which an earlier search of the board stood, if that is above and can be built.
    fn climb_to_earlier(&self, effort: &Effort, stop: &AtomicBool) {
        let Some(heuristic) = effort.log.earlier_heuristic() else { return };
        let height = self.height.load(Ordering::Acquire);
        if let Some(stage) = self.stages.iter().position(|stage| stage.tables.name() == heuristic)
            && stage >= height
        {
            self.climb(height, stage + 1, stop);
        }
    }

    /// Waits for tables that another call builds, but not longer than this call may go unlooked at.
    fn wait_while_built(&self) {
        match self.climbing.try_lock() {
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(1)),
            Ok(_) | Err(TryLockError::Poisoned(_)) => {}
        }
    }
}

impl Engine for Ladder {
    fn name(&self) -> &'static str {
        EngineKind::IdaStar.name()
    }

    fn heuristic(&self) -> Option<&str> {
        Some(HeuristicKind::WalkingConflict.name())
    }

    /// Solves a board at the height that the ladder has, and climbs when that takes too long.
    fn solve(&self, job: &Job<'_>, scratch: &mut Scratch, effort: &mut Effort) -> Outcome {
        let &Job { budget, thread_share, .. } = job;
        if budget.nodes() != u64::MAX {
            return self.foot().solve(job, scratch, effort);
        }
        self.climb_to_earlier(effort, budget.stop());
        let farness = farness(self.space.shape, job.problem.board.manhattan_distance(job.problem.goal));
        let like_random = farness >= MAY_BE_RANDOM;
        let is_random = farness >= if self.is_first_cheap() { MAY_BE_RANDOM } else { IS_RANDOM };
        // Where time is limited the board is searched first: it may end before the tables would stand.
        if is_random && budget.deadline().is_none() && !self.had_random.swap(true, Ordering::Relaxed) {
            let height = self.height.load(Ordering::Acquire);
            let above = self.stages_for_random(height, thread_share);
            if above > 0 {
                self.climb(height, height + above, budget.stop());
            }
        }
        loop {
            let height = self.height.load(Ordering::Acquire);
            if self.building.load(Ordering::Relaxed) && budget.interrupted().is_none() {
                self.wait_while_built();
                continue;
            }
            // Built before the board's time begins, if it is the first.
            let engine = self.engine(height);
            let (began, was_easy) = (Instant::now(), self.is_easy(height));
            let patience = self.patience(height, like_random, thread_share);
            let patient: Budget<'_> = patience.map_or(*budget, |patience| budget.at_most(patience));
            effort.answered_by = AnsweredBy::Engine;
            let outcome = engine.solve(&Job { budget: &patient, ..*job }, scratch, effort);
            let unfinished = matches!(outcome, Outcome::Unsolved { .. });
            if !unfinished || budget.interrupted().is_some() || patience.is_none() {
                // Processor time is what the next stage costs, and what is spent until then.
                let spent = began.elapsed() * (1 + thread_share.idle() as u32);
                self.pay(height, spent, thread_share, budget.stop());
                return match outcome {
                    // What a search below has proven is true, also where one with larger tables did not come so far again.
                    // The search may have lost patience just before it would have met its own limit.
                    Outcome::Unsolved { lower_bound, limit } => Outcome::Unsolved {
                        lower_bound: lower_bound.max(effort.log.proven()),
                        limit: budget.interrupted().unwrap_or(limit),
                    },
                    found => found,
                };
            }
            let supposed = || self.stages_for_hard(height, like_random, thread_share);
            // Only what is no longer easy is known; or it has cost the price of the next stage, whatever others will cost. For a table that
            // costs more than the next one that is too little: a file of easy boards has a few that are not.
            let above = match was_easy {
                true if self.is_first_cheap() && self.top.load(Ordering::Relaxed) > height => 1,
                true => Some(supposed()).filter(|&above| above == 1).unwrap_or(0),
                false => supposed().max(1),
            };
            if above > 0 {
                self.climb(height, height + above, budget.stop());
            }
        }
    }

    #[inline]
    fn full_table(&self) -> Option<&full_table::Table> {
        self.stage(self.height.load(Ordering::Acquire))?.full_table()
    }

    fn lower_bounds(&self, which: Readiness) -> LowerBounds<'_> {
        match which {
            // A search over a set has none to offer that stages below it have not.
            Readiness::Latest => (0..=self.height.load(Ordering::Acquire))
                .rev()
                .map(|height| self.engine(height).lower_bounds(which))
                .find(|bounds| !matches!(bounds, LowerBounds::None))
                .unwrap_or(LowerBounds::None),
            Readiness::Fixed => self.foot().lower_bounds(which),
        }
    }
}

/// A flag that is lowered again when this is dropped, also by a panic.
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
