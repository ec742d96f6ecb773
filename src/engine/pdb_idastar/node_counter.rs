//! Counting nodes, and looking at the budget now and then.

use crate::engine::Stats;
use crate::engine::ordered_chunks::Ticket;
use crate::system::{Budget, Limit};

/// Counts nodes and looks at the budget now and then.
pub(super) struct NodeCounter<'a> {
    budget: &'a Budget<'a>,
    /// For one part among several of a list: another part may make it unneeded.
    ticket: Option<Ticket<'a>>,
    /// Nodes generated since the budget was last looked at.
    since_poll: u64,
    /// Without those of the chunk that is being expanded.
    pub(super) stats: Stats,
}

impl<'a> NodeCounter<'a> {
    /// For a search that has its start node.
    pub(super) fn start(budget: &'a Budget<'a>) -> NodeCounter<'a> {
        NodeCounter { budget, ticket: None, since_poll: 0, stats: Stats { expanded: 0, generated: 1 } }
    }

    /// For one part of a list, in a search without a limit of nodes.
    pub(super) fn of_ticket(budget: &'a Budget<'a>, ticket: Ticket<'a>) -> NodeCounter<'a> {
        NodeCounter { budget, ticket: Some(ticket), since_poll: 0, stats: Stats::default() }
    }

    pub(super) fn budget(&self) -> &'a Budget<'a> {
        self.budget
    }

    /// Adds what was spent elsewhere.
    pub(super) fn add(&mut self, stats: &Stats) {
        self.stats.generated += stats.generated;
        self.stats.expanded += stats.expanded;
    }

    /// How many nodes may still be generated.
    pub(super) fn left(&self) -> u64 {
        self.budget.nodes() - self.stats.generated
    }

    /// Spends a budget that has fewer nodes left than are needed to its end.
    pub(super) fn spend_all(&mut self) -> Limit {
        self.stats.generated = self.budget.nodes();
        Limit::Nodes
    }

    /// Looks at the budget if enough nodes have been generated since the last time, these included; what interrupts
    /// the search, if anything does.
    #[inline(always)]
    pub(super) fn poll_after(&mut self, nodes: usize) -> Option<Limit> {
        self.since_poll += nodes as u64;
        if self.since_poll < Budget::POLL_NODES { None } else { self.poll() }
    }

    /// Looks at the budget.
    #[cold]
    pub(super) fn poll(&mut self) -> Option<Limit> {
        self.since_poll = 0;
        if self.ticket.is_some_and(|ticket| !ticket.is_needed()) {
            return Some(Limit::Cancelled);
        }
        self.budget.interrupted()
    }

    /// Counts nodes that a depth-first search is about to generate.
    #[inline(always)]
    pub(super) fn count_generated(&mut self, nodes: usize) -> Option<Limit> {
        if nodes as u64 > self.left() {
            return Some(self.spend_all());
        }
        self.stats.generated += nodes as u64;
        self.poll_after(nodes)
    }
}
