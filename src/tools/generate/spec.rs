//! The specification of puzzles, and the errors of generating them.

use std::ops::RangeInclusive;

use crate::board::{Board, Shape};
use crate::system::grouped;

/// A board and its goal.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Puzzle {
    /// The start.
    pub board: Board,
    /// The goal.
    pub goal: Board,
}

impl From<Puzzle> for crate::solver::Puzzle {
    fn from(puzzle: Puzzle) -> crate::solver::Puzzle {
        crate::solver::Puzzle { board: puzzle.board, goal: puzzle.goal.into() }
    }
}

/// The goals of puzzles.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Goals {
    /// The same goal for all.
    Same(Board),
    /// A random goal for each, uniform among all boards of a shape.
    Random(Shape),
}

impl Goals {
    /// Returns the shape of all boards.
    pub fn shape(&self) -> Shape {
        match self {
            Goals::Same(goal) => goal.shape(),
            Goals::Random(shape) => *shape,
        }
    }
}

/// The specification of puzzles. The same specification gives the same puzzles on every machine.
#[derive(Clone, Debug)]
pub struct Spec {
    /// The goals.
    pub goals: Goals,
    /// The number of puzzles.
    pub count: u64,
    /// The number of unsolvable puzzles. They are placed at random.
    pub unsolvable: u64,
    /// The lengths of the shortest solutions of the solvable puzzles; `None` for any.
    pub moves: Option<RangeInclusive<u16>>,
    /// The distribution over these lengths.
    pub spread: Spread,
    /// The lengths of the random walks from the goal that end at the solvable boards; `None` for
    /// uniformly random boards. A walk undoes its last move only at the end of a line. Ignored if
    /// `moves` is set.
    pub walk: Option<RangeInclusive<u64>>,
    /// The rule for duplicates.
    pub repeats: Repeats,
    /// The seed of the random numbers.
    pub seed: u64,
}

impl Spec {
    /// Returns the specification of puzzles with one goal, uniform among all solvable boards.
    pub fn uniform(goal: Board, count: u64, seed: u64) -> Spec {
        let (goals, repeats) = (Goals::Same(goal), Repeats::Allowed);
        Spec { goals, count, unsolvable: 0, moves: None, spread: Spread::Natural, walk: None, repeats, seed }
    }
}

/// The rule for duplicates.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Repeats {
    /// Duplicates are allowed.
    #[default]
    Allowed,
    /// No puzzle occurs twice; its reflections are allowed.
    ExactAvoided,
    /// No puzzle occurs twice, or together with a reflection of it that keeps the goal's blank in
    /// its cell.
    ReflectionsAvoided,
}

/// The distribution of puzzles over the requested lengths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Spread {
    /// Roughly as among all boards of these lengths.
    Natural,
    /// The same number of each length, as far as the boards exist.
    Even,
}

impl Spread {
    /// Returns the distribution's name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Spread::Natural => "natural",
            Spread::Even => "even",
        }
    }
}

/// An error of generating puzzles.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The range of lengths is empty.
    #[error("the range of moves from {from} to {to} is empty")]
    EmptyRange {
        /// The first number of the range.
        from: u16,
        /// The last number of the range.
        to: u16,
    },
    /// The boards are too large to be solved.
    #[error("the difficulty of {0} boards cannot be chosen, because they are too large: use walks (--walk)")]
    TooLarge(Shape),
    /// No board needs that many moves.
    #[error("no {shape} board needs that many moves: the hardest need {farthest}")]
    BeyondFarthest {
        /// The shape.
        shape: Shape,
        /// The greatest distance of a board.
        farthest: u16,
    },
    /// No boards that hard are known, and random boards are easier.
    #[error("{shape} boards of more than {usual} moves are too rare to find at random, and none are known")]
    TooRare {
        /// The shape.
        shape: Shape,
        /// The maximum number of moves that random boards usually need.
        usual: u16,
    },
    /// The boards take too long to solve.
    #[error("{shape} boards of more than {most} moves take too long to solve")]
    TooHard {
        /// The shape.
        shape: Shape,
        /// The maximum number of moves of the boards that are generated.
        most: u16,
    },
    /// The distribution of moves for this shape and goal is unknown.
    #[error(
        "the distribution of {0} boards for this goal is unknown: choose lengths (--moves) or walks (--walk) instead of a difficulty"
    )]
    NoDistribution(Shape),
    /// Lengths cannot be spread evenly if each board has its own goal.
    #[error("lengths can be spread evenly only if all boards have the same goal")]
    EvenOverGoals,
    /// The boards are too rare, or there are no more.
    #[error("gave up after {} candidates without a match: found {} of {} {what}", grouped(*tried), grouped(*found), grouped(*asked))]
    GaveUp {
        /// The number found.
        found: u64,
        /// The number requested.
        asked: u64,
        /// The noun for the boards.
        what: &'static str,
        /// The number of consecutive candidates that gave no new board.
        tried: u64,
    },
    /// Fewer boards exist than were requested.
    #[error("{}", too_few(*found, *asked, what, *boards))]
    TooFew {
        /// The number that exist.
        found: u64,
        /// The number requested.
        asked: u64,
        /// The noun for the boards.
        what: &'static str,
        /// The number that exist if reflections count as different boards, if that is known to be
        /// greater.
        boards: Option<u64>,
    },
    /// An internal error on a board.
    #[error("the program failed on the board {board}: {message}")]
    Internal {
        /// The board.
        board: String,
        /// The error message.
        message: String,
    },
    /// Another thread cancelled the work.
    #[error("cancelled")]
    Cancelled,
    /// The threads could not be started.
    #[error(transparent)]
    Threads(#[from] crate::board::Error),
}

fn too_few(found: u64, asked: u64, what: &str, boards: Option<u64>) -> String {
    let (which, when, allowed) = match boards {
        None => ("such", "", String::new()),
        Some(boards) => {
            let allowed = format!(" (--unique=boards allows {})", grouped(boards));
            ("distinct", " when reflections count as the same", allowed)
        }
    };
    let exist = match found {
        0 => format!("no {which} {what} exist"),
        1 => format!("only 1 {which} {} exists", what.trim_end_matches('s')),
        _ => format!("only {} {which} {what} exist", grouped(found)),
    };
    let were = if asked == 1 { "was" } else { "were" };
    format!("{exist}{when}; {} {were} requested{allowed}", grouped(asked))
}
