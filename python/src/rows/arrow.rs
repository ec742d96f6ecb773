//! Arrow arrays of boards: lists and fixed-size lists of integers, lists of rows, and text, in
//! chunks.

use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef};
use arrow_buffer::{NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::DataType;
use pyo3::prelude::*;
use taquin::Shape;

use super::items::board_of_text;
use super::label::{Label, as_text};
use super::{Row, Rows, board_of_labels, shape_of_cells, shape_of_rows};
use crate::capsule;
use crate::errors::{BoardError, InvalidBoard};

/// Returns true if an object has Arrow data.
pub fn is_arrow(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(object.hasattr("__arrow_c_stream__")? || object.hasattr("__arrow_c_array__")?)
}

/// Boards in chunks of Arrow arrays.
pub struct ArrowBoards {
    chunks: Vec<Chunk>,
    /// The first row of each chunk, followed by the total number of rows.
    starts: Vec<usize>,
    requested: Option<Shape>,
    pub(super) shape: Option<Shape>,
}

/// A chunk of boards.
enum Chunk {
    Numbers(Lists),
    /// Boards as lists of rows; a row may be null, and rows may differ in length. Also a column
    /// without a number type, whose lists are all empty or hold only nulls.
    Nested(ArrayRef),
    Text(ArrayRef),
    Nulls(usize),
}

/// Boards as flat lists of numbers: one list per row of the column.
struct Lists {
    bounds: Bounds,
    /// The rows of the column that are null.
    nulls: Option<NullBuffer>,
    values: Values,
    /// The numbers in `values` that are null.
    value_nulls: Option<NullBuffer>,
    /// The shape, if the type determines it.
    shape: Option<(usize, usize)>,
    len: usize,
}

/// The range of each board's numbers in the values.
enum Bounds {
    /// Every board has this many numbers.
    Every(usize),
    /// The start of each board, followed by the end of the last.
    Offsets32(OffsetBuffer<i32>),
    /// The same, with 64 bits.
    Offsets64(OffsetBuffer<i64>),
}

enum Values {
    U8(ScalarBuffer<u8>),
    I8(ScalarBuffer<i8>),
    U16(ScalarBuffer<u16>),
    I16(ScalarBuffer<i16>),
    U32(ScalarBuffer<u32>),
    I32(ScalarBuffer<i32>),
    U64(ScalarBuffer<u64>),
    I64(ScalarBuffer<i64>),
}

/// Evaluates an expression with values of any integer type.
macro_rules! with_values {
    ($values:expr, $numbers:ident => $body:expr) => {
        match $values {
            Values::U8($numbers) => $body,
            Values::I8($numbers) => $body,
            Values::U16($numbers) => $body,
            Values::I16($numbers) => $body,
            Values::U32($numbers) => $body,
            Values::I32($numbers) => $body,
            Values::U64($numbers) => $body,
            Values::I64($numbers) => $body,
        }
    };
}

impl Values {
    fn of(array: &dyn Array) -> Option<Values> {
        fn buffer<T: ArrowPrimitiveType>(array: &dyn Array) -> ScalarBuffer<T::Native> {
            array.as_primitive::<T>().values().clone()
        }
        Some(match array.data_type() {
            DataType::UInt8 => Values::U8(buffer::<UInt8Type>(array)),
            DataType::Int8 => Values::I8(buffer::<Int8Type>(array)),
            DataType::UInt16 => Values::U16(buffer::<UInt16Type>(array)),
            DataType::Int16 => Values::I16(buffer::<Int16Type>(array)),
            DataType::UInt32 => Values::U32(buffer::<UInt32Type>(array)),
            DataType::Int32 => Values::I32(buffer::<Int32Type>(array)),
            DataType::UInt64 => Values::U64(buffer::<UInt64Type>(array)),
            DataType::Int64 => Values::I64(buffer::<Int64Type>(array)),
            _ => return None,
        })
    }
}

impl Lists {
    fn is_null(&self, row: usize) -> bool {
        self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row))
    }

    fn bounds(&self, row: usize) -> Range<usize> {
        match &self.bounds {
            Bounds::Every(cells) => row * cells..(row + 1) * cells,
            Bounds::Offsets32(offsets) => offsets[row] as usize..offsets[row + 1] as usize,
            Bounds::Offsets64(offsets) => offsets[row] as usize..offsets[row + 1] as usize,
        }
    }

    /// Returns the range of `values` that holds these rows, if the chunk has no nulls and each row
    /// has `cells` numbers.
    fn packed(&self, rows: &Range<usize>, cells: usize) -> Option<Range<usize>> {
        if self.nulls.is_some() || self.value_nulls.is_some() || rows.is_empty() {
            return None;
        }
        let range = self.bounds(rows.start).start..self.bounds(rows.end - 1).end;
        // The caller reads blocks only if all boards have the same shape, so it suffices to check
        // the sum of the lengths.
        (range.len() == rows.len() * cells).then_some(range)
    }

    /// Appends the numbers of rows. A row that is null, contains a null, or does not have `cells`
    /// numbers is replaced by fillers.
    fn append<U: Copy>(&self, rows: Range<usize>, cells: usize, filler: U, to: &mut Vec<U>, convert: Convert<U>) {
        with_values!(&self.values, numbers => {
            if let Some(range) = self.packed(&rows, cells) {
                to.extend(numbers[range].iter().map(|&number| convert(number.label())));
                return;
            }
            for row in rows {
                let range = self.bounds(row);
                let has_null = || self.value_nulls.as_ref().is_some_and(|nulls| range.clone().any(|at| nulls.is_null(at)));
                if self.is_null(row) || range.len() != cells || has_null() {
                    to.extend(std::iter::repeat_n(filler, cells));
                } else {
                    to.extend(numbers[range].iter().map(|&number| convert(number.label())));
                }
            }
        });
    }

    fn row(&self, row: usize, requested: Option<Shape>) -> Row {
        if self.is_null(row) {
            return Row::Null;
        }
        let range = self.bounds(row);
        if self.value_nulls.as_ref().is_some_and(|nulls| range.clone().any(|at| nulls.is_null(at))) {
            return Row::Invalid(InvalidBoard::layout("a tile is null", "a null among the numbers"));
        }
        let shape = match self.shape {
            Some((rows, cols)) => shape_of_rows(rows, cols, requested),
            None => shape_of_cells(range.len(), requested),
        };
        let shape = match shape {
            Ok(shape) => shape,
            Err(wrong) => return Row::Invalid(wrong),
        };
        with_values!(&self.values, numbers => {
            let labels: Vec<u16> = numbers[range.clone()].iter().map(|number| number.label()).collect();
            board_of_labels(shape, &labels, || as_text(numbers[range].iter()))
        })
    }
}

