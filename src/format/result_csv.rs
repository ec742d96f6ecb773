//! Reads results in CSV: each record becomes the corresponding line of JSON.
//!
//! All readers of results thus support both formats. CSV does not contain the types of ids and
//! passthrough columns: they become text, or null if they are empty.

use std::io::{self, BufRead, BufReader, Cursor, Read};

use super::field_table::ValueType;
use super::fields::Field;
use super::input::CsvFields;
use super::json_object::json_string;
use super::line_stream::LineStream;
use super::status::Status;

/// Maximum length of a record in bytes, the same as for lines of JSON (`result_lines.rs`).
const MAX_RECORD_BYTES: usize = 64 << 20;

/// Maximum length of a header in bytes.
const MAX_HEADER_BYTES: u64 = 64 << 10;

/// The format of results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultFormat {
    /// JSON Lines, or anything except CSV.
    Json,
    /// CSV. The types of ids and passthrough columns are not known.
    Csv,
}

/// Returns results in either format as JSON Lines. They are CSV if they begin with a header that
/// names a field.
///
/// # Errors
/// If the beginning cannot be read.
pub fn json_lines(mut text: Box<dyn Read + Send>) -> io::Result<(Box<dyn Read + Send>, ResultFormat)> {
    let mut head = Vec::new();
    read_to_line_feed(&mut text, &mut head)?;
    let names = header(&head).map(|names| names.iter().map(|name| Column::named(name)).collect::<Vec<_>>());
    let is_header = |columns: &Vec<Column>| columns.iter().any(|column| matches!(column, Column::Field(_)));
    let Some(columns) = names.filter(is_header) else {
        return Ok((Box::new(Cursor::new(head).chain(text)), ResultFormat::Json));
    };
    let end = head.iter().position(|&byte| byte == b'\n').map_or(head.len(), |feed| feed + 1);
    let records = BufReader::with_capacity(256 << 10, Cursor::new(head.split_off(end)).chain(text));
    let mut csv = JsonOfCsv { records: Box::new(records), columns };
    Ok((Box::new(LineStream::new(move |json: &mut Vec<u8>| csv.next_line(json))), ResultFormat::Csv))
}

/// Reads blocks until one contains a line feed, until the text cannot be a header, or to the end.
fn read_to_line_feed(text: &mut dyn Read, head: &mut Vec<u8>) -> io::Result<()> {
    let mut block = [0; 512];
    loop {
        let before = head.len();
        let read = match text.read(&mut block) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read?,
        };
        head.extend_from_slice(&block[..read]);
        let ends =
            read == 0 || head.len() as u64 > MAX_HEADER_BYTES || memchr::memchr(b'\n', &head[before..]).is_some();
        if is_json(head) || ends {
            return Ok(());
        }
    }
}

/// Returns true if text begins like JSON Lines. An error message in such a line could look like a
/// CSV header.
fn is_json(head: &[u8]) -> bool {
    head.trim_ascii_start().first() == Some(&b'{')
}

fn header(head: &[u8]) -> Option<Vec<String>> {
    if is_json(head) {
        return None;
    }
    let line = head.split(|&byte| byte == b'\n').next()?;
    let fields = CsvFields::split(line, b',').ok()?;
    (0..fields.count()).map(|at| String::from_utf8(fields.get(at).to_vec()).ok()).collect()
}

/// The content of a column.
enum Column {
    Field(Field),
    /// A passthrough column: its name as a JSON string.
    Passthrough(String),
}

impl Column {
    fn named(name: &str) -> Column {
        match Field::named(name) {
            Some(field) => Column::Field(field),
            None => Column::Passthrough(json_string(name)),
        }
    }
}

/// A stream of CSV, converted to JSON Lines.
struct JsonOfCsv {
    records: Box<dyn BufRead + Send>,
    columns: Vec<Column>,
}

impl JsonOfCsv {
    /// Reads a record, which may have line breaks in quotes, and appends it to `json` as a line.
    /// Appends nothing at the end of the stream.
    fn next_line(&mut self, json: &mut Vec<u8>) -> io::Result<()> {
        let mut record = Vec::new();
        let mut quotes = 0;
        loop {
            let before = record.len();
            self.records.by_ref().take(MAX_RECORD_BYTES as u64).read_until(b'\n', &mut record)?;
            quotes += memchr::memchr_iter(b'"', &record[before..]).count();
            let ends = record.len() == before || quotes % 2 == 0 || record.len() > MAX_RECORD_BYTES;
            if ends
                && record.len() <= MAX_RECORD_BYTES
                && record.iter().all(u8::is_ascii_whitespace)
                && record.len() > before
            {
                // An empty line is not a record.
                record.clear();
                continue;
            }
            if ends {
                break;
            }
        }
        if record.is_empty() {
            return Ok(());
        }
        let is_whole = record.ends_with(b"\n");
        // An invalid record becomes a line that contains the reason. The reader of results rejects
        // it.
        match CsvFields::split(&record, b',') {
            Ok(fields) if fields.count() == self.columns.len() => self.write(&fields, json),
            Ok(fields) => {
                let why = format!("the header names {} fields, the record has {}", self.columns.len(), fields.count());
                json.extend_from_slice(why.as_bytes());
            }
            Err(error) => json.extend_from_slice(error.to_string().as_bytes()),
        }
        if is_whole {
            json.push(b'\n');
        }
        Ok(())
    }

