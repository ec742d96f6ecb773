//! Known paths, one per record: results of `taquin solve`, or lines of moves.

use std::io::{self, Read};

use crate::board::{Board, Error, Path};
use crate::format::fields::{Field, FieldSet};
use crate::format::result::{ReadMode, ResultLine};
use crate::format::result_lines::{End, Lines};
use crate::format::spelling::Spelling;

/// The known path of a record, not yet replayed, or the reason why its text is not a path. `None`
/// if the record has no known path.
pub type KnownPath = Option<Result<Path, String>>;

/// A reader of the paths in a file, in the order of the records.
pub struct KnownPaths {
    lines: Lines,
    line: Vec<u8>,
    lines_read: u64,
}

impl KnownPaths {
    /// Creates a reader of a text. A text that begins with a CSV header or a brace contains
    /// results; any other text contains one path per line.
    ///
    /// # Errors
    /// When the beginning cannot be read.
    pub fn of_text(text: Box<dyn Read + Send>) -> io::Result<KnownPaths> {
        let lines = Lines::of_results(text)?;
        // CSV has a header.
        Ok(KnownPaths { line: Vec::new(), lines_read: u64::from(lines.is_csv()), lines })
    }

    /// Reads the known path of record `index`. `board` is the record's board; `None` if the record
    /// is invalid.
    ///
    /// # Errors
    /// When the paths cannot be read, or results are not in the order of the records.
    pub fn next(&mut self, index: u64, board: Option<&Board>, spelling: Spelling) -> Result<KnownPath, String> {
        if !self.take_line()? {
            return match self.lines.end() {
                End::TooLong => Err(format!("line {} is too long", self.lines_read + 1)),
                _ => Ok(None),
            };
        }
        let (line, number) = (self.line.trim_ascii(), self.lines_read);
        let Some(board) = board else { return Ok(None) };
        if self.lines.are_results() {
            path_of_result(line, index, board, spelling).map_err(|why| format!("line {number} {why}"))
        } else {
            Ok(read_moves(board, spelling, line))
        }
    }

    /// Reads to the next line that is not empty, and returns its number, if there is one. Call it
    /// after the last record.
    ///
    /// # Errors
    /// When the paths cannot be read.
    pub fn next_nonempty_line(&mut self) -> Result<Option<u64>, String> {
        while self.take_line()? {
            if !self.line.trim_ascii().is_empty() {
                return Ok(Some(self.lines_read));
            }
        }
        Ok(None)
    }

    /// Reads the next line. Returns false at the end.
    fn take_line(&mut self) -> Result<bool, String> {
        let taken = self.lines.take(1, &mut self.line).map_err(|error| error.to_string())?;
        self.lines_read += taken as u64;
        Ok(taken > 0)
    }
}

fn read_moves(board: &Board, spelling: Spelling, text: &[u8]) -> KnownPath {
    let mut letters = Vec::new();
    Some(spelling.read(board, text, &mut letters).and_then(|()| parsed(letters)))
}

fn parsed(letters: Vec<u8>) -> Result<Path, String> {
    String::from_utf8_lossy(&letters).parse().map_err(|error: Error| error.to_string())
}

fn path_of_result(line: &[u8], index: u64, board: &Board, spelling: Spelling) -> Result<KnownPath, String> {
    let used = |field| matches!(field, Field::Index | Field::Path);
    let result = ResultLine::read(line, ReadMode::Only(FieldSet::of(used)))?;
    match (result.number(Field::Index), result.text(Field::Path)) {
        (Some(other), _) if other != index => Err(format!("is the result of record {other}, expected record {index}")),
        (_, Some(path)) => Ok(read_moves(board, spelling, path.as_bytes())),
        (_, None) => Ok(None),
    }
}
