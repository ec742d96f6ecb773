//! NumPy, imported when it is first needed, so that the program starts without it.

use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::prelude::*;

/// Imports NumPy, if that was not done yet. What goes wrong with it – it is missing, or Ctrl-C comes meanwhile – is an
/// exception here and would be a panic later, when its functions are looked for.
pub fn numpy_ready(py: Python<'_>) -> PyResult<()> {
    static READY: AtomicBool = AtomicBool::new(false);
    if !READY.load(Ordering::Relaxed) {
        numpy::get_array_module(py)?;
        READY.store(true, Ordering::Relaxed);
    }
    Ok(())
}
