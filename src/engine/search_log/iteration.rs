//! The iterations of a deepening search.

use std::time::Instant;

use serde::{Deserialize, Serialize};

/// One iteration of a deepening search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Iteration {
    /// The bound: the iteration searches for paths of this many moves.
    pub bound: u64,
    /// The number of nodes that the iteration generated before it was completed or reached a limit.
    pub nodes: u64,
}

/// The iteration in progress.
pub(super) struct Current {
    pub(super) bound: u64,
    /// The number of nodes that the search generated before this iteration.
    pub(super) nodes_before: u64,
    pub(super) began: Instant,
    /// The number of nodes in the parts of this iteration that an earlier search completed.
    pub(super) nodes_resumed: u64,
}
