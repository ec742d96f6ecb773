//! The verdict of a judge run.

use std::io;
use std::sync::Arc;

use super::fault::Fault;
use crate::board::Board;
use crate::format::input::InputError;

/// The verdict of a run.
#[derive(Debug)]
pub struct Verdict {
    /// The number of right answers up to the first fault.
    pub right: u64,
    /// The first fault.
    pub fault: Option<Finding>,
}

/// A fault and its location.
#[derive(Debug)]
pub struct Finding {
    /// The fault.
    pub fault: Fault,
    /// The case: the number of the record. If the fault concerns no single record, the number of
    /// the last record expected.
    pub case: u64,
    /// The name of the input, as given, and the line of the record in it.
    pub input: Option<(Arc<str>, u64)>,
    /// The line on which the answer starts.
    pub answer_line: Option<u64>,
    /// The board and goal, if the record is a valid board.
    pub puzzle: Option<(Board, Board)>,
}

/// The error that ended a run without a verdict.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The input could not be read completely.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The contestant's answers could not be read completely.
    #[error("cannot read the answer: {0}")]
    Answer(#[source] io::Error),
    /// The jury's answers could not be read completely.
    #[error("cannot read the jury's answer: {0}")]
    Jury(#[source] io::Error),
    /// The threads could not be started.
    #[error(transparent)]
    Threads(#[from] crate::board::Error),
}
