//! The verdict of a judge run: the first fault, and who is responsible.

use std::fmt;
use std::io;
use std::sync::Arc;

use crate::board::Board;
use crate::format::input::InputError;

/// The verdict of a run.
#[derive(Debug)]
pub struct Verdict {
    /// The number of right answers up to the first fault.
    pub right: u64,
    /// The first fault.
    pub first_fault: Option<LocatedFault>,
}

/// A fault and its location.
#[derive(Debug)]
pub struct LocatedFault {
    /// The fault.
    pub fault: Fault,
    /// The case: the number of the record. For a panic, this is the first record of its chunk. If
    /// the fault concerns no single record, it is the number of the last record expected.
    pub case: u64,
    /// The name of the input, as given, and the line of the record in it.
    pub input: Option<(Arc<str>, u64)>,
    /// The line on which the answer starts.
    pub answer_line: Option<u64>,
    /// The board and goal, if the record is a valid board.
    pub puzzle: Option<(Board, Board)>,
}

impl LocatedFault {
    /// Creates a located fault without a location other than the case.
    pub(super) fn of_case(case: u64, fault: Fault) -> LocatedFault {
        LocatedFault { fault, case, input: None, answer_line: None, puzzle: None }
    }
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

/// The kind of a fault, which determines the party responsible.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FaultKind {
    /// The contestant: the answer is wrong.
    Wrong,
    /// The contestant: the output is not an answer in this format.
    Presentation,
    /// The jury: its answer or the input is wrong.
    Jury,
    /// This program: it failed, or an answer proves it wrong.
    Program,
    /// Nobody: the answer was neither proven nor refuted within the limits.
    Undecided,
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FaultKind::Wrong => "wrong answer",
            FaultKind::Presentation => "presentation error",
            FaultKind::Jury => "jury error",
            FaultKind::Program => "TAQUIN ERROR",
            FaultKind::Undecided => "undecided",
        })
    }
}

/// A fault and its message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The kind.
    pub kind: FaultKind,
    /// The message in one sentence.
    pub message: String,
}

impl Fault {
    /// Creates a fault of this kind.
    pub fn new(kind: FaultKind, message: impl Into<String>) -> Fault {
        Fault { kind, message: message.into() }
    }

    /// Creates the fault of a wrong answer.
    pub fn wrong(message: impl Into<String>) -> Fault {
        Fault::new(FaultKind::Wrong, message)
    }

    /// Creates the fault of output that is not an answer in this format.
    pub fn presentation(message: impl Into<String>) -> Fault {
        Fault::new(FaultKind::Presentation, message)
    }

    /// Creates the fault of a wrong input, or of a wrong answer of the jury.
    pub fn jury(message: impl Into<String>) -> Fault {
        Fault::new(FaultKind::Jury, message)
    }

    /// Creates a fault of this program, with a request to report it.
    pub fn program(message: impl fmt::Display) -> Fault {
        Fault::new(FaultKind::Program, format!("{message}; please report this with the board and the answer"))
    }

    /// Converts a fault found in the jury's answer: the jury, not a contestant, is responsible.
    #[must_use]
    pub fn of_jury(self) -> Fault {
        match self.kind {
            FaultKind::Wrong | FaultKind::Presentation => Fault::jury(format!("the jury's answer: {}", self.message)),
            FaultKind::Jury | FaultKind::Program | FaultKind::Undecided => self,
        }
    }
}
