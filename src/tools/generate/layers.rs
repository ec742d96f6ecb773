//! All states at certain distances from the goal, found by breadth-first search.
//!
//! Small shapes are searched completely, others only near the goal. If there are few enough states,
//! all boards of a difficulty are in a list, and a uniform draw from the list is a uniform draw
//! among these boards. A layer has the states at one distance, sorted and without duplicates. A
//! neighbour of a state is in the layer before or after the state's, never in the same one: if the
//! cells are coloured like a checkerboard, every move changes the colour of the blank's cell.

use std::ops::RangeInclusive;

use crate::board::State;
use crate::board::frame::Space;

/// The number of states of the largest shapes that are searched completely: 10!/2, for ten cells.
pub const MAX_STATES: usize = 10 * 9 * 8 * 7 * 6 * 5 * 4 * 3;

/// The states at a range of distances.
#[derive(Debug)]
pub struct DistanceLayers {
    space: Space,
    /// The packed states, ordered by distance. Those at one distance are in ascending order.
    states: Vec<u128>,
    /// For each distance that was searched, the index in `states` at which its layer starts.
    starts: Vec<usize>,
}

impl DistanceLayers {
    /// Searches for the states at these distances. The range may extend beyond the farthest state.
    /// Returns `None` if there are more than `max_states` states from distance 0 to the end of the
    /// range.
    pub fn search(space: &Space, distances: &RangeInclusive<u16>, max_states: usize) -> Option<DistanceLayers> {
        let (mut before, mut layer) = (Vec::new(), vec![space.goal().pack_wide(space.shape.cells())]);
        let mut layers = DistanceLayers { space: *space, states: Vec::new(), starts: Vec::new() };
        let mut searched = 0;
        for distance in 0..=*distances.end() {
            searched += layer.len();
            if searched > max_states {
                return None;
            }
            layers.starts.push(layers.states.len());
            if distances.contains(&distance) {
                layers.states.extend_from_slice(&layer);
            }
            if distance == *distances.end() {
                break;
            }
            let next = layers.layer_after(&layer, &before);
            if next.is_empty() {
                break;
            }
            before = std::mem::replace(&mut layer, next);
        }
        Some(layers)
    }

    /// Returns the number of states at each distance, for a range that begins with 0.
    pub fn sizes(&self) -> Vec<u64> {
        let ends = self.starts[1..].iter().copied().chain([self.states.len()]);
        self.starts.iter().zip(ends).map(|(start, end)| (end - start) as u64).collect()
    }

    /// Returns the layer after `layer`, given the one before it.
    fn layer_after(&self, layer: &[u128], before: &[u128]) -> Vec<u128> {
        let (cells, mut next) = (self.space.shape.cells(), Vec::with_capacity(layer.len() * 3));
        for &key in layer {
            let state = self.unpacked(key);
            for (_, to) in self.space.steps(state.blank()) {
                let mut neighbour = state;
                neighbour.slide(to);
                next.push(neighbour.pack_wide(cells));
            }
        }
        next.sort_unstable();
        next.dedup();
        let mut before = before.iter().peekable();
        next.retain(|key| {
            while before.next_if(|&earlier| earlier < key).is_some() {}
            before.peek() != Some(&key)
        });
        next
    }

    fn unpacked(&self, key: u128) -> State {
        State::unpack_wide(key, self.space.shape.cells(), self.space.goal_blank)
    }

    /// Returns the number of states.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Returns true if there are no states at these distances.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// Returns one of the states.
    ///
    /// # Panics
    /// If `index` is not below [`Self::len`].
    pub fn state(&self, index: usize) -> State {
        self.unpacked(self.states[index])
    }

    /// Returns the distance of the last layer searched, and its states if the distance is in the
    /// requested range.
    pub fn last(&self) -> (u16, impl Iterator<Item = State> + '_) {
        let last = self.starts.len() - 1;
        (last as u16, self.states[self.starts[last]..].iter().map(|&key| self.unpacked(key)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::frame::Frame;
    use crate::board::{Goal, Shape};

    fn space(rows: usize, cols: usize) -> Space {
        let shape = Shape::new(rows, cols).unwrap();
        *Frame::new(&Goal::BlankLast.on(shape).unwrap()).unwrap().space()
    }

    /// Counts published in OEIS A089473 (3×3) and A089484 (4×4).
    #[test]
    fn layers_have_the_published_sizes() {
        let count = |rows, cols, at: RangeInclusive<u16>| {
            DistanceLayers::search(&space(rows, cols), &at, 1 << 20).map(|layers| layers.len())
        };
        assert_eq!(count(3, 3, 0..=u16::MAX), Some(181_440));
        assert_eq!((count(3, 3, 24..=24), count(3, 3, 31..=31)), (Some(24_047), Some(2)));
        assert_eq!((count(3, 3, 32..=40), count(4, 4, 10..=12)), (Some(0), Some(1_948 + 3_938 + 7_808)));
        assert_eq!(count(4, 4, 30..=30), None);
        assert_eq!((count(1, 5, 3..=3), count(1, 1, 0..=9)), (Some(1), Some(1)));
    }

    #[test]
    fn the_last_layer_is_the_farthest() {
        let layers = DistanceLayers::search(&space(2, 3), &(0..=u16::MAX), 1000).unwrap();
        let (distance, states) = layers.last();
        assert_eq!((distance, states.count()), (21, 1));
        let layers = DistanceLayers::search(&space(2, 2), &(2..=3), 1000).unwrap();
        assert_eq!((layers.last().0, layers.last().1.count(), layers.len()), (3, 2, 4));
    }
}
