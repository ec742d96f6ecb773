//! A line of comma-separated values under a header that names the columns. Quotes are understood;
//! a quoted line break is not, because a record is one line.

use csv_core::ReadRecordResult;

use super::super::chunk::{ParseError, Puzzle, Source};
use super::super::words::size;
use super::spelling::Spelled;
use super::{Parsed, counted};
use crate::board::Shape;
use crate::board::tokens::quoted;

/// Which field of a line is what, counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CsvColumns {
    board: usize,
    id: Option<usize>,
    goal: Option<usize>,
    rows: Option<usize>,
    cols: Option<usize>,
}

impl CsvColumns {
    /// The columns that a header names; `None` unless `board` is one. Case does not matter, and of
    /// columns with the same name the first counts.
    pub fn of_header(line: &[u8]) -> Option<CsvColumns> {
        let fields = Fields::split(line).ok()?;
        let column = |name: &str| {
            (0..fields.len()).find(|&at| fields.get(at).trim_ascii().eq_ignore_ascii_case(name.as_bytes()))
        };
        Some(CsvColumns {
            board: column("board")?,
            id: column("id"),
            goal: column("goal"),
            rows: column("rows"),
            cols: column("cols"),
        })
    }
}

/// Reads one line.
pub fn record(line: &[u8], source: &Source) -> Parsed {
    let Some(columns) = &source.columns else {
        let wrong = "the header, the file's first line, names no column 'board': the lines cannot be read";
        return Err(ParseError::new(wrong)).into();
    };
    let fields = match Fields::split(line) {
        Ok(fields) => fields,
        Err(wrong) => return Err(wrong).into(),
    };
    let id = match columns.id.map(|at| fields.get(at)).filter(|id| !id.is_empty()).map(std::str::from_utf8) {
        None => None,
        Some(Ok(id)) => serde_json::to_string(id).ok().map(String::into_boxed_str),
        Some(Err(_)) => return Err(ParseError::new("the id is not UTF-8")).into(),
    };
    Parsed { id, puzzle: puzzle(&fields, columns, source.shape) }
}

fn puzzle(fields: &Fields, columns: &CsvColumns, known: Option<Shape>) -> Result<Puzzle, ParseError> {
    if fields.len() <= columns.board {
        let (found, at) = (counted(fields.len(), "field"), columns.board + 1);
        return Err(ParseError::new(format_args!("found {found}, the board is field {at}")));
    }
    let optional = |column: Option<usize>| column.map(|at| fields.get(at).trim_ascii()).filter(|text| !text.is_empty());
    let size = match (optional(columns.rows), optional(columns.cols)) {
        (None, None) => None,
        (Some(rows), Some(cols)) => Some(size([rows, cols].into_iter()).ok_or_else(|| {
            let (rows, cols) = (quoted(rows), quoted(cols));
            ParseError::new(format_args!("{rows} rows and {cols} cols are no size: each is from 1 to 255"))
        })?),
        (Some(_), None) => return Err(ParseError::new("found rows without cols")),
        (None, Some(_)) => return Err(ParseError::new("found cols without rows")),
    };
    let board = Spelled::read(fields.get(columns.board), size.or(known))?.board(size, known)?;
    match optional(columns.goal) {
        None => Ok(Puzzle::of(board)),
        Some(goal) => Puzzle::with_goal_text(board, goal),
    }
}

/// The fields of a line, their quotes taken off.
struct Fields {
    text: Vec<u8>,
    ends: Vec<usize>,
}

impl Fields {
    fn split(line: &[u8]) -> Result<Fields, ParseError> {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let commas = memchr::memchr_iter(b',', line).count();
        let (mut text, mut ends) = (vec![0; line.len() + 2], vec![0; commas + 2]);
        let mut reader = csv_core::ReaderBuilder::new().terminator(csv_core::Terminator::Any(b'\n')).build();
        let (_, _, written, ended) = reader.read_record(line, &mut text, &mut ends);
        // Only a line feed outside quotes ends the record.
        let (result, _, _, ended_after) = reader.read_record(b"\n", &mut text[written..], &mut ends[ended..]);
        if !matches!(result, ReadRecordResult::Record) {
            let wrong = "a quote is open at the end of the line; fields with line breaks are not supported";
            return Err(ParseError::new(wrong));
        }
        ends.truncate(ended + ended_after);
        Ok(Fields { text, ends })
    }

    fn len(&self) -> usize {
        self.ends.len()
    }

    /// A field; empty where the line has none.
    fn get(&self, at: usize) -> &[u8] {
        let start = if at == 0 { 0 } else { self.ends.get(at - 1).copied().unwrap_or_default() };
        self.ends.get(at).map_or(&[], |&end| &self.text[start..end])
    }
}
