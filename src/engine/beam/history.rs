//! The past layers of a beam. The search keeps what the path needs ([`History`]); training keeps
//! all members ([`Record`]).
//!
//! A history stores each member's parent and move in one word. Most members soon have no
//! descendants left. Members without descendants are removed periodically, so memory depends on the
//! width and hardly on the length of the path. The members of a layer usually have a common
//! ancestor a few dozen layers earlier.

use super::children::BeamPosition;
use crate::board::{Move, Path};
use crate::system::scramble;

/// The number of layers between two removals of members. About this many layers are kept in full.
const PRUNE_INTERVAL: usize = 16;
/// The maximum size of the history, in full layers, as observed in practice.
pub(super) const LAYERS_KEPT: u64 = 48;

/// The ancestry of the last layer: the members of all layers except the first, without those
/// removed.
#[derive(Default)]
pub(in crate::engine) struct History {
    /// By layer and member: the parent and the move, packed like
    /// [`Candidate::member`](super::Candidate::member).
    layers: Vec<Vec<u32>>,
}

impl History {
    pub(super) fn len(&self) -> usize {
        self.layers.len()
    }

    /// Adds a layer.
    pub(in crate::engine) fn push(&mut self, members: Vec<u32>) {
        self.layers.push(members);
        if self.layers.len().is_multiple_of(PRUNE_INTERVAL) {
            self.prune();
        }
    }

    /// Removes members without descendants in the last layer.
    fn prune(&mut self) {
        let Some((last, earlier)) = self.layers.split_last_mut() else { return };
        let mut children: &mut Vec<u32> = last;
        let mut new_index = Vec::new();
        for layer in earlier.iter_mut().rev() {
            new_index.clear();
            new_index.resize(layer.len(), u32::MAX);
            for &child in children.iter() {
                new_index[(child >> 2) as usize] = 0;
            }
            let (mut new_len, old_len) = (0, layer.len());
            for (old, new) in new_index.iter_mut().enumerate() {
                if *new == 0 {
                    layer[new_len] = layer[old];
                    *new = new_len as u32;
                    new_len += 1;
                }
            }
            if new_len == old_len {
                // If this layer was pruned before, nothing can be removed in earlier layers.
                // Otherwise the earlier layers are left for a later call.
                return;
            }
            for child in children.iter_mut() {
                *child = new_index[(*child >> 2) as usize] << 2 | *child & 3;
            }
            layer.truncate(new_len);
            layer.shrink_to_fit();
            children = layer;
        }
    }

    /// Returns the path to a member of the last layer, followed by `step`.
    pub(in crate::engine) fn path(&self, member: usize, step: Move) -> Path {
        let mut path = Path::new();
        path.push(step);
        let mut member = member;
        for layer in self.layers.iter().rev() {
            let entry = layer[member];
            path.push(Move::from_index((entry & 3) as u8));
            member = (entry >> 2) as usize;
        }
        path.reverse();
        path
    }
}

/// On average, one layer in this many is sampled.
const LAYERS_PER_SAMPLE: u64 = 2;
/// The number of members sampled from such a layer, some of them perhaps more than once.
const MEMBERS_PER_SAMPLE: usize = 50;

/// The record of one beam, for training. The search itself discards members that it no longer
/// needs. A record keeps the values and parents of all members, and the boards of a random sample.
#[derive(Debug)]
pub struct Record {
    seed: u64,
    /// The number of random numbers used so far.
    numbers_used: u64,
    layers: Vec<Layer>,
    sampled: Vec<SampledMember>,
}

/// The members of a layer, in the layer's order.
#[derive(Debug)]
pub struct Layer {
    /// The value of each member.
    pub values: Vec<i32>,
    /// For each member, its parent's index in the previous layer, times 4, plus its move; empty in
    /// the first layer.
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
        Record { seed, numbers_used: 0, layers: Vec::new(), sampled: Vec::new() }
    }

    /// Returns all layers except the one that contains the goal.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// Returns the sampled members, in the order of their layers.
    pub fn sampled(&self) -> &[SampledMember] {
        &self.sampled
    }

    fn random_number(&mut self) -> u64 {
        self.numbers_used += 1;
        scramble(self.seed, self.numbers_used)
    }

    pub(super) fn push<const M: usize>(&mut self, layer: &[BeamPosition<M>], members: &[u32]) {
        if self.random_number().is_multiple_of(LAYERS_PER_SAMPLE) {
            for _ in 0..MEMBERS_PER_SAMPLE {
                let index = (self.random_number() % layer.len() as u64) as usize;
                let mut homes = [0; 64];
                homes[..M].copy_from_slice(&layer[index].homes);
                self.sampled.push(SampledMember { layer: self.layers.len(), index, homes });
            }
        }
        let values = layer.iter().map(|position| position.value).collect();
        self.layers.push(Layer { values, members: members.to_vec() });
    }
}

#[cfg(test)]
mod tests {
    use super::super::candidates::member;
    use super::*;
    use crate::system::Random;

    /// Paths are the same as if no members had been removed.
    #[test]
    fn pruning_changes_no_path() {
        let mut random = Random::new(3);
        let mut history = History::default();
        let mut paths = vec![String::new()];
        for layer in 0..100 {
            let parents = paths.len();
            let mut members: Vec<(u32, u8)> =
                (0..20).map(|_| (random.index(parents) as u32, random.index(4) as u8)).collect();
            members.sort_unstable();
            let letter = |step: u8| char::from(Move::from_index(step).letter());
            paths = members.iter().map(|&(p, step)| format!("{}{}", paths[p as usize], letter(step))).collect();
            history.push(members.iter().map(|&(parent, step)| member(parent, step)).collect());
            assert_eq!(history.len(), layer + 1);
            for (number, path) in paths.iter().enumerate() {
                assert_eq!(history.path(number, Move::Up).as_str(), format!("{path}U"));
            }
        }
        assert!(history.layers[0].len() < 20);
    }
}
