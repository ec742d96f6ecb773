//! The sums for 64 positions at a time with AVX-512 VBMI, whose `vpermb` looks up 64 bytes in a
//! table of 64.

use std::arch::x86_64::{
    __m128i, __m512i, _mm_loadu_si128, _mm256_storeu_si256, _mm512_add_epi16, _mm512_add_epi32, _mm512_and_si512,
    _mm512_castsi128_si512, _mm512_cvtepi32_epi16, _mm512_cvtepu8_epi32, _mm512_i32gather_epi32, _mm512_inserti32x4,
    _mm512_loadu_si512, _mm512_madd_epi16, _mm512_min_epu8, _mm512_or_si512, _mm512_permutex2var_epi16,
    _mm512_permutexvar_epi8, _mm512_set1_epi8, _mm512_set1_epi16, _mm512_set1_epi32, _mm512_setzero_si512,
    _mm512_slli_epi16, _mm512_slli_epi32, _mm512_srli_epi16, _mm512_storeu_si512, _mm512_sub_epi16, _mm512_sub_epi32,
    _mm512_unpackhi_epi8, _mm512_unpacklo_epi8,
};

use super::terms::{Group, LANES, OVERREAD, SEGMENT, Terms, ZERO};
use crate::heuristic::evaluation::MAX_CELLS;

/// The number of 32-bit numbers in a register, and of bytes in a quarter of a register.
const PART: usize = 16;

/// Implements [`super::sum`].
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(super) fn sum(terms: &Terms<'_>, group: &mut Group, len: usize) {
    match len.div_ceil(PART) {
        0 => {}
        1 => sum_parts::<1>(terms, group),
        2 => sum_parts::<2>(terms, group),
        3 => sum_parts::<3>(terms, group),
        _ => sum_parts::<4>(terms, group),
    }
}

/// Computes the sums of the first `P` × 16 positions, some of which may be unused.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn sum_parts<const P: usize>(terms: &Terms<'_>, group: &mut Group) {
    // Also the number of tiles including the blank.
    let cells = terms.cells();
    // Each word holds the bytes of two positions. The sums of the words and the sums of the high
    // bytes give the sums of both positions.
    let (mut words, mut odd) = (_mm512_setzero_si512(), _mm512_setzero_si512());
    // Unused positions may contain cells that are invalid on this board.
    let greatest = _mm512_set1_epi8(cells as i8 - 1);
    for first in (0..cells).step_by(PART) {
        let by_tile = transposed::<P>(&group.by_position, first);
        for (tile, tile_cells) in (first..cells).zip(by_tile) {
            let tile_cells = _mm512_min_epu8(tile_cells, greatest);
            let bytes = _mm512_permutexvar_epi8(tile_cells, segment(terms.row(), tile * cells));
            words = _mm512_add_epi16(words, bytes);
            odd = _mm512_add_epi16(odd, _mm512_srli_epi16::<8>(bytes));
            store_bytes(&mut group.by_tile[tile], tile_cells);
        }
    }
    let zero = _mm512_set1_epi16(cells as i16 * i16::from(ZERO));
    let even = _mm512_sub_epi16(_mm512_sub_epi16(words, _mm512_slli_epi16::<8>(odd)), zero);
    let odd = _mm512_sub_epi16(odd, zero);
    let low = _mm512_permutex2var_epi16(even, order(0), odd);
    let high = _mm512_permutex2var_epi16(even, order(16), odd);
    store_sums(&mut group.sums, low, high);

    let mut sums = [_mm512_setzero_si512(); P];
    let byte = _mm512_set1_epi32(255);
    // The entries for the tile at the second end of the edge, minus those at the first.
    for (triple, at_first_end, at_second_end) in terms.triples() {
        let [(b, b_stride), (c, c_stride)] = triple.others;
        let [b, c] = [b, c].map(|tile| &group.by_tile[usize::from(tile)]);
        let strides = _mm512_set1_epi32(i32::from(c_stride) << 16 | i32::from(b_stride));
        for (part, sum) in sums.iter_mut().enumerate() {
            let [b, c] = [b, c].map(|lanes| _mm512_cvtepu8_epi32(sixteen(lanes, PART * part)));
            let index = _mm512_madd_epi16(_mm512_or_si512(b, _mm512_slli_epi32::<16>(c)), strides);
            *sum = _mm512_add_epi32(*sum, _mm512_and_si512(gather(at_second_end, index), byte));
            *sum = _mm512_sub_epi32(*sum, _mm512_and_si512(gather(at_first_end, index), byte));
        }
    }
    for (part, sum) in sums.into_iter().enumerate() {
        for (sum, more) in group.sums[PART * part..].iter_mut().zip(narrow(sum)) {
            *sum += more;
        }
    }
}

