//! The Python package `taquin`: arrays in, arrays out, on top of the library's [`taquin::Solver`].
//!
//! | file | contents |
//! |---|---|
//! | `solver.rs` | `Solver`; the package's functions are methods of one shared `Solver` |
//! | `rows/` | input boards: NumPy arrays, Arrow arrays, lists |
//! | `interruptible.rs` | runs work without the GIL, interruptible by Ctrl-C |
//! | `checked.rs`, `distances.rs`, `estimates.rs`, `solve_many.rs` … | the work of the functions |
//! | `answer.rs`, `results.rs`, `column.rs`, `board.rs` | results |
//! | `capsule.rs` | the Arrow PyCapsule interface |

mod answer;
mod board;
mod capsule;
mod checked;
mod column;
mod distances;
mod errors;
mod estimates;
mod files;
mod first_moves;
mod generate;
mod interruptible;
mod numpy_import;
mod options;
mod program;
mod progress;
mod records;
mod results;
mod rows;
mod solvable;
mod solve_many;
mod solver;

use pyo3::prelude::*;

/// The native part of taquin.
#[pymodule(gil_used = false)]
fn _taquin(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<solver::PySolver>()?;
    module.add_class::<board::PyBoard>()?;
    module.add_class::<answer::PyAnswer>()?;
    module.add_class::<results::PyResults>()?;
    module.add_class::<column::PyColumn>()?;
    module.add_class::<files::PyFileResults>()?;
    module.add_class::<records::PyFileRecords>()?;
    module.add_class::<records::PyRecordBatch>()?;
    module.add_function(wrap_pyfunction!(records::file_records, module)?)?;
    module.add_function(wrap_pyfunction!(program::run_program, module)?)?;
    module.add_function(wrap_pyfunction!(solver::_fail, module)?)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    Ok(())
}
