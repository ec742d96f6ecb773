//! Weights that are the same when the board is mirrored at its diagonal.

use crate::board::Shape;

/// A square board's diagonal.
#[derive(Clone, Copy)]
pub(super) struct Mirror {
    side: usize,
}

impl Mirror {
    /// The mirror of a shape and a cell of the goal's blank that stays where it is.
    pub(super) fn of(shape: Shape, goal_blank: usize) -> Option<Mirror> {
        let mirror = Mirror { side: shape.cols() };
        (shape.rows() == shape.cols() && mirror.cell(goal_blank) == goal_blank).then_some(mirror)
    }

    pub(super) fn cell(self, cell: usize) -> usize {
        cell % self.side * self.side + cell / self.side
    }

    /// The tiles of which these are the mirror image, in their order, and for each of them which of these it is.
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
    fn a_mirrors_mirror_image_is_the_same() {
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
