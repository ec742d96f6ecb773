//! Values separated by commas, tabs or semicolons: a line taken apart into its fields, and the columns that a header names.
//!
//! A field may be quoted as a whole, with a quote in it doubled (RFC 4180); other quotes stand for themselves. A record
//! is one line: where a quoted field holds a line feed, the lines on both sides have an odd number of quotes, and none of
//! them is taken for a record.

use std::collections::HashSet;
use std::sync::Arc;

use smallvec::SmallVec;

use super::record::ParseError;
use crate::format::passing::{OWN, Pass};

/// Which field of a line is what, counted from 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CsvColumns {
    /// What stands between two fields.
    pub(super) delimiter: u8,
    /// How many there are.
    pub(super) count: usize,
    pub(super) board: usize,
    pub(super) id: Option<usize>,
    pub(super) goal: Option<usize>,
    pub(super) rows: Option<usize>,
    pub(super) cols: Option<usize>,
    /// Fields that go into the results, with their names there.
    pub(super) passed: Vec<(usize, Arc<str>)>,
}

/// What may stand between two fields.
const DELIMITERS: [u8; 3] = *b",\t;";

/// The delimiter of a header that names a board, if it is one: that under which a field is called so.
pub fn delimiter_of(header: &[u8]) -> Option<u8> {
    DELIMITERS.into_iter().find(|&delimiter| header_names(header, delimiter).is_some_and(|names| names.has("board")))
}

/// Whether a line is the header of a table without a board: words and nothing else, and the next line, if there is one, has as
/// many fields.
pub fn is_other_header(line: &[u8], next: Option<&[u8]>) -> bool {
    let is_name = |name: &&str| name.starts_with(|first: char| first.is_alphabetic());
    DELIMITERS.into_iter().filter_map(|delimiter| Some((delimiter, header_names(line, delimiter)?.0))).any(
        |(delimiter, names)| {
            let shown = names.iter().map(String::as_str);
            let are_names = shown.clone().all(|name| is_name(&name)) && shown.clone().any(|name| name.len() > 1);
            let as_many = |next| Fields::split(next, delimiter).is_ok_and(|fields| fields.count() == names.len());
            names.len() > 1 && are_names && next.is_none_or(as_many)
        },
    )
}

/// The names in a header.
struct Names(Vec<String>);

impl Names {
    /// Where this name stands first; case does not matter.
    fn find(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|known| known.eq_ignore_ascii_case(name))
    }

    fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }
}

/// A name without the blanks around it, and the quotes that are none of a field's because a blank comes before them.
fn name(field: &[u8]) -> String {
    let name = String::from_utf8_lossy(field);
    let name = name.trim();
    name.strip_prefix('"').and_then(|name| name.strip_suffix('"')).unwrap_or(name).to_string()
}

fn header_names(line: &[u8], delimiter: u8) -> Option<Names> {
    let fields = Fields::split(line, delimiter).ok()?;
    Some(Names((0..fields.count()).map(|at| name(fields.get(at))).collect()))
}

impl CsvColumns {
    /// The columns that a header names. Case does not matter for those that are used, and of columns with the same name
    /// the first counts.
    ///
    /// # Errors
    /// When `board` is none of them, or one that is to be passed on has the name of another field of results.
    pub fn of_header(line: &[u8], pass: &Pass) -> Result<CsvColumns, ParseError> {
        let Some(delimiter) = delimiter_of(line) else { return Err(no_board(line)) };
        let names = header_names(line, delimiter).unwrap_or(Names(Vec::new()));
        let used = OWN.map(|name| names.find(name));
        let [Some(board), id, goal, rows, cols] = used else { return Err(no_board(line)) };
        let mut passed: Vec<(usize, usize, Arc<str>)> = Vec::new();
        let mut seen = HashSet::new();
        for (at, name) in names.0.iter().enumerate() {
            let is_used = used.contains(&Some(at)) && !pass.wanted().any(|(_, wanted)| wanted == name);
            if !seen.insert(name) || name.is_empty() || is_used {
                continue;
            }
            if let Some((place, to)) = pass.place(name).map_err(ParseError::new)? {
                passed.push((place, at, to));
            }
        }
        passed.sort_by_key(|&(place, ..)| place);
        let passed = passed.into_iter().map(|(_, at, to)| (at, to)).collect();
        Ok(CsvColumns { delimiter, count: names.0.len(), board, id, goal, rows, cols, passed })
    }

    /// The names of columns to be passed on that a header does not have.
    pub fn missing<'p>(line: &[u8], pass: &'p Pass) -> Vec<&'p str> {
        let names = delimiter_of(line).and_then(|delimiter| header_names(line, delimiter));
        let known = names.map_or(Vec::new(), |names| names.0);
        pass.wanted().map(|(_, name)| name).filter(|&name| !known.iter().any(|known| known == name)).collect()
    }
}

