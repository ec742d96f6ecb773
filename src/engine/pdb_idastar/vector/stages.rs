//! The stages of a wave, as listed in [`super`].

use std::arch::x86_64::*;

use super::lanes::{load_long, load_short, store_long, store_short};
use super::lookups::{BACK, BLANK, CELL, FLIPS, FROM, IN_MIRROR, Lookups, PASSED};
use super::nodes::{ChildBuffers, Node4x4, Nodes};
use crate::engine::pdb_idastar::ancestry::Ancestry;
use crate::engine::pdb_idastar::node::VIEWS;
use crate::engine::pdb_idastar::search_tables::SearchTables;
use crate::engine::pdb_idastar::trace::Trace;
use crate::system::prefetch;

/// Where a wave's steps go and how they are numbered.
pub(super) struct Steps<'a> {
    pub(super) roots: &'a [Node4x4],
    /// The place of the wave's first node.
    pub(super) begin: usize,
    pub(super) trace: &'a mut Vec<u32>,
}

/// Lays out the children of all live nodes; their number.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn fan_out(
    tables: &SearchTables<u64, 2>,
    lookups: &Lookups,
    live: &[u32],
    nodes: &mut Nodes,
    ancestry: &mut Ancestry,
    steps: Steps,
    buffers: &mut ChildBuffers,
) -> usize {
    let Steps { roots, begin, trace } = steps;
    let (old_steps, old_parents) = (trace.len(), ancestry.parents.len());
    debug_assert_eq!(old_parents, begin - roots.len());
    trace.resize(old_steps + 4 * live.len(), 0);
    ancestry.parents.resize(old_parents + 4 * live.len(), 0);
    let (new_steps, new_parents) = (&mut trace[old_steps..], &mut ancestry.parents[old_parents..]);
    let mut children = 0;
    for &place in live {
        let at = place as usize;
        let mark = nodes.marks[at];
        let state = usize::from(mark as u16);
        let moves = &lookups.moves[((mark >> 16 & 15) << 4 | u32::from(tables.letters[state] & 15)) as usize];
        let next = tables.next_state[state].map(u64::from);
        let next = _pext_u64(next[0] | next[1] << 16 | next[2] << 32 | next[3] << 48, moves.kept_words);

        let four = children..children + 4;
        buffers.boards[four.clone()].copy_from_slice(&[nodes.boards[at]; 4]);
        buffers.orders[four.clone()].copy_from_slice(&[nodes.orders[at]; 4]);
        buffers.moves[four.clone()].copy_from_slice(&moves.moves);
        buffers.occupied[four.clone()].copy_from_slice(&[nodes.occupied[at]; 4]);
        buffers.marks[four.clone()].copy_from_slice(&[mark; 4]);
        buffers.states[four.clone()].copy_from_slice(&[0, 16, 32, 48].map(|shift| (next >> shift) as u16));
        let values = [nodes.values[at]; 4];
        nodes.values[begin + children..begin + children + 4].copy_from_slice(&values);
        new_parents[four.clone()].copy_from_slice(&[place; 4]);
        // The number of a root's step, or how far back another parent's is.
        let entries = match roots.get(at) {
            Some(root) => moves.letters.map(|letter| Trace::of_root(root.step, letter)),
            None => moves.letters.map(|letter| Trace::back((begin + children - at) as u32, letter)),
        };
        new_steps[four].copy_from_slice(&entries);
        children += moves.count as usize;
    }
    trace.truncate(old_steps + children);
    ancestry.parents.truncate(old_parents + children);
    children
}

