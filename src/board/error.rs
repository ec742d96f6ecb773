//! The error type of the library.

use std::fmt;

/// An error of the library.
///
/// Its text says what was found, where, and what was expected.
#[derive(Clone, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    message: Box<str>,
}

/// The kind of an [`Error`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Text or numbers that are not a valid board, shape, goal or path.
    Invalid,
    /// A board and a goal, or a board and a path, that do not match.
    Mismatch,
    /// An invalid option, such as the name of an unknown heuristic.
    Option,
    /// A resource, such as a thread, that the system refused.
    System,
    /// A bug in the program; please report it with the board.
    Fault,
}

impl Error {
    /// Creates an error for invalid text or numbers.
    pub(crate) fn invalid(message: impl Into<Box<str>>) -> Error {
        Error::new(ErrorKind::Invalid, message)
    }

    /// Creates an error of a kind with a message for the user.
    pub(crate) fn new(kind: ErrorKind, message: impl Into<Box<str>>) -> Error {
        Error { kind, message: message.into() }
    }

    /// Returns the kind of the error.
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
