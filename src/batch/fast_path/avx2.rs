//! The kernels for AVX2: recognition of two records at a time, the letters of paths, and replay.
//!
//! A record is loaded as two vectors of 16 bytes, one from its start and one up to its end (the
//! same bytes twice if it is short). The text between tiles is compared with the template's.
//! Shuffles gather the tiles, relabel them, and put them into the frame's order without the blank.
//! Multiply-adds pack them into two numbers of four tiles, three bits each. A shuffle maps pairs of
//! bits to a path's letters. A replay converts every four letters to a number, and shuffles the
//! board by the table entry of each number.

use std::arch::x86_64::*;

use super::kernels::{BLOCK, FastPathTables, Kernels, Recogniser, RecordBlock};
use super::replay::ReplayTable;
use super::template::RecordTemplate;

/// The kernels for machines with AVX2 and BMI, called only from code compiled for these features.
pub struct Avx2Kernels;

impl Kernels for Avx2Kernels {
    #[inline(always)]
    #[allow(unsafe_code)] // a call to a function compiled for more features than this one
    fn recognise(recogniser: Recogniser<'_>, bytes: &[u8], block: &mut RecordBlock) -> usize {
        // SAFETY: `InstructionSet::dispatch` has checked the features. Guarded by the test
        // `all_boards_are_answered_as_by_the_general_path`.
        unsafe { recognise(recogniser, bytes, block) }
    }

    #[inline(always)]
    #[allow(unsafe_code)] // a call to a function compiled for more features than this one
    fn letters(word: u64) -> [u8; 32] {
        // SAFETY: `InstructionSet::dispatch` has checked the features. Guarded by the test
        // `avx2_gives_the_results_of_the_portable_code`.
        unsafe { letters(word) }
    }

    #[inline(always)]
    #[allow(unsafe_code)] // a call to a function compiled for more features than this one
    fn arrives(tables: &FastPathTables, board: &[u8; 16], blank: u8, letters: &[u8; 32], path_len: u32) -> bool {
        // SAFETY: `InstructionSet::dispatch` has checked the features. Guarded by the test
        // `replays_reject_every_wrong_letter`.
        unsafe { arrives(tables, board, blank, letters, path_len) }
    }
}

/// Loads an array of 16 bytes as a vector.
#[inline]
#[target_feature(enable = "avx2")]
#[allow(unsafe_code)] // a load through a pointer
fn load(bytes: &[u8; 16]) -> __m128i {
    // SAFETY: the array is as long as the vector. Guarded by the test
    // `avx2_gives_the_results_of_the_portable_code`.
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}

/// Loads an array of 32 bytes as a vector.
#[inline]
#[target_feature(enable = "avx2")]
#[allow(unsafe_code)] // a load through a pointer
fn load_long(bytes: &[u8; 32]) -> __m256i {
    // SAFETY: the array is as long as the vector. Guarded by the test
    // `avx2_gives_the_results_of_the_portable_code`.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

/// Stores a vector in an array.
#[inline]
#[target_feature(enable = "avx2")]
#[allow(unsafe_code)] // a store through a pointer
fn store(vector: __m128i, to: &mut [u8; 16]) {
    // SAFETY: the array is as long as the vector. Guarded by the test
    // `avx2_gives_the_results_of_the_portable_code`.
    unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), vector) }
}

/// Converts a vector to an array of bytes.
#[inline]
#[target_feature(enable = "avx2")]
fn array(vector: __m256i) -> [u8; 32] {
    let mut bytes = [0; 32];
    let (low, high) = bytes.split_at_mut(16);
    // Both halves are 16 bytes long.
    if let (Ok(low), Ok(high)) = (low.try_into(), high.try_into()) {
        store(_mm256_castsi256_si128(vector), low);
        store(_mm256_extracti128_si256::<1>(vector), high);
    }
    bytes
}

/// Converts a vector to an array of 32-bit words.
#[inline]
#[target_feature(enable = "avx2")]
fn words(vector: __m256i) -> [u32; 8] {
    let (low, high) = (_mm256_castsi256_si128(vector), _mm256_extracti128_si256::<1>(vector));
    let twos = [
        _mm_cvtsi128_si64(low) as u64,
        _mm_extract_epi64::<1>(low) as u64,
        _mm_cvtsi128_si64(high) as u64,
        _mm_extract_epi64::<1>(high) as u64,
    ];
    std::array::from_fn(|i| (twos[i / 2] >> (32 * (i % 2))) as u32)
}

