//! A record of the layers of a beam, for training.
//!
//! The search itself discards members that it no longer needs. A record keeps the values and
//! parents of all members, and the boards of a random sample.

use super::children::Position;
use crate::system::scramble;

/// On average, one layer in this many is sampled.
const LAYERS_PER_SAMPLE: u64 = 2;
/// The number of members sampled from such a layer, some of them perhaps more than once.
const MEMBERS_PER_SAMPLE: usize = 50;

/// The record of one beam.
#[derive(Debug)]
pub struct Record {
    seed: u64,
    /// The number of random words used so far.
    words_used: u64,
    layers: Vec<Layer>,
    sampled: Vec<SampledMember>,
}

/// The members of a layer, in their order.
#[derive(Debug)]
pub struct Layer {
    /// Their values.
    pub values: Vec<i32>,
    /// Their parents' indices in the previous layer × 4 + move; empty in the first layer.
    pub members: Vec<u32>,
}

/// A member chosen at random.
#[derive(Clone, Copy, Debug)]
pub struct SampledMember {
    /// The index of its layer.
    pub layer: usize,
    /// Its index in the layer.
    pub index: usize,
    /// The home of the tile in each cell; 0 beyond the board.
    pub homes: [u8; 64],
}

impl Record {
    /// Creates an empty record that samples with this seed.
    pub fn new(seed: u64) -> Record {
        Record { seed, words_used: 0, layers: Vec::new(), sampled: Vec::new() }
    }

    /// Returns all layers except the goal's.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// Returns the sampled members, in the order of their layers.
    pub fn sampled(&self) -> &[SampledMember] {
        &self.sampled
    }

    fn random_word(&mut self) -> u64 {
        self.words_used += 1;
        scramble(self.seed, self.words_used)
    }

    pub(super) fn push<const M: usize>(&mut self, layer: &[Position<M>], members: &[u32]) {
        if self.random_word().is_multiple_of(LAYERS_PER_SAMPLE) {
            for _ in 0..MEMBERS_PER_SAMPLE {
                let index = (self.random_word() % layer.len() as u64) as usize;
                let mut homes = [0; 64];
                homes[..M].copy_from_slice(&layer[index].homes);
                self.sampled.push(SampledMember { layer: self.layers.len(), index, homes });
            }
        }
        let values = layer.iter().map(|position| position.value).collect();
        self.layers.push(Layer { values, members: members.to_vec() });
    }
}
