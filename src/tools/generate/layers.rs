//! All states at certain distances from the goal, found by breadth-first search.
//!
//! Small shapes are searched completely, others only near the goal. If there are few enough states,
//! a uniform draw among all boards of a difficulty is a draw from a list. A layer is sorted and has
//! no duplicates. A neighbour of a state is in the layer before or after the state's, never in the
//! same one: on a checkerboard, every move changes the colour of the blank's cell.

use std::ops::RangeInclusive;

use crate::board::State;
use crate::board::frame::Space;

/// The states at a range of distances.
#[derive(Debug)]
pub struct DistanceLayers {
    cells: usize,
    space: Space,
    /// The packed states, ordered by distance and then by key.
    states: Vec<u128>,
    /// The distance of the last layer searched, and the index in `states` at which it starts.
    last: (u16, usize),
}

/// The error for more states than allowed. Only the layers before this distance were searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooMany(pub u16);

impl DistanceLayers {
    /// Searches for the states at these distances. The range may extend beyond the farthest state.
    ///
    /// # Errors
    /// When there are more than `max_states` states from distance 0 to the end of the range.
    pub fn search(
        space: &Space,
        distances: &RangeInclusive<u16>,
        max_states: usize,
    ) -> Result<DistanceLayers, TooMany> {
        let cells = space.shape.cells();
        let (mut before, mut layer) = (Vec::new(), vec![space.goal().pack_wide(cells)]);
        let mut layers = DistanceLayers { cells, space: *space, states: Vec::new(), last: (0, 0) };
        let mut searched = 0;
        for distance in 0..=*distances.end() {
            searched += layer.len();
            layers.last = (distance, layers.states.len());
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
            if searched + next.len() > max_states {
                return Err(TooMany(distance + 1));
            }
            before = std::mem::replace(&mut layer, next);
        }
        Ok(layers)
    }

    /// Returns the number of states at each distance; `None` if there are more than `max_states` in
    /// total.
    pub fn sizes(space: &Space, max_states: usize) -> Option<Vec<u64>> {
        let cells = space.shape.cells();
        let layers = DistanceLayers { cells, space: *space, states: Vec::new(), last: (0, 0) };
        let (mut before, mut layer) = (Vec::new(), vec![space.goal().pack_wide(cells)]);
        let (mut sizes, mut total) = (Vec::new(), 0);
        while !layer.is_empty() {
            total += layer.len();
            if total > max_states {
                return None;
            }
            sizes.push(layer.len() as u64);
            let next = layers.layer_after(&layer, &before);
            before = std::mem::replace(&mut layer, next);
        }
        Some(sizes)
    }

    /// Returns the layer after `layer`, given the one before it.
    fn layer_after(&self, layer: &[u128], before: &[u128]) -> Vec<u128> {
        let mut next = Vec::with_capacity(layer.len() * 3);
        for &key in layer {
            let state = self.unpacked(key);
            for (_, to) in self.space.steps(state.blank()) {
                let mut neighbour = state;
                neighbour.slide(to);
                next.push(neighbour.pack_wide(self.cells));
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
        State::unpack_wide(key, self.cells, self.space.goal_blank)
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
        let (distance, start) = self.last;
        (distance, self.states[start..].iter().map(|&key| self.unpacked(key)))
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
        assert_eq!(count(3, 3, 0..=u16::MAX), Ok(181_440));
        assert_eq!((count(3, 3, 24..=24), count(3, 3, 31..=31)), (Ok(24_047), Ok(2)));
        assert_eq!((count(3, 3, 32..=40), count(4, 4, 10..=12)), (Ok(0), Ok(1_948 + 3_938 + 7_808)));
        assert_eq!(count(4, 4, 30..=30), Err(TooMany(19)));
        assert_eq!((count(1, 5, 3..=3), count(1, 1, 0..=9)), (Ok(1), Ok(1)));
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
