//! How a run of the judge ends.

use std::io;
use std::sync::Arc;

use super::fault::Fault;
use crate::board::Board;
use crate::format::input::InputError;

/// How a run ended.
#[derive(Debug)]
pub struct Verdict {
    /// Records whose answers are right, up to the first fault.
    pub right: u64,
    /// The first record whose answer is not.
    pub fault: Option<Finding>,
}

/// A fault, and where it was found.
#[derive(Debug)]
pub struct Finding {
    /// What is wrong.
    pub fault: Fault,
    /// The record's number.
    pub case: u64,
    /// Where the record was read: the file as it was named, and the line.
    pub input: Option<(Arc<str>, u64)>,
    /// The line on which the answer begins.
    pub answer_line: Option<u64>,
    /// Board and goal, where there is a board.
    pub puzzle: Option<(Board, Board)>,
}

/// Why a run ended without a verdict.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The input could not be read to its end.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The contestant's answers could not be read to their end.
    #[error("the answer cannot be read: {0}")]
    Answer(#[source] io::Error),
    /// The jury's could not.
    #[error("the jury's answer cannot be read: {0}")]
    Jury(#[source] io::Error),
    /// The threads could not be started.
    #[error(transparent)]
    Threads(#[from] crate::board::Error),
}
