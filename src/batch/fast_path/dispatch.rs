//! Runs work on blocks of records with the kernels for an instruction set.

use super::kernels::{Kernels, Portable};
use crate::system::InstructionSet;

/// Work on blocks of records.
pub trait BlockWork {
    type Output;

    /// Does the work. This and everything it calls must be `#[inline(always)]`, because only inlined
    /// code is compiled for the instruction set.
    fn run<K: Kernels>(self) -> Self::Output;
}

/// Does the work with the kernels for this instruction set, compiled for it.
pub fn dispatch<W: BlockWork>(set: InstructionSet, work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if set >= InstructionSet::Avx2 {
        return InstructionSet::Avx2.dispatch(WithAvx2(work));
    }
    work.run::<Portable>()
}

#[cfg(target_arch = "x86_64")]
struct WithAvx2<W>(W);

#[cfg(target_arch = "x86_64")]
impl<W: BlockWork> crate::system::Kernel for WithAvx2<W> {
    type Output = W::Output;

    #[inline(always)]
    fn run(self) -> W::Output {
        self.0.run::<super::avx2::Avx2>()
    }
}
