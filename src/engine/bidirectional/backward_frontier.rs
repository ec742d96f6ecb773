//! The backward frontier, shared by all boards with the same shape and goal cell of the blank.
//!
//! Each layer is grown once, by all boards that need it: the first begins it, the others help with
//! its pieces ([`WorkQueue`]). When complete, the layer is published. Complete layers never change.
//! The states of a layer are in the sets before the layer is published, so a reader must look up
//! only depths of complete layers.
//!
//! ```text
//!           a layer is begun          set is ready          all pieces done
//! Resting ───────────────────▶ Begun ─────────────▶ Growing ───────────────▶ Resting, one more layer
//!    └───────── no memory ────────────────────────────────────▶ Full (permanent)
//! ```
//!
//! *Begun*: one board's thread builds a larger set, if one is needed, and runs no other job of the
//! pool meanwhile. Other boards sleep. The larger set replaces the old one when *Growing* begins,
//! and contains the same layers. *Growing*: other boards help. In both states the thread that
//! others wait for is running, so every wait ends (see `work_queue`). A board that reaches a limit
//! leaves the layer to the others, or to the next board that needs it. *Full* also follows if the
//! set has no slot for a state of the layer, or if building the set panics. One mutex, held
//! briefly, guards the state and all its transitions.

#[cfg(all(test, loom))]
mod loom;

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use super::side::{Expand, ParitySets, Side};
use crate::board::frame::Space;
use crate::board::{Cell, MAX_SEARCH_CELLS, Packed, Shape};
use crate::engine::ThreadShare;
use crate::engine::word::{Steps, Word};
use crate::engine::work_queue::{Condvar, Mutex, MutexGuard, WorkQueue};
use crate::system::{Budget, Limit};

/// The layers around the goal, for every [`Space`] with the same shape and goal cell of the blank.
pub struct BackwardFrontier {
    pub(super) shape: Shape,
    pub(super) goal_blank: Cell,
    pub(super) width: Width,
}

/// The frontier, with keys wide enough for the shape.
pub(super) enum Width {
    Narrow(Arc<SharedFrontier<u64>>),
    Wide(Arc<SharedFrontier<u128>>),
}

impl BackwardFrontier {
    /// Creates a frontier that contains only the goal. Layers are added on demand, as many as fit
    /// into `bytes`.
    ///
    /// # Panics
    /// Panics on shapes of more than [`MAX_SEARCH_CELLS`] cells.
    pub fn new(shape: Shape, goal_blank: Cell, bytes: u64) -> BackwardFrontier {
        assert!(shape.cells() <= MAX_SEARCH_CELLS, "a {shape} board is too large to search");
        let width = if shape.cells() <= <u64 as Packed>::MAX_CELLS {
            Width::Narrow(Arc::new(SharedFrontier::of(shape, goal_blank, bytes)))
        } else {
            Width::Wide(Arc::new(SharedFrontier::of(shape, goal_blank, bytes)))
        };
        BackwardFrontier { shape, goal_blank, width }
    }

    /// Returns true if the frontier is for this space.
    pub fn serves(&self, space: &Space) -> bool {
        (self.shape, self.goal_blank) == (space.shape, space.goal_blank)
    }

    /// Returns the number of states at each known depth, starting with the goal.
    pub fn layers(&self) -> Vec<u64> {
        fn states<W: Word>(shared: &SharedFrontier<W>) -> Vec<u64> {
            shared.layers().iter().map(|layer| layer.states).collect()
        }
        match &self.width {
            Width::Narrow(shared) => states(shared),
            Width::Wide(shared) => states(shared),
        }
    }
}

impl std::fmt::Debug for BackwardFrontier {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "BackwardFrontier({}, {:?})", self.shape, self.layers())
    }
}

/// The statistics of a complete layer.
#[derive(Clone, Copy, Debug)]
pub(super) struct LayerStats {
    pub(super) states: u64,
    /// The number of states generated to build the next layer, duplicates included.
    pub(super) child_count: u64,
}

/// The frontier with keys of one width, as shared by all boards.
pub(super) struct SharedFrontier<W: Word> {
    pub(super) steps: Arc<Steps>,
    state: Mutex<FrontierState<W>>,
    /// Notified when the growth leaves `Begun`.
    changed: Condvar,
}

struct FrontierState<W: Word> {
    /// The sets with the complete layers and a part of the growing layer.
    sets: ParitySets<W>,
    layers: Vec<LayerStats>,
    growth: Growth<W>,
}

/// The state of the growth: see the diagram at the top of this file.
enum Growth<W: Word> {
    Resting(Side<W>),
    Begun,
    Growing(Side<W>, Arc<WorkQueue<Expand<W>>>),
    Full,
}

