//! The reflection of weights in the board's main diagonal.

use crate::board::Shape;

/// The reflection of a square board in its main diagonal.
#[derive(Clone, Copy)]
pub(super) struct Mirror {
    side: usize,
}

impl Mirror {
    /// Returns the mirror of a square shape if it keeps the goal's blank in its place.
    pub(super) fn of(shape: Shape, goal_blank: usize) -> Option<Mirror> {
        let mirror = Mirror { side: shape.cols() };
        (shape.rows() == shape.cols() && mirror.cell(goal_blank) == goal_blank).then_some(mirror)
    }

    pub(super) fn cell(self, cell: usize) -> usize {
        cell % self.side * self.side + cell / self.side
    }

    /// Returns the mirror images of these tiles in ascending order, and for each image the index of
    /// its tile in `tiles`.
    pub(super) fn image<const K: usize>(self, tiles: [usize; K]) -> ([usize; K], [usize; K]) {
        let mirrored = tiles.map(|tile| self.cell(tile));
        let mut order = std::array::from_fn(|i| i);
        order.sort_unstable_by_key(|&i| mirrored[i]);
        (order.map(|i| mirrored[i]), order)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirroring_twice_is_the_identity() {
        let mirror = Mirror::of(Shape::new(5, 5).unwrap(), 24).unwrap();
        for cell in 0..25 {
            assert_eq!(mirror.cell(mirror.cell(cell)), cell);
        }
        assert_eq!(mirror.image([0, 1, 7]), ([0, 5, 11], [0, 1, 2]));
        assert_eq!(mirror.image([0, 1, 5]), ([0, 1, 5], [0, 2, 1]));
        assert!(Mirror::of(Shape::new(5, 5).unwrap(), 23).is_none());
        assert!(Mirror::of(Shape::new(4, 5).unwrap(), 19).is_none());
    }
}
