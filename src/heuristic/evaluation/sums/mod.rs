//! The change of an evaluation when one tile moves along one *edge* (between two adjacent cells),
//! computed for many positions at a time.
//!
//! The terms come from two kinds of tables ([`Terms`]). A *row* has a segment for each tile, with a
//! byte for each cell. Each *triple* that contains the moved tile has a byte for each end of the
//! edge and each placement of the other two tiles. The positions of a group are transposed, so that
//! a register contains the cells of one tile in many positions. With AVX-512 a whole segment is in
//! one register, and one instruction looks up the bytes of 64 positions. With AVX2 a segment takes
//! up to four registers, and as many instructions look up the bytes of 32 positions. Entries of
//! triples are gathered for 16 or 8 positions at a time. All implementations give the same sums.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;
mod terms;
#[cfg(test)]
mod tests;

pub use terms::{Group, LANES, OVERREAD, SEGMENT, Terms, Triple, ZERO};

use crate::system::InstructionSet;

/// An implementation of the summation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SumMethod {
    /// Portable code, byte by byte.
    Portable,
    /// AVX2.
    Avx2,
    /// AVX-512 with VBMI.
    Avx512,
}

impl SumMethod {
    /// All implementations, the slowest first.
    pub const ALL: [SumMethod; 3] = [SumMethod::Portable, SumMethod::Avx2, SumMethod::Avx512];

    /// Returns the fastest implementation on this processor, as [`InstructionSet::best`] does.
    pub fn best() -> SumMethod {
        let is_allowed =
            |method: &SumMethod| method.is_available() && InstructionSet::best() > InstructionSet::Portable;
        SumMethod::ALL.into_iter().rev().find(is_allowed).unwrap_or(SumMethod::Portable)
    }

    /// Returns true if this processor supports the implementation.
    pub fn is_available(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        let (avx2, avx512) = (
            is_x86_feature_detected!("avx2"),
            is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vbmi"),
        );
        #[cfg(not(target_arch = "x86_64"))]
        let (avx2, avx512) = (false, false);
        match self {
            SumMethod::Portable => true,
            SumMethod::Avx2 => avx2,
            SumMethod::Avx512 => avx512,
        }
    }

    /// Sums the terms for the first `len` positions of a group.
    ///
    /// # Panics
    /// If the processor does not support the implementation, if there are more than [`LANES`]
    /// positions, or if `M` is less than the number of tiles or not a multiple of 16.
    #[allow(unsafe_code)] // calls to functions compiled for more features than the crate
    #[inline]
    pub fn sum<const M: usize>(self, terms: &Terms<'_>, group: &mut Group<M>, len: usize) {
        assert!(self.is_available() && len <= LANES && M.is_multiple_of(16) && terms.cells() <= M);
        match self {
            SumMethod::Portable => portable::sum(terms, group, len),
            // SAFETY: the assertion has checked that the processor has the features that the
            // functions are compiled for. Guarded by the test
            // `an_unsupported_implementation_is_rejected`.
            #[cfg(target_arch = "x86_64")]
            SumMethod::Avx2 => unsafe { avx2::sum(terms, group, len) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            SumMethod::Avx512 => unsafe { avx512::sum(terms, group, len) },
            #[cfg(not(target_arch = "x86_64"))]
            SumMethod::Avx2 | SumMethod::Avx512 => portable::sum(terms, group, len),
        }
    }
}
