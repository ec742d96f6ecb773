//! The stages of a batch, as described in [`super`]. Loads and stores of vectors are the only
//! memory accesses through pointers.

use std::arch::x86_64::*;

use super::lookups::{
    BACK, BLANK_LABEL, CELL_MASK, FLIPS_SHIFT, IN_MIRROR, LookupTables, Node4x4, OLD_CELL_SHIFT, PASSED_SHIFTS,
    PackedMove,
};
use crate::engine::ida::batch::TableBits;
use crate::engine::ida::partition::tables::{PartitionTables, VIEWS};

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

load_and_store!(load_u64, store_u64, u64, __m512i, _mm512_loadu_si512, _mm512_storeu_si512);
load_and_store!(load_u32, store_u32, u32, __m256i, _mm256_loadu_si256, _mm256_storeu_si256);

/// The data passed between the stages, by child.
#[derive(Clone, Debug, Default)]
pub struct VectorBuffers {
    pub boards: Vec<u64>,
    pub orders: Vec<u64>,
    pub moves: Vec<PackedMove>,
    pub occupied: Vec<u32>,
    pub values: Vec<u32>,
    pub states: Vec<u32>,
    pub blanks: Vec<u32>,
    pub h: Vec<u32>,
    /// By view: the blocks and keys for [`LookupTables::entry_index`]. [`look_up`] replaces the
    /// blocks with the indices that it returns.
    pub blocks: [Vec<u32>; VIEWS],
    pub keys: [Vec<u32>; VIEWS],
    /// The bits of the entries: bit 0 for the unmirrored board, bit 1 for the mirror.
    pub bits: Vec<u32>,
}

impl VectorBuffers {
    /// Grows the buffers for at least `count` children, padded by one vector.
    pub fn reserve(&mut self, count: usize) {
        let len = count + LANES;
        let VectorBuffers { boards, orders, moves, occupied, values, states, blanks, h, blocks, keys, bits } = self;
        if boards.len() < len {
            [boards, orders, moves].into_iter().for_each(|numbers| numbers.resize(len, 0));
            let [b0, b1] = blocks;
            let [k0, k1] = keys;
            let u32_buffers = [occupied, values, states, blanks, h, bits, b0, b1, k0, k1];
            u32_buffers.into_iter().for_each(|numbers| numbers.resize(len, 0));
        }
    }
}

/// Copies the fields of each parent once per child. Returns the number of children.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn fan_out(
    tables: &PartitionTables<u64, 2>,
    lookups: &LookupTables,
    parents: &[Node4x4],
    buffers: &mut VectorBuffers,
    origins: &mut Vec<u32>,
) -> usize {
    let old = origins.len();
    origins.resize(old + 4 * parents.len(), 0);
    let mut count = 0;
    let VectorBuffers { boards, orders, moves, occupied, values, states, .. } = buffers;
    // As slices, so that their addresses stay in registers.
    let (boards, orders, moves) = (&mut boards[..], &mut orders[..], &mut moves[..]);
    let (occupied, values, states) = (&mut occupied[..], &mut values[..], &mut states[..]);
    let numbers = &mut origins[old..];
    for (number, parent) in (0..).zip(parents) {
        let letters = usize::from(tables.accepted[parent.state()] & 15);
        let allowed = &lookups.moves[parent.blank() << 4 | letters];
        let next = tables.next_state[parent.state()];
        let four = count..count + 4;
        boards[four.clone()].copy_from_slice(&[parent.board; 4]);
        orders[four.clone()].copy_from_slice(&[parent.orders; 4]);
        moves[four.clone()].copy_from_slice(&allowed.moves);
        occupied[four.clone()].copy_from_slice(&[parent.occupied; 4]);
        values[four.clone()].copy_from_slice(&[parent.values; 4]);
        states[four.clone()].copy_from_slice(&allowed.letters.map(|letter| next[letter as usize % 4]));
        numbers[four].copy_from_slice(&[number; 4]);
        count += allowed.count as usize;
    }
    origins.truncate(old + count);
    count
}

