//! Boards in files, for users of the library: reading them record by record, and solving them as a
//! batch.

use std::fmt;
use std::io::Write;
use std::path::PathBuf;

use crate::batch::{self, Counts, Options, Sink, Totals};
use crate::board::{Board, Error, ErrorKind, Goal, Shape};
use crate::format::fields::{Field, Need};
use crate::format::input::{DecompressionLimit, Expanded, InputOptions, Layout, Puzzle, Reader, Shard, expand};
use crate::format::output::Fields;
use crate::format::style::Style;
use crate::solver::{CancelToken, Solver};

/// A run that solves the boards of files and writes one JSON line per record, in order. Configure
/// it with the methods below, then call [`run`](Batch::run).
///
/// A record that cannot be read gives one `invalid` result with the reason. The results do not
/// depend on the number of threads. Memory use does not grow with the length of the files.
pub struct Batch<'a> {
    expanded: Expanded,
    reading: InputOptions,
    shard: Shard,
    options: Options,
    cancel: CancelToken,
    warn: &'a (dyn Fn(&str) + Sync),
}

impl<'a> Batch<'a> {
    /// Creates a batch of these files. A directory stands for all files in it, and `-` for standard
    /// input.
    pub fn new<P: Into<PathBuf>>(paths: impl IntoIterator<Item = P>) -> Batch<'a> {
        Batch {
            expanded: expand(paths),
            reading: InputOptions::default(),
            shard: Shard::WHOLE,
            options: Options::new(Style::default()),
            cancel: CancelToken::new(),
            warn: &|_| {},
        }
    }

    /// Sets the layout of the records. By default it is detected from the first record of each
    /// file.
    #[must_use]
    pub fn layout(mut self, layout: Layout) -> Batch<'a> {
        self.reading.layout = Some(layout);
        self
    }

    /// Sets the goal of records without one. By default it is `1 2 3 … 0`, with the blank last.
    #[must_use]
    pub fn goal(mut self, goal: Goal) -> Batch<'a> {
        self.reading.goal = Some(goal);
        self
    }

    /// Sets the shape of boards whose records do not state one. By default, these boards are
    /// square.
    #[must_use]
    pub fn shape(mut self, shape: Shape) -> Batch<'a> {
        self.reading.shape = Some(shape);
        self
    }

    /// Restricts the batch to shard `number` of `count`, as `taquin solve --shard` does: every
    /// `count`-th block of 4096 records. Shards are numbered from 1. Records keep their numbers in
    /// the whole input, and all files are read.
    ///
    /// # Errors
    /// When the shard does not exist.
    pub fn shard(mut self, number: u64, count: u64) -> Result<Batch<'a>, Error> {
        let shard = format!("{number}/{count}").parse();
        self.shard = shard.map_err(|message: String| Error::new(ErrorKind::Option, message))?;
        Ok(self)
    }

    fn reader(&self) -> Reader {
        let mut reader = Reader::new(self.expanded.inputs.clone(), self.reading.clone());
        if self.shard != Shard::WHOLE {
            reader.take_only(self.shard);
        }
        reader
    }

    /// Sets the fields of the results and their order. Fields that compare boards with earlier ones
    /// use up to a quarter of the solver's memory, in addition to what the solver uses.
    #[must_use]
    pub fn fields(mut self, fields: Fields) -> Batch<'a> {
        self.options.style = Style::Json(fields);
        self
    }

    /// Sets the token with which another thread can stop the run. Finished results are written.
    #[must_use]
    pub fn cancel(mut self, token: &CancelToken) -> Batch<'a> {
        self.cancel = token.clone();
        self
    }

    /// Sets the function that receives warnings, for example about a file that cannot be read or a
    /// wrong count line. It may be called on the solver's threads and must not wait for this
    /// solver.
    #[must_use]
    pub fn on_warning(mut self, warn: &'a (dyn Fn(&str) + Sync)) -> Batch<'a> {
        self.warn = warn;
        self
    }

    /// Returns the records of the files without solving them; see [`records`].
    pub fn records(self) -> FileRecords {
        FileRecords { reader: self.reader(), ready: Vec::new().into_iter() }
    }

    /// Solves all records, writes one result per record, and returns the number of results of each
    /// status.
    ///
    /// # Errors
    /// When results cannot be written, threads cannot be started, a field that compares boards with
    /// earlier ones is selected for a shard, or an internal error occurs. File contents never cause
    /// an error.
    pub fn run(mut self, solver: &Solver, mut out: impl Write + Send) -> Result<Counts, Error> {
        self.reading.decompression = DecompressionLimit::default().within(solver.engines.memory_plan.decompression);
        let compares = |field: &Field| field.need() == Need::EarlierRecords;
        if let Some(field) = self.options.style.fields().and_then(|fields| fields.iter().find(compares))
            && self.shard != Shard::WHOLE
        {
            let why = format!("the field {field} compares each board with all before it: not available for shards");
            return Err(Error::new(ErrorKind::Option, why));
        }
        self.options.earlier_bytes = solver.engines.settings.memory / 4;
        self.expanded.skipped.lines().iter().for_each(|line| (self.warn)(line));
        let (mut reader, totals) = (self.reader(), Totals::default());
        let mut sink: &mut (dyn Write + Send) = &mut out;
        // Use a child token, because a run that fails sets the flag itself.
        let cancel = self.cancel.child();
        let ended = batch::run(&mut reader, &mut sink, solver, &self.options, &totals, cancel.flag(), self.warn);
        match ended {
            Ok(()) => Ok(totals.counts()),
            Err(batch::Error::Threads(error)) => Err(error),
            Err(error @ batch::Error::Write(_)) => Err(Error::new(ErrorKind::System, error.to_string())),
            Err(error @ batch::Error::Fault(_)) => Err(Error::new(ErrorKind::Fault, error.to_string())),
        }
    }
}

