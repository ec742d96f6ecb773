//! Engines that wrap other engines: [`Fallback`] runs a second one if the first reaches a limit,
//! [`OnlyProven`] discards unproven paths, and [`ConcurrencyLimit`] limits simultaneous searches.

use std::cell::Cell;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::contract::{AnsweredBy, Engine, Job, LowerBounds, Readiness, Scratch, WorkDone};
use super::{Outcome, full_table};
use crate::system::Limit;

/// An engine that proves its paths, and a second one that solves the boards that the first cannot
/// solve within its limits.
#[derive(Debug)]
pub struct Fallback {
    first: Arc<dyn Engine>,
    second: Arc<dyn Engine>,
}

impl Fallback {
    /// The number of parts into which the time left for a board is divided. The last part is
    /// reserved for the second engine.
    const TIME_PARTS: u32 = 5;

    /// Returns the first engine with the second as its fallback.
    pub fn new(first: Arc<dyn Engine>, second: Arc<dyn Engine>) -> Fallback {
        Fallback { first, second }
    }
}

impl Engine for Fallback {
    fn name(&self) -> &'static str {
        self.first.name()
    }

    fn heuristic(&self) -> Option<&str> {
        self.first.heuristic()
    }

    fn solve(&self, job: &Job<'_>, scratch: &mut Scratch, work_done: &mut WorkDone) -> Outcome {
        let remaining = job.budget.deadline().map(|end| end.saturating_duration_since(Instant::now()));
        let max_time = remaining.map(|time| time - time / Fallback::TIME_PARTS);
        let first_budget = max_time.map_or(*job.budget, |time| job.budget.at_most(time));
        let (proven, reached) = match self.first.solve(&Job { budget: &first_budget, ..*job }, scratch, work_done) {
            Outcome::Unsolved { lower_bound, limit } if limit != Limit::Cancelled => (lower_bound, limit),
            ended => return ended,
        };
        // The first search may have reached the node limit, so the second search has none. Its path
        // is still the same on every machine, because it does not depend on this limit.
        let budget = job.budget.without_nodes();
        let limit = Some(reached);
        match self.second.solve(&Job { budget: &budget, ..*job }, scratch, work_done) {
            Outcome::Found { path, lower_bound } => {
                (work_done.limit, work_done.answered_by) = (limit, AnsweredBy::Good);
                Outcome::Found { path, lower_bound: lower_bound.max(proven) }
            }
            Outcome::Unsolved { lower_bound, limit } => {
                let limit = if limit == Limit::Cancelled { limit } else { reached };
                Outcome::Unsolved { lower_bound: lower_bound.max(proven), limit }
            }
            solved @ Outcome::Solved(_) => solved,
        }
    }

    fn lower_bounds(&self, which: Readiness) -> LowerBounds<'_> {
        self.first.lower_bounds(which)
    }

    fn full_table(&self) -> Option<&full_table::Table> {
        self.first.full_table()
    }
}

/// A wrapper that discards an engine's paths unless they are as short as the proven lower bound.
#[derive(Debug)]
pub struct OnlyProven(Arc<dyn Engine>);

impl OnlyProven {
    /// Wraps an engine.
    pub fn new(engine: Arc<dyn Engine>) -> OnlyProven {
        OnlyProven(engine)
    }
}

impl Engine for OnlyProven {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn heuristic(&self) -> Option<&str> {
        self.0.heuristic()
    }

    fn solve(&self, job: &Job<'_>, scratch: &mut Scratch, work_done: &mut WorkDone) -> Outcome {
        match self.0.solve(job, scratch, work_done) {
            Outcome::Found { path, lower_bound } if lower_bound < path.len() as u64 => {
                Outcome::Unsolved { lower_bound, limit: work_done.limit.take().unwrap_or(Limit::Effort) }
            }
            outcome => outcome,
        }
    }
}

/// An engine with a limit on its simultaneous searches.
///
/// Together the searches stay within the memory limit, and neither the memory of a search nor its
/// answer depends on the number of threads.
#[derive(Debug)]
pub struct ConcurrencyLimit {
    engine: Arc<dyn Engine>,
    /// The number of permits that no search holds.
    free: Mutex<usize>,
    freed: Condvar,
}