impl<W: Word> SharedFrontier<W> {
    /// The interval at which a waiting board checks its limits.
    const WAIT: Duration = Duration::from_millis(2);

    pub(super) fn of(shape: Shape, goal_blank: Cell, bytes: u64) -> SharedFrontier<W> {
        let steps = Arc::new(Steps::new(shape, goal_blank));
        let goal = W::of(&crate::board::State::goal(shape, goal_blank), shape.cells());
        let side = Side::new(&steps, goal, bytes);
        let layers = vec![LayerStats { states: 1, child_count: side.frontier.child_count }];
        let state = FrontierState { sets: side.sets.clone(), layers, growth: Growth::Resting(side) };
        SharedFrontier { steps, state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Locks the state. A poisoned lock guards a valid state, because nothing panics in the middle
    /// of a change.
    fn lock(&self) -> MutexGuard<'_, FrontierState<W>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn layers(&self) -> Vec<LayerStats> {
        self.lock().layers.clone()
    }

    /// Returns the sets with all complete layers. The caller should drop them soon, because sets
    /// that have been replaced by larger ones stay in memory until then.
    pub(super) fn sets(&self) -> ParitySets<W> {
        self.lock().sets.clone()
    }

    /// Extends `layers` up to depth `depth`. Returns the number of states generated in the layers
    /// that this board published. Fails with [`Limit::Memory`] if a layer does not fit into memory.
    pub(super) fn reach(
        &self,
        depth: u8,
        layers: &mut Vec<LayerStats>,
        budget: &Budget,
        thread_share: &ThreadShare,
    ) -> Result<u64, Limit> {
        let mut generated = 0;
        while layers.len() <= usize::from(depth) {
            generated += self.advance(layers.len(), budget, thread_share)?;
            *layers = self.layers();
        }
        Ok(generated)
    }

    /// Works on the layer of this depth, or waits briefly for it. Does nothing if that layer is
    /// already published: it would begin the layer after it, which may not be needed and may not
    /// fit into memory.
    fn advance(&self, depth: usize, budget: &Budget, thread_share: &ThreadShare) -> Result<u64, Limit> {
        let mut state = self.lock();
        if state.layers.len() > depth {
            return Ok(0);
        }
        let work = match std::mem::replace(&mut state.growth, Growth::Begun) {
            Growth::Resting(side) if side.can_grow() => {
                drop(state);
                self.begin(side, thread_share)
            }
            Growth::Resting(_) | Growth::Full => {
                state.growth = Growth::Full;
                return Err(Limit::Memory);
            }
            Growth::Growing(side, work) => {
                state.growth = Growth::Growing(side, Arc::clone(&work));
                drop(state);
                work
            }
            Growth::Begun => {
                drop(self.changed.wait_timeout(state, Self::WAIT));
                return budget.interrupted().map_or(Ok(0), Err);
            }
        };
        work.finish(budget, thread_share)?;
        Ok(self.publish(&work))
    }

    /// Begins a layer: rehashes the set if needed and queues the pieces.
    fn begin(&self, mut side: Side<W>, thread_share: &ThreadShare) -> Arc<WorkQueue<Expand<W>>> {
        /// A guard that wakes the waiting boards. If building the set panics, the complete layers
        /// remain and no more are added.
        struct FullOnPanic<'a, W: Word>(&'a SharedFrontier<W>);
        impl<W: Word> Drop for FullOnPanic<'_, W> {
            fn drop(&mut self) {
                if std::thread::panicking() {
                    self.0.lock().growth = Growth::Full;
                }
                self.0.changed.notify_all();
            }
        }
        let _notify = FullOnPanic(self);
        let work = side.begin_layer(thread_share);
        let mut state = self.lock();
        let outgrown = std::mem::replace(&mut state.sets, side.sets.clone());
        state.growth = Growth::Growing(side, Arc::clone(&work));
        drop(state);
        // Not under the lock, because freeing a large set takes a long time.
        drop(outgrown);
        work
    }

    /// Publishes the layer built by this finished work, and returns the number of states generated
    /// for it. Returns 0 if another board has already published the layer.
    fn publish(&self, work: &Arc<WorkQueue<Expand<W>>>) -> u64 {
        let mut state = self.lock();
        match std::mem::replace(&mut state.growth, Growth::Begun) {
            Growth::Growing(mut side, current) if Arc::ptr_eq(&current, work) => {
                let generated = side.frontier.child_count;
                if side.end_layer(work.take_report()) {
                    let layer = LayerStats { states: side.frontier.states, child_count: side.frontier.child_count };
                    state.layers.push(layer);
                    state.growth = Growth::Resting(side);
                } else {
                    state.growth = Growth::Full;
                }
                generated
            }
            other => {
                state.growth = other;
                0
            }
        }
    }
}
