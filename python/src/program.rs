//! The program `taquin` inside the extension.

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use pyo3::prelude::*;

/// Runs the program with these arguments, its name first, and gives its exit status.
///
/// Signals must be as a program finds them: ``taquin.__main__`` sees to that.
#[pyfunction]
pub fn run_program(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| {
        let code = taquin::internal::main(arguments);
        // At the end of a Rust program this is done for it.
        let _ = std::io::stdout().flush();
        // There is no other way to its number.
        (0..=u8::MAX).find(|&status| ExitCode::from(status) == code).unwrap_or(u8::MAX)
    })
}
