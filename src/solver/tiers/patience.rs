//! A limit on a search. When it is reached, the next tier is built, and the board is searched again
//! at that tier.

use std::fmt::Debug;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::engine::SearchLog;
use crate::system::{Budget, Meter};

/// The number of nodes that a search may generate, on all its threads together, before the next
/// tier is built. When they are used up, the search may complete its iteration if that takes fewer
/// nodes than the build costs, as predicted from the growth of earlier iterations. A search is not
/// ended for a tier that does not fit into the memory, because it would begin again at its own
/// tier.
#[derive(Debug)]
pub(super) struct Patience<'a> {
    tiers: &'a dyn MemoryCheck,
    /// The index of the next tier.
    next: usize,
    polls: AtomicU64,
    max_polls: AtomicU64,
    /// The build cost of the next tier, in nodes.
    build_cost: f64,
    log: SearchLog,
}

/// A check of whether tiers fit into the memory.
pub(super) trait MemoryCheck: Debug + Sync {
    /// Returns true if enough memory is free to build the tier at an index. Otherwise it is never
    /// built.
    fn fits(&self, index: usize) -> bool;
}

impl<'a> Patience<'a> {
    /// Allows `nodes` nodes before the tier at index `next` is built, which costs as much as
    /// `build_cost` nodes.
    pub(super) fn new(
        nodes: f64,
        (tiers, next, build_cost): (&'a dyn MemoryCheck, usize, f64),
        log: SearchLog,
    ) -> Patience<'a> {
        let max_polls = AtomicU64::new((nodes / Budget::POLL_NODES as f64) as u64);
        Patience { tiers, next, polls: AtomicU64::new(0), max_polls, build_cost, log }
    }
}

impl Meter for Patience<'_> {
    fn is_spent(&self) -> bool {
        let polls = self.polls.fetch_add(1, Ordering::Relaxed);
        if polls < self.max_polls.load(Ordering::Relaxed) {
            return false;
        }
        let is_due = match self.log.to_end_of_iteration(polls * Budget::POLL_NODES) {
            Some(nodes) if (nodes as f64) < self.build_cost => {
                self.max_polls.store(polls + nodes.div_ceil(Budget::POLL_NODES), Ordering::Relaxed);
                nodes == 0
            }
            _ => true,
        };
        if is_due && !self.tiers.fits(self.next) {
            self.max_polls.store(u64::MAX, Ordering::Relaxed);
            return false;
        }
        is_due
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::tiers;
    use super::*;

    const POLL: f64 = Budget::POLL_NODES as f64;

    fn polls(patience: &Patience<'_>, max: usize) -> usize {
        (0..max).take_while(|_| !patience.is_spent()).count()
    }

    #[test]
    fn an_iteration_that_ends_soon_may_end() {
        let tiers = tiers(4, 4, 4 << 30);
        let patience = |nodes: f64, build_cost: f64, log| Patience::new(nodes, (&tiers, 0, build_cost), log);
        assert_eq!(polls(&patience(10.0 * POLL, 1e12, SearchLog::new()), 100), 10);
        // Two iterations took 2 and 8 polls. The third is expected to take 32, and so to end at 42.
        let log = || {
            let log = SearchLog::new();
            [(40, 0), (42, 2 * Budget::POLL_NODES), (44, 10 * Budget::POLL_NODES)]
                .into_iter()
                .for_each(|(bound, nodes)| log.begin_iteration(bound, nodes));
            log
        };
        assert_eq!(polls(&patience(26.0 * POLL, 20.0 * POLL, log()), 100), 42);
        assert_eq!(polls(&patience(26.0 * POLL, 10.0 * POLL, log()), 100), 26);
    }

    #[test]
    fn a_search_is_not_ended_for_tables_that_do_not_fit() {
        let tiers = tiers(4, 4, 1 << 20);
        assert!(tiers.next(0).is_some());
        assert_eq!(polls(&Patience::new(10.0 * POLL, (&tiers, 0, 1e12), SearchLog::new()), 100), 100);
        assert!(tiers.next(0).is_none());
    }
}
