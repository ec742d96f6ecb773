//! A limit on a search after which tables are built for it.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::engine::SearchLog;
use crate::system::{Budget, Meter};

/// The number of nodes that a search may generate, on all its threads together, before the next
/// tier is built. When they are used up, the search may complete its iteration if that takes fewer
/// nodes than the build costs, as predicted from the growth of earlier iterations.
#[derive(Debug)]
pub(super) struct Patience {
    polls: AtomicU64,
    most_polls: AtomicU64,
    /// The build cost of the next tier, in nodes.
    build_cost: f64,
    log: SearchLog,
}

impl Patience {
    pub(super) fn new(nodes: f64, build_cost: f64, log: SearchLog) -> Patience {
        let most_polls = AtomicU64::new((nodes / Budget::POLL_NODES as f64) as u64);
        Patience { polls: AtomicU64::new(0), most_polls, build_cost, log }
    }
}

impl Meter for Patience {
    fn is_spent(&self) -> bool {
        let polls = self.polls.fetch_add(1, Ordering::Relaxed);
        if polls < self.most_polls.load(Ordering::Relaxed) {
            return false;
        }
        match self.log.to_end_of_iteration(polls * Budget::POLL_NODES) {
            Some(nodes) if (nodes as f64) < self.build_cost => {
                self.most_polls.store(polls + nodes.div_ceil(Budget::POLL_NODES), Ordering::Relaxed);
                nodes == 0
            }
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn polls(patience: &Patience) -> usize {
        (0..).take_while(|_| !patience.is_spent()).count()
    }

    #[test]
    fn an_iteration_that_ends_soon_may_end() {
        let poll = Budget::POLL_NODES;
        assert_eq!(polls(&Patience::new(10.0 * poll as f64, 1e12, SearchLog::new())), 10);
        // Iterations of 2 and 8 polls, and the third at 16: it is expected to take 32.
        let log = || {
            let log = SearchLog::new();
            [(40, 0), (42, 2 * poll), (44, 10 * poll)]
                .into_iter()
                .for_each(|(bound, nodes)| log.begin_iteration(bound, nodes));
            log
        };
        assert_eq!(polls(&Patience::new(26.0 * poll as f64, 20.0 * poll as f64, log())), 42);
        assert_eq!(polls(&Patience::new(26.0 * poll as f64, 10.0 * poll as f64, log())), 26);
    }
}
