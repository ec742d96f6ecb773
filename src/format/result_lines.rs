//! The lines of a results file, in blocks of whole lines. Each record of CSV becomes the
//! corresponding line of JSON.
//!
//! All readers of results thus support both formats. CSV does not contain the types of ids and
//! passthrough columns: their values become text, or null if they are empty.

use std::io::{self, Read};

use super::field_table::ValueType;
use super::fields::Field;
use super::input::{BLOCK_BYTES, CsvFields, StreamBuffer};
use super::status::Status;
use super::text::json_string;

/// Maximum length of a line in bytes, which bounds the memory. It suffices for a line with
/// all boards of a path of thousands of moves.
const MAX_LINE_BYTES: usize = 64 << 20;

/// The size of a block in bytes to which no further line is added. It bounds the memory for blocks
/// of long lines.
const MAX_BLOCK_BYTES: usize = 256 << 20;

/// Maximum length of a CSV header in bytes.
const MAX_HEADER_BYTES: usize = 64 << 10;

/// A stream of lines.
pub struct Lines {
    buffer: StreamBuffer,
    /// The columns, if the lines are converted from CSV.
    columns: Option<Vec<ResultColumn>>,
    /// True if the lines begin like results.
    are_results: bool,
    /// Maximum length in bytes of an incomplete line in memory. A longer line ends the stream. A
    /// longer record of CSV becomes a line that the reader of results rejects.
    max_line_bytes: usize,
    /// The number of bytes in memory that were searched for the end of a record of CSV, and whether
    /// they end within quotes.
    searched: (usize, bool),
    end: End,
}

/// The place where a stream of lines ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The end was not reached yet.
    Open,
    /// After a line feed, as expected, or at the start of an empty stream.
    Whole,
    /// In the middle of a line.
    Torn,
    /// Before a line that is too long.
    TooLong,
}

impl Lines {
    /// Creates a reader of the lines of a stream. CSV is not converted.
    pub fn new(stream: Box<dyn Read + Send>, block_bytes: usize) -> Lines {
        let buffer = StreamBuffer::new(stream, block_bytes);
        Lines {
            buffer,
            columns: None,
            are_results: false,
            max_line_bytes: MAX_LINE_BYTES,
            searched: (0, false),
            end: End::Open,
        }
    }

    /// Creates a reader of the lines of results. They are CSV if they begin with a header that
    /// names a field.
    ///
    /// # Errors
    /// If the beginning cannot be read.
    pub fn of_results(stream: Box<dyn Read + Send>) -> io::Result<Lines> {
        let mut lines = Lines::new(stream, BLOCK_BYTES);
        while !lines.buffer.bytes().trim_ascii_start().contains(&b'\n')
            && lines.buffer.bytes().len() <= MAX_HEADER_BYTES
            && lines.buffer.more(MAX_HEADER_BYTES)
        {}
        if let Some(error) = lines.buffer.take_failure() {
            return Err(error);
        }
        let head = lines.buffer.bytes();
        // An error message in a line of JSON could look like a CSV header.
        let is_json = head.trim_ascii_start().starts_with(b"{");
        lines.columns = if is_json { None } else { columns(head) };
        lines.are_results = is_json || lines.columns.is_some();
        if lines.columns.is_some() {
            let header_bytes = memchr::memchr(b'\n', head).map_or(head.len(), |feed| feed + 1);
            lines.buffer.consume(header_bytes);
        }
        Ok(lines)
    }

    /// Returns true if the lines are converted from CSV.
    pub fn is_csv(&self) -> bool {
        self.columns.is_some()
    }

    /// Returns true if the lines begin like results.
    pub fn are_results(&self) -> bool {
        self.are_results
    }

    /// Returns the place where the lines ended.
    pub fn end(&self) -> End {
        self.end
    }

