//! `taquin.Results`: answers to many boards, as NumPy arrays and as Arrow data.

use std::sync::Arc;

use arrow_array::types::Int8Type;
use arrow_array::{
    ArrayRef, BooleanArray, DictionaryArray, Int8Array, Int32Array, LargeStringArray, RecordBatch, StringArray,
    StructArray,
};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use numpy::ndarray::aview1;
use numpy::{Element, IntoPyArray, PyArray1};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};
use taquin::{Goal, Path};

use crate::answer::{AnswerParts, INVALID, NULL, PyAnswer, SOLVED, STATUSES, UNSOLVABLE, UNSOLVED};
use crate::capsule;
use crate::errors::{InternalError, exception_of_error};
use crate::rows::{KeptBoards, Row};
use crate::solve_many::{Columns, LIMITS};

/// Answers to many boards, in the order of the boards.
///
/// ``len(results)`` is the number of rows, and ``results[i]`` is an :class:`Answer`, or None if the
/// status of the row is ``invalid`` or ``null``. Without kept paths, ``results[i]`` raises
/// ValueError for a solved row, and there is no column ``path``. ``moves``, ``lower_bound``,
/// ``letters`` and ``offsets`` are read-only views; ``status`` and ``optimal`` are copies. Results
/// have the Arrow PyCapsule interface: ``polars.DataFrame(results)``, ``pyarrow.table(results)``
/// and DuckDB's ``from results`` read the columns ``status``, ``moves``, ``path``, ``lower_bound``,
/// ``optimal`` and ``limit``.
#[pyclass(name = "Results", module = "taquin", frozen)]
pub struct PyResults {
    status: Vec<u8>,
    moves: ScalarBuffer<i32>,
    lower_bound: ScalarBuffer<i32>,
    limit: Vec<u8>,
    letters: Buffer,
    offsets: ScalarBuffer<i64>,
    keeps_paths: bool,
    boards: KeptBoards,
    goal: Goal,
}

impl PyResults {
    /// Creates the results for these boards.
    pub fn new(columns: Columns, keeps_paths: bool, boards: KeptBoards, goal: Goal) -> PyResults {
        PyResults {
            status: columns.status,
            moves: columns.moves.into(),
            lower_bound: columns.lower_bound.into(),
            limit: columns.limit,
            letters: columns.letters.into(),
            offsets: columns.offsets.into(),
            keeps_paths,
            boards,
            goal,
        }
    }

    /// Converts an index from Python to a row. A negative index counts from the end.
    fn row(&self, row: isize) -> PyResult<usize> {
        let len = self.status.len();
        let at = if row < 0 { row + len as isize } else { row };
        usize::try_from(at)
            .ok()
            .filter(|&at| at < len)
            .ok_or_else(|| PyIndexError::new_err(format!("row {row} is out of range: there are {len} rows")))
    }

    fn path_of(&self, row: usize) -> Option<&str> {
        if self.status[row] != SOLVED || !self.keeps_paths {
            return None;
        }
        let range = self.offsets[row] as usize..self.offsets[row + 1] as usize;
        std::str::from_utf8(&self.letters[range]).ok()
    }

    fn is_optimal(&self, row: usize) -> bool {
        self.status[row] == SOLVED && self.moves[row] == self.lower_bound[row]
    }

