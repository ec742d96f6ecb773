//! Positions of this layer and the two before it, by their keys.
//!
//! A slot holds a key whose lowest byte is replaced by the number of the layer. Keys of layers longer ago give their slots away, so
//! the table never has to be cleared. A key is in one of the eight slots of one cache line; where all of them are taken it is
//! forgotten, which costs a duplicate and nothing else.

use crate::system::{Zeroed, prefetch};

/// Slots of a cache line.
const LINE: usize = 8;
/// Keys live for this many layers: positions recur after two, not after one.
const LAYERS: u8 = 3;
/// Slots for every member of a layer, at least; a layer has about two candidates for each.
pub(super) const SLOTS: usize = 8;

/// A set of keys.
pub(in crate::engine) struct Seen {
    slots: Zeroed<u64>,
    mask: usize,
    layer: u8,
}

impl Seen {
    /// For layers of this many members.
    pub(in crate::engine) fn new(width: usize) -> Seen {
        let slots = (width * SLOTS).next_power_of_two().max(1 << 10);
        Seen { slots: Zeroed::new(slots), mask: slots - LINE, layer: LAYERS }
    }

    /// A layer begins.
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

    /// Whether the key is new; it is seen from now on.
    #[inline]
    pub(in crate::engine) fn insert(&mut self, key: u64) -> bool {
        let start = self.line(key);
        let mut line = [0; LINE];
        line.copy_from_slice(&self.slots[start..start + LINE]);
        let lives = |slot: u64| slot != 0 && self.layer.wrapping_sub(slot as u8) < LAYERS;
        if line.iter().any(|&slot| slot >> 8 == key >> 8 && lives(slot)) {
            return false;
        }
        if let Some(free) = line.iter().position(|&slot| !lives(slot)) {
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
        let mut seen = Seen::new(100);
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
