//! An engine that limits the number of simultaneous searches.
//!
//! Together the searches stay within the memory limit, and neither the memory of a search nor its
//! answer depends on the number of threads.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use super::Outcome;
use super::contract::{Effort, Engine, Job, Scratch};
use crate::system::Limit;

/// An engine with a limit on its simultaneous searches.
#[derive(Debug)]
pub struct ConcurrencyLimit {
    engine: Arc<dyn Engine>,
    /// The number of permits that no search holds.
    free: Mutex<usize>,
    freed: Condvar,
}

/// A permit for one search. Dropping it lets the next search begin.
struct Permit<'a>(&'a ConcurrencyLimit);

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
            // A time limit does not end the wait, because an engine with no time left answers at
            // once.
            if job.budget.interrupted() == Some(Limit::Cancelled) {
                return Err(Limit::Cancelled);
            }
            free = self
                .freed
                .wait_timeout(free, ConcurrencyLimit::POLL_INTERVAL)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
        *free -= 1;
        Ok(Permit(self))
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        *self.0.free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.0.freed.notify_one();
    }
}

impl Engine for ConcurrencyLimit {
    fn name(&self) -> &'static str {
        self.engine.name()
    }

    fn heuristic(&self) -> Option<&str> {
        self.engine.heuristic()
    }

    fn solve(&self, job: &Job<'_>, scratch: &mut Scratch, effort: &mut Effort) -> Outcome {
        match self.wait(job) {
            Ok(_permit) => self.engine.solve(job, scratch, effort),
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

    /// An engine that counts its simultaneous searches.
    #[derive(Default, Debug)]
    struct Counts {
        now: AtomicUsize,
        max: AtomicUsize,
    }

    impl Engine for Counts {
        fn name(&self) -> &'static str {
            "counts"
        }

        fn solve(&self, _: &Job<'_>, _: &mut Scratch, _: &mut Effort) -> Outcome {
            self.max.fetch_max(self.now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            std::thread::sleep(Duration::from_millis(5));
            self.now.fetch_sub(1, Ordering::SeqCst);
            Outcome::Found { path: Path::new(), lower_bound: 0 }
        }
    }

    fn solve(engine: &ConcurrencyLimit, stop: &AtomicBool) -> Outcome {
        let goal: Board = "1 2/3 0".parse().unwrap();
        let (budget, share) = (Budget::start(&Limits::default(), stop), ThreadShare::alone());
        let problem = Problem { board: &goal, goal: &goal, framed: None };
        let (thread_share, input_position) = (&share, &InputPosition::END);
        let job = Job { problem, budget: &budget, thread_share, input_position, beam: None };
        engine.solve(&job, &mut Scratch::new(64), &mut Effort::default())
    }

    #[test]
    fn the_number_of_simultaneous_searches_is_limited() {
        let (counts, stop) = (Arc::new(Counts::default()), AtomicBool::new(false));
        let limited = ConcurrencyLimit::new(Arc::clone(&counts) as Arc<dyn Engine>, 2);
        std::thread::scope(|scope| {
            for _ in 0..6 {
                scope.spawn(|| assert!(matches!(solve(&limited, &stop), Outcome::Found { .. })));
            }
        });
        assert!((1..=2).contains(&counts.max.load(Ordering::SeqCst)));
        // A search that waits for a permit ends when the run is stopped.
        let exhausted = ConcurrencyLimit::new(counts, 0);
        *exhausted.free.lock().unwrap() = 0;
        stop.store(true, Ordering::SeqCst);
        assert!(matches!(solve(&exhausted, &stop), Outcome::Unsolved { limit: Limit::Cancelled, .. }));
    }
}
