//! A line of values separated by commas, tabs or semicolons under a header that names the columns. Quotes are understood;
//! a quoted line break is not, because a record is one line.

use std::sync::Arc;

use super::super::csv_fields::{CsvColumns, Fields};
use super::super::record::{ParseError, Puzzle};
use super::super::source::Source;
use super::super::text_lines::size;
use super::board_tiles::BoardTiles;
use super::json;
use super::parsed::{Parsed, in_goal};
use super::tiles::counted;
use super::writing::Writing;
use crate::board::tokens::quoted;
use crate::board::{Board, Shape};
use crate::format::json_object::json_string;
use crate::format::passing::Passed;

/// Reads one line.
pub fn record(line: &[u8], source: &Source) -> Parsed {
    let Some(columns) = &source.columns else {
        let wrong = source.wrong_header.clone();
        return Err(wrong.unwrap_or_else(|| ParseError::new("the file has no header that names a column 'board'")))
            .into();
    };
    let fields = match Fields::split(line, columns.delimiter) {
        Ok(fields) => fields,
        Err(wrong) => return Err(wrong).into(),
    };
    let text = |at: usize| match std::str::from_utf8(fields.get(at)) {
        Ok(text) => Ok(json_string(text).into_boxed_str()),
        Err(_) => Err(ParseError::new(format_args!("field {} is not UTF-8", at + 1))),
    };
    let id = match columns.id.filter(|&id| !fields.get(id).is_empty()).map(text).transpose() {
        Ok(id) => id,
        Err(_) => return Err(ParseError::new("the id is not UTF-8")).into(),
    };
    let passed = columns.passed.iter().enumerate();
    let passed = passed.map(|(place, (at, name))| Ok((place, Arc::clone(name), text(*at)?)));
    match passed.collect::<Result<Vec<_>, ParseError>>() {
        Ok(passed) => Parsed { id, passed: Passed::of(passed), puzzle: puzzle(&fields, columns, source.shape) },
        Err(wrong) => Parsed { id, ..Err(wrong).into() },
    }
}

/// A board in a field. Lists are written into CSV in brackets by DuckDB and pandas, with commas, and those of NumPy without.
fn tiles(text: &[u8], known: Option<Shape>) -> Result<BoardTiles, ParseError> {
    // Quotes behind a blank are none of the field's.
    let text = text.strip_prefix(b"\"").and_then(|text| text.strip_suffix(b"\"")).unwrap_or(text);
    let inside = text.strip_prefix(b"[").and_then(|text| text.strip_suffix(b"]"));
    match inside {
        Some(inside) if memchr::memchr2(b'[', b'"', inside).is_none() => BoardTiles::read(inside, known),
        Some(_) => json::tiles(text, known),
        None => BoardTiles::read(text, known),
    }
}

fn puzzle(fields: &Fields, columns: &CsvColumns, known: Option<Shape>) -> Result<Puzzle, ParseError> {
    if (columns.count..fields.count()).any(|at| !fields.get(at).trim_ascii().is_empty()) {
        let (found, header) = (counted(fields.count(), "field"), columns.count);
        let wrong = format_args!("found {found}, the header has {header}: a board with commas stands in quotes");
        return Err(ParseError::new(wrong));
    }
    if fields.count() <= columns.board {
        let (found, at) = (counted(fields.count(), "field"), columns.board + 1);
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
    let board = optional(Some(columns.board)).ok_or_else(|| ParseError::new("there is no board"))?;
    let board = tiles(board, size.or(known))?.board(size, known)?;
    match optional(columns.goal) {
        None => Ok(Puzzle::of(board)),
        Some(goal) if goal.starts_with(b"[") => Puzzle::with_goal(board, &tiles(goal, None).map_err(in_goal)?),
        Some(goal) => Puzzle::with_goal_text(board, goal),
    }
}

/// Writes one line, of the columns board, goal where each record has its own, rows and cols.
pub fn write(board: &Board, goal: &Board, how: &Writing, out: &mut Vec<u8>) {
    how.tiles(board, 0..board.tiles().len(), " ", out);
    let shape = board.shape();
    if how.common_goal.is_none() {
        out.push(b',');
        how.tiles(goal, 0..goal.tiles().len(), " ", out);
    }
    out.extend_from_slice(format!(",{},{}\n", shape.rows(), shape.cols()).as_bytes());
}
