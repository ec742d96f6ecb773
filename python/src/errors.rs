//! Exceptions that state the row, what was found and what was expected.

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

/// The reason why something is not a board.
#[derive(Clone, Debug)]
pub struct InvalidBoard {
    /// The reason, such as `tile 2 appears twice`.
    pub reason: String,
    /// The value that was found.
    pub found: String,
    /// The value that was expected.
    pub expected: String,
}

impl InvalidBoard {
    /// Describes a value that does not have the layout of a board.
    pub fn layout(reason: impl Into<String>, found: impl Into<String>) -> InvalidBoard {
        InvalidBoard { reason: reason.into(), found: found.into(), expected: LAYOUT.into() }
    }

    /// Describes tiles that do not form a board of a shape.
    pub fn tiles(error: &Error, found: impl Into<String>, shape: Shape) -> InvalidBoard {
        let last = shape.cells() - 1;
        let expected = format!("the numbers 0 to {last}, each once, for a board of {shape}");
        InvalidBoard { reason: error.to_string(), found: found.into(), expected }
    }

    /// Returns the exception for a call on one board.
    pub fn into_exception(self) -> PyErr {
        self.exception(None)
    }

    /// Returns the exception for one row of a call on many boards. Rows are counted from 0.
    pub fn into_row_exception(self, row: usize) -> PyErr {
        self.exception(Some(row))
    }

    fn exception(self, row: Option<usize>) -> PyErr {
        BoardError::new_err((self.reason, row, self.found, self.expected))
    }
}

/// The accepted layouts of one board.
const LAYOUT: &str = "a board: rows of integers, or text such as '1 2 3/4 5 6/7 8 0'";

/// Converts an error of the library to an exception.
pub fn exception_of_error(error: &Error) -> PyErr {
    let message = error.to_string();
    match error.kind() {
        ErrorKind::Invalid | ErrorKind::Mismatch => BoardError::new_err((message,)),
        ErrorKind::Option => PyValueError::new_err(message),
        ErrorKind::System => PyOSError::new_err(message),
        ErrorKind::Fault => InternalError::new_err(message),
        _ => PyRuntimeError::new_err(message),
    }
}

/// Converts a panic to an exception.
pub fn exception_of_panic(panic: &(dyn std::any::Any + Send)) -> PyErr {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message");
    InternalError::new_err(format!("internal error: {text}; please report it with the boards"))
}

/// Returns the exception for a result of `entries` entries that does not fit into memory.
pub fn no_memory(entries: usize) -> PyErr {
    PyMemoryError::new_err(format!("not enough memory for {entries} entries"))
}
