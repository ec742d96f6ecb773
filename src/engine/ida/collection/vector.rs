//! Placements and sums, computed in vectors of 32 bytes. A board is one vector, and a permutation
//! of bytes is one instruction.
//!
//! One compress instruction gives the codes of a pattern's tiles in reading order: it drops the
//! bytes of all other tiles. This requires AVX-512 with its byte permutations (VBMI, VBMI2).

use std::arch::x86_64::{
    __m256i, _mm_cvtsi128_si64, _mm256_add_epi8, _mm256_castsi256_si128, _mm256_cmpeq_epi8_mask, _mm256_loadu_si256,
    _mm256_mask_blend_epi8, _mm256_maskz_compress_epi8, _mm256_movepi8_mask, _mm256_permutexvar_epi8, _mm256_set1_epi8,
    _mm256_storeu_si256, _pext_u64,
};

use super::lookup::{CollectionNode, Lookup};
use super::tables::{GuideTables, PADDED, Placement, SlotTables};
use crate::system::{InstructionSet, Kernel};

/// The AVX-512 implementation, for use within functions compiled for it.
pub struct VectorLookup;

impl VectorLookup {
    pub fn is_available() -> bool {
        InstructionSet::Avx512.is_available()
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("avx512vbmi2")
    }
}

#[inline(always)]
#[allow(unsafe_code)] // a load through a pointer
fn load(bytes: &[u8; PADDED]) -> __m256i {
    // SAFETY: 32 bytes are read, of any alignment, and the caller's function is compiled for the
    // instruction.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

impl Lookup for VectorLookup {
    #[inline]
    #[allow(unsafe_code)] // a call to a function with more target features than the crate
    fn run<T: Kernel>(_: InstructionSet, task: T) -> T::Output {
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn with_vectors<T: Kernel>(task: T) -> T::Output {
            task.run()
        }
        // SAFETY: a `Collection<VectorLookup>` is created only if `VectorLookup::is_available`.
        unsafe { with_vectors(task) }
    }

    #[inline]
    fn run_once<T: Kernel>(task: T) -> T::Output {
        Self::run(InstructionSet::Avx512, task)
    }

    type Board = __m256i;

    #[inline(always)]
    #[allow(unsafe_code)] // instructions that the caller is compiled for
    fn after(tables: &GuideTables, node: &CollectionNode, letter: usize, _: u8, _: u8) -> __m256i {
        let swap = &tables.swaps[usize::from(node.blank(tables.blank_home)) % PADDED][letter % 4];
        // SAFETY: an operation on registers that the caller's function is compiled for.
        unsafe { _mm256_permutexvar_epi8(load(swap), load(&node.homes)) }
    }

    #[inline(always)]
    #[allow(unsafe_code)] // instructions that the caller is compiled for
    fn placement(tables: &GuideTables, &board: &__m256i, slot: &SlotTables, blank: u8) -> Placement {
        let images = &tables.images[slot.view];
        // SAFETY: operations on registers that the caller's function is compiled for.
        let (codes, occupied) = unsafe {
            let homes_in_view = _mm256_permutexvar_epi8(load(images), board);
            let codes = _mm256_permutexvar_epi8(homes_in_view, load(&slot.codes));
            let occupied = !_mm256_movepi8_mask(codes);
            let compressed = _mm256_castsi256_si128(_mm256_maskz_compress_epi8(occupied, codes));
            (_pext_u64(_mm_cvtsi128_si64(compressed) as u64, 0x0707_0707_0707_0707), occupied)
        };
        let rows = &tables.rows[slot.rows];
        let order = rows.first_codes[codes as usize % 4096] + rows.last_codes[(codes >> 12) as usize % 4096];
        rows.placement(u32::from(order), occupied, images[usize::from(blank) % PADDED])
    }

    #[inline(always)]
    #[allow(unsafe_code)] // instructions that the caller is compiled for
    fn sums_after(sums: &[u8; PADDED], rising: u32) -> [u8; PADDED] {
        let mut after = [0; PADDED];
        // SAFETY: operations on registers that the caller's function is compiled for; 32 bytes are
        // written, of any alignment.
        unsafe {
            let step = _mm256_mask_blend_epi8(rising, _mm256_set1_epi8(-1), _mm256_set1_epi8(1));
            _mm256_storeu_si256(after.as_mut_ptr().cast(), _mm256_add_epi8(load(sums), step));
        }
        after
    }

    #[inline(always)]
    #[allow(unsafe_code)] // an instruction that the caller is compiled for
    fn equal(sums: &[u8; PADDED], h: u8) -> u32 {
        // SAFETY: an operation on registers that the caller's function is compiled for.
        unsafe { _mm256_cmpeq_epi8_mask(load(sums), _mm256_set1_epi8(h as i8)) }
    }
}

/// Returns the index of the entry in a slot's table after a move, for tests; `None` if the
/// processor lacks the vector instructions.
#[cfg(test)]
#[allow(unsafe_code)] // a call to a function with more target features than the crate
pub(super) fn entry_index_after(
    tables: &GuideTables,
    node: &CollectionNode,
    letter: usize,
    to: u8,
    tile: u8,
    slot: &SlotTables,
) -> Option<u32> {
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn entry(tables: &GuideTables, node: &CollectionNode, letter: usize, to: u8, tile: u8, slot: &SlotTables) -> u32 {
        VectorLookup::entry_index(tables, &VectorLookup::after(tables, node, letter, to, tile), slot, to)
    }
    // SAFETY: the processor's support of the target features is checked first.
    VectorLookup::is_available().then(|| unsafe { entry(tables, node, letter, to, tile, slot) })
}
