//! The count of generated states, which is compared with the budget before each layer and test.

use crate::engine::Stats;
use crate::system::{Budget, Limit};

pub(super) struct NodeCounter<'a, 'b> {
    budget: &'a Budget<'b>,
    stats: &'a mut Stats,
    generated: u64,
}

impl<'a, 'b> NodeCounter<'a, 'b> {
    pub(super) fn new(budget: &'a Budget<'b>, stats: &'a mut Stats) -> NodeCounter<'a, 'b> {
        NodeCounter { budget, stats, generated: 0 }
    }

    pub(super) fn budget(&self) -> &'a Budget<'b> {
        self.budget
    }

    /// Checks that the budget allows this many more states.
    pub(super) fn check(&self, states: u64) -> Result<(), Limit> {
        if self.generated.saturating_add(states) > self.budget.nodes() { Err(Limit::Nodes) } else { Ok(()) }
    }

    pub(super) fn add(&mut self, expanded: u64, generated: u64) {
        self.generated += generated;
        self.stats.expanded += expanded;
        self.stats.generated += generated;
    }
}
