//! Shows progress with a tqdm bar, or by calling a function.

use std::cell::Cell;

use pyo3::exceptions::{PyImportError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};

/// The progress of a call, and its display.
pub struct Progress<'py> {
    display: Option<Display<'py>>,
    total: Option<u64>,
    last_shown: Cell<u64>,
}

enum Display<'py> {
    Bar(Bound<'py, PyAny>),
    Function(Bound<'py, PyAny>),
}

impl<'py> Progress<'py> {
    /// Creates progress that is not displayed.
    pub fn none() -> Progress<'py> {
        Progress { display: None, total: None, last_shown: Cell::new(0) }
    }

    /// Creates progress with the display that the caller requested: `True` for a bar, a function of
    /// (done, total), `None` or `False` for nothing.
    pub fn new(value: Option<&Bound<'py, PyAny>>, total: Option<usize>) -> PyResult<Progress<'py>> {
        let total = total.map(|total| total as u64);
        let display = match value {
            None => None,
            Some(value) if value.is_callable() => Some(Display::Function(value.clone())),
            Some(value) => match value.cast::<PyBool>() {
                Ok(wanted) if wanted.is_true() => Some(Display::Bar(bar(value.py(), total)?)),
                Ok(_) => None,
                Err(_) => {
                    return Err(PyTypeError::new_err("progress must be True, False or a function of (done, total)"));
                }
            },
        };
        Ok(Progress { display, total, last_shown: Cell::new(0) })
    }

    /// Shows the number of finished boards.
    pub fn show(&self, done: u64) -> PyResult<()> {
        let before = self.last_shown.replace(done);
        match &self.display {
            Some(Display::Bar(bar)) if done > before => drop(bar.call_method1("update", (done - before,))?),
            Some(Display::Function(function)) if done > before => drop(function.call1((done, self.total))?),
            _ => {}
        }
        Ok(())
    }
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        if let Some(Display::Bar(bar)) = &self.display {
            // The call must not fail because of the bar.
            let _ = bar.call_method0("close");
        }
    }
}

fn bar(py: Python<'_>, total: Option<u64>) -> PyResult<Bound<'_, PyAny>> {
    let tqdm = py.import("tqdm.auto").map_err(|_| {
        PyImportError::new_err("progress=True needs tqdm: install it, or give a function of (done, total)")
    })?;
    let options = PyDict::new(py);
    options.set_item("total", total)?;
    options.set_item("unit", " boards")?;
    options.set_item("unit_scale", true)?;
    tqdm.getattr("tqdm")?.call((), Some(&options))
}
