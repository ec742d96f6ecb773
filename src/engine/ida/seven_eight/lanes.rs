//! Loads and stores of vectors: the only memory accesses of the vector code through pointers.

use std::arch::x86_64::{
    __m256i, __m512i, _mm256_loadu_si256, _mm256_storeu_si256, _mm512_loadu_si512, _mm512_storeu_si512,
};

/// The number of 32-bit lanes in a 256-bit vector, and of 64-bit lanes in a 512-bit one.
pub(super) const LANES: usize = 8;

macro_rules! load_and_store {
    ($load:ident, $store:ident, $item:ty, $vector:ty, $load_intrinsic:ident, $store_intrinsic:ident) => {
        #[inline]
        #[target_feature(enable = "avx512f,avx512vl")]
        #[allow(unsafe_code)] // a load through a pointer
        pub(super) fn $load(items: &[$item], at: usize) -> $vector {
            let items = &items[at..at + LANES];
            // SAFETY: the eight numbers have just been bounds-checked, and the load needs no
            // alignment. Guarded by the test `vectors_round_trip_within_bounds`.
            unsafe { $load_intrinsic(items.as_ptr().cast()) }
        }

        #[inline]
        #[target_feature(enable = "avx512f,avx512vl")]
        #[allow(unsafe_code)] // a store through a pointer
        pub(super) fn $store(items: &mut [$item], at: usize, vector: $vector) {
            let items = &mut items[at..at + LANES];
            // SAFETY: the eight numbers have just been bounds-checked, and the store needs no
            // alignment. Guarded by the test `vectors_round_trip_within_bounds`.
            unsafe { $store_intrinsic(items.as_mut_ptr().cast(), vector) }
        }
    };
}

load_and_store!(load_long, store_long, u64, __m512i, _mm512_loadu_si512, _mm512_storeu_si512);
load_and_store!(load_short, store_short, u32, __m256i, _mm256_loadu_si256, _mm256_storeu_si256);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::InstructionSet;

    #[test]
    #[allow(unsafe_code)] // calls to functions with more target features than the crate
    fn vectors_round_trip_within_bounds() {
        if !InstructionSet::Avx512.is_available() {
            return;
        }
        let (long, short): (Vec<u64>, Vec<u32>) = ((1..=20).collect(), (1..=20).collect());
        for at in 0..=12 {
            let (mut other_long, mut other_short) = ([0; 20], [0; 20]);
            // SAFETY: the processor supports the functions' target features, as just checked.
            unsafe {
                store_long(&mut other_long, at, load_long(&long, at));
                store_short(&mut other_short, at, load_short(&short, at));
            }
            for i in 0..20 {
                let inside = (at..at + LANES).contains(&i);
                assert_eq!((other_long[i], other_short[i]), if inside { (long[i], short[i]) } else { (0, 0) });
            }
        }
        for at in [13, 20, usize::MAX - LANES] {
            // SAFETY: as above; the panic precedes any memory access.
            assert!(std::panic::catch_unwind(|| unsafe { load_long(&long, at) }).is_err());
            // SAFETY: as above.
            assert!(std::panic::catch_unwind(|| unsafe { load_short(&short, at) }).is_err());
            // SAFETY: as above.
            let stored = std::panic::catch_unwind(|| unsafe { store_long(&mut [0; 20], at, load_long(&long, 0)) });
            assert!(stored.is_err());
            // SAFETY: as above.
            let stored = std::panic::catch_unwind(|| unsafe { store_short(&mut [0; 20], at, load_short(&short, 0)) });
            assert!(stored.is_err());
        }
    }
}