/// A permit for one search. Dropping it lets the next search begin.
struct Permit<'a>(&'a ConcurrencyLimit);

thread_local! {
    /// True while a search of this thread holds a permit.
    static HAS_PERMIT: Cell<bool> = const { Cell::new(false) };
}

impl ConcurrencyLimit {
    /// The interval at which a waiting search checks whether the run was stopped.
    const POLL_INTERVAL: Duration = Duration::from_millis(20);

    /// Returns an engine that runs at most `searches` searches at a time. (0 means 1.)
    pub fn new(engine: Arc<dyn Engine>, searches: usize) -> ConcurrencyLimit {
        ConcurrencyLimit { engine, free: Mutex::new(searches.max(1)), freed: Condvar::new() }
    }

    /// Waits for a permit.
    fn wait(&self, job: &Job<'_>) -> Result<Permit<'_>, Limit> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        while *free == 0 {
            // A time limit does not end the wait. The engine itself checks it, and answers at once
            // if no time is left.
            if job.budget.interrupted() == Some(Limit::Cancelled) {
                return Err(Limit::Cancelled);
            }
            let waited = self.freed.wait_timeout(free, ConcurrencyLimit::POLL_INTERVAL);
            free = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        *free -= 1;
        HAS_PERMIT.set(true);
        Ok(Permit(self))
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        *self.0.free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.0.freed.notify_one();
        HAS_PERMIT.set(false);
    }
}

impl Engine for ConcurrencyLimit {
    fn name(&self) -> &'static str {
        self.engine.name()
    }

    fn heuristic(&self) -> Option<&str> {
        self.engine.heuristic()
    }

