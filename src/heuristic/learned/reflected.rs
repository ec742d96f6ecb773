//! Weights for goals with the blank in a cell that they were not trained for, such as another
//! corner: the board is reflected or transposed to match the weights.

use std::sync::Arc;

use super::Learned;
use crate::board::{Cell, Shape, Symmetry};
use crate::heuristic::evaluation::{Weights, trominoes};

/// Weights for a board that is reflected or transposed.
#[derive(Clone, Debug)]
pub struct Reflected {
    learned: Arc<Learned>,
    shape: Shape,
    goal_blank: usize,
    /// By cell: the corresponding cell on the board of the weights.
    images: Vec<usize>,
    triples: Vec<[u8; 3]>,
}

impl Reflected {
    /// Returns the weights for a shape and the blank's home; `None` if no reflection of the board
    /// matches the weights.
    pub fn new(learned: &Arc<Learned>, shape: Shape, goal_blank: Cell) -> Option<Reflected> {
        let images = cell_map(learned.shape_and_blank(), (shape, goal_blank))?;
        let (goal_blank, triples) = (goal_blank.index(), trominoes(shape, goal_blank.index()));
        Some(Reflected { learned: Arc::clone(learned), shape, goal_blank, images, triples })
    }
}

/// Returns true if weights for one shape and home of the blank can be used for another.
pub(super) fn serves(weights: (Shape, Cell), wanted: (Shape, Cell)) -> bool {
    cell_map(weights, wanted).is_some()
}

/// Returns for each cell of the board the corresponding cell on the board of the weights; `None` if
/// no reflection matches them. If possible, rows remain rows.
fn cell_map((weights_shape, blank): (Shape, Cell), (shape, wanted): (Shape, Cell)) -> Option<Vec<usize>> {
    let symmetry = Symmetry::between(shape, weights_shape).find(|symmetry| symmetry.cell(shape, wanted) == blank)?;
    Some(symmetry.cells(shape).map(Cell::index).collect())
}

impl Weights for Reflected {
    fn shape(&self) -> Shape {
        self.shape
    }

    fn goal_blank(&self) -> usize {
        self.goal_blank
    }

    fn single(&self, tile: usize, cell: usize) -> i32 {
        self.learned.single(self.images[tile], self.images[cell])
    }

    fn pair(&self, one: (usize, usize), other: (usize, usize)) -> i32 {
        let image_of = |(tile, cell): (usize, usize)| (self.images[tile], self.images[cell]);
        self.learned.pair(image_of(one), image_of(other))
    }

    fn triples(&self) -> &[[u8; 3]] {
        &self.triples
    }

    fn triple(&self, number: usize) -> Vec<i8> {
        let n = self.shape.cells();
        let homes = self.triples[number].map(|home| self.images[usize::from(home)] as u8);
        let mut order = [0, 1, 2];
        order.sort_unstable_by_key(|&i| homes[i]);
        let sorted = order.map(|i| homes[i]);
        let Ok(number) = self.learned.triples().binary_search(&sorted) else { return vec![0; n.pow(3)] };
        let weights = &self.learned.triple_weights()[number * n.pow(3)..][..n.pow(3)];
        let strides = [1, n, n * n];
        // By tile and cell: the contribution to the index in `weights`.
        let mut parts = [const { Vec::new() }; 3];
        for (place, tile) in order.into_iter().enumerate() {
            parts[tile] = self.images.iter().map(|&image| strides[place] * image).collect();
        }
        let [first, second, third] = parts;
        let mut reflected = Vec::with_capacity(n.pow(3));
        for c in &third {
            for b in &second {
                reflected.extend(first.iter().map(|a| weights[a + b + c]));
            }
        }
        reflected
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
            let original = Tables::new(&*learned, &AtomicBool::new(false)).unwrap();
            let mut found = 0;
            for shape in shapes.map(|shape| shape.parse::<Shape>().unwrap()) {
                for wanted in (0..shape.cells()).map(Cell::new) {
                    let Some(reflected) = Reflected::new(&learned, shape, wanted) else { continue };
                    found += 1;
                    let tables = Tables::new(&reflected, &AtomicBool::new(false)).unwrap();
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
}
