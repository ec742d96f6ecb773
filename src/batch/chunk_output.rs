//! The results that workers hand to the writer.

use super::earlier::Digests;
use super::totals::Counts;

/// Results of a chunk: all of them, or in unordered runs the results that are available.
#[derive(Debug, Default)]
pub struct ChunkOutput {
    /// The result lines.
    pub text: Vec<u8>,
    /// The number of records in `text`, by status.
    pub counts: Counts,
    /// The digests of the text's boards, each with the index of its record, if boards are compared
    /// with earlier ones.
    pub digests: Vec<(u64, Digests)>,
    /// True if the run was stopped within this chunk. Results after this output would leave a gap.
    pub cut_short: bool,
    /// True if more outputs of this chunk will follow, so that its permit is still needed. Only in
    /// unordered runs.
    pub more_follows: bool,
    /// The records whose results are in the text. Ignored in ordered runs if `cut_short`.
    pub coverage: Coverage,
    /// The bytes that the window counts for this output.
    pub held_bytes: usize,
    /// The shard of the buffer pool that the text's memory is returned to, if any.
    pub shard: Option<usize>,
}

/// The records of a chunk whose results are in an output.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum Coverage {
    /// All.
    #[default]
    All,
    /// All except these, in ascending order.
    AllBut(Vec<u64>),
    /// Only this one.
    One(u64),
    /// None, because the run was stopped.
    Nothing,
}
