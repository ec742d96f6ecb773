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
    /// The specification contradicts itself, or no method can meet it. The message says why.
    #[error("{0}")]
    Unsupported(String),
    /// There are too few such boards, or too few were found. The message says why.
    #[error("{0}")]
    NotFound(String),
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

impl Error {
    /// Returns the error for boards that are too large to be solved.
    pub(super) fn too_large(shape: Shape) -> Error {
        Error::Unsupported(format!(
            "the difficulty of {shape} boards cannot be chosen, because they are too large: use walks (--walk)"
        ))
    }

    /// Returns the error for a request of `asked` boards, of which only `found` exist. `what` is
    /// the noun for the boards. `boards` is the number that exist if reflections count as different
    /// boards, if that is known to be greater.
    pub(super) fn too_few(found: u64, asked: u64, what: &str, boards: Option<u64>) -> Error {
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
        Error::NotFound(format!("{exist}{when}; {} {were} requested{allowed}", grouped(asked)))
    }
}
