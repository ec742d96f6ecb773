//! The candidates for the next layer of a beam. Duplicates of positions in recent layers are
//! rejected. As soon as there are enough candidates, only those with the smallest values are kept.
//!
//! A histogram of the candidates' values gives the cut-off value while candidates arrive. Other
//! beams of the engines use this module too.

use std::cmp::Ordering;

use crate::system::{Zeroed, prefetch, scramble};

/// The number of ranks. A candidate's rank is its value minus the layer's base value, at least 0
/// and at most the last rank.
const RANKS: usize = 1 << 13;

/// The number of slots in a cache line.
const LINE: usize = 8;
/// The number of layers in which a key is valid, including its own. By parity, a position can recur
/// after two layers but not after one.
const LAYERS: u8 = 3;
/// The minimum number of slots per member. A layer has about two candidates per member.
const SLOTS: usize = 8;

/// Random numbers by tile and cell. A position's key is the exclusive or of the numbers of its
/// tiles. The blank has no number.
pub(in crate::engine) struct Keys {
    numbers: Vec<u64>,
    cells: usize,
}

impl Keys {
    /// Creates the numbers for boards of this many cells.
    pub(in crate::engine) fn new(cells: usize) -> Keys {
        Keys { numbers: (0..cells * cells).map(|i| scramble(0, i as u64 + 1)).collect(), cells }
    }

    #[inline(always)]
    pub(in crate::engine) fn number(&self, tile: usize, cell: usize) -> u64 {
        self.numbers[tile * self.cells + cell]
    }

    /// Returns the change of the key when a tile moves from one cell to another.
    #[inline(always)]
    pub(in crate::engine) fn change(&self, tile: usize, from: usize, to: usize) -> u64 {
        self.number(tile, from) ^ self.number(tile, to)
    }
}

/// Packs a member: its parent's index and the move from there.
pub(super) fn member(parent: u32, step: u8) -> u32 {
    parent << 2 | u32::from(step)
}

/// A child of a member of the layer, which may become a member of the next layer.
pub(in crate::engine) struct Candidate<T> {
    pub(in crate::engine) key: u64,
    /// Its value minus the layer's base value ([`RANKS`]).
    pub(in crate::engine) rank: u32,
    /// Its parent's index and the move from there, packed by [`member`].
    pub(in crate::engine) member: u32,
    pub(in crate::engine) data: T,
}

impl<T> Candidate<T> {
    #[inline(always)]
    pub(in crate::engine) fn parent(&self) -> usize {
        (self.member >> 2) as usize
    }

    #[inline(always)]
    pub(in crate::engine) fn step(&self) -> u8 {
        (self.member & 3) as u8
    }
}

/// The candidates for the next layer, each with data of type `T` for the caller.
pub(in crate::engine) struct Candidates<T> {
    list: Vec<Candidate<T>>,
    seen: SeenKeys,
    /// By rank: the number of candidates.
    counts: Vec<u32>,
    base: i32,
    width: usize,
    /// The greatest rank that is accepted.
    limit: usize,
    /// The number of candidates with ranks up to the limit.
    taken: usize,
    /// The smallest rank of a candidate of this layer.
    least: usize,
    /// The greatest rank of a candidate of this layer.
    greatest: usize,
}

impl<T> Candidates<T> {
    /// The maximum number of bytes that the keys take per unit of the beam's width.
    pub(in crate::engine) const KEY_BYTES: usize = 2 * SLOTS * size_of::<u64>();

    pub(in crate::engine) fn new(width: usize) -> Candidates<T> {
        Candidates {
            list: Vec::new(),
            seen: SeenKeys::new(width),
            counts: vec![0; RANKS],
            base: 0,
            width,
            limit: RANKS - 1,
            taken: 0,
            least: RANKS,
            greatest: 0,
        }
    }

    /// Begins a layer whose values are at least `base`. Values above `limit` are rejected from the
    /// start.
    pub(in crate::engine) fn begin_layer(&mut self, base: i32, limit: Option<i32>) {
        self.list.clear();
        self.seen.layer = self.seen.layer.wrapping_add(1);
        self.counts[..=self.greatest].fill(0);
        self.greatest = 0;
        self.base = base;
        self.limit = limit.map_or(RANKS - 1, |limit| self.rank(limit));
        self.taken = 0;
        self.least = RANKS;
    }

    /// Forgets the keys of all layers.
    pub(in crate::engine) fn forget_keys(&mut self) {
        self.seen.layer = self.seen.layer.wrapping_add(LAYERS + 1);
    }

    /// Inserts a key. Returns true if it was not seen before.
    #[inline]
    pub(in crate::engine) fn insert_key(&mut self, key: u64) -> bool {
        self.seen.insert(key)
    }

    #[inline]
    pub(in crate::engine) fn prefetch_key(&self, key: u64) {
        prefetch(&self.seen.slots, self.seen.line(key));
    }

    #[inline(always)]
    fn rank(&self, value: i32) -> usize {
        (value - self.base).clamp(0, RANKS as i32 - 1) as usize
    }

    /// Adds a child unless its value is too large or its key was seen.
    #[inline(always)]
    pub(in crate::engine) fn offer(&mut self, value: i32, key: u64, (parent, step): (u32, u8), data: T) {
        if self.rank(value) <= self.limit && self.insert_key(key) {
            self.offer_new(value, key, (parent, step), data);
        }
    }