/// Why a header is of no use, with the columns that there are.
fn no_board(line: &[u8]) -> ParseError {
    let most = |&delimiter: &u8| memchr::memchr_iter(delimiter, line).count();
    let delimiter = DELIMITERS.into_iter().rev().max_by_key(most).unwrap_or(b',');
    let names = header_names(line, delimiter).map_or(String::new(), |names| names.0.join(", "));
    ParseError::new(format_args!("the header, the file's first line, names no column 'board', but: {names}"))
}

/// The fields of a line, their quotes taken off.
pub struct Fields<'a> {
    text: Text<'a>,
    /// Where each begins and ends in the text.
    places: SmallVec<[(usize, usize); 8]>,
}

enum Text<'a> {
    /// The line itself, which has no quotes.
    Line(&'a [u8]),
    /// The fields, one after the other.
    Unquoted(SmallVec<[u8; 64]>),
}

impl<'a> Fields<'a> {
    /// The fields of a line, which may end with a line feed, by what stands between them.
    pub fn split(line: &'a [u8], delimiter: u8) -> Result<Fields<'a>, ParseError> {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if memchr::memchr(b'"', line).is_some() {
            return Fields::unquoted(line, delimiter);
        }
        let (mut places, mut start) = (SmallVec::new(), 0);
        for comma in memchr::memchr_iter(delimiter, line) {
            places.push((start, comma));
            start = comma + 1;
        }
        places.push((start, line.len()));
        Ok(Fields { text: Text::Line(line), places })
    }

    /// The fields of a line with quotes.
    fn unquoted(line: &[u8], delimiter: u8) -> Result<Fields<'a>, ParseError> {
        let line_break = || {
            ParseError::new(
                "found an open quote: a quote in a field is doubled, and fields with line breaks are not supported",
            )
        };
        if !memchr::memchr_iter(b'"', line).count().is_multiple_of(2) {
            return Err(line_break());
        }
        let (mut text, mut places) = (SmallVec::with_capacity(line.len()), SmallVec::new());
        let (mut start, mut rest) = (0, line);
        loop {
            if let [b'"', inside @ ..] = rest {
                rest = inside;
                loop {
                    let quote = memchr::memchr(b'"', rest).ok_or_else(line_break)?;
                    text.extend_from_slice(&rest[..quote]);
                    rest = &rest[quote + 1..];
                    let [b'"', behind @ ..] = rest else { break };
                    text.push(b'"');
                    rest = behind;
                }
            }
            let comma = memchr::memchr(delimiter, rest);
            text.extend_from_slice(&rest[..comma.unwrap_or(rest.len())]);
            places.push((start, text.len()));
            start = text.len();
            let Some(comma) = comma else { break };
            rest = &rest[comma + 1..];
        }
        Ok(Fields { text: Text::Unquoted(text), places })
    }

    /// How many there are: at least one.
    pub fn count(&self) -> usize {
        self.places.len()
    }

    /// A field; empty where the line has none.
    pub fn get(&self, at: usize) -> &[u8] {
        let text = match &self.text {
            Text::Line(line) => line,
            Text::Unquoted(text) => &text[..],
        };
        self.places.get(at).map_or(&[], |&(start, end)| &text[start..end])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use csv_core::{ReadRecordResult, ReaderBuilder, Terminator};
    use proptest::prelude::*;

    /// The fields that another reader finds, if a line feed ends the record.
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

        /// Fields are those that the crate `csv-core` finds, except that it takes lines for whole whose quotes are not.
        #[test]
        fn fields_are_those_of_another_reader(line in "[a-c ,,\"\"]{1,12}") {
            let found = Fields::split(line.as_bytes(), b',').ok();
            let found = found.map(|fields| (0..fields.count()).map(|at| fields.get(at).to_vec()).collect::<Vec<_>>());
            let odd = line.matches('"').count() % 2 > 0;
            prop_assert_eq!(found, if odd { None } else { expected(line.as_bytes()) });
        }
    }

    #[test]
    fn a_missing_field_is_empty_and_line_ends_are_no_part_of_a_field() {
        for line in ["a,,\"b\"\r\n", "a,,b\r\n", "a,,b"] {
            let fields = Fields::split(line.as_bytes(), b',').unwrap();
            assert_eq!([fields.get(0), fields.get(1), fields.get(2), fields.get(3)], [&b"a"[..], b"", b"b", b""]);
            assert_eq!(fields.count(), 3);
        }
    }
}
