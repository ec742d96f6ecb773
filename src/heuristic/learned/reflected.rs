//! Weights for goals with the blank in a cell that they were not trained for, such as another
//! corner: the board is reflected or transposed to match the weights.

use std::sync::Arc;

use super::Learned;
use crate::board::{Cell, Shape, Symmetry};
use crate::heuristic::evaluation::Weights;
use crate::system::sort_few;

/// Weights for a board that is reflected or transposed.
#[derive(Clone, Debug)]
pub struct Reflected {
    learned: Arc<Learned>,
    /// By cell: the corresponding cell on the board of the weights.
    images: Vec<usize>,
}

impl Reflected {
    /// Returns the weights for a shape and the blank's home; `None` if no reflection of the board
    /// matches the weights.
    pub fn new(learned: &Arc<Learned>, shape: Shape, goal_blank: Cell) -> Option<Reflected> {
        let images = cell_map(learned.shape_and_blank(), (shape, goal_blank))?;
        Some(Reflected { learned: Arc::clone(learned), images })
    }
}

/// Returns for each cell of the board the corresponding cell on the board of the weights; `None` if
/// no reflection of the board matches the weights. If possible, rows remain rows.
pub(super) fn cell_map((weights_shape, blank): (Shape, Cell), (shape, wanted): (Shape, Cell)) -> Option<Vec<usize>> {
    let symmetry = Symmetry::between(shape, weights_shape).find(|symmetry| symmetry.cell(shape, wanted) == blank)?;
    Some(symmetry.cells(shape).map(Cell::index).collect())
}

impl Weights for Reflected {
    fn single(&self, tile: usize, cell: usize) -> i32 {
        self.learned.single(self.images[tile], self.images[cell])
    }

    fn pair(&self, one: (usize, usize), other: (usize, usize)) -> i32 {
        let image_of = |(tile, cell): (usize, usize)| (self.images[tile], self.images[cell]);
        self.learned.pair(image_of(one), image_of(other))
    }

    fn triple(&self, homes: [u8; 3]) -> Vec<i8> {
        let (image, order) = image(&self.images, homes);
        let mut weights = vec![0; self.images.len().pow(3)];
        fill(&mut weights, self.learned.triple_weights_of(image), &self.images, order);
        weights
    }
}

/// Maps tiles by `images`. Returns their images in ascending order, and for each image the index of
/// its tile in `tiles`.
pub(super) fn image<const K: usize>(images: &[usize], tiles: [u8; K]) -> ([u8; K], [usize; K]) {
    let mapped = tiles.map(|tile| images[usize::from(tile)] as u8);
    let mut order = std::array::from_fn(|i| i);
    sort_few(&mut order, |&i| mapped[i]);
    (order.map(|i| mapped[i]), order)
}

/// Fills the weights of a triple from `image_weights`, the weights of its image.
pub(super) fn fill(weights: &mut [i8], image_weights: &[i8], images: &[usize], order: [usize; 3]) {
    let n = images.len();
    let strides = [1, n, n * n];
    // By tile and cell: the contribution to the index in `image_weights`.
    let mut parts = [const { Vec::new() }; 3];
    for (place, tile) in order.into_iter().enumerate() {
        parts[tile] = images.iter().map(|&image| strides[place] * image).collect();
    }
    let [first, second, third] = parts;
    let mut weights = weights.iter_mut();
    for c in &third {
        for b in &second {
            for (a, weight) in first.iter().zip(&mut weights) {
                *weight = image_weights[a + b + c];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heuristic::evaluation::Tables;
    use crate::heuristic::learned::tests::random;
    use crate::system::Random;
    use std::sync::atomic::AtomicBool;

    /// A position and its reflection have the same value, and so do a board and its transpose.
    #[test]
    fn reflected_positions_have_the_same_values() {
        for (trained, blank, shapes) in
            [("3x3", 8, ["3x3", "3x3"]), ("2x4", 7, ["2x4", "4x2"]), ("3x3", 4, ["3x3", "3x3"])]
        {
            let learned = Arc::new(random(trained, blank, 3));
            let (shape, goal_blank) = learned.shape_and_blank();
            let original = Tables::new(shape, goal_blank, &*learned, &AtomicBool::new(false)).unwrap();
            let mut found = 0;
            for shape in shapes.map(|shape| shape.parse::<Shape>().unwrap()) {
                for wanted in (0..shape.cells()).map(Cell::new) {
                    let Some(reflected) = Reflected::new(&learned, shape, wanted) else { continue };
                    found += 1;
                    let tables = Tables::new(shape, wanted, &reflected, &AtomicBool::new(false)).unwrap();
                    for seed in 0..20 {
                        let homes = Random::new(seed).permutation(shape.cells());
                        let mut image = vec![0; shape.cells()];
                        for (cell, &home) in homes.iter().enumerate() {
                            image[reflected.images[cell]] = reflected.images[home] as u8;
                        }
                        let homes: Vec<u8> = homes.iter().map(|&home| home as u8).collect();
                        assert_eq!(tables.value(&homes), original.value(&image), "{shape} {wanted:?}");
                    }
                }
            }
            assert_eq!(found, if blank == 4 { 2 } else { 8 }, "{trained}");
        }
    }

    /// The images of tiles under the reflection in the main diagonal are sorted, and each comes
    /// with the index of its tile.
    #[test]
    fn images_are_sorted() {
        let shape = Shape::new(5, 5).unwrap();
        let images: Vec<usize> = Symmetry::TRANSPOSITION.cells(shape).map(Cell::index).collect();
        assert!((0..25).all(|cell| images[images[cell]] == cell));
        assert_eq!(image(&images, [0, 1, 7]), ([0, 5, 11], [0, 1, 2]));
        assert_eq!(image(&images, [0, 1, 5]), ([0, 1, 5], [0, 2, 1]));
    }
}
