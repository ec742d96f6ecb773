//! Counting nodes, and looking at the budget now and then.

use super::chunk::{Chunk, CutNodes, Unfinished};
use crate::engine::Stats;
use crate::engine::ordered_chunks::Ticket;
use crate::system::{Budget, Limit};

/// Counts nodes and looks at the budget now and then.
pub struct NodeCounter<'a> {
    budget: &'a Budget<'a>,
    /// For one part among several of a list: another part may make it unneeded.
    ticket: Option<Ticket<'a>>,
    /// Nodes generated since the budget was last looked at.
    pub(super) since_poll: u64,
    /// Without those of the chunk that is being expanded.
    pub(super) stats: Stats,
}

impl<'a> NodeCounter<'a> {
    /// For a search that has its start node.
    pub(super) fn start(budget: &'a Budget<'a>) -> NodeCounter<'a> {
        NodeCounter { budget, ticket: None, since_poll: 0, stats: Stats { expanded: 0, generated: 1 } }
    }

    /// For one part of a list, in a search without a limit of nodes, by a thread that has generated so many nodes since it last
    /// looked at the budget.
    pub(super) fn of_ticket(budget: &'a Budget<'a>, ticket: Ticket<'a>, since_poll: u64) -> NodeCounter<'a> {
        NodeCounter { budget, ticket: Some(ticket), since_poll, stats: Stats::default() }
    }

    pub(super) fn budget(&self) -> &'a Budget<'a> {
        self.budget
    }

    /// Adds what was spent.
    pub(super) fn add(&mut self, stats: &Stats) {
        self.stats.add(stats);
    }

    /// How many nodes may still be generated.
    pub(super) fn left(&self) -> u64 {
        self.budget.nodes().saturating_sub(self.stats.generated)
    }

    /// Spends a budget that has fewer nodes left than are needed to its end.
    pub(super) fn spend_all(&mut self) -> Limit {
        self.stats.generated = self.budget.nodes();
        Limit::Nodes
    }

    /// Looks at limits after a chunk has generated so many nodes in all, `new` of them since the last time; how many more it may
    /// generate before they are looked at again.
    #[inline(always)]
    pub(super) fn check<N>(&mut self, chunk: &Chunk<N>, generated: u64, new: u64) -> Result<u64, Unfinished> {
        let most = match chunk.cut_nodes {
            CutNodes::Kept { max_generated } => max_generated,
            CutNodes::Dropped { .. } => self.left(),
        };
        if generated > most {
            return Err(match chunk.cut_nodes {
                CutNodes::Kept { .. } => Unfinished::TooMany,
                CutNodes::Dropped { .. } => Unfinished::Limit(self.spend_all()),
            });
        }
        self.since_poll += new;
        if self.since_poll >= Budget::POLL_NODES
            && let Some(limit) = self.poll()
        {
            return Err(Unfinished::Limit(limit));
        }
        Ok((most - generated).saturating_add(1).min(Budget::POLL_NODES))
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
}
