//! The sums for 32 positions at a time with AVX2, whose `vpshufb` looks up 32 bytes in a table of
//! 16.

use std::arch::x86_64::{
    __m128i, __m256i, _mm_loadl_epi64, _mm_loadu_si128, _mm256_add_epi16, _mm256_add_epi32, _mm256_adds_epu8,
    _mm256_and_si256, _mm256_broadcastsi128_si256, _mm256_castsi128_si256, _mm256_cvtepu8_epi32,
    _mm256_i32gather_epi32, _mm256_inserti128_si256, _mm256_madd_epi16, _mm256_min_epu8, _mm256_or_si256,
    _mm256_set1_epi8, _mm256_set1_epi16, _mm256_set1_epi32, _mm256_setzero_si256, _mm256_shuffle_epi8,
    _mm256_slli_epi16, _mm256_slli_epi32, _mm256_srli_epi16, _mm256_storeu_si256, _mm256_sub_epi8, _mm256_sub_epi16,
    _mm256_sub_epi32, _mm256_unpackhi_epi8, _mm256_unpacklo_epi8,
};

use super::terms::{Group, LANES, OVERREAD, SEGMENT, Terms, ZERO};
use crate::heuristic::evaluation::MAX_CELLS;

/// The number of positions, one byte each, in a register.
const HALF: usize = LANES / 2;
/// The number of 32-bit numbers in a register.
const PART: usize = 8;

/// Implements [`super::sum`].
#[target_feature(enable = "avx2")]
pub(super) fn sum(terms: &Terms<'_>, group: &mut Group, len: usize) {
    for first in (0..len).step_by(HALF) {
        // A segment has a byte for each cell, so small boards need fewer tables of 16 bytes.
        match terms.cells().div_ceil(16) {
            1 => sum_half::<1>(terms, group, first),
            2 => sum_half::<2>(terms, group, first),
            3 => sum_half::<3>(terms, group, first),
            _ => sum_half::<4>(terms, group, first),
        }
    }
    for first in (0..len).step_by(PART) {
        sum_triples(terms, group, first);
    }
}

/// Sums the terms of the row for 32 positions. A segment fills at most `T` tables of 16 bytes.
#[inline]
#[target_feature(enable = "avx2")]
fn sum_half<const T: usize>(terms: &Terms<'_>, group: &mut Group, first: usize) {
    // Also the number of tiles including the blank.
    let cells = terms.cells();
    // Each word holds the bytes of two positions. The sums of the words and the sums of the high
    // bytes give the sums of both positions.
    let (mut words, mut odd) = (_mm256_setzero_si256(), _mm256_setzero_si256());
    // Unused positions may contain cells that are invalid on this board.
    let greatest = _mm256_set1_epi8(cells as i8 - 1);
    for first_tile in (0..cells).step_by(16) {
        let by_tile = transposed(&group.by_position[first..first + HALF], first_tile);
        for (tile, tile_cells) in (first_tile..cells).zip(by_tile) {
            let tile_cells = _mm256_min_epu8(tile_cells, greatest);
            // This may be more than the segment. Bytes after it are never selected.
            let segment = &terms.row()[tile * cells..tile * cells + SEGMENT];
            let mut bytes = _mm256_setzero_si256();
            for table in 0..T {
                // These operations set the highest bit for cells outside this table, so that their
                // lookup gives zero.
                let within = _mm256_sub_epi8(tile_cells, _mm256_set1_epi8(16 * table as i8));
                let within = _mm256_adds_epu8(within, _mm256_set1_epi8(0x70));
                let table = _mm256_broadcastsi128_si256(sixteen(segment, 16 * table));
                bytes = _mm256_or_si256(bytes, _mm256_shuffle_epi8(table, within));
            }
            words = _mm256_add_epi16(words, bytes);
            odd = _mm256_add_epi16(odd, _mm256_srli_epi16::<8>(bytes));
            store(&mut group.by_tile[tile][first..], tile_cells);
        }
    }
    let zero = _mm256_set1_epi16(cells as i16 * i16::from(ZERO));
    let even = _mm256_sub_epi16(_mm256_sub_epi16(words, _mm256_slli_epi16::<8>(odd)), zero);
    let (even, odd) = (stored(even), stored(_mm256_sub_epi16(odd, zero)));
    let (sums, _) = group.sums[first..first + HALF].as_chunks_mut::<2>();
    for ((sums, even), odd) in sums.iter_mut().zip(even).zip(odd) {
        *sums = [even, odd];
    }
}

