//! `taquin.Column`: a result column for Arrow input, with its nulls.

use arrow_array::builder::{BooleanBuilder, FixedSizeListBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type};
use arrow_array::{Array, ArrayRef, BooleanArray, Float64Array, Int32Array};
use arrow_buffer::NullBuffer;
use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PySlice};
use std::sync::Arc;

use crate::capsule;
use crate::distances::SKIPPED;

/// Results for Arrow input: for every row, a value or null.
///
/// A column has the Arrow PyCapsule interface: ``polars.Series(column)``, ``pyarrow.array(column)``
/// and similar calls read it without a copy. ``numpy.asarray(column)`` returns an array in which
/// nulls are -3, False or NaN.
#[pyclass(name = "Column", module = "taquin", frozen)]
pub struct PyColumn {
    array: ArrayRef,
}

/// Returns the bitmap of rows with a result, or `None` if all rows have one.
pub fn validity(skipped_rows: &[usize], len: usize) -> Option<NullBuffer> {
    if skipped_rows.is_empty() {
        return None;
    }
    let mut valid = vec![true; len];
    skipped_rows.iter().for_each(|&row| valid[row] = false);
    Some(NullBuffer::from(valid))
}

impl PyColumn {
    /// Creates a column of lengths, with null for skipped rows.
    pub fn of_lengths(lengths: Vec<i32>, has_skipped_rows: bool) -> PyColumn {
        let valid = has_skipped_rows.then(|| NullBuffer::from_iter(lengths.iter().map(|&length| length != SKIPPED)));
        PyColumn { array: Arc::new(Int32Array::new(lengths.into(), valid)) }
    }

    /// Creates a column of numbers, with null for NaN.
    pub fn of_numbers(numbers: Vec<f64>) -> PyColumn {
        let has_nulls = numbers.iter().any(|number| number.is_nan());
        let valid = has_nulls.then(|| NullBuffer::from_iter(numbers.iter().map(|number| !number.is_nan())));
        PyColumn { array: Arc::new(Float64Array::new(numbers.into(), valid)) }
    }

    /// Creates a column of booleans, with null for skipped rows.
    pub fn of_flags(flags: Vec<bool>, skipped_rows: &[usize]) -> PyColumn {
        let len = flags.len();
        PyColumn { array: Arc::new(BooleanArray::new(flags.into(), validity(skipped_rows, len))) }
    }

    /// Creates a column of lists: four booleans of `moves` for each row, or null for a skipped row.
    pub fn of_moves(moves: &[bool], skipped_rows: &[usize]) -> PyColumn {
        let (mut lists, mut skipped) = (FixedSizeListBuilder::new(BooleanBuilder::new(), 4), 0);
        for (row, moves) in moves.chunks_exact(4).enumerate() {
            let is_skipped = skipped_rows.get(skipped) == Some(&row);
            skipped += usize::from(is_skipped);
            lists.values().append_slice(moves);
            lists.append(!is_skipped);
        }
        PyColumn { array: Arc::new(lists.finish()) }
    }

    fn value<'py>(&self, py: Python<'py>, row: usize) -> PyResult<Bound<'py, PyAny>> {
        if self.array.is_null(row) {
            return Ok(py.None().into_bound(py));
        }
        if let Some(lengths) = self.array.as_primitive_opt::<Int32Type>() {
            return Ok(lengths.value(row).into_pyobject(py)?.into_any());
        }
        if let Some(numbers) = self.array.as_primitive_opt::<Float64Type>() {
            return Ok(numbers.value(row).into_pyobject(py)?.into_any());
        }
        if let Some(flags) = self.array.as_boolean_opt() {
            return Ok(flags.value(row).into_pyobject(py)?.to_owned().into_any());
        }
        let moves = self.array.as_fixed_size_list().value(row);
        let moves: Vec<bool> = moves.as_boolean().values().iter().collect();
        Ok(moves.into_pyobject(py)?.into_any())
    }
}

#[pymethods]
impl PyColumn {
    fn __len__(&self) -> usize {
        self.array.len()
    }

    /// Returns the value of a row, or the rows of a slice as a column.
    fn __getitem__<'py>(&self, py: Python<'py>, row: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let len = self.array.len();
        if let Ok(slice) = row.cast::<PySlice>() {
            let rows = slice.indices(len as isize)?;
            if rows.step != 1 {
                return Err(PyValueError::new_err("a column supports only contiguous slices, such as [2:5]"));
            }
            let part = PyColumn { array: self.array.slice(rows.start as usize, rows.slicelength) };
            return Ok(Bound::new(py, part)?.into_any());
        }
        let row: isize = row.extract()?;
        let at = if row < 0 { row + len as isize } else { row };
        match usize::try_from(at) {
            Ok(at) if at < len => self.value(py, at),
            _ => Err(PyIndexError::new_err(format!("row {row} is out of range: there are {len} rows"))),
        }
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.to_pylist(py)?.into_pyobject(py)?.try_iter()?.into_any())
    }

    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let _ = copy;
        let array = if let Some(lengths) = self.array.as_primitive_opt::<Int32Type>() {
            PyArray1::from_slice(py, lengths.values()).into_any()
        } else if let Some(numbers) = self.array.as_primitive_opt::<Float64Type>() {
            PyArray1::from_slice(py, numbers.values()).into_any()
        } else if let Some(flags) = self.array.as_boolean_opt() {
            flags.values().iter().collect::<Vec<bool>>().into_pyarray(py).into_any()
        } else {
            let moves: Vec<bool> = self.array.as_fixed_size_list().values().as_boolean().values().iter().collect();
            let moves = Array2::from_shape_vec((self.array.len(), 4), moves);
            moves.map_err(|error| PyValueError::new_err(error.to_string()))?.into_pyarray(py).into_any()
        };
        match dtype {
            Some(dtype) => array.call_method1("astype", (dtype,)),
            None => Ok(array),
        }
    }

    /// Returns the values as a list, with None for nulls.
    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        (0..self.array.len()).map(|row| self.value(py, row)).collect()
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        let _ = requested_schema;
        capsule::array_capsules(py, &self.array)
    }

    fn __repr__(&self) -> String {
        let (len, nulls) = (self.array.len(), self.array.null_count());
        format!("Column({len} rows of {}, {nulls} null)", self.array.data_type())
    }
}
