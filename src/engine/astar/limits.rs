//! The conditions that stop the work on a layer early, shared by its threads.

use std::sync::atomic::{AtomicI64, AtomicU8, Ordering};

use crate::system::Limit;

/// The reason to stop the work on a layer early, if there is one.
pub(super) struct StopReason(AtomicU8);

impl StopReason {
    const NONE: u8 = 0;
    /// The set must grow. The remaining nodes are returned.
    pub(super) const CROWDED: u8 = 1;
    pub(super) const NODES: u8 = 2;
    pub(super) const MEMORY: u8 = 3;

    pub(super) fn new() -> StopReason {
        StopReason(AtomicU8::new(Self::NONE))
    }

    /// Sets the reason unless a greater one is set. A limit that is reached in every run must not
    /// be hidden by one that happened to be reached first.
    pub(super) fn set(&self, reason: u8) {
        // Relaxed, here and below: this is only a hint to stop soon; results are merged under the
        // mutex of the work queue.
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

/// A shared counter that threads subtract from. Below 0 it is exceeded.
pub(super) struct Allowance(AtomicI64);

impl From<u64> for Allowance {
    fn from(number: u64) -> Allowance {
        Allowance(AtomicI64::new(i64::try_from(number).unwrap_or(i64::MAX)))
    }
}

impl Allowance {
    /// Subtracts `number`. Returns false if less was left.
    pub(super) fn take(&self, number: u64) -> bool {
        // Relaxed: only the number itself matters.
        self.0.fetch_sub(number as i64, Ordering::Relaxed) >= number as i64
    }
}
