//! How much work is still to come, as far as it is known.
//!
//! The length of a stream is unknown, that of a file is not; and of any stream some of what is to come is in
//! memory before its boards are solved: a block, or what was read ahead of a pipe. Whether tables are worth building
//! depends on it. It is given as a *ratio*: how much is still to come for what has come so far. So a kind of board that
//! was met n times is expected n times the ratio more, whatever other records are in between.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The work that is still to come.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RemainingWork {
    /// What is still to come, as a multiple of what has come so far.
    pub ratio: f64,
    /// Whether more than that may come.
    pub estimate: Estimate,
}

/// What is known about the end of a stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Estimate {
    /// The end is known: nothing else will come.
    Exact,
    /// The end is not known: more may come.
    AtLeast,
}

impl RemainingWork {
    /// Nothing is known.
    pub const UNKNOWN: RemainingWork = RemainingWork { ratio: 0.0, estimate: Estimate::AtLeast };
    /// Everything has come.
    pub const FINISHED: RemainingWork = RemainingWork { ratio: 0.0, estimate: Estimate::Exact };
}

/// The latest estimate, written by the thread that reads the input and read by those that solve.
///
/// It is a hint, and no answer depends on it: its two parts are written and read without any order
/// (`Relaxed`), and may for a moment belong to two estimates.
#[derive(Debug)]
pub(crate) struct LatestRemainingWork {
    ratio: AtomicU64,
    is_exact: AtomicBool,
}

impl LatestRemainingWork {
    pub(crate) fn set(&self, remaining_work: RemainingWork) {
        self.ratio.store(remaining_work.ratio.to_bits(), Ordering::Relaxed);
        self.is_exact.store(remaining_work.estimate == Estimate::Exact, Ordering::Relaxed);
    }

    pub(crate) fn get(&self) -> RemainingWork {
        let estimate = if self.is_exact.load(Ordering::Relaxed) { Estimate::Exact } else { Estimate::AtLeast };
        RemainingWork { ratio: f64::from_bits(self.ratio.load(Ordering::Relaxed)), estimate }
    }
}

impl Default for LatestRemainingWork {
    fn default() -> LatestRemainingWork {
        let unknown = RemainingWork::UNKNOWN.ratio.to_bits();
        LatestRemainingWork { ratio: AtomicU64::new(unknown), is_exact: AtomicBool::new(false) }
    }
}