/// Concatenates two vectors.
#[inline]
#[target_feature(enable = "avx2")]
fn pair(first: __m128i, second: __m128i) -> __m256i {
    _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(first), second)
}

/// Returns a vector with the array in both halves.
#[inline]
#[target_feature(enable = "avx2")]
fn twice(bytes: [u8; 16]) -> __m256i {
    _mm256_broadcastsi128_si256(load(&bytes))
}

/// A template as vectors: one for the first 16 bytes of a record, and one for the last 16.
struct Halves {
    /// The position of the last 16 bytes in a record.
    end_at: usize,
    masks: [__m256i; 2],
    fixed: [__m256i; 2],
    /// For each half, the position of each tile in it, or 0x80 if the tile is in the other half.
    tiles: [__m256i; 2],
}

impl Halves {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn new(template: &RecordTemplate) -> Halves {
        let end_at = template.stride.saturating_sub(16);
        let RecordTemplate { mask, fixed, .. } = template;
        let half = |bytes: &[u8; RecordTemplate::MAX_STRIDE], at: usize| -> __m256i {
            let mut half = [0; 16];
            half.copy_from_slice(&bytes[at..at + 16]);
            twice(half)
        };
        let mut tiles = [[0x80; 16]; 2];
        for (cell, &at) in template.tiles_at().iter().enumerate() {
            match usize::from(at) {
                at @ 0..16 => tiles[0][cell] = at as u8,
                at => tiles[1][cell] = (at - end_at) as u8,
            }
        }
        Halves {
            end_at,
            masks: [half(mask, 0), half(mask, end_at)],
            fixed: [half(fixed, 0), half(fixed, end_at)],
            tiles: tiles.map(|half| twice(half)),
        }
    }
}

