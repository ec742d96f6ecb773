//! Snapshots of a search in the middle of an iteration below a frozen list ([`super`]), and the
//! progress of such a search, for display.
//!
//! The list itself is not stored. A resuming search rebuilds it in a fraction of a second. The list
//! depends only on the board, the heuristic and the memory, so the rebuilt list is identical. Its
//! checksum verifies this.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::engine::Stats;

/// One iteration of a deepening search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Iteration {
    /// The bound: the iteration searches for paths of this many moves.
    pub bound: u64,
    /// The number of nodes that the iteration generated before it was completed or reached a limit.
    pub nodes: u64,
}

/// A path that the search itself did not find.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OtherPath {
    /// The letters of the path.
    pub(in crate::engine) letters: String,
    /// The number of nodes generated to find it.
    pub(in crate::engine) nodes: u64,
}

/// The snapshot of a search within an iteration below a frozen list.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchSnapshot {
    /// The heuristic that guides the search.
    pub(in crate::engine) heuristic: String,
    /// The checksum of the list and of everything that determines how it is searched.
    #[serde(rename = "list")]
    pub(in crate::engine) list_checksum: u64,
    /// The bound of the iteration.
    pub(in crate::engine) bound: u16,
    /// The work done for the board before this search.
    #[serde(rename = "others_before")]
    pub(in crate::engine) prior_work: Stats,
    /// The work of this search up to the start of this iteration's first part (part 0).
    #[serde(rename = "before")]
    pub(in crate::engine) stats_before_parts: Stats,
    /// The iterations before this one.
    pub(in crate::engine) iterations: Vec<Iteration>,
    /// The number of nodes that the search had generated when the iteration began.
    pub(in crate::engine) nodes_before: u64,
    /// A path from another engine, which is proven optimal once the bound reaches its length.
    #[serde(rename = "other")]
    pub(in crate::engine) incumbent: Option<OtherPath>,
    /// The number of parts of the list.
    pub(in crate::engine) parts: usize,
    /// The number of the first incomplete part, counted from 0.
    #[serde(rename = "first")]
    pub(in crate::engine) first_incomplete: usize,
    /// The work of all parts before the first incomplete one.
    #[serde(rename = "first_stats")]
    pub(in crate::engine) stats_before_first_incomplete: Stats,
    /// The work of each completed part after the first incomplete one.
    #[serde(rename = "others")]
    pub(in crate::engine) later_stats: BTreeMap<usize, Stats>,
    /// By node of the list, if any shortest path will do: the greatest depth reached below the node
    /// in the previous iteration. Nodes with greater depths are searched first.
    pub(in crate::engine) depths: Vec<u16>,
    /// The same in this iteration, for nodes of completed parts; otherwise 0.
    #[serde(rename = "found")]
    pub(in crate::engine) new_depths: Vec<u16>,
}

impl SearchSnapshot {
    /// Returns a snapshot whose list has `nodes` nodes, ordered by depth.
    #[cfg(test)]
    pub fn with_list(nodes: usize) -> SearchSnapshot {
        SearchSnapshot { depths: vec![0; nodes], ..SearchSnapshot::default() }
    }

    /// Records a completed part.
    pub(super) fn add(&mut self, part: usize, stats: Stats, depths: impl Iterator<Item = (usize, u16)>) {
        if part < self.first_incomplete || self.later_stats.insert(part, stats).is_some() {
            return;
        }
        for (node, depth) in depths {
            if let Some(new_depth) = self.new_depths.get_mut(node) {
                *new_depth = depth;
            }
        }
        while let Some(stats) = self.later_stats.remove(&self.first_incomplete) {
            self.first_incomplete += 1;
            self.stats_before_first_incomplete.add(&stats);
        }
    }

    /// Returns the work of the completed parts.
    pub(super) fn stats_done(&self) -> Stats {
        let mut sum = self.stats_before_first_incomplete;
        self.later_stats.values().for_each(|stats| sum.add(stats));
        sum
    }

    /// Returns the number of nodes that the search generated before its first incomplete part;
    /// `None` if the snapshot has more nodes than any search can have.
    pub(in crate::engine) fn spent(&self) -> Option<u64> {
        let sum = |total: Option<u64>, nodes: u64| total?.checked_add(nodes).filter(|&sum| sum < 1 << 62);
        let done = self.later_stats.values().flat_map(|stats| [stats.generated, stats.expanded]).fold(Some(0), sum);
        let totals = [self.stats_before_parts, self.stats_before_first_incomplete, self.prior_work]
            .map(|stats| [stats.generated, stats.expanded]);
        totals.into_iter().flatten().fold(done, sum)?;
        Some(self.stats_before_parts.generated + self.stats_before_first_incomplete.generated)
    }

    /// Returns the number of nodes generated in the iteration, without incomplete parts.
    pub(super) fn nodes(&self) -> u64 {
        self.stats_before_parts.generated.saturating_sub(self.nodes_before).saturating_add(self.stats_done().generated)
    }

    /// Returns the approximate size of the snapshot in bytes.
    pub fn bytes(&self) -> usize {
        2 * (self.depths.len() + self.new_depths.len()) + 64 * self.later_stats.len() + 16 * self.iterations.len() + 512
    }

    /// Returns the number of completed parts.
    pub(in crate::engine) fn parts_done(&self) -> usize {
        self.first_incomplete + self.later_stats.len()
    }

    /// Returns true if the snapshot can belong to a search whose list has this many parts, and this
    /// many nodes that are ordered by depth (0 if the list is searched in its own order). A
    /// snapshot read from a file may contain anything.
    pub(in crate::engine) fn fits(&self, parts: usize, ordered_nodes: usize) -> bool {
        self.parts == parts
            && self.parts_done() <= parts
            && self.later_stats.keys().all(|&part| (self.first_incomplete..parts).contains(&part))
            && self.depths.len() == ordered_nodes
            && self.new_depths.len() == ordered_nodes
    }
}

/// The iteration in progress.
#[derive(Debug)]
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
/// shown its own ratio. In searches of 24-puzzles the ratio is 7.2 to 8.8.
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

    fn stats(generated: u64) -> Stats {
        Stats { expanded: 1, generated }
    }

    /// The result does not depend on the order in which parts are recorded, nor on repetitions.
    #[test]
    fn completed_parts_are_counted_once() {
        let mut snapshot =
            SearchSnapshot { parts: 5, depths: vec![9; 10], new_depths: vec![0; 10], ..SearchSnapshot::default() };
        let nodes = |part: usize| (part * 2..part * 2 + 2).map(move |node| (node, 10 + part as u16));
        for (part, first_incomplete) in [(3, 0), (0, 1), (3, 1), (2, 1), (0, 1), (1, 4)] {
            snapshot.add(part, stats(10 << part), nodes(part));
            assert_eq!(snapshot.first_incomplete, first_incomplete);
        }
        assert_eq!((snapshot.parts_done(), snapshot.stats_done().generated), (4, 150));
        assert_eq!(snapshot.new_depths, [10, 10, 11, 11, 12, 12, 13, 13, 0, 0]);
        assert!(snapshot.fits(5, 10) && !snapshot.fits(3, 10) && !snapshot.fits(5, 9));
        let text = serde_json::to_string(&snapshot).unwrap();
        assert_eq!(serde_json::from_str::<SearchSnapshot>(&text).unwrap(), snapshot);
        let odd = SearchSnapshot { later_stats: [(7, stats(1))].into(), ..snapshot };
        assert!(!odd.fits(5, 10));
    }

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
