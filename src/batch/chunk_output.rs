//! What the workers give to the writer.

use super::earlier::Digests;
use super::totals::Counts;

/// Results of a chunk: all of them, or in unordered runs those that are there.
#[derive(Debug, Default)]
pub struct ChunkOutput {
    /// The results.
    pub text: Vec<u8>,
    /// Their records by status.
    pub counts: Counts,
    /// The boards in it, with the indices of their records, where they are compared with earlier ones.
    pub boards: Vec<(u64, Digests)>,
    /// The run was stopped within this chunk: results after it would leave a gap.
    pub cut_short: bool,
    /// More of this chunk is to come (in unordered runs): its permit is still needed.
    pub more_follows: bool,
    /// Which of its records have their results in the text.
    pub coverage: Coverage,
    /// Bytes that the window counts for it.
    pub held_bytes: usize,
    /// The shard of the buffer pool that the text's memory came from, and goes back to.
    pub shard: Option<usize>,
}

/// Which records of a chunk have their results in an output.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum Coverage {
    /// All.
    #[default]
    All,
    /// All but these, in rising order.
    AllBut(Vec<u64>),
    /// This one.
    One(u64),
    /// None: the run was stopped.
    Nothing,
}