    /// Replaces the content of `into` with the next `max_lines` lines, or with fewer at the end or
    /// if they are very long, and returns their number. An incomplete last line counts as a line.
    pub fn take(&mut self, max_lines: usize, into: &mut Vec<u8>) -> io::Result<usize> {
        into.clear();
        let mut taken = 0;
        while taken < max_lines && into.len() < MAX_BLOCK_BYTES && self.end == End::Open {
            let (mut bytes, mut lines) = self.whole_lines(max_lines - taken);
            if bytes == 0 {
                bytes = self.buffer.bytes().len();
                if bytes > self.max_line_bytes {
                    if !self.is_csv() {
                        self.end = End::TooLong;
                        break;
                    }
                    // Perhaps the record only lacks a quote, so reading continues at the next line.
                    self.searched = (0, false);
                    self.buffer.consume(bytes);
                    self.buffer.skip_line();
                    into.extend_from_slice(b"the record is too long\n");
                    taken += 1;
                    continue;
                }
                if self.buffer.more(self.max_line_bytes) {
                    continue;
                }
                if let Some(error) = self.buffer.take_failure() {
                    return Err(error);
                }
                lines = usize::from(bytes > 0);
                self.end = if matches!(self.buffer.bytes(), [] | [.., b'\n']) { End::Whole } else { End::Torn };
            }
            let text = &self.buffer.bytes()[..bytes];
            match &self.columns {
                // An empty line is not a record.
                Some(_) if text.iter().all(u8::is_ascii_whitespace) => lines = 0,
                Some(columns) => append_json(columns, text, into),
                None => into.extend_from_slice(text),
            }
            taken += lines;
            self.buffer.consume(bytes);
        }
        Ok(taken)
    }

    /// Returns the length in bytes and the number of the first whole lines in memory, at most
    /// `max_lines`. A record of CSV is one line, even if it has line breaks in quotes.
    fn whole_lines(&mut self, max_lines: usize) -> (usize, usize) {
        let bytes = self.buffer.bytes();
        if self.is_csv() {
            let (start, mut is_quoted) = std::mem::take(&mut self.searched);
            for at in memchr::memchr2_iter(b'"', b'\n', &bytes[start..]) {
                match bytes[start + at] {
                    b'\n' if !is_quoted => return (start + at + 1, 1),
                    b'\n' => {}
                    _ => is_quoted = !is_quoted,
                }
            }
            self.searched = (bytes.len(), is_quoted);
            return (0, 0);
        }
        let feeds = memchr::memchr_iter(b'\n', bytes).take(max_lines);
        feeds.fold((0, 0), |(_, lines), feed| (feed + 1, lines + 1))
    }
}

/// A column of CSV: the field (`None` for a passthrough column), and the key of the JSON member.
struct ResultColumn(Option<Field>, String);

/// Returns the columns that a header names, if one of them is a field.
fn columns(head: &[u8]) -> Option<Vec<ResultColumn>> {
    let line = head.split(|&byte| byte == b'\n').next()?;
    let fields = CsvFields::split(line, b',').ok()?;
    let column = |at| {
        let name = std::str::from_utf8(fields.get(at)).ok()?;
        Some(ResultColumn(Field::named(name), format!("{}:", json_string(name))))
    };
    let columns = (0..fields.count()).map(column).collect::<Option<Vec<ResultColumn>>>()?;
    columns.iter().any(|column| column.0.is_some()).then_some(columns)
}

/// Appends a record of CSV as JSON, with a line feed if the record has one. For an invalid record,
/// appends the reason instead, which the reader of results rejects.
fn append_json(columns: &[ResultColumn], record: &[u8], json: &mut Vec<u8>) {
    match CsvFields::split(record, b',') {
        Ok(fields) if fields.count() == columns.len() => append_object(columns, &fields, json),
        Ok(fields) => {
            let why = format!("the header names {} fields, the record has {}", columns.len(), fields.count());
            json.extend_from_slice(why.as_bytes());
        }
        Err(error) => json.extend_from_slice(error.to_string().as_bytes()),
    }
    if record.ends_with(b"\n") {
        json.push(b'\n');
    }
}

