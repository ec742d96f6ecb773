//! Parses a line of a CSV file: values separated by commas, tabs or semicolons, after a header that
//! names the columns (RFC 4180). Unlike in the RFC, a record is always one line. A line break in
//! quotes leaves two lines with an unclosed quote, which are rejected.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use smallvec::SmallVec;

use super::json;
use super::lines::number;
use super::record::{CsvColumns, ParseError, Puzzle, Record, Source};
use super::text::{BoardTiles, counted, in_goal, size_of_fields};
use crate::board::Shape;
use crate::format::passthrough::{BOARD_FIELDS, Pass, Passthrough, RECORD_FIELDS, no_board};
use crate::format::text::json_string;

/// Parses one line.
pub fn record(line: &[u8], source: &Source) -> Result<Record, ParseError> {
    let no_header = || ParseError::new("the file has no header");
    let columns = source.columns.as_ref().map_err(Clone::clone)?.as_ref().ok_or_else(no_header)?;
    let fields = CsvFields::split(line, columns.delimiter)?;
    let text = |at: usize| match std::str::from_utf8(fields.get(at)) {
        Ok(text) => Ok(json_string(text).into_boxed_str()),
        Err(_) => Err(ParseError::new(format_args!("field {} is not UTF-8", at + 1))),
    };
    let [_, id, ..] = columns.record_fields;
    let id = id.filter(|&id| !fields.get(id).is_empty()).map(text).transpose();
    let id = id.map_err(|_| ParseError::new("the id is not UTF-8"))?;
    // The columns `rows` and `cols` are copied as numbers.
    let is_rows_or_cols = |at| columns.record_fields[3..].contains(&Some(at));
    let value = |at: usize, name: &str| match RECORD_FIELDS.contains(&name) && is_rows_or_cols(at) {
        true => Ok(number(fields.get(at)).map_or("null".into(), |number| number.to_string()).into_boxed_str()),
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

fn puzzle(fields: &CsvFields<'_>, columns: &CsvColumns, default_shape: Option<Shape>) -> Result<Puzzle, ParseError> {
    if (columns.count..fields.count()).any(|at| !fields.get(at).trim_ascii().is_empty()) {
        let (found, header) = (counted(fields.count(), "field"), columns.count);
        let message = format_args!("found {found}, the header has {header}: quote a board that contains commas");
        return Err(ParseError::new(message));
    }
    let value = |at| Some(fields.get(at).trim_ascii()).filter(|text| !text.is_empty());
    let [text, _, goal, rows, cols] = columns.record_fields.map(|at| at.and_then(value));
    let size = size_of_fields(rows, cols)?;
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

/// The characters that can separate two fields.
const DELIMITERS: [u8; 3] = *b",\t;";

/// Returns the delimiter of a header and the column of the board, or `None` if the header does not
/// name a board.
pub fn board_column(header: &[u8], field: Option<&str>) -> Option<(u8, usize)> {
    let wanted = field.as_ref().map_or(&BOARD_FIELDS[..], std::slice::from_ref);
    DELIMITERS.into_iter().find_map(|delimiter| {
        let names = names(header, delimiter);
        let column = |name: &&str| names.iter().position(|found| found.eq_ignore_ascii_case(name));
        wanted.iter().find_map(column).map(|at| (delimiter, at))
    })
}

/// Returns true for a line of at least two fields that all begin with a letter and are longer than
/// one character. The line is probably a header, even if no field names a board.
pub fn is_header(line: &[u8]) -> bool {
    let is_word = |name: &String| name.len() > 1 && name.starts_with(|first: char| first.is_ascii_alphabetic());
    DELIMITERS
        .into_iter()
        .map(|delimiter| names(line, delimiter))
        .any(|names| names.len() > 1 && names.iter().all(is_word))
}

/// Returns the names in a header, without surrounding whitespace and quotes.
fn names(header: &[u8], delimiter: u8) -> Vec<String> {
    let fields = CsvFields::split(header, delimiter).map_or(SmallVec::new(), |fields| fields.0);
    let name = |field: &Cow<'_, [u8]>| {
        let name = String::from_utf8_lossy(field);
        let name = name.trim();
        name.strip_prefix('"').and_then(|name| name.strip_suffix('"')).unwrap_or(name).to_string()
    };
    fields.iter().map(name).collect()
}

impl CsvColumns {
    /// Finds the columns that a header names. Case is ignored for the columns that taquin uses. Of
    /// columns with the same name, the first is used.
    ///
    /// # Errors
    /// If no column contains the board, or two passthrough columns would have the same name.
    pub fn of_header(line: &[u8], pass: &Pass, field: Option<&str>) -> Result<CsvColumns, ParseError> {
        let Some((delimiter, board)) = board_column(line, field) else {
            let count = |&delimiter: &u8| memchr::memchr_iter(delimiter, line).count();
            let names = names(line, DELIMITERS.into_iter().rev().max_by_key(count).unwrap_or(b','));
            let names = names.iter().map(String::as_str).filter(|name| !name.is_empty());
            return Err(ParseError::new(no_board("header", field.unwrap_or(BOARD_FIELDS[0]), names)));
        };
        let names = names(line, delimiter);
        let mut record_fields =
            RECORD_FIELDS.map(|name| names.iter().position(|found| found.eq_ignore_ascii_case(name)));
        record_fields[0] = Some(board);
        let (mut passthrough, mut earlier_names): (Vec<(usize, usize, Arc<str>)>, _) = (Vec::new(), HashSet::new());
        for (at, name) in names.iter().enumerate() {
            // A column that is read as part of a record is copied only if it is named or all are. A
            // board under another name is copied like any other column.
            let is_named_board = name.eq_ignore_ascii_case(RECORD_FIELDS[0]);
            let is_record_field =
                if record_fields[0] == Some(at) { is_named_board } else { record_fields.contains(&Some(at)) };
            let is_left_out = is_record_field && !pass.is_all() && !pass.wanted().any(|(_, wanted)| wanted == name);
            if !earlier_names.insert(name) || name.is_empty() || is_left_out {
                continue;
            }
            if let Some((place, to)) = pass.place(name).map_err(ParseError::new)? {
                passthrough.push((place, at, to));
            }
        }
        passthrough.sort_by_key(|&(place, ..)| place);
        let passthrough = passthrough.into_iter().map(|(_, at, to)| (at, to)).collect();
        Ok(CsvColumns { delimiter, count: names.len(), record_fields, passthrough })
    }

    /// Returns a warning about the first requested column that is not in the header, if any.
    pub fn missing(&self, header: &[u8], pass: &Pass) -> Option<String> {
        let found = names(header, self.delimiter);
        let (_, name) = pass.wanted().find(|(_, name)| !found.iter().any(|found| found == name))?;
        Some(format!("the header has no column '{name}' (--pass)"))
    }
}

/// The fields of a line, without their quotes.
pub struct CsvFields<'a>(SmallVec<[Cow<'a, [u8]>; 8]>);

