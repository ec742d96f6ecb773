//! Results as CSV (RFC 4180): a header with the names of the columns, then a record for every
//! result.
//!
//! An absent value is an empty field. A path of no moves is present, and written as `""`. Boards
//! have spaces between tiles, as in CSV input. Semicolons separate the boards of `states`, the
//! paths of `paths`, and the pairs of `iterations`. A passthrough column contains its text, or the
//! JSON of a value that is not text.

use super::earlier::placeholder;
use super::row::Row;
use super::selection::Fields;
use crate::format::field_table::ValueType;
use crate::format::json_object::JsonObject;
use crate::format::result::Text;

/// The end of a record.
const END: &[u8] = b"\r\n";

/// Returns the header.
pub fn header(fields: &Fields) -> Vec<u8> {
    let mut out = Vec::new();
    let names = fields.iter().map(|field| field.name());
    for (at, name) in names.chain(fields.pass().names()).enumerate() {
        if at > 0 {
            out.push(b',');
        }
        append(name, &mut out);
    }
    out.extend_from_slice(END);
    out
}

impl Row<'_> {
    /// Appends the result to `out` as a record.
    pub(in crate::format) fn write_csv(&self, fields: &Fields, out: &mut Vec<u8>) {
        let (mut json, mut is_first, start) = (Vec::new(), true, out.len());
        for field in fields.iter() {
            if !std::mem::take(&mut is_first) {
                out.push(b',');
            }
            json.clear();
            self.write_member(field, fields, &mut JsonObject::open(&mut json));
            if placeholder(field).is_some() {
                out.extend_from_slice(&json[1..]);
                continue;
            }
            // The value follows a brace and the key.
            let value = json.get(1 + field.key().len()..).unwrap_or_default();
            match field.row().value {
                ValueType::Tiles => append_tiles(value, out),
                ValueType::Boards | ValueType::Iterations => append_boards(value, out),
                ValueType::SpelledPaths => append_paths(value, out),
                _ => append_value(&String::from_utf8_lossy(value), out),
            }
        }
        for name in fields.pass().names() {
            if !std::mem::take(&mut is_first) {
                out.push(b',');
            }
            match self.passthrough.get(name) {
                None | Some("null" | "\"\"") => {}
                Some(json) => append_value(json, out),
            }
        }
        // Readers of CSV skip empty lines, so a single empty field is quoted.
        if out.len() == start {
            append("", out);
        }
        out.extend_from_slice(END);
    }
}

/// Appends a JSON value: the text of a string, or the JSON of another value.
fn append_value(json: &str, out: &mut Vec<u8>) {
    let bare = json.strip_prefix('"').and_then(|json| json.strip_suffix('"'));
    match bare {
        None => {
            if !json.is_empty() {
                append(json, out);
            }
        }
        Some(text) if !text.contains('\\') => append(text, out),
        Some(_) => match serde_json::from_str::<Text<'_>>(json) {
            Ok(text) => append(&text.0, out),
            Err(_) => append(json, out),
        },
    }
}

/// Appends a text, quoted if necessary.
fn append(text: &str, out: &mut Vec<u8>) {
    let must_be_quoted = |byte| matches!(byte, b'"' | b',' | b'\n' | b'\r');
    if !text.is_empty() && !text.bytes().any(must_be_quoted) {
        return out.extend_from_slice(text.as_bytes());
    }
    out.push(b'"');
    for (at, part) in text.split('"').enumerate() {
        if at > 0 {
            out.extend_from_slice(b"\"\"");
        }
        out.extend_from_slice(part.as_bytes());
    }
    out.push(b'"');
}

/// Appends `[1,2,0]` as `1 2 0`.
fn append_tiles(json: &[u8], out: &mut Vec<u8>) {
    let inside = json.strip_prefix(b"[").and_then(|json| json.strip_suffix(b"]")).unwrap_or_default();
    out.extend(inside.iter().map(|&byte| if byte == b',' { b' ' } else { byte }));
}

/// Appends `[[1,0],[0,1]]` as `1 0;0 1`.
fn append_boards(json: &[u8], out: &mut Vec<u8>) {
    let inside = json.strip_prefix(b"[[").and_then(|json| json.strip_suffix(b"]]")).unwrap_or_default();
    let mut rest = inside;
    while let Some((&byte, tail)) = rest.split_first() {
        rest = match rest {
            [b']', b',', b'[', tail @ ..] => {
                out.push(b';');
                tail
            }
            _ => {
                out.push(if byte == b',' { b' ' } else { byte });
                tail
            }
        };
    }
}

/// Appends `["RR","UD"]` as `RR;UD`. No notation uses quotes or semicolons.
fn append_paths(json: &[u8], out: &mut Vec<u8>) {
    let Some(inside) = json.strip_prefix(b"[\"").and_then(|json| json.strip_suffix(b"\"]")) else { return };
    append(&String::from_utf8_lossy(inside).replace("\",\"", ";"), out);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Goal, Move, Path, Shape};
    use crate::format::fields::Field;
    use crate::format::output::Verdict;
    use crate::format::passthrough::Passthrough;

    fn written(verdict: Verdict<'_>, id: &str, passthrough: &[(&str, &str)], fields: &Fields) -> String {
        let goal = Goal::BlankLast.on(Shape::new(2, 2).unwrap()).unwrap();
        let board = goal.after(Move::Up).unwrap();
        let values = passthrough.iter().enumerate().map(|(at, (name, value))| (at, (*name).into(), (*value).into()));
        let passthrough = Passthrough::of(values.collect());
        let puzzle = Some((&board, &goal));
        let row = Row { id: Some(id), passthrough: &passthrough, puzzle, ..Row::bare(7, "\"a,b\"", 2, verdict) };
        let mut out = Vec::new();
        row.write_csv(fields, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn absent_values_are_empty_and_texts_are_quoted_if_necessary() {
        let path: Path = "D".parse().unwrap();
        let fields: Fields = "source,id,status,moves,path,board,states".parse().unwrap();
        assert_eq!(header(&fields), b"source,id,status,moves,path,board,states\r\n");
        let solved = written(Verdict::Solved(&path), "\"a \\\"b\\\"\\n\"", &[], &fields);
        assert_eq!(solved, "\"a,b\",\"a \"\"b\"\"\n\",solved,1,D,1 0 3 2,1 0 3 2;1 2 3 0\r\n");
        let few = Fields::new([Field::Id, Field::Moves, Field::Path]);
        assert_eq!(written(Verdict::Unsolvable, "2.50", &[], &few), "2.50,,\r\n");
        assert_eq!(written(Verdict::Solved(&Path::new()), "1", &[], &few), "1,0,\"\"\r\n");
        // An empty line would not be a record.
        let one = Fields::new([Field::Moves]);
        assert_eq!(written(Verdict::Solved(&path), "1", &[], &one), "1\r\n");
        assert_eq!(written(Verdict::Unsolvable, "1", &[], &one), "\"\"\r\n");
    }

    #[test]
    fn passthrough_columns_follow_the_fields() {
        let fields = Fields::new([Field::Index]).passing("user,\"x\"=y,level".parse().unwrap());
        assert_eq!(header(&fields), b"index,user,y,level\r\n");
        let passthrough = [("user", "\"ann, b\""), ("level", "{\"a\":1}")];
        assert_eq!(written(Verdict::Unsolvable, "1", &passthrough, &fields), "7,\"ann, b\",,\"{\"\"a\"\":1}\"\r\n");
    }
}
