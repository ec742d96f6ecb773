//! Why puzzles could not be generated.

use crate::board::Shape;

/// Why puzzles were not generated.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The range of difficulties is empty.
    #[error("no board has from {from} to {to} moves: the range is empty")]
    EmptyRange {
        /// Its first number.
        from: u16,
        /// Its last number.
        to: u16,
    },
    /// Their difficulty cannot be found out.
    #[error("{0} boards are too large to be searched: their difficulty cannot be chosen")]
    TooLarge(Shape),
    /// No board needs so many moves.
    #[error("no {shape} board needs so many moves: the farthest need {farthest}")]
    BeyondFarthest {
        /// Of this shape.
        shape: Shape,
        /// The farthest distance there is.
        farthest: u16,
    },
    /// Boards so hard are not known, and random ones are easier.
    #[error("{shape} boards of more than {usual} moves are too rare to be found at random, and none is known")]
    TooRare {
        /// Of this shape and goal.
        shape: Shape,
        /// What random boards need at the most.
        usual: u16,
    },
    /// They take too long to be solved.
    #[error("{shape} boards of more than {most} moves take too long to be solved for certain")]
    TooHard {
        /// Of this shape.
        shape: Shape,
        /// The most moves that are generated.
        most: u16,
    },
    /// Nobody has counted how many boards of such a shape need how many moves.
    #[error(
        "the distribution of {0} boards to this goal is not known, so that there is no easy and no hard: choose lengths (--moves) or walks (--walk)"
    )]
    NoDistribution(Shape),
    /// Lengths are to be spread evenly over boards of which each has a goal of its own.
    #[error("lengths can be spread evenly for one goal only, not where each board has its own")]
    EvenOverGoals,
    /// They are too rare, or there are no more.
    #[error(
        "gave up after {tried} boards in a row that were not what was asked for, or not new: found {found} of {asked} {what}"
    )]
    GaveUp {
        /// How many were found.
        found: u64,
        /// How many were asked for.
        asked: u64,
        /// What they are.
        what: &'static str,
        /// How many were tried in vain.
        tried: u64,
    },
    /// There are none, or no more.
    #[error("{}", too_few(*found, *asked, what))]
    TooFew {
        /// How many there are.
        found: u64,
        /// How many were asked for.
        asked: u64,
        /// What they are.
        what: &'static str,
    },
    /// The program failed on a board.
    #[error("the program failed on the board {board}: {message}")]
    Internal {
        /// The board.
        board: String,
        /// How it failed.
        message: String,
    },
    /// It was ended from another thread.
    #[error("cancelled")]
    Cancelled,
    /// The threads could not be started.
    #[error(transparent)]
    Threads(#[from] crate::board::Error),
}

fn too_few(found: u64, asked: u64, what: &str) -> String {
    let were = if asked == 1 { "was" } else { "were" };
    match found {
        0 => format!("no such {what} exist; {asked} {were} requested"),
        1 => format!("only 1 such {} exists; {asked} {were} requested", what.trim_end_matches('s')),
        _ => format!("only {found} such {what} exist; {asked} {were} requested"),
    }
}
