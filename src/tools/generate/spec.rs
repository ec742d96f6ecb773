//! What puzzles are asked for.

use std::ops::RangeInclusive;

use crate::board::{Board, Shape};

/// A board and what it is to be turned into.
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
    /// The same for all.
    Same(Board),
    /// Each its own, drawn evenly from all boards of a shape.
    Random(Shape),
}

impl Goals {
    /// The shape of all boards.
    pub fn shape(&self) -> Shape {
        match self {
            Goals::Same(goal) => goal.shape(),
            Goals::Random(shape) => *shape,
        }
    }
}

/// What puzzles are asked for. The same specification gives the same puzzles, on every machine.
#[derive(Clone, Debug)]
pub struct Spec {
    /// The goals.
    pub goals: Goals,
    /// The number of puzzles.
    pub count: u64,
    /// The number of them that have no solution. They are spread at random.
    pub unsolvable: u64,
    /// The lengths of the shortest solutions of the others; `None`: any.
    pub moves: Option<RangeInclusive<u16>>,
    /// How many there are to be of each of those lengths.
    pub spread: Spread,
    /// The others are made by random walks of so many moves from the goal, never straight back; `None`: they are drawn.
    /// Where lengths of shortest solutions are asked for it has no meaning.
    pub walk: Option<RangeInclusive<u64>>,
    /// Whether a puzzle, or a reflection of it, may come twice.
    pub repeats: Repeats,
    /// Other seeds give other puzzles.
    pub seed: u64,
}

impl Spec {
    /// Puzzles of one goal, drawn evenly from all that have a solution.
    pub fn uniform(goal: Board, count: u64, seed: u64) -> Spec {
        let (goals, repeats) = (Goals::Same(goal), Repeats::Allowed);
        Spec { goals, count, unsolvable: 0, moves: None, spread: Spread::Natural, walk: None, repeats, seed }
    }
}

/// Whether a puzzle may come twice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Repeats {
    /// It may.
    Allowed,
    /// It may not, nor may its reflection where that keeps the goal.
    Avoided,
    /// It may not; its reflection may.
    AvoidedAlone,
}

/// How many puzzles there are to be of each length that was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Spread {
    /// As many as there are among all boards of these lengths, about: most of the longer ones.
    Natural,
    /// The same number of each, as far as there are so many.
    Even,
}

impl Spread {
    /// Its name in options.
    pub const fn name(self) -> &'static str {
        match self {
            Spread::Natural => "natural",
            Spread::Even => "even",
        }
    }
}
