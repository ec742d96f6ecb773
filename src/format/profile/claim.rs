//! What a contestant's answer file claims of a record, whether it is true or not.

use std::ops::Range;

/// What the file says of one record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The line that it begins on, counted from 1.
    pub line: u64,
    /// The answer.
    pub answer: ClaimedAnswer,
}

/// The answer that the file gives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClaimedAnswer {
    /// The board has a solution.
    Solved {
        /// Its number of moves, where the format has it.
        moves: Option<u64>,
        /// The solution itself, where the format has it.
        path: ClaimedPath,
    },
    /// The board has none.
    Unsolvable,
    /// It has none that is short enough for the judge.
    TooLong,
    /// This is not an answer; the text says why. Nothing behind it was read.
    Malformed(Box<str>),
    /// The file has ended before it.
    Missing,
}

/// A solution as it was written: a range of [`Claims::text`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClaimedPath {
    /// The format has no path.
    NotGiven,
    /// Moves on one line.
    OneLine(Range<usize>),
    /// Moves, a line each.
    Lines(Range<usize>),
    /// Boards.
    Boards(Range<usize>),
}

/// Claims of consecutive records.
#[derive(Clone, Debug, Default)]
pub struct Claims {
    /// What the ranges of the claims lie in.
    pub text: Vec<u8>,
    /// One for each record; fewer only when the last is malformed.
    pub claims: Vec<Claim>,
}
