//! Whether a board may be a random one, by its Manhattan distance.

use crate::board::Shape;

/// Boards as far from their goal may be random ones. Those of a file that was mixed by few moves are not, and one of them that takes long
/// says nothing of the others: of 1,000 random 15-puzzles 951 are as far, of 1,000 walks of 45 moves 129.
pub(super) const MAY_BE_RANDOM: f64 = 0.75;

/// Boards as far are supposed to be random ones before anything is known of a file: 764 and 6 of the same.
pub(super) const IS_RANDOM: f64 = 0.9;

/// How far a board is from its goal, by its Manhattan distance: 1 is about the mean of random boards. The tile that is missing where
/// the blank belongs is taken for one of the mean: 2 % too much where that is a corner of 2×7.
pub(super) fn farness(shape: Shape, manhattan_distance: u64) -> f64 {
    let mean_of_a_tile = |side: usize| (side * side - 1) as f64 / (3 * side) as f64;
    let mean = (shape.cells() - 1) as f64 * (mean_of_a_tile(shape.rows()) + mean_of_a_tile(shape.cols()));
    manhattan_distance as f64 / mean
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Goal, Tile};
    use crate::system::Random;

    /// Ten thousand boards of a square and of a rectangle, in whatever order their tiles are.
    #[test]
    fn random_boards_are_as_far_as_the_mean() {
        let mut random = Random::new(5);
        for (rows, cols) in [(4, 4), (2, 7)] {
            let shape = Shape::new(rows, cols).unwrap();
            let goal = Goal::BlankLast.on(shape).unwrap();
            let mut tiles: Vec<Tile> = goal.tiles().to_vec();
            let mut far = |_| {
                random.shuffle(&mut tiles);
                farness(shape, Board::new(shape, &tiles).unwrap().manhattan_distance(&goal))
            };
            let mean = (0..10_000).map(&mut far).sum::<f64>() / 10_000.0;
            assert!((0.97..1.01).contains(&mean), "{shape} {mean}");
            assert_eq!(farness(shape, goal.manhattan_distance(&goal)), 0.0);
        }
    }
}