    /// Returns the columns as an Arrow record batch. Only columns of at most a byte per row are
    /// copied.
    fn batch(&self) -> PyResult<RecordBatch> {
        let internal = |error: arrow_schema::ArrowError| InternalError::new_err(error.to_string());
        let rows_with =
            |wanted: &dyn Fn(u8) -> bool| -> NullBuffer { self.status.iter().map(|&status| wanted(status)).collect() };
        let not_null = rows_with(&|status| status != NULL);
        let keys: Vec<i8> = self.status.iter().map(|&status| status.min(INVALID) as i8).collect();
        let names = StringArray::from(STATUSES[..4].to_vec());
        let status = DictionaryArray::<Int8Type>::try_new(Int8Array::new(keys.into(), Some(not_null)), Arc::new(names));
        let solved = rows_with(&|status| status == SOLVED);
        let keys: Vec<i8> = self.limit.iter().map(|&limit| limit.saturating_sub(1) as i8).collect();
        let limited: NullBuffer = self.limit.iter().map(|&limit| limit > 0).collect();
        let names = StringArray::from(LIMITS[1..].to_vec());
        let limit = DictionaryArray::<Int8Type>::try_new(Int8Array::new(keys.into(), Some(limited)), Arc::new(names));
        let bounded = rows_with(&|status| status == SOLVED || status == UNSOLVED);
        let optimal: Vec<bool> = (0..self.status.len()).map(|row| self.is_optimal(row)).collect();
        let mut columns: Vec<(&str, ArrayRef, bool)> = vec![
            ("status", Arc::new(status.map_err(internal)?), true),
            ("moves", Arc::new(Int32Array::new(self.moves.clone(), Some(solved.clone()))), true),
        ];
        if self.keeps_paths {
            let offsets = OffsetBuffer::new(self.offsets.clone());
            let path = LargeStringArray::try_new(offsets, self.letters.clone(), Some(solved.clone()));
            columns.push(("path", Arc::new(path.map_err(internal)?), true));
        }
        columns.push(("lower_bound", Arc::new(Int32Array::new(self.lower_bound.clone(), Some(bounded))), true));
        columns.push(("optimal", Arc::new(BooleanArray::new(optimal.into(), Some(solved))), true));
        columns.push(("limit", Arc::new(limit.map_err(internal)?), true));
        RecordBatch::try_from_iter_with_nullable(columns).map_err(internal)
    }
}

/// Returns a read-only view of values that `owner` holds. The array keeps the owner alive.
#[allow(unsafe_code)] // NumPy reads memory that it does not own
fn shared<'py, T: Element>(values: &[T], owner: &Bound<'py, PyResults>) -> PyResult<Bound<'py, PyArray1<T>>> {
    // SAFETY: the owner holds the values, is frozen, and never moves or changes them. The array
    // keeps it alive. The array is marked read-only before anyone can access it.
    let array = unsafe { PyArray1::borrow_from_array(&aview1(values), owner.clone().into_any()) };
    array.getattr("flags")?.setattr("writeable", false)?;
    Ok(array)
}

