//! How the members of a beam came about: for every layer each member's parent and move, in one word.
//!
//! Most lines die out. So that the memory follows the width and not the length of paths, members without descendants are
//! forgotten from time to time; the lines of a layer have a common ancestor some dozens of layers before.

use crate::board::{Move, Path};

/// Layers between two clearings; about as many are kept in full.
const CLEARING: usize = 16;
/// How many full layers the history amounts to at most, as far as was ever seen.
pub(super) const LAYERS_KEPT: u64 = 48;

/// The members of all layers but the first.
#[derive(Default)]
pub(super) struct History {
    layers: Vec<Vec<u32>>,
}

impl History {
    /// How many layers there are.
    pub(super) fn len(&self) -> usize {
        self.layers.len()
    }

    /// Adds a layer; each member is [`member`] of its parent in the layer before.
    pub(super) fn push(&mut self, members: Vec<u32>) {
        self.layers.push(members);
        if self.layers.len().is_multiple_of(CLEARING) {
            self.clear();
        }
    }

    /// Forgets the members without descendants in the last layer.
    fn clear(&mut self) {
        let Some((last, before)) = self.layers.split_last_mut() else { return };
        let mut children: &mut Vec<u32> = last;
        let mut number = Vec::new();
        for layer in before.iter_mut().rev() {
            number.clear();
            number.resize(layer.len(), u32::MAX);
            for &child in children.iter() {
                number[(child >> 2) as usize] = 0;
            }
            let (mut kept, all) = (0, layer.len());
            for (old, new) in number.iter_mut().enumerate() {
                if *new == 0 {
                    layer[kept] = layer[old];
                    *new = kept as u32;
                    kept += 1;
                }
            }
            if kept == all {
                // Nothing was forgotten here, so nothing is to be forgotten before it.
                return;
            }
            for child in children.iter_mut() {
                *child = number[(*child >> 2) as usize] << 2 | *child & 3;
            }
            layer.truncate(kept);
            layer.shrink_to_fit();
            children = layer;
        }
    }

    /// The path to the child by `step` of this member of the last layer.
    pub(super) fn path(&self, member: usize, step: Move) -> Path {
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

/// A member: its parent's number and the move.
pub(super) fn member(parent: u32, step: u8) -> u32 {
    parent << 2 | u32::from(step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::Random;

    /// Paths are those of a history that forgets nothing.
    #[test]
    fn forgetting_changes_no_path() {
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
