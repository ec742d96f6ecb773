//! Published distributions: the number of boards of a shape by the length of their shortest
//! solutions.
//!
//! Tiles can be relabelled, so a distribution depends only on the shape and the goal cell of the
//! blank. The numbers and their sources are in `distributions.txt`.

use std::fmt;
use std::sync::LazyLock;

use super::{Board, Shape};

/// The kind of cell that the goal's blank is in. A published distribution holds for every cell of
/// one kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum GoalBlank {
    Corner,
    Edge,
    Inside,
}

impl GoalBlank {
    /// Returns the kind of cell that a goal's blank is in.
    pub fn of(goal: &Board) -> GoalBlank {
        let (shape, blank) = (goal.shape(), goal.blank());
        let is_end = |at: usize, length: usize| at == 0 || at + 1 == length;
        match (is_end(shape.row(blank), shape.rows()), is_end(shape.col(blank), shape.cols())) {
            (true, true) => GoalBlank::Corner,
            (false, false) => GoalBlank::Inside,
            _ => GoalBlank::Edge,
        }
    }

    fn named(name: &str) -> Option<GoalBlank> {
        match name {
            "corner" => Some(GoalBlank::Corner),
            "edge" => Some(GoalBlank::Edge),
            "inside" => Some(GoalBlank::Inside),
            _ => None,
        }
    }
}

impl fmt::Display for GoalBlank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GoalBlank::Corner => "in a corner",
            GoalBlank::Edge => "on an edge",
            GoalBlank::Inside => "inside",
        })
    }
}

/// The distribution of a shape and a kind of goal blank.
#[derive(PartialEq, Eq, Debug)]
pub struct Distribution {
    /// `boards[n]` is the number of boards whose shortest solutions have n moves.
    pub boards: Vec<u64>,
}

impl Distribution {
    /// Returns the distribution of a shape and a kind of goal blank, if it is published. A shape
    /// and its transpose have the same distribution.
    pub fn of(shape: Shape, blank: GoalBlank) -> Option<&'static Distribution> {
        static ALL: LazyLock<Vec<(Shape, GoalBlank, Distribution)>> = LazyLock::new(|| {
            let read = |line: &str| {
                let (shape, rest) = line.split_once(' ')?;
                let (blank, boards) = rest.split_once(' ')?;
                let boards = boards.split(' ').filter_map(|number| number.parse().ok()).collect();
                Some((shape.parse().ok()?, GoalBlank::named(blank)?, Distribution { boards }))
            };
            include_str!("distributions.txt").lines().filter_map(read).collect()
        });
        let landscape = if shape.rows() > shape.cols() { shape.transposed() } else { shape };
        ALL.iter().find(|entry| (entry.0, entry.1) == (landscape, blank)).map(|entry| &entry.2)
    }

    /// Returns the maximum number of moves that a board needs.
    pub fn max_moves(&self) -> u64 {
        self.boards.len() as u64 - 1
    }

    /// Returns the number of boards.
    pub fn total(&self) -> u64 {
        self.boards.iter().sum()
    }

    /// Returns the mean length of a shortest solution.
    pub fn mean(&self) -> f64 {
        let moves: u128 =
            self.boards.iter().enumerate().map(|(moves, &boards)| moves as u128 * u128::from(boards)).sum();
        moves as f64 / self.total() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Goal;

    /// Every distribution counts half of all permutations of the tiles and the blank, and has the
    /// published mean.
    #[test]
    fn numbers_match_the_published_ones() {
        let means = [
            ("2x2", GoalBlank::Corner, 3.0),
            ("2x3", GoalBlank::Corner, 12.622222),
            ("2x4", GoalBlank::Corner, 22.677579),
            ("2x5", GoalBlank::Corner, 34.728709),
            ("2x6", GoalBlank::Corner, 48.994256),
            ("2x7", GoalBlank::Corner, 65.483526),
            ("2x8", GoalBlank::Corner, 84.167486),
            ("3x3", GoalBlank::Inside, 21.502800),
            ("3x3", GoalBlank::Corner, 21.972399),
            ("3x3", GoalBlank::Edge, 21.738327),
            ("3x4", GoalBlank::Corner, 35.104321),
            ("3x5", GoalBlank::Corner, 51.477394),
            ("4x4", GoalBlank::Inside, 52.058079),
            ("4x4", GoalBlank::Corner, 52.589472),
            ("4x4", GoalBlank::Edge, 52.305100),
        ];
        for (name, blank, mean) in means {
            let shape: Shape = name.parse().unwrap();
            let found = Distribution::of(shape, blank).unwrap();
            let half_of_all: u64 = (3..=shape.cells() as u64).product();
            assert_eq!(found.total(), half_of_all, "{name} {blank}");
            assert!((found.mean() - mean).abs() < 1e-6, "{name} {blank}");
            assert_eq!(Distribution::of(shape.transposed(), blank), Some(found));
        }
        let lines = include_str!("distributions.txt").lines().filter(|line| !line.starts_with('#'));
        assert_eq!(lines.count(), means.len());
        assert_eq!(Distribution::of(Shape::new(5, 5).unwrap(), GoalBlank::Corner), None);
        assert_eq!(Distribution::of(Shape::new(2, 3).unwrap(), GoalBlank::Edge), None);
    }

    #[test]
    fn kinds_of_goal_blank() {
        let of = |goal: &str, rows, cols| {
            GoalBlank::of(&goal.parse::<Goal>().unwrap().on(Shape::new(rows, cols).unwrap()).unwrap())
        };
        assert_eq!(of("blank-last", 3, 4), GoalBlank::Corner);
        assert_eq!(of("snail", 3, 3), GoalBlank::Inside);
        assert_eq!(of("1,0,2/3,4,5", 2, 3), GoalBlank::Edge);
        assert_eq!(of("1,0,2", 1, 3), GoalBlank::Edge);
    }
}
