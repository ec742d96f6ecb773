//! 64 positions at a time: AVX-512 with VBMI, whose `vpermb` looks up 64 bytes in a table of 64.

use std::arch::x86_64::{
    __m128i, __m512i, _mm_loadu_si128, _mm512_add_epi16, _mm512_castsi128_si512, _mm512_inserti32x4,
    _mm512_loadu_si512, _mm512_permutex2var_epi16, _mm512_permutexvar_epi8, _mm512_set1_epi16, _mm512_setzero_si512,
    _mm512_slli_epi16, _mm512_srli_epi16, _mm512_storeu_si512, _mm512_sub_epi16, _mm512_unpackhi_epi8,
    _mm512_unpacklo_epi8,
};

use super::{LANES, SEGMENT, ZERO};

/// As [`super::RowSums::sum`] says.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(super) fn sum<const M: usize>(row: &[u8], tiles: usize, cells: &[[u8; M]], sums: &mut [i16; LANES]) {
    match cells.len().div_ceil(16) {
        0 => {}
        1 => sum_parts::<M, 1>(row, tiles, cells, sums),
        2 => sum_parts::<M, 2>(row, tiles, cells, sums),
        3 => sum_parts::<M, 3>(row, tiles, cells, sums),
        _ => sum_parts::<M, 4>(row, tiles, cells, sums),
    }
}

/// The sums of `P` times 16 positions.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn sum_parts<const M: usize, const P: usize>(
    row: &[u8],
    tiles: usize,
    cells: &[[u8; M]],
    sums: &mut [i16; LANES],
) {
    // Words hold the bytes of two positions: their sums, and those of the higher bytes alone, give both.
    let (mut words, mut odd) = (_mm512_setzero_si512(), _mm512_setzero_si512());
    for first in (0..tiles).step_by(16) {
        let side_by_side = transposed::<M, P>(cells, first);
        for (tile, &at) in (first..tiles).zip(&side_by_side) {
            let bytes = _mm512_permutexvar_epi8(at, segment(row, tile * tiles));
            words = _mm512_add_epi16(words, bytes);
            odd = _mm512_add_epi16(odd, _mm512_srli_epi16::<8>(bytes));
        }
    }
    let zero = _mm512_set1_epi16(tiles as i16 * i16::from(ZERO));
    let even = _mm512_sub_epi16(_mm512_sub_epi16(words, _mm512_slli_epi16::<8>(odd)), zero);
    let odd = _mm512_sub_epi16(odd, zero);
    let low = _mm512_permutex2var_epi16(even, order(0), odd);
    let high = _mm512_permutex2var_epi16(even, order(16), odd);
    store(sums, low, high);
}

/// The order in which 32 words come alternately from two registers, beginning with this word.
#[inline]
#[target_feature(enable = "avx512f")]
fn order(first: i16) -> __m512i {
    let mut words = [0i16; 32];
    for (i, word) in words.iter_mut().enumerate() {
        *word = first + i as i16 / 2 + if i % 2 == 1 { 32 } else { 0 };
    }
    load(&words)
}

/// The cells of 16 tiles, each with those of all positions side by side.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn transposed<const M: usize, const P: usize>(cells: &[[u8; M]], first: usize) -> [__m512i; 16] {
    let last = cells.len() - 1;
    let mut rows = [_mm512_setzero_si512(); 16];
    for (i, row) in rows.iter_mut().enumerate() {
        // Where there are no more positions the last one is taken again.
        let part = |part: usize| quarter(&cells[(16 * part + i).min(last)], first);
        let mut all = _mm512_castsi128_si512(part(0));
        if P > 1 {
            all = _mm512_inserti32x4::<1>(all, part(1));
        }
        if P > 2 {
            all = _mm512_inserti32x4::<2>(all, part(2));
        }
        if P > 3 {
            all = _mm512_inserti32x4::<3>(all, part(3));
        }
        *row = all;
    }
    // Four perfect shuffles of 16 × 16 bytes exchange rows and columns.
    for _ in 0..4 {
        let before = rows;
        for i in 0..8 {
            rows[2 * i] = _mm512_unpacklo_epi8(before[i], before[i + 8]);
            rows[2 * i + 1] = _mm512_unpackhi_epi8(before[i], before[i + 8]);
        }
    }
    rows
}

/// 16 cells of a position.
#[inline]
#[target_feature(enable = "avx512f")]
#[allow(unsafe_code)] // a load through a pointer
fn quarter(cells: &[u8], first: usize) -> __m128i {
    let cells = &cells[first..first + 16];
    // SAFETY: the 16 bytes were bounds-checked just now, and the load needs no alignment. Guarded by the test
    // `all_ways_give_the_same_sums`.
    unsafe { _mm_loadu_si128(cells.as_ptr().cast()) }
}

/// The segment that begins here, and what follows it.
#[inline]
#[target_feature(enable = "avx512f")]
#[allow(unsafe_code)] // a load through a pointer
fn segment(row: &[u8], start: usize) -> __m512i {
    let segment = &row[start..start + SEGMENT];
    // SAFETY: as in `quarter`.
    unsafe { _mm512_loadu_si512(segment.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
#[allow(unsafe_code)] // a load through a pointer
fn load(words: &[i16; 32]) -> __m512i {
    // SAFETY: the array is as long as the register, and the load needs no alignment. Guarded as above.
    unsafe { _mm512_loadu_si512(words.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
#[allow(unsafe_code)] // stores through a pointer
fn store(sums: &mut [i16; LANES], low: __m512i, high: __m512i) {
    let (first, second) = sums.split_at_mut(32);
    // SAFETY: both halves are as long as a register, and the stores need no alignment. Guarded as above.
    unsafe {
        _mm512_storeu_si512(first.as_mut_ptr().cast(), low);
        _mm512_storeu_si512(second.as_mut_ptr().cast(), high);
    }
}