type Convert<U> = fn(u16) -> U;

/// Converts a label to a byte; 255 if it does not fit.
fn byte(label: u16) -> u8 {
    u8::try_from(label).unwrap_or(u8::MAX)
}

impl Chunk {
    fn of(array: ArrayRef) -> PyResult<Chunk> {
        let unknown = |what: &DataType| {
            let found = format!("an Arrow array of {what}");
            let reason = "this is not a column of boards";
            InvalidBoard { reason: reason.into(), found, expected: "lists of integers, or text".into() }
                .into_exception()
        };
        Ok(match array.data_type() {
            DataType::Null => Chunk::Nulls(array.len()),
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Chunk::Text(array),
            DataType::Struct(fields) => {
                let columns = array.as_struct();
                let index = match fields.len() {
                    1 => Some(0),
                    _ => fields.iter().position(|field| field.name() == "board"),
                };
                let Some(index) = index else {
                    let names: Vec<&str> = fields.iter().map(|field| field.name().as_str()).collect();
                    return Err(BoardError::new_err((
                        "no column is called board",
                        None::<usize>,
                        format!("the columns {}", names.join(", ")),
                        "one column, or a column called board",
                    )));
                };
                Chunk::of(columns.column(index).clone())?
            }
            DataType::FixedSizeList(..) => {
                let lists = array.as_fixed_size_list();
                let (values, length) = (lists.values(), lists.value_length() as usize);
                let nulls = lists.nulls().filter(|nulls| nulls.null_count() > 0).cloned();
                if let Some(rows) = values.as_fixed_size_list_opt().filter(|rows| rows.null_count() == 0) {
                    let cols = rows.value_length() as usize;
                    let numbers = Values::of(rows.values()).ok_or_else(|| unknown(array.data_type()))?;
                    Chunk::Numbers(Lists {
                        bounds: Bounds::Every(length * cols),
                        nulls,
                        values: numbers,
                        value_nulls: rows.values().nulls().filter(|nulls| nulls.null_count() > 0).cloned(),
                        shape: Some((length, cols)),
                        len: array.len(),
                    })
                } else {
                    Chunk::lists(&array, values, Bounds::Every(length), nulls)
                        .ok_or_else(|| unknown(array.data_type()))?
                }
            }
            DataType::List(_) => {
                let lists = array.as_list::<i32>();
                let bounds = Bounds::Offsets32(lists.offsets().clone());
                let chunk = Chunk::lists(&array, lists.values(), bounds, lists.nulls().cloned());
                chunk.ok_or_else(|| unknown(array.data_type()))?
            }
            DataType::LargeList(_) => {
                let lists = array.as_list::<i64>();
                let bounds = Bounds::Offsets64(lists.offsets().clone());
                let chunk = Chunk::lists(&array, lists.values(), bounds, lists.nulls().cloned());
                chunk.ok_or_else(|| unknown(array.data_type()))?
            }
            other => return Err(unknown(other)),
        })
    }

