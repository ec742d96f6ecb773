//! The progress of a search, for display.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::snapshot::{Iteration, SearchSnapshot};

/// The iteration in progress.
pub(super) struct Current {
    pub(super) bound: u64,
    /// The number of nodes that the search generated before this iteration.
    pub(super) nodes_before: u64,
    pub(super) began: Instant,
    /// The number of nodes in the parts of this iteration that an earlier search completed.
    pub(super) nodes_resumed: u64,
}

/// The progress of a search below a frozen list.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchProgress {
    /// The heuristic that guides the search.
    pub heuristic: Arc<str>,
    /// The bound of the current iteration: no path is shorter.
    pub bound: u64,
    /// The number of nodes generated in all iterations so far.
    pub nodes: u64,
    /// The estimated share of the current iteration that is completed, from 0 to 1.
    pub share: f64,
    /// The estimated time to the end of the current iteration; `None` until the speed is known.
    pub time_left: Option<Duration>,
    /// The estimated time that the next iteration will take; `None` until the speed is known.
    pub next_iteration: Option<Duration>,
}

/// The assumed ratio of an iteration's nodes to those of the previous one, until the search has
/// shown its own ratio. For 24-puzzles it is 7.2 to 8.8.
const GROWTH: f64 = 8.0;

impl SearchProgress {
    /// Returns the progress of a search with this heuristic, after these iterations. `None` unless
    /// the current iteration is searched below a frozen list.
    pub(super) fn of(
        heuristic: &Arc<str>,
        current: &Current,
        snapshot: &SearchSnapshot,
        iterations: &[Iteration],
    ) -> Option<SearchProgress> {
        if current.bound != u64::from(snapshot.bound) {
            return None;
        }
        let done = snapshot.nodes();
        let list_share = snapshot.parts_done() as f64 / snapshot.parts.max(1) as f64;
        let (previous, growth) = growth(&iterations.iter().map(|iteration| iteration.nodes).collect::<Vec<_>>());
        let expected = expected(done as f64, list_share, previous * growth);
        let new_nodes = snapshot.stats_done().generated.saturating_sub(current.nodes_resumed) as f64;
        let speed = new_nodes / current.began.elapsed().as_secs_f64().max(1e-3);
        let time_for = |nodes: f64| (speed > 0.0).then(|| Duration::try_from_secs_f64(nodes / speed).ok()).flatten();
        Some(SearchProgress {
            heuristic: Arc::clone(heuristic),
            bound: current.bound,
            nodes: iterations.iter().map(|iteration| iteration.nodes).sum::<u64>() + done,
            share: (done as f64 / expected).clamp(0.0, 1.0),
            time_left: time_for(expected - done as f64),
            next_iteration: time_for(expected * growth),
        })
    }
}

/// Returns the number of nodes of the last iteration, and the assumed growth to the next one.
fn growth(nodes: &[u64]) -> (f64, f64) {
    match *nodes {
        [.., before, last] if before > 0 && last > before => {
            // The first ratio of a resumed search and ratios of small iterations are unreliable, so
            // the ratio is clamped.
            (last as f64, (last as f64 / before as f64).clamp(GROWTH / 2.0, GROWTH * 1.5))
        }
        [.., last] => (last as f64, GROWTH),
        [] => (0.0, GROWTH),
    }
}

/// Estimates the number of nodes of an iteration from the number already generated (`done`), the
/// completed share of its list, and the estimate at its beginning. Most of the work may lie below
/// the first nodes of the list, so the share of the list counts little until it is nearly 1.
fn expected(done: f64, list_share: f64, estimate: f64) -> f64 {
    let by_growth = estimate.max(done) * (1.0 - list_share * list_share);
    (by_growth + list_share * done).max(done).max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_depend_on_growth_and_later_on_the_list() {
        assert_eq!(growth(&[100, 750]), (750.0, 7.5));
        assert_eq!(growth(&[1, 750]), (750.0, 12.0));
        assert_eq!((growth(&[750]), growth(&[])), ((750.0, 8.0), (0.0, 8.0)));
        assert_eq!(expected(0.0, 0.0, 6000.0), 6000.0);
        // Half the list and half the nodes: the estimate does not change.
        assert_eq!(expected(3000.0, 0.5, 6000.0), 6000.0);
        // The whole list: the actual number.
        assert_eq!(expected(9000.0, 1.0, 6000.0), 9000.0);
        assert_eq!(expected(8000.0, 0.5, 6000.0), 10_000.0);
    }
}