/// See [`Kernels::recognise`].
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[allow(unsafe_code)] // loads through pointers
fn recognise(Recogniser { template, tables, paths }: Recogniser<'_>, bytes: &[u8], block: &mut RecordBlock) -> usize {
    let (stride, cells) = (template.stride, tables.cells);
    assert!(bytes.len() >= template.bytes_of(BLOCK), "too few bytes for a block");
    let halves = Halves::new(template);
    // The relabelling shuffle gives 0 for a byte that is not a digit. Its table holds exclusive ors
    // with `NO_TILE`, so that another exclusive or changes 0 to `NO_TILE`.
    let no_tile = _mm256_set1_epi8(FastPathTables::NO_TILE as i8);
    let tiles = twice(tables.tiles.map(|tile| tile ^ FastPathTables::NO_TILE));
    let lanes = std::array::from_fn(|lane| if lane < cells { 0xff } else { 0 });
    // The tiles that a smaller board lacks are added after its cells.
    let added = std::array::from_fn(|lane| if (cells..9).contains(&lane) { lane as u8 - 1 } else { 0 });
    let (lanes, added) = (twice(lanes), twice(added));
    let (blank, zero) = (_mm256_set1_epi8(template.blank as i8), _mm256_set1_epi8(b'0' as i8));
    let to_digit = _mm256_set1_epi8(template.to_digit as i8);
    // This addition keeps 0 to 15 positive and makes larger bytes negative, so that the shuffle
    // gives 0.
    let offset = _mm256_set1_epi8(0x70);
    let too_large = _mm256_set1_epi8(0xf8_u8 as i8);
    // Factors that pack tiles of 3 bits each: into pairs, then into groups of four.
    let (twos, fours) = (_mm256_set1_epi16(0x0801), _mm256_set1_epi32(0x0040_0001));

    for i in (0..BLOCK).step_by(2) {
        let at = |record: usize, offset: usize| {
            // SAFETY: `offset` is 0 or `end_at`, so the 16 bytes end at most `MAX_STRIDE` bytes
            // after the start of a record. They are among the bytes that `bytes_of` requires for a
            // block, which the assertion checks. Guarded by the test
            // `all_boards_are_answered_as_by_the_general_path`.
            unsafe { _mm_loadu_si128(bytes.as_ptr().add(record * stride + offset).cast()) }
        };
        let start = pair(at(i, 0), at(i + 1, 0));
        let end = pair(at(i, halves.end_at), at(i + 1, halves.end_at));
        let different = _mm256_or_si256(
            _mm256_and_si256(_mm256_xor_si256(start, halves.fixed[0]), halves.masks[0]),
            _mm256_and_si256(_mm256_xor_si256(end, halves.fixed[1]), halves.masks[1]),
        );
        let chars =
            _mm256_or_si256(_mm256_shuffle_epi8(start, halves.tiles[0]), _mm256_shuffle_epi8(end, halves.tiles[1]));
        let chars = _mm256_xor_si256(chars, to_digit);
        let digits = _mm256_blendv_epi8(chars, zero, _mm256_cmpeq_epi8(chars, blank));
        let numbers = _mm256_adds_epu8(_mm256_xor_si256(digits, zero), offset);
        let labels = _mm256_xor_si256(_mm256_shuffle_epi8(tiles, numbers), no_tile);
        let labels = _mm256_or_si256(_mm256_and_si256(labels, lanes), added);
        let blanks = _mm256_movemask_epi8(labels) as u32;
        let cell = [(blanks | 0x100).trailing_zeros() as usize, (blanks >> 16 | 0x100).trailing_zeros() as usize];
        let order = pair(load(&tables.reading_order[cell[0]]), load(&tables.reading_order[cell[1]]));
        let ordered = _mm256_shuffle_epi8(labels, order);
        let wrong = _mm256_or_si256(different, _mm256_and_si256(ordered, too_large));
        let packed = _mm256_madd_epi16(_mm256_maddubs_epi16(ordered, twos), fours);
        let packed_halves =
            [_mm_cvtsi128_si64(_mm256_castsi256_si128(packed)) as u64, _mm256_extract_epi64::<2>(packed) as u64];
        store(_mm256_castsi256_si128(digits), &mut block.boards[i]);
        store(_mm256_extracti128_si256::<1>(digits), &mut block.boards[i + 1]);
        let wrong = if _mm256_testz_si256(wrong, wrong) == 1 { 0 } else { wrong_lanes(wrong) };
        for lane in 0..2 {
            // `cell` is 8 if the blank is in the ninth lane or there is no blank.
            let is_blank = blanks >> (16 * lane) & 1 << cell[lane] != 0;
            let rank =
                tables.rank_of_halves(cell[lane], packed_halves[lane] as u32, (packed_halves[lane] >> 32) as u32);
            match rank {
                Some(rank) if is_blank && wrong & 1 << lane == 0 => {
                    block.blanks[i + lane] = cell[lane] as u8;
                    block.ranks[i + lane] = rank;
                    paths.prefetch((rank >> 1) as usize);
                }
                _ => return i + lane,
            }
        }
    }
    BLOCK
}

/// Returns a mask of two bits, one for each record that has a bit set in `wrong`.
#[cold]
#[target_feature(enable = "avx2")]
fn wrong_lanes(wrong: __m256i) -> u32 {
    let equal = _mm256_movemask_epi8(_mm256_cmpeq_epi8(wrong, _mm256_setzero_si256())) as u32;
    u32::from(equal as u16 != u16::MAX) | u32::from((equal >> 16) as u16 != u16::MAX) << 1
}

/// See [`super::replay::letters`].
#[inline]
#[target_feature(enable = "avx2")]
fn letters(word: u64) -> [u8; 32] {
    // Each byte of moves gives four letters: the first two from the byte, the other two from the
    // shifted byte.
    let shuffle = _mm256_setr_epi8(
        0, 0, 8, 8, 1, 1, 9, 9, 2, 2, 10, 10, 3, 3, 11, 11, 4, 4, 12, 12, 5, 5, 13, 13, 6, 6, 14, 14, 7, 7, 15, 15,
    );
    let moves = _mm256_broadcastsi128_si256(_mm_set_epi64x((word >> 4) as i64, word as i64));
    // Of every two letters, the first has its two bits at positions 0 and 1, the second at 2 and 3.
    let bits = _mm256_and_si256(_mm256_shuffle_epi8(moves, shuffle), _mm256_set1_epi16(0x0c03));
    let letter = twice(*b"DLRUL...R...U...");
    array(_mm256_shuffle_epi8(letter, bits))
}