    fn lists(array: &ArrayRef, values: &ArrayRef, bounds: Bounds, nulls: Option<NullBuffer>) -> Option<Chunk> {
        let is_list =
            |kind: &DataType| matches!(kind, DataType::List(_) | DataType::LargeList(_) | DataType::FixedSizeList(..));
        if is_list(values.data_type()) {
            return Some(Chunk::Nested(array.clone()));
        }
        if values.data_type() == &DataType::Null {
            // A column without a number type: its lists are all empty or hold only nulls.
            return Some(Chunk::Nested(array.clone()));
        }
        Some(Chunk::Numbers(Lists {
            bounds,
            nulls: nulls.filter(|nulls| nulls.null_count() > 0),
            values: Values::of(values)?,
            value_nulls: values.nulls().filter(|nulls| nulls.null_count() > 0).cloned(),
            shape: None,
            len: array.len(),
        }))
    }

    fn len(&self) -> usize {
        match self {
            Chunk::Numbers(lists) => lists.len,
            Chunk::Nested(array) | Chunk::Text(array) => array.len(),
            Chunk::Nulls(len) => *len,
        }
    }

    fn row(&self, row: usize, requested: Option<Shape>) -> Row {
        match self {
            Chunk::Numbers(lists) => lists.row(row, requested),
            Chunk::Nested(array) if array.is_null(row) => Row::Null,
            Chunk::Nested(array) => nested(&value(array, row), requested),
            Chunk::Text(array) if array.is_null(row) => Row::Null,
            Chunk::Text(array) => {
                let text = match array.data_type() {
                    DataType::Utf8 => array.as_string::<i32>().value(row),
                    DataType::LargeUtf8 => array.as_string::<i64>().value(row),
                    _ => array.as_string_view().value(row),
                };
                board_of_text(text, requested)
            }
            Chunk::Nulls(_) => Row::Null,
        }
    }
}

/// Returns the list in a row of a list array.
fn value(array: &ArrayRef, row: usize) -> ArrayRef {
    match array.data_type() {
        DataType::List(_) => array.as_list::<i32>().value(row),
        DataType::LargeList(_) => array.as_list::<i64>().value(row),
        _ => array.as_fixed_size_list().value(row),
    }
}

/// Converts a list of rows to a board.
fn nested(rows: &ArrayRef, requested: Option<Shape>) -> Row {
    let wrong = |reason: &str, found: String| Row::Invalid(InvalidBoard::layout(reason, found));
    if rows.null_count() > 0 || rows.data_type() == &DataType::Null {
        return wrong("the list is empty, or a row or tile is null", "a list that is empty or contains nulls".into());
    }
    let (mut labels, mut cols) = (Vec::new(), None);
    for index in 0..rows.len() {
        let row = value(rows, index);
        let Some(values) = Values::of(&row).filter(|_| row.null_count() == 0) else {
            let nulls = if row.null_count() > 0 { " with nulls" } else { "" };
            return wrong(
                "a row contains something other than integers",
                format!("a row of type {}{nulls}", row.data_type()),
            );
        };
        let first_len = *cols.get_or_insert(row.len());
        if row.len() != first_len {
            return wrong("the rows differ in length", format!("rows of {first_len} and {} numbers", row.len()));
        }
        with_values!(&values, numbers => labels.extend(numbers.iter().map(|number| number.label())));
    }
    match shape_of_rows(rows.len(), cols.unwrap_or(0), requested) {
        Ok(shape) => board_of_labels(shape, &labels, || as_text(labels.iter())),
        Err(wrong) => Row::Invalid(wrong),
    }
}