    fn write(&self, fields: &CsvFields<'_>, json: &mut Vec<u8>) {
        let column = |wanted: Field| {
            self.columns.iter().position(|column| matches!(column, Column::Field(field) if *field == wanted))
        };
        let is = |field, text: &[u8]| column(field).is_some_and(|at| fields.get(at) == text);
        let is_solved = is(Field::Status, Status::Solved.name().as_bytes()) || is(Field::Moves, b"0");
        let is_at_goal = is(Field::Moves, b"0") || is_solved && is(Field::Path, b"");
        let is_counted = column(Field::Solutions).is_some_and(|at| !fields.get(at).is_empty());
        json.push(b'{');
        for (at, column) in self.columns.iter().enumerate() {
            let text = String::from_utf8_lossy(fields.get(at));
            let (key, value) = match column {
                // A solved record has a path. An empty column is the path of no moves.
                Column::Field(Field::Path) if is_solved && text.is_empty() => (Field::Path.key().into(), "\"\"".into()),
                Column::Field(Field::Paths) if is_at_goal && text.is_empty() => {
                    (Field::Paths.key().into(), "[\"\"]".into())
                }
                // If all shortest paths were counted, their first and forced moves are known. An
                // empty column means that there are no such moves.
                Column::Field(field) if is_counted && field.row().value == ValueType::Moves && text.is_empty() => {
                    (field.key().into(), "\"\"".into())
                }
                Column::Field(field) if text.is_empty() => (field.key().to_string(), "null".into()),
                Column::Field(field) => (field.key().to_string(), value(*field, &text)),
                Column::Passthrough(key) if text.is_empty() => (format!("{key}:"), "null".into()),
                Column::Passthrough(key) => (format!("{key}:"), json_string(&text)),
            };
            if json.len() > 1 {
                json.push(b',');
            }
            json.extend_from_slice(key.as_bytes());
            json.extend_from_slice(value.as_bytes());
        }
        json.push(b'}');
    }
}

/// Returns a field's text as JSON of the field's type. Text of another type becomes a string, which
/// the reader rejects.
fn value(field: Field, text: &str) -> String {
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

/// Returns a JSON value as it is written in CSV: the text of a string, nothing for null, or the
/// JSON of another value.
pub fn plain(json: &str) -> String {
    serde_json::from_str::<String>(json).unwrap_or_else(|_| if json == "null" { String::new() } else { json.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> (String, ResultFormat) {
        let (mut stream, format) = json_lines(Box::new(Cursor::new(text.as_bytes().to_vec()))).unwrap();
        let mut json = String::new();
        stream.read_to_string(&mut json).unwrap();
        (json, format)
    }

    #[test]
    fn records_become_lines_of_their_types() {
        let csv = "index,id,status,moves,path,optimal,board,states,user\r\n\
                   1,007,solved,0,\"\",true,1 2 3 0,1 2 3 0;1 0 3 2,\"a, \"\"b\"\"\nc\"\r\n2,,unsolvable,,,,,,\r\n";
        let json = "{\"index\":1,\"id\":\"007\",\"status\":\"solved\",\"moves\":0,\"path\":\"\",\"optimal\":true,\"board\":[1,2,3,0],\
                    \"states\":[[1,2,3,0],[1,0,3,2]],\"user\":\"a, \\\"b\\\"\\nc\"}\n{\"index\":2,\"id\":null,\"status\":\"unsolvable\",\"moves\":null,\"path\":null,\
                    \"optimal\":null,\"board\":null,\"states\":null,\"user\":null}\n";
        assert_eq!(lines(csv), (json.into(), ResultFormat::Csv));
    }

    #[test]
    fn lists_of_paths_are_read_back() {
        let csv = "status,moves,path,paths\r\nsolved,2,DU,DU;UD\r\nsolved,0,\"\",\"\"\r\nunsolvable,,,\r\n";
        let json = "{\"status\":\"solved\",\"moves\":2,\"path\":\"DU\",\"paths\":[\"DU\",\"UD\"]}\n\
                    {\"status\":\"solved\",\"moves\":0,\"path\":\"\",\"paths\":[\"\"]}\n\
                    {\"status\":\"unsolvable\",\"moves\":null,\"path\":null,\"paths\":null}\n";
        assert_eq!(lines(csv).0, json);
    }

    #[test]
    fn other_text_is_unchanged() {
        let message = "{\"error\":\"found 'a,board,b'\"}\n";
        for text in ["", "{\"index\":1}\n", message, "URDL\n", "a,b\n1,2\n", "{\"index\""] {
            assert_eq!(lines(text), (text.into(), ResultFormat::Json), "{text}");
        }
        for (record, expected) in [("1\n", "names 2 fields"), ("1,\"x\n", "open quote"), ("-1,solved\n", "\"-1\"")] {
            let (json, _) = lines(&format!("index,status\n{record}"));
            assert!(json.contains(expected), "{json}");
        }
    }

    #[test]
    fn a_record_that_is_cut_off_has_no_line_feed() {
        assert_eq!(lines("index,status\n1,solv").0, "{\"index\":1,\"status\":\"solv\"}");
    }
}