/// Returns a permutation that takes 32 words alternately from two registers, starting at word
/// `first` of each.
#[inline]
#[target_feature(enable = "avx512f")]
#[allow(unsafe_code)] // a load through a pointer
fn order(first: i16) -> __m512i {
    let mut words = [0i16; 32];
    for (i, word) in words.iter_mut().enumerate() {
        *word = first + i as i16 / 2 + if i % 2 == 1 { 32 } else { 0 };
    }
    // SAFETY: the array is as long as the register, and the load needs no alignment. Guarded by the
    // test `all_implementations_give_the_same_sums`.
    unsafe { _mm512_loadu_si512(words.as_ptr().cast()) }
}

/// Returns the cells of 16 tiles, transposed: one register per tile, with its cell in each
/// position.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn transposed<const P: usize>(by_position: &[[u8; MAX_CELLS]; LANES], first: usize) -> [__m512i; PART] {
    let mut rows = [_mm512_setzero_si512(); PART];
    for (i, row) in rows.iter_mut().enumerate() {
        let part = |part: usize| sixteen(&by_position[PART * part + i], first);
        let mut joined = _mm512_castsi128_si512(part(0));
        if P > 1 {
            joined = _mm512_inserti32x4::<1>(joined, part(1));
        }
        if P > 2 {
            joined = _mm512_inserti32x4::<2>(joined, part(2));
        }
        if P > 3 {
            joined = _mm512_inserti32x4::<3>(joined, part(3));
        }
        *row = joined;
    }
    // Four perfect shuffles of 16 × 16 bytes exchange rows and columns.
    for _ in 0..4 {
        let before = rows;
        for i in 0..PART / 2 {
            rows[2 * i] = _mm512_unpacklo_epi8(before[i], before[i + PART / 2]);
            rows[2 * i + 1] = _mm512_unpackhi_epi8(before[i], before[i + PART / 2]);
        }
    }
    rows
}

/// Loads 16 bytes, starting at `first`.
#[inline]
#[target_feature(enable = "avx512f")]
#[allow(unsafe_code)] // a load through a pointer
fn sixteen(bytes: &[u8], first: usize) -> __m128i {
    let bytes = &bytes[first..first + 16];
    // SAFETY: the 16 bytes have just been bounds-checked, and the load needs no alignment. Guarded
    // as above.
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}

/// Loads 64 bytes from the beginning of a segment. If the segment is shorter, the other bytes are
/// not used.
#[inline]
#[target_feature(enable = "avx512f")]
#[allow(unsafe_code)] // a load through a pointer
fn segment(row: &[u8], start: usize) -> __m512i {
    let segment = &row[start..start + SEGMENT];
    // SAFETY: the bytes have just been bounds-checked, and the load needs no alignment. Guarded as
    // above.
    unsafe { _mm512_loadu_si512(segment.as_ptr().cast()) }
}

/// Gathers the entries at these indices, each with the [`OVERREAD`] bytes after it.
#[inline]
#[target_feature(enable = "avx512f")]
#[allow(unsafe_code)] // loads through pointers
fn gather(entries: &[u8], index: __m512i) -> __m512i {
    const { assert!(OVERREAD == 3) };
    // SAFETY: `entries` begins at the moved tile's cell, and `index` adds the cells of the triple's
    // other two tiles. `Terms::new` has checked that each such entry, and the `OVERREAD` bytes
    // after it, are in the slice if all three cells are on the board. The moved tile's cell is an
    // end of the edge, which is on the board, and `sum_parts` clamps the other two to the board.
    // Guarded as above, and by the test `cells_beyond_the_board_are_not_read`.
    unsafe { _mm512_i32gather_epi32::<1>(index, entries.as_ptr().cast()) }
}

/// Returns the low words of 16 numbers.
#[inline]
#[target_feature(enable = "avx512f")]
#[allow(unsafe_code)] // a store through a pointer
fn narrow(numbers: __m512i) -> [i16; PART] {
    let mut words = [0; PART];
    // SAFETY: the array is as long as the register, and the store needs no alignment. Guarded as
    // above.
    unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), _mm512_cvtepi32_epi16(numbers)) };
    words
}

#[inline]
#[target_feature(enable = "avx512f")]
#[allow(unsafe_code)] // a store through a pointer
fn store_bytes(bytes: &mut [u8; LANES], lanes: __m512i) {
    // SAFETY: the array is as long as the register, and the store needs no alignment. Guarded as
    // above.
    unsafe { _mm512_storeu_si512(bytes.as_mut_ptr().cast(), lanes) }
}

#[inline]
#[target_feature(enable = "avx512f")]
#[allow(unsafe_code)] // stores through a pointer
fn store_sums(sums: &mut [i16; LANES], low: __m512i, high: __m512i) {
    let (first, second) = sums.split_at_mut(32);
    // SAFETY: both halves are as long as a register, and the stores need no alignment. Guarded as
    // above.
    unsafe {
        _mm512_storeu_si512(first.as_mut_ptr().cast(), low);
        _mm512_storeu_si512(second.as_mut_ptr().cast(), high);
    }
}
