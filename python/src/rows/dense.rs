//! NumPy arrays of any integer type and strides, with shape (N, rows, cols) or (N, rows × cols).

use std::ops::Range;

use numpy::ndarray::{ArrayViewD, Axis};
use numpy::{PyReadonlyArrayDyn, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::prelude::*;
use taquin::Shape;

use super::label::{Label, as_text};
use super::{Row, Rows, board_of_labels};

/// An array of any integer type.
pub enum Numbers<'py> {
    /// u8.
    U8(PyReadonlyArrayDyn<'py, u8>),
    /// i8.
    I8(PyReadonlyArrayDyn<'py, i8>),
    /// u16.
    U16(PyReadonlyArrayDyn<'py, u16>),
    /// i16.
    I16(PyReadonlyArrayDyn<'py, i16>),
    /// u32.
    U32(PyReadonlyArrayDyn<'py, u32>),
    /// i32.
    I32(PyReadonlyArrayDyn<'py, i32>),
    /// u64.
    U64(PyReadonlyArrayDyn<'py, u64>),
    /// i64.
    I64(PyReadonlyArrayDyn<'py, i64>),
}

/// Evaluates an expression with a view of an array of any integer type.
macro_rules! with_view {
    ($numbers:expr, $view:ident => $body:expr) => {
        match $numbers {
            Numbers::U8(array) => {
                let $view = array.as_array();
                $body
            }
            Numbers::I8(array) => {
                let $view = array.as_array();
                $body
            }
            Numbers::U16(array) => {
                let $view = array.as_array();
                $body
            }
            Numbers::I16(array) => {
                let $view = array.as_array();
                $body
            }
            Numbers::U32(array) => {
                let $view = array.as_array();
                $body
            }
            Numbers::I32(array) => {
                let $view = array.as_array();
                $body
            }
            Numbers::U64(array) => {
                let $view = array.as_array();
                $body
            }
            Numbers::I64(array) => {
                let $view = array.as_array();
                $body
            }
        }
    };
}

/// Returns the numbers of an array, or `None` if it does not hold integers.
pub fn numbers_of<'py>(array: &Bound<'py, PyUntypedArray>) -> PyResult<Option<Numbers<'py>>> {
    use numpy::PyArrayDescrMethods;
    let dtype = array.dtype();
    if !matches!(dtype.kind(), b'i' | b'u') {
        return Ok(None);
    }
    // Misaligned arrays and arrays in another byte order are copied.
    let array = if dtype.is_native_byteorder() == Some(false) || !array.is_aligned() {
        let native = dtype.call_method1("newbyteorder", ("=",))?;
        array.call_method1("astype", (native,))?.cast_into::<PyUntypedArray>()?
    } else {
        array.clone()
    };
    macro_rules! first {
        ($($variant:ident($number:ty)),*) => {$(
            if let Ok(array) = array.cast::<numpy::PyArrayDyn<$number>>() {
                use numpy::PyArrayMethods;
                return Ok(Some(Numbers::$variant(array.try_readonly()?)));
            }
        )*};
    }
    first!(U8(u8), I8(i8), U16(u16), I16(i16), U32(u32), I32(i32), U64(u64), I64(i64));
    Ok(None)
}

impl Numbers<'_> {
    /// Returns the lengths of the axes.
    pub fn dims(&self) -> Vec<usize> {
        with_view!(self, view => view.shape().to_vec())
    }

    /// Returns the array itself.
    pub fn array(&self) -> Py<PyAny> {
        macro_rules! array {
            ($($variant:ident),*) => {
                match self { $(Numbers::$variant(array) => (**array).clone().into_any().unbind(),)* }
            };
        }
        array!(U8, I8, U16, I16, U32, I32, U64, I64)
    }

    /// Returns the labels in row order, and the numbers as text.
    pub fn labels(&self) -> (Vec<u16>, String) {
        with_view!(self, view => (view.iter().map(|number| number.label()).collect(), as_text(view.iter())))
    }

    /// Returns the boards of this shape along the first axis.
    pub fn rows(&self, shape: Shape) -> Box<dyn Rows + '_> {
        with_view!(self, view => Box::new(Dense { view, shape }))
    }
}

/// An array with a board per index of the first axis.
struct Dense<'a, T> {
    view: ArrayViewD<'a, T>,
    shape: Shape,
}

impl<T: Label> Dense<'_, T> {
    /// Returns the numbers of these rows, if the whole array is contiguous.
    fn slice(&self, rows: &Range<usize>) -> Option<&[T]> {
        let cells = self.shape.cells();
        self.view.as_slice().map(|numbers| &numbers[rows.start * cells..rows.end * cells])
    }

    /// Replaces the contents of the buffer with the converted numbers of these rows.
    fn read_into<U>(&self, rows: Range<usize>, buffer: &mut Vec<U>, convert: impl Fn(T) -> U) {
        buffer.clear();
        match self.slice(&rows) {
            Some(numbers) => buffer.extend(numbers.iter().map(|&number| convert(number))),
            None => {
                for row in rows {
                    buffer.extend(self.view.index_axis(Axis(0), row).iter().map(|&number| convert(number)));
                }
            }
        }
    }
}

impl<T: Label> Rows for Dense<'_, T> {
    fn len(&self) -> usize {
        self.view.len_of(Axis(0))
    }

    fn shape(&self) -> Option<Shape> {
        Some(self.shape)
    }

    fn bytes<'a>(&'a self, rows: Range<usize>, buffer: &'a mut Vec<u8>) -> &'a [u8] {
        // Contiguous bytes are read in place.
        if let Some(bytes) = self.slice(&rows).and_then(T::bytes) {
            return bytes;
        }
        self.read_into(rows, buffer, T::byte);
        buffer
    }

    fn labels(&self, rows: Range<usize>, buffer: &mut Vec<u16>) {
        self.read_into(rows, buffer, T::label);
    }

    fn row(&self, row: usize) -> Row {
        let numbers = self.view.index_axis(Axis(0), row);
        let labels: Vec<u16> = numbers.iter().map(|number| number.label()).collect();
        board_of_labels(self.shape, &labels, || as_text(numbers.iter()))
    }
}
