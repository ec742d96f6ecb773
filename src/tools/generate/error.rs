//! The errors of generating puzzles.

use crate::board::Shape;
use crate::system::grouped;

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
    /// No boards that hard are known, and random ones are easier.
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
        /// The maximum number of moves generated.
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
    #[error("{}", too_few(*found, *asked, what))]
    TooFew {
        /// The number that exist.
        found: u64,
        /// The number requested.
        asked: u64,
        /// The noun for the boards.
        what: &'static str,
    },
    /// Fewer boards exist than were requested if reflections count as the same.
    #[error(
        "only {} when reflections count as the same; {} {} requested (--unique=boards allows {})",
        distinct(*found, what), grouped(*asked), if *asked == 1 { "was" } else { "were" }, grouped(*boards)
    )]
    TooFewReflected {
        /// The number that exist.
        found: u64,
        /// The number requested.
        asked: u64,
        /// The noun for the boards.
        what: &'static str,
        /// The number that exist if reflections count as different.
        boards: u64,
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

fn distinct(found: u64, what: &str) -> String {
    match found {
        1 => format!("1 distinct {} exists", what.trim_end_matches('s')),
        _ => format!("{} distinct {what} exist", grouped(found)),
    }
}

fn too_few(found: u64, asked: u64, what: &str) -> String {
    let were = if asked == 1 { "was" } else { "were" };
    let asked = grouped(asked);
    match found {
        0 => format!("no such {what} exist; {asked} {were} requested"),
        1 => format!("only 1 such {} exists; {asked} {were} requested", what.trim_end_matches('s')),
        _ => format!("only {} such {what} exist; {asked} {were} requested", grouped(found)),
    }
}
