//! The limits that end a search early, and how an engine checks them.

use std::fmt::Debug;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The limits of a search on one board.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Maximum number of generated nodes. If only this limit is set, the outcome does not depend on
    /// the speed of the machine.
    pub nodes: Option<u64>,
    /// Maximum wall-clock time. The outcome may differ from run to run.
    pub time: Option<Duration>,
}

impl Limits {
    /// A node limit that no search reaches. Like any node limit, it makes the division of the
    /// memory (`solver/memory_plan.rs`) independent of the number of threads.
    pub const UNREACHED: u64 = u64::MAX;
}

/// The reason why a search ended early or did not start.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Limit {
    /// The time limit for this board was reached.
    Time,
    /// The node limit for this board was reached.
    Nodes,
    /// The memory for this search was full.
    Memory,
    /// The allowed effort gave no proof: the path that was found is not proven shortest, or only a
    /// lower bound is known.
    Effort,
    /// The run was cancelled.
    Cancelled,
}

impl Limit {
    /// Returns the name used in results.
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

/// The limits of one active search, and the flag that stops the whole run.
#[derive(Clone, Copy, Debug)]
pub struct Budget<'a> {
    nodes: u64,
    deadline: Option<Instant>,
    /// True if the deadline is enforced, but [`Budget::deadline`] does not return it.
    is_hidden: bool,
    stop: &'a AtomicBool,
    /// A meter that is checked at every poll.
    meter: Option<&'a dyn Meter>,
}

/// A counter of polls that can end a search, for example when building more tables pays off.
pub trait Meter: Debug + Sync {
    /// Counts a poll, and returns true if the search must end.
    fn is_spent(&self) -> bool;
}

impl<'a> Budget<'a> {
    /// Approximate number of generated nodes between two polls of the budget (a power of two). At
    /// about 20 ns a node this is well under a millisecond, and the cost of polling is not
    /// measurable.
    pub const POLL_NODES: u64 = 1 << 14;

    /// Returns the budget of a search that starts now.
    pub fn start(limits: &Limits, stop: &'a AtomicBool) -> Budget<'a> {
        // Only a search with a time limit pays for reading the clock.
        let deadline = limits.time.map(|time| {
            let now = Instant::now();
            now.checked_add(time).unwrap_or(now + Duration::from_secs(u64::from(u32::MAX)))
        });
        Budget { nodes: limits.nodes.unwrap_or(u64::MAX), deadline, is_hidden: false, stop, meter: None }
    }

    /// Returns the same budget, with a deadline at most this time from now.
    #[must_use]
    pub fn at_most(self, time: Duration) -> Budget<'a> {
        let end = Instant::now().checked_add(time);
        let deadline = match (self.deadline, end) {
            (Some(deadline), Some(end)) => Some(deadline.min(end)),
            (deadline, end) => deadline.or(end),
        };
        Budget { deadline, ..self }
    }

    /// Returns the same budget with a meter.
    #[must_use]
    pub fn metered(self, meter: &'a dyn Meter) -> Budget<'a> {
        Budget { meter: Some(meter), ..self }
    }

    /// Returns the same budget without a node limit.
    #[must_use]
    pub fn without_nodes(self) -> Budget<'a> {
        Budget { nodes: u64::MAX, ..self }
    }

    /// Returns the same budget, but with a hidden deadline. The deadline still ends the work but
    /// does not influence it otherwise.
    #[must_use]
    pub fn with_hidden_deadline(self) -> Budget<'a> {
        Budget { is_hidden: true, ..self }
    }

    /// Returns the deadline, if there is one and it is not hidden.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline.filter(|_| !self.is_hidden)
    }

    /// Returns the flag that stops the whole run.
    pub fn stop(&self) -> &'a AtomicBool {
        self.stop
    }

    /// Returns the node limit. Engines stop exactly at it, so that outcomes are reproducible.
    #[inline]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Returns the reason why the search must end now, if there is one: the stop flag is set, the
    /// deadline has passed, or the meter is spent (reported as [`Limit::Time`]). Engines count
    /// nodes themselves.
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

/// Runs a function with a flag that is set at `end`, or soon after `stop` is set.
pub fn stopped_at<T>(end: Option<Instant>, stop: &AtomicBool, run: impl FnOnce(&AtomicBool) -> T) -> T {
    /// The interval at which `stop` is checked.
    const INTERVAL: Duration = Duration::from_millis(10);
    let Some(end) = end else { return run(stop) };
    let flag = &AtomicBool::new(false);
    let (running, ended) = channel::<()>();
    thread::scope(|scope| {
        // Nothing is sent. The channel closes when the function returns or panics.
        let _running = running;
        scope.spawn(move || {
            let remaining = || end.saturating_duration_since(Instant::now());
            while ended.recv_timeout(remaining().min(INTERVAL)) == Err(RecvTimeoutError::Timeout) {
                if stop.load(Ordering::Relaxed) || remaining().is_zero() {
                    flag.store(true, Ordering::Relaxed);
                    return;
                }
            }
        });
        run(flag)
    })
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::panic::catch_unwind;

    use super::*;

    fn after(time: Duration) -> Option<Instant> {
        Some(Instant::now() + time)
    }

    fn wait(flag: &AtomicBool) {
        while !flag.load(Ordering::Relaxed) {
            thread::yield_now();
        }
    }

    #[test]
    fn the_flag_is_set_at_the_deadline_and_after_a_stop() {
        let stop = AtomicBool::new(false);
        stopped_at(after(Duration::from_millis(1)), &stop, wait);
        stop.store(true, Ordering::Relaxed);
        stopped_at(after(Duration::from_secs(3600)), &stop, wait);
        stopped_at(None, &stop, wait);
    }

    /// A panic is not held back until the deadline, which this test would never reach.
    #[test]
    fn a_panic_does_not_wait_for_the_deadline() {
        let panics =
            || stopped_at(after(Duration::from_secs(1 << 30)), &AtomicBool::new(false), |_| panic!("expected"));
        assert!(catch_unwind(panics).is_err());
    }
}