fn append_object(columns: &[ResultColumn], fields: &CsvFields<'_>, json: &mut Vec<u8>) {
    let column = |wanted| columns.iter().position(|column| column.0 == Some(wanted));
    let is = |field, text: &[u8]| column(field).is_some_and(|at| fields.get(at) == text);
    let is_solved = is(Field::Status, Status::Solved.name().as_bytes()) || is(Field::Moves, b"0");
    let is_at_goal = is(Field::Moves, b"0") || is_solved && is(Field::Path, b"");
    let is_counted = column(Field::Solutions).is_some_and(|at| !fields.get(at).is_empty());
    for (at, ResultColumn(field, key)) in columns.iter().enumerate() {
        let text = String::from_utf8_lossy(fields.get(at));
        let value = match (field, &*text) {
            // A solved record has a path. An empty column is the path of no moves.
            (Some(Field::Path), "") if is_solved => "\"\"".into(),
            (Some(Field::Paths), "") if is_at_goal => "[\"\"]".into(),
            // If all shortest paths were counted, their first and forced moves are known. An empty
            // column means that there are no such moves.
            (Some(field), "") if is_counted && field.row().value == ValueType::Moves => "\"\"".into(),
            (_, "") => "null".into(),
            (Some(field), text) => json_value(*field, text),
            (None, text) => json_string(text),
        };
        json.push(if at == 0 { b'{' } else { b',' });
        json.extend_from_slice(key.as_bytes());
        json.extend_from_slice(value.as_bytes());
    }
    json.push(b'}');
}

