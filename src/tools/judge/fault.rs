//! What can be wrong with an answer, and whose fault it is.

use std::fmt;

/// Whose fault it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FaultKind {
    /// The contestant's: the answer is wrong.
    Wrong,
    /// The contestant's: what was written is no answer in this format.
    Presentation,
    /// The jury's: its own answer or the input is wrong.
    Jury,
    /// This program's: an answer proves it wrong.
    Program,
    /// The board could not be solved within its limits, so that no one is known to be wrong.
    Undecided,
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FaultKind::Wrong => "wrong answer",
            FaultKind::Presentation => "presentation error",
            FaultKind::Jury => "jury error",
            FaultKind::Program => "ERROR OF TAQUIN",
            FaultKind::Undecided => "undecided",
        })
    }
}

/// What is wrong, in a sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Whose fault it is.
    pub kind: FaultKind,
    /// The sentence.
    pub message: String,
}

impl Fault {
    /// A fault of this kind.
    pub fn new(kind: FaultKind, message: impl Into<String>) -> Fault {
        Fault { kind, message: message.into() }
    }

    /// The answer is wrong.
    pub fn wrong(message: impl Into<String>) -> Fault {
        Fault::new(FaultKind::Wrong, message)
    }

    /// What was written is no answer in this format.
    pub fn presentation(message: impl Into<String>) -> Fault {
        Fault::new(FaultKind::Presentation, message)
    }

    /// The jury's answer or the input is wrong.
    pub fn jury(message: impl Into<String>) -> Fault {
        Fault::new(FaultKind::Jury, message)
    }

    /// An answer proves this program wrong.
    pub fn program(message: impl fmt::Display) -> Fault {
        Fault::new(FaultKind::Program, format!("{message}; please report this with the board and the answer"))
    }

    /// The same fault, found in the jury's answer.
    #[must_use]
    pub fn of_jury(self) -> Fault {
        match self.kind {
            FaultKind::Wrong | FaultKind::Presentation => Fault::jury(format!("the jury's answer: {}", self.message)),
            FaultKind::Jury | FaultKind::Program | FaultKind::Undecided => self,
        }
    }
}
