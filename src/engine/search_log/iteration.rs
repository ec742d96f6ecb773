//! The iterations of a search whose bounds grow.

use std::time::Instant;

use serde::{Deserialize, Serialize};

/// One iteration of a search whose bounds grow.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Iteration {
    /// Paths of so many moves were looked for.
    pub bound: u64,
    /// Nodes that it generated; of one that a limit ended, until then.
    pub nodes: u64,
}

/// The iteration under way.
pub(super) struct Current {
    pub(super) bound: u64,
    /// Nodes that the search had generated when it began.
    pub(super) nodes_before: u64,
    pub(super) began: Instant,
    /// Of its nodes, those that an earlier search had generated.
    pub(super) nodes_earlier: u64,
}