    /// Adds a child with a new key unless its value is too large. Once there are `width`
    /// candidates, lowers the limit to the rank of the `width`-th smallest.
    #[inline(always)]
    pub(in crate::engine) fn offer_new(&mut self, value: i32, key: u64, (parent, step): (u32, u8), data: T) {
        let rank = self.rank(value);
        if rank > self.limit {
            return;
        }
        self.counts[rank] += 1;
        self.taken += 1;
        self.least = self.least.min(rank);
        self.greatest = self.greatest.max(rank);
        if self.taken >= self.width {
            self.limit = self.limit.min(self.greatest);
        }
        while self.limit > 0 && self.taken - self.counts[self.limit] as usize >= self.width {
            self.taken -= self.counts[self.limit] as usize;
            self.limit -= 1;
        }
        self.list.push(Candidate { key, rank: rank as u32, member: member(parent, step), data });
    }

    /// Returns all candidates added, including those that are no longer kept.
    pub(super) fn all(&self) -> &[Candidate<T>] {
        &self.list
    }

    /// Iterates over the candidates that are kept: those with ranks below the limit, and the first
    /// ones at the limit.
    pub(in crate::engine) fn kept(&self) -> impl Iterator<Item = &Candidate<T>> {
        let less = self.taken - self.counts[self.limit] as usize;
        let mut ties_left = self.width.saturating_sub(less);
        self.list.iter().filter(move |candidate| match (candidate.rank as usize).cmp(&self.limit) {
            Ordering::Less => true,
            Ordering::Equal if ties_left > 0 => {
                ties_left -= 1;
                true
            }
            _ => false,
        })
    }

    /// Returns the greatest value that is accepted.
    pub(super) fn limit_value(&self) -> i32 {
        if self.limit + 1 == RANKS { i32::MAX / 2 } else { self.base + self.limit as i32 }
    }

    /// Returns the greatest value kept; `None` if there are fewer than `width` candidates.
    pub(super) fn greatest_kept(&self) -> Option<i32> {
        (self.taken >= self.width).then_some(self.base + self.limit as i32)
    }

    /// Returns the smallest value of a candidate.
    pub(super) fn least(&self) -> i32 {
        self.base + self.least as i32
    }
}

/// The keys of the candidates in the current layer and the two before it.
///
/// A slot holds a key with its lowest byte replaced by the number of the layer. Keys of older
/// layers are overwritten, so the table is never cleared. The number wraps after 256 layers. A key
/// that was not overwritten since then is taken for a recent one, so at worst one position is lost.
/// A key occupies one of the eight slots of a cache line. If all of them are in use, the key is not
/// stored, and at worst a duplicate is not found.
struct SeenKeys {
    slots: Zeroed<u64>,
    mask: usize,
    layer: u8,
}

impl SeenKeys {
    fn new(width: usize) -> SeenKeys {
        let slots = (width * SLOTS).next_power_of_two().max(1 << 10);
        SeenKeys { slots: Zeroed::new(slots), mask: slots - LINE, layer: LAYERS }
    }

    #[inline]
    fn line(&self, key: u64) -> usize {
        (key >> 8) as usize & self.mask
    }

    #[inline]
    fn insert(&mut self, key: u64) -> bool {
        let start = self.line(key);
        let mut line = [0; LINE];
        line.copy_from_slice(&self.slots[start..start + LINE]);
        let is_current = |slot: u64| slot != 0 && self.layer.wrapping_sub(slot as u8) < LAYERS;
        if line.iter().any(|&slot| slot >> 8 == key >> 8 && is_current(slot)) {
            return false;
        }
        if let Some(free) = line.iter().position(|&slot| !is_current(slot)) {
            self.slots[start + free] = key & !255 | u64::from(self.layer);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_seen_for_three_layers() {
        let mut candidates = Candidates::<()>::new(100);
        for round in 0..600u64 {
            let key = crate::system::scramble(0, round);
            assert!(candidates.insert_key(key));
            candidates.begin_layer(0, None);
            assert!(!candidates.insert_key(key));
            candidates.begin_layer(0, None);
            assert!(!candidates.insert_key(key));
            candidates.begin_layer(0, None);
            assert!(candidates.insert_key(key));
            candidates.begin_layer(0, None);
        }
    }

    /// In any order of arrival, the smallest `width` candidates are kept.
    #[test]
    fn the_smallest_are_kept() {
        let mut random = crate::system::Random::new(1);
        for width in [1, 2, 7, 100] {
            let mut candidates = Candidates::new(width);
            candidates.begin_layer(-50, None);
            let mut sorted: Vec<i32> = (0..500).map(|_| random.index(300) as i32 - 50).collect();
            for (number, &value) in sorted.iter().enumerate() {
                candidates.offer(value, scramble(0, number as u64), (0, 0), value);
            }
            let mut kept: Vec<i32> = candidates.kept().map(|candidate| candidate.data).collect();
            kept.sort_unstable();
            sorted.sort_unstable();
            assert_eq!(kept, sorted[..width]);
            assert_eq!((candidates.least(), candidates.greatest_kept()), (sorted[0], Some(sorted[width - 1])));
        }
    }
}
