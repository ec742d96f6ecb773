//! Caches that the goals of a solver share: values that are built once, when they are first needed,
//! and engines for good paths.

use std::hash::Hash;
use std::sync::{Arc, OnceLock};

use dashmap::DashMap;
use parking_lot::Mutex;

use crate::board::{Board, Cell, Shape};
use crate::engine::combined::ConcurrencyLimit;
use crate::engine::contract::Engine;
use crate::engine::good::{BoardProperties, Description, Good, describe};
use crate::heuristic::learned::AvailableWeights;

/// Values that are built once per key, by the first thread that needs the value. Other threads that
/// need it wait.
///
/// The functions that build values do not run jobs of the worker pool, so no thread can wait for
/// itself.
pub(super) type BuiltOnce<K, V> = DashMap<K, Arc<OnceLock<V>>>;

/// Returns the value of a key. If there is none yet, it is built.
pub(super) fn get_or_build<K: Eq + Hash + Copy, V: Clone>(
    values: &BuiltOnce<K, V>,
    key: &K,
    build: impl FnOnce() -> V,
) -> V {
    // The map's lock is released before building, so that other keys stay available.
    let found = values.get(key).map(|cell| Arc::clone(&cell));
    let cell = found.unwrap_or_else(|| Arc::clone(&*values.entry(*key).or_default()));
    cell.get_or_init(build).clone()
}

/// A cache of engines for good paths. Goals share an engine if their shape, the goal cell of the
/// blank and the effort are the same. The least recently used engines are dropped when the memory
/// is full.
#[derive(Debug)]
pub struct GoodEngines {
    /// Maximum bytes for all engines together.
    memory: u64,
    weights: AvailableWeights,
    /// The engines, most recently used first.
    recent: Mutex<Vec<CachedEngine>>,
}

#[derive(Debug)]
struct CachedEngine {
    /// The shape, the goal cell of the blank, and the effort.
    key: (Shape, Cell, u8),
    bytes: u64,
    engine: Arc<dyn Engine>,
}

impl GoodEngines {
    /// Maximum number of engines kept.
    const MAX_ENGINES: usize = 64;

    /// Creates an empty cache whose engines may take `memory` bytes together.
    pub fn new(memory: u64, weights: AvailableWeights) -> GoodEngines {
        GoodEngines { memory, weights, recent: Mutex::default() }
    }

    /// Describes the searches at an effort.
    pub fn describe(&self, shape: Shape, goal_blank: Cell, effort: u8) -> Description {
        describe(BoardProperties::of(shape, goal_blank, &self.weights), effort, self.memory)
    }

    /// Returns the engine for a goal and an effort.
    pub fn get(&self, goal: &Board, effort: u8) -> Arc<dyn Engine> {
        let key = (goal.shape(), goal.blank(), effort);
        let mut recent = self.recent.lock();
        if let Some(at) = recent.iter().position(|cached| cached.key == key) {
            recent[..=at].rotate_right(1);
            return Arc::clone(&recent[0].engine);
        }
        let bytes = self.describe(goal.shape(), goal.blank(), effort).memory_bytes.max(1);
        let searches = usize::try_from(self.memory / bytes).unwrap_or(usize::MAX);
        let good = Arc::new(Good::new(goal, effort, self.memory, &self.weights));
        let engine: Arc<dyn Engine> = Arc::new(ConcurrencyLimit::new(good, searches));
        recent.insert(0, CachedEngine { key, bytes, engine: Arc::clone(&engine) });
        recent.truncate(GoodEngines::MAX_ENGINES);
        while recent.len() > 1 && recent.iter().map(|cached| cached.bytes).sum::<u64>() > self.memory {
            recent.pop();
        }
        engine
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Goal;

    #[test]
    fn goals_with_their_blank_in_the_same_cell_share_an_engine() {
        let engines = GoodEngines::new(1 << 30, AvailableWeights::default());
        let goal = |goal: Goal, shape: &str| goal.on(shape.parse().unwrap()).unwrap();
        let last = engines.get(&goal(Goal::BlankLast, "6x6"), 1);
        let mut tiles = goal(Goal::BlankLast, "6x6").tiles().to_vec();
        tiles.swap(3, 7);
        let swapped = Board::new("6x6".parse().unwrap(), &tiles).unwrap();
        assert!(Arc::ptr_eq(&last, &engines.get(&swapped, 1)));
        assert!(!Arc::ptr_eq(&last, &engines.get(&goal(Goal::BlankFirst, "6x6"), 1)));
        assert!(!Arc::ptr_eq(&last, &engines.get(&goal(Goal::BlankLast, "6x6"), 2)));
        assert!(Arc::ptr_eq(&last, &engines.get(&goal(Goal::BlankLast, "6x6"), 1)));
    }

    #[test]
    fn no_more_engines_are_kept_than_fit() {
        let engines = GoodEngines::new(1, AvailableWeights::default());
        for side in ["6x6", "7x7", "8x8"] {
            let goal = Goal::BlankLast.on(side.parse().unwrap()).unwrap();
            assert_eq!(engines.get(&goal, 3).name(), "good");
            assert_eq!(engines.recent.lock().len(), 1);
        }
    }
}