/// Computes the boards, orders, occupied cells and blank's cells of eight children, and the blocks
/// and keys of their entries.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn slide(lookups: &LookupTables, buffers: &mut VectorBuffers, at: usize) {
    let splat_u64 = |x: u64| _mm512_set1_epi64(x as i64);
    let splat_u32 = |x: u32| _mm256_set1_epi32(x as i32);
    let (one, low_half) = (splat_u32(1), splat_u32(0xffff));
    let (board, blank_move) = (load_u64(&buffers.boards, at), load_u64(&buffers.moves, at));
    let move_low = _mm512_cvtepi64_epi32(blank_move);

    // The board: blank and tile swap places.
    let cell =
        |shift: u32| _mm512_and_si512(_mm512_srlv_epi64(blank_move, splat_u64(u64::from(shift))), splat_u64(CELL_MASK));
    let label_at = |cell: __m512i| _mm512_and_si512(_mm512_srlv_epi64(board, cell), splat_u64(15));
    let (new_cell, old_cell) = (_mm512_and_si512(blank_move, splat_u64(CELL_MASK)), cell(OLD_CELL_SHIFT));
    let label = label_at(new_cell);
    let flip = _mm512_xor_si512(label, splat_u64(BLANK_LABEL));
    let flips = _mm512_xor_si512(_mm512_sllv_epi64(flip, new_cell), _mm512_sllv_epi64(flip, old_cell));
    store_u64(&mut buffers.boards, at, _mm512_xor_si512(board, flips));

    // The order that changes. The mirror uses the labels of the mirrored tiles.
    let mirrored = (load_u32(&lookups.mirrored, 0), load_u32(&lookups.mirrored, 8));
    let weights = (load_u32(&lookups.weights, 0), load_u32(&lookups.weights, 8));
    let in_mirror = _mm256_test_epi32_mask(move_low, splat_u32(IN_MIRROR));
    let back = _mm256_test_epi32_mask(move_low, splat_u32(BACK));
    let label_in_view = |label: __m512i| {
        let label = _mm512_cvtepi64_epi32(label);
        let image = _mm256_permutex2var_epi32(mirrored.0, label, mirrored.1);
        _mm256_mask_mov_epi32(label, in_mirror, image)
    };
    let mover = label_in_view(label);
    let mut delta = _mm256_setzero_si256();
    for shift in PASSED_SHIFTS {
        let passed = label_in_view(label_at(cell(shift)));
        let same = _mm256_testn_epi32_mask(_mm256_xor_si256(mover, passed), splat_u32(8));
        let weight = _mm256_permutex2var_epi32(weights.0, _mm256_min_epu32(mover, passed), weights.1);
        let up = _mm256_cmplt_epi32_mask(mover, passed) ^ back;
        delta = _mm256_mask_add_epi32(delta, same & up, delta, weight);
        delta = _mm256_mask_sub_epi32(delta, same & !up, delta, weight);
    }

    // The tile's pattern in each view, and the position of its order in the word.
    let label = _mm512_cvtepi64_epi32(label);
    let owner = _mm256_srli_epi32::<3>(label);
    let owner_mirrored = _mm256_and_si256(_mm256_srlv_epi32(splat_u32(lookups.larger_in_mirror), label), one);
    let place = _mm256_slli_epi32::<4>(owner);
    let place_mirrored = _mm256_add_epi32(_mm256_slli_epi32::<4>(owner_mirrored), splat_u32(32));
    let changing = _mm512_cvtepu32_epi64(_mm256_mask_mov_epi32(place, in_mirror, place_mirrored));
    let delta = _mm512_sllv_epi64(_mm512_cvtepi32_epi64(delta), changing);
    let orders = _mm512_add_epi64(load_u64(&buffers.orders, at), delta);
    store_u64(&mut buffers.orders, at, orders);
    let order_at = |place: __m256i| {
        let order = _mm512_srlv_epi64(orders, _mm512_cvtepu32_epi64(place));
        _mm256_and_si256(_mm512_cvtepi64_epi32(order), low_half)
    };

    // The smaller pattern's cells change if it contains the tile.
    let flips = _mm512_cvtepi64_epi32(_mm512_srli_epi64::<FLIPS_SHIFT>(blank_move));
    let smaller = _mm256_and_si256(_mm256_sub_epi32(owner, one), low_half);
    let smaller_mirrored = _mm256_slli_epi32::<16>(_mm256_sub_epi32(owner_mirrored, one));
    let flips = _mm256_and_si256(flips, _mm256_or_si256(smaller, smaller_mirrored));
    let occupied = _mm256_xor_si256(load_u32(&buffers.occupied, at), flips);
    store_u32(&mut buffers.occupied, at, occupied);

    let blank = _mm256_srli_epi32::<2>(_mm512_cvtepi64_epi32(new_cell));
    let row = _mm256_srli_epi32::<2>(blank);
    let blank_mirrored = _mm256_or_si256(_mm256_slli_epi32::<2>(_mm256_and_si256(blank, splat_u32(3))), row);
    store_u32(&mut buffers.blanks, at, blank);

    // The blocks and keys. The larger pattern's tiles occupy the cells that hold neither a tile of
    // the smaller pattern nor the blank.
    let mut store_block_and_key = |view: usize, occupied: __m256i, owner: __m256i, blank: __m256i, order: __m256i| {
        let not_blank = _mm256_xor_si256(low_half, _mm256_sllv_epi32(one, blank));
        let larger = _mm256_sub_epi32(_mm256_setzero_si256(), owner);
        let cells = _mm256_xor_si256(occupied, _mm256_and_si256(larger, not_blank));
        let region_shift = _mm256_add_epi32(_mm256_add_epi32(blank, _mm256_slli_epi32::<1>(blank)), splat_u32(16));
        let key = _mm256_or_si256(_mm256_slli_epi32::<24>(region_shift), _mm256_slli_epi32::<16>(owner));
        store_u32(&mut buffers.keys[view], at, _mm256_or_si256(key, cells));
        let block_size = _mm256_xor_si256(
            splat_u32(lookups.block_sizes[0]),
            _mm256_and_si256(larger, splat_u32(lookups.block_sizes[0] ^ lookups.block_sizes[1])),
        );
        store_u32(&mut buffers.blocks[view], at, _mm256_mullo_epi32(order, block_size));
    };
    store_block_and_key(0, _mm256_and_si256(occupied, low_half), owner, blank, order_at(place));
    let occupied_mirrored = _mm256_srli_epi32::<16>(occupied);
    store_block_and_key(1, occupied_mirrored, owner_mirrored, blank_mirrored, order_at(place_mirrored));
}

