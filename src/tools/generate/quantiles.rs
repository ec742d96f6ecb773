//! Words for difficulties: quarters of all boards of a shape, by the lengths of their shortest solutions.
//!
//! *Easy* are the lengths up to the one that a quarter of all boards do not exceed, *hard* those beyond the one that three quarters do not
//! exceed, *medium* the lengths between. Lengths are whole numbers, so that each word stands for a quarter (or half) of all boards as nearly as that
//! allows. Small shapes are searched whole; for larger ones the lengths come from distributions that were published.

use std::ops::RangeInclusive;

use super::error::Error;
use super::layers::DistanceLayers;
use crate::board::Board;
use crate::board::distribution::{Blank, Distribution};
use crate::board::frame::Frame;

/// How hard boards are among all of their shape and goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Rank {
    /// The quarter of the shortest solutions.
    Easy,
    /// The half between.
    Medium,
    /// The quarter of the longest.
    Hard,
}

impl Rank {
    /// All of them.
    pub const ALL: [Rank; 3] = [Rank::Easy, Rank::Medium, Rank::Hard];

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Rank::Easy => "easy",
            Rank::Medium => "medium",
            Rank::Hard => "hard",
        }
    }

    /// The lengths of the shortest solutions of such boards.
    ///
    /// # Errors
    /// When the distribution of the shape and goal is not known.
    pub fn moves(self, goal: &Board) -> Result<RangeInclusive<u16>, Error> {
        let (quarter, three_quarters, farthest) = quantiles(goal).ok_or(Error::NoDistribution(goal.shape()))?;
        Ok(match self {
            Rank::Easy => 0..=quarter,
            Rank::Medium => quarter + 1..=three_quarters,
            Rank::Hard => three_quarters + 1..=farthest,
        })
    }
}

/// The most states of shapes that are searched whole: ten cells.
const MOST_STATES: usize = 1_814_400;

/// The lengths that a quarter and three quarters of all boards do not exceed, and the greatest.
fn quantiles(goal: &Board) -> Option<(u16, u16, u16)> {
    let published = Distribution::of(goal.shape(), Blank::of(goal)).map(|published| published.boards.clone());
    // On a line there is one board for each place of the blank, which a search finds as well.
    let sizes = published.or_else(|| DistanceLayers::sizes(Frame::new(goal)?.space(), MOST_STATES))?;
    Some(quarters(&sizes))
}

fn quarters(sizes: &[u64]) -> (u16, u16, u16) {
    let all: u64 = sizes.iter().sum();
    let reaching = |share: u64| {
        let mut sum = 0;
        let reached = sizes.iter().position(|size| {
            sum += size;
            4 * sum >= share * all
        });
        reached.unwrap_or(0) as u16
    };
    (reaching(1), reaching(3), sizes.len() as u16 - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Goal;

    /// What the published distributions give, and a search of a small shape.
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
            let searched = DistanceLayers::sizes(Frame::new(&goal).unwrap().space(), MOST_STATES).unwrap();
            assert_eq!(quantiles(&goal), Some(quarters(&searched)), "{goal}");
        }
        let large = Goal::BlankLast.on("5x5".parse().unwrap()).unwrap();
        assert!(Rank::Easy.moves(&large).unwrap_err().to_string().contains("--moves"));
    }
}
