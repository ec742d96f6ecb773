//! A search that a worker may take.

use std::sync::Arc;

use super::chunk_text::RecordHeader;
use super::pending_chunk::PendingChunk;
use super::solve::Search;

/// A search and the place of its result: which record, and which gap of which chunk.
#[derive(Debug)]
pub struct SearchTask {
    pub search: Search,
    pub header: RecordHeader,
    /// Where the record was read.
    pub source: Arc<str>,
    pub chunk: Arc<PendingChunk>,
    pub gap: usize,
}
