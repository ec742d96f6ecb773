//! Imports NumPy when it is first needed, so that the program starts without it.

use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::prelude::*;

/// Imports NumPy, if that is not done yet.
///
/// A failure, because NumPy is missing or because of Ctrl-C, is an exception here. Later, when
/// NumPy's functions are looked up, it would be a panic.
pub fn numpy_ready(py: Python<'_>) -> PyResult<()> {
    static READY: AtomicBool = AtomicBool::new(false);
    if !READY.load(Ordering::Relaxed) {
        numpy::get_array_module(py)?;
        READY.store(true, Ordering::Relaxed);
    }
    Ok(())
}
