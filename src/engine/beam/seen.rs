//! The keys of the positions in the current layer and the two before it.
//!
//! A slot holds a key with its lowest byte replaced by the number of the layer. Keys of older
//! layers are overwritten, so the table is never cleared. A key occupies one of the eight slots of
//! a cache line. If all of them are in use, the key is not stored, and at worst a duplicate is not
//! found.

use crate::system::{Zeroed, prefetch};

/// The number of slots in a cache line.
const LINE: usize = 8;
/// The number of layers in which a key is valid, including its own. By parity, a position can recur
/// after two layers but not after one.
const LAYERS: u8 = 3;
/// The minimum number of slots per member. A layer has about two candidates per member.
const SLOTS: usize = 8;

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
