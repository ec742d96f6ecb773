//! Comma-separated values: a line taken apart into its fields, and the columns that a header names.
//!
//! A field may be quoted as a whole, with a quote in it doubled (RFC 4180); other quotes stand for themselves. A record
//! is one line: where a quoted field holds a line feed, the lines on both sides have an odd number of quotes, and none of
//! them is taken for a record.

use smallvec::SmallVec;

use super::record::ParseError;

/// Which field of a line is what, counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CsvColumns {
    pub(super) board: usize,
    pub(super) id: Option<usize>,
    pub(super) goal: Option<usize>,
    pub(super) rows: Option<usize>,
    pub(super) cols: Option<usize>,
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
    /// The fields of a line, which may end with a line feed.
    pub fn split(line: &'a [u8]) -> Result<Fields<'a>, ParseError> {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if memchr::memchr(b'"', line).is_some() {
            return Fields::unquoted(line);
        }
        let (mut places, mut start) = (SmallVec::new(), 0);
        for comma in memchr::memchr_iter(b',', line) {
            places.push((start, comma));
            start = comma + 1;
        }
        places.push((start, line.len()));
        Ok(Fields { text: Text::Line(line), places })
    }

    /// The fields of a line with quotes.
    fn unquoted(line: &[u8]) -> Result<Fields<'a>, ParseError> {
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
            let comma = memchr::memchr(b',', rest);
            text.extend_from_slice(&rest[..comma.unwrap_or(rest.len())]);
            places.push((start, text.len()));
            start = text.len();
            let Some(comma) = comma else { break };
            rest = &rest[comma + 1..];
        }
        Ok(Fields { text: Text::Unquoted(text), places })
    }

    /// How many there are: at least one.
    pub fn len(&self) -> usize {
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
        #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

        /// Fields are those that the crate `csv-core` finds, except that it takes lines for whole whose quotes are not.
        #[test]
        fn fields_are_those_of_another_reader(line in "[a-c ,,\"\"]{1,12}") {
            let found = Fields::split(line.as_bytes()).ok();
            let found = found.map(|fields| (0..fields.len()).map(|at| fields.get(at).to_vec()).collect::<Vec<_>>());
            let odd = line.matches('"').count() % 2 > 0;
            prop_assert_eq!(found, if odd { None } else { expected(line.as_bytes()) });
        }
    }

    #[test]
    fn a_missing_field_is_empty_and_line_ends_are_no_part_of_a_field() {
        for line in ["a,,\"b\"\r\n", "a,,b\r\n", "a,,b"] {
            let fields = Fields::split(line.as_bytes()).unwrap();
            assert_eq!([fields.get(0), fields.get(1), fields.get(2), fields.get(3)], [&b"a"[..], b"", b"b", b""]);
            assert_eq!(fields.len(), 3);
        }
    }
}