    fn solve(&self, job: &Job<'_>, scratch: &mut Scratch, work_done: &mut WorkDone) -> Outcome {
        // A thread that waits for the helpers of its search may, rarely, begin to solve another
        // board. It must not wait for the permit that it holds itself.
        if HAS_PERMIT.get() {
            return self.engine.solve(job, scratch, work_done);
        }
        match self.wait(job) {
            Ok(_permit) => self.engine.solve(job, scratch, work_done),
            Err(limit) => {
                Outcome::Unsolved { lower_bound: job.problem.board.manhattan_distance(job.problem.goal), limit }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    use super::*;
    use crate::board::{Board, Path};
    use crate::engine::ThreadShare;
    use crate::engine::contract::Problem;
    use crate::system::{Budget, InputPosition, Limits};

    /// Solves a board with these limits. Returns the outcome and the limit that the engine
    /// reported.
    fn solve(engine: &dyn Engine, limits: &Limits, stop: &AtomicBool) -> (Outcome, Option<Limit>) {
        let board: Board = "1 2 3/4 5 6/7 0 8".parse().unwrap();
        let goal: Board = "1 2 3/4 5 6/7 8 0".parse().unwrap();
        let (budget, thread_share) = (Budget::start(limits, stop), ThreadShare::alone());
        let problem = Problem { board: &board, goal: &goal, framed: None };
        let (thread_share, input_position) = (&thread_share, &InputPosition::END);
        let job = Job { problem, budget: &budget, thread_share, input_position, beam: None };
        let mut work_done = WorkDone::default();
        (engine.solve(&job, &mut Scratch::new(64), &mut work_done), work_done.limit)
    }

    /// An engine that returns the same outcome from every search.
    #[derive(Debug)]
    struct Ends(Outcome);

    impl Engine for Ends {
        fn name(&self) -> &'static str {
            "ends"
        }

        fn solve(&self, job: &Job<'_>, _: &mut Scratch, _: &mut WorkDone) -> Outcome {
            assert!(job.budget.deadline().is_some_and(|end| end <= Instant::now() + Duration::from_secs(5)));
            self.0.clone()
        }
    }

    /// Solves a board within five seconds and seven nodes.
    fn solve_limited(engine: &dyn Engine) -> (Outcome, Option<Limit>) {
        let limits = Limits { time: Some(Duration::from_secs(5)), nodes: Some(7) };
        solve(engine, &limits, &AtomicBool::new(false))
    }

    #[test]
    fn the_second_engine_runs_if_the_first_reaches_a_limit() {
        let ended = |first, second| solve_limited(&Fallback::new(Arc::new(Ends(first)), Arc::new(Ends(second))));
        let path = || "R".parse::<Path>().unwrap();
        let unsolved = |lower_bound, limit| Outcome::Unsolved { lower_bound, limit };
        let found = |lower_bound| Outcome::Found { path: path(), lower_bound };
        let proven = Outcome::Solved(path());
        assert_eq!(ended(proven.clone(), found(0)), (proven.clone(), None));
        // The first engine's limit and the larger of the two lower bounds are reported.
        assert_eq!(ended(unsolved(1, Limit::Nodes), found(0)), (found(1), Some(Limit::Nodes)));
        assert_eq!(ended(unsolved(0, Limit::Time), found(1)), (found(1), Some(Limit::Time)));
        assert_eq!(ended(unsolved(0, Limit::Memory), unsolved(1, Limit::Time)).0, unsolved(1, Limit::Memory));
        let cancelled = unsolved(1, Limit::Cancelled);
        assert_eq!(ended(cancelled.clone(), found(0)), (cancelled.clone(), None));
        assert_eq!(ended(unsolved(1, Limit::Nodes), unsolved(0, Limit::Cancelled)).0, cancelled);
    }

    #[test]
    fn a_path_longer_than_its_bound_is_discarded() {
        let found = |lower_bound| Outcome::Found { path: "RLR".parse().unwrap(), lower_bound };
        let proven = |lower_bound| solve_limited(&OnlyProven::new(Arc::new(Ends(found(lower_bound))))).0;
        assert_eq!(proven(1), Outcome::Unsolved { lower_bound: 1, limit: Limit::Effort });
        assert_eq!(proven(3), found(3));
    }

    /// An engine that counts its simultaneous searches.
    #[derive(Default, Debug)]
    struct CountingEngine {
        now: AtomicUsize,
        max: AtomicUsize,
    }

    impl Engine for CountingEngine {
        fn name(&self) -> &'static str {
            "counts"
        }

        fn solve(&self, _: &Job<'_>, _: &mut Scratch, _: &mut WorkDone) -> Outcome {
            self.max.fetch_max(self.now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            std::thread::sleep(Duration::from_millis(5));
            self.now.fetch_sub(1, Ordering::SeqCst);
            Outcome::Found { path: Path::new(), lower_bound: 0 }
        }
    }

    #[test]
    fn the_number_of_simultaneous_searches_is_limited() {
        let (counts, stop) = (Arc::new(CountingEngine::default()), AtomicBool::new(false));
        let unlimited = Limits::default();
        let limited = ConcurrencyLimit::new(Arc::clone(&counts) as Arc<dyn Engine>, 2);
        std::thread::scope(|scope| {
            for _ in 0..6 {
                scope.spawn(|| assert!(matches!(solve(&limited, &unlimited, &stop).0, Outcome::Found { .. })));
            }
        });
        assert!((1..=2).contains(&counts.max.load(Ordering::SeqCst)));
        // A thread that begins a second search during its first does not wait for itself.
        let inner = ConcurrencyLimit::new(Arc::clone(&counts) as Arc<dyn Engine>, 1);
        *inner.free.lock().unwrap() = 0;
        let outer = ConcurrencyLimit::new(Arc::new(OnlyProven::new(Arc::new(inner))), 1);
        assert!(matches!(solve(&outer, &unlimited, &stop).0, Outcome::Found { .. }));
        assert!(!HAS_PERMIT.get());
        // A search that waits for a permit ends when the run is stopped.
        let exhausted = ConcurrencyLimit::new(counts, 0);
        *exhausted.free.lock().unwrap() = 0;
        stop.store(true, Ordering::SeqCst);
        let (outcome, _) = solve(&exhausted, &unlimited, &stop);
        assert!(matches!(outcome, Outcome::Unsolved { limit: Limit::Cancelled, .. }));
    }
}