impl<'a> CsvFields<'a> {
    /// Splits a line at the delimiter. A line end is ignored. A field may be quoted as a whole, and
    /// then each quote in it is doubled. Other quotes are ordinary characters. A line with an odd
    /// number of quotes is an error.
    pub fn split(line: &'a [u8], delimiter: u8) -> Result<CsvFields<'a>, ParseError> {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let open = || {
            let message =
                "found an unclosed quote: a quote in a field must be doubled, and fields cannot contain line breaks";
            ParseError::new(message)
        };
        if !memchr::memchr_iter(b'"', line).count().is_multiple_of(2) {
            return Err(open());
        }
        let (mut fields, mut rest) = (SmallVec::new(), Some(line));
        while let Some(text) = rest {
            let mut quoted = Vec::new();
            let mut tail = text;
            if let [b'"', inside @ ..] = text {
                tail = inside;
                loop {
                    let quote = memchr::memchr(b'"', tail).ok_or_else(open)?;
                    quoted.extend_from_slice(&tail[..quote]);
                    tail = &tail[quote + 1..];
                    let [b'"', more @ ..] = tail else { break };
                    quoted.push(b'"');
                    tail = more;
                }
            }
            let end = memchr::memchr(delimiter, tail);
            let plain = &tail[..end.unwrap_or(tail.len())];
            fields.push(if text.first() == Some(&b'"') {
                quoted.extend_from_slice(plain);
                Cow::Owned(quoted)
            } else {
                Cow::Borrowed(plain)
            });
            rest = end.map(|end| &tail[end + 1..]);
        }
        Ok(CsvFields(fields))
    }

    /// Returns the number of fields: at least one.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Returns a field. It is empty if the line has fewer fields.
    pub fn get(&self, at: usize) -> &[u8] {
        self.0.get(at).map_or(&[], |field| field)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use csv_core::{ReadRecordResult, ReaderBuilder, Terminator};
    use proptest::prelude::*;

    /// Returns the fields found by `csv-core`, if a line feed ends the record.
    fn expected(line: &[u8]) -> Option<Vec<Vec<u8>>> {
        let (mut text, mut ends) = (vec![0; line.len() + 2], vec![0; line.len() + 2]);
        let mut reader = ReaderBuilder::new().terminator(Terminator::Any(b'\n')).build();
        let (_, _, written, ended) = reader.read_record(line, &mut text, &mut ends);
        let (result, _, _, more) = reader.read_record(b"\n", &mut text[written..], &mut ends[ended..]);
        let starts = std::iter::once(0).chain(ends.clone());
        let fields = starts.zip(&ends[..ended + more]).map(|(start, &end)| text[start..end].to_vec()).collect();
        matches!(result, ReadRecordResult::Record).then_some(fields)
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

        /// Fields are the same as with the crate `csv-core`, except that the crate accepts lines
        /// with unclosed quotes.
        #[test]
        fn fields_are_the_same_as_with_csv_core(line in "[a-c ,,\"\"]{1,12}") {
            let found = CsvFields::split(line.as_bytes(), b',').ok();
            let found = found.map(|fields| (0..fields.count()).map(|at| fields.get(at).to_vec()).collect::<Vec<_>>());
            let odd = line.matches('"').count() % 2 > 0;
            prop_assert_eq!(found, if odd { None } else { expected(line.as_bytes()) });
        }
    }

    #[test]
    fn missing_fields_are_empty_and_line_ends_are_not_in_fields() {
        for line in ["a,,\"b\"\r\n", "a,,b\r\n", "a,,b"] {
            let fields = CsvFields::split(line.as_bytes(), b',').unwrap();
            assert_eq!([fields.get(0), fields.get(1), fields.get(2), fields.get(3)], [&b"a"[..], b"", b"b", b""]);
            assert_eq!(fields.count(), 3);
        }
    }
}
