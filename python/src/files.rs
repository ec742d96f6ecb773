//! Boards in files: solves them in order, or reads them into an array.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pyo3::exceptions::{PyOSError, PyTypeError, PyUserWarning};
use pyo3::prelude::*;
use pyo3::types::PyList;
use taquin::files::{Batch, Fields, Layout};
use taquin::{Board, CancelToken, Error, Goal, Shape};

use crate::errors::{InvalidBoard, exception_of_error, exception_of_panic};
use crate::interruptible::Control;
use crate::solver::Solvers;

/// The options for reading files.
#[derive(Clone)]
pub struct ReadOptions {
    /// The files and folders.
    pub paths: Vec<PathBuf>,
    /// The goal of boards that do not state theirs.
    pub goal: Option<Goal>,
    /// The shape of boards that do not state theirs.
    pub shape: Option<Shape>,
    /// The layout, or `None` to detect it.
    pub layout: Option<Layout>,
}

impl ReadOptions {
    /// Converts one path or several.
    pub fn paths(value: &Bound<'_, PyAny>) -> PyResult<Vec<PathBuf>> {
        if let Ok(path) = value.extract::<PathBuf>() {
            return Ok(vec![path]);
        }
        let paths = value.try_iter().map_err(|_| PyTypeError::new_err("expected a path or an iterable of paths"))?;
        paths.map(|path| path?.extract::<PathBuf>()).collect()
    }

    /// Returns the batch that reads the files.
    pub fn batch<'a>(self) -> Batch<'a> {
        let mut batch = Batch::new(self.paths);
        if let Some(goal) = self.goal {
            batch = batch.goal(goal);
        }
        if let Some(shape) = self.shape {
            batch = batch.shape(shape);
        }
        if let Some(layout) = self.layout {
            batch = batch.layout(layout);
        }
        batch
    }

    /// Reads all boards. An error about a record states its location.
    pub fn boards(self, control: &Control) -> Result<Vec<Board>, ReadFailure> {
        let mut boards: Vec<Board> = Vec::new();
        for record in self.batch().records() {
            if control.cancel.is_cancelled() {
                break;
            }
            let record = record.map_err(ReadFailure::Library)?;
            let location = format!("{}:{}", record.source, record.line);
            let (board, _) = record.puzzle.map_err(|error| {
                let wrong = InvalidBoard {
                    reason: error.to_string(),
                    found: format!("a record at {location}"),
                    expected: "a board".into(),
                };
                ReadFailure::Record(record.index as usize - 1, wrong)
            })?;
            if let Some(first) = boards.first().map(Board::shape).filter(|&first| first != board.shape()) {
                let found = format!("a board of {} at {location}", board.shape());
                let reason = "all boards of an array must have the same shape".into();
                return Err(ReadFailure::Record(
                    boards.len(),
                    InvalidBoard { reason, found, expected: format!("boards of {first}") },
                ));
            }
            boards.push(board);
            control.add(1);
        }
        Ok(boards)
    }
}

/// The reason why files cannot become an array.
pub enum ReadFailure {
    /// A file cannot be read.
    Library(Error),
    /// A record is not a board, or its shape differs from that of the first one.
    Record(usize, InvalidBoard),
}

impl From<ReadFailure> for PyErr {
    fn from(failure: ReadFailure) -> PyErr {
        match failure {
            ReadFailure::Library(error) => exception_of_error(&error),
            ReadFailure::Record(row, wrong) => wrong.into_row_exception(row),
        }
    }
}

/// A message from the batch thread.
enum Message {
    /// Whole result lines.
    Lines(Vec<u8>),
    /// The end of the batch, and its error if it failed.
    End(PyResult<()>),
}

/// Maximum number of queued messages. The size of a message is bounded, so this bounds memory.
const MAX_QUEUED: usize = 4;

/// Interval between checks for signals.
const CHECK_INTERVAL: Duration = Duration::from_millis(20);

/// The results for the boards of files, in order, yielded as they are computed.
///
/// An iterator of dicts with the fields of ``docs/formats.md``: ``index``, ``source``, ``line``,
/// ``status``, ``moves``, ``path`` and others. Warnings, for example about a file that cannot be
/// read, are issued as Python warnings.
#[pyclass(name = "FileResults", module = "taquin")]
pub struct PyFileResults {
    receiver: Mutex<Receiver<Message>>,
    cancel: CancelToken,
    warnings: Arc<Mutex<Vec<String>>>,
    /// The results that are received but not yet yielded.
    received: std::vec::IntoIter<Py<PyAny>>,
    ended: bool,
    process_id: u32,
}

