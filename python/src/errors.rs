//! What is raised: exceptions that say which row, what was found there and what was expected.

use pyo3::exceptions::{PyMemoryError, PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use taquin::{Error, ErrorKind, Shape};

mod classes {
    #![allow(missing_docs, reason = "the macro writes the items")]
    pyo3::import_exception!(taquin._errors, BoardError);
    pyo3::import_exception!(taquin._errors, LimitError);
    pyo3::import_exception!(taquin._errors, InternalError);
}

pub use classes::{BoardError, InternalError, LimitError};

/// Why something is no board.
#[derive(Clone, Debug)]
pub struct Wrong {
    /// The fault, in a sentence.
    pub reason: String,
    /// What stood there.
    pub found: String,
    /// What would have been right.
    pub expected: String,
}

impl Wrong {
    /// Something that is not laid out as a board is.
    pub fn layout(reason: impl Into<String>, found: impl Into<String>) -> Wrong {
        Wrong { reason: reason.into(), found: found.into(), expected: LAYOUT.into() }
    }

    /// Tiles that do not make a board of a shape.
    pub fn tiles(error: &Error, found: impl Into<String>, shape: Shape) -> Wrong {
        let last = shape.cells() - 1;
        let expected = format!("the numbers 0 to {last}, each once, for a board of {shape}");
        Wrong { reason: error.to_string(), found: found.into(), expected }
    }

    /// The exception for the only board of a call.
    pub fn alone(self) -> PyErr {
        self.raise(None)
    }

    /// The exception for a row of many, counted from 0.
    pub fn in_row(self, row: usize) -> PyErr {
        self.raise(Some(row))
    }

    fn raise(self, row: Option<usize>) -> PyErr {
        BoardError::new_err((self.reason, row, self.found, self.expected))
    }
}

/// How one board may be given.
const LAYOUT: &str = "a board: rows of integers, or text such as '1 2 3/4 5 6/7 8 0'";

/// The exception for an error of the library.
pub fn raised(error: &Error) -> PyErr {
    let message = error.to_string();
    match error.kind() {
        ErrorKind::Invalid | ErrorKind::Mismatch => BoardError::new_err((message,)),
        ErrorKind::Option => PyValueError::new_err(message),
        ErrorKind::System => PyOSError::new_err(message),
        ErrorKind::Fault => InternalError::new_err(message),
        _ => PyRuntimeError::new_err(message),
    }
}

/// A panic of the program, as an exception.
pub fn panicked(panic: &(dyn std::any::Any + Send)) -> PyErr {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message");
    InternalError::new_err(format!("the program failed: {text}; please report this with the boards"))
}

/// There is no room for a result of so many entries.
pub fn no_memory(entries: usize) -> PyErr {
    PyMemoryError::new_err(format!("there is no memory for {entries} entries"))
}
