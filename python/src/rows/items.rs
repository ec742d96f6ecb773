//! Boards read one by one: text, rows of numbers, arrays, and lists of these.

use std::ops::Range;

use numpy::PyUntypedArray;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyList, PyString};
use taquin::{Board, Goal, Shape};

use super::dense::{Numbers, numbers_of};
use super::{Row, Rows, board_of_labels, shape_of_cells, shape_of_rows};
use crate::board::PyBoard;
use crate::errors::InvalidBoard;
use crate::numpy_import::import_numpy;

/// Boards that were read one by one.
pub struct Items {
    /// One element for each item: a board, an invalid board, or null.
    rows: Vec<Row>,
}

impl Items {
    /// Reads the boards of a list or another iterable.
    pub fn new(items: &Bound<'_, PyAny>, requested: Option<Shape>) -> PyResult<Items> {
        let rows = items.try_iter()?.map(|item| {
            let item = item?;
            // pandas writes NaN for a missing value.
            let is_missing = item.is_none() || item.cast::<PyFloat>().is_ok_and(|number| number.value().is_nan());
            if is_missing { Ok(Row::Null) } else { row_of(&item, requested) }
        });
        Ok(Items { rows: rows.collect::<PyResult<_>>()? })
    }
}

impl Rows for Items {
    fn len(&self) -> usize {
        self.rows.len()
    }

    fn shape(&self) -> Option<Shape> {
        None
    }

    // `shape` returns `None`, so nothing is read in blocks.
    fn bytes<'a>(&'a self, _rows: Range<usize>, buffer: &'a mut Vec<u8>) -> &'a [u8] {
        buffer
    }

    fn labels(&self, _rows: Range<usize>, _buffer: &mut Vec<u16>) {}

    fn row(&self, row: usize) -> Row {
        self.rows[row].clone()
    }
}

/// Converts an object to a board. The exception states why the object is not one.
pub fn board_of(object: &Bound<'_, PyAny>, requested: Option<Shape>) -> PyResult<Board> {
    match row_of(object, requested)? {
        Row::Board(board) => Ok(board),
        Row::Invalid(wrong) => Err(wrong.into_exception()),
        Row::Null => Err(InvalidBoard::layout("this is not a board", "None").into_exception()),
    }
}

fn row_of(object: &Bound<'_, PyAny>, requested: Option<Shape>) -> PyResult<Row> {
    if let Ok(board) = object.cast::<PyBoard>() {
        let board = board.get().board().clone();
        let shape = board.shape();
        return Ok(match shape_of_rows(shape.rows(), shape.cols(), requested) {
            Ok(_) => Row::Board(board),
            Err(wrong) => Row::Invalid(wrong),
        });
    }
    if let Ok(text) = object.cast::<PyString>() {
        return Ok(match text.to_cow() {
            Ok(text) => board_of_text(&text, requested),
            // An unpaired surrogate, for example.
            Err(_) => Row::Invalid(InvalidBoard::layout(
                "the text is not valid Unicode",
                shortened(&object.repr()?.to_string()),
            )),
        });
    }
    if let Some((cols, labels)) = labels_of_list(object) {
        let text = || shortened(&format!("{labels:?}").replace(',', ""));
        let shape = match cols {
            Some(cols) => shape_of_rows(labels.len() / cols, cols, requested),
            None => shape_of_cells(labels.len(), requested),
        };
        return Ok(match shape {
            Ok(shape) => board_of_labels(shape, &labels, text),
            Err(wrong) => Row::Invalid(wrong),
        });
    }
    let py = object.py();
    import_numpy(py)?;
    // A value that does not form an array, such as rows of different lengths, is not a board.
    let array = match object.cast::<PyUntypedArray>() {
        Ok(array) => Ok(array.clone()),
        Err(_) => numpy::get_array_module(py)?
            .getattr("asarray")?
            .call1((object,))
            .and_then(|array| Ok(array.cast_into::<PyUntypedArray>()?)),
    };
    let found = || object.repr().map_or_else(|_| "an object".into(), |text| shortened(&text.to_string()));
    let array = match array {
        Ok(array) => array,
        Err(error) => {
            return Ok(Row::Invalid(InvalidBoard::layout(
                format!("this is not a board: {}", error.value(py)),
                found(),
            )));
        }
    };
    Ok(match numbers_of(&array)? {
        Some(numbers) => board_of_numbers(&numbers, requested),
        None => Row::Invalid(InvalidBoard::layout("this is not a board of integers", found())),
    })
}

/// Returns the row length (`None` for a flat list) and the labels of a flat list of integers, or of
/// a list of rows of equal length. This is faster than creating an array. Returns `None` for
/// anything else, including labels that do not fit in 16 bits: the caller then creates an array.
fn labels_of_list(object: &Bound<'_, PyAny>) -> Option<(Option<usize>, Vec<u16>)> {
    let list = object.cast::<PyList>().ok()?;
    let label = |item: Bound<'_, PyAny>| {
        let is_integer = item.is_instance_of::<PyInt>() && !item.is_instance_of::<PyBool>();
        item.extract::<u16>().ok().filter(|_| is_integer)
    };
    let cols = list.get_item(0).ok().and_then(|first| Some(first.cast::<PyList>().ok()?.len()));
    let Some(cols) = cols.filter(|&cols| cols > 0) else {
        return Some((None, list.iter().map(label).collect::<Option<_>>()?));
    };
    let mut labels = Vec::with_capacity(list.len() * cols);
    for row in list.iter() {
        let row = row.cast::<PyList>().ok().filter(|row| row.len() == cols)?;
        for item in row.iter() {
            labels.push(label(item)?);
        }
    }
    Some((Some(cols), labels))
}

/// Converts an array of two dimensions, or a flat array of all tiles, to a board.
pub fn board_of_numbers(numbers: &Numbers<'_>, requested: Option<Shape>) -> Row {
    let shape = match numbers.dims()[..] {
        [cells] => shape_of_cells(cells, requested),
        [rows, cols] => shape_of_rows(rows, cols, requested),
        ref dims => Err(InvalidBoard::layout(
            format!("a {}-dimensional array is not a board", dims.len()),
            format!("an array of shape {dims:?}"),
        )),
    };
    match shape {
        Ok(shape) => {
            let (labels, text) = numbers.labels();
            board_of_labels(shape, &labels, || text)
        }
        Err(wrong) => Row::Invalid(wrong),
    }
}

/// Parses a board from text.
pub fn board_of_text(text: &str, requested: Option<Shape>) -> Row {
    let board = match requested {
        None => text.parse::<Board>(),
        // The tiles of a goal are written like a board, and `Goal::on` gives them the requested
        // shape.
        Some(shape) => text.parse::<Goal>().and_then(|goal| match goal {
            Goal::Tiles(_) => goal.on(shape),
            // The name of a goal is not a board; the board's parser reports that.
            _ => text.parse::<Board>(),
        }),
    };
    match board {
        Ok(board) => Row::Board(board),
        Err(error) => Row::Invalid(InvalidBoard::layout(error.to_string(), format!("'{}'", shortened(text)))),
    }
}

/// Shortens text for messages.
fn shortened(text: &str) -> String {
    const MAX_CHARS: usize = 120;
    match text.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{} …", &text[..end]),
        None => text.to_string(),
    }
}