impl PyFileResults {
    /// Starts a run over files.
    pub fn start(solvers: Arc<Solvers>, options: ReadOptions, fields: Option<Fields>) -> PyResult<PyFileResults> {
        let (sender, receiver) = sync_channel(MAX_QUEUED);
        let (cancel, warnings) = (CancelToken::new(), Arc::new(Mutex::new(Vec::new())));
        let (token, sink) = (cancel.clone(), Arc::clone(&warnings));
        let thread = std::thread::Builder::new().name("files".into()).spawn(move || {
            let end = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                let warn = |warning: &str| sink.lock().unwrap_or_else(PoisonError::into_inner).push(warning.into());
                let mut batch = options.batch().cancel(&token).on_warning(&warn);
                if let Some(fields) = fields {
                    batch = batch.fields(fields);
                }
                batch.run(&solvers.solver, LineSender { sender: sender.clone() })
            }));
            let end = match end {
                Ok(Ok(_)) => Ok(()),
                Ok(Err(error)) => Err(exception_of_error(&error)),
                Err(panic) => Err(exception_of_panic(&*panic)),
            };
            // The receiver may have been dropped.
            let _ = sender.send(Message::End(end));
        });
        thread.map_err(|error| PyOSError::new_err(format!("cannot start a thread: {error}")))?;
        let (receiver, received) = (Mutex::new(receiver), Vec::new().into_iter());
        Ok(PyFileResults { receiver, cancel, warnings, received, ended: false, process_id: std::process::id() })
    }

    /// Returns the next message, or `None` if there is none within `CHECK_INTERVAL`. Called without
    /// the GIL.
    fn receive(&self) -> Option<Message> {
        let receiver = self.receiver.lock().unwrap_or_else(PoisonError::into_inner);
        match receiver.recv_timeout(CHECK_INTERVAL) {
            Ok(message) => Some(message),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Message::End(Ok(()))),
        }
    }

    fn warn(&self, py: Python<'_>) -> PyResult<()> {
        let warnings = std::mem::take(&mut *self.warnings.lock().unwrap_or_else(PoisonError::into_inner));
        for warning in warnings {
            py.import("warnings")?.call_method1("warn", (warning, py.get_type::<PyUserWarning>(), 2))?;
        }
        Ok(())
    }
}

#[pymethods]
impl PyFileResults {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        if self.process_id != std::process::id() {
            return Err(PyOSError::new_err(
                "these results belong to the parent process: call solve_files again in this one",
            ));
        }
        loop {
            self.warn(py)?;
            if let Some(result) = self.received.next() {
                return Ok(Some(result));
            }
            if self.ended {
                return Ok(None);
            }
            let message = {
                let this = &*self;
                py.detach(|| this.receive())
            };
            match message {
                None => py.check_signals().inspect_err(|_| self.cancel.cancel())?,
                Some(Message::Lines(lines)) => self.received = dicts(py, &lines)?.into_iter(),
                Some(Message::End(end)) => {
                    self.ended = true;
                    self.warn(py)?;
                    end?;
                }
            }
        }
    }
}

impl Drop for PyFileResults {
    fn drop(&mut self) {
        // Without this, the run would end only when it fails to send its next lines. In a forked
        // process, the run belongs to the parent.
        if self.process_id == std::process::id() {
            self.cancel.cancel();
        }
    }
}

/// Parses whole lines as dicts.
fn dicts(py: Python<'_>, lines: &[u8]) -> PyResult<Vec<Py<PyAny>>> {
    let text = String::from_utf8_lossy(lines);
    let array = format!("[{}]", text.trim_end().replace('\n', ","));
    let dicts = py.import("json")?.call_method1("loads", (array,))?.cast_into::<PyList>()?;
    Ok(dicts.iter().map(Bound::unbind).collect())
}

/// A writer that sends its lines to the iterator. Each write must consist of whole lines.
struct LineSender {
    sender: SyncSender<Message>,
}

impl Write for LineSender {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let sent = self.sender.send(Message::Lines(bytes.to_vec()));
        sent.map(|()| bytes.len()).map_err(|_| io::Error::other("the results are no longer read"))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Parses the names of result fields.
pub fn fields(value: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Fields>> {
    let Some(value) = value else { return Ok(None) };
    let text = match value.extract::<String>() {
        Ok(text) => text,
        Err(_) => {
            let names = value.try_iter()?.map(|name| name?.extract::<String>()).collect::<PyResult<Vec<_>>>();
            names.map_err(|_| PyTypeError::new_err("fields must be names, such as ('index', 'moves')"))?.join(",")
        }
    };
    text.parse().map(Some).map_err(|error: Error| exception_of_error(&error))
}

/// Parses the name of a layout.
pub fn layout(value: Option<&str>) -> PyResult<Option<Layout>> {
    value
        .map(|name| name.parse::<Layout>())
        .transpose()
        .map_err(|error| pyo3::exceptions::PyValueError::new_err(error.to_string()))
}
