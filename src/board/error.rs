//! The one error of the library.

use std::fmt;

/// Why something could not be read, built or solved.
///
/// What kind of error it is says [`Error::kind`]; what was found, where, and what was expected is its text.
#[derive(Clone, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    message: Box<str>,
}

/// What kind of [`Error`] it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Text or numbers that are no board, or no shape, goal or path.
    Invalid,
    /// A board and a goal, or a board and a path, that do not fit each other.
    Mismatch,
    /// An option that nothing can be built from: a heuristic of an unknown name, say.
    Option,
    /// The system refused something: threads, for one.
    System,
    /// A fault of the program, to be reported with the board.
    Fault,
}

impl Error {
    /// Text or numbers that are not what was expected.
    pub(crate) fn invalid(message: impl Into<Box<str>>) -> Error {
        Error::new(ErrorKind::Invalid, message)
    }

    /// An error of a kind, with a text for people.
    pub(crate) fn new(kind: ErrorKind, message: impl Into<Box<str>>) -> Error {
        Error { kind, message: message.into() }
    }

    /// What kind of error it is.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({:?}: {})", self.kind, self.message)
    }
}

impl std::error::Error for Error {}
