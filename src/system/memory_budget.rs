//! The memory for all tables together. Before tables are built, the peak of the build is reserved.
//! Afterwards, the memory that the tables do not keep is released.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// The memory that tables take, in bytes, computed before they are built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Footprint {
    /// Maximum during the build.
    pub peak: u64,
    /// The finished tables; at most the peak.
    pub kept: u64,
}

/// Tables that are being built.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Building {
    /// The name of the tables.
    pub tables: String,
    /// The start of the build.
    pub began: Instant,
    /// The expected duration, if known.
    pub expected: Option<Duration>,
}

/// The bytes that are free for tables, and the tables that are being built.
#[derive(Debug)]
pub struct MemoryBudget {
    free: AtomicU64,
    building: Mutex<Option<Building>>,
}

impl MemoryBudget {
    /// Creates a budget of this many free bytes.
    pub fn new(bytes: u64) -> MemoryBudget {
        MemoryBudget { free: AtomicU64::new(bytes), building: Mutex::new(None) }
    }

    /// Builds tables of this footprint. Returns `None` if not enough memory is free or `build`
    /// returned `None`.
    pub fn build<T>(&self, footprint: Footprint, build: impl FnOnce() -> Option<T>) -> Option<T> {
        if !self.reserve(footprint.peak) {
            return None;
        }
        let mut reserved = Reserved { memory_budget: self, bytes: footprint.peak };
        let built = build();
        if built.is_some() {
            reserved.bytes -= footprint.kept;
        }
        built
    }

    /// Returns true if enough memory is free to build tables of this footprint.
    pub fn fits(&self, footprint: Footprint) -> bool {
        footprint.peak <= self.free.load(Ordering::Relaxed)
    }

    /// Does the same as [`Self::build`]. During the build, [`Self::building`] returns these tables.
    pub fn build_shown<T>(
        &self,
        (tables, expected): (String, Option<Duration>),
        footprint: Footprint,
        build: impl FnOnce() -> Option<T>,
    ) -> Option<T> {
        *self.building.lock() = Some(Building { tables, began: Instant::now(), expected });
        let _shown = ShownBuild(self);
        self.build(footprint, build)
    }

    /// Returns the tables that are being built, if any.
    pub fn building(&self) -> Option<Building> {
        self.building.lock().clone()
    }

    /// Reserves bytes if that many are free.
    ///
    /// `Relaxed` is enough, because the number guards no other memory.
    fn reserve(&self, bytes: u64) -> bool {
        self.free.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |free| free.checked_sub(bytes)).is_ok()
    }

    fn release(&self, bytes: u64) {
        self.free.fetch_add(bytes, Ordering::Relaxed);
    }
}

/// A guard: until it is dropped, [`MemoryBudget::building`] returns the tables.
struct ShownBuild<'a>(&'a MemoryBudget);

impl Drop for ShownBuild<'_> {
    fn drop(&mut self) {
        *self.0.building.lock() = None;
    }
}

/// Bytes that are released when this is dropped, even if the build panics.
struct Reserved<'a> {
    memory_budget: &'a MemoryBudget,
    bytes: u64,
}

impl Drop for Reserved<'_> {
    fn drop(&mut self) {
        self.memory_budget.release(self.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_reserved_than_is_free() {
        let memory_budget = MemoryBudget::new(100);
        assert!(
            memory_budget.reserve(60)
                && !memory_budget.reserve(41)
                && memory_budget.reserve(40)
                && !memory_budget.reserve(1)
        );
        memory_budget.release(50);
        assert!(!memory_budget.reserve(51) && memory_budget.reserve(50));
    }

    #[test]
    fn finished_tables_keep_their_memory_and_failed_builds_keep_none() {
        let (memory_budget, footprint) = (MemoryBudget::new(100), Footprint { peak: 60, kept: 30 });
        assert_eq!(memory_budget.build(footprint, || None::<()>), None);
        // There is memory for a second table after the build of the first, but not during it.
        assert_eq!(memory_budget.build(footprint, || Some(memory_budget.build(footprint, || Some(())))), Some(None));
        assert_eq!(memory_budget.build(footprint, || Some(())), Some(()));
        assert_eq!(memory_budget.build(footprint, || Some(())), None);
        assert!(!memory_budget.reserve(41) && memory_budget.reserve(40));
    }

    #[test]
    fn a_build_that_panics_keeps_no_memory() {
        let memory_budget = MemoryBudget::new(100);
        let build = || memory_budget.build(Footprint { peak: 60, kept: 30 }, || -> Option<()> { panic!("planted") });
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(build)).is_err());
        assert!(memory_budget.reserve(100));
    }
}
