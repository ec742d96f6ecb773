//! Counting of nodes, and periodic polling of the budget.

use super::chunk::{Chunk, CutNodes, Unfinished};
use crate::engine::Stats;
use crate::engine::ordered_chunks::Ticket;
use crate::system::{Budget, Limit};

pub struct NodeCounter<'a> {
    budget: &'a Budget<'a>,
    /// The ticket, if this part of a list is one of several. The result of an earlier part may make
    /// this part unnecessary.
    ticket: Option<Ticket<'a>>,
    /// The number of nodes generated since the budget was last polled.
    pub(super) since_poll: u64,
    /// The totals, without the chunk in progress.
    pub(super) stats: Stats,
}

impl<'a> NodeCounter<'a> {
    /// Starts the count of a search, which includes the start node.
    pub(super) fn start(budget: &'a Budget<'a>) -> NodeCounter<'a> {
        NodeCounter { budget, ticket: None, since_poll: 0, stats: Stats { expanded: 0, generated: 1 } }
    }

    /// Starts the count of one part of a list, in a search without a node limit. The thread has
    /// generated `since_poll` nodes since it last polled the budget.
    pub(super) fn of_ticket(budget: &'a Budget<'a>, ticket: Ticket<'a>, since_poll: u64) -> NodeCounter<'a> {
        NodeCounter { budget, ticket: Some(ticket), since_poll, stats: Stats::default() }
    }

    pub(super) fn budget(&self) -> &'a Budget<'a> {
        self.budget
    }

    pub(super) fn add(&mut self, stats: &Stats) {
        self.stats.add(stats);
    }

    pub(super) fn nodes_left(&self) -> u64 {
        self.budget.nodes().saturating_sub(self.stats.generated)
    }

    /// Counts the whole budget as spent, because a chunk exceeds it. Returns the limit reached.
    pub(super) fn spend_all(&mut self) -> Limit {
        self.stats.generated = self.budget.nodes();
        Limit::Nodes
    }

    /// Checks the limits after a chunk has generated `generated` nodes in total, `new` of them
    /// since the last check. Returns the number of nodes that the chunk may generate before the
    /// next check.
    #[inline(always)]
    pub(super) fn check<N>(&mut self, chunk: &Chunk<N>, generated: u64, new: u64) -> Result<u64, Unfinished> {
        let max = match chunk.cut_nodes {
            CutNodes::Kept { max_generated } => max_generated,
            CutNodes::Dropped { .. } => self.nodes_left(),
        };
        if generated > max {
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
        Ok((max - generated).saturating_add(1).min(Budget::POLL_NODES))
    }

    #[cold]
    pub(super) fn poll(&mut self) -> Option<Limit> {
        self.since_poll = 0;
        if self.ticket.is_some_and(|ticket| !ticket.is_needed()) {
            return Some(Limit::Cancelled);
        }
        self.budget.interrupted()
    }
}
