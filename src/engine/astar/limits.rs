//! What ends the work on a layer early, shared by its threads.

use std::sync::atomic::{AtomicI64, AtomicU8, Ordering};

use crate::system::Limit;

/// Whether the work on a layer is to stop before its end, and why.
pub(super) struct StopReason(AtomicU8);

impl StopReason {
    const NONE: u8 = 0;
    /// The set is to be made larger; the remaining nodes are given back.
    pub(super) const CROWDED: u8 = 1;
    pub(super) const NODES: u8 = 2;
    pub(super) const MEMORY: u8 = 3;

    pub(super) fn new() -> StopReason {
        StopReason(AtomicU8::new(Self::NONE))
    }

    /// The larger reason stays: a limit that is reached in every run must not be hidden by one that happened to be
    /// reached first.
    pub(super) fn set(&self, reason: u8) {
        // Relaxed, here and below: a hint to stop soon; results are joined under the work's mutex.
        self.0.fetch_max(reason, Ordering::Relaxed);
    }

    pub(super) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed) != Self::NONE
    }

    pub(super) fn is_crowded(&self) -> bool {
        self.0.load(Ordering::Relaxed) == Self::CROWDED
    }

    pub(super) fn limit(&self) -> Option<Limit> {
        match self.0.load(Ordering::Relaxed) {
            Self::NODES => Some(Limit::Nodes),
            Self::MEMORY => Some(Limit::Memory),
            _ => None,
        }
    }
}

/// A number that all threads subtract from; below 0 it is exceeded.
pub(super) struct Allowance(AtomicI64);

impl From<u64> for Allowance {
    fn from(number: u64) -> Allowance {
        Allowance(AtomicI64::new(i64::try_from(number).unwrap_or(i64::MAX)))
    }
}

impl Allowance {
    /// Subtracts; `false` when more was asked for than was left.
    pub(super) fn take(&self, number: u64) -> bool {
        // Relaxed: only the number itself matters.
        self.0.fetch_sub(number as i64, Ordering::Relaxed) >= number as i64
    }
}
