//! The ancestry of a beam's members: for every layer, each member's parent and move in one word.
//!
//! Most members soon have no descendants left. Members without descendants are removed
//! periodically, so memory depends on the width and not on the length of the path. The members of a
//! layer usually have a common ancestor a few dozen layers earlier.

use crate::board::{Move, Path};

/// The number of layers between two removals. About this many layers are kept in full.
const PRUNE_INTERVAL: usize = 16;
/// The maximum size of the history, in full layers, as observed in practice.
pub(super) const LAYERS_KEPT: u64 = 48;

/// The members of all layers except the first.
#[derive(Default)]
pub(in crate::engine) struct History {
    layers: Vec<Vec<u32>>,
}

impl History {
    pub(super) fn len(&self) -> usize {
        self.layers.len()
    }

    /// Adds a layer. Each element is packed by [`member`].
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

/// Packs a member: its parent's index and the move from there.
pub(super) fn member(parent: u32, step: u8) -> u32 {
    parent << 2 | u32::from(step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::Random;

    /// The paths are the same as without removals.
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
