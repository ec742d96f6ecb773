//! The records of files as batches of Arrow data, for data frameworks that distribute work among
//! machines, such as Spark.

use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::builder::{Int32Builder, Int64Builder, ListBuilder, StringBuilder};
use arrow_array::{Array, ArrayRef, RecordBatch, StructArray};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use taquin::files::{FileRecord, FileRecords};
use taquin::{Board, Error, Goal};

use crate::capsule;
use crate::errors::exception_of_error;
use crate::files::{ReadOptions, layout};
use crate::options;

/// The maximum number of records in a batch.
const BATCH_RECORDS: usize = 4096;

/// The records of files: an iterator of batches with the columns ``index``, ``source``, ``line``,
/// ``id``, ``board``, ``goal`` and ``error``.
#[pyclass(name = "FileRecords", module = "taquin._taquin", frozen)]
pub struct PyFileRecords {
    records: Mutex<FileRecords>,
}

/// A batch of records.
#[pyclass(name = "RecordBatch", module = "taquin._taquin", frozen)]
pub struct PyRecordBatch {
    array: StructArray,
}

/// Returns the records of files: all of them, or one shard, given as (number, count).
#[pyfunction]
#[pyo3(signature = (paths, *, goal=None, shape=None, format=None, shard=(1, 1)))]
pub fn file_records(
    paths: &Bound<'_, PyAny>,
    goal: Option<&Bound<'_, PyAny>>,
    shape: Option<&Bound<'_, PyAny>>,
    format: Option<&str>,
    shard: (u64, u64),
) -> PyResult<PyFileRecords> {
    let shape = options::shape(shape)?;
    let goal = goal.map(|goal| options::goal(Some(goal), shape)).transpose()?;
    let options = ReadOptions { paths: ReadOptions::paths(paths)?, goal, shape, layout: layout(format)? };
    let run = options.batch();
    let records = run.shard(shard.0, shard.1).map_err(|error| exception_of_error(&error))?.records();
    Ok(PyFileRecords { records: Mutex::new(records) })
}

#[pymethods]
impl PyFileRecords {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<PyRecordBatch>> {
        py.check_signals()?;
        let batch = py.detach(|| {
            let mut records = self.records.lock().unwrap_or_else(PoisonError::into_inner);
            let mut columns = Columns::default();
            let added = (&mut *records).take(BATCH_RECORDS).try_for_each(|record| columns.add(record?));
            added.map(|()| columns)
        });
        let columns = batch.map_err(|error: Error| exception_of_error(&error))?;
        if columns.rows == 0 {
            return Ok(None);
        }
        let array = columns.finish().map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Some(PyRecordBatch { array }))
    }
}

#[pymethods]
impl PyRecordBatch {
    fn __len__(&self) -> usize {
        self.array.len()
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
}

/// The columns of a batch under construction.
#[derive(Default)]
struct Columns {
    rows: usize,
    index: Int64Builder,
    source: StringBuilder,
    line: Int64Builder,
    id: StringBuilder,
    /// Each board as a list of rows, so that its shape is known.
    board: ListBuilder<ListBuilder<Int32Builder>>,
    /// The goal as text, or null for the default goal.
    goal: StringBuilder,
    error: StringBuilder,
}

impl Columns {
    fn add(&mut self, record: FileRecord) -> Result<(), Error> {
        self.rows += 1;
        self.index.append_value(record.index as i64);
        self.source.append_value(&record.source);
        self.line.append_value(record.line as i64);
        self.id.append_option(record.id);
        let (board, goal, error) = match record.puzzle {
            Ok((board, goal)) => match goal_text(&board, &goal) {
                Ok(goal) => (Some(board), goal, None),
                Err(error) => (None, None, Some(error)),
            },
            Err(error) => (None, None, Some(error)),
        };
        if let Some(board) = &board {
            for row in board.tiles().chunks(board.shape().cols()) {
                row.iter().for_each(|tile| self.board.values().values().append_value(tile.label() as i32));
                self.board.values().append(true);
            }
        }
        self.board.append(board.is_some());
        self.goal.append_option(goal);
        self.error.append_option(error.map(|error| error.to_string()));
        Ok(())
    }

    fn finish(mut self) -> Result<StructArray, arrow_schema::ArrowError> {
        let columns: [(&str, ArrayRef); 7] = [
            ("index", Arc::new(self.index.finish())),
            ("source", Arc::new(self.source.finish())),
            ("line", Arc::new(self.line.finish())),
            ("id", Arc::new(self.id.finish())),
            ("board", Arc::new(self.board.finish())),
            ("goal", Arc::new(self.goal.finish())),
            ("error", Arc::new(self.error.finish())),
        ];
        let columns = columns.map(|(name, column)| (name, column, true));
        RecordBatch::try_from_iter_with_nullable(columns).map(StructArray::from)
    }
}

/// Returns the goal of a board as text, or `None` for the default goal.
fn goal_text(board: &Board, goal: &Goal) -> Result<Option<String>, Error> {
    if *goal == Goal::BlankLast {
        return Ok(None);
    }
    goal.on(board.shape()).map(|goal| Some(goal.to_string()))
}
