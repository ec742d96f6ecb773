//! The claims of a contestant's answer file about a record, whether true or not.

use std::ops::Range;

/// The claim about one record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The line on which it begins, counted from 1.
    pub line: u64,
    /// The answer.
    pub answer: ClaimedAnswer,
}

/// The claimed answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClaimedAnswer {
    /// The board has a solution.
    Solved {
        /// Its number of moves, if the format has it.
        moves: Option<u64>,
        /// The solution itself, if the format has it.
        path: ClaimedPath,
    },
    /// The board has no solution.
    Unsolvable,
    /// The board has no solution that is short enough for the judge.
    TooLong,
    /// Not an answer; the text gives the reason. Nothing after it was read.
    Malformed(Box<str>),
    /// The file ended before it.
    Missing,
}

/// A solution as it was written: a range of [`Claims::text`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClaimedPath {
    /// The format has no path.
    NotGiven,
    /// Moves on one line.
    OneLine(Range<usize>),
    /// One move on each line.
    Lines(Range<usize>),
    /// Boards.
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
