//! The fast path: small boards in well-formed records, solved in blocks from text to results.
//!
//! If there is a table of whole paths ([`crate::engine::path_table`]) for the shape, a board is
//! answered by one load. The remaining cost is parsing and writing. Here, 32 records at a time are
//! processed, with vector instructions if the machine has them:
//!
//! ```text
//! text ─▶ recognise ─▶ ranks ─▶ words ─▶ results ─▶ replay
//! ```
//!
//! * A [`RecordTemplate`] is the common form of the well-formed records of a file: the positions of
//!   the tiles, and the text between them. The fast path handles a record only if it is a board and
//!   the text between the tiles matches byte for byte.
//! * Any other record (other spacing, a comment, an invalid tile) is left to the general parser,
//!   which also reports errors. So the fast path is only an optimisation: without it, the results
//!   are the same byte for byte. Tests check this for every board and for mixed records.
//! * The *rank* of a board is its number among all arrangements of its tiles. The rank determines
//!   the index of the board's word in the table. The word contains the path.
//! * Results are assembled from pieces written by [`crate::format::output`] (`result_template.rs`).
//! * Every path is replayed from the text of the results (`replay.rs`), starting from the tiles in
//!   the record, by rules that are independent of the table and of the canonical frame.
//!
//! The first three steps, from recognition to words, also find the lengths of the shortest paths of
//! boards in memory, with one byte per tile (`lengths.rs`).
//!
//! Cost: see `benches/runs.csv`.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod block_solver;
mod head;
mod kernels;
mod lengths;
mod out_buf;
mod replay;
mod result_template;
mod template;
#[cfg(test)]
mod tests;

use crate::system::InstructionSet;
use kernels::{Kernels, PortableKernels};

pub use block_solver::{BlockSolver, LeadingRecords, RawRecords};
pub use lengths::Lengths;
pub use template::RecordTemplate;

/// The setting of the fast path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FastPath {
    /// The fast path is used whenever possible.
    On,
    /// Every record takes the general path.
    Off,
}

/// Work on blocks of records.
trait BlockWork {
    type Output;

    /// Does the work. This and everything it calls must be `#[inline(always)]`, because only
    /// inlined code is compiled for the instruction set.
    fn run<K: Kernels>(self) -> Self::Output;
}

/// Does the work with the kernels for this instruction set, in code compiled for this set.
fn dispatch<W: BlockWork>(set: InstructionSet, work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if set >= InstructionSet::Avx2 {
        return InstructionSet::Avx2.dispatch(WithAvx2(work));
    }
    work.run::<PortableKernels>()
}

#[cfg(target_arch = "x86_64")]
struct WithAvx2<W>(W);

#[cfg(target_arch = "x86_64")]
impl<W: BlockWork> crate::system::Kernel for WithAvx2<W> {
    type Output = W::Output;

    #[inline(always)]
    fn run(self) -> W::Output {
        self.0.run::<avx2::Avx2Kernels>()
    }
}
