//! The claims of a contestant's answer file. They may be false.

use std::ops::Range;

/// The claim about one record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The line on which the answer begins, counted from 1.
    pub line: u64,
    /// The answer.
    pub answer: ClaimedAnswer,
}

/// The claimed answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClaimedAnswer {
    /// The board has a solution.
    Solved {
        /// The number of moves, if the format includes it.
        moves: Option<u64>,
        /// The solution, if the format includes it.
        path: ClaimedPath,
    },
    /// The board has no solution.
    Unsolvable,
    /// Every solution has more moves than the judge allows.
    TooLong,
    /// Not an answer, for this reason. Nothing after it was read.
    Malformed(Box<str>),
    /// The file ends before the answer.
    Missing,
}

/// A claimed solution, unparsed: a range of [`Claims::text`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClaimedPath {
    /// The format does not include a path.
    NotGiven,
    /// Moves on one line.
    OneLine(Range<usize>),
    /// One move on each line.
    Lines(Range<usize>),
    /// The boards along the path.
    Boards(Range<usize>),
}

/// Claims about consecutive records.
#[derive(Clone, Debug, Default)]
pub struct Claims {
    /// The text that the ranges of the claims refer to.
    pub text: Vec<u8>,
    /// One claim for each record; fewer only if the last is malformed.
    pub claims: Vec<Claim>,
}
