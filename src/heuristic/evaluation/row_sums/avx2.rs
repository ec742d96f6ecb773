//! 32 positions at a time: AVX2, whose `vpshufb` looks up 32 bytes in a table of 16.

use std::arch::x86_64::{
    __m128i, __m256i, _mm_loadu_si128, _mm256_add_epi16, _mm256_adds_epu8, _mm256_broadcastsi128_si256,
    _mm256_castsi128_si256, _mm256_inserti128_si256, _mm256_or_si256, _mm256_set1_epi8, _mm256_set1_epi16,
    _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_slli_epi16, _mm256_srli_epi16, _mm256_storeu_si256,
    _mm256_sub_epi8, _mm256_sub_epi16, _mm256_unpackhi_epi8, _mm256_unpacklo_epi8,
};

use super::{LANES, ZERO};

/// Positions in a register.
const HALF: usize = LANES / 2;

/// As [`super::RowSums::sum`] says.
#[target_feature(enable = "avx2")]
pub(super) fn sum<const M: usize>(row: &[u8], tiles: usize, cells: &[[u8; M]], sums: &mut [i16; LANES]) {
    for (cells, sums) in cells.chunks(HALF).zip(sums.chunks_mut(HALF)) {
        // Cells are as many as tiles: where there are few, the last tables of a segment are not needed.
        match tiles.div_ceil(16) {
            1 => sum_half::<M, 1>(row, tiles, cells, sums),
            2 => sum_half::<M, 2>(row, tiles, cells, sums),
            3 => sum_half::<M, 3>(row, tiles, cells, sums),
            _ => sum_half::<M, 4>(row, tiles, cells, sums),
        }
    }
}

/// The sums of 32 positions whose segments have `T` tables of 16 bytes.
#[inline]
#[target_feature(enable = "avx2")]
fn sum_half<const M: usize, const T: usize>(row: &[u8], tiles: usize, cells: &[[u8; M]], sums: &mut [i16]) {
    // Words hold the bytes of two positions: their sums, and those of the higher bytes alone, give both.
    let (mut words, mut odd) = (_mm256_setzero_si256(), _mm256_setzero_si256());
    for first in (0..tiles).step_by(16) {
        let side_by_side = transposed(cells, first);
        for (tile, &at) in (first..tiles).zip(&side_by_side) {
            let mut bytes = _mm256_setzero_si256();
            for table in 0..T {
                // A cell of another table becomes a number with its highest bit set, for which there is a zero.
                let within = _mm256_sub_epi8(at, _mm256_set1_epi8(16 * table as i8));
                let within = _mm256_adds_epu8(within, _mm256_set1_epi8(0x70));
                let entries = _mm256_broadcastsi128_si256(sixteen(row, tile * tiles + 16 * table));
                bytes = _mm256_or_si256(bytes, _mm256_shuffle_epi8(entries, within));
            }
            words = _mm256_add_epi16(words, bytes);
            odd = _mm256_add_epi16(odd, _mm256_srli_epi16::<8>(bytes));
        }
    }
    let zero = _mm256_set1_epi16(tiles as i16 * i16::from(ZERO));
    let even = _mm256_sub_epi16(_mm256_sub_epi16(words, _mm256_slli_epi16::<8>(odd)), zero);
    let odd = _mm256_sub_epi16(odd, zero);
    let (even, odd) = (stored(even), stored(odd));
    for ((pair, even), odd) in sums.chunks_exact_mut(2).zip(even).zip(odd) {
        pair.copy_from_slice(&[even, odd]);
    }
}

/// The cells of 16 tiles, each with those of all positions side by side.
#[inline]
#[target_feature(enable = "avx2")]
fn transposed<const M: usize>(cells: &[[u8; M]], first: usize) -> [__m256i; 16] {
    let last = cells.len() - 1;
    let mut rows = [_mm256_setzero_si256(); 16];
    for (i, row) in rows.iter_mut().enumerate() {
        // Where there are no more positions the last one is taken again.
        let low = _mm256_castsi128_si256(sixteen(&cells[i.min(last)], first));
        *row = _mm256_inserti128_si256::<1>(low, sixteen(&cells[(16 + i).min(last)], first));
    }
    // Four perfect shuffles of 16 × 16 bytes exchange rows and columns.
    for _ in 0..4 {
        let before = rows;
        for i in 0..8 {
            rows[2 * i] = _mm256_unpacklo_epi8(before[i], before[i + 8]);
            rows[2 * i + 1] = _mm256_unpackhi_epi8(before[i], before[i + 8]);
        }
    }
    rows
}

#[inline]
#[target_feature(enable = "avx2")]
#[allow(unsafe_code)] // a load through a pointer
fn sixteen(bytes: &[u8], first: usize) -> __m128i {
    let bytes = &bytes[first..first + 16];
    // SAFETY: the 16 bytes were bounds-checked just now, and the load needs no alignment. Guarded by the test
    // `all_ways_give_the_same_sums`.
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
#[allow(unsafe_code)] // a store through a pointer
fn stored(words: __m256i) -> [i16; 16] {
    let mut array = [0; 16];
    // SAFETY: the array is as long as the register, and the store needs no alignment. Guarded as above.
    unsafe { _mm256_storeu_si256(array.as_mut_ptr().cast(), words) };
    array
}
