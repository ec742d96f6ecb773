//! The caller's boards, kept alive while they are read.

use numpy::PyUntypedArray;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};
use taquin::Shape;

use super::arrow::{ArrowBoards, is_arrow};
use super::dense::{Numbers, numbers_of};
use super::items::Items;
use super::{Row, Rows, shape_of_cells, shape_of_rows};
use crate::board::PyBoard;
use crate::errors::InvalidBoard;
use crate::numpy_import::import_numpy;

/// Many boards, as the caller passed them.
pub enum Source<'py> {
    /// A NumPy array.
    Array(Numbers<'py>, Shape),
    /// Arrow arrays.
    Arrow(ArrowBoards),
    /// Any other iterable of boards, read one by one.
    Items(Items),
}

impl<'py> Source<'py> {
    /// Reads the caller's boards. If a shape is requested, all boards must have it.
    pub fn new(boards: &Bound<'py, PyAny>, requested: Option<Shape>) -> PyResult<Source<'py>> {
        import_numpy(boards.py())?;
        if let Ok(array) = boards.cast::<PyUntypedArray>() {
            return Source::of_array(array, requested);
        }
        if boards.is_instance_of::<PyString>() || boards.is_instance_of::<PyBoard>() {
            return Err(
                InvalidBoard::layout("this is one board: use solve, or put it in a list", "one board").into_exception()
            );
        }
        // A column of Python objects (pandas or polars) may hold values of any type, so it is read
        // as a list, and not as Arrow data.
        let holds_objects = boards
            .getattr("dtype")
            .is_ok_and(|dtype| dtype.str().is_ok_and(|name| name.to_string().eq_ignore_ascii_case("object")));
        if holds_objects && boards.hasattr("to_list")? {
            return Source::new(&boards.call_method0("to_list")?, requested);
        }
        if is_arrow(boards)? {
            return Ok(Source::Arrow(ArrowBoards::new(boards, requested)?));
        }
        // Lists of lists are read as an array, if they form one.
        let is_list = boards.is_instance_of::<PyList>() || boards.is_instance_of::<PyTuple>();
        let first = if is_list && boards.len()? > 0 { Some(boards.get_item(0)?) } else { None };
        if first.is_some_and(|first| first.is_instance_of::<PyList>() || first.is_instance_of::<PyTuple>()) {
            let array = numpy::get_array_module(boards.py())?.getattr("asarray")?.call1((boards,));
            if let Some(array) = array.ok().and_then(|array| array.cast_into::<PyUntypedArray>().ok())
                && let Some(numbers) = numbers_of(&array)?
                && let Ok(shape) = shape_of(&numbers.dims(), requested)
            {
                return Ok(Source::Array(numbers, shape));
            }
        }
        Ok(Source::Items(Items::new(boards, requested)?))
    }

    fn of_array(array: &Bound<'py, PyUntypedArray>, requested: Option<Shape>) -> PyResult<Source<'py>> {
        use numpy::{PyArrayDescrMethods, PyUntypedArrayMethods};
        if array.ndim() == 1 && (array.is_empty() || matches!(array.dtype().kind(), b'O' | b'U' | b'T')) {
            // Text and objects are read one by one. So is an empty array of any type.
            return Ok(Source::Items(Items::new(&array.call_method0("tolist")?, requested)?));
        }
        let Some(numbers) = numbers_of(array)? else {
            let found = format!("an array of {}", array.dtype().str()?);
            return Err(InvalidBoard {
                expected: "an array of integers".into(),
                ..InvalidBoard::layout("these are not boards", found)
            }
            .into_exception());
        };
        let shape = shape_of(&numbers.dims(), requested).map_err(InvalidBoard::into_exception)?;
        Ok(Source::Array(numbers, shape))
    }

    /// Returns the boards, readable on any thread.
    pub fn rows(&self) -> Box<dyn Rows + '_> {
        match self {
            Source::Array(numbers, shape) => numbers.rows(*shape),
            Source::Arrow(boards) => Box::new(Borrowed(boards)),
            Source::Items(items) => Box::new(Borrowed(items)),
        }
    }

    /// Converts the source to boards that can be kept after the call.
    pub fn keep(self) -> KeptBoards {
        match self {
            Source::Array(numbers, shape) => KeptBoards::Array(numbers.array(), shape),
            Source::Arrow(boards) => KeptBoards::Arrow(boards),
            Source::Items(items) => KeptBoards::Items(items),
        }
    }

    /// Reads the same boards row by row from now on, even if all have the same shape. Returns false
    /// for a NumPy array, whose type determines the shape.
    pub fn read_one_by_one(&mut self, boards: &Bound<'py, PyAny>, requested: Option<Shape>) -> PyResult<bool> {
        match self {
            Source::Arrow(column) => column.shape = None,
            Source::Array(..) if boards.cast::<PyUntypedArray>().is_err() => {
                let is_column = boards.hasattr("to_list")?;
                let list = if is_column { boards.call_method0("to_list")? } else { boards.clone() };
                *self = Source::Items(Items::new(&list, requested)?);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Returns true if the boards came as Arrow data. The caller then gets a `Column` instead of a
    /// NumPy array.
    pub fn is_arrow(&self) -> bool {
        matches!(self, Source::Arrow(_))
    }
}

/// Boards kept for later: the caller's NumPy array, or the boards read from other input.
pub enum KeptBoards {
    /// A NumPy array.
    Array(Py<PyAny>, Shape),
    /// Arrow arrays.
    Arrow(ArrowBoards),
    /// Boards that were read one by one.
    Items(Items),
}

impl KeptBoards {
    /// Returns a row.
    pub fn row(&self, py: Python<'_>, row: usize) -> PyResult<Row> {
        Ok(match self {
            KeptBoards::Array(array, shape) => {
                let array = array.bind(py).cast::<PyUntypedArray>()?;
                match numbers_of(array)? {
                    Some(numbers) => numbers.rows(*shape).row(row),
                    None => Row::Null,
                }
            }
            KeptBoards::Arrow(boards) => boards.row(row),
            KeptBoards::Items(items) => items.row(row),
        })
    }
}

/// Returns the shape of the boards in an array with these dimensions.
fn shape_of(dims: &[usize], requested: Option<Shape>) -> Result<Shape, InvalidBoard> {
    match *dims {
        [_, cells] => shape_of_cells(cells, requested),
        [_, rows, cols] => shape_of_rows(rows, cols, requested),
        _ => Err(InvalidBoard {
            reason: format!("a {}-dimensional array is not an array of boards", dims.len()),
            found: format!("an array of shape {dims:?}"),
            expected: "shape (N, rows, cols) or (N, rows * cols); use solve for one board".into(),
        }),
    }
}

/// Rows that are borrowed from a source.
struct Borrowed<'a, T>(&'a T);

impl<T: Rows> Rows for Borrowed<'_, T> {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn shape(&self) -> Option<Shape> {
        self.0.shape()
    }

    fn bytes<'a>(&'a self, rows: std::ops::Range<usize>, buffer: &'a mut Vec<u8>) -> &'a [u8] {
        self.0.bytes(rows, buffer)
    }

    fn labels(&self, rows: std::ops::Range<usize>, buffer: &mut Vec<u16>) {
        self.0.labels(rows, buffer);
    }

    fn row(&self, row: usize) -> Row {
        self.0.row(row)
    }
}
