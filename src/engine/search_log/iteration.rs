//! The iterations of a deepening search.

use std::time::Instant;

use serde::{Deserialize, Serialize};

/// One iteration of a deepening search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Iteration {
    /// The bound: the iteration searches for paths of this many moves.
    pub bound: u64,
    /// The number of nodes generated. If a limit ended it, the number until then.
    pub nodes: u64,
}

/// The iteration in progress.
pub(super) struct Current {
    pub(super) bound: u64,
    /// The number of nodes that the search had generated when it began.
    pub(super) nodes_before: u64,
    pub(super) began: Instant,
    /// The number of nodes of this iteration that an earlier search generated.
    pub(super) nodes_earlier: u64,
}