/// Adds the terms of triples for eight positions.
#[inline]
#[target_feature(enable = "avx2")]
fn sum_triples(terms: &Terms<'_>, group: &mut Group, lane: usize) {
    let byte = _mm256_set1_epi32(255);
    let mut sum = _mm256_setzero_si256();
    // For a tile that goes from the first end of the edge to the second, a triple adds its entry at
    // the second end and subtracts the one at the first.
    for (triple, at_first_end, at_second_end) in terms.triples() {
        let [(b, b_stride), (c, c_stride)] = triple.others;
        let strides = _mm256_set1_epi32(i32::from(c_stride) << 16 | i32::from(b_stride));
        let [b, c] = [b, c].map(|tile| _mm256_cvtepu8_epi32(eight(&group.by_tile[usize::from(tile)], lane)));
        let index = _mm256_madd_epi16(_mm256_or_si256(b, _mm256_slli_epi32::<16>(c)), strides);
        sum = _mm256_add_epi32(sum, _mm256_and_si256(gather(at_second_end, index), byte));
        sum = _mm256_sub_epi32(sum, _mm256_and_si256(gather(at_first_end, index), byte));
    }
    // A 32-bit number is a pair of words, the low one first.
    for (sum, more) in group.sums[lane..].iter_mut().zip(stored(sum).into_iter().step_by(2)) {
        *sum += more;
    }
}

/// Returns the cells of 16 tiles, transposed: one register per tile, with its cell in each
/// position.
#[inline]
#[target_feature(enable = "avx2")]
fn transposed(by_position: &[[u8; MAX_CELLS]], first_tile: usize) -> [__m256i; 16] {
    let mut rows = [_mm256_setzero_si256(); 16];
    for (i, row) in rows.iter_mut().enumerate() {
        let low = _mm256_castsi128_si256(sixteen(&by_position[i], first_tile));
        *row = _mm256_inserti128_si256::<1>(low, sixteen(&by_position[16 + i], first_tile));
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

/// Loads 16 bytes, starting at `first`.
#[inline]
#[target_feature(enable = "avx2")]
#[allow(unsafe_code)] // a load through a pointer
fn sixteen(bytes: &[u8], first: usize) -> __m128i {
    let bytes = &bytes[first..first + 16];
    // SAFETY: the 16 bytes have just been bounds-checked, and the load needs no alignment. Guarded
    // by the test `all_implementations_give_the_same_sums`.
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}

/// Loads eight bytes, starting at `first`.
#[inline]
#[target_feature(enable = "avx2")]
#[allow(unsafe_code)] // a load through a pointer
fn eight(bytes: &[u8], first: usize) -> __m128i {
    let bytes = &bytes[first..first + 8];
    // SAFETY: the eight bytes have just been bounds-checked, and the load needs no alignment.
    // Guarded as above.
    unsafe { _mm_loadl_epi64(bytes.as_ptr().cast()) }
}

/// Gathers the entries at these indices, each with the [`OVERREAD`] bytes after it.
#[inline]
#[target_feature(enable = "avx2")]
#[allow(unsafe_code)] // loads through pointers
fn gather(entries: &[u8], index: __m256i) -> __m256i {
    const { assert!(OVERREAD == 3) };
    // SAFETY: `entries` begins at the moved tile's cell, and `index` adds the cells of the triple's
    // other two tiles. `Terms::new` has checked that each such entry, and the `OVERREAD` bytes
    // after it, are in the slice if all three cells are on the board. The moved tile's cell is an
    // end of the edge, which is on the board, and `sum_half` clamps the other two to the board.
    // Guarded as above, and by the test `cells_beyond_the_board_are_not_read`.
    unsafe { _mm256_i32gather_epi32::<1>(entries.as_ptr().cast(), index) }
}

#[inline]
#[target_feature(enable = "avx2")]
#[allow(unsafe_code)] // a store through a pointer
fn store(bytes: &mut [u8], lanes: __m256i) {
    let bytes = &mut bytes[..HALF];
    // SAFETY: the 32 bytes have just been bounds-checked, and the store needs no alignment. Guarded
    // as above.
    unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), lanes) }
}

#[inline]
#[target_feature(enable = "avx2")]
#[allow(unsafe_code)] // a store through a pointer
fn stored(words: __m256i) -> [i16; 16] {
    let mut array = [0; 16];
    // SAFETY: the array is as long as the register, and the store needs no alignment. Guarded as
    // above.
    unsafe { _mm256_storeu_si256(array.as_mut_ptr().cast(), words) };
    array
}
