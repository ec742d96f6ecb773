//! A part of a run, read result by result up to its trailer.

use std::io::{self, Read};

use crate::format::result::index_of;
use crate::format::result_lines::{End, Lines};
use crate::format::trailer::Trailer;
use crate::system::Checksum;

/// The number of bytes read from a part at once. There may be hundreds of parts.
const BLOCK_BYTES: usize = 64 << 10;

/// The error that ended a merge.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A part could not be read.
    #[error("cannot read {name}: {error}")]
    Read {
        /// The part's name.
        name: String,
        /// The reason.
        error: io::Error,
    },
    /// The parts are not one complete run. The message says why.
    #[error("{0}")]
    Parts(String),
}

/// A reader of one part.
pub struct Part {
    /// The part's name in messages.
    pub name: String,
    lines: Lines,
    /// The current result with its line feed.
    pub line: Vec<u8>,
    /// The record number of the current result; `None` if there is no result.
    pub index: Option<u64>,
    /// The number of results so far.
    results: u64,
    /// The checksum of the results so far.
    checksum: Checksum,
    /// The trailer, once it has been read.
    pub trailer: Option<Trailer>,
}

impl Part {
    /// Creates a reader of a part from a stream.
    pub fn new(name: String, stream: Box<dyn Read + Send>) -> Part {
        let (lines, checksum) = (Lines::new(stream, BLOCK_BYTES), Checksum::default());
        Part { name, lines, line: Vec::new(), index: None, results: 0, checksum, trailer: None }
    }

    /// Reads the next result, or returns false at the end of the part.
    ///
    /// # Errors
    /// When the part cannot be read, is not complete or was changed.
    pub fn advance(&mut self) -> Result<bool, Error> {
        self.index = None;
        let number = self.results + 1;
        match self.lines.take(1, &mut self.line) {
            Err(error) => return Err(Error::Read { name: self.name.clone(), error }),
            Ok(0) => return self.check_end(number).map(|()| false),
            Ok(_) if self.lines.end() == End::Torn => return self.check_end(number).map(|()| false),
            Ok(_) => {}
        }
        if self.trailer.is_some() {
            return Err(self.error("has data after its trailer"));
        }
        if Trailer::is_trailer(&self.line) {
            let invalid = |why| self.error(&format!("line {number} is not a valid trailer: {why}"));
            self.trailer = Some(Trailer::read(&self.line).map_err(invalid)?);
            return self.advance();
        }
        let index = index_of(&self.line).and_then(|index| index.ok_or_else(|| "has no field `index`".into()));
        self.index = Some(index.map_err(|why| self.error(&format!("line {number} {why}")))?);
        self.results = number;
        self.checksum.update(&self.line);
        Ok(true)
    }

    /// Checks that the part ends with a trailer that matches its results.
    fn check_end(&self, number: u64) -> Result<(), Error> {
        Err(self.error(&match (self.lines.end(), &self.trailer) {
            (End::Torn, _) => format!("ends in the middle of line {number}: it was cut off"),
            (End::TooLong, _) => format!("line {number} is too long"),
            (_, None) => "does not end with a trailer: it was cut off, or its run has not finished".to_string(),
            (_, Some(trailer)) if trailer.written != self.results => {
                format!("has {} results, expected {}", self.results, trailer.written)
            }
            (_, Some(trailer)) if !trailer.matches(&self.checksum) => {
                format!("was changed after it was written: its lines do not match the checksum on line {number}")
            }
            _ => return Ok(()),
        }))
    }

    fn error(&self, what: &str) -> Error {
        Error::Parts(format!("{} {what}", self.name))
    }
}