impl fmt::Debug for Batch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batch")
            .field("inputs", &self.expanded.inputs)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

/// A writer of a library user. A run that writes to it cannot be resumed, so it has no journal.
impl Sink for &mut (dyn Write + Send + '_) {}

/// A record read from a file.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct FileRecord {
    /// The record's number, counted from 1 over all files.
    pub index: u64,
    /// The file's name as given.
    pub source: String,
    /// The line on which the record starts, counted from 1.
    pub line: u64,
    /// The record's id, if it has one: a JSON string or number.
    pub id: Option<String>,
    /// The board and its goal, or the reason why they cannot be read.
    pub puzzle: Result<(Board, Goal), Error>,
}

/// An iterator over the records of files; see [`records`].
pub struct FileRecords {
    reader: Reader,
    /// The remaining records of the last chunk.
    ready: std::vec::IntoIter<FileRecord>,
}

/// Returns an iterator over the records of these files. A directory stands for all files in it, and
/// `-` for standard input. Files are read lazily, in bounded memory. A record that cannot be read
/// carries the reason; a file that cannot be read gives an error, and the next file follows. Records
/// that a count line promises, but that the file does not have, are not reported here.
pub fn records<P: Into<PathBuf>>(paths: impl IntoIterator<Item = P>) -> FileRecords {
    Batch::new(paths).records()
}

impl Iterator for FileRecords {
    type Item = Result<FileRecord, Error>;

    fn next(&mut self) -> Option<Result<FileRecord, Error>> {
        loop {
            if let Some(record) = self.ready.next() {
                return Some(Ok(record));
            }
            let chunk = match self.reader.next_chunk(256, 1 << 16, Vec::new())? {
                Ok(chunk) => chunk,
                Err(error) => return Some(Err(Error::new(ErrorKind::System, error.to_string()))),
            };
            let records: Vec<FileRecord> = chunk
                .records()
                .map(|record| FileRecord {
                    index: record.index,
                    source: chunk.source.name.to_string(),
                    line: record.line,
                    id: record.id.map(String::from),
                    puzzle: match record.puzzle {
                        Ok(Puzzle { board, goal }) => Ok((board, goal.unwrap_or_else(|| chunk.source.goal.clone()))),
                        Err(error) => Err(Error::new(ErrorKind::Invalid, error.to_string())),
                    },
                })
                .collect();
            self.ready = records.into_iter();
        }
    }
}

impl fmt::Debug for FileRecords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileRecords").finish_non_exhaustive()
    }
}
