//! The weights that a file stores. If they are symmetric in the main diagonal, only one of two sets
//! of tiles that are mirror images of each other is stored.

use crate::board::Shape;
use crate::heuristic::evaluation::trominoes;

/// The reflection of a square board in its main diagonal.
#[derive(Clone, Copy)]
struct Mirror {
    side: usize,
}

impl Mirror {
    /// Returns the mirror of a square shape if it keeps the goal's blank in its place.
    fn of(shape: Shape, goal_blank: usize) -> Option<Mirror> {
        let mirror = Mirror { side: shape.cols() };
        (shape.rows() == shape.cols() && mirror.cell(goal_blank) == goal_blank).then_some(mirror)
    }

    fn cell(self, cell: usize) -> usize {
        cell % self.side * self.side + cell / self.side
    }

    /// Returns the mirror images of these tiles in ascending order, and for each image the index of
    /// its tile in `tiles`.
    fn image<const K: usize>(self, tiles: [usize; K]) -> ([usize; K], [usize; K]) {
        let mirrored = tiles.map(|tile| self.cell(tile));
        let mut order = std::array::from_fn(|i| i);
        order.sort_unstable_by_key(|&i| mirrored[i]);
        (order.map(|i| mirrored[i]), order)
    }
}

/// The weights of pairs and triples, as [`super::Learned::new`] takes them.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Lists {
    pub(super) pair: Vec<i8>,
    pub(super) triple: Vec<i8>,
}

/// The pairs and triples of tiles in the order of the file, and the mirror if mirror images are
/// left out.
pub(super) struct Sets {
    n: usize,
    triples: Vec<[usize; 3]>,
    mirror: Option<Mirror>,
}

impl Sets {
    /// Returns the sets of a shape; `None` if mirror images should be left out but there is no
    /// mirror.
    pub(super) fn new(shape: Shape, goal_blank: usize, omit_mirrored: bool) -> Option<Sets> {
        let triples = trominoes(shape, goal_blank).into_iter().map(|homes| homes.map(usize::from)).collect();
        let mirror = if omit_mirrored { Some(Mirror::of(shape, goal_blank)?) } else { None };
        Some(Sets { n: shape.cells(), triples, mirror })
    }

    /// Returns lists of zeroes.
    pub(super) fn zeroes(&self) -> Lists {
        Lists { pair: vec![0; self.n.pow(4)], triple: vec![0; self.triples.len() * self.n.pow(3)] }
    }

    /// Visits the stored weights in the order of the file. Copies the weights that are left out
    /// from their mirror images. The visitor may read or write the weights.
    pub(super) fn visit<E>(
        &self,
        lists: &mut Lists,
        mut visit: impl FnMut(&mut [i8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let n = self.n;
        for high in 0..n {
            for low in 0..high {
                let row = |high: usize, low: usize, cell: usize| ((high * n + cell) * n + low) * n;
                match self.mirror.map(|mirror| (mirror, mirror.image([low, high]))) {
                    Some((mirror, ([first, second], order))) if [second, first] < [high, low] => {
                        for i in 0..n * n {
                            let cells = [i % n, i / n];
                            let [a, b] = order.map(|i| mirror.cell(cells[i]));
                            lists.pair[row(high, low, cells[1]) + cells[0]] = lists.pair[row(second, first, b) + a];
                        }
                    }
                    _ => (0..n).try_for_each(|cell| visit(&mut lists.pair[row(high, low, cell)..][..n]))?,
                }
            }
        }
        for number in 0..self.triples.len() {
            let (before, here) = lists.triple.split_at_mut(number * n.pow(3));
            let here = &mut here[..n.pow(3)];
            let image = self.mirror.map(|mirror| (mirror, mirror.image(self.triples[number])));
            match image.and_then(|(mirror, (image, order))| {
                Some((mirror, self.triples[..number].binary_search(&image).ok()?, order))
            }) {
                Some((mirror, image, order)) => fill(here, &before[image * n.pow(3)..][..n.pow(3)], mirror, order, n),
                None => visit(here)?,
            }
        }
        Ok(())
    }
}

/// Fills the weights of a triple from the weights of its mirror image.
fn fill(here: &mut [i8], image: &[i8], mirror: Mirror, order: [usize; 3], n: usize) {
    let strides = [1, n, n * n];
    // By tile and cell: the contribution to the index in `image`.
    let mut parts = [const { Vec::new() }; 3];
    for (place, tile) in order.into_iter().enumerate() {
        parts[tile] = (0..n).map(|cell| strides[place] * mirror.cell(cell)).collect();
    }
    let [first, second, third] = parts;
    let mut weights = here.iter_mut();
    for c in &third {
        for b in &second {
            for (a, weight) in first.iter().zip(&mut weights) {
                *weight = image[a + b + c];
            }
        }
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