impl ArrowBoards {
    /// Reads the boards of an object with Arrow data.
    pub fn new(object: &Bound<'_, PyAny>, requested: Option<Shape>) -> PyResult<ArrowBoards> {
        let chunks = capsule::arrays(object)?.into_iter().map(Chunk::of).collect::<PyResult<Vec<_>>>()?;
        let mut starts = vec![0];
        for chunk in &chunks {
            starts.push(starts[starts.len() - 1] + chunk.len());
        }
        let shape = uniform(&chunks, requested);
        Ok(ArrowBoards { chunks, starts, requested, shape })
    }

    /// Returns the number of the chunk that contains a row, and the row's number in that chunk.
    fn locate(&self, row: usize) -> (usize, usize) {
        let chunk = self.starts.partition_point(|&start| start <= row) - 1;
        (chunk, row - self.starts[chunk])
    }

    /// Splits a block of rows by chunk.
    fn parts(&self, rows: Range<usize>) -> impl Iterator<Item = (&Chunk, Range<usize>)> {
        let starts = &self.starts;
        let first = if rows.is_empty() { self.chunks.len() } else { self.locate(rows.start).0 };
        self.chunks.iter().enumerate().skip(first).map_while(move |(number, chunk)| {
            let part = rows.start.max(starts[number])..rows.end.min(starts[number + 1]);
            (starts[number] < rows.end).then(|| {
                let part = if part.is_empty() { 0..0 } else { part.start - starts[number]..part.end - starts[number] };
                (chunk, part)
            })
        })
    }

    /// Replaces the contents of the buffer with the converted numbers of these rows.
    fn read_into<U: Copy>(&self, rows: Range<usize>, filler: U, buffer: &mut Vec<U>, convert: Convert<U>) {
        buffer.clear();
        let cells = self.shape.map_or(0, Shape::cells);
        for (chunk, part) in self.parts(rows) {
            match chunk {
                Chunk::Numbers(lists) => lists.append(part, cells, filler, buffer, convert),
                // If all boards have the same shape, the other chunks contain only nulls.
                _ => buffer.extend(std::iter::repeat_n(filler, part.len() * cells)),
            }
        }
    }
}

/// Returns the shape of the boards, if every chunk is `Numbers` or `Nulls`, and all rows that are
/// not null have the same shape.
fn uniform(chunks: &[Chunk], requested: Option<Shape>) -> Option<Shape> {
    let (mut cells, mut shape_of_type) = (None, None);
    for chunk in chunks {
        let lists = match chunk {
            Chunk::Numbers(lists) => lists,
            Chunk::Nulls(_) => continue,
            Chunk::Nested(_) | Chunk::Text(_) => return None,
        };
        if shape_of_type.get_or_insert(lists.shape) != &lists.shape {
            return None;
        }
        for row in (0..lists.len).filter(|&row| !lists.is_null(row)) {
            let length = lists.bounds(row).len();
            if *cells.get_or_insert(length) != length {
                return None;
            }
            if matches!(lists.bounds, Bounds::Every(_)) {
                break;
            }
        }
    }
    match shape_of_type.flatten() {
        Some((rows, cols)) => shape_of_rows(rows, cols, requested).ok(),
        None => shape_of_cells(cells?, requested).ok(),
    }
}

impl Rows for ArrowBoards {
    fn len(&self) -> usize {
        self.starts[self.chunks.len()]
    }

    fn shape(&self) -> Option<Shape> {
        self.shape
    }

    fn bytes<'a>(&'a self, rows: Range<usize>, buffer: &'a mut Vec<u8>) -> &'a [u8] {
        let cells = self.shape.map_or(0, Shape::cells);
        let mut parts = self.parts(rows.clone());
        // Bytes of one chunk are read in place.
        if let (Some((Chunk::Numbers(lists), part)), None) = (parts.next(), parts.next())
            && let Values::U8(bytes) = &lists.values
            && let Some(range) = lists.packed(&part, cells)
        {
            return &bytes[range];
        }
        self.read_into(rows, u8::MAX, buffer, byte);
        buffer
    }

    fn labels(&self, rows: Range<usize>, buffer: &mut Vec<u16>) {
        self.read_into(rows, u16::MAX, buffer, |label| label);
    }

    fn row(&self, row: usize) -> Row {
        let (chunk, row) = self.locate(row);
        self.chunks[chunk].row(row, self.requested)
    }
}
