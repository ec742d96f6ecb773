//! What may end a search early, and how an engine notices it.

use std::fmt::Debug;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The limits of a search on one board.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Nodes generated; the same number gives the same outcome on every machine.
    pub nodes: Option<u64>,
    /// Wall-clock time; what is reached in it differs from run to run.
    pub time: Option<Duration>,
}

impl Limits {
    /// A number of nodes that no search reaches: what is shared out as where nodes are limited, without a limit.
    pub const UNREACHED: u64 = u64::MAX;
}

/// What ended a search early, or kept it from starting.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Limit {
    /// The time for this board was up.
    Time,
    /// The number of nodes for this board was reached.
    Nodes,
    /// The memory for this search was full.
    Memory,
    /// A path was found with the effort that was allowed, but no proof that none is shorter.
    Effort,
    /// The run was cancelled.
    Cancelled,
}

impl Limit {
    /// The word that results have for it.
    pub const fn name(self) -> &'static str {
        match self {
            Limit::Time => "time",
            Limit::Nodes => "nodes",
            Limit::Memory => "memory",
            Limit::Effort => "effort",
            Limit::Cancelled => "cancelled",
        }
    }
}

/// The limits of one search that has begun, and the flag that stops the whole run.
#[derive(Clone, Copy, Debug)]
pub struct Budget<'a> {
    nodes: u64,
    deadline: Option<Instant>,
    /// The deadline is kept to, and not told.
    is_hidden: bool,
    stop: &'a AtomicBool,
    /// What is asked at every poll, too.
    meter: Option<&'a dyn Meter>,
}

/// Something that ends a search by the number of its polls.
pub trait Meter: Debug + Sync {
    /// Counts a poll, and tells whether the search is to end.
    fn is_spent(&self) -> bool;
}

impl<'a> Budget<'a> {
    /// An engine polls its budget once in about this many generated nodes (a power of two; at
    /// some 20 ns a node well under a millisecond, and too rare to cost anything measurable).
    pub const POLL_NODES: u64 = 1 << 14;

    /// Starts the clock.
    pub fn start(limits: &Limits, stop: &'a AtomicBool) -> Budget<'a> {
        // Only a limited search pays for reading the clock.
        let deadline = limits.time.map(|time| {
            let now = Instant::now();
            now.checked_add(time).unwrap_or(now + Duration::from_secs(u64::from(u32::MAX)))
        });
        Budget { nodes: limits.nodes.unwrap_or(u64::MAX), deadline, is_hidden: false, stop, meter: None }
    }

    /// The same budget, but with at most this much time from now.
    #[must_use]
    pub fn at_most(self, time: Duration) -> Budget<'a> {
        let end = Instant::now().checked_add(time);
        let deadline = match (self.deadline, end) {
            (Some(deadline), Some(end)) => Some(deadline.min(end)),
            (deadline, end) => deadline.or(end),
        };
        Budget { deadline, ..self }
    }

    /// The same budget, which this meter ends, too.
    #[must_use]
    pub fn metered(self, meter: &'a dyn Meter) -> Budget<'a> {
        Budget { meter: Some(meter), ..self }
    }

    /// The same budget with as many nodes as it takes.
    #[must_use]
    pub fn without_nodes(self) -> Budget<'a> {
        Budget { nodes: u64::MAX, ..self }
    }

    /// The same budget, of which nobody can tell how much time is left: what is done in it does not depend on the clock, but for
    /// where it ends.
    #[must_use]
    pub fn with_hidden_deadline(self) -> Budget<'a> {
        Budget { is_hidden: true, ..self }
    }

    /// When the time is up, if it is limited.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline.filter(|_| !self.is_hidden)
    }

    /// The flag that stops the whole run.
    pub fn stop(&self) -> &'a AtomicBool {
        self.stop
    }

    /// The most nodes that may be generated: engines stop exactly here, so that outcomes repeat.
    #[inline]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether the clock or the stop flag ends the search now.
    #[inline]
    pub fn interrupted(&self) -> Option<Limit> {
        if self.stop.load(Ordering::Relaxed) {
            return Some(Limit::Cancelled);
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Some(Limit::Time),
            _ => self.meter.filter(|meter| meter.is_spent()).map(|_| Limit::Time),
        }
    }
}