/// Makes eight children: boards, orders, occupied cells and marks, and the keys to their entries.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn slide(lookups: &Lookups, buffers: &mut ChildBuffers, at: usize, nodes: &mut Nodes, to: usize) {
    let long = |x: u64| _mm512_set1_epi64(x as i64);
    let short = |x: u32| _mm256_set1_epi32(x as i32);
    let (one, low_half) = (short(1), short(0xffff));
    let (board, blank_move) = (load_long(&buffers.boards, at), load_long(&buffers.moves, at));
    let move_low = _mm512_cvtepi64_epi32(blank_move);

    // The board: blank and tile change places.
    let cell = |place: u32| _mm512_and_si512(_mm512_srlv_epi64(blank_move, long(u64::from(place))), long(CELL));
    let label_at = |cell: __m512i| _mm512_and_si512(_mm512_srlv_epi64(board, cell), long(15));
    let (arrives, leaves) = (_mm512_and_si512(blank_move, long(CELL)), cell(FROM));
    let label = label_at(arrives);
    let flip = _mm512_xor_si512(label, long(BLANK));
    let flips = _mm512_xor_si512(_mm512_sllv_epi64(flip, arrives), _mm512_sllv_epi64(flip, leaves));
    store_long(&mut nodes.boards, to, _mm512_xor_si512(board, flips));

    // The order that changes: in the mirror the labels are the mirrored tiles'.
    let mirrored = (load_short(&lookups.mirrored, 0), load_short(&lookups.mirrored, 8));
    let weights = (load_short(&lookups.weights, 0), load_short(&lookups.weights, 8));
    let in_mirror = _mm256_test_epi32_mask(move_low, short(IN_MIRROR));
    let back = _mm256_test_epi32_mask(move_low, short(BACK));
    let seen = |label: __m512i| {
        let label = _mm512_cvtepi64_epi32(label);
        let image = _mm256_permutex2var_epi32(mirrored.0, label, mirrored.1);
        _mm256_mask_mov_epi32(label, in_mirror, image)
    };
    let mover = seen(label);
    let mut delta = _mm256_setzero_si256();
    for place in PASSED {
        let passed = seen(label_at(cell(place)));
        let same = _mm256_testn_epi32_mask(_mm256_xor_si256(mover, passed), short(8));
        let weight = _mm256_permutex2var_epi32(weights.0, _mm256_min_epu32(mover, passed), weights.1);
        let up = _mm256_cmplt_epi32_mask(mover, passed) ^ back;
        delta = _mm256_mask_add_epi32(delta, same & up, delta, weight);
        delta = _mm256_mask_sub_epi32(delta, same & !up, delta, weight);
    }

    // The tile's pattern in each view, and where in the word its order stands.
    let label = _mm512_cvtepi64_epi32(label);
    let owner = _mm256_srli_epi32::<3>(label);
    let owner_mirrored = _mm256_and_si256(_mm256_srlv_epi32(short(lookups.larger_in_mirror), label), one);
    let place = _mm256_slli_epi32::<4>(owner);
    let place_mirrored = _mm256_add_epi32(_mm256_slli_epi32::<4>(owner_mirrored), short(32));
    let changing = _mm512_cvtepu32_epi64(_mm256_mask_mov_epi32(place, in_mirror, place_mirrored));
    let delta = _mm512_sllv_epi64(_mm512_cvtepi32_epi64(delta), changing);
    let orders = _mm512_add_epi64(load_long(&buffers.orders, at), delta);
    store_long(&mut nodes.orders, to, orders);
    let order_at = |place: __m256i| {
        let order = _mm512_srlv_epi64(orders, _mm512_cvtepu32_epi64(place));
        _mm256_and_si256(_mm512_cvtepi64_epi32(order), low_half)
    };

    // The smaller pattern's cells change if the tile is one of its.
    let flips = _mm512_cvtepi64_epi32(_mm512_srli_epi64::<FLIPS>(blank_move));
    let smaller = _mm256_and_si256(_mm256_sub_epi32(owner, one), low_half);
    let smaller_mirrored = _mm256_slli_epi32::<16>(_mm256_sub_epi32(owner_mirrored, one));
    let flips = _mm256_and_si256(flips, _mm256_or_si256(smaller, smaller_mirrored));
    let occupied = _mm256_xor_si256(load_short(&buffers.occupied, at), flips);
    store_short(&mut nodes.occupied, to, occupied);

    // The marks.
    let blank = _mm256_srli_epi32::<2>(_mm512_cvtepi64_epi32(arrives));
    let row = _mm256_srli_epi32::<2>(blank);
    let blank_mirrored = _mm256_or_si256(_mm256_slli_epi32::<2>(_mm256_and_si256(blank, short(3))), row);
    let depth = _mm256_and_si256(load_short(&buffers.marks, at), short(0xff00_0000));
    let depth = _mm256_add_epi32(depth, short(1 << 24));
    let states = _mm256_cvtepu16_epi32(states(&buffers.states, at));
    let marks = _mm256_or_si256(_mm256_or_si256(states, depth), _mm256_slli_epi32::<16>(blank));
    store_short(&mut nodes.marks, to, marks);

    // The keys: the larger pattern's cells are those that neither the smaller one's tiles nor the blank have.
    let mut look = |view: usize, occupied: __m256i, owner: __m256i, blank: __m256i, order: __m256i| {
        let others = _mm256_xor_si256(low_half, _mm256_sllv_epi32(one, blank));
        let larger = _mm256_sub_epi32(_mm256_setzero_si256(), owner);
        let cells = _mm256_xor_si256(occupied, _mm256_and_si256(larger, others));
        let region = _mm256_add_epi32(_mm256_add_epi32(blank, _mm256_slli_epi32::<1>(blank)), short(16));
        let key = _mm256_or_si256(_mm256_slli_epi32::<24>(region), _mm256_slli_epi32::<16>(owner));
        store_short(&mut buffers.keys[view], at, _mm256_or_si256(key, cells));
        let block = _mm256_xor_si256(
            short(lookups.blocks[0]),
            _mm256_and_si256(larger, short(lookups.blocks[0] ^ lookups.blocks[1])),
        );
        store_short(&mut buffers.blocks[view], at, _mm256_mullo_epi32(order, block));
    };
    look(0, _mm256_and_si256(occupied, low_half), owner, blank, order_at(place));
    look(1, _mm256_srli_epi32::<16>(occupied), owner_mirrored, blank_mirrored, order_at(place_mirrored));
}

