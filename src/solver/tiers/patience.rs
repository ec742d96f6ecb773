//! A limit on a search. When it is reached, the next tier is built, and the board is searched again
//! at that tier.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::engine::SearchLog;
use crate::system::{Budget, Meter};
use std::fmt::Debug;

/// The number of nodes that a search may generate, on all its threads together, before the next
/// tier is built. When half of them are used up, the search may continue only if its iteration is
/// predicted, from the growth of earlier iterations, to end within the other half. A search is not
/// ended for a tier that does not fit into the memory, because it would begin again at its own
/// tier.
#[derive(Debug)]
pub(super) struct Patience<'a> {
    tiers: &'a dyn MemoryCheck,
    /// The index of the next tier.
    next: usize,
    nodes: u64,
    log: SearchLog,
    polls: AtomicU64,
    /// The number of polls after which the limit is checked next.
    next_check: AtomicU64,
}

/// A check of whether tiers fit into the memory.
pub(super) trait MemoryCheck: Debug + Sync {
    /// Returns true if enough memory is free to build the tier at an index. Otherwise it is never
    /// built.
    fn fits(&self, index: usize) -> bool;
}

impl<'a> Patience<'a> {
    /// Allows `nodes` nodes before the tier at index `next` is built.
    pub(super) fn new(tiers: &'a dyn MemoryCheck, next: usize, nodes: f64, log: SearchLog) -> Patience<'a> {
        let first_check = AtomicU64::new((nodes / 2.0 / Budget::POLL_NODES as f64) as u64);
        Patience { tiers, next, nodes: nodes as u64, log, polls: AtomicU64::new(0), next_check: first_check }
    }
}

impl Meter for Patience<'_> {
    fn is_spent(&self) -> bool {
        let polls = self.polls.fetch_add(1, Ordering::Relaxed);
        if polls < self.next_check.load(Ordering::Relaxed) {
            return false;
        }
        let generated = polls * Budget::POLL_NODES;
        let is_due = match self.log.to_end_of_iteration(generated) {
            Some(rest) if rest > 0 && generated + rest <= self.nodes => {
                self.next_check.store(polls + rest.div_ceil(Budget::POLL_NODES), Ordering::Relaxed);
                false
            }
            _ => true,
        };
        if is_due && !self.tiers.fits(self.next) {
            self.next_check.store(u64::MAX, Ordering::Relaxed);
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
        let patience = |polls: f64, log| Patience::new(&tiers, 0, polls * POLL, log);
        assert_eq!(polls(&patience(20.0, SearchLog::new()), 100), 10);
        // Two iterations took 2 and 8 polls. The third is expected to take 32, and so to end at 42.
        let log = || {
            let log = SearchLog::new();
            [(40, 0), (42, 2 * Budget::POLL_NODES), (44, 10 * Budget::POLL_NODES)]
                .into_iter()
                .for_each(|(bound, nodes)| log.begin_iteration(bound, nodes));
            log
        };
        assert_eq!(polls(&patience(52.0, log()), 100), 42);
        assert_eq!(polls(&patience(40.0, log()), 100), 20);
    }

    #[test]
    fn a_search_is_not_ended_for_tables_that_do_not_fit() {
        let tiers = tiers(4, 4, 1 << 20);
        assert!(tiers.next(0).is_some());
        assert_eq!(polls(&Patience::new(&tiers, 0, 10.0 * POLL, SearchLog::new()), 100), 100);
        assert!(tiers.next(0).is_none());
    }
}
