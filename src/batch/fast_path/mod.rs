//! The fast path: small boards in well-formed records, solved in blocks from text to results.
//!
//! A board of a shape that has a table of whole paths ([`crate::engine::path_table`]) is answered
//! by one load. The remaining cost is parsing and writing. Here 32 records at a time are processed,
//! with vector instructions if the machine has them:
//!
//! ```text
//! template ─▶ recognise ─▶ ranks ─▶ words ─▶ write ─▶ replay
//! (how a record looks)     (of the block)    (result_template, out_buf)  (what was written)
//! ```
//!
//! * A [`RecordTemplate`] is what all well-formed records of a file have in common: the positions
//!   of the tiles, and the text between them. Only a record that matches it byte for byte, and is a
//!   board, is taken.
//! * Any other record (other spacing, a comment, an invalid tile) is left to the general parser,
//!   record by record, which also reports errors. So the fast path is only an optimisation: the
//!   bytes of the results are the same without it, which tests check for every board and for
//!   mixtures.
//! * Results are assembled from pieces that [`crate::format::output`] wrote (`result_template.rs`).
//! * Every path is replayed from the text of the results (`replay.rs`), starting from the tiles in
//!   the record, by rules that are independent of the table and the frame.
//!
//! The same steps find the lengths for boards that are already in memory, one byte per tile
//! (`lengths.rs`).
//!
//! Cost: see `benches/constants.csv`.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod block;
mod block_solver;
mod goal_tables;
mod head;
mod kernels;
mod lengths;
mod out_buf;
mod recognise;
mod replay;
mod result_template;
mod template;
#[cfg(test)]
mod tests;

pub use block::{RawRecords, Taken};
pub use block_solver::BlockSolver;
pub use lengths::BlockLengths;
pub use template::RecordTemplate;

/// The setting of the fast path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FastPath {
    /// It is used whenever possible.
    On,
    /// Every record takes the general path.
    Off,
}
