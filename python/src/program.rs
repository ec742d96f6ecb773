//! The program `taquin`, as part of the extension.

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use pyo3::prelude::*;

/// Runs the program with these arguments, the first of which is the program's name, and returns its
/// exit status.
///
/// ``taquin.__main__`` first restores the signal handlers that a program expects.
#[pyfunction]
pub fn run_program(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| {
        let code = taquin::internal::main(arguments);
        // In a Rust program, the runtime does this after `main`.
        let _ = std::io::stdout().flush();
        // `ExitCode` has no accessor for its number.
        (0..=u8::MAX).find(|&status| ExitCode::from(status) == code).unwrap_or(u8::MAX)
    })
}
