//! Imports NumPy before its first use, so that a failure is an exception.

use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::prelude::*;

/// Imports NumPy, unless an earlier call has done so.
///
/// If NumPy is missing, or Ctrl-C interrupts the import, this returns an exception. Without this
/// call, the `numpy` crate would import NumPy itself and panic.
pub fn import_numpy(py: Python<'_>) -> PyResult<()> {
    static IMPORTED: AtomicBool = AtomicBool::new(false);
    if !IMPORTED.load(Ordering::Relaxed) {
        numpy::get_array_module(py)?;
        IMPORTED.store(true, Ordering::Relaxed);
    }
    Ok(())
}
