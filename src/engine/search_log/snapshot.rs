//! Snapshots of a search within an iteration below a frozen list.
//!
//! The list itself is not stored. A resuming search rebuilds it in a fraction of a second. The list
//! depends only on the board, the heuristic and the memory, so the rebuilt list is identical. Its
//! checksum verifies this.

use std::collections::BTreeMap;

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
    /// By node of the list, if the order of nodes matters: the greatest depth reached below it in
    /// the previous iteration.
    pub(in crate::engine) depths: Vec<u16>,
    /// The same in this iteration, for nodes of completed parts; otherwise 0.
    #[serde(rename = "found")]
    pub(in crate::engine) new_depths: Vec<u16>,
}

impl SearchSnapshot {
    /// Returns a snapshot whose list has `nodes` ordered nodes.
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

    /// Returns the number of nodes of the search before its first incomplete part; `None` if the
    /// snapshot has more nodes than any search can have.
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

    /// Returns whether the snapshot can belong to a search with this many parts and ordered nodes.
    /// A snapshot read from a file may contain anything.
    pub(in crate::engine) fn fits(&self, parts: usize, ordered_nodes: usize) -> bool {
        self.parts == parts
            && self.parts_done() <= parts
            && self.later_stats.keys().all(|&part| (self.first_incomplete..parts).contains(&part))
            && self.depths.len() == ordered_nodes
            && self.new_depths.len() == ordered_nodes
    }
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
}
