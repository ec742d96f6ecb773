//! Named difficulties: quartiles of all boards of a shape, by the lengths of their shortest
//! solutions.
//!
//! *Easy* covers the lengths up to the first quartile, *medium* those up to the third quartile, and
//! *hard* the rest. Lengths are integers, so the shares are not exactly a quarter, a half and a
//! quarter of all boards. The lengths come from the published distribution of the shape. Small
//! shapes without one are searched completely.

use std::ops::RangeInclusive;

use super::layers::{DistanceLayers, MAX_STATES};
use super::spec::Error;
use crate::board::Board;
use crate::board::distribution::{Distribution, GoalBlank};
use crate::board::frame::Frame;

/// The difficulty of boards relative to all boards of their shape and goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum NamedDifficulty {
    /// The quarter with the shortest solutions.
    Easy,
    /// The middle half.
    Medium,
    /// The quarter with the longest solutions.
    Hard,
}

impl NamedDifficulty {
    /// All of them.
    pub const ALL: [NamedDifficulty; 3] = [NamedDifficulty::Easy, NamedDifficulty::Medium, NamedDifficulty::Hard];

    /// Returns the name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            NamedDifficulty::Easy => "easy",
            NamedDifficulty::Medium => "medium",
            NamedDifficulty::Hard => "hard",
        }
    }

    /// Returns the lengths of the shortest solutions of boards of this difficulty.
    ///
    /// # Errors
    /// When the distribution for the shape and goal is unknown.
    pub fn moves(self, goal: &Board) -> Result<RangeInclusive<u16>, Error> {
        let (quarter, three_quarters, farthest) = quantiles(goal).ok_or_else(|| Error::Unsupported(format!("the distribution of {} boards for this goal is unknown: choose lengths (--moves) or walks (--walk) instead of a difficulty", goal.shape())))?;
        Ok(match self {
            NamedDifficulty::Easy => 0..=quarter,
            NamedDifficulty::Medium => quarter + 1..=three_quarters,
            NamedDifficulty::Hard => three_quarters + 1..=farthest,
        })
    }
}

/// Returns the first and third quartile of all lengths, and the greatest length.
fn quantiles(goal: &Board) -> Option<(u16, u16, u16)> {
    let published = Distribution::of(goal.shape(), GoalBlank::of(goal)).map(|published| published.boards.clone());
    // On a board of one row or column only the blank's place varies; the search covers these shapes
    // as well.
    let searched = || Some(DistanceLayers::search(Frame::new(goal)?.space(), &(0..=u16::MAX), MAX_STATES)?.sizes());
    Some(quarters(&published.or_else(searched)?))
}

fn quarters(sizes: &[u64]) -> (u16, u16, u16) {
    let total: u64 = sizes.iter().sum();
    let length_reaching = |share: u64| {
        let mut sum = 0;
        let reached = sizes.iter().position(|size| {
            sum += size;
            4 * sum >= share * total
        });
        reached.unwrap_or(0) as u16
    };
    (length_reaching(1), length_reaching(3), sizes.len() as u16 - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Goal;

    /// The quartiles of the published distributions and, for small shapes, of a complete search.
    #[test]
    fn quarters_of_all_boards() {
        for (shape, goal, expected) in [
            ("2x6", "blank-last", (44, 54, 80)),
            ("7x2", "blank-first", (59, 72, 108)),
            ("2x8", "blank-last", (77, 92, 140)),
            ("4x3", "blank-last", (32, 38, 53)),
            ("3x5", "blank-last", (47, 56, 84)),
            ("4x4", "blank-first", (49, 56, 80)),
            ("4x4", "snail", (49, 56, 80)),
            ("1x9", "blank-last", (2, 6, 8)),
        ] {
            let goal = goal.parse::<Goal>().unwrap().on(shape.parse().unwrap()).unwrap();
            assert_eq!(quantiles(&goal), Some(expected), "{goal}");
        }
        for (shape, goal) in [("2x4", "blank-last"), ("3x3", "snail"), ("3x3", "1,0,2/3,4,5/6,7,8")] {
            let goal = goal.parse::<Goal>().unwrap().on(shape.parse().unwrap()).unwrap();
            let (frame, all) = (Frame::new(&goal).unwrap(), 0..=u16::MAX);
            let searched = DistanceLayers::search(frame.space(), &all, MAX_STATES).unwrap().sizes();
            assert_eq!(quantiles(&goal), Some(quarters(&searched)), "{goal}");
        }
        let large = Goal::BlankLast.on("5x5".parse().unwrap()).unwrap();
        assert!(NamedDifficulty::Easy.moves(&large).unwrap_err().to_string().contains("--moves"));
    }
}