/// Returns a field's text as JSON of the field's type. Text of another type becomes a string, which
/// the reader rejects.
fn json_value(field: Field, text: &str) -> String {
    let are_numbers =
        |text: &str| text.split(' ').all(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()));
    match field.row().value {
        ValueType::Ordinal | ValueType::OrdinalOrNull | ValueType::Count | ValueType::Side
            if text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0')) =>
        {
            text.into()
        }
        ValueType::Flag if matches!(text, "true" | "false") => text.into(),
        ValueType::Tiles if are_numbers(text) => format!("[{}]", text.replace(' ', ",")),
        ValueType::Boards | ValueType::Iterations if text.split(';').all(are_numbers) => {
            format!("[[{}]]", text.replace(' ', ",").replace(';', "],["))
        }
        ValueType::SpelledPaths => {
            let paths: Vec<String> = text.split(';').map(json_string).collect();
            format!("[{}]", paths.join(","))
        }
        _ => json_string(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(text: &[u8], max_lines: usize, max_line_bytes: usize) -> (Vec<String>, End) {
        let mut lines = Lines::new(Box::new(io::Cursor::new(text.to_vec())), BLOCK_BYTES);
        lines.max_line_bytes = max_line_bytes;
        let (mut blocks, mut block) = (Vec::new(), Vec::new());
        while lines.take(max_lines, &mut block).unwrap() > 0 {
            blocks.push(String::from_utf8(block.clone()).unwrap());
        }
        (blocks, lines.end())
    }

    #[test]
    fn lines_are_whole_and_their_end_is_known() {
        assert_eq!(blocks(b"", 2, 9), (vec![], End::Whole));
        assert_eq!(blocks(b"a\nb\n\nc\n", 2, 9), (vec!["a\nb\n".into(), "\nc\n".into()], End::Whole));
        assert_eq!(blocks(b"a\nb", 2, 9), (vec!["a\nb".into()], End::Torn));
        assert_eq!(blocks(b"a\nb", 1, 9), (vec!["a\n".into(), "b".into()], End::Torn));
        assert_eq!(blocks(b"a\n0123456789", 9, 9), (vec!["a\n".into()], End::TooLong));
        assert_eq!(blocks(b"012345678", 9, 9), (vec!["012345678".into()], End::Torn));
        let long = "x".repeat(BLOCK_BYTES) + "\n";
        assert_eq!(blocks(long.repeat(3).as_bytes(), 2, usize::MAX), (vec![long.repeat(2), long], End::Whole));
    }

    /// No block has more lines than the limit, however the bytes arrive.
    #[test]
    fn lines_that_arrive_in_pieces_are_joined() {
        let pieces = b"a\n".chain(&b"b\nc\nd\ne"[..]);
        let (mut lines, mut block) = (Lines::new(Box::new(pieces), BLOCK_BYTES), Vec::new());
        for expected in [&b"a\nb\n"[..], b"c\nd\n", b"e"] {
            assert_eq!(lines.take(2, &mut block).unwrap(), expected.len().div_ceil(2));
            assert_eq!(block, expected);
        }
        assert_eq!(lines.end(), End::Torn);
    }

    /// Returns the lines of results, and whether they are CSV.
    fn converted(text: &str) -> (String, bool) {
        let mut lines = Lines::of_results(Box::new(io::Cursor::new(text.as_bytes().to_vec()))).unwrap();
        let (mut json, mut block) = (String::new(), Vec::new());
        while lines.take(2, &mut block).unwrap() > 0 {
            json += str::from_utf8(&block).unwrap();
        }
        (json, lines.is_csv())
    }

    #[test]
    fn csv_values_become_json_of_the_types_of_their_fields() {
        let csv = "index,id,status,moves,path,optimal,board,states,user\r\n\
                   1,007,solved,0,\"\",true,1 2 3 0,1 2 3 0;1 0 3 2,\"a, \"\"b\"\"\nc\"\r\n2,,unsolvable,,,,,,\r\n";
        let json = "{\"index\":1,\"id\":\"007\",\"status\":\"solved\",\"moves\":0,\"path\":\"\",\"optimal\":true,\"board\":[1,2,3,0],\
                    \"states\":[[1,2,3,0],[1,0,3,2]],\"user\":\"a, \\\"b\\\"\\nc\"}\n{\"index\":2,\"id\":null,\"status\":\"unsolvable\",\"moves\":null,\"path\":null,\
                    \"optimal\":null,\"board\":null,\"states\":null,\"user\":null}\n";
        assert_eq!(converted(csv), (json.into(), true));
    }

    #[test]
    fn lists_of_paths_are_read_back() {
        let csv = "status,moves,path,paths\r\nsolved,2,DU,DU;UD\r\nsolved,0,\"\",\"\"\r\nunsolvable,,,\r\n";
        let json = "{\"status\":\"solved\",\"moves\":2,\"path\":\"DU\",\"paths\":[\"DU\",\"UD\"]}\n\
                    {\"status\":\"solved\",\"moves\":0,\"path\":\"\",\"paths\":[\"\"]}\n\
                    {\"status\":\"unsolvable\",\"moves\":null,\"path\":null,\"paths\":null}\n";
        assert_eq!(converted(csv).0, json);
    }

    #[test]
    fn other_text_is_unchanged() {
        let message = "{\"error\":\"found 'a,board,b'\"}\n";
        for text in ["", "{\"index\":1}\n", message, "URDL\n", "a,b\n1,2\n", "{\"index\""] {
            assert_eq!(converted(text), (text.into(), false), "{text}");
        }
        for (record, expected) in [("1\n", "names 2 fields"), ("1,\"x\n", "unclosed quote"), ("-1,solved\n", "\"-1\"")]
        {
            let (json, _) = converted(&format!("index,status\n{record}"));
            assert!(json.contains(expected), "{json}");
        }
    }

    /// The record is read in two pieces, the first of which exceeds the maximum.
    #[test]
    fn a_record_that_is_too_long_is_rejected_alone() {
        let text = b"index,status\n1,\"solved\n123".chain(&b"456\n2,solved\n3,\"a\n"[..]).chain(&b"b\"\n"[..]);
        let (mut lines, mut block) = (Lines::of_results(Box::new(text)).unwrap(), Vec::new());
        lines.max_line_bytes = 9;
        assert_eq!(lines.take(9, &mut block).unwrap(), 3);
        let expected =
            "the record is too long\n{\"index\":2,\"status\":\"solved\"}\n{\"index\":3,\"status\":\"a\\nb\"}\n";
        assert_eq!((str::from_utf8(&block), lines.end()), (Ok(expected), End::Whole));
    }

    #[test]
    fn a_record_that_is_cut_off_has_no_line_feed() {
        assert_eq!(converted("index,status\n1,solv").0, "{\"index\":1,\"status\":\"solv\"}");
    }
}