/// See [`ReplayTable::arrives`].
#[inline]
#[target_feature(enable = "avx2")]
#[allow(unsafe_code)] // an entry of a table at an index known to be valid
fn arrives(tables: &FastPathTables, board: &[u8; 16], blank: u8, letters: &[u8; 32], path_len: u32) -> bool {
    let letters = load_long(letters);
    // The low four bits distinguish the four letters. The number is converted back to detect bytes
    // that are not letters.
    let number = twice(*b"\x04\x04\x02\x04\x00\x03\x04\x04\x04\x04\x04\x04\x01\x04\x04\x04");
    let number = _mm256_shuffle_epi8(number, _mm256_and_si256(letters, _mm256_set1_epi8(15)));
    let is_letter = _mm256_cmpeq_epi8(letters, _mm256_shuffle_epi8(twice(*b"DLRUDDDDDDDDDDDD"), number));
    let nth = _mm256_setr_epi8(
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29,
        30, 31,
    );
    let is_counted = _mm256_cmpgt_epi8(_mm256_set1_epi8(path_len as i8), nth);
    let invalid = _mm256_andnot_si256(is_letter, is_counted);
    let number = _mm256_blendv_epi8(_mm256_set1_epi8(ReplayTable::STAY as i8), number, is_counted);
    // Numbers in base five, first of two letters, then of four, times the size of an entry.
    let fours = _mm256_maddubs_epi16(number, _mm256_set1_epi16(0x5010));
    let fours = _mm256_madd_epi16(fours, _mm256_set1_epi32(0x0019_0001));
    // Prefix sums of the distances by which each group of four letters moves the blank: within
    // halves, then across halves.
    let steps = _mm256_shuffle_epi8(twice(tables.replay_table.steps), number);
    let steps = _mm256_madd_epi16(_mm256_maddubs_epi16(steps, _mm256_set1_epi8(1)), _mm256_set1_epi16(1));
    let steps = _mm256_add_epi32(steps, _mm256_set1_epi32(4 * i32::from(ReplayTable::MIN_STEP)));
    let sums = _mm256_add_epi32(steps, _mm256_slli_si256::<4>(steps));
    let sums = _mm256_add_epi32(sums, _mm256_slli_si256::<8>(sums));
    let first_half = _mm256_permutevar8x32_epi32(sums, _mm256_set1_epi32(3));
    let first_half = _mm256_inserti128_si256::<0>(first_half, _mm_setzero_si128());
    let before = _mm256_add_epi32(_mm256_sub_epi32(sums, steps), first_half);
    let cells = _mm256_add_epi32(before, _mm256_set1_epi32(i32::from(blank)));
    // After a letter that leads off the board, the cell may be invalid. Then any entry may be used,
    // because the replay has already failed.
    let entries = &*tables.replay_table.fours;
    let (per_cell, last) = (
        (ReplayTable::FOURS * ReplayTable::ENTRY_BYTES) as i32,
        (size_of_val(entries) - ReplayTable::ENTRY_BYTES) as i32,
    );
    let entry = _mm256_add_epi32(_mm256_madd_epi16(cells, _mm256_set1_epi32(per_cell)), fours);
    let entry = _mm256_min_epu32(entry, _mm256_set1_epi32(last));
    let mut current = load(board);
    for entry in words(entry) {
        // SAFETY: the offset is a multiple of an entry's length, because both summands are, and the
        // minimum above bounds it by the offset of the last entry. Guarded by the test
        // `replays_reject_every_wrong_letter`.
        let entry = unsafe { &*entries.as_ptr().byte_add(entry as usize) };
        current = _mm_shuffle_epi8(current, load(&entry.0));
    }
    // The lanes after the board stay zero, as in the goal.
    let different = _mm_xor_si128(current, load(&tables.goal));
    _mm_testz_si128(different, different) == 1 && _mm256_testz_si256(invalid, invalid) == 1
}
