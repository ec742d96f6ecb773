//! Counting nodes, and looking at the budget now and then.

use crate::engine::ordered_chunks::Ticket;
use crate::engine::{SearchLog, Stats};
use crate::system::{Budget, Limit};

/// Counts generated nodes and looks at the budget now and then.
#[derive(Debug)]
pub(super) struct NodeCounter<'a> {
    pub(super) budget: &'a Budget<'a>,
    /// For one chunk among several: another chunk may make it unneeded.
    ticket: Option<Ticket<'a>>,
    /// Nodes that may be generated before the budget is asked again.
    fuel: u64,
    granted: u64,
    pub(super) expanded: u64,
    /// Of a whole search: where its iterations are entered.
    log: Option<&'a SearchLog>,
}

impl<'a> NodeCounter<'a> {
    /// The counter of a search that has its start node.
    pub(super) fn start(budget: &'a Budget<'a>) -> NodeCounter<'a> {
        NodeCounter { budget, ticket: None, fuel: 0, granted: 1, expanded: 0, log: None }
    }

    /// The same, where the search has a log.
    pub(super) fn telling(self, log: &'a SearchLog) -> NodeCounter<'a> {
        NodeCounter { log: Some(log), ..self }
    }

    /// Enters that an iteration begins.
    pub(super) fn begin_iteration(&self, bound: u16) {
        if let Some(log) = self.log {
            log.begin_iteration(bound.into(), self.generated());
        }
    }

    /// The counter of one chunk of a search without a limit of nodes.
    pub(super) fn of_chunk(budget: &'a Budget<'a>, ticket: Ticket<'a>) -> NodeCounter<'a> {
        NodeCounter { budget, ticket: Some(ticket), fuel: 0, granted: 0, expanded: 0, log: None }
    }

    pub(super) fn generated(&self) -> u64 {
        self.granted - self.fuel
    }

    /// Adds what was spent on a chunk.
    pub(super) fn add(&mut self, stats: &Stats) {
        self.granted += stats.generated;
        self.expanded += stats.expanded;
    }

    /// Counts one more generated node; nothing is counted at a limit.
    #[inline(always)]
    pub(super) fn count_generated(&mut self) -> Option<Limit> {
        if self.fuel == 0
            && let Some(limit) = self.refill()
        {
            return Some(limit);
        }
        self.fuel -= 1;
        None
    }

    /// Asks for more nodes when there are none left.
    #[cold]
    fn refill(&mut self) -> Option<Limit> {
        if self.granted >= self.budget.nodes() {
            return Some(Limit::Nodes);
        }
        if let Some(limit) = self.budget.interrupted() {
            return Some(limit);
        }
        if self.ticket.is_some_and(|ticket| !ticket.is_needed()) {
            return Some(Limit::Cancelled);
        }
        self.fuel = Budget::POLL_NODES.min(self.budget.nodes() - self.granted);
        self.granted += self.fuel;
        None
    }
}