/// Eight automaton states.
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn states(states: &[u16], at: usize) -> __m128i {
    let states = &states[at..at + 8];
    let pair = |i: usize| i32::from(states[i]) | i32::from(states[i + 1]) << 16;
    _mm_set_epi32(pair(6), pair(4), pair(2), pair(0))
}

/// Turns the keys into indices, and fetches the entries into the cache.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn look_up(lookups: &Lookups, words: &[[&[u64]; 2]; VIEWS], buffers: &mut ChildBuffers, children: usize) {
    for ((blocks, keys), words) in buffers.blocks.iter_mut().zip(&buffers.keys).zip(words) {
        for (block, &key) in blocks[..children].iter_mut().zip(&keys[..children]) {
            *block = lookups.entry(*block, key);
            prefetch(words[(key >> 16 & 1) as usize], *block as usize / 64);
        }
    }
}

/// Reads the bits of the entries.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn read(words: &[[&[u64]; 2]; VIEWS], buffers: &mut ChildBuffers, children: usize) {
    let [direct, mirrored] = &buffers.blocks;
    let [keys, keys_mirrored] = &buffers.keys;
    let entries = direct[..children].iter().zip(&keys[..children]);
    let entries_mirrored = mirrored[..children].iter().zip(&keys_mirrored[..children]);
    let bit = |words: &[&[u64]; 2], (&index, &key): (&u32, &u32)| {
        (words[(key >> 16 & 1) as usize][index as usize / 64] >> (index % 64)) as u32 & 1
    };
    for ((bits, entry), mirrored) in buffers.bits[..children].iter_mut().zip(entries).zip(entries_mirrored) {
        *bits = bit(&words[0], entry) | bit(&words[1], mirrored) << 1;
    }
}

/// Gives eight nodes, of which the first `lanes` are any, their values; writes those to be expanded to
/// `live`, and gives their number.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
#[allow(clippy::too_many_arguments)] // the wave's memory, taken apart
pub(super) fn update_values(
    buffers: &ChildBuffers,
    at: usize,
    lanes: usize,
    nodes: &mut Nodes,
    place: usize,
    bound: u16,
    live: &mut [u32],
    goals: &mut Vec<u32>,
) -> usize {
    let short = |x: u32| _mm256_set1_epi32(x as i32);
    let (one, byte) = (short(1), short(255));
    let old = load_short(&nodes.values, place);
    let bits = load_short(&buffers.bits, at);
    // One more or one less in the byte of the pattern whose tile moved, as in `TableBits::update_values`.
    let change = |view: usize, bit: __m256i| {
        let owner = _mm256_and_si256(_mm256_srli_epi32::<16>(load_short(&buffers.keys[view], at)), one);
        let place = _mm256_add_epi32(_mm256_slli_epi32::<3>(owner), short(16 * view as u32));
        let raised = _mm256_add_epi32(_mm256_srlv_epi32(old, place), one);
        let falls = _mm256_and_si256(_mm256_xor_si256(_mm256_srli_epi32::<1>(raised), bit), one);
        _mm256_sllv_epi32(_mm256_sub_epi32(one, _mm256_slli_epi32::<1>(falls)), place)
    };
    let values = _mm256_add_epi32(old, change(0, bits));
    let values = _mm256_add_epi32(values, change(1, _mm256_srli_epi32::<1>(bits)));
    store_short(&mut nodes.values, place, values);

    let direct =
        _mm256_add_epi32(_mm256_and_si256(values, byte), _mm256_and_si256(_mm256_srli_epi32::<8>(values), byte));
    let mirrored = _mm256_and_si256(_mm256_srli_epi32::<16>(values), byte);
    let mirrored = _mm256_add_epi32(mirrored, _mm256_srli_epi32::<24>(values));
    let plies = _mm256_max_epu32(direct, mirrored);
    let depth = _mm256_srli_epi32::<24>(load_short(&nodes.marks, place));
    let any = 0xffu8 >> (8 - lanes);
    let cut = _mm256_cmpgt_epu32_mask(_mm256_add_epi32(depth, plies), short(u32::from(bound))) & any;
    let goal = _mm256_testn_epi32_mask(plies, plies) & any;
    goals.extend((0..8).filter(|lane| goal >> lane & 1 == 1).map(|lane| place as u32 + lane));

    let flags = _mm_cvtsi128_si64(_mm_maskz_set1_epi8(u16::from(cut), 1));
    nodes.cut[place..place + 8].copy_from_slice(&flags.to_le_bytes());
    let places = _mm256_add_epi32(short(place as u32), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    let go = any & !cut & !goal;
    store_short(live, 0, _mm256_maskz_compress_epi32(go, places));
    go.count_ones() as usize
}