#[pymethods]
impl PyResults {
    /// The status of each row: ``solved``, ``unsolvable`` or ``unsolved``; ``null`` for a null row;
    /// with ``errors='mask'``, ``invalid`` for other rows that are not boards, and for boards that
    /// the goal does not fit.
    #[getter]
    fn status<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let names = numpy::get_array_module(py)?.getattr("array")?.call1((STATUSES.to_vec(),))?;
        let codes: Vec<i64> = self.status.iter().map(|&status| status.into()).collect();
        names.call_method1("take", (codes.into_pyarray(py),))
    }

    /// The number of moves of each path, int32; -1 unsolvable, -2 not solved within the limits, -3
    /// invalid or null.
    #[getter]
    fn moves<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<i32>>> {
        shared(&slf.get().moves, slf)
    }

    /// A proven lower bound on the number of moves for each board, int32; -1 unsolvable, -3 invalid
    /// or null.
    #[getter]
    fn lower_bound<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<i32>>> {
        shared(&slf.get().lower_bound, slf)
    }

    /// True for paths that are proven shortest.
    #[getter]
    fn optimal<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        let optimal: Vec<bool> = (0..self.status.len()).map(|row| self.is_optimal(row)).collect();
        optimal.into_pyarray(py)
    }

    /// The letters of all paths, concatenated, uint8. The path of row i is
    /// ``letters[offsets[i]:offsets[i + 1]]``.
    #[getter]
    fn letters<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<u8>>> {
        shared(&slf.get().letters, slf)
    }

    /// The start of each path in ``letters``, followed by the end of the last path; int64.
    #[getter]
    fn offsets<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        shared(&slf.get().offsets, slf)
    }

    /// The paths as a list of str, with None for rows without a path.
    #[getter]
    fn paths(&self) -> PyResult<Vec<Option<&str>>> {
        if !self.keeps_paths {
            return Err(PyValueError::new_err("the paths were not kept: solve_many(..., paths=True) keeps them"));
        }
        Ok((0..self.status.len()).map(|row| self.path_of(row)).collect())
    }

    /// The reasons why rows are invalid, as a dict by row; empty unless ``errors='mask'``.
    #[getter]
    fn errors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let errors = PyDict::new(py);
        for (row, _) in self.status.iter().enumerate().filter(|&(_, &status)| status == INVALID) {
            let reason = match self.boards.row(py, row)? {
                Row::Invalid(wrong) => wrong.reason,
                Row::Board(_) | Row::Null => "the goal does not fit".into(),
            };
            errors.set_item(row, reason)?;
        }
        Ok(errors)
    }

    /// Returns the columns, except ``limit``, as a dict of NumPy arrays and lists, for
    /// ``pandas.DataFrame(results.to_dict())``.
    fn to_dict<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        let (columns, this) = (PyDict::new(slf.py()), slf.get());
        columns.set_item("status", this.status(slf.py())?)?;
        columns.set_item("moves", PyResults::moves(slf)?)?;
        if this.keeps_paths {
            columns.set_item("path", this.paths()?)?;
        }
        columns.set_item("lower_bound", PyResults::lower_bound(slf)?)?;
        columns.set_item("optimal", this.optimal(slf.py()))?;
        Ok(columns)
    }

    /// Returns a pyarrow table.
    fn to_arrow<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pyarrow")?.call_method1("table", (slf,))
    }

    /// Returns a polars data frame.
    fn to_polars<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("polars")?.call_method1("DataFrame", (slf,))
    }

    /// Returns a pandas data frame with the columns of :meth:`to_dict`.
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pandas")?.call_method1("DataFrame", (PyResults::to_dict(slf)?,))
    }

    fn __len__(&self) -> usize {
        self.status.len()
    }

    fn __getitem__(&self, py: Python<'_>, row: isize) -> PyResult<Option<PyAnswer>> {
        let row = self.row(row)?;
        let Row::Board(board) = self.boards.row(py, row)? else { return Ok(None) };
        let status = self.status[row];
        if status >= INVALID {
            return Ok(None);
        }
        if status == SOLVED && !self.keeps_paths {
            return Err(PyValueError::new_err("the paths were not kept: solve_many(..., paths=True) keeps them"));
        }
        let goal = self.goal.on(board.shape()).map_err(|error| exception_of_error(&error))?;
        let path = self
            .path_of(row)
            .map(|text| text.parse::<Path>())
            .transpose()
            .map_err(|error| exception_of_error(&error))?;
        let lower_bound = if status == UNSOLVABLE { 0 } else { self.lower_bound[row] as u64 };
        let limit = Some(LIMITS[usize::from(self.limit[row])]).filter(|name| !name.is_empty());
        Ok(Some(PyAnswer::new(board, goal, AnswerParts { status, path, lower_bound, limit })))
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        capsule::stream_capsule(py, self.batch()?)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        let _ = requested_schema;
        capsule::array_capsules(py, &StructArray::from(self.batch()?))
    }

    fn __repr__(&self) -> String {
        let count = |wanted: u8| self.status.iter().filter(|&&status| status == wanted).count();
        let counts = STATUSES.iter().enumerate().map(|(code, name)| (count(code as u8), name));
        let counts: Vec<String> =
            counts.filter(|&(count, _)| count > 0).map(|(count, name)| format!("{count} {name}")).collect();
        match counts.is_empty() {
            true => "Results(no boards)".into(),
            false => format!("Results({})", counts.join(", ")),
        }
    }
}
