//! Boards in files, for users of the library: reading them record by record, and running a batch over them.

use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;

use crate::batch::{self, Counts, Options, Sink, Totals};
use crate::board::{Board, Error, ErrorKind, Goal, Shape};
use crate::format::fields::{Field, Need};
use crate::format::input::{DecompressionLimit, Input, InputOptions, Layout, Puzzle, Reader, Shard, expand};
use crate::format::output::Fields;
use crate::format::style::Style;
use crate::solver::{CancelToken, Solver};

/// Solves the boards of files and writes one JSON line for each record, in order. Set up step by step, then
/// [run](Batch::run).
///
/// A record that cannot be read costs one `invalid` result that says why; the results do not depend on the number of
/// threads. Memory is bounded by that of the solver, however long the files are.
pub struct Batch<'a> {
    inputs: Vec<Input>,
    reading: InputOptions,
    shard: Shard,
    options: Options,
    cancel: CancelToken,
    warn: &'a (dyn Fn(&str) + Sync),
    progress: &'a (dyn Fn(&Counts) + Sync),
}

impl<'a> Batch<'a> {
    /// The boards of these files, of all files in directories, and of standard input for `-`.
    pub fn new<P: Into<PathBuf>>(paths: impl IntoIterator<Item = P>) -> Batch<'a> {
        Batch {
            inputs: expand(paths).inputs,
            reading: InputOptions::default(),
            shard: Shard::WHOLE,
            options: Options::new(Style::default()),
            cancel: CancelToken::new(),
            warn: &|_| {},
            progress: &|_| {},
        }
    }

    /// How the records are laid out. By default that is told from the first record of each file.
    #[must_use]
    pub fn layout(mut self, layout: Layout) -> Batch<'a> {
        self.reading.layout = Some(layout);
        self
    }

    /// The goal of records that bring none of their own. By default `1 2 3 … 0`, the blank last.
    #[must_use]
    pub fn goal(mut self, goal: Goal) -> Batch<'a> {
        self.reading.goal = Some(goal);
        self
    }

    /// The shape of boards that do not tell their own and are not square.
    #[must_use]
    pub fn shape(mut self, shape: Shape) -> Batch<'a> {
        self.reading.shape = Some(shape);
        self
    }

    /// Only the records of shard `number` of so many, from 1, as `taquin solve --shard` takes them: every so many blocks of 4096
    /// records. Their numbers are those that they have among all; all files are read.
    ///
    /// # Errors
    /// When there is no such shard.
    pub fn shard(mut self, number: u64, of: u64) -> Result<Batch<'a>, Error> {
        let shard = format!("{number}/{of}").parse();
        self.shard = shard.map_err(|wrong: String| Error::new(ErrorKind::Option, wrong))?;
        Ok(self)
    }

    fn reader(&self) -> Reader {
        let mut reader = Reader::new(self.inputs.clone(), self.reading.clone());
        if self.shard != Shard::WHOLE {
            reader.take_only(self.shard);
        }
        reader
    }

    /// Which fields the results have, in which order. Those that compare boards with earlier ones keep them in up to a quarter of
    /// the solver's memory, beside what the solver takes.
    #[must_use]
    pub fn fields(mut self, fields: Fields) -> Batch<'a> {
        self.options.style = Style::Json(fields);
        self
    }

    /// Returns a field that compares boards with all before them, if there is one.
    fn of_earlier_records(&self) -> Option<Field> {
        self.options.style.fields()?.iter().find(|field| field.need() == Need::EarlierRecords)
    }

    /// Writes results as they are found, not in the order of the records.
    #[must_use]
    pub fn unordered(mut self) -> Batch<'a> {
        self.options.ordered = false;
        self
    }

    /// A token by which another thread can end the run: what is finished by then is written.
    #[must_use]
    pub fn cancel(mut self, token: &CancelToken) -> Batch<'a> {
        self.cancel = token.clone();
        self
    }

    /// Called with what a user should know at once: a file that cannot be read, a count line that is wrong. It may be called
    /// on the solver's threads, and must not wait for this solver.
    #[must_use]
    pub fn on_warning(mut self, warn: &'a (dyn Fn(&str) + Sync)) -> Batch<'a> {
        self.warn = warn;
        self
    }

    /// Called with the results that were written so far, before every further write and at the end. It is called on the
    /// solver's threads, and must not wait for this solver.
    #[must_use]
    pub fn on_progress(mut self, progress: &'a (dyn Fn(&Counts) + Sync)) -> Batch<'a> {
        self.progress = progress;
        self
    }

    /// The records of the files by themselves, see [`records`].
    pub fn records(self) -> FileRecords {
        FileRecords { reader: self.reader(), ready: Vec::new().into_iter() }
    }

    /// Reads everything, solves everything, writes one result for every record; how many of each kind there were.
    ///
    /// # Errors
    /// When results cannot be written, the system refuses threads, or by a fault of the program. What a file contains
    /// is never an error.
    pub fn run(mut self, solver: &Solver, mut out: impl Write + Send) -> Result<Counts, Error> {
        self.reading.decompression = DecompressionLimit::default().within(solver.memory_plan().decompression);
        if let Some(field) = self.of_earlier_records()
            && (!self.options.ordered || self.shard != Shard::WHOLE)
        {
            let why = format!("the field {field} compares each board with all before it: not unordered, nor in shards");
            return Err(Error::new(ErrorKind::Option, why));
        }
        self.options.earlier_bytes = solver.settings().memory / 4;
        let mut reader = self.reader();
        let totals = Totals::default();
        let mut sink = Watched { out: &mut out, totals: &totals, progress: self.progress };
        // A child, because a run that fails raises the flag itself.
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
        f.debug_struct("Batch").field("inputs", &self.inputs).field("options", &self.options).finish_non_exhaustive()
    }
}

/// Writes results, and reports how many there are.
struct Watched<'a> {
    out: &'a mut (dyn Write + Send),
    totals: &'a Totals,
    progress: &'a (dyn Fn(&Counts) + Sync),
}

