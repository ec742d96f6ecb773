//! The Arrow PyCapsule interface: exchanges arrays with any library without a copy.

use std::ffi::CStr;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi, to_ffi};
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchIterator, make_array};
use arrow_schema::ArrowError;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

fn invalid_data(error: &ArrowError) -> PyErr {
    PyValueError::new_err(format!("the Arrow data cannot be read: {error}"))
}

/// Returns the arrays of an object with Arrow data, one per chunk.
pub fn arrays(object: &Bound<'_, PyAny>) -> PyResult<Vec<ArrayRef>> {
    if object.hasattr("__arrow_c_array__")? {
        let capsules = object.call_method0("__arrow_c_array__")?;
        let (schema, array): (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) = capsules.extract()?;
        return Ok(vec![array_of(&schema, &array)?]);
    }
    let capsule = object.call_method0("__arrow_c_stream__")?.cast_into::<PyCapsule>()?;
    let reader = reader_of(&capsule)?;
    // Reading a stream may run Python code that creates the arrays, so this thread must stay
    // attached to Python.
    reader.collect::<Result<Vec<_>, _>>().map_err(|error| invalid_data(&error))
}

#[allow(unsafe_code)] // reads through the pointer of a capsule
fn array_of(schema: &Bound<'_, PyCapsule>, array: &Bound<'_, PyCapsule>) -> PyResult<ArrayRef> {
    let schema = schema.pointer_checked(Some(SCHEMA))?.cast::<FFI_ArrowSchema>();
    let array = array.pointer_checked(Some(ARRAY))?.cast::<FFI_ArrowArray>();
    // SAFETY: the interface guarantees that capsules of these names hold these structures and keep
    // them alive. The caller holds the capsules. The array is moved out, which leaves a released
    // structure in its capsule. The producer guarantees that the array agrees with its schema;
    // offsets and lengths are checked when it is read.
    let data = unsafe { from_ffi(FFI_ArrowArray::from_raw(array.as_ptr()), schema.as_ref()) };
    data.map(make_array).map_err(|error| invalid_data(&error))
}

#[allow(unsafe_code)] // reads through the pointer of a capsule
fn reader_of(capsule: &Bound<'_, PyCapsule>) -> PyResult<ArrayStreamReader> {
    let stream = capsule.pointer_checked(Some(STREAM))?.cast::<FFI_ArrowArrayStream>();
    // SAFETY: as in `array_of`.
    unsafe { ArrayStreamReader::from_raw(stream.as_ptr()) }.map_err(|error| invalid_data(&error))
}

/// Returns the capsules of an array's schema and of the array.
pub fn array_capsules<'py>(
    py: Python<'py>,
    array: &dyn Array,
) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
    let failed = |error: ArrowError| PyValueError::new_err(format!("the array cannot be exported: {error}"));
    let (array, schema) = to_ffi(&array.to_data()).map_err(failed)?;
    Ok((PyCapsule::new_with_value(py, schema, SCHEMA)?, PyCapsule::new_with_value(py, array, ARRAY)?))
}

/// Returns a stream capsule of a table.
pub fn stream_capsule<'py>(py: Python<'py>, batch: RecordBatch) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = batch.schema();
    let stream = FFI_ArrowArrayStream::new(Box::new(RecordBatchIterator::new([Ok(batch)], schema)));
    PyCapsule::new_with_value(py, stream, STREAM)
}
