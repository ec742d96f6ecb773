//! Comma-separated values: a line taken apart into its fields, and the columns that a header names.

use csv_core::ReadRecordResult;

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
pub struct Fields {
    text: Vec<u8>,
    ends: Vec<usize>,
}

impl Fields {
    /// The fields of a line, which may end with a line feed.
    pub fn split(line: &[u8]) -> Result<Fields, ParseError> {
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

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// A field; empty where the line has none.
    pub fn get(&self, at: usize) -> &[u8] {
        let start = if at == 0 { 0 } else { self.ends.get(at - 1).copied().unwrap_or_default() };
        self.ends.get(at).map_or(&[], |&end| &self.text[start..end])
    }
}