impl Write for Watched<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        (self.progress)(&self.totals.counts());
        self.out.write(bytes)
    }

    /// Comes after the last write.
    fn flush(&mut self) -> io::Result<()> {
        (self.progress)(&self.totals.counts());
        self.out.flush()
    }
}

impl Sink for Watched<'_> {}

/// A record of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct FileRecord {
    /// Its number, counted from 1 over all files.
    pub index: u64,
    /// The file, as it was named.
    pub source: String,
    /// The line it began on, counted from 1 in its file.
    pub line: u64,
    /// Its own id, if it brought one: a JSON string or number.
    pub id: Option<String>,
    /// The board and its goal, or why they cannot be read.
    pub puzzle: Result<(Board, Goal), Error>,
}

/// The records of files, see [`records`].
pub struct FileRecords {
    reader: Reader,
    /// Those of the last chunk.
    ready: std::vec::IntoIter<FileRecord>,
}

/// All records of these files, of all files in directories, and of standard input for `-`: read lazily, in bounded
/// memory. A record that cannot be read says why; a file that cannot is an error, and the next one follows.
pub fn records<P: Into<PathBuf>>(paths: impl IntoIterator<Item = P>) -> FileRecords {
    Batch::new(paths).records()
}

impl FileRecords {
    /// What a user should know of the files that were read since the last call: a count line that is wrong, say.
    pub fn take_warnings(&mut self) -> Vec<String> {
        self.reader.take_warnings()
    }

    /// Records of a chunk, at most, and its bytes, about.
    const CHUNK: (usize, usize) = (256, 1 << 16);
}

impl Iterator for FileRecords {
    type Item = Result<FileRecord, Error>;

    fn next(&mut self) -> Option<Result<FileRecord, Error>> {
        loop {
            if let Some(record) = self.ready.next() {
                return Some(Ok(record));
            }
            let (most, bytes) = FileRecords::CHUNK;
            let chunk = match self.reader.next_chunk(most, bytes, Vec::new())? {
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
