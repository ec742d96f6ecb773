//! The fast path: small boards in well-formed records, solved in blocks from text to results.
//!
//! A board of a shape whose whole paths are in a table ([`crate::engine::path_table`]) is answered by one load; what
//! costs is its way there and back. Here records are taken 32 at a time, by vectors where the
//! machine has them:
//!
//! ```text
//! template ─▶ recognise ─▶ ranks ─▶ words ─▶ write ─▶ replay
//! (how a record looks)     (of the block)    (result_template, out_buf)  (what was written)
//! ```
//!
//! * A [`RecordTemplate`] is what all well-formed records of a file have in common: where the tiles and what stands
//!   between them. Only what matches it byte for byte, and is a board, is taken.
//! * Whatever else comes – other spacing, a comment, a wrong tile – is left to the general parser, record
//!   by record, which also reports what is wrong with it. So this is never more than a short cut: the bytes
//!   of the results are the same without it, which tests show for every board and for mixtures.
//! * Results are put together from pieces that [`crate::format::output`] wrote (`result_template.rs`).
//! * Every path is replayed as it stands in the results (`replay.rs`), from the tiles as they stand in the record,
//!   by a rule of moves that neither the table nor the frame has to do with.
//!
//! Boards that are in memory already, a byte a tile, are read by the same steps, and only their lengths are wanted
//! (`lengths.rs`).
//!
//! Cost: see `benches/README.md`.

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

/// Whether this way is taken where it can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FastPath {
    /// It is.
    On,
    /// Every record goes the general way.
    Off,
}
