//! A search, as a task for a worker.

use std::sync::Arc;

use super::chunk_results::{PendingChunk, RecordHeader};
use super::solve::Search;

/// A search and the destination of its result: the record, the chunk and the hole.
#[derive(Debug)]
pub struct SearchTask {
    pub search: Search,
    pub header: RecordHeader,
    /// The source of the record.
    pub source: Arc<str>,
    pub chunk: Arc<PendingChunk>,
    pub hole: usize,
}
