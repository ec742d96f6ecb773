//! The keys of the positions in the current layer and the two before it.
//!
//! A slot holds a key with its lowest byte replaced by the number of the layer. Keys of older
//! layers are overwritten, so the table is never cleared. A key occupies one of the eight slots of
//! a cache line. If all of them are in use, the key is not stored, and at worst a duplicate is not
//! found.

use crate::system::{Zeroed, prefetch, scramble};

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

/// The keys of the candidates of the last layers.
pub(in crate::engine) struct SeenKeys {
    slots: Zeroed<u64>,
    mask: usize,
    layer: u8,
}

impl SeenKeys {
    /// The maximum number of bytes per unit of the beam's width.
    pub(in crate::engine) const BYTES: usize = 2 * SLOTS * size_of::<u64>();

    pub(in crate::engine) fn new(width: usize) -> SeenKeys {
        let slots = (width * SLOTS).next_power_of_two().max(1 << 10);
        SeenKeys { slots: Zeroed::new(slots), mask: slots - LINE, layer: LAYERS }
    }

    pub(in crate::engine) fn begin_layer(&mut self) {
        self.layer = self.layer.wrapping_add(1);
    }

    /// Forgets the keys of all layers.
    pub(in crate::engine) fn forget(&mut self) {
        self.layer = self.layer.wrapping_add(LAYERS + 1);
    }

    #[inline]
    fn line(&self, key: u64) -> usize {
        (key >> 8) as usize & self.mask
    }

    #[inline]
    pub(in crate::engine) fn prefetch(&self, key: u64) {
        prefetch(&self.slots, self.line(key));
    }

    /// Inserts a key. Returns true if it is new.
    #[inline]
    pub(in crate::engine) fn insert(&mut self, key: u64) -> bool {
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
        let mut seen = SeenKeys::new(100);
        for round in 0..600u64 {
            let key = crate::system::scramble(0, round);
            assert!(seen.insert(key));
            seen.begin_layer();
            assert!(!seen.insert(key));
            seen.begin_layer();
            assert!(!seen.insert(key));
            seen.begin_layer();
            assert!(seen.insert(key));
            seen.begin_layer();
        }
    }
}
