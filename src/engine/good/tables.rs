//! The tables of a goal, built for the first board that needs them and kept for all later boards.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::plan::{BoardProperties, SearchMethod, beam_shape, build_microseconds};
use crate::board::Cell;
use crate::engine::staged::Stages;
use crate::heuristic::evaluation::{Tables, Untrained};
use crate::heuristic::learned::AvailableWeights;
use crate::system::stopped_at;

/// The tables that a method's searches read.
#[derive(Clone)]
pub(super) struct Prepared {
    /// The groups of tiles, if the method is staged.
    pub(super) stages: Option<Arc<Stages>>,
    /// The tables of the board or of its last block.
    pub(super) tables: Arc<Tables>,
}

/// The tables of one goal, by method. A deadline may require a method other than the level's.
pub(super) struct TablesByMethod {
    properties: BoardProperties,
    goal_blank: Cell,
    weights: AvailableWeights,
    /// The tables, or the time spent on tables that were not finished.
    prepared: Mutex<Vec<(SearchMethod, Result<Prepared, Duration>)>>,
}

impl TablesByMethod {
    pub(super) fn new(properties: BoardProperties, goal_blank: Cell, weights: AvailableWeights) -> TablesByMethod {
        TablesByMethod { properties, goal_blank, weights, prepared: Mutex::default() }
    }

    /// Returns the tables of a method; `None` if the run was stopped while they were built, or if
    /// they are not finished at `end`.
    pub(super) fn get(&self, method: SearchMethod, stop: &AtomicBool, end: Option<Instant>) -> Option<Prepared> {
        // Other threads that need tables wait here. A thread that panics leaves no partial tables.
        let mut all_prepared = self.prepared.lock();
        let mut tried = all_prepared.iter().filter(|(other, _)| *other == method);
        if let Some(prepared) = tried.find_map(|(_, prepared)| prepared.as_ref().ok()) {
            return Some(prepared.clone());
        }
        let began = Instant::now();
        let prepared = stopped_at(end, stop, |stop| self.build(method, stop));
        all_prepared.push((method, prepared.clone().ok_or_else(|| began.elapsed())));
        prepared
    }

    fn build(&self, method: SearchMethod, stop: &AtomicBool) -> Option<Prepared> {
        let (stages, blank) = match method {
            SearchMethod::Staged => {
                let stages = Stages::new(self.properties.shape, self.goal_blank, stop)?;
                let blank = stages.block_blank();
                (Some(Arc::new(stages)), blank)
            }
            _ => (None, self.goal_blank),
        };
        let shape = beam_shape(self.properties.shape, method);
        let tables = match self.weights.get(shape, blank) {
            Some(learned) => Tables::new(shape, blank, &learned, stop)?,
            None => Tables::new(shape, blank, &Untrained::new(shape, blank), stop)?,
        };
        Some(Prepared { stages, tables: Arc::new(tables) })
    }

    /// Returns the estimated time to get the tables of a method. It is zero if they are built, and
    /// practically infinite if an earlier attempt was given up after at least as much time as is
    /// left. `time_left` is called last, because waiting for a thread that builds tables takes
    /// time.
    pub(super) fn build_time(&self, method: SearchMethod, time_left: impl Fn() -> Duration) -> Duration {
        let all_prepared = self.prepared.lock();
        let tried = || all_prepared.iter().filter(|(other, _)| *other == method).map(|(_, prepared)| prepared);
        if tried().any(Result::is_ok) {
            Duration::ZERO
        } else if tried().any(|prepared| prepared.as_ref().is_err_and(|&spent| time_left() <= spent)) {
            Duration::MAX / 2
        } else {
            Duration::from_micros(build_microseconds(self.properties, method))
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::sync::atomic::Ordering;

    use super::*;
    use crate::board::Shape;

    /// Tables that took too long are not begun again for a board with as little time.
    #[test]
    fn tables_are_given_up_at_the_deadline() {
        let properties = BoardProperties { shape: Shape::new(12, 12).unwrap(), has_learned_weights: false };
        let tables = TablesByMethod::new(properties, Cell::new(143), AvailableWeights::default());
        let (stop, time) = (AtomicBool::new(false), Duration::from_millis(1));
        assert!(tables.get(SearchMethod::Staged, &stop, Some(Instant::now() + time)).is_none());
        let build_time = |time_left: Duration| {
            tables.build_time(SearchMethod::Staged, || {
                assert!(tables.prepared.is_locked(), "the wait for the tables is over");
                time_left
            })
        };
        assert_eq!(build_time(time), Duration::MAX / 2);
        let hour = Duration::from_secs(3600);
        assert!((Duration::from_micros(1)..hour).contains(&build_time(hour)));
        assert!(!stop.load(Ordering::Relaxed), "the run continues");
        stop.store(true, Ordering::Relaxed);
        assert!(tables.get(SearchMethod::Staged, &stop, Some(Instant::now() + Duration::from_secs(3600))).is_none());
    }
}
