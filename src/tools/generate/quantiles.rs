//! Words for difficulties: quarters of all boards of a shape, by the lengths of their shortest solutions.
//!
//! *Easy* are the lengths up to the one that a quarter of all boards do not exceed, *hard* those beyond the one that three quarters do not
//! exceed, *medium* the lengths between. Lengths are whole numbers, so that each word stands for a quarter (or half) of all boards as nearly as that
//! allows. Small shapes are searched whole; for larger ones the lengths come from distributions that were published.

use std::ops::RangeInclusive;

use super::error::Error;
use super::layers::DistanceLayers;
use crate::board::Board;
use crate::board::frame::{Frame, Space};

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

/// Where the goal's blank is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    Corner,
    Edge,
    Centre,
}

/// A shape's sides, where the blank belongs, and its quantiles.
type Published = ((usize, usize), Place, (u16, u16, u16));

/// For shapes too large to be searched whole: a quarter of all boards is solved in so many moves, three quarters in so many, the farthest in so many.
/// From the logs of SlidingTilesSolver by lightln2 (2022), a whole search of each.
const PUBLISHED: [Published; 8] = [
    ((2, 6), Place::Corner, (44, 54, 80)),
    ((2, 7), Place::Corner, (59, 72, 108)),
    ((2, 8), Place::Corner, (77, 92, 140)),
    ((3, 4), Place::Corner, (32, 38, 53)),
    ((3, 5), Place::Corner, (47, 56, 84)),
    ((4, 4), Place::Corner, (49, 56, 80)),
    ((4, 4), Place::Edge, (49, 56, 80)),
    ((4, 4), Place::Centre, (49, 56, 80)),
];

/// The most states of shapes that are searched whole: ten cells.
const MOST_STATES: usize = 1_814_400;

/// The lengths that a quarter and three quarters of all boards do not exceed, and the greatest.
fn quantiles(goal: &Board) -> Option<(u16, u16, u16)> {
    let shape = goal.shape();
    let sides = (shape.rows().min(shape.cols()), shape.rows().max(shape.cols()));
    if let Some((.., known)) = PUBLISHED.iter().find(|(of, place, _)| *of == sides && *place == place_of(goal)) {
        return Some(*known);
    }
    // On a line there is one board for each place of the blank, which a search finds as well.
    let sizes = Frame::new(goal).and_then(|frame| sizes(frame.space()))?;
    let all: usize = sizes.iter().sum();
    let reaching = |share: usize| {
        let mut sum = 0;
        sizes.iter().position(|size| {
            sum += size;
            4 * sum >= share * all
        })
    };
    Some((reaching(1)? as u16, reaching(3)? as u16, sizes.len() as u16 - 1))
}

/// How many boards there are at each distance; `None` where there are too many.
fn sizes(space: &Space) -> Option<Vec<usize>> {
    DistanceLayers::sizes(space, MOST_STATES)
}

fn place_of(goal: &Board) -> Place {
    let (shape, blank) = (goal.shape(), goal.blank());
    let (row, col) = (shape.row(blank), shape.col(blank));
    match (row == 0 || row + 1 == shape.rows(), col == 0 || col + 1 == shape.cols()) {
        (true, true) => Place::Corner,
        (false, false) => Place::Centre,
        _ => Place::Edge,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Goal;

    /// The quarters of a published distribution, counted here.
    fn of_file(name: &str) -> (u16, u16, u16) {
        let path = format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        let row = |line: &str| {
            let (moves, boards) = line.split_once(' ').unwrap();
            (moves.parse::<u16>().unwrap(), boards.parse::<u64>().unwrap())
        };
        let rows: Vec<(u16, u64)> = text.lines().filter(|line| !line.starts_with('#')).map(row).collect();
        let all: u64 = rows.iter().map(|row| row.1).sum();
        let up_to = |moves: u16| rows.iter().filter(|row| row.0 <= moves).map(|row| row.1).sum::<u64>();
        let least = |share: u64| (0..).find(|&moves| 4 * up_to(moves) >= share * all).unwrap();
        (least(1), least(3), rows.last().unwrap().0)
    }

    #[test]
    fn quarters_are_those_of_the_published_distributions() {
        for (shape, goal, file) in [
            ("2x2", "blank-last", "dist_2x2_corner.txt"),
            ("3x2", "blank-first", "dist_2x3_corner.txt"),
            ("3x3", "blank-last", "dist_3x3_corner.txt"),
            ("3x3", "snail", "dist_3x3_center.txt"),
            ("3x3", "1,0,2/3,4,5/6,7,8", "dist_3x3_edge.txt"),
            ("2x6", "blank-last", "dist_2x6_corner.txt"),
            ("7x2", "blank-first", "dist_2x7_corner.txt"),
            ("2x8", "blank-last", "dist_2x8_corner.txt"),
            ("4x3", "blank-last", "dist_3x4_corner.txt"),
            ("3x5", "blank-last", "dist_3x5_corner.txt"),
            ("4x4", "blank-first", "dist_4x4_corner.txt"),
            ("4x4", "1,0,2,3/4,5,6,7/8,9,10,11/12,13,14,15", "dist_4x4_edge.txt"),
            ("4x4", "snail", "dist_4x4_center.txt"),
        ] {
            let goal = goal.parse::<Goal>().unwrap().on(shape.parse().unwrap()).unwrap();
            assert_eq!(quantiles(&goal), Some(of_file(file)), "{goal}");
        }
        let large = Goal::BlankLast.on("5x5".parse().unwrap()).unwrap();
        assert!(Rank::Easy.moves(&large).unwrap_err().to_string().contains("--moves"));
    }
}