/// Replaces the block of each child and view with the index of the entry, and prefetches the entry.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn look_up(
    lookups: &LookupTables,
    table_bits: &[TableBits<2>; VIEWS],
    buffers: &mut VectorBuffers,
    count: usize,
) {
    for ((blocks, keys), table_bits) in buffers.blocks.iter_mut().zip(&buffers.keys).zip(table_bits) {
        for (block, &key) in blocks[..count].iter_mut().zip(&keys[..count]) {
            *block = lookups.entry_index(*block, key);
            table_bits.prefetch((key >> 16 & 1) as usize, *block as usize);
        }
    }
}

/// Reads the bits of the entries.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn read(table_bits: &[TableBits<2>; VIEWS], buffers: &mut VectorBuffers, count: usize) {
    let [direct, mirrored] = &buffers.blocks;
    let [keys, keys_mirrored] = &buffers.keys;
    let entries = direct[..count].iter().zip(&keys[..count]);
    let entries_mirrored = mirrored[..count].iter().zip(&keys_mirrored[..count]);
    let bit = |view: usize, (&index, &key): (&u32, &u32)| {
        table_bits[view].get((key >> 16 & 1) as usize, index as usize) as u32
    };
    for ((bits, entry), mirrored) in buffers.bits[..count].iter_mut().zip(entries).zip(entries_mirrored) {
        *bits = bit(0, entry) | bit(1, mirrored) << 1;
    }
}

/// Computes the values and h of eight children.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn update_values(buffers: &mut VectorBuffers, at: usize) {
    let splat_u32 = |x: u32| _mm256_set1_epi32(x as i32);
    let (one, byte) = (splat_u32(1), splat_u32(255));
    let old = load_u32(&buffers.values, at);
    let bits = load_u32(&buffers.bits, at);
    // Adds 1 to or subtracts 1 from the byte of the pattern whose tile moved, as the portable code
    // does.
    let change = |view: usize, bit: __m256i| {
        let owner = _mm256_and_si256(_mm256_srli_epi32::<16>(load_u32(&buffers.keys[view], at)), one);
        let place = _mm256_add_epi32(_mm256_slli_epi32::<3>(owner), splat_u32(16 * view as u32));
        let raised = _mm256_add_epi32(_mm256_srlv_epi32(old, place), one);
        let falls = _mm256_and_si256(_mm256_xor_si256(_mm256_srli_epi32::<1>(raised), bit), one);
        _mm256_sllv_epi32(_mm256_sub_epi32(one, _mm256_slli_epi32::<1>(falls)), place)
    };
    let values = _mm256_add_epi32(old, change(0, bits));
    let values = _mm256_add_epi32(values, change(1, _mm256_srli_epi32::<1>(bits)));
    let direct =
        _mm256_add_epi32(_mm256_and_si256(values, byte), _mm256_and_si256(_mm256_srli_epi32::<8>(values), byte));
    let mirrored = _mm256_and_si256(_mm256_srli_epi32::<16>(values), byte);
    let mirrored = _mm256_add_epi32(mirrored, _mm256_srli_epi32::<24>(values));
    store_u32(&mut buffers.values, at, values);
    store_u32(&mut buffers.h, at, _mm256_max_epu32(direct, mirrored));
}

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
        let (u64s, u32s): (Vec<u64>, Vec<u32>) = ((1..=20).collect(), (1..=20).collect());
        for at in 0..=12 {
            let (mut other_u64s, mut other_u32s) = ([0; 20], [0; 20]);
            // SAFETY: the processor supports the functions' target features, as just checked.
            unsafe {
                store_u64(&mut other_u64s, at, load_u64(&u64s, at));
                store_u32(&mut other_u32s, at, load_u32(&u32s, at));
            }
            for i in 0..20 {
                let inside = (at..at + LANES).contains(&i);
                assert_eq!((other_u64s[i], other_u32s[i]), if inside { (u64s[i], u32s[i]) } else { (0, 0) });
            }
        }
        for at in [13, 20, usize::MAX - LANES] {
            // SAFETY: as above; the panic precedes any memory access.
            assert!(std::panic::catch_unwind(|| unsafe { load_u64(&u64s, at) }).is_err());
            // SAFETY: as above.
            assert!(std::panic::catch_unwind(|| unsafe { load_u32(&u32s, at) }).is_err());
            // SAFETY: as above.
            let stored = std::panic::catch_unwind(|| unsafe { store_u64(&mut [0; 20], at, load_u64(&u64s, 0)) });
            assert!(stored.is_err());
            // SAFETY: as above.
            let stored = std::panic::catch_unwind(|| unsafe { store_u32(&mut [0; 20], at, load_u32(&u32s, 0)) });
            assert!(stored.is_err());
        }
    }
}
