//! Parses a line of a CSV file with a header.

use std::sync::Arc;

use super::csv_fields::{CsvColumns, Fields};
use super::json;
use super::text::{BoardTiles, counted, in_goal};
use crate::board::Shape;
use crate::board::tokens::quoted;
use crate::format::input::record::{ParseError, Puzzle, Record};
use crate::format::input::source::Source;
use crate::format::input::text_lines::{number, size};
use crate::format::json_text::json_string;
use crate::format::passthrough::{Passthrough, RECORD_FIELDS};

/// Parses one line.
pub fn record(line: &[u8], source: &Source) -> Record {
    read(line, source).unwrap_or_else(|error| Err(error).into())
}

fn read(line: &[u8], source: &Source) -> Result<Record, ParseError> {
    let no_header = || ParseError::new("the file has no header");
    let columns = source.columns.as_ref().map_err(Clone::clone)?.as_ref().ok_or_else(no_header)?;
    let fields = Fields::split(line, columns.delimiter)?;
    let text = |at: usize| match std::str::from_utf8(fields.get(at)) {
        Ok(text) => Ok(json_string(text).into_boxed_str()),
        Err(_) => Err(ParseError::new(format_args!("field {} is not UTF-8", at + 1))),
    };
    let [_, id, ..] = columns.record_fields;
    let id = id.filter(|&id| !fields.get(id).is_empty()).map(text).transpose();
    let id = id.map_err(|_| ParseError::new("the id is not UTF-8"))?;
    let is_side = |at| columns.record_fields[3..].contains(&Some(at));
    let value = |at: usize, name: &str| match RECORD_FIELDS.contains(&name) && is_side(at) {
        true => Ok(number(fields.get(at)).map_or("null".into(), |side| side.to_string()).into_boxed_str()),
        false => text(at),
    };
    let copied = columns.passthrough.iter().enumerate();
    let values = copied.map(|(place, (at, name))| Ok((place, Arc::clone(name), value(*at, name)?)));
    Ok(match values.collect::<Result<Vec<_>, ParseError>>().map(Passthrough::of) {
        Ok(passthrough) => Record { id, passthrough, ..puzzle(&fields, columns, source.shape).into() },
        Err(error) => Record { id, ..Err(error).into() },
    })
}

/// Parses a board in a field. DuckDB and pandas write lists in brackets with commas; NumPy writes
/// them without commas.
fn board(text: &[u8], default_shape: Option<Shape>) -> Result<BoardTiles, ParseError> {
    // Quotes after a space are not CSV syntax, so they are removed here.
    let text = text.strip_prefix(b"\"").and_then(|text| text.strip_suffix(b"\"")).unwrap_or(text);
    match text.strip_prefix(b"[").and_then(|text| text.strip_suffix(b"]")) {
        Some(inside) if memchr::memchr2(b'[', b'"', inside).is_none() => BoardTiles::read(inside, default_shape),
        Some(_) => json::board(text, default_shape),
        None => BoardTiles::read(text, default_shape),
    }
}

fn puzzle(fields: &Fields<'_>, columns: &CsvColumns, default_shape: Option<Shape>) -> Result<Puzzle, ParseError> {
    if (columns.count..fields.count()).any(|at| !fields.get(at).trim_ascii().is_empty()) {
        let (found, header) = (counted(fields.count(), "field"), columns.count);
        let message = format_args!("found {found}, the header has {header}: quote a board that contains commas");
        return Err(ParseError::new(message));
    }
    let value = |at| Some(fields.get(at).trim_ascii()).filter(|text| !text.is_empty());
    let [text, _, goal, rows, cols] = columns.record_fields.map(|at| at.and_then(value));
    let size = match (rows, cols) {
        (None, None) => None,
        (Some(rows), Some(cols)) => Some(size([rows, cols].into_iter()).ok_or_else(|| {
            let (rows, cols) = (quoted(rows), quoted(cols));
            ParseError::new(format_args!("{rows} rows and {cols} cols are not a size: each must be from 1 to 255"))
        })?),
        (Some(_), None) => return Err(ParseError::new("found rows without cols")),
        (None, Some(_)) => return Err(ParseError::new("found cols without rows")),
    };
    let text = text.ok_or_else(|| match columns.record_fields[0].filter(|&at| at >= fields.count()) {
        Some(at) => {
            ParseError::new(format_args!("found {}, the board is field {}", counted(fields.count(), "field"), at + 1))
        }
        None => ParseError::new("there is no board"),
    })?;
    let found = board(text, size.or(default_shape))?.board(size, default_shape)?;
    match goal {
        None => Ok(Puzzle::of(found)),
        Some(goal) if goal.starts_with(b"[") => Puzzle::with_goal(found, &board(goal, None).map_err(in_goal)?),
        Some(goal) => Puzzle::with_goal_text(found, goal),
    }
}
